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
    let settings = Settings {
        dt,
        ..Settings::default()
    };
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
