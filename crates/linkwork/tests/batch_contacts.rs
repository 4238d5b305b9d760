//! Worlds with contacts and dry friction stepped four at a time agree with a [`Simulator`] of their own: standing, falling, sliding, sticking, meeting each
//! other and limits.

mod side_by_side;

use linkwork::batch::World;
use linkwork::math::{MassProperties, Vec3};
use linkwork::model::{BodyDef, Geometry, JointDef, Material, Model, ModelBuilder, ShapeDef};
use linkwork::{Batch, Control, Settings, Simulator, State};
use linkwork_scenes::scene;
use side_by_side::{Compared, WORLDS, batch, compare};
use std::sync::Arc;

/// A robot on its feet, whose targets sway, differently in each world.
fn sway(home: &Control) -> impl Fn(usize, &State, &mut Control) + Sync + use<> {
    let home = home.targets.clone();
    move |world, state, control| {
        for (i, (target, home)) in control.targets.iter_mut().zip(&home).enumerate() {
            *target = home + 0.05 * (world as f64 + 9.0 * state.time + i as f64).sin();
        }
    }
}

fn agrees(name: &str, found: &Compared, most_alone: u32) {
    let Compared {
        apart,
        twins,
        alone,
    } = *found;
    println!("{name}: {apart:.1e} apart, twins {twins:.1e}, {alone} steps alone");
    assert!(
        apart < 1e-9 || apart < 2.0 * twins,
        "{name}: {apart:e}, twins {twins:e}"
    );
    assert!(alone <= most_alone, "{name}: {alone} steps by simulators");
}

#[test]
fn a_quadruped_lands_and_sways_as_in_its_simulator() {
    let scene = scene("quadruped", &[("drop", 0.03), ("push", 0.0)]).unwrap();
    let home = Control::new(&scene.model);
    let found = compare(&scene.model, &scene.settings, 600, sway(&home));
    agrees("quadruped", &found, 0);
}

/// Loops, soles of many points and bodies that touch each other.
#[test]
fn mechanisms_of_the_suite_agree() {
    for name in [
        "boxes_fixed",
        "fourbar_free",
        "nunchuk",
        "biped14",
        "humanoid20",
    ] {
        let scene = scene(name, &[]).unwrap();
        let drive = sway(&Control::new(&scene.model));
        let found = compare(
            &scene.model,
            &scene.settings,
            200,
            |world, state, control| {
                drive(world, state, control);
                control.wrenches[0].force.x = 0.1 * world as f64;
            },
        );
        agrees(name, &found, 50);
    }
}

/// A sledge that slides on six points and stops, with a hinged arm that drags behind, and a loose block in front.
fn sledge(material: Material, limits: Option<[f64; 2]>, height: f64) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let cuboid = |half_extents| ShapeDef::new(Geometry::Box { half_extents }).material(material);
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(material));
    let mut add = |name: &str, mass, half: Vec3, x, velocity| {
        let solid = MassProperties::solid_box(mass, half);
        let body = BodyDef::new(name, solid).at(x, 0.0, half.z + height);
        let body = b.add_body(body.twist(velocity, Vec3::zeros()));
        b.add_shape(body, cuboid(half));
        body
    };
    let forward = Vec3::new(1.5, 0.3, 0.0);
    let sledge = add("sledge", 2.0, Vec3::new(0.2, 0.1, 0.05), 0.0, forward);
    let arm = add("arm", 0.3, Vec3::new(0.1, 0.02, 0.02), -0.31, forward);
    add("block", 0.5, Vec3::new(0.04, 0.2, 0.04), 0.3, Vec3::zeros());
    let hinge = JointDef::revolute("hinge", sledge, arm)
        .anchor(-0.205, 0.0, 0.02 + height)
        .axis(0.0, 1.0, 0.0);
    b.add_joint(match limits {
        Some([least, most]) => hinge.limits(least, most),
        None => hinge,
    });
    b.build().unwrap()
}

/// A torque on the arm that lifts and drops it, and a wrench on the sledge.
fn shake(world: usize, state: &State, control: &mut Control) {
    let phase = world as f64 + 25.0 * state.time;
    control.forces[0] = 0.9 * phase.sin().max(0.0);
    control.wrenches[0].force = Vec3::new(2.0 * phase.cos(), world as f64, 0.0);
}

