//! Sensors of contacts and activations of a model built in Rust, and refused cameras, textures and sensors.

use linkwork::actuators::{Actuator, Dynamics};
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{
    ActuatorId, Aim, BodyDef, Geometry, Image, JointDef, Lens, Mapping, ModelBuilder, Pattern,
    ShapeDef, ShapeId, ShapeTexture, Texture,
};
use linkwork::sensors::{ContactField, ContactQuery, LastStep, Reading, Reduce, Sensor};
use linkwork::{Control, Settings, Simulator};

const MASS: f64 = 2.0;

/// A box on the ground, the ground as shape 0.
fn resting() -> ModelBuilder {
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    let half_extents = Vec3::new(0.2, 0.1, 0.05);
    let mass = MassProperties::solid_box(MASS, half_extents);
    let body = b.add_body(BodyDef::new("box", mass).at(0.0, 0.0, 0.05));
    b.add_shape(body, ShapeDef::new(Geometry::Box { half_extents }));
    b
}

fn query(reduce: Reduce, fields: &[ContactField], slots: usize) -> Reading {
    let query = Box::new(ContactQuery {
        first: Some(vec![ShapeId(0)]),
        second: Some(vec![ShapeId(1)]),
        volume: None,
        reduce,
        fields: fields.to_vec(),
        slots,
    });
    Reading::Contacts { query }
}

/// All contacts together carry the weight, below the centre; each has the same share, at its corner.
#[test]
fn contact_sensors_tell_the_weight_and_where_it_rests() {
    use ContactField::{Distance, Force, Found, Normal, Point};
    let mut b = resting();
    b.add_sensor(Sensor::new(
        "net",
        query(Reduce::Sum, &[Found, Force, Point], 1),
    ));
    b.add_sensor(Sensor::new("each", query(Reduce::None, &[Force, Point], 5)));
    b.add_sensor(Sensor::new(
        "near",
        query(Reduce::Nearest, &[Found, Distance, Normal], 1),
    ));
    let model = b.build().unwrap();
    let control = Control::new(&model);
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    for _ in 0..20 {
        simulator.step(&control).unwrap();
    }
    let last = LastStep::of_simulator(&simulator, &control).unwrap();
    let read = |i: usize| {
        model
            .read(&model.sensors()[i], simulator.state(), Some(&last))
            .unwrap()
    };
    let weight = MASS * 9.81;
    let near = |found: &[f64], expected: &[f64]| {
        let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        off.fold(0.0, f64::max)
    };
    let net = read(0);
    assert!(
        near(&net, &[4.0, 0.0, 0.0, weight, 0.0, 0.0, 0.0]) < 1e-6,
        "{net:?}"
    );
    let each = read(1);
    let mut corners = Vec::new();
    for slot in each[..24].chunks_exact(6) {
        // Along the normal, which is up, and the tangents.
        assert!(
            near(&slot[..3], &[weight / 4.0, 0.0, 0.0]) < 1e-6,
            "{slot:?}"
        );
        assert!((slot[3].abs() - 0.2).abs() < 1e-6 && (slot[4].abs() - 0.1).abs() < 1e-6);
        corners.push([slot[3] > 0.0, slot[4] > 0.0]);
    }
    corners.sort_unstable();
    corners.dedup();
    assert_eq!(corners.len(), 4);
    assert_eq!(each[24..], [0.0; 6], "no fifth contact");
    assert_eq!(model.sensors()[1].value_names()[6], "each.2.force.n");
    assert_eq!(model.sensors()[1].units(&model)[..4], ["N", "N", "N", "m"]);
    // Without forces it needs no step.
    assert!(!model.sensors()[2].needs_step());
    let start = model
        .read(&model.sensors()[2], &model.initial_state(), None)
        .unwrap();
    assert!(near(&start, &[4.0, 0.0, 0.0, 0.0, 1.0]) < 1e-9, "{start:?}");
}

