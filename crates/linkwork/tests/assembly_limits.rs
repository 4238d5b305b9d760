//! Starts within limits: coordinates outside are moved inside, on the branch that the limits allow, and the others do
//! not move.

mod mechanisms;

use linkwork::State;
use linkwork::assemble::*;
use linkwork::math::Vec3;
use linkwork::model::{BodyId, Coupling, JointDef, JointId, Model, ModelBuilder};
use mechanisms::*;
use std::sync::Arc;

/// Cranks of 0.2 m at A and D and a rod of 0.5 m between their ends, all laid flat along x: they can continue in the
/// same or in opposite directions. Returns the hinges A and D with their limits.
fn add_flat(
    b: &mut ModelBuilder,
    ground: Option<BodyId>,
    origin: Vec3,
    limits: [[f64; 2]; 2],
) -> [JointId; 2] {
    let [pa, pb, pc, pd] = [0.0, 0.2, 0.7, 0.5].map(|x| origin + at(x, 0.0));
    let crank = link(b, "crank", pa, pb);
    let rod = link(b, "rod", pb, pc);
    let follower = link(b, "follower", pd, pc);
    let mut limited = |name: &str, body, p: Vec3, [min, max]: [f64; 2]| {
        let joint = place(JointDef::revolute(name, ground, body), p, Y);
        b.add_joint(joint.limits(min, max))
    };
    let a = limited("A", crank, pa, limits[0]);
    let d = limited("D", follower, pd, limits[1]);
    hinge(b, "B", Some(crank), rod, pb, Y);
    hinge(b, "C", Some(follower), rod, pc, Y);
    [a, d]
}

fn flat(limits: [[f64; 2]; 2]) -> (Arc<Model>, [JointId; 2]) {
    let mut b = ModelBuilder::new();
    let hinges = add_flat(&mut b, None, Vec3::zeros(), limits);
    (b.build().expect("a valid model"), hinges)
}

fn within(model: &Model, guess: &State) -> WithinLimits {
    let settings = AssembleSettings::default();
    let found = assemble_within_limits(model, guess, &settings).unwrap_or_else(|e| panic!("{e}"));
    assert!(residual(model, &found.assembled.state) <= 1e-10);
    found
}

fn angle(model: &Model, state: &State, joint: JointId) -> f64 {
    state.joint_coordinates(model, joint)[0]
}

/// Angle by which a body is turned about Y.
fn turned(state: &State, guess: &State, body: BodyId) -> f64 {
    let turn = state.poses[body.index()].rotation * guess.poses[body.index()].rotation.inverse();
    turn.scaled_axis().dot(&Y)
}

#[test]
fn a_flat_parallelogram_leaves_its_change_point_on_the_branch_that_its_limits_allow() {
    for sign in [1.0, -1.0] {
        let range = |s: f64| if s > 0.0 { [0.6, 2.4] } else { [-2.4, -0.6] };
        // Both cranks the same way: a parallelogram, whose rod does not turn.
        let (model, hinges) = flat([range(sign), range(sign)]);
        let guess = model.initial_state();
        let found = within(&model, &guess);
        let state = &found.assembled.state;
        for joint in hinges {
            // 1 cm/m inside, as there is room for it.
            let q = angle(&model, state, joint);
            assert!((q - sign * 0.61).abs() < 1e-3, "{q}");
        }
        let rod = model.body_named("rod").unwrap();
        assert!(turned(state, &guess, rod).abs() < 1e-6);
        assert_eq!(found.outside.len(), 2);
        assert!(found.outside.iter().all(|o| o.from == 0.0 && o.by < 0.0));

        // Opposite ways: an antiparallelogram, whose rod does turn.
        let (model, hinges) = flat([range(sign), range(-sign)]);
        let found = within(&model, &guess);
        let state = &found.assembled.state;
        let [a, d] = hinges.map(|joint| angle(&model, state, joint));
        assert!(a * sign > 0.6 && d * sign < -0.6, "{a} {d}");
        assert!(turned(state, &guess, rod).abs() > 0.1);
    }
}

#[test]
fn a_limit_of_one_crank_alone_is_met_too() {
    let (model, [a, _]) = flat([[0.5, 1.0], [-9.0, 9.0]]);
    let found = within(&model, &model.initial_state());
    let [outside] = found.outside[..] else {
        panic!("{:?}", found.outside)
    };
    assert_eq!((outside.joint, outside.coordinate), (a, 0));
    // 1 % of the range inside, which is less than 0.01 rad.
    assert!((outside.to - 0.505).abs() < 1e-6, "{outside:?}");
    assert_eq!(outside.to, angle(&model, &found.assembled.state, a));
}

