//! One step and its derivative along a random direction, against differences of whole steps.

use crate::cases::Case;
use linkwork::gradient::{Activity, Parameter};
use linkwork::math::{Vec3, exp, log};
use linkwork::model::{Compliance, Model, ShapePair};
use linkwork::{Control, Outcome, Simulator, State};
use std::sync::Arc;

/// Stride along the direction, in its units.
const STRIDE: f64 = 4e-6;

/// Points tried and how they went.
#[derive(Debug, Default)]
pub struct Tally {
    pub smooth: usize,
    pub kinks: usize,
    pub worst: f64,
}

/// A random number in [−1, 1], by SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        2.0 * (z >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

impl Tally {
    /// Try the point `seed` of a case.
    pub fn add(&mut self, case: &Case, seed: u64) {
        let mut random = Random(seed);
        let (state, control) = (case.draw)(&case.model, &mut random);
        let parameters = &case.parameters;
        let mut simulator = case.simulator(&case.model, &state);
        let found = match simulator.step_gradient(&control, parameters) {
            Ok(found) => found,
            Err(_) => {
                self.kinks += 1;
                return;
            }
        };
        if found.margin() < case.smooth || !found.unique {
            self.kinks += 1;
            return;
        }
        let direction = (case.direction)(&case.model, &state, &mut random);
        let by: Vec<f64> = parameters
            .iter()
            .map(|p| size(&case.model, p) * random.next())
            .collect();
        let mut expected = &found.state * nalgebra::DVector::from_vec(direction.clone());
        expected += &found.parameters * nalgebra::DVector::from_vec(by.clone());

        let activity: Vec<Activity> = found.active.iter().map(|a| a.activity).collect();
        let base = simulator.state().clone();
        let step = |h: f64| {
            let mut model = case.model.clone();
            let mut control = control.clone();
            for (parameter, by) in parameters.iter().zip(&by) {
                vary(&mut model, &mut control, parameter, h * by);
            }
            let state = moved(&model, &state, &direction, h);
            let mut simulator = case.simulator(&model, &state);
            let report = simulator.step(&control).unwrap();
            let same = simulator
                .active_set()
                .iter()
                .map(|a| a.activity)
                .eq(activity.iter().copied());
            let fine = report.outcome == Outcome::Applied && report.status.is_solved();
            (same && fine).then(|| difference(&base, simulator.state()))
        };
        let there: Option<Vec<Vec<f64>>> = [STRIDE, -STRIDE, 2.0 * STRIDE, -2.0 * STRIDE]
            .into_iter()
            .map(step)
            .collect();
        let Some(y) = there else {
            self.kinks += 1;
            return;
        };
        let largest = expected.amax();
        let mut error = 0.0_f64;
        for i in 0..expected.len() {
            let slope = (8.0 * (y[0][i] - y[1][i]) - (y[2][i] - y[3][i])) / (12.0 * STRIDE);
            error = error.max((slope - expected[i]).abs() / largest);
        }
        self.smooth += 1;
        assert!(error.is_finite(), "point {seed}");
        self.worst = self.worst.max(error);
    }
}

/// How far a parameter goes for a unit of direction.
fn size(model: &Model, parameter: &Parameter) -> f64 {
    match *parameter {
        Parameter::Mass(body) => model.body(body).mass,
        Parameter::Friction(a, b) => model.surface(a, b).friction,
        Parameter::Compliance(a, b) => match model.surface(a, b).compliance {
            Compliance::Physical { stiffness, .. } => stiffness,
            _ => 1.0,
        },
        _ => 1.0,
    }
}

/// The state `h` along a direction in tangent coordinates.
fn moved(model: &Model, state: &State, direction: &[f64], h: f64) -> State {
    let mut state = state.clone();
    let (poses, twists) = direction.split_at(direction.len() / 2);
    let part = |d: &[f64]| h * Vec3::new(d[0], d[1], d[2]);
    for (pose, d) in state.poses.iter_mut().zip(poses.chunks_exact(6)) {
        pose.position += part(d);
        pose.rotation = exp(&part(&d[3..])) * pose.rotation;
    }
    for (twist, d) in state.twists.iter_mut().zip(twists.chunks_exact(6)) {
        twist.linear += part(d);
        twist.angular += part(&d[3..]);
    }
    state.update_coordinates(model);
    state
}

/// b − a in tangent coordinates at a.
fn difference(a: &State, b: &State) -> Vec<f64> {
    let mut values = Vec::new();
    for (p, q) in a.poses.iter().zip(&b.poses) {
        values.extend((q.position - p.position).iter());
        values.extend(log(&(q.rotation * p.rotation.inverse())).iter());
    }
    for (p, q) in a.twists.iter().zip(&b.twists) {
        values.extend((q.linear - p.linear).iter());
        values.extend((q.angular - p.angular).iter());
    }
    values
}

/// Changes a parameter, implemented independently from its definition.
fn vary(model: &mut Arc<Model>, control: &mut Control, parameter: &Parameter, by: f64) {
    let mut data = model.data().clone();
    match *parameter {
        Parameter::Force(i) => control.forces[i] += by,
        Parameter::Target(i) => control.targets[i] += by,
        Parameter::VelocityTarget(i) => control.velocity_targets[i] += by,
        Parameter::Wrench(body, c) if c < 3 => control.wrenches[body.index()].force[c] += by,
        Parameter::Wrench(body, c) => control.wrenches[body.index()].torque[c - 3] += by,
        Parameter::Mass(body) => {
            let body = &mut data.bodies[body.index()];
            body.inertia *= 1.0 + by / body.mass;
            body.mass += by;
        }
        Parameter::Anchor {
            joint,
            follower,
            axis,
        } => {
            let joint = &mut data.joints[joint.index()];
            match follower {
                true => joint.frame_follower.position[axis] += by,
                false => joint.frame_base.position[axis] += by,
            }
        }
        Parameter::Friction(a, b) | Parameter::Compliance(a, b) => {
            let mut surface = model.surface(a, b);
            match (&mut surface.compliance, parameter) {
                (_, Parameter::Friction(..)) => surface.friction += by,
                (Compliance::Physical { stiffness, .. }, _) => *stiffness += by,
                _ => panic!("rigid"),
            }
            data.pairs.retain(|p| (p.a, p.b) != (a, b));
            data.pairs.push(ShapePair { a, b, surface });
        }
    }
    *model = data.build().unwrap();
}

impl Case {
    /// A simulator of a model at a state, solved as exactly as can be.
    fn simulator(&self, model: &Arc<Model>, state: &State) -> Simulator {
        let mut simulator = Simulator::new(model.clone(), self.settings.clone()).unwrap();
        simulator.set_state(state.clone()).unwrap();
        simulator
    }
}
