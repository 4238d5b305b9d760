//! Uses of a simulator between steps: copying, changing state and settings, forces at points; and input of the builder.

use linkwork::linkwork_solve::Status;
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, Geometry, JointDef, ModelBuilder, ModelError, Spring};
use linkwork::{Control, Settings, SetupError, Simulator};
use linkwork_scenes::scene;
use std::sync::Arc;

/// A copy in the middle of a run with contacts continues with the same bits and reports the same for the last step.
#[test]
fn a_copy_goes_on_with_the_same_bits() {
    for name in ["nunchuk", "clutter", "fourbar_free"] {
        let scene = scene(name, &[]).unwrap();
        let mut simulator = Simulator::new(scene.model.clone(), scene.settings).unwrap();
        let control = Control::new(&scene.model);
        (0..60).for_each(|_| assert!(simulator.step(&control).is_ok()));
        let mut copy = simulator.clone();
        assert_eq!(copy.joint_forces(), simulator.joint_forces());
        for _ in 0..60 {
            let report = simulator.step(&control).unwrap();
            assert_eq!(report.status, Status::Converged);
            copy.step(&control).unwrap();
            assert_eq!(copy.state().hash(), simulator.state().hash(), "{name}");
        }
    }
}

#[test]
fn states_and_settings_change_between_steps_or_not_at_all() {
    let scene = scene("pendulum", &[]).unwrap();
    let model = scene.model.clone();
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    simulator.step(&Control::new(&model)).unwrap();
    let before = simulator.state().clone();
    let refused = simulator.edit_state(|s| s.time = f64::NAN);
    assert!(refused.is_err());
    assert_eq!(*simulator.state(), before);
    let old = simulator.edit_state(|s| std::mem::replace(&mut s.time, 5.0));
    assert_eq!((old.unwrap(), simulator.state().time), (before.time, 5.0));

    simulator.set_dt(0.004).unwrap();
    simulator.step(&Control::new(&model)).unwrap();
    assert!((simulator.state().time - 5.004).abs() < 1e-12);
    assert!(simulator.set_dt(-1.0).is_err());
    assert_eq!(simulator.settings().dt, 0.004);
    let mut settings = simulator.settings().clone();
    settings.solver = "no such".to_owned();
    assert!(matches!(
        simulator.set_settings(settings.clone()),
        Err(SetupError::Solver(_))
    ));
    settings.solver = "newton".to_owned();
    settings.threads = 2;
    simulator.set_settings(settings).unwrap();
    assert_eq!(simulator.settings().solver, "newton");
    let report = simulator.step(&Control::new(&model)).unwrap();
    assert_eq!(report.status, Status::Converged);
}

/// Halving dt halfway keeps the energy of a swing as well as either step does.
#[test]
fn a_changed_step_goes_on_smoothly() {
    let scene = scene("pendulum", &[]).unwrap();
    let model = scene.model.clone();
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let control = Control::new(&model);
    let energy = |s: &Simulator| {
        let state = s.synchronised(&control).unwrap();
        linkwork::metrics::kinetic_energy(&model, &state)
            + linkwork::metrics::potential_energy(&model, &state)
    };
    let start = energy(&simulator);
    (0..500).for_each(|_| assert!(simulator.step(&control).is_ok()));
    simulator.set_dt(0.5 * simulator.settings().dt).unwrap();
    (0..500).for_each(|_| assert!(simulator.step(&control).is_ok()));
    let scale = linkwork::metrics::kinetic_energy(&model, simulator.state()).max(1e-3);
    assert!((energy(&simulator) - start).abs() < 1e-3 * scale);
}

