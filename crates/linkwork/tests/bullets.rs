//! Thin bodies that spin as they fly at a thin wall.

use linkwork::math::{MassProperties, Pose, Quat, Vec3};
use linkwork::model::*;
use linkwork::{Control, Settings, Simulator};

/// Numbers in [0, 1), the same each time.
fn random(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64
}

/// How many of 60 bodies of this form, flying at `speed` (m/s) and spinning at `spin` (rad/s), pass a wall of 0.1 mm.
fn shoot(form: &Geometry, half: Vec3, speed: f64, spin: f64) -> usize {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let wall = Geometry::Box {
        half_extents: Vec3::new(5e-5, 5.0, 5.0),
    };
    b.add_shape(None, ShapeDef::new(wall));
    let mut seed = 7;
    for i in 0..60 {
        let mut symmetric = || 2.0 * random(&mut seed) - 1.0;
        let turn = Quat::from_scaled_axis(3.0 * Vec3::from_fn(|_, _| symmetric()));
        let axis = Vec3::from_fn(|_, _| symmetric()).normalize();
        let x = -0.15 + 0.1 * symmetric();
        let at = Vec3::new(x, 0.2 * f64::from(i % 10), 0.2 * f64::from(i / 10));
        let mass = MassProperties::solid_box(0.01, half);
        let body = BodyDef::new(format!("b{i}"), mass).pose(Pose::new(at, turn));
        let body = b.add_body(body.twist(Vec3::x() * speed, axis * spin));
        b.add_shape(body, ShapeDef::new(form.clone()));
    }
    let model = b.build().unwrap();
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let control = Control::new(&model);
    for _ in 0..(0.45 / speed / 1e-3) as usize + 20 {
        simulator.step(&control).unwrap();
    }
    let poses = &simulator.state().poses;
    poses.iter().filter(|p| p.position.x > 1e-3).count()
}

#[test]
fn spinning_rods_and_plates_do_not_pass_a_wall_of_a_tenth_of_a_millimetre() {
    let rod = Vec3::new(0.03, 0.001, 0.001);
    let plate = Vec3::new(0.02, 0.02, 2e-4);
    let needle = Geometry::Capsule {
        radius: 0.002,
        half_length: 0.02,
    };
    let cuboid = |half_extents| Geometry::Box { half_extents };
    let forms = [
        ("rod", cuboid(rod), rod),
        ("plate", cuboid(plate), plate),
        ("needle", needle, Vec3::new(0.002, 0.002, 0.022)),
    ];
    let mut passed = 0;
    for (name, form, half) in &forms {
        for (speed, spin) in [(5.0, 1000.0), (20.0, 0.0), (20.0, 1000.0), (20.0, 3000.0)] {
            let through = shoot(form, *half, speed, spin);
            println!("{name} at {speed} m/s, {spin} rad/s: {through} of 60 pass");
            passed += through;
        }
    }
    assert_eq!(passed, 0);
}
