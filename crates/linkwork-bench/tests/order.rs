//! Orders of the integrators on smooth, rolling and sliding motion, and the energy of passive four-bars.

use linkwork::Integrator;
use linkwork_bench::order::{Motion, drift, order};

fn fitted(motion: Motion, integrator: Integrator) -> f64 {
    let errors = motion.errors(integrator).unwrap();
    let order = order(&motion.steps(integrator), &errors);
    println!(
        "{} {integrator}: {errors:?}, order {order:.3}",
        motion.name()
    );
    order
}

#[test]
fn midpoint_schemes_are_second_order_smooth_rolling_and_sliding() {
    for motion in Motion::ALL {
        for integrator in [Integrator::MIDPOINT, Integrator::Moreau] {
            assert!(fitted(motion, integrator) >= 1.9);
        }
    }
}

#[test]
fn euler_schemes_are_first_order_on_the_rolling_cylinder() {
    for integrator in [Integrator::SYMPLECTIC, Integrator::IMPLICIT] {
        let order = fitted(Motion::Cylinder(1.0), integrator);
        assert!((0.7..1.3).contains(&order), "{order}");
    }
}

#[test]
fn a_slope_is_found() {
    let steps = [0.4, 0.2, 0.1, 0.05];
    let found = order(&steps, &steps.map(|h: f64| 3.0 * h.powf(1.7)));
    assert!((found - 1.7).abs() < 1e-12);
}

#[test]
fn passive_four_bars_keep_their_energy_without_trend() {
    for integrator in [Integrator::SemiImplicitEuler, Integrator::Moreau] {
        for (name, set, time) in [
            ("fourbar_fixed", &[][..], 40.0),
            ("coupled_fourbars", &[("n", 4.0)][..], 10.0),
        ] {
            let found = drift(name, set, (integrator, None), time).unwrap();
            println!("{name} {integrator}: {found:?}");
            assert_eq!(found.failed, 0);
            assert!(found.most < 1e-4, "{}", found.most);
            assert!(found.trend.abs() < 1e-5, "{}", found.trend);
        }
    }
}
