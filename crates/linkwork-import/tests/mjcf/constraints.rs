//! Equalities, tendons and closed loops.

use crate::{import, near, told};
use linkwork::{Settings, Simulator};
use linkwork_import::Severity;

const TWO: &str = "<worldbody><body name='a' pos='0 0 1'><joint name='j'/><geom size='.1'/></body>\
                   <body name='b' pos='1 0 1'><joint name='k' ref='90'/><geom size='.1'/>\
                   <site name='t' pos='0 0 .5'/></body><site name='s' pos='1 0 2'/></worldbody>";

#[test]
fn connect_closes_at_the_anchor_of_the_first_body() {
    let made = import(
        "connect",
        &format!("{TWO}<equality><connect body1='a' body2='b' anchor='.5 0 0'/></equality>"),
    );
    let model = &made.model;
    assert_eq!(made.counts.closures, 1);
    let joint = &model.joints()[2];
    assert_eq!(joint.kind.name(), "spherical");
    let state = model.initial_state();
    let on = |body: linkwork::model::BodyId, frame: &linkwork::math::Pose| {
        state.poses[body.index()].compose(frame).position
    };
    let base = on(joint.base.unwrap(), &joint.frame_base);
    let follower = on(joint.follower, &joint.frame_follower);
    assert!(near(base.as_slice(), &[0.5, 0.0, 1.0]));
    assert!(near(follower.as_slice(), &[0.5, 0.0, 1.0]));
}

#[test]
fn sites_keep_the_gap_that_the_file_has() {
    let made = import(
        "sites",
        &format!("{TWO}<equality><connect site1='s' site2='t'/></equality>"),
    );
    let joint = &made.model.joints()[2];
    assert!(joint.base.is_none());
    assert!(near(joint.frame_base.position.as_slice(), &[1.0, 0.0, 2.0]));
    assert!(near(
        joint.frame_follower.position.as_slice(),
        &[0.0, 0.0, 0.5]
    ));
}

#[test]
fn weld_holds_the_pose_at_home_or_the_one_given() {
    let weld = |name: &str, given: &str| {
        let made = import(
            name,
            &format!("{TWO}<equality><weld body1='a' body2='b' {given}/></equality>"),
        );
        let joint = &made.model.joints()[2];
        assert_eq!(joint.kind.name(), "fixed");
        joint.frame_base.position - joint.frame_follower.position
    };
    assert!(near(weld("home", "").as_slice(), &[1.0, 0.0, 0.0]));
    let given = weld("relpose", "relpose='0 2 0 1 0 0 0'");
    assert!(near(given.as_slice(), &[0.0, 2.0, 0.0]));
    let zero = weld("zero", "relpose='0 2 0 0 0 0 0'");
    assert!(near(zero.as_slice(), &[1.0, 0.0, 0.0]));
}

#[test]
fn a_joint_equality_is_a_polynomial_about_home() {
    let made = import(
        "polynomial",
        &format!("{TWO}<equality><joint joint1='j' joint2='k' polycoef='.1 2 3 0 0'/></equality>"),
    );
    let coupling = &made.model.couplings()[0];
    let quarter = std::f64::consts::FRAC_PI_2;
    // y = 0.1 + 2 (x − x₀) + 3 (x − x₀)².
    let x = quarter + 0.2;
    let y = 0.1 + 2.0 * 0.2 + 3.0 * 0.04;
    let sum = coupling.terms[0].value(y) + coupling.terms[1].value(x);
    assert!((sum - coupling.offset).abs() < 1e-12);
}

#[test]
fn what_is_not_active_is_left_out_and_told() {
    let made = import(
        "inactive",
        &format!("{TWO}<equality><connect body1='a' anchor='0 0 0' active='false'/></equality>"),
    );
    assert_eq!(made.counts.closures, 0);
    assert!(told(&made, Severity::Ignored, "not active"));
}

#[test]
fn an_equality_within_one_rigid_body_is_left_out_and_told() {
    let made = import(
        "within",
        "<worldbody><body name='a'><freejoint/><geom size='.1'/><body name='b'/></body>\
         </worldbody><equality><weld body1='a' body2='b'/></equality>",
    );
    assert_eq!(made.counts.closures, 0);
    assert!(told(&made, Severity::Warning, "one rigid body"));
}

