//! Bodies in a fluid, against closed forms.

use crate::import;
use linkwork::math::Vec3;
use linkwork::{Control, Settings, Simulator};

/// Velocity and angular velocity after half a second of a ball of 2 kg and 0.1 m radius that starts with `qvel`.
fn after(name: &str, option: &str, qvel: &str) -> (Vec3, Vec3) {
    let made = import(
        name,
        &format!(
            "<option gravity='0 0 0' {option}/><worldbody><body><freejoint/><geom size='.1' mass='2'/></body>\
             </worldbody><keyframe><key name='go' qvel='{qvel}'/></keyframe>"
        ),
    );
    let mechanism = made.model;
    let settings = Settings::with(|s| s.dt = 1e-4);
    let mut simulator = Simulator::new(mechanism.clone(), settings).unwrap();
    simulator
        .set_state(mechanism.keyframe_state(&mechanism.keyframes()[0]))
        .unwrap();
    let mut control = Control::new(&mechanism);
    for _ in 0..5000 {
        mechanism.actuate(&[], simulator.state(), &mut control);
        simulator.step(&control).unwrap();
    }
    let twist = simulator.synchronised(&control).unwrap().twists[0];
    (twist.linear, twist.angular)
}

#[test]
fn viscosity_and_density_brake_a_ball_as_the_box_of_its_inertia() {
    // I = 2/5 m r²: a cube of side a with m a²/6 = I.
    let (m, r, t) = (2.0, 0.1, 0.5);
    let inertia: f64 = 0.4 * m * r * r;
    let a = (6.0 * inertia / m).sqrt();
    let pi = std::f64::consts::PI;
    let close = |found: f64, wanted: f64| {
        assert!(
            (found - wanted).abs() < 1e-3 * wanted.abs(),
            "{found} {wanted}"
        )
    };

    let (v, w) = after("viscous", "viscosity='2'", "3 0 0 0 0 5");
    close(v.x, 3.0 * f64::exp(-3.0 * pi * 2.0 * a * t / m));
    close(w.z, 5.0 * f64::exp(-pi * 2.0 * a.powi(3) * t / inertia));

    // Turned, a cube shows the stream another face: one at a time.
    let (v, _) = after("dense", "density='100'", "3 0 0 0 0 0");
    close(v.x, 3.0 / (1.0 + 0.5 * 100.0 * a * a * 3.0 * t / m));
    let (_, w) = after("spinning", "density='100'", "0 0 0 0 0 5");
    close(
        w.z,
        5.0 / (1.0 + 100.0 * a.powi(5) / 32.0 * 5.0 * t / inertia),
    );

    let (v, _) = after("windy", "viscosity='2' wind='3 0 1'", "3 0 0 0 0 0");
    close(v.x, 3.0);
    close(v.z, 1.0 - f64::exp(-3.0 * pi * 2.0 * a * t / m));
}
