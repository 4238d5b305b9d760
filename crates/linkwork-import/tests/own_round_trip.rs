//! Mechanisms written in the own format and read again are the same to the bit, and so are runs.

mod common;

use common::import;
use common::kinds::of_every_kind;
use linkwork::actuators::{Actuator, Dynamics, FluidBox, Muscle, MuscleLag, Transmission};
use linkwork::math::{Mat3, Vec3};
use linkwork::model::{
    ActuatorId, Aim, BodyId, Camera, CollisionGroup, Frame, FrameId, Geometry, Image, JointId,
    Keyframe, KeyframeBody, Lens, Mapping, Mark, MarkLines, Model, Pattern, Shape, ShapeId,
    ShapeTexture, Texture,
};
use linkwork::sensors::{
    ContactField, ContactQuery, LimitOf, Nearest, Reading, Reduce, Section, SectionPart, Sensor,
};
use linkwork::{Run, Simulator};
use linkwork_import::{Options, load, own};
use linkwork_scenes::{all_scenes, scene};
use std::sync::Arc;

/// Write `text` to a file of this name and load it.
fn through(name: &str, text: &str) -> Arc<Model> {
    let imported = import(name, text, &Options::default());
    imported.unwrap_or_else(|e| panic!("{e}")).model
}

fn hashes(model: &Arc<Model>, scene_name: &str) -> Vec<u64> {
    let original = scene(scene_name, &[]).unwrap();
    let simulator = Simulator::new(model.clone(), original.settings).unwrap();
    let mut run = Run::new(simulator, original.script);
    (0..100)
        .map(|_| {
            run.step().unwrap();
            run.simulator().state().hash()
        })
        .collect()
}

fn assert_same(a: &Model, b: &Model, what: &str) {
    assert_eq!(a.bodies(), b.bodies(), "{what}");
    assert_eq!(a.shapes(), b.shapes(), "{what}");
    assert_eq!(a.excluded(), b.excluded(), "{what}");
    assert_eq!(a.pairs(), b.pairs(), "{what}");
    assert_eq!(a.hash(), b.hash(), "{what}");
    let start = |m: &Model| m.initial_state().hash();
    assert_eq!(start(a), start(b), "{what}");
    assert_eq!(a.name(), b.name());
    assert_eq!(a.timestep(), b.timestep());
    assert_eq!(a.links(), b.links(), "{what}");
    assert_eq!(a.labels(), b.labels(), "{what}");
    assert_eq!(a.tree(), b.tree(), "{what}");
    assert_eq!(a.actuators(), b.actuators());
    assert_eq!(a.frames(), b.frames());
    assert_eq!(a.cameras(), b.cameras());
    assert_eq!(a.textures(), b.textures());
    assert_eq!(a.sensors(), b.sensors());
    assert_eq!(a.keyframes(), b.keyframes());
    assert_eq!(a.fluid(), b.fluid());
}

#[test]
fn every_scene_survives_toml_and_json_to_the_bit_and_so_do_its_first_hundred_steps() {
    for entry in all_scenes() {
        let model = scene(entry.name, &[]).unwrap().model;
        let steps = hashes(&model, entry.name);
        let original = model.named(entry.name, None);
        for (end, text) in [
            ("toml", own::to_toml(&original)),
            ("json", own::to_json(&original)),
        ] {
            let name = format!("{}.linkwork.{end}", entry.name);
            let again = through(&name, &text);
            assert_same(&original, &again, &name);
            assert_eq!(steps, hashes(&again, entry.name), "{name}");
        }
    }
}

