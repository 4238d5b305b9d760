//! Actuators whose force follows an activation: `dyntype`.

use crate::{import, try_import};
use linkwork::{Control, Settings, Simulator};

const SLIDE: &str = "<worldbody><body><joint name='x' type='slide' axis='1 0 0'/>\
                     <geom size='.1' mass='2'/></body></worldbody>";

/// Speed after half a second of a mass of 2 kg under an actuator with control 3.
fn speed(name: &str, actuator: &str) -> f64 {
    let made = import(
        name,
        &format!("{SLIDE}<option gravity='0 0 0'/><actuator>{actuator}</actuator>"),
    );
    let mechanism = made.model;
    let settings = Settings::with(|s| s.dt = 1e-4);
    let mut simulator = Simulator::new(mechanism.clone(), settings).unwrap();
    let mut control = Control::new(&mechanism);
    for _ in 0..5000 {
        let state = simulator.state();
        let pulls = mechanism.activations(&[3.0], state.time, &mut control.memory);
        mechanism.actuate(&pulls, simulator.state(), &mut control);
        simulator.step(&control).unwrap();
    }
    simulator.synchronised(&control).unwrap().twists[0].linear.x
}

#[test]
fn a_lag_and_an_integrator_give_the_impulse_of_their_activation() {
    let (t, m, u, lag) = (0.5f64, 2.0, 3.0, 0.2);
    // ∫ u (1 − e^(−t/T)) dt and ∫ u t dt.
    let lagged = u / m * (t - lag * (1.0 - (-t / lag).exp()));
    let ramp = u / m * t * t / 2.0;
    for (name, actuator, wanted) in [
        (
            "lag",
            "<general joint='x' dyntype='filter' dynprm='.2'/>",
            lagged,
        ),
        (
            "exact",
            "<general joint='x' dyntype='filterexact' dynprm='.2'/>",
            lagged,
        ),
        (
            "integrator",
            "<general joint='x' dyntype='integrator'/>",
            ramp,
        ),
        ("none", "<motor joint='x'/>", u / m * t),
    ] {
        let found = speed(name, actuator);
        assert!(
            (found - wanted).abs() < 1e-3 * wanted,
            "{name}: {found}, {wanted}"
        );
    }
    // The range of the activation stops the integrator at 0.3, which it reaches at 0.1 s.
    let stopped = 0.3 / m * (t - 0.05);
    let found = speed(
        "range",
        "<general joint='x' dyntype='integrator' actrange='-.3 .3' actlimited='true'/>",
    );
    assert!(
        (found - stopped).abs() < 1e-3 * stopped,
        "{found}, {stopped}"
    );
}

#[test]
fn activations_of_keyframes_go_with_the_actuators_that_are_carried() {
    let made = import(
        "act",
        &format!(
            "{SLIDE}<actuator><motor name='m' joint='x'/><intvelocity joint='x'/>\
             <general name='l' joint='x' dyntype='filter' dynprm='.2'/></actuator>\
             <keyframe><key act='7 .5'/></keyframe>"
        ),
    );
    assert_eq!(made.model.actuators().len(), 2);
    assert_eq!(made.model.keyframes()[0].activations, [0.0, 0.5]);
    let memory = &mut made.model.activated(&[0.0, 0.5], 1.0);
    let pulls = made.model.activations(&[3.0, 0.0], 1.2, memory);
    // The lag has 0 for its control since the start.
    assert!(
        (pulls[1] - 0.5 * (-1.0f64).exp()).abs() < 1e-15,
        "{pulls:?}"
    );
}

#[test]
fn dynamics_that_are_not_modelled_leave_the_actuator_out_by_name() {
    let actuator = "<actuator><general name='m' joint='x' dyntype='user'/></actuator>";
    let made = try_import("user", &format!("{SLIDE}{actuator}")).unwrap();
    assert!(made.model.actuators().is_empty());
    let what = "actuator 'm' is left out: its dynamics ('user') are not modelled";
    assert!(crate::told(&made, linkwork_import::Severity::Warning, what));
}