/// A push at the end of a free rod: a = F/m, α = (l/2) F / (m l²/12).
#[test]
fn a_force_at_a_point_pushes_and_turns() {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let rod = MassProperties::solid_box(3.0, Vec3::new(0.5, 1e-3, 1e-3));
    let turned = Pose::from_quaternion(Vec3::new(1.0, 2.0, 3.0), [2.0, 0.0, 0.0, 2.0]).unwrap();
    let body = b.add_body(BodyDef::new("rod", rod).pose(turned));
    let model = b.build().unwrap();
    let dt = 1e-4;
    let settings = Settings::with(|s| s.dt = dt);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    // Its x axis points along y of the world: this is its end, pushed along z.
    let end = Vec3::new(1.0, 2.5, 3.0);
    let mut control = Control::new(&model);
    control.add_force_at(simulator.state(), body, Vec3::new(0.0, 0.0, 6.0), end);
    simulator.step(&control).unwrap();
    let twist = simulator.synchronised(&control).unwrap().twists[0];
    assert!((twist.linear - Vec3::new(0.0, 0.0, 2.0 * dt)).norm() < 1e-9);
    let alpha = 0.5 * 6.0 / rod.inertia[(2, 2)];
    assert!((twist.angular - Vec3::new(alpha * dt, 0.0, 0.0)).norm() < 1e-6 * alpha);
}

#[test]
fn quaternions_become_poses_in_one_order() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let pose = Pose::from_quaternion(Vec3::zeros(), [half, 0.0, 0.0, half]).unwrap();
    assert!(
        (pose.transform_point(&Vec3::x()) - Vec3::y()).norm() < 1e-15,
        "w first"
    );
    let again = Pose::from_quaternion(pose.position, pose.quaternion()).unwrap();
    assert!((again.rotation.angle_to(&pose.rotation)).abs() < 1e-7);
    for bad in [
        [0.0; 4],
        [f64::NAN, 0.0, 0.0, 1.0],
        [f64::INFINITY, 0.0, 0.0, 0.0],
    ] {
        assert_eq!(Pose::from_quaternion(Vec3::zeros(), bad), None);
    }
}

/// Sums over points of a fine grid inside the form.
#[test]
fn mass_follows_from_form_and_density() {
    let octahedron = [Vec3::x(), Vec3::y(), Vec3::z()];
    let points: Vec<Vec3> = octahedron
        .iter()
        .flat_map(|&v| [0.5 * v, -0.7 * v])
        .collect();
    type Inside = Box<dyn Fn(&Vec3) -> bool>;
    let cases: Vec<(Geometry, Inside)> = vec![
        (
            Geometry::Sphere { radius: 0.6 },
            Box::new(|p| p.norm() <= 0.6),
        ),
        (
            Geometry::Cone {
                radius: 0.6,
                half_length: 0.4,
            },
            Box::new(|p| p.z.abs() <= 0.4 && p.xy().norm() <= 0.75 * (0.4 - p.z)),
        ),
        (
            Geometry::Capsule {
                radius: 0.3,
                half_length: 0.4,
            },
            Box::new(|p| (p - Vec3::z() * p.z.clamp(-0.4, 0.4)).norm() <= 0.3),
        ),
        (
            Geometry::Ellipsoid {
                radii: Vec3::new(0.7, 0.4, 0.5),
            },
            Box::new(|p| p.component_div(&Vec3::new(0.7, 0.4, 0.5)).norm() <= 1.0),
        ),
        (
            Geometry::ConvexHull {
                points: Arc::new(points),
            },
            Box::new(|p| p.map(|x| if x > 0.0 { x / 0.5 } else { -x / 0.7 }).sum() <= 1.0),
        ),
    ];
    const N: i32 = 160;
    let cell = 1.6 / f64::from(N);
    for (geometry, inside) in cases {
        let (mut volume, mut first) = (0.0, Vec3::zeros());
        let mut second = linkwork::math::Mat3::zeros();
        for i in 0..N * N * N {
            let index = Vec3::new(f64::from(i % N), f64::from(i / N % N), f64::from(i / N / N));
            let p = (index.add_scalar(0.5)) * cell - Vec3::repeat(0.8);
            if inside(&p) {
                volume += cell.powi(3);
                first += p * cell.powi(3);
                second += p * p.transpose() * cell.powi(3);
            }
        }
        let found = geometry.mass_properties(700.0).unwrap();
        let (mass, com) = (700.0 * volume, first / volume);
        let about = second - volume * com * com.transpose();
        let inertia = 700.0 * (linkwork::math::Mat3::identity() * about.trace() - about);
        assert!((found.mass / mass - 1.0).abs() < 5e-3, "{geometry:?}");
        assert!((found.com - com).norm() < 2e-3, "{geometry:?}");
        assert!(
            (found.inertia - inertia).norm() < 1e-2 * inertia.norm(),
            "{geometry:?}"
        );
    }
    assert_eq!(Geometry::HalfSpace.mass_properties(1.0), None);
    // The hull of points in a plane has no volume.
    let flat = vec![
        Vec3::zeros(),
        Vec3::x(),
        Vec3::y(),
        Vec3::new(1.0, 1.0, 0.0),
    ];
    let flat = Geometry::ConvexHull {
        points: Arc::new(flat),
    };
    assert_eq!(flat.mass_properties(1.0), None);
}

