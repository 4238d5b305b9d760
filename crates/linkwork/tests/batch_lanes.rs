//! Worlds stepped four at a time agree with a [`Simulator`] of their own, whatever the mechanism, and tell of the last step what it tells.

mod mechanisms;
mod side_by_side;

use linkwork::batch::{Draw, Ranges, World};
use linkwork::joints::{Cylindrical, Gimbal, Planar, Universal};
use linkwork::math::Vec3;
use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::model::{Drive, JointDef, Model, ModelBuilder, Spring};
use linkwork::{Batch, BatchSettings, Control, Settings, Simulator, State};
use linkwork_scenes::scene;
use mechanisms::{
    Y, add_four_bar, at, chain, corners, four_bar, hinge, link, place, rssr, slider_crank,
};
use side_by_side::{Compared, WORLDS, apart, batch, compare, drive};
use std::sync::Arc;

fn spatial_loop_of_many_types() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let points = [
        Vec3::zeros(),
        Vec3::new(0.1, 0.2, 0.5),
        Vec3::new(0.6, 0.1, 0.8),
        Vec3::new(1.2, -0.1, 0.6),
        Vec3::new(1.4, 0.3, 0.1),
    ];
    let links: Vec<_> = (0..4)
        .map(|i| link(&mut b, &format!("link{i}"), points[i], points[i + 1]))
        .collect();
    hinge(
        &mut b,
        "A",
        None,
        links[0],
        points[0],
        Vec3::new(0.2, 1.0, 0.1),
    );
    let universal = JointDef::new("B", Universal, links[0], links[1]);
    b.add_joint(place(universal, points[1], Vec3::z()));
    let cylinder = JointDef::new("C", Cylindrical, links[1], links[2]);
    b.add_joint(place(cylinder, points[2], Vec3::x()));
    b.add_joint(place(
        JointDef::new("D", Gimbal, links[2], links[3]),
        points[3],
        Y,
    ));
    b.add_joint(place(
        JointDef::new("E", Planar, None, links[3]),
        points[4],
        Vec3::z(),
    ));
    b.build().unwrap()
}

/// A four-bar with everything that acts on coordinates and is an equation.
fn acted_upon() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let [pa, pb, pc, pd] = corners();
    let crank = link(&mut b, "crank", pa, pb);
    let coupler = link(&mut b, "coupler", pb, pc);
    let rocker = link(&mut b, "rocker", pc, pd);
    let tip = link(&mut b, "tip", pc, pc + at(0.2, 0.5));
    let at_hinge =
        |name: &str, base, follower, p| place(JointDef::revolute(name, base, follower), p, Y);
    b.add_joint(
        at_hinge("A", None, crank, pa)
            .drive(20.0, 2.0)
            .armature(0.05),
    );
    b.add_joint(at_hinge("B", Some(crank), coupler, pb).damping(0.1));
    b.add_joint(at_hinge("C", Some(coupler), rocker, pc).spring(8.0, 0.3, 0.05));
    b.add_joint(at_hinge("D", None, rocker, pd));
    b.add_joint(at_hinge("E", Some(coupler), tip, pc).spring(30.0, -0.2, 0.0));
    b.build().unwrap()
}

#[test]
fn lanes_agree_with_the_simulator() {
    let settings = Settings::default();
    let scene_of = |name: &str, set: &[(&str, f64)]| scene(name, set).unwrap().model;
    let mechanisms = [
        ("four-bar", four_bar()),
        ("slider-crank", slider_crank()),
        ("RSSR", rssr(false)),
        ("RSUR", rssr(true)),
        ("chain", chain(4)),
        ("many types", spatial_loop_of_many_types()),
        ("acted upon", acted_upon()),
        ("fourbar_fixed", scene_of("fourbar_fixed", &[])),
        ("coupled_fourbars", scene_of("coupled_fourbars", &[])),
        ("pendulum", scene_of("pendulum", &[])),
    ];
    for (name, model) in mechanisms {
        let found = compare(&model, &settings, 1000, |i, state, control| {
            drive(i, 0.5)(state, control);
        });
        let Compared {
            apart,
            twins,
            alone,
        } = found;
        println!("{name}: {apart:.1e} apart, twins {twins:.1e}, {alone} of 5000 steps alone");
        assert!(
            apart < 1e-9 || apart < 10.0 * twins,
            "{name}: {apart:e}, twins {twins:e}"
        );
        assert!(alone < 250, "{name}: {alone} steps by simulators");
    }
}

