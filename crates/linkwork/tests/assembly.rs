//! Assembly from perturbed and far guesses, on the right branch or with a clear refusal.

mod mechanisms;

use linkwork::State;
use linkwork::assemble::*;
use linkwork::math::{MassProperties, Pose, Vec3, exp};
use linkwork::model::{BodyDef, JointDef, JointId, Model, ModelBuilder};
use mechanisms::*;
use std::sync::Arc;

/// Signed area (m²) of the planar loop A, B, C, D: changes sign when the loop folds over.
fn turn_of(model: &Model, state: &State, names: [&str; 3]) -> f64 {
    let [a, b, c] = names.map(|name| {
        let joint = model.joint_named(name).expect("a joint of this name");
        state.placement(model.joint(joint)).anchor
    });
    (b - a).cross(&(c - b)).dot(&Y)
}

fn assembled(model: &Model, guess: &State, targets: &Targets) -> Assembled {
    let settings = AssembleSettings::default();
    assemble(model, guess, targets, &settings).unwrap_or_else(|e| panic!("{e}"))
}

/// Perturb every body 200 times by up to 20 % of `length` and 20°, assemble, and check the branch by
/// the signs of `signs`.
fn survives_perturbations(model: &Arc<Model>, length: f64, signs: impl Fn(&State) -> Vec<f64>) {
    let start = model.initial_state();
    assert!(residual(model, &start) < 1e-12);
    let reference = signs(&start);
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let settings = AssembleSettings::default();
    let (mut good, mut flips, mut most) = (0, 0, 0);
    for _ in 0..200 {
        let mut guess = start.clone();
        for pose in &mut guess.poses {
            pose.position += random.ball(0.2 * length);
            pose.rotation = exp(&random.ball(20f64.to_radians())) * pose.rotation;
        }
        match assemble(model, &guess, &Targets::none(), &settings) {
            Ok(found) => {
                assert!(residual(model, &found.state) <= 1e-10);
                assert!((residual(model, &found.state) - found.residual).abs() < 1e-13);
                good += 1;
                most = most.max(found.iterations);
                let now = signs(&found.state);
                flips += usize::from(now.iter().zip(&reference).any(|(a, b)| a * b <= 0.0));
            }
            Err(e) => println!("{e}"),
        }
    }
    println!("{good}/200 assembled, {flips} flips, at most {most} iterations");
    assert!(good >= 198, "only {good} of 200 assembled");
    assert_eq!(flips, 0);
}

#[test]
fn a_perturbed_four_bar_assembles_on_its_branch() {
    let model = four_bar();
    survives_perturbations(&model, 0.5, |s| {
        vec![
            turn_of(&model, s, ["A", "B", "C"]),
            turn_of(&model, s, ["B", "C", "D"]),
        ]
    });
}

#[test]
fn a_perturbed_slider_crank_assembles_on_its_branch() {
    let model = slider_crank();
    survives_perturbations(&model, 0.4, |s| vec![turn_of(&model, s, ["A", "B", "C"])]);
}

#[test]
fn perturbed_coupled_four_bars_assemble_on_their_branch() {
    let model = coupled_four_bars(1);
    survives_perturbations(&model, 0.5, |s| {
        vec![
            turn_of(&model, s, ["1B", "1C", "1D"]),
            turn_of(&model, s, ["2B", "2C", "2D"]),
        ]
    });
}

#[test]
fn a_perturbed_spatial_linkage_assembles_on_its_branch() {
    for cross in [false, true] {
        let model = rssr(cross);
        // The rocker's side of the line from its pivot to the crank's end.
        survives_perturbations(&model, 0.4, |s| vec![turn_of(&model, s, ["B", "C", "D"])]);
    }
}

#[test]
fn a_perturbed_chain_assembles() {
    survives_perturbations(&chain(12), 0.5, |_| Vec::new());
}

#[test]
fn perturbed_gears_assemble() {
    survives_perturbations(&geared_wheels(), 0.4, |_| Vec::new());
}

#[test]
fn masses_do_not_decide_where_an_assembly_ends() {
    let model = |mass: f64| {
        let mut b = ModelBuilder::new();
        let half = Vec3::new(0.5, 0.02, 0.02);
        let light = b.add_body(BodyDef::new("a", MassProperties::solid_box(1e-3, half)));
        let other = BodyDef::new("b", MassProperties::solid_box(mass, half));
        let heavy = b.add_body(other.at(1.0, 0.0, 0.0));
        let (left, right) = (Pose::at(0.5, 0.0, 0.0), Pose::at(-0.5, 0.0, 0.1));
        b.add_joint(JointDef::spherical("ball", light, heavy).frames(left, right));
        b.build().unwrap()
    };
    let end = |m: &Model| {
        assembled(m, &m.initial_state(), &Targets::none())
            .state
            .poses
    };
    assert_eq!(end(&model(1e4)), end(&model(1e-3)));
}