/// A cube of triangles weighs as the cube, also if every triangle has corners of its own; with a triangle missing,
/// reversed or without corners it has no mass.
#[test]
fn only_closed_meshes_have_a_mass() {
    let corner = |i: u32| [i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) - 0.5);
    let vertices: Vec<Vec3> = (0..8).map(|i| Vec3::from(corner(i))).collect();
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    let triangles: Vec<[u32; 3]> = faces.into_iter().flat_map(halves).collect();
    let mass = |vertices: &[Vec3], triangles: Vec<[u32; 3]>| {
        let mesh = Geometry::TriangleMesh {
            vertices: Arc::new(vertices.to_vec()),
            triangles: Arc::new(triangles),
        };
        mesh.mass_properties(8.0)
    };
    let half_extents = Vec3::repeat(0.5);
    let cube = Geometry::Box { half_extents }.mass_properties(8.0).unwrap();
    let apart: Vec<Vec3> = triangles
        .iter()
        .flatten()
        .map(|i| vertices[*i as usize])
        .collect();
    let own = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    for found in [mass(&vertices, triangles.clone()), mass(&apart, own)] {
        let found = found.expect("it is closed");
        assert!((found.mass - cube.mass).abs() < 1e-14);
        assert!(found.com.norm() < 1e-15);
        assert!((found.inertia - cube.inertia).norm() < 1e-14);
    }
    assert_eq!(mass(&vertices, triangles[1..].to_vec()), None);
    let mut reversed = triangles.clone();
    reversed[3].swap(0, 1);
    assert_eq!(mass(&vertices, reversed), None);
    let mut nowhere = triangles;
    nowhere[5][2] = 8;
    assert_eq!(mass(&vertices, nowhere), None);
}

#[test]
fn a_joint_is_placed_in_one_way_and_has_springs_on_any_coordinate() {
    let mass = MassProperties::solid_sphere(1.0, 0.1);
    let build = |place: &dyn Fn(JointDef) -> JointDef| {
        let mut b = ModelBuilder::new();
        let body = b.add_body(BodyDef::new("a", mass));
        b.add_joint(place(JointDef::revolute("j", None, body)));
        b.build()
    };
    let (at, frame) = (Pose::at(1.0, 0.0, 0.0), Pose::identity());
    assert!(build(&|j| j.frames(at, frame)).is_ok());
    assert!(build(&|j| j.anchor(1.0, 0.0, 0.0).axis(0.0, 1.0, 0.0)).is_ok());
    for twice in [
        build(&|j| j.frames(at, frame).anchor(1.0, 0.0, 0.0)),
        build(&|j| j.anchor(1.0, 0.0, 0.0).frames(at, frame)),
        build(&|j| j.frames(at, frame).frame(at)),
    ] {
        let error = twice.err().expect("refused");
        assert!(matches!(error, ModelError::FramesTwice { .. }), "{error}");
        assert!(error.to_string().contains("'j'"));
    }
    let spring = Spring {
        stiffness: 5.0,
        rest: 0.1,
        damping: 0.2,
        ..Spring::default()
    };
    let mut b = ModelBuilder::new();
    let body = b.add_body(BodyDef::new("a", mass));
    let kind = linkwork::joints::by_name("universal").unwrap();
    b.add_joint(JointDef::of("u", kind, None, body).spring_of(1, spring));
    let model = b.build().unwrap();
    assert_eq!(model.joints()[0].axes[1].spring, spring);
    assert_eq!(model.joints()[0].axes[0].spring.stiffness, 0.0);
}