#[test]
fn sliding_bodies_that_meet_agree() {
    let models = [
        (
            "friction",
            sledge(Material::with_friction(0.4), None, 0.0),
            10,
        ),
        (
            "no friction",
            sledge(Material::with_friction(0.0), None, 0.0),
            10,
        ),
        (
            "much friction",
            sledge(Material::with_friction(1.0), None, 0.0),
            10,
        ),
        // Steps at the limit are taken by the simulators.
        (
            "limits",
            sledge(Material::with_friction(0.4), Some([-0.05, 0.3]), 0.0),
            300,
        ),
    ];
    for (name, model, most_alone) in models {
        let found = compare(&model, &Settings::default(), 250, shake);
        agrees(name, &found, most_alone);
        assert!(name != "limits" || found.alone > 0, "no limit was met");
    }
}

/// Dry friction in joints, which stick and slip, with and without contacts.
#[test]
fn dry_friction_of_joints_agrees() {
    for (name, set, friction) in [
        ("quadruped", &[("drop", 0.03), ("push", 0.0)][..], 0.6),
        ("arm7", &[], 1.0),
        ("fourbar_fixed", &[], 0.3),
    ] {
        let scene = scene(name, set).unwrap();
        let mut data = scene.model.data().clone();
        for axis in data.joints.iter_mut().flat_map(|joint| &mut joint.axes) {
            axis.friction = friction;
        }
        let model = data.build().unwrap();
        let home = Control::new(&model);
        let sway = sway(&home);
        let found = compare(&model, &scene.settings, 400, |world, state, control| {
            sway(world, state, control);
            let phase = world as f64 + 15.0 * state.time;
            control.forces[0] = 2.0 * friction * phase.sin();
        });
        agrees(&format!("{name} with friction"), &found, 50);
    }
}

/// Contacts that bounce are left to the simulator of the world, with the same result.
#[test]
fn contacts_that_bounce_agree() {
    let material = Material {
        restitution: 0.6,
        ..Material::with_friction(0.3)
    };
    let model = sledge(material, None, 0.05);
    let found = compare(&model, &Settings::default(), 250, shake);
    assert!(found.alone > 0);
    agrees("bouncing", &found, 200);
}

/// Contact forces of the last step are read as those of a simulator.
#[test]
fn contact_forces_of_the_last_step_are_those_of_a_simulator() {
    let scene = scene("quadruped", &[("drop", 0.0), ("push", 0.0)]).unwrap();
    let model = scene.model;
    let settings = scene.settings;
    let mut batch = batch(&model, &settings);
    let drive = sway(&Control::new(&model));
    let mut simulator = Simulator::new(model.clone(), batch.settings().clone()).unwrap();
    let mut control = Control::new(&model);
    for _ in 0..40 {
        batch.step(10, &drive);
        for _ in 0..10 {
            drive(2, &simulator.state().clone(), &mut control);
            simulator.step(&control).unwrap();
        }
    }
    let world = &batch.worlds()[2];
    assert_eq!(world.span().alone, 0);
    let (found, expected) = (
        world.simulator().contact_forces(),
        simulator.contact_forces(),
    );
    assert_eq!(found.len(), expected.len());
    let weight: f64 = model.bodies().iter().map(|b| 9.81 * b.mass).sum();
    for (a, b) in found.iter().zip(&expected) {
        let apart = (a.impulse - b.impulse).norm();
        assert!(apart < 1e-6 * weight * settings.dt, "{apart:e}");
    }
}

/// A world has the same bits in any company, and goes on from a snapshot with them.
#[test]
fn contacts_have_the_same_bits_in_any_company_and_from_snapshots() {
    let model = sledge(Material::with_friction(0.4), Some([-0.05, 0.3]), 0.0);
    let settings = Settings::default();
    let mut together = batch(&model, &settings);
    let mut single = Batch::new(model.clone(), 1, settings.clone(), *together.limits()).unwrap();
    for _ in 0..60 {
        together.step(10, shake);
        single.step(10, |_, state, control| shake(3, state, control));
        let snapshots: Vec<_> = together.worlds().iter().map(World::snapshot).collect();
        together = batch(&model, &settings);
        for (world, snapshot) in together.worlds_mut().iter_mut().zip(&snapshots) {
            world.restore(snapshot).unwrap();
        }
    }
    let hashes: Vec<_> = together.worlds().iter().map(|w| w.state().hash()).collect();
    assert_eq!(hashes[3], single.worlds()[0].state().hash());
    assert!((0..WORLDS).all(|i| i == 3 || hashes[i] != hashes[3]));
}