/// What surrounds a model in files: numbers that no decimal fraction meets, and names that need quotes.
#[test]
fn everything_around_a_model_survives() {
    let model = scene("quadruped", &[]).unwrap().model;
    let mut original = model.data().clone();
    original.name = "a \"quoted\" näme\\".to_owned();
    let third = 1.0 / 3.0;
    original.timestep = Some(0.1 * third);
    let mut local = model.bodies()[1].pose;
    local.position.x = -0.0;
    original.frames = vec![
        Frame {
            name: "tip of leg".to_owned(),
            body: Some(BodyId(2)),
            local,
        },
        Frame {
            name: "origin".to_owned(),
            body: None,
            local,
        },
    ];
    let joint = JointId(1);
    let section = Section {
        parts: vec![
            SectionPart::whole(&original, BodyId(2)),
            SectionPart {
                body: Some(BodyId(1)),
                mass: third,
                com: Vec3::new(0.1, 0.0, third),
                inertia: Mat3::new(0.3, 0.01, third, 0.01, 0.2, 0.0, third, 0.0, 0.4),
                root: true,
                shapes: vec![ShapeId(0), ShapeId(2)],
            },
            SectionPart {
                body: None,
                mass: 2.0,
                com: Vec3::zeros(),
                inertia: Mat3::identity(),
                root: false,
                shapes: Vec::new(),
            },
        ],
        closures: vec![(JointId(0), true), (JointId(1), false)],
    };
    let readings = [
        Reading::Position {
            joint,
            coordinate: 0,
        },
        Reading::Velocity {
            joint,
            coordinate: 0,
        },
        Reading::Effort {
            joint,
            coordinate: 0,
        },
        Reading::FramePosition {
            frame: FrameId(0),
            reference: Some(FrameId(1)),
        },
        Reading::FrameOrientation {
            frame: FrameId(1),
            reference: None,
        },
        Reading::FrameAxis {
            frame: FrameId(0),
            axis: 2,
            reference: Some(FrameId(1)),
        },
        Reading::LinearVelocity {
            frame: FrameId(0),
            local: true,
            reference: None,
        },
        Reading::AngularVelocity {
            frame: FrameId(1),
            local: false,
            reference: Some(FrameId(0)),
        },
        Reading::Acceleration {
            frame: FrameId(0),
            local: true,
        },
        Reading::AngularAcceleration { frame: FrameId(0) },
        Reading::Force {
            frame: FrameId(0),
            section: section.clone(),
        },
        Reading::Torque {
            frame: FrameId(0),
            section,
        },
        Reading::Touch {
            frame: FrameId(0),
            volume: Geometry::Capsule {
                radius: third,
                half_length: 0.1,
            },
            shapes: vec![ShapeId(1)],
        },
        Reading::Field {
            frame: FrameId(0),
            field: Vec3::new(0.0, third, 1.0),
        },
        Reading::CentreVelocity {
            bodies: vec![BodyId(0)],
        },
        Reading::AngularMomentum {
            bodies: vec![BodyId(1)],
        },
        Reading::CentreOfMass {
            bodies: vec![BodyId(0), BodyId(3)],
        },
        Reading::Clock,
        Reading::ActuatorActivation {
            actuator: ActuatorId(3),
        },
        Reading::Contacts {
            query: Box::new(ContactQuery {
                first: Some(vec![ShapeId(1), ShapeId(0)]),
                second: None,
                volume: Some((FrameId(1), Geometry::Sphere { radius: third })),
                reduce: Reduce::Strongest,
                fields: vec![
                    ContactField::Found,
                    ContactField::Torque,
                    ContactField::Tangent,
                ],
                slots: 3,
            }),
        },
        Reading::LimitGap {
            limit: LimitOf::Coordinate {
                joint,
                coordinate: 0,
            },
        },
        Reading::LimitRate {
            limit: LimitOf::Coordinate {
                joint,
                coordinate: 0,
            },
        },
        Reading::LimitForce {
            limit: LimitOf::Coordinate {
                joint,
                coordinate: 0,
            },
        },
        Reading::PotentialEnergy { fixed: third },
        Reading::KineticEnergy,
        Reading::Inside {
            frame: FrameId(0),
            volume: Geometry::Sphere { radius: third },
            object: FrameId(1),
        },
        Reading::Projection {
            frame: FrameId(0),
            camera: FrameId(1),
            focal: [third, 100.0],
            size: [640.0, 480.0],
        },
        Reading::Nearest {
            from: vec![ShapeId(0)],
            to: vec![ShapeId(1), ShapeId(2)],
            within: third,
            value: Nearest::Points,
        },
    ];
    original.sensors = readings
        .into_iter()
        .enumerate()
        .map(|(i, reading)| Sensor {
            cutoff: (i % 2 == 1).then_some(third),
            ..Sensor::new(format!("sensor {i}"), reading)
        })
        .collect();
    original.fluid = vec![FluidBox {
        frame: original.frames[0].clone(),
        size: Vec3::new(third, 0.2, 0.1),
        density: third,
        viscosity: 0.5,
        wind: Vec3::new(0.0, third, 0.0),
    }];
    let actuator = |name: &str, transmission, bias| Actuator {
        name: name.to_owned(),
        transmission,
        gain: third,
        bias,
        muscle: None,
        dynamics: (bias[0] > 0.0).then_some(Dynamics {
            time_constant: Some(third),
            muscle: None,
            range: Some([-0.5, third]),
        }),
        control_range: Some([-third, 2.0]),
        force_range: None,
    };
    original.actuators = vec![
        actuator(
            "motor",
            Transmission::Coordinate {
                joint,
                coordinate: 0,
                gear: -third,
            },
            [0.25, 0.0, 0.0],
        ),
        actuator(
            "thruster",
            Transmission::Frame {
                frame: FrameId(0),
                gear: [0.0, 1.0, -0.0, third, 0.0, 0.0],
            },
            [0.0; 3],
        ),
        actuator(
            "cup",
            Transmission::Adhesion {
                shapes: vec![ShapeId(2), ShapeId(0)],
            },
            [0.0; 3],
        ),
        Actuator {
            muscle: Some(Muscle {
                force: third,
                length_range: [-third, 2.0],
                range: [0.75, 1.0 + third],
                active: [third, 1.6],
                fastest: 1.5,
                passive: third,
                lengthening: 1.0 + third,
            }),
            dynamics: Some(Dynamics {
                time_constant: Some(third),
                muscle: Some(MuscleLag {
                    deactivation: 0.1 * third,
                    smoothing: third,
                }),
                range: None,
            }),
            ..Actuator::motor("muscle", joint)
        },
    ];
    let camera = |name: &str, lens, aim| Camera {
        frame: Frame {
            name: name.to_owned(),
            ..original.frames[0].clone()
        },
        lens,
        aim,
    };
    let angle = Lens::Perspective {
        field_of_view: third,
    };
    original.cameras = vec![
        camera("fixed", angle, Aim::Fixed),
        camera("beside", Lens::Orthographic { height: third }, Aim::Follow),
        camera("at", angle, Aim::LookAt { target: BodyId(2) }),
    ];
    let png = [
        &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..],
        &[0, 0, 0, 2, 0, 0, 0, 3],
    ]
    .concat();
    let mark = Some(Mark {
        lines: MarkLines::Cross,
        colour: [third, 0.0, 1.0],
    });
    let colours = [[third, 0.5, 1.0], [0.0, 1.0, third]];
    let patterns = [
        Pattern::Checker { colours, mark },
        Pattern::Gradient {
            colours,
            mark: None,
        },
        Pattern::Flat {
            colour: colours[0],
            mark,
        },
        Pattern::Image {
            image: Image::new(png).unwrap(),
        },
    ];
    let named = |(i, pattern): (usize, Pattern)| Texture {
        name: format!("texture {i}"),
        pattern,
    };
    original.textures = patterns.into_iter().enumerate().map(named).collect();
    let repeat = [third, -1.0];
    let half_extents = Vec3::new(third, 0.5, 1.0);
    let mappings = [Mapping::Plane { repeat }, Mapping::Cube { half_extents }];
    for (i, mapping) in mappings.into_iter().enumerate() {
        original.shapes[i].texture = Some(ShapeTexture {
            texture: i,
            mapping,
        });
    }
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, third, 0.0]];
    let coordinates = Arc::new(vec![[[third as f32, 0.0], [1.0, 0.1], [-2.5, 1e-9]]]);
    let skin = Shape {
        name: "skin".to_owned(),
        geometry: Geometry::TriangleMesh {
            vertices: Arc::new(corners.map(Vec3::from).to_vec()),
            triangles: Arc::new(vec![[0, 1, 2]]),
        },
        group: CollisionGroup::NONE,
        texture: Some(ShapeTexture {
            texture: 3,
            mapping: Mapping::Corners { coordinates },
        }),
        ..original.shapes[0].clone()
    };
    original.shapes.push(skin);
    original.keyframes = vec![Keyframe {
        name: "crouch".to_owned(),
        time: third,
        joints: vec![(JointId(3), vec![-third]), (JointId(0), vec![third])],
        rates: vec![(JointId(2), vec![1e-300])],
        bodies: vec![KeyframeBody {
            body: BodyId(0),
            pose: local,
            twist: model.bodies()[0].twist,
        }],
        controls: vec![third, -0.0, 1.0],
        activations: vec![0.0, third],
    }];
    original.links = model.links().to_vec();
    original.links.swap(0, 2);
    original.links[1].mass *= third;
    original.joints[0].labels = Some(vec!["hip.x".to_owned()]);
    let tree = model.tree();
    original.tree = Some(tree[..tree.len() - 1].to_vec());
    let original = original.build().unwrap();
    let toml = own::to_toml(&original);
    assert_same(&original, &through("around.linkwork.toml", &toml), &toml);
    let json = own::to_json(&original);
    assert_same(&original, &through("around.linkwork.json", &json), &json);
}

