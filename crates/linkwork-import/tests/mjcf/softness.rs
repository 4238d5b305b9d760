//! Softness (`--soft`). Depths are (1 − d)/d w f/k from MuJoCo's documentation of solref and solimp; MuJoCo 4.0.0 comes
//! to rest there to the given digits.

use crate::{Folder, soft, told};
use linkwork::math::Vec3;
use linkwork::model::{Model, Reference};
use linkwork::{Control, Settings, Simulator, State};
use linkwork_import::export::to_mjcf;
use linkwork_import::{Options, Severity, load};

/// The state after `time` s under a torque (N m) on the first body.
fn run(model: &std::sync::Arc<Model>, time: f64, torque: Vec3) -> State {
    let settings = Settings::with(|s| s.dt = 1e-3);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let mut control = Control::new(model);
    control.wrenches[0].torque = torque;
    for _ in 0..(time / 1e-3) as usize {
        simulator.step(&control).unwrap();
    }
    simulator.state().clone()
}

const FREE: &str = "<worldbody><body name='b'><freejoint/><geom type='box' size='.2 .15 .1' mass='2'/>\
                    </body></worldbody>";

#[test]
fn a_mass_hung_on_a_soft_weld_or_connect_sinks_as_deep_as_in_mujoco() {
    let g = 9.81;
    for (name, equality, wanted, mujoco) in [
        (
            "weld",
            "<weld body1='b' solref='.1 .7' solimp='.9 .9 .001'/>",
            0.1 * g * 0.07 * 0.07,
            0.0048069,
        ),
        (
            "connect",
            "<connect body1='b' anchor='0 0 0' solref='.1 .7' solimp='.9 .9 .001'/>",
            0.1 * g * 0.07 * 0.07,
            0.0048069,
        ),
        (
            "direct",
            "<weld body1='b' solref='-300 -20' solimp='.9 .9 .001'/>",
            0.1 * g / 300.0,
            0.00327,
        ),
    ] {
        let made = soft(
            &format!("soft-{name}"),
            &format!("{FREE}<equality>{equality}</equality>"),
        );
        let state = run(&made.model, 4.0, Vec3::zeros());
        let depth = -state.poses[0].position.z;
        assert!(
            (depth - wanted).abs() < 1e-6 * wanted,
            "{name}: {depth} {wanted}"
        );
        assert!((depth - mujoco).abs() < 1e-8, "{name}: {depth}");
        assert!(told(&made, Severity::Choice, "1 equality(s)"));
    }
}

/// An impedance that varies with the depth, and a weld turned by a torque: numbers from MuJoCo.
#[test]
fn a_soft_weld_with_a_varying_impedance_rests_where_mujoco_does() {
    let weld = |name: &str, more: &str| {
        let weld = format!("<weld body1='b' solref='.1 .7' solimp='.8 .95 .05' {more}/>");
        soft(name, &format!("{FREE}<equality>{weld}</equality>"))
    };
    let sunk = run(&weld("soft-curve", "").model, 4.0, Vec3::zeros());
    let depth = -sunk.poses[0].position.z;
    assert!((depth - 0.011895588377).abs() < 1e-7, "{depth}");

    let text = "<option gravity='0 0 0'/>".to_owned() + FREE;
    let turned = soft(
        "soft-torque",
        &format!(
            "{text}<equality><weld body1='b' solref='.1 .7' solimp='.8 .95 .05' torquescale='2'/>\
             </equality>"
        ),
    );
    let turned = run(&turned.model, 4.0, Vec3::new(0.0, 0.0, 0.4));
    // MuJoCo measures sin(θ/2), with the lever cos(θ/2), where here it is θ: a share of θ²/24 + θ²/8.
    let angle = turned.poses[0].rotation.angle();
    let share = angle * angle / 6.0;
    assert!((angle - 0.014957202552).abs() < share * angle, "{angle}");
}

