//! The same run gives the same bits: again, and on any number of threads.

use linkwork::scenes::scene;
use linkwork::{Control, Simulator};

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
