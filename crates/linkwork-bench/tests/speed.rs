//! `linkwork bench speed`: measurements and fits.

mod support;

use linkwork_bench::speed::{
    Growth, Speed, SpeedCase, SpeedOptions, exponent, sizes, speed, tables,
};
use linkwork_bench::{Quiet, read_lines};
use support::Scratch;

const OPTIONS: SpeedOptions = SpeedOptions {
    repeats: 2,
    counter: None,
};

fn case(name: &str, set: &[(&str, f64)], time_s: f64) -> SpeedCase {
    SpeedCase::of_scene(name, set, time_s).unwrap()
}

fn measured(cases: &[SpeedCase]) -> Vec<Speed> {
    let scratch = Scratch::new();
    speed(&scratch.folder(), cases, &OPTIONS, &Quiet).unwrap()
}

#[test]
fn what_falls_moves_first_and_then_rests() {
    // A ball without restitution falls 0.5 m in 0.32 s.
    let ball = case("ball", &[("height", 0.5), ("restitution", 0.0)], 1.0);
    let [record] = &measured(&[ball])[..] else {
        panic!("one case");
    };
    let (moving, rest) = (
        record.moving.as_ref().unwrap(),
        record.rest.as_ref().unwrap(),
    );
    assert_eq!(moving.steps + rest.steps, 1000);
    assert!(moving.steps.abs_diff(319) <= 2, "{}", moving.steps);
    assert_eq!(rest.contacts, 1.0);
    assert!(
        record.penetration_rest <= 1e-9,
        "{}",
        record.penetration_rest
    );
    assert_eq!((record.failed, record.bodies, record.steps), (0, 1, 1000));
    assert!(
        record.rate_least <= record.steps_per_cpu_s && record.steps_per_cpu_s <= record.rate_most
    );
}

#[test]
fn what_stands_rests_from_the_start_and_what_swings_never_does() {
    let cases = [
        case("stack", &[("n", 3.0)], 0.05),
        case("pendulum", &[], 0.5),
    ];
    let records = measured(&cases);
    assert!(records[0].moving.is_none() && records[0].rest.is_some());
    assert!(records[1].moving.is_some() && records[1].rest.is_none());
    assert!(records[1].penetration_rest.is_nan());
    assert!(records[1].closure_max <= 1e-9);
}

#[test]
fn results_of_other_scenes_stay_and_those_of_the_same_are_replaced() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    for (name, time) in [("ball", 0.02), ("pendulum", 0.02), ("ball", 0.03)] {
        speed(&folder, &[case(name, &[], time)], &OPTIONS, &Quiet).unwrap();
    }
    let kept: Vec<Speed> = read_lines(&folder.speed()).unwrap();
    let kept: Vec<(&str, u64)> = kept.iter().map(|s| (s.name.as_str(), s.steps)).collect();
    assert_eq!(kept, [("pendulum", 20), ("ball", 30)]);
    let csv = std::fs::read_to_string(folder.root().join("speed.csv")).unwrap();
    assert_eq!(csv.lines().count(), 3, "{csv}");
}

#[test]
fn a_power_law_has_its_exponent() {
    let law = |p: f64| [1.0, 2.0, 5.0, 9.0].map(|x: f64| (x, 3.0 * x.powf(p)));
    for p in [-0.5, 0.0, 1.0, 2.75] {
        assert!((exponent(&law(p)).unwrap() - p).abs() <= 1e-12);
    }
    assert_eq!(exponent(&[(2.0, 1.0), (2.0, 3.0)]), None);
    assert_eq!(exponent(&[(2.0, 1.0)]), None);
}

#[test]
fn a_longer_pendulum_costs_more() {
    let mut cases = sizes("pendulum", &[32.0, 8.0]).unwrap();
    cases.iter_mut().for_each(|c| c.time_s = 0.1);
    let records = measured(&cases);
    let [growth] = &Growth::all(&records)[..] else {
        panic!("one scene, always moving");
    };
    assert_eq!(growth.time_us.len(), 2);
    assert!(growth.time_us[0].0 == 8.0, "the smallest first");
    let p = exponent(&growth.time_us).unwrap();
    assert!((0.3..2.0).contains(&p), "{p}");
    assert!(tables(&records).iter().any(|t| t.title.contains("size")));
}