const SLIDE: &str = "<joint name='s' type='slide' axis='0 0 1' range='0 1' solreflimit='-400 -6' \
                     solimplimit='.6 .6 .001'/><geom type='box' size='.2 .15 .1' mass='2'/>";

/// ẍ = −(1 − d) g − B ẋ − K x below the limit: a damped oscillator about −(1 − d) g/K, which MuJoCo shows as
/// 0.00981005 m. It is let go twice as deep.
#[test]
fn a_limit_with_a_negative_solref_swings_and_rests_as_stiffness_and_damping_say() {
    let made = soft(
        "soft-limit",
        &format!("<worldbody><body name='b'>{SLIDE}</body></worldbody>"),
    );
    let model = &made.model;
    let limits = model.joints()[0].axes[0].limits.unwrap();
    let softness = limits.softness.expect("it yields");
    assert_eq!(
        softness.impedance.reference,
        Reference::Direct {
            stiffness: 400.0,
            damping: 6.0
        }
    );
    assert!((softness.inverse_inertia - 0.5).abs() < 1e-15);
    let depth = 0.4 * 9.81 / 400.0;
    let rest = -run(model, 4.0, Vec3::zeros()).coordinates[0];
    assert!((rest - depth).abs() < 1e-4 * depth, "{rest} {depth}");

    let mut state = model.initial_state();
    state.coordinates[0] = -2.0 * depth;
    state.poses[0].position.z = -2.0 * depth;
    let mut simulator = Simulator::new(model.clone(), Settings::with(|s| s.dt = 1e-3)).unwrap();
    simulator.set_state(state).unwrap();
    let control = Control::new(model);
    // One damped period T = 2π/√(K − B²/4) later it is back at its lowest, as deep as the damping left it.
    let period = std::f64::consts::TAU / (400.0f64 - 9.0).sqrt();
    for _ in 0..(period / 1e-3).round() as usize {
        simulator.step(&control).unwrap();
    }
    let wanted = -depth * (1.0 + (-3.0 * period).exp());
    let got = simulator.state().coordinates[0];
    assert!((got - wanted).abs() < 0.01 * depth, "{got} {wanted}");
}

/// Joint equalities add the inverse inertias of both joints, tendons have that of the whole sum.
#[test]
fn softness_is_measured_by_the_inertia_at_home() {
    let body = |name: &str, mass: f64| {
        format!(
            "<body><joint name='{name}' type='slide' axis='1 0 0'/><geom size='.1' mass='{mass}'/>\
             </body>"
        )
    };
    let made = soft(
        "soft-weights",
        &format!(
            "<worldbody>{}{}</worldbody>\
             <tendon><fixed name='t' range='-1 1' solreflimit='.05 1'><joint joint='p' coef='3'/>\
             <joint joint='q' coef='-1'/></fixed><fixed name='u'><joint joint='q' coef='2'/></fixed>\
             </tendon><equality><joint joint1='p' joint2='q' polycoef='0 5 0 0 0'/>\
             <tendon tendon1='t' tendon2='u'/><joint joint1='p'/></equality>",
            body("p", 2.0),
            body("q", 4.0)
        ),
    );
    let model = &made.model;
    let couplings = model.couplings().iter();
    let weights: Vec<f64> = couplings
        .map(|c| c.softness.unwrap().inverse_inertia)
        .collect();
    let tendon = 9.0 / 2.0 + 1.0 / 4.0;
    for (got, wanted) in weights.iter().zip([0.75, tendon + 4.0 / 4.0, 0.5]) {
        assert!((got - wanted).abs() < 1e-12, "{weights:?}");
    }
    let limits = model.tendons()[0].axis.limits.unwrap();
    let softness = limits.softness.unwrap();
    assert!((softness.inverse_inertia - tendon).abs() < 1e-12);
    assert!(told(
        &made,
        Severity::Choice,
        "3 equality(s) and 1 limit(s)"
    ));
}

