//! Compliant contact against its static equilibrium and the hard limit.

use linkwork::math::{MassProperties, Vec3};
use linkwork::model::*;
use linkwork::{Control, Settings, Simulator};
use linkwork_solve::Status;

const G: f64 = 9.81;
const MASS: f64 = 2.0;

/// Height change (m) of a box after resting for two seconds on a floor of the given compliance.
fn sink(compliance: Compliance, dt: f64) -> f64 {
    let half = Vec3::new(0.2, 0.15, 0.1);
    let material = Material {
        compliance,
        ..Material::default()
    };
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    let mass = MassProperties::solid_box(MASS, half);
    let body = b.add_body(BodyDef::new("box", mass).at(0.0, 0.0, half.z));
    let shape = ShapeDef::new(Geometry::Box { half_extents: half });
    b.add_shape(body, shape.material(material));
    let model = b.build().unwrap();
    let settings = Settings::with(|s| s.dt = dt);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let control = Control::new(&model);
    for _ in 0..(2.0 / dt) as usize {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged);
    }
    assert!(simulator.state().twists[0].linear.norm() < 1e-6, "at rest");
    simulator.state().poses[0].position.z - half.z
}

#[test]
fn a_spring_of_stiffness_k_yields_by_the_load_over_k() {
    // Four points share the weight; soft enough to be above the near-rigid floor.
    for (stiffness, dt) in [(1e4, 1e-3), (2e4, 5e-3)] {
        let physical = Compliance::Physical {
            stiffness,
            dissipation_time: 0.02,
        };
        let wanted = -MASS * G / (4.0 * stiffness);
        let got = sink(physical, dt);
        assert!((got - wanted).abs() < 1e-3 * wanted.abs(), "{got} {wanted}");
    }
}

#[test]
fn an_impedance_rests_where_its_reference_balances_the_load() {
    // At rest σ_N = R λ + dt k r = 0 with λ = m g dt/4, R = (1−d)/d D_nn and D_nn of a corner.
    let impedance = Impedance::default();
    let (a, b, c) = (0.2, 0.15, 0.1);
    let corner = 1.0 / MASS
        + 3.0 * b * b / (MASS * (b * b + c * c))
        + 3.0 * a * a / (MASS * (a * a + c * c));
    let force = MASS * G / 4.0;
    let balance = |r: f64| {
        let d = impedance.at(r);
        (1.0 - d) / d * corner * force + impedance.stiffness(r) * r
    };
    let got = sink(Compliance::Impedance(impedance), 2e-3);
    let slope = (balance(got + 1e-9) - balance(got - 1e-9)) / 2e-9;
    assert!(
        got < 0.0 && (balance(got) / slope).abs() < 1e-3 * got.abs(),
        "{got}"
    );
}

#[test]
fn an_impedance_out_of_range_is_refused_by_name() {
    let mut b = ModelBuilder::new();
    let soft = Impedance {
        at_width: 1.0,
        ..Impedance::default()
    };
    let material = Material {
        compliance: Compliance::Impedance(soft),
        ..Material::default()
    };
    b.add_shape(
        None,
        ShapeDef::new(Geometry::HalfSpace)
            .name("mat")
            .material(material),
    );
    let error = b.build().err().unwrap().to_string();
    assert!(
        error.contains("mat") && error.contains("impedance at width"),
        "{error}"
    );
}

fn softness(reference: Reference) -> Softness {
    let impedance = Impedance {
        at_zero: 0.6,
        at_width: 0.6,
        reference,
        ..Impedance::default()
    };
    Softness {
        impedance,
        inverse_inertia: 1.0 / MASS,
    }
}

#[test]
fn a_soft_surface_rests_where_its_reference_balances_the_load() {
    // (1 − d)/d w f = k r with f = m g/4 a corner, w = 1/m, k = K/d.
    let soft = softness(Reference::Direct {
        stiffness: 500.0,
        damping: 20.0,
    });
    let wanted = -0.4 * G / (4.0 * 500.0);
    let got = sink(Compliance::Soft(soft), 2e-3);
    assert!((got - wanted).abs() < 1e-6 * wanted.abs(), "{got} {wanted}");
}

/// Height (m) to which a ball dropped from `height` comes back from a soft floor.
fn rebound(soft: Softness, height: f64, dt: f64) -> f64 {
    let material = Material {
        compliance: Compliance::Soft(soft),
        ..Material::default()
    };
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    let ball = MassProperties::solid_sphere(MASS, 0.1);
    let body = b.add_body(BodyDef::new("ball", ball).at(0.0, 0.0, 0.1 + height));
    let shape = ShapeDef::new(Geometry::Sphere { radius: 0.1 });
    b.add_shape(body, shape.material(material));
    let model = b.build().unwrap();
    let settings = Settings::with(|s| s.dt = dt);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let control = Control::new(&model);
    let (mut touched, mut best) = (false, 0.0f64);
    for _ in 0..(0.7 / dt) as usize {
        simulator.step(&control).unwrap();
        let z = simulator.state().poses[0].position.z - 0.1;
        touched |= z < 0.0;
        if touched {
            best = best.max(z);
        }
    }
    best
}

/// Below the surface r̈ = −(1 − d) g − B ṙ − K r: without damping an elastic spring, with it the speed of a damped
/// oscillator after half a period, exp(−B π/(2 ω)); gravity changes this little.
#[test]
fn a_ball_bounces_off_a_soft_floor_as_off_a_spring() {
    let spring = softness(Reference::Direct {
        stiffness: 1e4,
        damping: 0.0,
    });
    let lost = [1e-3, 2.5e-4].map(|dt| 1.0 - rebound(spring, 0.1, dt) / 0.1);
    println!("lost {lost:.3?} of the height");
    assert!(lost[0].abs() < 0.05 && lost[1].abs() < 0.015, "{lost:?}");

    let (stiffness, damping) = (1e4, 40.0);
    let damped = softness(Reference::Direct { stiffness, damping });
    let omega: f64 = (stiffness - 0.25 * damping * damping).sqrt();
    let share = (-damping * std::f64::consts::PI / omega).exp();
    let got = rebound(damped, 0.1, 2.5e-4) / 0.1;
    assert!((got - share).abs() < 0.03, "{got} {share}");
}
