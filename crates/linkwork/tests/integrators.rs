//! Integrators compared with closed forms for springs, dampers, momenta, contacts and limits.

use linkwork::assemble::set_joint_coordinates;
use linkwork::joints::Gimbal;
use linkwork::math::{MassProperties, Vec3};
use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::model::{BodyDef, Geometry, JointDef, JointId, Material, ModelBuilder, ShapeDef};
use linkwork::{Checkpoint, Control, Integrator, Run, Settings, SetupError, Simulator};
use linkwork_scenes::{all_scenes, scene};

const SECOND_ORDER: [Integrator; 2] = [Integrator::Moreau, Integrator::MIDPOINT];
const SKEWED: Integrator = Integrator::Theta {
    theta: 0.6,
    theta_vq: 0.7,
};
/// Mass on the slide, kg.
const MASS: f64 = 2.0;

/// A mass on a slide with a spring (N/m) and damper (N s/m), released at rest at 0.3 m.
fn slide(stiffness: f64, damping: f64, integrator: Integrator, dt: f64) -> Simulator {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let mass = MassProperties::solid_box(MASS, Vec3::new(0.1, 0.1, 0.1));
    let body = b.add_body(BodyDef::new("mass", mass));
    let slide = JointDef::prismatic("slide", None, body).axis(1.0, 0.0, 0.0);
    b.add_joint(slide.spring(stiffness, 0.0, damping));
    let model = b.build().unwrap();
    let mut settings = Settings::with(|s| {
        s.dt = dt;
        s.integrator = integrator;
    });
    settings.closure.enabled = integrator != Integrator::EXPLICIT;
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let mut state = model.initial_state();
    set_joint_coordinates(&model, &mut state, JointId(0), &[0.3]).unwrap();
    simulator.set_state(state).unwrap();
    simulator
}

/// x and v after a step of the theta-method on m ẍ + d ẋ + k x = 0 [Castro eq. 6–12].
fn exact_step(
    (k, d, dt): (f64, f64, f64),
    (theta, theta_vq): (f64, f64),
    [x, v]: [f64; 2],
) -> [f64; 2] {
    // m (v' − v) = −dt k (x + θ dt v^θvq) − dt d v^θ.
    let a = MASS + dt * dt * theta * theta_vq * k + dt * theta * d;
    let spring = dt * k * (x + theta * dt * (1.0 - theta_vq) * v);
    let b = MASS * v - spring - dt * d * (1.0 - theta) * v;
    let new = b / a;
    [x + dt * (theta_vq * new + (1.0 - theta_vq) * v), new]
}

#[test]
fn springs_and_dampers_follow_the_theta_method_to_round_off() {
    let theta = |i: Integrator| match i {
        Integrator::Theta { theta, theta_vq } => (theta, theta_vq),
        _ => unreachable!(),
    };
    let presets = [
        Integrator::EXPLICIT,
        Integrator::SYMPLECTIC,
        Integrator::IMPLICIT,
    ];
    for integrator in presets.into_iter().chain([Integrator::MIDPOINT, SKEWED]) {
        for (k, d) in [(200.0, 0.0), (200.0, 3.0), (0.0, 3.0)] {
            let dt = 0.01;
            let mut simulator = slide(k, d, integrator, dt);
            let control = Control::new(simulator.model());
            let mut exact = [0.3, 0.0];
            for step in 0..200 {
                simulator.step(&control).unwrap();
                exact = exact_step((k, d, dt), theta(integrator), exact);
                let state = simulator.state();
                let off = (state.coordinates[0] - exact[0]).abs()
                    + (state.twists[0].linear.x - exact[1]).abs();
                assert!(
                    off < 1e-9 * (1.0 + exact[1].abs()),
                    "{integrator}, k {k}, d {d}, step {step}: {off:.1e}"
                );
            }
        }
    }
}

#[test]
fn both_midpoint_schemes_keep_the_energy_of_a_spring_to_round_off() {
    for integrator in SECOND_ORDER {
        // 20 steps a period.
        let mut simulator = slide(MASS * std::f64::consts::TAU.powi(2), 0.0, integrator, 0.05);
        let control = Control::new(simulator.model());
        let model = simulator.model().clone();
        let energy =
            |s: &Simulator| kinetic_energy(&model, s.state()) + potential_energy(&model, s.state());
        let start = energy(&simulator);
        for _ in 0..20_000 {
            simulator.step(&control).unwrap();
            let off = (energy(&simulator) / start - 1.0).abs();
            assert!(off < 1e-9, "{integrator}: {off:.1e}");
        }
    }
}

