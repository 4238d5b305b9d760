//! Many worlds: the bits of a world follow from its model, state and controls alone, one that diverges is set aside, and
//! variations are those of a model built that way.

use linkwork::batch::{Divergence, Draw, Ranges, Snapshot, Variation};
use linkwork::math::Vec3;
use linkwork::{Batch, BatchSettings, Control, Settings, Simulator, State};
use linkwork_scenes::scene;

fn limits(threads: usize) -> BatchSettings {
    BatchSettings::with(|s| s.threads = threads)
}

/// A drive for every world: targets that depend on its index and on time.
fn drive(number: usize) -> impl Fn(&State, &mut Control) {
    move |state, control| {
        let phase = number as f64 + 5.0 * state.time;
        for (i, force) in control.forces.iter_mut().enumerate() {
            *force = 0.3 * (phase + i as f64).sin();
        }
    }
}

/// State hashes by number after `steps` steps, of worlds in the order `numbers`.
fn hashes(name: &str, numbers: &[usize], threads: usize, steps: u32) -> Vec<u64> {
    let scene = scene(name, &[]).unwrap();
    let n = numbers.len();
    let mut batch = Batch::new(scene.model.clone(), n, scene.settings, limits(threads)).unwrap();
    let ranges = Ranges {
        masses: Some([0.8, 1.2]),
        friction: Some([0.5, 1.5]),
        gains: Some([0.9, 1.1]),
        lengths: Some([0.99, 1.01]),
    };
    for (i, &number) in numbers.iter().enumerate() {
        let draw = Draw {
            seed: 7,
            world: number as u64,
        };
        let variation = draw.variation(&scene.model, &ranges);
        batch.vary(i, &variation).unwrap();
    }
    // In calls that threads share slice by slice.
    for _ in 0..steps / 20 {
        batch.step(20, |i, state, control| drive(numbers[i])(state, control));
    }
    assert!(batch.worlds().iter().all(|w| w.set_aside().is_none()));
    let mut found: Vec<_> = numbers
        .iter()
        .zip(batch.worlds())
        .map(|(number, w)| (*number, w.state().hash()))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, hash)| hash).collect()
}

#[test]
fn bits_do_not_depend_on_threads_nor_on_the_place_of_a_world() {
    for (name, steps) in [("fourbar_fixed", 200), ("quadruped", 300)] {
        // A group and a part of one.
        let forward: Vec<usize> = (0..11).collect();
        let backward: Vec<usize> = (0..11).rev().collect();
        let first = hashes(name, &forward, 1, steps);
        assert_eq!(first.len(), 11);
        let distinct: std::collections::BTreeSet<_> = first.iter().collect();
        assert_eq!(distinct.len(), 11, "{name}: worlds differ");
        for threads in [2, 3, 8] {
            assert_eq!(
                first,
                hashes(name, &forward, threads, steps),
                "{name} {threads}"
            );
        }
        assert_eq!(first, hashes(name, &backward, 2, steps), "{name} backward");
        // Alone, and among others.
        assert_eq!(first[3], hashes(name, &[3], 1, steps)[0], "{name} alone");
    }
}

/// With the same bits, where worlds are not stepped in lanes; for those that are see `batch_lanes.rs`.
#[test]
fn a_world_is_a_simulator() {
    // Its couplings are rows that lanes do not have.
    let scene = scene("gear_train", &[]).unwrap();
    let model = scene.model;
    let mut batch = Batch::new(model.clone(), 3, Settings::default(), limits(2)).unwrap();
    assert!(!batch.has_lanes());
    let settings = batch.settings().clone();
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let mut control = Control::new(&model);
    for _ in 0..300 {
        drive(1)(&simulator.state().clone(), &mut control);
        simulator.step(&control).unwrap();
    }
    batch.step(300, |i, state, control| drive(i)(state, control));
    assert_eq!(batch.worlds()[1].state(), simulator.state());
    assert_eq!(batch.worlds()[1].steps(), 300);
    assert_eq!(batch.worlds()[1].span().failed, 0);
    assert!(batch.worlds()[1].span().closure_linear < 1e-9);
}

