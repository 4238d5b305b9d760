//! Soft joints, couplings and limits against their rest under load and the oscillator that they are.

use linkwork::math::{MassProperties, Vec3};
use linkwork::model::*;
use linkwork::{Control, Settings, Simulator, State};
use linkwork_solve::Status;
use std::sync::Arc;

const G: f64 = 9.81;
const MASS: f64 = 2.0;
const HALF: Vec3 = Vec3::new(0.2, 0.15, 0.1);

fn mass() -> MassProperties {
    MassProperties::solid_box(MASS, HALF)
}

fn impedance() -> Impedance {
    Impedance {
        width: 0.05,
        reference: Reference::Time {
            time_constant: 0.1,
            damping_ratio: 0.7,
        },
        ..Impedance::default()
    }
}

fn run(model: &Arc<Model>, dt: f64, time: f64) -> (Simulator, State) {
    let settings = Settings::with(|s| s.dt = dt);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let control = Control::new(model);
    for _ in 0..(time / dt).round() as usize {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged);
        assert!(report.closure_linear < 1e-9, "what yields is not open");
    }
    let state = simulator.state().clone();
    (simulator, state)
}

/// The violation r at which a force f is carried: k r = (1 − d)/d w f, d and k at r.
fn rest(impedance: &Impedance, inverse_inertia: f64, force: f64) -> f64 {
    let excess = |r: f64| {
        let d = impedance.at(r);
        impedance.stiffness(r) * r - (1.0 - d) / d * inverse_inertia * force
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if excess(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

fn soft(impedance: Impedance) -> JointSoftness {
    JointSoftness {
        impedance,
        inverse_mass: 1.0 / MASS,
        inverse_inertia: 50.0,
        radius: 0.5,
    }
}

#[test]
fn a_mass_hung_on_a_soft_joint_rests_where_its_reference_balances_the_weight() {
    let wanted = rest(&impedance(), 1.0 / MASS, MASS * G);
    for kind in [JointDef::spherical, JointDef::fixed] {
        let mut b = ModelBuilder::new();
        let body = b.add_body(BodyDef::new("box", mass()));
        b.add_joint(kind("held", None, body).softness(soft(impedance())));
        let (simulator, state) = run(&b.build().unwrap(), 1e-3, 4.0);
        let got = -state.poses[0].position.z;
        assert!((got - wanted).abs() < 1e-6 * wanted, "{got} {wanted}");
        let reaction = simulator.joint_reactions()[0].force;
        assert!(
            (reaction.z - MASS * G).abs() < 1e-6 * MASS * G,
            "{reaction}"
        );
    }
}

#[test]
fn a_soft_weld_turns_under_a_torque_and_counts_angles_by_its_radius() {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let body = b.add_body(BodyDef::new("box", mass()));
    b.add_joint(JointDef::fixed("held", None, body).softness(soft(impedance())));
    let model = b.build().unwrap();
    let mut control = Control::new(&model);
    control.wrenches[0].torque = Vec3::new(0.0, 0.0, 0.4);
    let mut simulator = Simulator::new(model, Settings::default()).unwrap();
    for _ in 0..4000 {
        simulator.step(&control).unwrap();
    }
    let got = simulator.state().poses[0].rotation.angle();
    let i = impedance();
    let d = i.at(0.5 * got);
    let wanted = (1.0 - d) / d * 50.0 * 0.4 / i.stiffness(0.5 * got);
    assert!(
        got > 0.01 && (got - wanted).abs() < 1e-6 * wanted,
        "{got} {wanted}"
    );
}

/// A slide along z with something on its coordinate.
fn slide(limits: Option<Limits>, start: f64) -> (ModelBuilder, JointId) {
    let mut b = ModelBuilder::new();
    let body = b.add_body(BodyDef::new("box", mass()).at(0.0, 0.0, start));
    let joint = JointDef::prismatic("slide", None, body).with(0, |a| a.limits = limits);
    let frame = linkwork::math::Pose::identity();
    let id = b.add_joint(joint.frames(frame, frame));
    (b, id)
}

#[test]
fn a_soft_coupling_yields_as_a_soft_joint_does() {
    let wanted = rest(&impedance(), 1.0 / MASS, MASS * G);
    let (mut b, joint) = slide(None, 0.0);
    let softness = Softness {
        impedance: impedance(),
        inverse_inertia: 1.0 / MASS,
    };
    b.add_coupling(Coupling::new("held", &[(joint, 0, 1.0)], 0.0).soft(softness));
    let (_, state) = run(&b.build().unwrap(), 1e-3, 4.0);
    let got = -state.coordinates[0];
    assert!((got - wanted).abs() < 1e-6 * wanted, "{got} {wanted}");
}

/// With d constant and w the true inverse mass, ẍ = −(1 − d) g − B ẋ − K x: a damped oscillator about
/// −(1 − d) g/K that starts at rest twice as deep.
#[test]
fn a_limit_given_by_stiffness_and_damping_swings_as_they_say() {
    let (stiffness, damping, d) = (400.0, 6.0, 0.6);
    let limits = Limits {
        softness: Some(Softness {
            impedance: Impedance {
                at_zero: d,
                at_width: d,
                // Divided by d and d², of which the law takes the share d.
                reference: Reference::Direct { stiffness, damping },
                ..Impedance::default()
            },
            inverse_inertia: 1.0 / MASS,
        }),
        ..Limits::new(0.0, f64::INFINITY)
    };
    let depth = (1.0 - d) * G / stiffness;
    let rate: f64 = (stiffness - 0.25 * damping * damping).sqrt();
    let exact = |t: f64| {
        let swing = (rate * t).cos() + 0.5 * damping / rate * (rate * t).sin();
        -depth * (1.0 + (-0.5 * damping * t).exp() * swing)
    };
    let (b, _) = slide(Some(limits), -2.0 * depth);
    let model = b.build().unwrap();
    let error = |dt: f64| {
        let times = (1..=6).map(|i| 0.1 * f64::from(i));
        let off = times.map(|t| (run(&model, dt, t).1.coordinates[0] - exact(t)).abs());
        off.fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(1e-3), error(2.5e-4));
    println!("off by {coarse:.2e} and {fine:.2e} m of {depth:.2e} m");
    assert!(coarse < 0.006 * depth, "{coarse}");
    let ratio = coarse / fine;
    assert!((3.5..4.5).contains(&ratio), "first order in dt, {ratio}");
}

#[test]
fn a_soft_limit_leaves_alone_what_is_within() {
    let softness = Softness {
        impedance: impedance(),
        inverse_inertia: 1.0,
    };
    let limits = Limits {
        softness: Some(softness),
        ..Limits::new(-10.0, f64::INFINITY)
    };
    let fallen = |limits: Option<Limits>| {
        let model = slide(limits, 0.0).0.build().unwrap();
        run(&model, 1e-3, 0.5).1.hash()
    };
    assert_eq!(fallen(Some(limits)), fallen(None));
}

/// However stiff: the law is implicit in time.
#[test]
fn a_reference_far_too_stiff_for_the_step_stays_calm() {
    let stiff = Impedance {
        reference: Reference::Direct {
            stiffness: 1e12,
            damping: 1e9,
        },
        ..Impedance::default()
    };
    let mut b = ModelBuilder::new();
    let body = b.add_body(BodyDef::new("box", mass()).at(0.0, 0.0, 0.01));
    let frame = linkwork::math::Pose::identity();
    let joint = JointDef::fixed("held", None, body).softness(soft(stiff));
    b.add_joint(joint.frames(frame, frame));
    let (_, state) = run(&b.build().unwrap(), 1e-2, 20.0);
    assert!(state.twists[0].linear.norm() < 1e-6);
    assert!(state.poses[0].position.norm() < 1e-2);
}

#[test]
fn a_loop_with_a_soft_joint_keeps_its_hard_joints_closed() {
    let mut b = ModelBuilder::new();
    let left = b.add_body(BodyDef::new("left", mass()).at(-0.5, 0.0, 0.0));
    let right = b.add_body(BodyDef::new("right", mass()).at(0.5, 0.0, 0.0));
    for (name, body, x) in [("a", left, -1.0), ("b", right, 1.0)] {
        let hinge = JointDef::revolute(name, None, body).anchor(x, 0.0, 0.0);
        b.add_joint(hinge.axis(0.0, 1.0, 0.0));
    }
    let middle = JointDef::spherical("c", left, right).anchor(0.0, 0.0, 0.0);
    b.add_joint(middle.softness(soft(impedance())));
    let model = b.build().unwrap();
    let (simulator, state) = run(&model, 1e-3, 5.0);
    // Both arms sink by φ until the gap between their ends, 2 (1 − cos φ), holds them; the moments about a
    // hinge are m g/2 cos φ = F sin φ.
    let gap = state.placement(&model.joints()[2]).relative.d.norm();
    let phi = (1.0 - 0.5 * gap).acos();
    let pull = simulator.joint_reactions()[2].force.norm();
    let wanted = 0.5 * MASS * G / phi.tan();
    assert!(
        gap > 1e-3 && (pull - wanted).abs() < 1e-6 * wanted,
        "{pull} {wanted}"
    );
    let open = [0, 1].map(|j| state.placement(&model.joints()[j]).relative.d.norm());
    assert!(open.iter().all(|d| *d < 1e-9), "{open:?}");
}

/// A weight released on a soft mount loses energy by the height that it sinks: all of it goes into the mount.
#[test]
fn the_work_of_what_yields_is_accounted_for() {
    let mut b = ModelBuilder::new();
    let body = b.add_body(BodyDef::new("box", mass()));
    b.add_joint(JointDef::fixed("held", None, body).softness(soft(impedance())));
    let model = b.build().unwrap();
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let control = Control::new(&model);
    let (mut mount, mut joints) = (0.0, 0.0);
    for _ in 0..4000 {
        let work = simulator.step(&control).unwrap().work;
        mount += work.drives;
        joints += work.joints;
    }
    let fallen = -MASS * G * simulator.state().poses[0].position.z;
    assert_eq!(joints, 0.0);
    assert!((mount + fallen).abs() < 1e-3 * fallen, "{mount} {fallen}");
}

#[test]
fn a_softness_out_of_range_is_refused_by_name() {
    let refused = |change: fn(&mut JointSoftness), words: &str| {
        let mut softness = soft(impedance());
        change(&mut softness);
        let mut b = ModelBuilder::new();
        let body = b.add_body(BodyDef::new("box", mass()));
        b.add_joint(JointDef::fixed("held", None, body).softness(softness));
        let error = b.build().err().unwrap().to_string();
        assert!(error.contains("'held'") && error.contains(words), "{error}");
    };
    refused(|s| s.inverse_mass = 0.0, "inverse mass");
    refused(|s| s.inverse_inertia = f64::NAN, "inverse inertia");
    refused(|s| s.radius = -1.0, "radius");
    refused(|s| s.impedance.width = 0.0, "impedance width");
    let direct = |stiffness, damping| Reference::Direct { stiffness, damping };
    let mut b = slide(None, 0.0);
    let softness = Softness {
        impedance: Impedance {
            reference: direct(1.0, -1.0),
            ..Impedance::default()
        },
        inverse_inertia: 1.0,
    };
    b.0.add_coupling(Coupling::new("tie", &[(b.1, 0, 1.0)], 0.0).soft(softness));
    let error = b.0.build().err().unwrap().to_string();
    assert!(
        error.contains("'tie'") && error.contains("impedance damping"),
        "{error}"
    );
}