/// A tumbling four-bar in free fall: loops, gyroscopics and gravity.
#[test]
fn midpoint_schemes_keep_momentum_to_round_off_and_energy_without_trend() {
    for integrator in SECOND_ORDER {
        let mut scene = scene("fourbar_free", &[("height", 100.0), ("spin", 5.0)]).unwrap();
        scene.settings.integrator = integrator;
        let mut run = Run::of(scene).unwrap();
        let early = run.time(2.0, |_| std::ops::ControlFlow::Continue(()));
        let late = run.time(2.0, |_| std::ops::ControlFlow::Continue(()));
        for s in [&early, &late] {
            println!(
                "{integrator}: momentum {:.1e} {:.1e}, energy {:.1e}, most {:.1e}, open {:.1e} m, {} failed",
                s.momentum_drift.unwrap(),
                s.angular_momentum_drift.unwrap(),
                s.energy_drift,
                s.energy_drift_max,
                s.closure_max_m,
                s.solves_failed
            );
            assert_eq!(s.solves_failed, 0);
            assert!(s.closure_max_m < 1e-10);
            assert!(s.momentum_drift.unwrap() < 1e-10);
            assert!(s.angular_momentum_drift.unwrap() < 1e-10);
            assert!(s.energy_drift_max < 1e-4);
        }
    }
}

/// Boxes on a floor, dropped flat with the vertical speed given, m/s.
fn dropped(integrator: Integrator, restitution: f64, height: f64, dt: f64) -> Simulator {
    let mut b = ModelBuilder::new();
    let material = Material {
        restitution,
        ..Material::default()
    };
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(material));
    let half_extents = Vec3::new(0.05, 0.05, 0.05);
    let mass = MassProperties::solid_box(1.0, half_extents);
    let body = b.add_body(BodyDef::new("box", mass).at(0.0, 0.0, 0.05 + height));
    b.add_shape(
        body,
        ShapeDef::new(Geometry::Box { half_extents }).material(material),
    );
    let settings = Settings::with(|s| {
        s.dt = dt;
        s.integrator = integrator;
    });
    Simulator::new(b.build().unwrap(), settings).unwrap()
}

#[test]
fn a_box_lands_without_a_bounce_and_lies_on_the_floor() {
    for integrator in [
        Integrator::Moreau,
        Integrator::MIDPOINT,
        Integrator::SYMPLECTIC,
        Integrator::IMPLICIT,
        Integrator::EXPLICIT,
        SKEWED,
    ] {
        for dt in [1e-3, 7e-3] {
            let mut simulator = dropped(integrator, 0.0, 0.3, dt);
            let control = Control::new(simulator.model());
            let (mut deepest, mut fastest) = (0.0f64, 0.0f64);
            let mut landed = false;
            for _ in 0..(1.0 / dt) as usize {
                let report = simulator.step(&control).unwrap();
                let state = simulator.state();
                let gap = state.poses[0].position.z - 0.05;
                deepest = deepest.max(-gap);
                landed |= report.work.contacts < 0.0;
                if landed {
                    fastest = fastest.max(state.twists[0].linear.z);
                }
            }
            let state = simulator.state();
            let (gap, speed) = (
                state.poses[0].position.z - 0.05,
                state.twists[0].linear.norm(),
            );
            println!(
                "{integrator} at {dt} s: ends {gap:.1e} m above at {speed:.1e} m/s, deepest {deepest:.1e} m, up at {fastest:.1e} m/s"
            );
            assert!(
                landed && speed < 1e-9 && fastest < 1e-6,
                "{integrator}: {speed} {fastest}"
            );
            assert!(
                gap.abs() < 1e-8 && deepest < 1e-8,
                "{integrator}: {gap} {deepest}"
            );
        }
    }
}