#[test]
fn worlds_share_the_plan_of_the_model() {
    let scene = scene("fourbar_fixed", &[]).unwrap();
    let mut batch = Batch::new(scene.model.clone(), 4, scene.settings, limits(1)).unwrap();
    for i in 0..4 {
        let variation = Variation {
            masses: vec![1.0 + 0.1 * i as f64; 4],
            ..Variation::default()
        };
        batch.vary(i, &variation).unwrap();
    }
    batch.step(3, |_, _, _| ());
    assert_eq!(scene.model.plans().len(), 1);
    for world in batch.worlds() {
        let plans = world.simulator().model().plans();
        assert!(std::sync::Arc::ptr_eq(plans, scene.model.plans()));
    }
}

#[test]
fn a_world_that_diverges_is_set_aside_and_the_others_go_on_with_the_same_bits() {
    let scene = || scene("fourbar_fixed", &[]).unwrap();
    let run = |bad: Option<usize>| {
        let mut batch = Batch::new(scene().model, 4, scene().settings, limits(2)).unwrap();
        batch.step(50, |i, state, control| {
            drive(i)(state, control);
            if Some(i) == bad && state.time > 0.02 {
                control.forces[1] = f64::NAN;
            }
        });
        batch
    };
    let (healthy, mut sick) = (run(None), run(Some(2)));
    for i in [0, 1, 3] {
        assert_eq!(healthy.worlds()[i].state(), sick.worlds()[i].state());
        assert!(sick.worlds()[i].set_aside().is_none());
    }
    let world = &sick.worlds()[2];
    let said = world.set_aside().expect("set aside").to_string();
    assert!(said.contains("forces") && said.contains("finite"), "{said}");
    assert!(world.state().is_finite() && world.steps() < 50);
    // It stays so in a snapshot.
    let snapshot = world.snapshot();
    let mut again = run(None);
    again.world_mut(2).unwrap().restore(&snapshot).unwrap();
    assert_eq!(again.worlds()[2].set_aside().unwrap().to_string(), said);
    // It stays as it is until it is reset, and then moves as any other.
    let left = world.state().clone();
    sick.step(10, |_, _, _| ());
    assert_eq!(*sick.worlds()[2].state(), left);
    let start = sick.model().initial_state();
    for i in [1, 2] {
        sick.reset(i, start.clone()).unwrap();
    }
    sick.step(20, |_, _, _| ());
    assert!(sick.worlds()[2].set_aside().is_none());
    assert_eq!(sick.worlds()[1].state(), sick.worlds()[2].state());
}

#[test]
fn a_world_that_runs_away_is_set_aside() {
    let scene = scene("free_body", &[]).unwrap();
    let mut settings = limits(1);
    settings.max_speed = 50.0;
    let mut batch = Batch::new(scene.model, 2, scene.settings, settings).unwrap();
    batch.step(2000, |i, _, control| {
        control.wrenches[0].force = Vec3::new(100.0 * i as f64, 0.0, 0.0);
    });
    assert!(batch.worlds()[0].set_aside().is_none());
    let found = batch.worlds()[1].set_aside();
    assert!(
        matches!(found, Some(Divergence::Runaway { speed, .. }) if *speed > 50.0),
        "{found:?}"
    );
}

