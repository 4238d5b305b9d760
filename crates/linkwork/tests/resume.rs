//! Runs resumed from a checkpoint continue with the bits of the uninterrupted run.

use linkwork::Scene;
use linkwork::model::ModelData;
use linkwork::{Checkpoint, FailurePolicy, FirstKick, Run, Settings, Simulator};
use linkwork_scenes::scene;
use linkwork_solve::all_solvers;

/// Runs `before` steps, saves as text, continues for `after` steps here and from the text, comparing bits.
fn compare(
    name: &str,
    set: &[(&str, f64)],
    change: impl Fn(&mut Settings),
    (before, after): (u64, u64),
) {
    let build = || -> Scene {
        let mut scene = scene(name, set).unwrap();
        change(&mut scene.settings);
        scene
    };
    let mut run = Run::of(build()).unwrap();
    for _ in 0..before {
        run.step().unwrap();
    }
    let text = serde_json::to_string(&run.checkpoint()).unwrap();
    let model = serde_json::to_string(run.simulator().model().data()).unwrap();

    let model: ModelData = serde_json::from_str(&model).unwrap();
    let saved: Checkpoint = serde_json::from_str(&text).unwrap();
    assert_eq!(saved, run.checkpoint(), "{name}: as it was");
    let mut again = Run::resume(model.build().unwrap(), &saved, build().script).unwrap();
    let (mut contacts, mut moved) = (0, false);
    for step in 0..after {
        let (a, b) = (run.step().unwrap(), again.step().unwrap());
        let (x, y) = (run.simulator().state(), again.simulator().state());
        assert_eq!(
            x.hash(),
            y.hash(),
            "{name}: step {step} after the checkpoint"
        );
        assert_eq!(
            (a.iterations, a.residuals),
            (b.iterations, b.residuals),
            "{name}"
        );
        contacts += a.contacts;
        moved |= x.twists.iter().any(|t| t.linear.norm() > 1e-3);
    }
    assert!(moved, "{name}: nothing moves, nothing is tested");
    let touching = [
        "nunchuk",
        "fourbar_free",
        "stack",
        "clutter",
        "ball",
        "boxes_fixed",
    ];
    assert_eq!(contacts > 0, touching.contains(&name), "{name}");
}

#[test]
fn a_thousand_steps_after_a_checkpoint_have_the_same_bits() {
    let same = |_: &mut Settings| {};
    for (name, before) in [
        ("fourbar_free", 300),
        ("fourbar_fixed", 1234),
        ("nunchuk", 700),
        ("slider_crank", 1000),
        ("coupled_fourbars", 500),
        ("gear_train", 1000),
        ("spinning_top", 500),
    ] {
        compare(name, &[], same, (before, 1000));
    }
}

/// One uninterrupted run, and runs taken up from checkpoints of it at twenty random times.
#[test]
fn a_run_restored_at_twenty_random_times_has_the_same_bits_for_a_thousand_steps() {
    for (name, set) in [
        ("nunchuk", &[][..]),
        ("fourbar_free", &[]),
        ("humanoid20", &[]),
        ("clutter", &[("n", 8.0)]),
    ] {
        let mut seed = 3_u64;
        let mut times: Vec<usize> = (0..20)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 33) as usize % 1500
            })
            .collect();
        times.sort_unstable();
        let mut run = Run::of(scene(name, set).unwrap()).unwrap();
        let (mut hashes, mut saved) = (Vec::new(), Vec::new());
        for step in 0..times[19] + 1000 {
            for _ in times.iter().filter(|t| **t == step) {
                saved.push((step, serde_json::to_string(&run.checkpoint()).unwrap()));
            }
            run.step().unwrap();
            hashes.push(run.simulator().state().hash());
        }
        assert_eq!(saved.len(), 20);
        for (step, text) in &saved {
            let checkpoint: Checkpoint = serde_json::from_str(text).unwrap();
            let again = scene(name, set).unwrap();
            let mut again = Run::resume(again.model, &checkpoint, again.script).unwrap();
            for (k, hash) in hashes[*step..*step + 1000].iter().enumerate() {
                again.step().unwrap();
                let same = again.simulator().state().hash() == *hash;
                assert!(same, "{name}: {k} steps after the checkpoint at {step}");
            }
        }
    }
}