#[test]
fn a_fixed_tendon_sums_coordinates_and_carries_what_acts_on_it() {
    let made = import(
        "tendon",
        &format!(
            "{TWO}<tendon><fixed name='t' range='-1 2' stiffness='3' damping='4' frictionloss='5'>\
             <joint joint='j' coef='2'/><joint joint='k' coef='-1'/></fixed></tendon>"
        ),
    );
    let tendon = &made.model.tendons()[0];
    let home = -std::f64::consts::FRAC_PI_2;
    let axis = &tendon.axis;
    assert_eq!(
        [tendon.terms[0].factor, tendon.terms[1].factor],
        [2.0, -1.0]
    );
    assert!(
        near(&[axis.spring.rest], &[home]),
        "the spring rests at home"
    );
    assert_eq!([axis.spring.stiffness, axis.spring.damping], [3.0, 4.0]);
    assert_eq!(axis.friction, 5.0);
    assert_eq!(axis.limits.map(|l| [l.min, l.max]), Some([-1.0, 2.0]));
}

#[test]
fn a_tendon_equality_is_linear_about_home() {
    let made = import(
        "tendons",
        &format!(
            "{TWO}<tendon><fixed name='p'><joint joint='j' coef='2'/></fixed><fixed name='q'>\
             <joint joint='k' coef='3'/></fixed></tendon>\
             <equality><tendon tendon1='p' tendon2='q' polycoef='.5 2 0 0 0'/></equality>"
        ),
    );
    // 2 j − 0 = 0.5 + 2 (3 k − 3 k₀).
    let c = &made.model.couplings()[0];
    let (k, k0) = (2.0, std::f64::consts::FRAC_PI_2);
    let j = (0.5 + 2.0 * (3.0 * k - 3.0 * k0)) / 2.0;
    let sum = c.terms[0].value(j) + c.terms[1].value(k);
    assert!((sum - c.offset).abs() < 1e-12);
}

#[test]
fn a_four_bar_stays_closed_while_it_swings() {
    let made = import(
        "fourbar",
        "<compiler angle='radian'/><option><flag contact='disable'/></option><worldbody>\
         <body name='crank' euler='0 .3 0'><joint axis='0 1 0'/><geom type='capsule' size='.02' \
         fromto='0 0 0 0 0 -.5'/><body name='coupler' pos='0 0 -.5' euler='0 -.3 0'>\
         <joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 1 0 0'/></body></body>\
         <body name='rocker' pos='1 0 0' euler='0 .3 0'><joint axis='0 1 0'/><geom type='capsule' \
         size='.02' fromto='0 0 0 0 0 -.5'/></body></worldbody>\
         <equality><connect body1='rocker' body2='coupler' anchor='0 0 -.5'/></equality>",
    );
    let model = made.model.clone();
    let control = linkwork::Control::new(&model);
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    for _ in 0..200 {
        simulator.step(&control).unwrap();
    }
    let state = simulator.state();
    let joint = &model.joints()[3];
    let place = state.placement(joint);
    assert!(
        place.relative.d.norm() < 1e-8,
        "{:e}",
        place.relative.d.norm()
    );
    let moved = state.poses[0].position - model.initial_state().poses[0].position;
    assert!(moved.norm() > 1e-3, "it swings");
}

#[test]
fn a_joint_without_a_share_in_a_tendon_is_no_part_of_it() {
    let made = import(
        "zerocoef",
        "<worldbody><body><joint name='x' type='slide' axis='1 0 0'/><joint name='y' type='slide' axis='0 1 0'/>\
         <geom size='.1'/></body></worldbody><tendon><fixed name='t'><joint joint='x' coef='1'/>\
         <joint joint='y' coef='0'/></fixed><fixed name='none'><joint joint='y' coef='0'/></fixed></tendon>",
    );
    let tendons = made.model.tendons();
    assert_eq!((tendons.len(), tendons[0].terms.len()), (1, 1));
    assert!(told(&made, Severity::Warning, "tendon 'none' is left out"));
}
