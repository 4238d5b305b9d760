//! Soft contacts; numbers from MuJoCo 4.0.0.

use crate::soft;
use linkwork::{Control, Settings, Simulator};

/// A ball dropped from 0.1 m, and a box set down: where MuJoCo has them deepest and after a second (m).
#[test]
fn soft_contacts_dip_and_rest_as_in_mujoco() {
    let ball = "size='.1'";
    for (i, (surface, shape, from, dip, rest)) in [
        ("", ball, 0.1, 0.010165, 3.67182e-4),
        ("solref='.05 .5'", ball, 0.1, 0.019179, 4.91434e-4),
        ("solref='-10000 -40'", ball, 0.1, 0.010603, 1.078e-4),
        ("", "type='box' size='.1 .1 .1'", 0.0, 4.05e-4, 1.077554e-4),
    ]
    .into_iter()
    .enumerate()
    {
        let made = soft(
            &format!("soft-contact-{i}"),
            &format!(
                "<default><geom {surface}/></default><worldbody><geom type='plane' size='5 5 1'/>\
                 <body pos='0 0 {}'><freejoint/><geom {shape} mass='2'/></body></worldbody>",
                0.1 + from
            ),
        );
        let model = &made.model;
        let settings = Settings::with(|s| s.dt = 1e-3);
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        let control = Control::new(model);
        let mut deepest = 0.0f64;
        for _ in 0..1000 {
            simulator.step(&control).unwrap();
            deepest = deepest.max(0.1 - simulator.state().poses[0].position.z);
        }
        let end = 0.1 - simulator.state().poses[0].position.z;
        println!("{surface}: {deepest:.3e} of {dip:.3e} m, {end:.6e} of {rest:.6e} m");
        assert!((end - rest).abs() < 5e-3 * rest, "{end} {rest}");
        // What is not resolved by the step is braked earlier here.
        assert!(deepest < 1.1 * dip, "{deepest} {dip}");
        assert!(from == 0.0 || deepest > 0.9 * dip, "{deepest} {dip}");
    }
}
