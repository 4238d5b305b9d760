//! Runs a scene that `bench/peers` wrote (JSON on standard input) in Rapier, and tells steps a CPU second of every run,
//! poses at some steps, and how far joints came apart (JSON on standard output).

mod scene;
mod world;

use scene::{Answer, Scene};
use std::io::Read;
use world::World;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("a scene");
    let scene: Scene = serde_json::from_str(&text).expect("a scene");
    let rates = (0..scene.repeats).map(|_| rate(&scene)).collect();
    let (poses, closure_m) = watched(&scene);
    let answer = Answer {
        rates,
        poses,
        closure_m,
    };
    println!("{}", serde_json::to_string(&answer).expect("numbers"));
}

/// Steps a CPU second.
fn rate(scene: &Scene) -> f64 {
    let mut world = World::new(scene);
    let start = cpu_s();
    for _ in 0..scene.steps {
        world.step();
    }
    scene.steps as f64 / (cpu_s() - start)
}

/// Poses after the steps that are asked for, and the widest gap of a joint after any step, m.
fn watched(scene: &Scene) -> (Vec<Vec<[f64; 7]>>, f64) {
    let mut world = World::new(scene);
    let (mut poses, mut closure_m) = (Vec::new(), 0.0f64);
    for step in 1..=scene.steps {
        world.step();
        closure_m = closure_m.max(world.gap(scene));
        if scene.samples.contains(&step) {
            poses.push(world.poses());
        }
    }
    (poses, closure_m)
}

/// Processor time of this thread, s.
fn cpu_s() -> f64 {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let ns = text
        .split_whitespace()
        .next()
        .and_then(|n| n.parse::<f64>().ok());
    1e-9 * ns.expect("nanoseconds")
}
