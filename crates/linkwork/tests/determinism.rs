//! The same run gives the same bits: again, and on any number of threads.

use linkwork::math::MassProperties;
use linkwork::model::*;
use linkwork::rows::RowSource;
use linkwork::{Control, Settings, Simulator};
use linkwork_scenes::scene;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Hashes of the state every 0.1 s, and the most pairs of shapes that touched at once.
fn hashes(name: &str, set: &[(&str, f64)], time: f64, threads: usize) -> (Vec<u64>, usize) {
    let mut scene = scene(name, set).unwrap();
    scene.settings.threads = threads;
    let dt = scene.settings.dt;
    let model = scene.model;
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let mut control = Control::new(&model);
    let mut hashes = vec![simulator.state().hash()];
    let mut most = 0;
    let every = (0.1 / dt).round() as usize;
    for i in 1..=(time / dt).round() as usize {
        if let Some(script) = &mut scene.script {
            script(&model, simulator.state(), &mut control);
        }
        simulator.step(&control).unwrap();
        most = touching(&simulator).max(most);
        if i % every == 0 {
            hashes.push(simulator.state().hash());
        }
    }
    assert_ne!(hashes.first(), hashes.last(), "{name} does not move");
    (hashes, most)
}

/// Pairs of shapes with contacts in the last step.
fn touching(simulator: &Simulator) -> usize {
    let pairs = simulator.row_sources().iter().filter_map(|s| match s {
        RowSource::Contact(key) => Some((key.shape_a, key.shape_b)),
        _ => None,
    });
    pairs.collect::<BTreeSet<_>>().len()
}

/// Scenes too small for threads: a run has the bits of the one before.
#[test]
fn small_scenes_give_the_same_bits_again() {
    for (name, set, time) in [
        ("fourbar_fixed", &[][..], 2.0),
        ("fourbar_fixed", &[("drive", 1.0)], 2.0),
        ("fourbar_free", &[], 0.4),
        ("stack", &[], 0.1),
    ] {
        let [first, again] = [(); 2].map(|()| hashes(name, set, time, 1).0);
        assert_eq!(first, again, "{name} run again");
    }
}

/// Scenes with so many pairs that detection is spread over threads; while it falls, a heap is many islands, which threads share, too.
#[test]
fn large_scenes_give_the_same_bits_on_any_number_of_threads() {
    for (name, n, time) in [("clutter", 40.0, 1.0), ("heap", 160.0, 0.9)] {
        let set = [("n", n)];
        let (first, most) = hashes(name, &set, time, 1);
        assert!(most >= PARALLEL_PAIRS, "{name}: {most} pairs");
        for threads in [1, 2, 3, 8] {
            let (again, _) = hashes(name, &set, time, threads);
            assert_eq!(first, again, "{name} on {threads} threads");
        }
    }
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

/// Pairs of shapes from which detection is spread over threads (`PARALLEL_PAIRS` in `collision/world.rs`).
const PARALLEL_PAIRS: usize = 64;

/// With joints, contacts and enough pairs that the threads have something to do.
#[test]
fn joints_and_contacts_give_the_same_bits_on_any_number_of_threads() {
    let model = dumb_bells();
    let mut first = None;
    for threads in [1, 2, 3, 8] {
        let settings = Settings::with(|s| {
            s.threads = threads;
            s.dt = 2e-3;
        });
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let control = Control::new(&model);
        let mut steps = Vec::new();
        let mut most = 0;
        for _ in 0..200 {
            simulator.step(&control).unwrap();
            most = touching(&simulator).max(most);
            steps.push(simulator.state().hash());
        }
        assert!(most >= PARALLEL_PAIRS, "{most} pairs");
        let first = first.get_or_insert_with(|| steps.clone());
        assert_eq!(*first, steps, "{threads} threads");
    }
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