/// A pendulum in lanes keeps its energy, with velocities at the time of the poses.
#[test]
fn energy_is_kept() {
    let model = chain(3);
    let mut batch = batch(&model, &Settings::default());
    let start = |i: usize| {
        let mut state = model.initial_state();
        linkwork::assemble::set_joint_coordinates(
            &model,
            &mut state,
            linkwork::model::JointId(0),
            &[0.3 + 0.2 * i as f64],
        )
        .unwrap();
        state
    };
    for i in 0..WORLDS {
        batch.reset(i, start(i)).unwrap();
    }
    let energy = |state: &State| kinetic_energy(&model, state) + potential_energy(&model, state);
    for _ in 0..20 {
        batch.step(100, |_, _, _| ());
        for (i, world) in batch.worlds().iter().enumerate() {
            let now = world.simulator().synchronised(world.control()).unwrap();
            let swing = kinetic_energy(&model, &now).max(1.0);
            let drift = energy(&now) - energy(&start(i));
            assert!(drift.abs() < 1e-4 * swing, "world {i}: {drift:e}");
            assert_eq!(world.span().alone, 0);
        }
    }
}

/// Forces of the last step are read as those of a simulator, and reading changes no bit of what follows.
#[test]
fn the_last_step_is_told_as_by_a_simulator() {
    let model = acted_upon();
    let settings = Settings::default();
    let (mut read, mut unread) = (batch(&model, &settings), batch(&model, &settings));
    let mut simulator = Simulator::new(model.clone(), read.settings().clone()).unwrap();
    let mut control = Control::new(&model);
    for _ in 0..30 {
        for batch in [&mut read, &mut unread] {
            batch.step(7, |i, state, control| drive(i, 0.5)(state, control));
        }
        for _ in 0..7 {
            drive(3, 0.5)(&simulator.state().clone(), &mut control);
            simulator.step(&control).unwrap();
        }
        let world = &read.worlds()[3];
        assert_eq!(world.span().alone, 0);
        assert_eq!(world.simulator().state(), world.state());
        let (reactions, efforts) = world.simulator().joint_forces();
        let (expected, own) = simulator.joint_forces();
        assert_eq!(reactions.len(), expected.len());
        for (a, b) in reactions.iter().zip(&expected) {
            assert!((a.force - b.force).norm() < 1e-6 * (1.0 + b.force.norm()));
            assert!((a.torque - b.torque).norm() < 1e-6 * (1.0 + b.force.norm()));
        }
        for (a, b) in efforts.iter().zip(&own) {
            assert!((a.drive - b.drive).abs() < 1e-6 * (1.0 + b.drive.abs()));
            assert!((a.passive - b.passive).abs() < 1e-6 * (1.0 + b.passive.abs()));
        }
    }
    for (a, b) in read.worlds().iter().zip(unread.worlds()) {
        assert_eq!(a.state().hash(), b.state().hash());
    }
}

/// A world that the lanes hand to its simulator now and then has the same bits in any company.
#[test]
fn a_hard_world_has_the_same_bits_alone_and_in_company() {
    let model = four_bar();
    let settings = Settings::with(|s| s.dt = 5e-3);
    // World 2 is whipped around, so that some of its steps are halved.
    let push = |i: usize, state: &State, control: &mut Control| {
        let size = if i == 2 { 60.0 } else { 0.5 };
        control.forces[0] = size * (1.0 + (20.0 * state.time).sin());
    };
    let mut together = batch(&model, &settings);
    let mut single =
        Batch::new(model.clone(), 1, settings.clone(), BatchSettings::default()).unwrap();
    let mut alone = [0; WORLDS];
    for _ in 0..40 {
        together.step(10, push);
        single.step(10, |_, state, control| push(2, state, control));
        for (alone, world) in alone.iter_mut().zip(together.worlds()) {
            *alone += world.span().alone;
        }
    }
    println!("steps by simulators: {alone:?}");
    assert!(alone[2] > 0, "the test is for worlds that leave their lane");
    assert_eq!(
        together.worlds()[2].state().hash(),
        single.worlds()[0].state().hash()
    );
}

