//! Springs on the outer ring of a gimbal whose body passes gimbal lock, where the ring turns by nearly half a turn within microseconds.

use linkwork::assemble::{set_joint_coordinates, set_joint_velocities};
use linkwork::joints::Gimbal;
use linkwork::math::{MassProperties, Vec3};
use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::model::{BodyDef, JointDef, JointId, ModelBuilder};
use linkwork::{Run, Settings, Simulator};
use std::ops::ControlFlow;

/// Numbers in [0, 1), the same each time.
fn random(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64
}

/// A box on a gimbal, of any form and place, thrown about the middle ring, with 0.1 to 100 N m/rad on the outer one.
fn body(number: u64, dt: f64) -> Simulator {
    let mut seed = number * 7919 + 17;
    for _ in 0..5 {
        random(&mut seed);
    }
    let mut between = |lo: f64, hi: f64| lo + (hi - lo) * random(&mut seed);
    let mut b = ModelBuilder::new();
    let half = Vec3::from_fn(|_, _| between(0.03, 0.15));
    let at = Vec3::from_fn(|_, _| between(-0.2, 0.2));
    let mass = MassProperties::solid_box(1.0, half);
    let body = b.add_body(BodyDef::new("body", mass).at(at.x, at.y, at.z));
    let stiffness = 10f64.powf(between(-1.0, 2.0));
    let rings = JointDef::new("rings", Gimbal, None, body);
    b.add_joint(rings.with(0, |a| a.spring.stiffness = stiffness));
    let model = b.build().unwrap();
    let mut state = model.initial_state();
    let q = [(); 3].map(|()| between(-1.0, 1.0));
    let v = [0.5, 6.0, 0.5].map(|most| between(-most, most));
    set_joint_coordinates(&model, &mut state, JointId(0), &q).unwrap();
    set_joint_velocities(&model, &mut state, JointId(0), &v).unwrap();
    let settings = Settings {
        dt,
        ..Settings::default()
    };
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    simulator.set_state(state).unwrap();
    simulator
}

/// Largest gain of a body in 2 s, of the largest energy exchanged. Of mid-step and at the time of the poses: close to lock both are off by (ω dt)².
fn gain(number: u64, dt: f64) -> f64 {
    let simulator = body(number, dt);
    let now = simulator.state();
    let start = kinetic_energy(simulator.model(), now) + potential_energy(simulator.model(), now);
    let mut gain = 0.0f64;
    let summary = Run::new(simulator, None).steps((2.0 / dt) as u64, |moment| {
        gain = gain.max(moment.energy.min(moment.synchronised().1) - start);
        let solved = moment.report.is_none_or(|r| r.status.is_solved());
        assert!(solved, "body {number} at {dt} s");
        ControlFlow::Continue(())
    });
    gain / summary.energy_scale
}

/// Once the worst of 150 gained 15 %; now 9.4 %, which is known and not yet mended. `LINKWORK_GIMBALS=150` for all.
#[test]
fn what_springs_on_the_outer_ring_give_through_gimbal_lock_is_bounded() {
    let count = std::env::var("LINKWORK_GIMBALS").map_or(40, |n| n.parse().unwrap());
    for dt in [5e-3, 1e-3] {
        let gains = (0..count).map(|number| (gain(number, dt), number));
        let (worst, number) = gains.reduce(|a, b| if b.0 > a.0 { b } else { a }).unwrap();
        println!("{dt} s: largest gain {worst:.4}, of body {number} of {count}");
        assert!(worst < 0.1, "{worst} of body {number} at {dt} s");
    }
}
