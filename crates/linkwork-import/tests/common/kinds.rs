//! A model with everything that the own format must carry.

use linkwork::joints::{self, Chain, ChainLink};
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{
    Anchor, BodyDef, BodyId, Compliance, Coupling, Drive, Geometry, Impedance, JointDef,
    JointSoftness, Limits, Material, Model, ModelBuilder, PairMaterial, Reference, ShapeDef,
    Softness, Tendon, Waypoint, WrapForm,
};
use std::sync::Arc;

fn softness(reference: Reference) -> Softness {
    let impedance = Impedance {
        at_zero: 0.1 + 0.2,
        reference,
        ..Impedance::default()
    };
    Softness {
        impedance,
        inverse_inertia: 1.0 / 7.0,
    }
}

/// A mechanism with a joint of every type, and couplings, tendons and pairs with everything they can have.
pub fn of_every_kind() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let mut joints = Vec::new();
    let mut kinds = joints::all();
    let slant = Vec3::new(1.0, 2.0, 3.0).normalize();
    let links = vec![
        ChainLink::hinge(slant, Vec3::new(0.1, 0.0, 1.0 / 3.0)).offset(0.7),
        ChainLink::slide(Vec3::x()).offset(-0.2),
        ChainLink::hinge(Vec3::z(), Vec3::zeros()),
    ];
    kinds.push(Arc::new(Chain { links }));
    for (i, kind) in kinds.into_iter().enumerate() {
        let x = 0.3 * i as f64;
        let mass = MassProperties::solid_box(1.0 / 3.0, Vec3::new(0.1, 0.2, 0.3));
        let mass = mass.with_com(Vec3::new(0.1, 0.07, -0.01));
        let pose = Pose::at(x, 0.1, 0.2).rotated(slant * (0.1 + x));
        let body = b.add_body(BodyDef::new(format!("body {i}"), mass).pose(pose));
        let name = format!("{} {i}", kind.name());
        let mut def = JointDef::of(name, kind.clone(), None, body).frame(pose);
        if i % 2 == 0 {
            def = def.softness(JointSoftness {
                impedance: softness(Reference::default()).impedance,
                inverse_mass: 1.0 / 3.0,
                inverse_inertia: 70.0,
                radius: 0.1 * x,
            });
        }
        if kind.rotation_vector().is_some() {
            def = def.turn_limits(Limits {
                restitution: 1.0 / 3.0,
                ..Limits::new(f64::NEG_INFINITY, 3.0 + 0.01 * x)
            });
        }
        for c in 0..kind.coordinates().len() {
            def = def.with(c, |a| {
                a.limits = Some(Limits {
                    min: f64::NEG_INFINITY,
                    max: 9.0 + x,
                    restitution: 0.1,
                    softness: (c == 0).then_some(softness(Reference::Direct {
                        stiffness: 100.0 / 3.0,
                        damping: 0.0,
                    })),
                });
                a.drive = Some(Drive {
                    stiffness: x,
                    damping: 1.0 / 3.0,
                    effort_limit: (c > 0).then_some(7.0),
                });
                if kind.name() == "free" {
                    a.drive = Some(Drive::RIGID);
                }
                a.spring.rest = -x;
                a.armature = 0.01;
                a.friction = 1.0 / 7.0;
            });
        }
        let turns =
            vec![if kind.name() == "revolute" { 12.6 } else { 0.0 }; kind.coordinates().len()];
        joints.push(b.add_joint(def.coordinates(&turns)));
    }
    let (y, x) = (joints[1], joints[2]);
    let cam = [0.1, 0.0, 1.0 / 3.0, -0.2, 0.05];
    b.add_coupling(Coupling::polynomial("cam", y, x, (0.3, -0.1), cam));
    let mimic = Coupling::mimic("follower", y, x, -1.0 / 3.0, 0.25);
    b.add_coupling(mimic.soft(softness(Reference::default())));
    let terms = [(y, 0, 1.0 / 3.0), (x, 0, -2.0)];
    b.add_tendon(
        Tendon::new("cord", &terms)
            .limits(-1.0, 1.0)
            .spring(3.0, 0.1, 0.2),
    );
    let side = Some(Anchor::new(None, Vec3::new(1.0 / 3.0, 0.0, 2.0)));
    let path = [
        Waypoint::Pulley { divisor: 3.0 },
        Waypoint::Point(Anchor::new(Some(BodyId(0)), Vec3::new(0.1, 1.0 / 3.0, 0.0))),
        Waypoint::Wrap {
            body: Some(BodyId(1)),
            pose: Pose::at(0.1, -0.0, 0.3).rotated(Vec3::new(0.3, 0.2, 0.1)),
            form: WrapForm::Cylinder,
            radius: 1.0 / 3.0,
            side,
        },
        Waypoint::Point(Anchor::new(None, Vec3::zeros())),
    ];
    b.add_tendon(Tendon::spatial("belt", path).spring(1.0, 0.5, 0.0));
    let ball = |name: &str| {
        let material = Material {
            torsional_friction: 1.0 / 300.0,
            rolling_friction: 1.0 / 7000.0,
            clearance: 1.0 / 3.0,
            priority: -7,
            ..Material::default()
        };
        let shape = ShapeDef::new(Geometry::Sphere { radius: 0.1 });
        let shape = shape.colour([0.1, 1.0 / 3.0, 0.0, 1.0]);
        shape.name(name).material(material)
    };
    let shapes = [0, 1, 2].map(|i| b.add_shape(BodyId(i), ball(&format!("ball {i}"))));
    let pad = Material {
        compliance: Compliance::Pad {
            modulus: 1e7 / 3.0,
            dissipation_time: 0.01,
            spacing: 0.02,
        },
        ..Material::default()
    };
    let pad = ShapeDef::new(Geometry::Sphere { radius: 0.1 }).material(pad);
    b.add_shape(BodyId(0), pad.name("pad"));
    let pair = |friction: f64, compliance| PairMaterial {
        friction,
        torsional_friction: friction / 100.0,
        rolling_friction: friction / 700.0,
        restitution: 0.25,
        compliance,
        clearance: 1.0 / 7.0,
    };
    let soft = softness(Reference::default());
    let [like_paper, like_mujoco] = [
        Compliance::Impedance(soft.impedance),
        Compliance::Soft(soft),
    ];
    b.pair(shapes[2], shapes[0], pair(1.0 / 3.0, like_paper));
    b.pair(shapes[2], shapes[1], pair(0.0, like_mujoco));
    b.pair(shapes[0], shapes[1], pair(0.5, Compliance::Rigid));
    b.build().unwrap()
}