#[test]
fn a_bounce_has_its_restitution() {
    for integrator in SECOND_ORDER {
        let mut simulator = dropped(integrator, 0.5, 0.3, 1e-4);
        let control = Control::new(simulator.model());
        let mut up = 0.0f64;
        for _ in 0..3500 {
            simulator.step(&control).unwrap();
            up = up.max(simulator.state().twists[0].linear.z);
        }
        let exact = 0.5 * (2.0 * 9.81 * 0.3f64).sqrt();
        println!("{integrator}: leaves at {up} m/s, exactly {exact}");
        assert!((up / exact - 1.0).abs() < 1e-3);
    }
}

#[test]
fn a_limit_is_met_without_a_bounce() {
    for integrator in [
        Integrator::Moreau,
        Integrator::MIDPOINT,
        Integrator::IMPLICIT,
        SKEWED,
    ] {
        let mut b = ModelBuilder::new();
        let mass = MassProperties::solid_box(1.0, Vec3::new(0.1, 0.1, 0.1));
        let body = b.add_body(BodyDef::new("mass", mass));
        let slide = JointDef::prismatic("slide", None, body).axis(0.0, 0.0, 1.0);
        b.add_joint(slide.limits(-0.2, 0.5));
        let settings = Settings::with(|s| {
            s.integrator = integrator;
            s.dt = 5e-3;
        });
        let mut simulator = Simulator::new(b.build().unwrap(), settings).unwrap();
        let control = Control::new(simulator.model());
        let mut up = 0.0f64;
        for _ in 0..200 {
            simulator.step(&control).unwrap();
            up = up.max(simulator.state().twists[0].linear.z);
        }
        let q = simulator.state().coordinates[0];
        println!("{integrator}: rests at {q}, went up at {up:.1e} m/s");
        assert!(up < 1e-6 && (q + 0.2).abs() < 1e-8);
    }
}

/// Arms with geared motors: the rotors' inertia must have its gyroscopic and centripetal parts to second order.
#[test]
fn armatures_are_second_order() {
    let ends = |integrator: Integrator, dt: f64, arm: [f64; 3]| {
        let mut b = ModelBuilder::new();
        let mass = MassProperties::solid_box(1.0, Vec3::new(0.1, 0.2, 0.5));
        let first = b.add_body(BodyDef::new("first", mass).at(0.3, 0.0, 0.0));
        let second = b.add_body(BodyDef::new("second", mass).at(0.9, 0.0, 0.1));
        let gimbal = JointDef::new("gimbal", Gimbal, None, first).axis(0.0, 1.0, 0.0);
        b.add_joint(gimbal.armature(arm[0]).spring(arm[2], 0.1, 0.0));
        let hinge = JointDef::revolute("hinge", Some(first), second)
            .anchor(0.6, 0.0, 0.0)
            .axis(0.6, 0.8, 0.0);
        b.add_joint(hinge.armature(arm[1]));
        let settings = Settings::with(|s| {
            s.integrator = integrator;
            s.dt = dt;
        });
        let mut simulator = Simulator::new(b.build().unwrap(), settings).unwrap();
        let control = Control::new(simulator.model());
        for _ in 0..(1.0 / dt).round() as usize {
            assert!(simulator.step(&control).unwrap().status.is_solved());
        }
        simulator.state().poses[1].position
    };
    // On the rings, the hinge, the spring of the rings, and all.
    for arm in [
        [0.2, 0.0, 0.0],
        [0.0, 0.3, 0.0],
        [0.0, 0.0, 3.0],
        [0.2, 0.3, 3.0],
    ] {
        let fine = [5e-4, 2.5e-4].map(|dt| ends(Integrator::SemiImplicitEuler, dt, arm));
        let exact = (4.0 * fine[1] - fine[0]) / 3.0;
        for integrator in SECOND_ORDER {
            let errors = [8e-3, 4e-3, 2e-3].map(|dt| (ends(integrator, dt, arm) - exact).norm());
            println!("{integrator} {arm:?}: errors {errors:?}");
            assert!(
                errors
                    .windows(2)
                    .all(|e| (3.8..4.2).contains(&(e[0] / e[1]))),
                "{errors:?}"
            );
        }
    }
}