#[test]
fn an_impossible_mechanism_is_reported_with_its_worst_joint() {
    // 0.2 + 0.3 + 0.1 < 1: the links cannot span the ground.
    let mut b = ModelBuilder::new();
    let box_of = |l: f64| MassProperties::solid_box(1.0, Vec3::new(0.5 * l, 0.02, 0.02));
    let lengths = [0.2, 0.3, 0.1];
    let turn = Pose::identity().rotated(Vec3::x() * -std::f64::consts::FRAC_PI_2);
    let end = |x: f64| Pose::new(Vec3::new(x, 0.0, 0.0), turn.rotation);
    let (mut before, mut x) = (None, 0.0);
    for (name, l) in ["crank", "coupler", "rocker"].iter().zip(lengths) {
        let body = b.add_body(BodyDef::new(*name, box_of(l)).at(x + 0.5 * l, 0.0, 0.1));
        let base = match before {
            Some((_, l)) => end(0.5 * l),
            None => end(0.0),
        };
        let joint = JointDef::revolute(format!("{name} hinge"), before.map(|p| p.0), body);
        b.add_joint(joint.frames(base, end(-0.5 * l)));
        (before, x) = (Some((body, l)), x + l);
    }
    let (last, l) = before.unwrap();
    b.add_joint(JointDef::revolute("ground hinge", None, last).frames(end(1.0), end(0.5 * l)));
    let model = b.build().unwrap();
    let settings = AssembleSettings::default();
    let error = assemble(&model, &model.initial_state(), &Targets::none(), &settings).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("hinge'") && text.contains("link lengths"),
        "{text}"
    );
    let AssembleError::Open {
        linear,
        share,
        iterations,
        ..
    } = error
    else {
        panic!("{text}")
    };
    // 0.4 m are missing, shared by four hinges.
    assert!((linear - 0.1).abs() < 0.01, "{text}");
    assert!(share.is_none() && iterations <= 200);
}

#[test]
fn far_targets_are_met_on_the_same_branch() {
    let model = four_bar();
    let crank = model.joint_named("A").unwrap();
    let start = model.initial_state();
    let side = |s: &State| turn_of(&model, s, ["B", "C", "D"]).signum();
    for degrees in [170.0f64, -170.0, 720.0 + 90.0] {
        let target = degrees.to_radians();
        let found = assembled(&model, &start, &Targets::none().hard(crank, 0, target));
        assert!((found.state.joint_coordinates(&model, crank)[0] - target).abs() < 1e-10);
        assert!(residual(&model, &found.state) < 1e-10);
        assert_eq!(side(&found.state), side(&start), "{degrees}");
    }
    // Whole turns come back to the same poses with the turns counted.
    let mut state = start.clone();
    set_joint_coordinates(&model, &mut state, crank, &[std::f64::consts::TAU]).unwrap();
    for (a, b) in state.poses.iter().zip(&start.poses) {
        assert!((a.position - b.position).norm() < 1e-9);
    }
}

#[test]
fn a_target_out_of_reach_is_reported_and_a_soft_one_is_approached() {
    let model = four_bar();
    let rocker = model.joint_named("D").unwrap();
    let start = model.initial_state();
    // The rocker swings, it does not turn.
    let settings = AssembleSettings::default();
    let targets = Targets::none().hard(rocker, 0, 3.0);
    let error = assemble(&model, &start, &targets, &settings).unwrap_err();
    let AssembleError::Open {
        share: Some(share), ..
    } = error
    else {
        panic!("{error}")
    };
    assert!(share > 0.0 && share < 1.0, "{error}");
    let near = assembled(&model, &start, &Targets::none().soft(rocker, 0, 3.0, 0.1));
    let reached = near.state.joint_coordinates(&model, rocker)[0];
    assert!(residual(&model, &near.state) < 1e-10);
    assert!(
        reached > 0.9 * share * 3.0 && reached < 3.0,
        "{reached} {share}"
    );
    let met = assembled(&model, &start, &Targets::none().soft(rocker, 0, 0.1, 0.1));
    assert!((met.state.joint_coordinates(&model, rocker)[0] - 0.1).abs() < 1e-6);
}

#[test]
fn held_bodies_stay() {
    let model = four_bar();
    let mut guess = model.initial_state();
    let rocker = model.body_named("rocker").unwrap();
    guess.poses[2].position += Vec3::new(0.05, -0.04, 0.1);
    let found = assembled(&model, &guess, &Targets::none().hold(rocker));
    assert_eq!(
        found.state.poses[rocker.index()],
        guess.poses[rocker.index()]
    );
    assert!(found.moved[2].distance > 0.05);
}

#[test]
fn a_state_that_does_not_fit_is_refused() {
    let model = four_bar();
    let mut guess = model.initial_state();
    guess.poses[0].position.x = f64::NAN;
    let settings = AssembleSettings::default();
    let refused = |guess: &State, targets: &Targets| {
        let error = assemble(&model, guess, targets, &settings).unwrap_err();
        assert!(matches!(error, AssembleError::Misfit(_)), "{error}");
    };
    refused(&guess, &Targets::none());
    let start = model.initial_state();
    refused(&start, &Targets::none().hard(JointId(0), 0, 0.0));
    refused(&start, &Targets::none().hard(JointId(99), 0, 0.0));
    refused(&start, &Targets::none().soft(JointId(1), 0, 0.0, -1.0));
}
