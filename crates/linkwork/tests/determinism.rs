//! The same run gives the same bits: again, and on any number of threads.

use linkwork::math::MassProperties;
use linkwork::model::*;
use linkwork::{Control, Settings, Simulator};
use linkwork_scenes::scene;
use std::sync::Arc;

/// Hashes of the state every 0.1 s.
fn hashes(name: &str, set: &[(&str, f64)], time: f64, threads: usize) -> Vec<u64> {
    let mut scene = scene(name, set).unwrap();
    scene.settings.threads = threads;
    let dt = scene.settings.dt;
    let model = scene.model;
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let mut control = Control::new(&model);
    let mut hashes = vec![simulator.state().hash()];
    let every = (0.1 / dt).round() as usize;
    for i in 1..=(time / dt).round() as usize {
        if let Some(script) = &mut scene.script {
            script(&model, simulator.state(), &mut control);
        }
        simulator.step(&control).unwrap();
        if i % every == 0 {
            hashes.push(simulator.state().hash());
        }
    }
    hashes
}

fn assert_same_bits(name: &str, set: &[(&str, f64)], time: f64) {
    let first = hashes(name, set, time, 1);
    assert_ne!(first.first(), first.last(), "{name} does not move");
    assert_eq!(first, hashes(name, set, time, 1), "{name} run again");
    assert_eq!(first, hashes(name, set, time, 2), "{name} on two threads");
}

#[test]
fn fourbar_fixed_gives_the_same_bits_again_and_on_two_threads() {
    assert_same_bits("fourbar_fixed", &[], 2.0);
    assert_same_bits("fourbar_fixed", &[("drive", 1.0)], 2.0);
}

#[test]
fn fourbar_on_the_floor_gives_the_same_bits_again_and_on_two_threads() {
    assert_same_bits("fourbar_free", &[], 0.4);
}

#[test]
fn clutter_gives_the_same_bits_again_and_on_two_threads() {
    assert_same_bits("clutter", &[("n", 40.0)], 1.0);
}

/// Dumb-bells of two balls on a hinge, dropped on each other.
fn dumb_bells() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    for k in 0..80 {
        let at = |n: usize| 0.21 * n as f64;
        let (x, y, z) = (2.1 * at(k % 4), at(k / 4 % 10), 0.15 + at(k / 40));
        let balls = [0.0, 0.2].map(|along| {
            let mass = MassProperties::solid_sphere(0.5, 0.1);
            let name = format!("ball {k} at {along}");
            let ball = b.add_body(BodyDef::new(name, mass).at(x + along, y, z));
            b.add_shape(ball, ShapeDef::new(Geometry::Sphere { radius: 0.1 }));
            ball
        });
        let hinge = JointDef::revolute(format!("hinge {k}"), balls[0], balls[1]);
        b.add_joint(hinge.anchor(x + 0.1, y, z).axis(0.0, 1.0, 0.0));
    }
    b.build().unwrap()
}

/// Pairs of shapes from which detection is spread over threads (`PARALLEL_PAIRS` in `collision/world.rs`). Two balls,
/// or a ball and the floor, touch in one point: there are no fewer pairs than contacts.
const PARALLEL_PAIRS: usize = 64;

/// With joints, contacts and enough pairs that the threads have something to do.
#[test]
fn joints_and_contacts_give_the_same_bits_on_any_number_of_threads() {
    let model = dumb_bells();
    let mut first = None;
    for threads in [1, 2, 3, 8] {
        let settings = Settings {
            threads,
            dt: 2e-3,
            ..Settings::default()
        };
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let control = Control::new(&model);
        let mut steps = Vec::new();
        let mut most = 0;
        for _ in 0..200 {
            most = simulator.step(&control).unwrap().contacts.max(most);
            steps.push(simulator.state().hash());
        }
        assert!(most >= PARALLEL_PAIRS, "{most} contacts");
        let first = first.get_or_insert_with(|| steps.clone());
        assert_eq!(*first, steps, "{threads} threads");
    }
}

/// While it falls, a heap is many islands, which threads share.
#[test]
fn a_falling_heap_gives_the_same_bits_on_any_number_of_threads() {
    let set = [("n", 160.0)];
    let first = hashes("heap", &set, 0.9, 1);
    for threads in [2, 3, 8] {
        assert_eq!(
            first,
            hashes("heap", &set, 0.9, threads),
            "{threads} threads"
        );
    }
}

#[test]
fn stack_gives_the_same_bits_again_and_on_two_threads() {
    assert_same_bits("stack", &[], 0.1);
}

#[test]
fn a_simulator_set_back_to_its_start_repeats_itself() {
    for name in ["fourbar_fixed", "fourbar_free", "ball"] {
        let scene = scene(name, &[]).unwrap();
        let model = scene.model;
        let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
        let control = Control::new(&model);
        let mut run = || {
            simulator.set_state(model.initial_state()).unwrap();
            for _ in 0..700 {
                simulator.step(&control).unwrap();
            }
            simulator.state().hash()
        };
        assert_eq!(run(), run(), "{name}");
    }
}