/// Controls that are held lead to the same bits as those that are set before every step, and a snapshot goes on with the same bits.
#[test]
fn bits_do_not_depend_on_calls_or_snapshots() {
    let model = acted_upon();
    let settings = Settings::default();
    let mut batches: Vec<_> = (0..3).map(|_| batch(&model, &settings)).collect();
    for batch in &mut batches {
        for (i, world) in batch.worlds_mut().iter_mut().enumerate() {
            world.drive(|state, control| drive(i, 0.5)(state, control));
        }
    }
    batches[0].hold(300);
    batches[1].step(300, |_, _, _| ());
    for _ in 0..60 {
        batches[2].hold(5);
        let snapshots: Vec<_> = batches[2].worlds().iter().map(World::snapshot).collect();
        batches[2] = batch(&model, &settings);
        for (world, snapshot) in batches[2].worlds_mut().iter_mut().zip(&snapshots) {
            let text = serde_json::to_string(snapshot).unwrap();
            world
                .restore(&serde_json::from_str(&text).unwrap())
                .unwrap();
        }
    }
    for i in 0..WORLDS {
        let hashes: Vec<_> = batches
            .iter()
            .map(|b| b.worlds()[i].state().hash())
            .collect();
        assert_eq!(hashes[0], hashes[1], "world {i}: held or set");
        assert_eq!(hashes[0], hashes[2], "world {i}: snapshots");
    }
}

/// Masses, gains and lengths of a world in lanes are those of its own model.
#[test]
fn variations_agree_with_simulators_of_their_models() {
    let model = acted_upon();
    let settings = Settings::default();
    let mut batch = batch(&model, &settings);
    let ranges = Ranges {
        masses: Some([0.7, 1.4]),
        gains: Some([0.5, 2.0]),
        lengths: Some([0.98, 1.02]),
        ..Ranges::default()
    };
    for i in 0..WORLDS {
        let draw = Draw {
            seed: 5,
            world: i as u64,
        };
        batch.vary(i, &draw.variation(&model, &ranges)).unwrap();
    }
    batch.step(500, |i, state, control| drive(i, 0.5)(state, control));
    for (i, world) in batch.worlds().iter().enumerate() {
        let own = world.model().clone();
        let mut simulator = Simulator::new(own.clone(), batch.settings().clone()).unwrap();
        let mut control = Control::new(&own);
        for _ in 0..500 {
            drive(i, 0.5)(&simulator.state().clone(), &mut control);
            simulator.step(&control).unwrap();
        }
        let apart = apart(world.state(), simulator.state());
        assert!(apart < 1e-9, "world {i}: {apart:e}");
        assert_eq!(world.span().alone, 0);
    }
}

/// A drive that meets its limit leaves the lanes, and goes on as a simulator does.
#[test]
fn drives_at_their_limit_agree_with_the_simulator() {
    let mut b = ModelBuilder::new();
    let crank = add_four_bar(&mut b, "", corners());
    let mut data = b.build().unwrap().data().clone();
    data.joints[crank.index()].axes[0].drive = Some(Drive {
        stiffness: 200.0,
        damping: 5.0,
        effort_limit: Some(15.0),
    });
    data.joints[crank.index()].axes[0].spring = Spring {
        damping: 0.2,
        ..Spring::default()
    };
    let model = data.build().unwrap();
    let Compared { apart, alone, .. } =
        compare(&model, &Settings::default(), 500, |i, state, control| {
            drive(i, 0.5)(state, control);
        });
    println!("{apart:.1e} apart, {alone} steps alone");
    assert!(apart < 1e-9, "{apart:e}");
    assert!(alone > 0 && alone < 1250, "{alone}");
}

/// Near gimbal lock the simulator takes back what springs gain (`rows/bent.rs`), which lanes do not.
#[test]
fn springs_on_gimbals_are_left_to_simulators() {
    let sprung = |stiffness: f64| {
        let mut b = ModelBuilder::new();
        let bob = link(&mut b, "bob", Vec3::zeros(), Vec3::new(0.3, 0.0, -0.4));
        let rings = JointDef::new("rings", Gimbal, None, bob);
        b.add_joint(rings.with(0, |a| a.spring.stiffness = stiffness));
        batch(&b.build().unwrap(), &Settings::default())
    };
    assert!(sprung(0.0).has_lanes() && !sprung(14.0).has_lanes());
}