/// A lag of time constant T under a constant control u has the activation u (1 − exp(−t/T)).
#[test]
fn activations_are_read_as_the_lag_has_them() {
    let mut b = ModelBuilder::new();
    let bar = MassProperties::solid_box(1.0, Vec3::new(0.02, 0.02, 0.2));
    let body = b.add_body(BodyDef::new("bar", bar));
    let joint = b.add_joint(JointDef::revolute("hinge", None, body).axis(0.0, 1.0, 0.0));
    let lag = Dynamics {
        time_constant: Some(0.05),
        muscle: None,
        range: None,
    };
    let actuator = b.add_actuator(Actuator {
        dynamics: Some(lag),
        ..Actuator::motor("pull", joint)
    });
    b.add_sensor(Sensor::new(
        "activation",
        Reading::ActuatorActivation { actuator },
    ));
    let model = b.build().unwrap();
    let mut control = Control::new(&model);
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    for step in 0..100 {
        simulator.step_actuated(&[0.8], &mut control).unwrap();
        let last = LastStep::of_simulator(&simulator, &control).unwrap();
        let read = model.read(&model.sensors()[0], simulator.state(), Some(&last));
        let expected = 0.8 * (1.0 - (-f64::from(step) * 1e-3 / 0.05_f64).exp());
        assert!((read.unwrap()[0] - expected).abs() < 1e-12);
    }
}

#[test]
fn wrong_cameras_textures_and_sensors_are_refused_by_name() {
    let refused = |change: &dyn Fn(&mut ModelBuilder)| {
        let mut b = resting();
        change(&mut b);
        b.build().err().expect("refused").to_string()
    };
    let none = refused(&|b| {
        b.add_sensor(Sensor::new("s", query(Reduce::None, &[], 1)));
    });
    assert!(none.contains("sensor 's'"), "{none}");
    let slots = refused(&|b| {
        b.add_sensor(Sensor::new(
            "s",
            query(Reduce::None, &[ContactField::Found], 0),
        ));
    });
    assert!(slots.contains("slots"), "{slots}");
    let plain = refused(&|b| {
        let body = linkwork::model::BodyId(0);
        let joint = b.add_joint(JointDef::revolute("f", None, body).axis(0.0, 1.0, 0.0));
        b.add_actuator(Actuator::motor("m", joint));
        let actuator = ActuatorId(0);
        b.add_sensor(Sensor::new("s", Reading::ActuatorActivation { actuator }));
    });
    assert!(plain.contains("dynamics"), "{plain}");
    let wide = refused(&|b| {
        let lens = Lens::Perspective { field_of_view: 4.0 };
        b.add_camera("eye", None, Pose::identity(), lens, Aim::Fixed);
    });
    assert!(
        wide.contains("camera 'eye'") && wide.contains("field of view"),
        "{wide}"
    );
    let missing = refused(&|b| {
        let mapping = Mapping::Plane { repeat: [1.0; 2] };
        let texture = ShapeTexture {
            texture: 3,
            mapping,
        };
        b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).texture(texture));
    });
    assert!(missing.contains("texture number 3"), "{missing}");
    let bright = refused(&|b| {
        let colour = [0.0, 2.0, 0.0];
        let pattern = Pattern::Flat { colour, mark: None };
        let name = "paint".to_owned();
        b.add_texture(Texture { name, pattern });
    });
    assert!(bright.contains("texture 'paint'"), "{bright}");
}

/// The header of an image has its format and size, before anything is decoded.
#[test]
fn images_are_judged_by_their_heads() {
    let png = |width: u32| {
        let head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
        [&head[..], &width.to_be_bytes(), &16u32.to_be_bytes()].concat()
    };
    let jpeg = |height: u16| {
        let before = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8];
        [&before[..], &height.to_be_bytes(), &16u16.to_be_bytes()].concat()
    };
    assert!(Image::new(png(8192)).is_ok() && Image::new(jpeg(8192)).is_ok());
    for file in [
        png(8193),
        png(0),
        jpeg(8193),
        jpeg(0),
        png(4)[..20].to_vec(),
        b"GIF89a".to_vec(),
        Vec::new(),
    ] {
        assert!(Image::new(file).is_err());
    }
    // Segments that lead nowhere end.
    assert!(Image::new([&[0xff, 0xd8][..], &[0xff; 64]].concat()).is_err());
    assert!(Image::new(vec![0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0]).is_err());
}
