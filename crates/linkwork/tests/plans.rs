//! Elimination orders are found once a model, and solvers that work on reduced problems use them too.

use linkwork::model::Model;
use linkwork::{Control, Settings, Simulator};
use linkwork_scenes::scene;
use linkwork_solve::Status;
use std::sync::Arc;

/// Hash of the state after `steps` steps, and how many of them converged.
fn run(model: &Arc<Model>, settings: &Settings, steps: usize) -> (u64, usize) {
    let mut simulator = Simulator::new(model.clone(), settings.clone()).unwrap();
    let control = Control::new(model);
    let mut converged = 0;
    for _ in 0..steps {
        let report = simulator.step(&control).unwrap();
        converged += usize::from(report.status == Status::Converged);
    }
    (simulator.state().hash(), converged)
}

#[test]
fn simulators_of_a_model_share_their_plans() {
    let scene = scene("humanoid20", &[]).unwrap();
    assert!(scene.model.plans().is_empty());
    let first = run(&scene.model, &scene.settings, 50);
    let plans = scene.model.plans().len();
    assert!(plans > 0);
    let copy = Arc::new(Model::clone(&scene.model));
    assert_eq!(run(&copy, &scene.settings, 50), first);
    assert_eq!(scene.model.plans().len(), plans);
    // A model of its own, with plans of its own.
    let alone = scene.model.data().clone().build().unwrap();
    assert!(alone.plans().is_empty());
    assert_eq!(run(&alone, &scene.settings, 50), first);
}

#[test]
fn sweeps_stand_on_two_feet_once_joints_are_eliminated() {
    let mut scene = scene("humanoid20", &[]).unwrap();
    scene.settings.solver = "nbgs".to_owned();
    scene.settings.reduced = true;
    assert_eq!(run(&scene.model, &scene.settings, 50).1, 50);
}

#[test]
fn settings_from_before_there_was_a_choice_are_not_reduced() {
    let mut json = serde_json::to_value(Settings::default()).unwrap();
    json.as_object_mut().unwrap().remove("reduced").unwrap();
    let settings: Settings = serde_json::from_value(json).unwrap();
    assert_eq!(settings, Settings::default());
}
