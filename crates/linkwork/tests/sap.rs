//! SAP on mechanisms: every scene runs, joints stay closed, and contacts are as stiff as the mechanism on them.

use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::*;
use linkwork::{Control, Run, Settings, Simulator};
use linkwork_scenes::{all_scenes, scene};

/// Simulated time of every scene, s; at least a few steps.
const TIME: f64 = 0.03;

#[test]
fn every_scene_runs() {
    for entry in all_scenes() {
        let mut made = scene(entry.name, &[]).unwrap();
        made.settings.solver = "sap".to_owned();
        let settings = &made.settings;
        // What a solve within its tolerance leaves open in a step, where that is more.
        let left = f64::max(1e-9, 1.001 * settings.dt * settings.solve.tolerance);
        let mut run = Run::of(made).unwrap();
        let steps = run.steps_in(TIME).max(3);
        let summary = run.steps(steps, |_| std::ops::ControlFlow::Continue(()));
        let closed = summary.closure_max_m.max(summary.closure_max_rad);
        println!(
            "{}: {} iterations a step, {} failed, joints {closed:.1e}",
            entry.name, summary.iterations_mean, summary.solves_failed
        );
        assert!(
            summary.error.is_none(),
            "{}: {:?}",
            entry.name,
            summary.error
        );
        assert_eq!(summary.steps, steps, "{}", entry.name);
        assert_eq!(summary.solves_failed, 0, "{}", entry.name);
        assert!(closed <= left, "{}: {closed:e}", entry.name);
    }
}

const HALF: Vec3 = Vec3::new(0.1, 0.1, 0.05);

/// Compliances (R_t, R_n) of the contacts of a box on a floor, 1/kg, the first step after; `weld` puts a robot of 100 kg on a foot of 0.1 kg by
/// a joint, otherwise both are one body.
fn compliances(weld: bool) -> Vec<(f64, f64)> {
    let rubber = Material {
        compliance: Compliance::Physical {
            stiffness: 1e12,
            dissipation_time: 0.0,
        },
        ..Material::default()
    };
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    let sole = ShapeDef::new(Geometry::Box { half_extents: HALF }).material(rubber);
    let parts = [(0.1, 0.05), (100.0, 0.15)];
    if weld {
        let [foot, robot] = parts.map(|(mass, z)| {
            let name = if mass < 1.0 { "foot" } else { "robot" };
            b.add_body(BodyDef::new(name, MassProperties::solid_box(mass, HALF)).at(0.0, 0.0, z))
        });
        b.add_shape(foot, sole);
        b.add_joint(JointDef::fixed("ankle", foot, robot));
    } else {
        let mass: f64 = parts.iter().map(|(m, _)| m).sum();
        let centre = parts.iter().map(|(m, z)| m * z).sum::<f64>() / mass;
        let mut moments = Vec3::zeros();
        for (m, z) in parts {
            let own = MassProperties::solid_box(m, HALF).inertia.diagonal();
            let away = m * (z - centre).powi(2);
            moments += own + Vec3::new(away, away, 0.0);
        }
        let mass = MassProperties::principal(mass, moments);
        let body = b.add_body(BodyDef::new("both", mass).at(0.0, 0.0, centre));
        b.add_shape(body, sole.pose(Pose::at(0.0, 0.0, 0.05 - centre)));
    }
    let model = b.build().unwrap();
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    simulator.step(&Control::new(&model)).unwrap();
    let problem = simulator.problem();
    let contacts = problem.sets.iter().filter(|(set, _)| !set.is_free());
    contacts
        .map(|(_, rows)| {
            (
                problem.compliance[rows.start],
                problem.compliance[rows.end - 1],
            )
        })
        .collect()
}

#[test]
fn a_light_foot_is_as_stiff_as_the_robot_on_it() {
    let (welded, whole) = (compliances(true), compliances(false));
    assert_eq!((welded.len(), whole.len()), (4, 4));
    for ((t, n), (whole_t, whole_n)) in welded.iter().zip(&whole) {
        assert!((t / whole_t - 1.0).abs() < 1e-9, "{t} {whole_t}");
        assert!((n / whole_n - 1.0).abs() < 1e-9, "{n} {whole_n}");
        // Above the spring of 1e12 N/m, so that the floor decides; the foot alone would have a thousand times that.
        assert!(*n > 1e-5 && *n < 1e-2, "{n}");
    }
}