#[test]
fn what_shares_no_loop_with_a_coordinate_outside_stays_where_it_is() {
    let mut b = ModelBuilder::new();
    let trunk = link(&mut b, "trunk", at(-1.0, 0.0), at(0.0, 0.0));
    let shin = link(&mut b, "shin", at(0.0, 0.0), at(0.0, -1.0));
    hinge(&mut b, "knee", Some(trunk), shin, at(0.0, 0.0), Y);
    let limits = [[-2.4, -0.6]; 2];
    let hinges = add_flat(&mut b, Some(shin), at(0.0, -1.0), limits);
    let rotor = link(&mut b, "rotor", at(0.5, -1.0), at(0.5, -0.9));
    let motor = hinge(&mut b, "motor", Some(shin), rotor, at(0.5, -1.0), Y);
    b.add_coupling(Coupling::mimic("gear", motor, hinges[1], -50.0, 0.0));
    let model = b.build().unwrap();
    let guess = model.initial_state();
    let found = within(&model, &guess);
    let state = &found.assembled.state;
    // The trunk floats and stays to the bit, the shin to the tolerance of the assembly.
    assert_eq!(state.poses[trunk.index()], guess.poses[trunk.index()]);
    let shin = found.assembled.moved[shin.index()];
    assert!(shin.distance.max(shin.angle) < 1e-9, "{shin:?}");
    let q = angle(&model, state, hinges[1]);
    assert!((-0.63..=-0.6).contains(&q), "{q}");
    assert!((angle(&model, state, motor) + 50.0 * q).abs() < 1e-9);
}

#[test]
fn a_tree_turns_rigidly_about_the_joint_that_is_outside() {
    let mut b = ModelBuilder::new();
    let upper = link(&mut b, "upper", at(0.0, 0.0), at(0.0, -0.5));
    let lower = link(&mut b, "lower", at(0.0, -0.5), at(0.0, -1.0));
    let shoulder = hinge(&mut b, "shoulder", None, upper, at(0.0, 0.0), Y);
    let elbow = JointDef::revolute("elbow", upper, lower);
    let elbow = b.add_joint(place(elbow, at(0.0, -0.5), Y).limits(0.5, 2.0));
    let model = b.build().unwrap();
    let guess = model.initial_state();
    let state = within(&model, &guess).assembled.state;
    assert!((angle(&model, &state, elbow) - 0.51).abs() < 1e-12);
    assert_eq!(angle(&model, &state, shoulder), 0.0);
    assert_eq!(state.poses[upper.index()], guess.poses[upper.index()]);
}

#[test]
fn what_the_joints_do_not_let_inside_is_told() {
    // The rocker swings out until crank and coupler are in line, not to 3 rad.
    let mut b = ModelBuilder::new();
    let [pa, pb, pc, pd] = corners();
    let crank = link(&mut b, "crank", pa, pb);
    let coupler = link(&mut b, "coupler", pb, pc);
    let rocker = link(&mut b, "rocker", pc, pd);
    hinge(&mut b, "A", None, crank, pa, Y);
    hinge(&mut b, "B", Some(crank), coupler, pb, Y);
    hinge(&mut b, "C", Some(coupler), rocker, pc, Y);
    let joint = place(JointDef::revolute("D", None, rocker), pd, Y);
    b.add_joint(joint.limits(3.0, 4.0));
    let model = b.build().unwrap();
    let found = within(&model, &model.initial_state());
    let [outside] = found.outside[..] else {
        panic!("{:?}", found.outside)
    };
    assert!(outside.by > 0.0, "{outside:?}");
    assert!((outside.by - (3.0 - outside.to)).abs() < 1e-12);
    let (reach, r, ground) = ((pb - pa).norm() + (pc - pb).norm(), (pc - pd).norm(), 1.0);
    let in_line = ((ground + r * r - reach * reach) / (2.0 * ground * r)).acos();
    let now = (pc - pd).angle(&(pa - pd));
    assert!((outside.to - (in_line - now)).abs() < 1e-4, "{outside:?}");
}

#[test]
fn a_mechanism_within_its_limits_is_only_closed() {
    let (model, _) = flat([[-1.0, 1.0]; 2]);
    let mut guess = model.initial_state();
    guess.poses[1].position += Vec3::new(0.01, 0.0, 0.02);
    let found = within(&model, &guess);
    let settings = AssembleSettings::default();
    let closed = assemble(&model, &guess, &Targets::none(), &settings).unwrap();
    assert!(found.outside.is_empty());
    assert_eq!(found.assembled, closed);
}
