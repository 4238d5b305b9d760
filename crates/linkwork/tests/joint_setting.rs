//! Velocity projection and setting one joint's coordinates and velocities.

mod mechanisms;

use linkwork::State;
use linkwork::assemble::*;
use linkwork::math::Twist;
use linkwork::model::{JointDef, JointId, Model, ModelBuilder};
use mechanisms::*;

/// aᵀ M b at the poses of `at`, J.
fn inner(model: &Model, at: &State, a: &[Twist], b: &[Twist]) -> f64 {
    let bodies = model.bodies().iter().zip(&at.poses).zip(a.iter().zip(b));
    bodies
        .map(|((body, pose), (a, b))| {
            let local = |t: &Twist| pose.rotation.inverse() * t.angular;
            body.mass * a.linear.dot(&b.linear) + local(a).dot(&(body.inertia * local(b)))
        })
        .sum()
}

#[test]
fn projected_velocities_satisfy_the_joints_and_are_mass_orthogonal() {
    let mut random = Random(7);
    for model in [
        four_bar(),
        slider_crank(),
        coupled_four_bars(2),
        rssr(false),
        geared_wheels(),
    ] {
        let mut state = model.initial_state();
        for _ in 0..50 {
            random.twists(&mut state);
            let found = project_velocities(&model, &state);
            assert!(found.residual <= 1e-12, "{}", found.residual);
            assert!(closure_rate(&model, &found.state) <= 1e-12);
            let difference: Vec<Twist> = state
                .twists
                .iter()
                .zip(&found.state.twists)
                .map(|(a, b)| Twist::new(a.linear - b.linear, a.angular - b.angular))
                .collect();
            let product = inner(&model, &state, &difference, &found.state.twists);
            assert!(product.abs() < 1e-12, "{product}");
        }
    }
}

#[test]
fn a_tree_joint_moves_its_follower_side_only() {
    let model = chain(5);
    let joint = model.joint_named("hinge2").unwrap();
    let mut random = Random(3);
    let mut state = model.initial_state();
    random.twists(&mut state);
    state = project_velocities(&model, &state).state;
    let before = state.clone();
    set_joint_coordinates(&model, &mut state, joint, &[7.0]).unwrap();
    assert!((state.joint_coordinates(&model, joint)[0] - 7.0).abs() < 1e-12);
    assert!(residual(&model, &state) < 1e-12);
    assert_eq!(state.poses[..2], before.poses[..2]);
    assert_eq!(state.joint_coordinates(&model, JointId(4)), [0.0]);
    let mut moving = before.clone();
    set_joint_velocities(&model, &mut moving, joint, &[3.0]).unwrap();
    assert!((moving.joint_velocities(&model, joint)[0] - 3.0).abs() < 1e-12);
    assert!(closure_rate(&model, &moving) < 1e-12);
    assert_eq!(moving.twists[..2], before.twists[..2]);
}

#[test]
fn a_joint_towards_the_world_moves_its_base_side() {
    let mut b = ModelBuilder::new();
    let arm = link(&mut b, "arm", at(0.0, 0.0), at(1.0, 0.0));
    let post = link(&mut b, "post", at(1.0, 0.0), at(1.0, -1.0));
    b.add_joint(JointDef::fixed("weld", None, post));
    // The arm is the base although the post is connected to the ground.
    let joint = hinge(&mut b, "hinge", Some(arm), post, at(1.0, 0.0), Y);
    let model = b.build().unwrap();
    let mut state = model.initial_state();
    set_joint_coordinates(&model, &mut state, joint, &[0.5]).unwrap();
    set_joint_velocities(&model, &mut state, joint, &[2.0]).unwrap();
    assert!((state.joint_coordinates(&model, joint)[0] - 0.5).abs() < 1e-12);
    assert!((state.joint_velocities(&model, joint)[0] - 2.0).abs() < 1e-12);
    assert!(residual(&model, &state) < 1e-12 && closure_rate(&model, &state) < 1e-12);
    assert_eq!(
        state.poses[post.index()],
        model.initial_state().poses[post.index()]
    );
}

#[test]
fn a_loop_joint_takes_the_whole_loop_along() {
    let model = coupled_four_bars(1);
    let crank = model.joint_named("1A").unwrap();
    let other = model.joint_named("2A").unwrap();
    let mut state = model.initial_state();
    set_joint_coordinates(&model, &mut state, crank, &[1.0]).unwrap();
    assert!((state.joint_coordinates(&model, other)[0] - 1.0).abs() < 1e-9);
    set_joint_velocities(&model, &mut state, crank, &[2.0]).unwrap();
    assert!((state.joint_velocities(&model, other)[0] - 2.0).abs() < 1e-9);
    assert!(closure_rate(&model, &state) < 1e-9);
    // The crank cannot be at rest while the rocker turns.
    let rocker = model.joint_named("1D").unwrap();
    let turning = state.joint_velocities(&model, rocker)[0];
    assert!(turning.abs() > 0.1);
}

#[test]
fn a_velocity_the_joints_forbid_is_refused() {
    // A triangle of links is rigid.
    let mut b = ModelBuilder::new();
    let corner = [at(0.0, 0.0), at(1.0, 0.0), at(0.3, 0.8)];
    let one = link(&mut b, "one", corner[0], corner[2]);
    let two = link(&mut b, "two", corner[2], corner[1]);
    let joint = hinge(&mut b, "left", None, one, corner[0], Y);
    hinge(&mut b, "top", Some(one), two, corner[2], Y);
    hinge(&mut b, "right", None, two, corner[1], Y);
    let model = b.build().unwrap();
    let mut state = model.initial_state();
    let error = set_joint_velocities(&model, &mut state, joint, &[1.0]).unwrap_err();
    assert!(matches!(error, AssembleError::Velocity { .. }), "{error}");
    assert_eq!(state, model.initial_state());
}

#[test]
fn every_joint_type_takes_its_coordinates() {
    for kind in linkwork::joints::all() {
        let n = kind.coordinates().len();
        let mut b = ModelBuilder::new();
        let body = link(&mut b, "body", at(0.1, 0.5), at(0.4, 0.9));
        let joint = b.add_joint(JointDef::of("joint", kind.clone(), None, body));
        let model = b.build().unwrap();
        let mut state = model.initial_state();
        let (q, v) = (
            [0.3, -0.2, 0.4, 0.1, 0.5, -0.6],
            [1.0, 2.0, -1.0, 0.5, 0.7, -0.3],
        );
        set_joint_coordinates(&model, &mut state, joint, &q[..n]).unwrap();
        set_joint_velocities(&model, &mut state, joint, &v[..n]).unwrap();
        let got = state.joint_coordinates(&model, joint).iter();
        assert!(
            got.zip(&q).all(|(a, b)| (a - b).abs() < 1e-12),
            "{}",
            kind.name()
        );
        let got = state.joint_velocities(&model, joint);
        assert!(
            got.iter().zip(&v).all(|(a, b)| (a - b).abs() < 1e-12),
            "{}",
            kind.name()
        );
        assert!(closure_rate(&model, &state) < 1e-12, "{}", kind.name());
    }
}