#[test]
fn every_joint_type_coupling_tendon_and_pair_survives() {
    let original = of_every_kind().named("kinds", None);
    let toml = own::to_toml(&original);
    assert_same(&original, &through("kinds.linkwork.toml", &toml), &toml);
    let json = own::to_json(&original);
    assert_same(&original, &through("kinds.linkwork.json", &json), &json);
    // A written file is written again as it is.
    let again = through("kinds-again.linkwork.toml", &toml);
    assert_eq!(own::to_toml(&again), toml);
}

/// Robots with loops, chains, tendons and meshes, from MuJoCo and URDF files; MuJoCo's with their softness.
#[test]
fn third_party_robots_survive() {
    let Some(models) = common::models() else {
        return;
    };
    for file in [
        "agility_cassie/cassie.xml",
        "robotiq_2f85/2f85.xml",
        "iit_softfoot/softfoot.xml",
        "shadow_hand/right_hand.xml",
        "epr_robot_delta/robot.urdf",
        "epr_disney_robot/robot.urdf",
    ] {
        let options = Options::with(|s| s.soft = file.ends_with(".xml"));
        let original = load(&models.join(file), &options);
        let original = original.unwrap_or_else(|e| panic!("{e}")).model;
        let name = file.replace('/', "-");
        let toml = through(&format!("{name}.linkwork.toml"), &own::to_toml(&original));
        assert_same(&original, &toml, file);
        let json = through(&format!("{name}.linkwork.json"), &own::to_json(&original));
        assert_same(&original, &json, file);
    }
}