#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    let scene = scene("quadruped", &[]).unwrap();
    let mut batch = Batch::new(scene.model, 2, scene.settings, limits(1)).unwrap();
    batch.step(300, |i, state, control| drive(i)(state, control));
    let text = serde_json::to_string(&batch.worlds()[1].snapshot()).unwrap();
    batch.step(200, |i, state, control| drive(i)(state, control));
    let snapshot: Snapshot = serde_json::from_str(&text).unwrap();
    batch.world_mut(0).unwrap().restore(&snapshot).unwrap();
    assert_eq!(batch.worlds()[0].steps(), 300);
    batch.step(200, |i, state, control| {
        if i == 0 {
            drive(1)(state, control);
        }
    });
    let mut again = Batch::new(
        batch.model().clone(),
        1,
        batch.settings().clone(),
        limits(1),
    )
    .unwrap();
    again.step(500, |_, state, control| drive(1)(state, control));
    assert_eq!(again.worlds()[0].state(), batch.worlds()[0].state());
}

/// Lengths that are drawn apart still close, and a pendulum twice as long swings √2 as slowly.
#[test]
fn lengths_scale_a_pendulum() {
    let scene = scene("pendulum", &[("n", 1.0), ("angle", 0.02)]).unwrap();
    let settings = scene.settings;
    let period = |length: f64| {
        let variation = Variation {
            lengths: vec![length],
            ..Variation::default()
        };
        let mut batch = Batch::new(scene.model.clone(), 1, settings.clone(), limits(1)).unwrap();
        batch.vary(0, &variation).unwrap();
        let mut crossings = Vec::new();
        // The coordinate is 0 at the start; the bar hangs down at the angle of release.
        let mut last = -0.02;
        for _ in 0..20_000 {
            batch.step(1, |_, _, _| ());
            let state = batch.worlds()[0].state();
            let q = state.coordinates[0].abs() - 0.02;
            if last < 0.0 && q >= 0.0 {
                let dt = settings.dt;
                crossings.push(state.time - dt * q / (q - last));
            }
            last = q;
            if crossings.len() == 3 {
                break;
            }
        }
        (crossings[2] - crossings[0]) / 2.0
    };
    let ratio = period(2.0) / period(1.0);
    assert!((ratio - 2.0_f64.sqrt()).abs() < 1e-4, "{ratio}");
}

#[test]
fn bad_variations_and_sizes_are_refused_with_a_remedy() {
    let scene = || scene("fourbar_fixed", &[]).unwrap();
    let refused = |variation: Variation| {
        let mut batch = Batch::new(scene().model, 1, scene().settings, limits(1)).unwrap();
        batch.vary(0, &variation).expect_err("refused").to_string()
    };
    let masses = |list: &[f64]| Variation {
        masses: list.to_vec(),
        ..Variation::default()
    };
    assert!(refused(masses(&[1.0])).contains("needs 4"));
    assert!(refused(masses(&[1.0, 0.0, 1.0, 1.0])).contains("positive"));
    assert!(refused(masses(&[1.0, f64::NAN, 1.0, 1.0])).contains("masses[1]"));
    let lengths = Variation {
        lengths: vec![1.0, 9.0, 1.0, 1.0],
        ..Variation::default()
    };
    assert!(refused(lengths).contains("nearer to 1"));
    let made = |n, limits| {
        Batch::new(scene().model, n, scene().settings, limits)
            .err()
            .map(|e| e.to_string())
    };
    assert!(made(0, limits(1)).unwrap().contains("0 worlds"));
    assert!(made(1, limits(0)).unwrap().contains("threads"));
    let mut batch = Batch::new(scene().model, 2, scene().settings, limits(1)).unwrap();
    let state = batch.model().initial_state();
    assert!(
        batch
            .reset(2, state)
            .unwrap_err()
            .to_string()
            .contains("no world 2")
    );
}

/// A step of a world costs at most 2^(n+1) − 1 solves of bounded length.
#[test]
fn work_is_bounded() {
    let scene = scene("fourbar_fixed", &[]).unwrap();
    let batch = Batch::new(scene.model, 1, scene.settings, BatchSettings::default()).unwrap();
    let settings = batch.settings();
    assert_eq!(
        settings.failure,
        linkwork::FailurePolicy::Substep { depth: 3 }
    );
    assert_eq!(settings.solve.max_iterations, 300);
}