/// Accelerations and reactions are those of the middle of the step.
#[test]
fn a_hanging_mass_feels_its_weight() {
    for integrator in SECOND_ORDER {
        let mut scene = scene("pendulum", &[]).unwrap();
        scene.settings.integrator = integrator;
        let mut run = Run::of(scene).unwrap();
        run.steps(500, |_| std::ops::ControlFlow::Continue(()));
        let simulator = run.simulator();
        let model = simulator.model();
        let weight: f64 = model.bodies().iter().map(|b| b.mass * 9.81).sum();
        let force: Vec3 = (0..model.bodies().len() as u32)
            .map(|b| simulator.net_force(linkwork::model::BodyId(b)).force)
            .sum();
        let held: Vec3 = simulator
            .joint_reactions()
            .iter()
            .filter(|r| model.joint(r.joint).base.is_none())
            .map(|r| r.force)
            .sum();
        let off = (force - held + Vec3::new(0.0, 0.0, weight)).norm();
        assert!(off < 1e-7 * weight, "{integrator}: {off}");
    }
}

#[test]
fn checkpoints_go_on_with_the_same_bits() {
    for integrator in [Integrator::Moreau, Integrator::IMPLICIT, SKEWED] {
        for name in ["nunchuk", "quadruped"] {
            let mut start = scene(name, &[]).unwrap();
            start.settings.integrator = integrator;
            let mut run = Run::of(start).unwrap();
            for _ in 0..300 {
                run.step().unwrap();
            }
            let text = serde_json::to_string(&run.checkpoint()).unwrap();
            let checkpoint: Checkpoint = serde_json::from_str(&text).unwrap();
            assert_eq!(checkpoint.settings.integrator, integrator);
            let again = scene(name, &[]).unwrap();
            let mut again = Run::resume(again.model, &checkpoint, again.script).unwrap();
            for step in 0..100 {
                run.step().unwrap();
                again.step().unwrap();
                let hashes = [&run, &again].map(|r| r.simulator().state().hash());
                assert_eq!(hashes[0], hashes[1], "{name}, {integrator}, step {step}");
            }
        }
    }
}

#[test]
fn every_scene_runs_with_every_integrator() {
    for entry in all_scenes() {
        for integrator in [
            Integrator::Moreau,
            Integrator::MIDPOINT,
            Integrator::IMPLICIT,
        ] {
            let mut start = scene(entry.name, &[]).unwrap();
            start.settings.integrator = integrator;
            let settings = &start.settings;
            // What a solve within its tolerance leaves open in a step, where that is more.
            let left = f64::max(1e-9, 1.001 * settings.dt * settings.solve.tolerance);
            let mut run = Run::of(start).unwrap();
            let s = run.steps(60, |_| std::ops::ControlFlow::Continue(()));
            println!(
                "{} {integrator}: failed {}, drift {:.1e}, most {:.1e}, open {:.1e} m {:.1e} rad, overlap {:.1e} m, substepped {}",
                entry.name,
                s.solves_failed,
                s.energy_drift,
                s.energy_drift_max,
                s.closure_max_m,
                s.closure_max_rad,
                s.penetration_end_m,
                s.status.substepped
            );
            assert!(s.error.is_none(), "{:?}", s.error);
            let second_order = SECOND_ORDER.contains(&integrator);
            assert!(
                s.solves_failed == 0 || !second_order,
                "{} {integrator}",
                entry.name
            );
            assert!(s.closure_max_m <= left, "{} {integrator}", entry.name);
        }
    }
}

#[test]
fn settings_without_an_integrator_have_the_default_and_wrong_ones_are_refused() {
    let mut json = serde_json::to_value(Settings::default()).unwrap();
    json.as_object_mut().unwrap().remove("integrator").unwrap();
    assert_eq!(
        serde_json::from_value::<Settings>(json).unwrap(),
        Settings::default()
    );
    let start = |integrator| {
        let mut scene = scene("fourbar_fixed", &[]).unwrap();
        scene.settings.integrator = integrator;
        Run::of(scene).map(|_| ())
    };
    let wrong = Integrator::Theta {
        theta: 1.5,
        theta_vq: 0.5,
    };
    for (integrator, named) in [(wrong, "theta"), (Integrator::EXPLICIT, "closure.enabled")] {
        let error = start(integrator).unwrap_err();
        assert!(matches!(error, SetupError::Setting { .. }));
        assert!(error.to_string().contains(named), "{error}");
    }
}