#[test]
fn a_heap_goes_on_with_the_same_bits() {
    compare("clutter", &[("n", 30.0)], |_| {}, (60, 1000));
}

#[test]
fn a_checkpoint_before_the_first_step_and_one_after_half_a_kick() {
    let half = |s: &mut Settings| s.first_kick = FirstKick::Half;
    compare("fourbar_fixed", &[], half, (0, 100));
    compare("fourbar_fixed", &[], half, (1, 100));
}

#[test]
fn every_solver_goes_on_with_the_same_bits() {
    for entry in all_solvers() {
        // Most solvers fail in most steps, at any step size: no step is repeated for them.
        let solver = |s: &mut Settings| {
            entry.name.clone_into(&mut s.solver);
            s.failure = FailurePolicy::Accept;
        };
        let mut scene = scene("nunchuk", &[]).unwrap();
        solver(&mut scene.settings);
        let mut run = Run::of(scene).unwrap();
        // Some solvers do not support the joints or the contacts of this mechanism, and report it.
        if (0..740).any(|_| run.step().is_err()) {
            continue;
        }
        compare("nunchuk", &[], solver, (700, 40));
    }
}

#[test]
fn another_model_or_a_damaged_checkpoint_is_refused() {
    let run = Run::of(scene("fourbar_free", &[]).unwrap()).unwrap();
    let model = run.simulator().model().clone();
    let refused = |change: &dyn Fn(&mut Checkpoint)| {
        let mut checkpoint = run.checkpoint();
        change(&mut checkpoint);
        let resumed = Simulator::resume(model.clone(), &checkpoint);
        resumed.err().unwrap().to_string()
    };
    let other = scene("fourbar_fixed", &[]).unwrap().model;
    let error = Simulator::resume(other, &run.checkpoint()).err().unwrap();
    assert!(error.to_string().contains("another model"), "{error}");
    assert!(refused(&|c| c.state.poses.truncate(1)).contains("poses"));
    assert!(refused(&|c| c.control.targets.clear()).contains("targets"));
    assert!(refused(&|c| c.settings.dt = 0.0).contains("dt"));
    assert!(refused(&|c| c.settings.solver = "none".to_owned()).contains("none"));
    assert!(refused(&|c| c.state.twists[0].linear.x = f64::NAN).contains("finite"));
    assert!(refused(&|c| c.memory.hidden = vec![vec![f64::NAN]]).contains("finite"));
}

/// Files of earlier versions lack newer data. Runs continue from them to within tolerances: with the mid-step
/// velocities of the last step, not as if they were initial velocities.
#[test]
fn checkpoints_of_earlier_versions_can_be_taken_up() {
    let mut run = Run::of(scene("fourbar_fixed", &[]).unwrap()).unwrap();
    for _ in 0..300 {
        run.step().unwrap();
    }
    let now = serde_json::to_value(run.checkpoint()).unwrap();
    let mut without_books = now.clone();
    let memory = without_books["memory"].as_object_mut().unwrap();
    let dt = memory.remove("last_dt").unwrap();
    memory.remove("energy").unwrap();
    memory.insert("started".into(), true.into());
    let closure = without_books["settings"]["closure"].as_object_mut();
    closure.unwrap().remove("energy").unwrap();
    let mut with_biases = without_books.clone();
    let memory = with_biases["memory"].as_object_mut().unwrap();
    memory.remove("hidden").unwrap();
    memory.remove("hidden_dt").unwrap();
    memory.insert("biases".into(), serde_json::json!([[0.0], [0.0]]));
    memory.insert("biases_dt".into(), dt);
    let model = run.simulator().model().clone();
    for _ in 0..100 {
        run.step().unwrap();
    }
    for old in [without_books, with_biases] {
        let saved: Checkpoint = serde_json::from_value(old).unwrap();
        assert_eq!(saved.settings, *run.simulator().settings());
        let mut again = Run::resume(model.clone(), &saved, None).unwrap();
        for _ in 0..100 {
            again.step().unwrap();
        }
        let (x, y) = (run.simulator().state(), again.simulator().state());
        for (x, y) in x.poses.iter().zip(&y.poses) {
            let apart = (x.position - y.position).norm();
            assert!(apart < 1e-8, "{apart}");
        }
    }
}
