//! Worlds in lanes compared with separate simulators.
#![allow(dead_code, reason = "each test uses a part")]

use linkwork::math::Vec3;
use linkwork::model::Model;
use linkwork::{Batch, BatchSettings, Control, Settings, Simulator, State};
use std::sync::Arc;

/// A part of a group, whose other lanes are empty; `batch.rs` has more than one group.
pub const WORLDS: usize = 5;

pub fn batch(model: &Arc<Model>, settings: &Settings) -> Batch {
    let limits = BatchSettings::default();
    Batch::new(model.clone(), WORLDS, settings.clone(), limits).unwrap()
}

/// Forces and targets that depend on the world and on time.
pub fn drive(world: usize, size: f64) -> impl Fn(&State, &mut Control) {
    move |state, control| {
        let phase = world as f64 + 7.0 * state.time;
        // Not on the others: a rod that spins about itself has hardly any inertia.
        control.forces[0] = size * phase.sin();
        for (i, target) in control.targets.iter_mut().enumerate() {
            *target = 0.2 * size * (phase + 2.0 * i as f64).cos();
        }
        control.wrenches[0].force = Vec3::new(size * phase.cos(), 0.3 * size, -0.1 * size);
        control.wrenches[0].torque = Vec3::new(0.02 * size, 0.0, 0.03 * size * phase.sin());
    }
}

/// Largest difference of poses and coordinates, m and rad.
pub fn apart(a: &State, b: &State) -> f64 {
    let poses = a.poses.iter().zip(&b.poses).map(|(p, q)| {
        let shift = (p.position - q.position).amax();
        shift.max((p.rotation.coords - q.rotation.coords).amax())
    });
    let coordinates = a.coordinates.iter().zip(&b.coordinates);
    let coordinates = coordinates.map(|(p, q)| (p - q).abs());
    poses.chain(coordinates).fold(0.0, f64::max)
}

/// Steps of worlds in lanes beside a simulator each.
pub struct Compared {
    /// Largest difference of their states, m and rad.
    pub apart: f64,
    /// The same of simulators whose torques differ by 1e-11 N m, and whose tolerances of solve and closure by a factor of 4: what the mechanism makes of differences.
    pub twins: f64,
    /// How many steps the simulators of the worlds took.
    pub alone: u32,
}

/// Compare over so many steps, in calls of ten, with a control that depends on the world.
pub fn compare(
    model: &Arc<Model>,
    settings: &Settings,
    steps: u32,
    drive: impl Fn(usize, &State, &mut Control) + Sync,
) -> Compared {
    let mut batch = batch(model, settings);
    assert!(batch.has_lanes());
    let make = |share: f64| {
        let mut settings = batch.settings().clone();
        settings.solve.tolerance *= share;
        settings.closure.tolerance *= share;
        Simulator::new(model.clone(), settings).unwrap()
    };
    let mut simulators: Vec<_> = (0..WORLDS).map(|_| [make(1.0), make(0.25)]).collect();
    let mut controls = vec![[0; 2].map(|_| Control::new(model)); WORLDS];
    let mut found = Compared {
        apart: 0.0,
        twins: 0.0,
        alone: 0,
    };
    for _ in 0..steps / 10 {
        batch.step(10, &drive);
        for (i, (world, pair)) in batch.worlds().iter().zip(&mut simulators).enumerate() {
            let mut failed = [0; 2];
            for (k, (simulator, extra)) in pair.iter_mut().zip([0.0, 1e-11]).enumerate() {
                for _ in 0..10 {
                    drive(i, &simulator.state().clone(), &mut controls[i][k]);
                    let mut control = controls[i][k].clone();
                    if let Some(force) = control.forces.first_mut() {
                        *force += extra;
                    }
                    let report = simulator.step(&control).unwrap();
                    failed[k] += u32::from(!report.status.is_solved());
                }
            }
            assert!(world.set_aside().is_none());
            let span = world.span();
            assert_eq!((span.steps, span.failed), (10, failed[0]));
            if failed != [0; 2] {
                // From here on nobody knows the motion.
                return found;
            }
            assert!(span.residual <= settings.solve.tolerance);
            assert!(span.closure_linear < 1e-9 && span.closure_angular < 1e-9);
            let [simulator, twin] = &*pair;
            // Parts of steps add up with round-off.
            assert!((world.state().time - simulator.state().time).abs() < 1e-12);
            found.apart = found.apart.max(apart(world.state(), simulator.state()));
            found.twins = found.twins.max(apart(twin.state(), simulator.state()));
            found.alone += span.alone;
        }
    }
    found
}
