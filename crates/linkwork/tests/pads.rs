//! Pads: the load, the area and the moment of friction of a sampled contact against the elastic foundation's closed forms.

use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::*;
use linkwork::{Control, Settings, Simulator};
use linkwork_solve::Status;
use std::f64::consts::PI;

const G: f64 = 9.81;

fn pad(modulus: f64, spacing: f64) -> Material {
    Material {
        compliance: Compliance::Pad {
            modulus,
            dissipation_time: 0.02,
            spacing,
        },
        ..Material::with_friction(0.4)
    }
}

/// A body of one shape on a rigid floor that is added before or after it.
fn on_floor(
    geometry: Geometry,
    mass: f64,
    height: f64,
    material: Material,
    floor_first: bool,
) -> Simulator {
    let mut b = ModelBuilder::new();
    let floor = || ShapeDef::new(Geometry::HalfSpace).material(Material::with_friction(0.4));
    if floor_first {
        b.add_shape(None, floor());
    }
    let unit = geometry.mass_properties(1.0).expect("a solid");
    let inertia = unit.inertia * (mass / unit.mass);
    let properties = MassProperties {
        mass,
        inertia,
        ..unit
    };
    let body = b.add_body(BodyDef::new("body", properties).at(0.0, 0.0, height));
    b.add_shape(body, ShapeDef::new(geometry).material(material));
    if !floor_first {
        b.add_shape(None, floor());
    }
    Simulator::new(b.build().unwrap(), Settings::default()).unwrap()
}

fn run(simulator: &mut Simulator, time: f64) {
    let control = Control::new(simulator.model());
    let steps = (time / simulator.settings().dt).round() as usize;
    for _ in 0..steps {
        assert_eq!(simulator.step(&control).unwrap().status, Status::Converged);
    }
}

#[test]
fn a_flat_pad_yields_by_its_load_over_modulus_and_area() {
    let half = Vec3::new(0.05, 0.03, 0.02);
    let (modulus, mass) = (1e7, 2.0);
    for floor_first in [true, false] {
        let form = Geometry::Box { half_extents: half };
        let mut simulator = on_floor(form, mass, half.z, pad(modulus, 0.01), floor_first);
        run(&mut simulator, 1.0);
        let wanted = -mass * G / (modulus * 4.0 * half.x * half.y);
        let got = simulator.state().poses[0].position.z - half.z;
        assert!((got - wanted).abs() < 1e-3 * wanted.abs(), "{got} {wanted}");
        // All of the face carries load, each sample its share.
        let forces = simulator.contact_forces();
        assert_eq!(forces.len(), 60);
        let area: f64 = forces.iter().map(|c| c.contact.area).sum();
        assert!((area - 4.0 * half.x * half.y).abs() < 1e-12);
        let each = mass * G * simulator.settings().dt / 60.0;
        assert!(
            forces
                .iter()
                .all(|c| (c.impulse.z.abs() - each).abs() < 1e-3 * each)
        );
    }
}

#[test]
fn a_round_pad_presses_over_an_area_that_grows_with_the_load() {
    // F = K ∫ (δ − r²/2R) dA = π K R δ² over the disc of radius √(2Rδ).
    let (radius, modulus, spacing) = (0.1, 8e6, 0.003);
    for mass in [1.0, 4.0] {
        let form = Geometry::Sphere { radius };
        let mut simulator = on_floor(form, mass, radius, pad(modulus, spacing), true);
        run(&mut simulator, 0.5);
        let wanted = (mass * G / (PI * modulus * radius)).sqrt();
        let depth = radius - simulator.state().poses[0].position.z;
        assert!((depth / wanted - 1.0).abs() < 0.03, "{depth} {wanted}");
        let forces = simulator.contact_forces();
        let loaded = forces.iter().filter(|c| c.impulse.norm() > 0.0);
        let area: f64 = loaded.map(|c| c.contact.area).sum();
        // Samples come in rings about the axis, so that the area is known to a ring.
        let across = (2.0 * radius * wanted).sqrt();
        let ring = 2.0 * PI * across * spacing;
        assert!((area - PI * across * across).abs() < ring, "{area}");
    }
}

#[test]
fn a_spinning_disc_stops_by_the_moment_of_friction_over_its_face() {
    // Uniform pressure: the moment is ⅔ μ m g R, and I = ½ m R², so that ω falls by 4 μ g/(3 R).
    let (radius, spin) = (0.06, 8.0);
    let form = Geometry::Cylinder {
        radius,
        half_length: 0.01,
    };
    let mut simulator = on_floor(form, 1.0, 0.01, pad(1e8, 0.004), true);
    run(&mut simulator, 0.3);
    let mut state = simulator.state().clone();
    state.twists[0].angular.z = spin;
    simulator.set_state(state).unwrap();
    let rate = 4.0 * 0.4 * G / (3.0 * radius);
    run(&mut simulator, 0.5 * spin / rate);
    let left = simulator.state().twists[0].angular.z;
    assert!((left / (0.5 * spin) - 1.0).abs() < 0.02, "{left}");
    run(&mut simulator, 0.6 * spin / rate);
    let left = simulator.state().twists[0].angular.z;
    assert!(left.abs() < 1e-5, "{left}");
}

#[test]
fn two_pads_act_in_series_and_the_finer_one_is_sampled() {
    let half = Vec3::new(0.05, 0.05, 0.02);
    let form = || Geometry::Box { half_extents: half };
    let mut b = ModelBuilder::new();
    let under = ShapeDef::new(form()).pose(Pose::at(0.0, 0.0, -half.z));
    b.add_shape(None, under.material(pad(3e7, 0.02)));
    let mass = 2.0;
    let body = BodyDef::new("body", MassProperties::solid_box(mass, half)).at(0.0, 0.0, half.z);
    let body = b.add_body(body);
    b.add_shape(body, ShapeDef::new(form()).material(pad(1e7, 0.01)));
    let mut simulator = Simulator::new(b.build().unwrap(), Settings::default()).unwrap();
    run(&mut simulator, 1.0);
    let wanted = -mass * G / (0.75e7 * 4.0 * half.x * half.y);
    let got = simulator.state().poses[0].position.z - half.z;
    assert!((got - wanted).abs() < 1e-3 * wanted.abs(), "{got} {wanted}");
    assert_eq!(simulator.contact_forces().len(), 100);
}

#[test]
fn a_pad_without_end_or_with_too_many_samples_is_refused() {
    let refused = |geometry: Geometry, spacing: f64| {
        let mut b = ModelBuilder::new();
        b.add_shape(
            None,
            ShapeDef::new(geometry)
                .name("pad")
                .material(pad(1e7, spacing)),
        );
        b.build().err().expect("it is refused").to_string()
    };
    let endless = refused(Geometry::HalfSpace, 0.01);
    assert!(
        endless.contains("`pad`") && endless.contains("box"),
        "{endless}"
    );
    let fine = refused(Geometry::Sphere { radius: 1.0 }, 1e-6);
    assert!(fine.contains("0.005 m"), "{fine}");
    let none = refused(Geometry::Sphere { radius: 1.0 }, 0.0);
    assert!(
        none.contains("spacing") && none.contains("positive"),
        "{none}"
    );
}