/// A body that others move along with is heavier: J M⁻¹ Jᵀ of the mechanism, not of the body alone.
#[test]
fn a_closure_feels_what_its_bodies_carry() {
    // A slide of 1 kg that carries a slide of 3 kg across it: x moves both, y the second alone.
    let made = soft(
        "soft-carried",
        "<worldbody><body name='a'><joint type='slide' axis='1 0 0'/><geom size='.1' mass='1'/>\
         <body name='b'><joint type='slide' axis='0 1 0'/><geom size='.1' mass='3'/></body></body>\
         </worldbody><equality><connect body1='b' anchor='0 0 0'/></equality>",
    );
    let closure = made.model.joints().last().unwrap();
    let wanted = (1.0 / 4.0 + 1.0 / 3.0) / 3.0;
    let softness = closure.softness.unwrap();
    assert!((softness.inverse_mass - wanted).abs() < 1e-12);
}

#[test]
fn constraints_are_hard_unless_softness_is_asked_for() {
    let made = crate::import(
        "soft-not",
        &format!(
            "<worldbody><body name='b'>{SLIDE}</body></worldbody>\
             <equality><joint joint1='s' solref='.1 1'/></equality>"
        ),
    );
    let model = &made.model;
    assert!(model.joints()[0].axes[0].limits.unwrap().softness.is_none());
    assert!(model.couplings()[0].softness.is_none());
    assert!(told(&made, Severity::Choice, "are hard"));
}

#[test]
fn a_solref_of_two_signs_is_told_and_the_default_taken() {
    for (name, solref) in [("one", "-100"), ("two", "-100 3"), ("three", ".1 -1")] {
        let made = soft(
            &format!("soft-mixed-{name}"),
            &format!("{FREE}<equality><weld body1='b' solref='{solref}'/></equality>"),
        );
        assert!(told(&made, Severity::Warning, "mixes signs"));
        let softness = made.model.joints()[0].softness.unwrap();
        assert_eq!(softness.impedance.reference, Reference::default());
    }
}

/// Without a torque scale a weld holds a point only, soft or hard.
#[test]
fn a_weld_without_torque_is_a_connect() {
    let text = format!("{FREE}<equality><weld body1='b' torquescale='0'/></equality>");
    for made in [soft("soft-scale", &text), crate::import("scale", &text)] {
        assert_eq!(made.model.joints()[0].kind.name(), "spherical");
    }
}

#[test]
fn softness_is_written_as_mjcf_again() {
    let made = soft(
        "soft-export",
        &format!(
            "<worldbody><body name='a'><freejoint/><geom size='.1'/></body><body name='b'>{SLIDE}\
             </body></worldbody><equality><weld body1='a' solref='.1 .7' torquescale='3'/>\
             <joint joint1='s' solref='-5 -6' solimp='.5 .6 .7 .4 3'/></equality>"
        ),
    );
    let exported = to_mjcf(&made.model).unwrap();
    let told = exported.left_out.join("\n");
    assert!(told.contains("MuJoCo takes those at home"), "{told}");
    let folder = Folder::new("soft-again", &[("m.xml", &exported.text)]);
    let options = Options::with(|s| s.soft = true);
    let again = load(&folder.0.join("m.xml"), &options).unwrap();
    let (a, b) = (&made.model, &again.model);
    let weld = |m: &Model| m.joints().iter().find_map(|j| j.softness).unwrap();
    let (wa, wb) = (weld(a), weld(b));
    assert_eq!((wa.impedance, wa.radius), (wb.impedance, wb.radius));
    assert!((wa.inverse_inertia / wb.inverse_inertia - 1.0).abs() < 1e-9);
    assert_eq!(
        a.couplings()[0].softness.unwrap().impedance,
        b.couplings()[0].softness.unwrap().impedance
    );
    let limit = |m: &Model| {
        let joint = m.joint(m.joint_named("s").unwrap());
        joint.axes[0].limits.unwrap().softness.unwrap().impedance
    };
    assert_eq!(limit(a), limit(b));
    let surface = |m: &Model| m.shapes()[0].material.compliance;
    assert_eq!(surface(a), surface(b));
}