/// A step that has few iterations for all its halves, closure passes and rounds ends; several in a row are the end of the world, and of no other.
#[test]
fn a_hard_world_costs_a_bounded_number_of_iterations_and_is_set_aside() {
    let scene = scene("quadruped", &[("drop", 0.0), ("push", 0.0)]).unwrap();
    let few = BatchSettings::with(|s| {
        s.max_speed = f64::INFINITY;
        s.iterations = 5;
    });
    let mut batch = Batch::new(scene.model.clone(), 2, scene.settings, few).unwrap();
    let throw = |i: usize, _: &State, control: &mut Control| {
        for (c, force) in control.forces.iter_mut().enumerate() {
            *force = if i == 1 {
                1e4 * (c as f64 * 2.3).sin()
            } else {
                0.0
            };
        }
    };
    let mut snapshots = Vec::new();
    for _ in 0..200 {
        batch.step(1, throw);
        snapshots.push(batch.worlds()[1].snapshot());
    }
    let world = &batch.worlds()[1];
    assert!(
        matches!(world.set_aside(), Some(Divergence::Hard { steps: 10, .. })),
        "{:?} after {} steps",
        world.set_aside(),
        world.steps()
    );
    assert_eq!(
        (batch.worlds()[0].steps(), batch.worlds()[0].span().failed),
        (200, 0)
    );
    // What is left belongs to what a world goes on from.
    let (last, state) = (world.steps() as usize, world.state().clone());
    let before = &snapshots[last - 6];
    assert!(before.strained > 0 && before.aside.is_none());
    batch.world_mut(0).unwrap().restore(before).unwrap();
    batch.step(100, |_, state, control| throw(1, state, control));
    assert_eq!(batch.worlds()[0].state(), &state);
    batch.reset(1, scene.model.initial_state()).unwrap();
    batch.step(5, |_, _, _| ());
    assert!(batch.worlds()[1].set_aside().is_none());
}

#[test]
fn calls_may_be_ended_between_steps_and_bits_do_not_depend_on_it() {
    for name in ["fourbar_fixed", "quadruped", "walker31"] {
        let scene = scene(name, &[]).unwrap();
        let make =
            || Batch::new(scene.model.clone(), 9, scene.settings.clone(), limits(2)).unwrap();
        let (mut whole, mut ended) = (make(), make());
        let act = |i: usize, state: &State, control: &mut Control| drive(i)(state, control);
        whole.step(60, act);
        let mut done = 0;
        while done < 60 {
            let mut asked = 0;
            let taken = ended.step_while(60 - done, Some(&act), || {
                asked += 1;
                asked < 2
            });
            assert!(taken >= 1 && ended.worlds().iter().all(|w| w.span().steps == taken));
            done += taken;
        }
        for (a, b) in whole.worlds().iter().zip(ended.worlds()) {
            assert_eq!(a.state().hash(), b.state().hash(), "{name}");
            assert_eq!((a.steps(), b.steps()), (60, 60));
        }
        assert_eq!(whole.worlds()[0].span().steps, 60);
    }
}

#[test]
fn what_simulators_tell_is_gathered_on_all_threads() {
    let scene = scene("fourbar_fixed", &[]).unwrap();
    for threads in [1, 3] {
        let mut batch = Batch::new(
            scene.model.clone(),
            11,
            scene.settings.clone(),
            limits(threads),
        )
        .unwrap();
        batch.step(20, |i, state, control| drive(i)(state, control));
        let mut found = vec![0.0; 22];
        batch.gather(2, &mut found, |world, out| {
            let force = world.simulator().joint_reactions()[0].force;
            out.copy_from_slice(&[force.x, world.state().coordinates[0]]);
        });
        for (world, found) in batch.worlds().iter().zip(found.chunks(2)) {
            let force = world.simulator().joint_reactions()[0].force;
            assert_eq!(found, [force.x, world.state().coordinates[0]]);
        }
    }
}
