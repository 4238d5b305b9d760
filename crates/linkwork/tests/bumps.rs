//! A car over bumps: no step takes a hundred times the work of the others, measured by counts and not by time:
//! iterations, factorisations and closure passes of all parts of a step. Contacts of flat wheels on one axle contradict
//! each other by the closure error of the axle, which the solver must not try to resolve.

use linkwork::math::{MassProperties, Pose, Quat, Vec3};
use linkwork::model::*;
use linkwork::{Control, Settings, Simulator};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// What bumps are made of.
#[derive(Clone, Copy, Debug)]
enum Bumps {
    Boxes,
    Cylinders,
    Mesh,
}

/// Distance of bumps, m, and how many there are.
const SPACING: f64 = 0.7;
const COUNT: usize = 12;

/// A car of 320 kg with four driven, sprung wheels on a road with bumps 5 cm high.
fn car(bumps: Bumps) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let rubber = Material::with_friction(0.9);
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(rubber));
    let across = Quat::from_scaled_axis(Vec3::x() * FRAC_PI_2);
    for i in 0..COUNT {
        let x = 1.5 + SPACING * i as f64;
        let shape = match bumps {
            Bumps::Boxes => {
                let half_extents = Vec3::new(0.1, 2.0, 0.05);
                ShapeDef::new(Geometry::Box { half_extents }).pose(Pose::at(x, 0.0, 0.0))
            }
            Bumps::Cylinders => {
                let (radius, half_length) = (0.15, 2.0);
                let form = Geometry::Cylinder {
                    radius,
                    half_length,
                };
                ShapeDef::new(form).pose(Pose::new(Vec3::new(x, 0.0, -0.1), across))
            }
            Bumps::Mesh => ShapeDef::new(ridge()).pose(Pose::at(x, 0.0, 0.0)),
        };
        b.add_shape(None, shape.material(rubber));
    }
    let half = Vec3::new(0.9, 0.4, 0.15);
    let chassis = MassProperties::solid_box(200.0, half);
    let chassis = b.add_body(BodyDef::new("chassis", chassis).at(0.0, 0.0, 0.6));
    let shape = Geometry::Box { half_extents: half };
    b.add_shape(chassis, ShapeDef::new(shape).material(rubber));
    let (radius, half_length) = (0.25, 0.08);
    for (name, x, y) in [
        ("front left", 0.7, 0.6),
        ("front right", 0.7, -0.6),
        ("rear left", -0.7, 0.6),
        ("rear right", -0.7, -0.6),
    ] {
        let at = Vec3::new(x, y, 0.3);
        let hub = MassProperties::solid_box(10.0, Vec3::repeat(0.05));
        let hub = b.add_body(BodyDef::new(format!("{name} hub"), hub).at(x, y, 0.3));
        let strut = JointDef::prismatic(format!("{name} strut"), chassis, hub);
        let strut = strut.anchor(x, y, 0.3).axis(0.0, 0.0, 1.0);
        b.add_joint(strut.spring(2e4, 0.02, 1500.0).limits(-0.15, 0.15));
        let mass = MassProperties::solid_cylinder(20.0, radius, half_length);
        let wheel = BodyDef::new(format!("{name} wheel"), mass).pose(Pose::new(at, across));
        let wheel = b.add_body(wheel);
        let form = Geometry::Cylinder {
            radius,
            half_length,
        };
        b.add_shape(wheel, ShapeDef::new(form).material(rubber));
        let axle = JointDef::revolute(format!("{name} axle"), hub, wheel);
        let axle = axle.anchor(x, y, 0.3).axis(0.0, 1.0, 0.0);
        b.add_joint(axle.drive(0.0, 40.0));
    }
    b.build().unwrap()
}

/// A ridge of four triangles.
fn ridge() -> Geometry {
    let vertices = vec![
        Vec3::new(-0.15, -2.0, 0.0),
        Vec3::new(0.0, -2.0, 0.05),
        Vec3::new(0.15, -2.0, 0.0),
        Vec3::new(-0.15, 2.0, 0.0),
        Vec3::new(0.0, 2.0, 0.05),
        Vec3::new(0.15, 2.0, 0.0),
    ];
    let triangles = vec![[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]];
    Geometry::TriangleMesh {
        vertices: Arc::new(vertices),
        triangles: Arc::new(triangles),
    }
}

#[test]
fn a_car_goes_over_bumps_with_every_step_solved() {
    for (bumps, dt) in [
        (Bumps::Boxes, 1e-3),
        (Bumps::Boxes, 5e-3),
        (Bumps::Cylinders, 5e-3),
        (Bumps::Mesh, 5e-3),
    ] {
        let model = car(bumps);
        let settings = Settings::with(|s| s.dt = dt);
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let mut control = Control::new(&model);
        let (mut failed, mut efforts) = (0, Vec::new());
        for step in 0..(3.0 / dt) as usize {
            let time = step as f64 * dt;
            // Struts and axles take turns.
            for axle in control.velocity_targets.iter_mut().skip(1).step_by(2) {
                *axle = 16.0 * (time / 0.5).min(1.0);
            }
            let report = simulator.step(&control).unwrap();
            failed += usize::from(!report.status.is_solved());
            efforts.push(report.iterations + report.factorizations + report.closure_passes);
        }
        efforts.sort_unstable();
        let (usual, most) = (efforts[efforts.len() / 2], efforts[efforts.len() - 1]);
        let beyond = efforts.iter().filter(|e| **e > 100 * usual).count();
        println!(
            "{bumps:?} at {dt}: work {usual} as a rule, {most} at most, {beyond} steps beyond 100 times"
        );
        let chassis = &simulator.state().poses[0];
        assert_eq!((failed, beyond), (0, 0), "{bumps:?} at {dt}");
        // Driven at 4 m/s, it is past most bumps, straight and upright.
        let at = chassis.position;
        assert!(at.x > 7.0 && at.y.abs() < 1e-3, "{bumps:?}: {at:?}");
        assert!(
            (chassis.rotation * Vec3::z()).z > 0.9,
            "{bumps:?}: {chassis:?}"
        );
    }
}
