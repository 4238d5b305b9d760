//! A gear train that lifts two loads through a differential and two racks.
//!
//! Four meshing wheels; the last is the carrier of a differential whose two outputs, on the same
//! shaft line, each move a rack that carries a load. The right rack has a brake: the left one
//! moves alone until the brake slips.

use super::parts::{LINKS, Solid, cuboid};
use super::planar::{Point, hinge, turning};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Vec3, rotation_between};
use linkwork::model::{BodyId, Coupling, Geometry, JointDef, JointId, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "gear_train",
    summary: "four gear wheels, a differential and two racks with loads, driven with limited effort",
    params: &[
        Param::new(
            "speed",
            6.0,
            (-100.0, 100.0),
            "speed of the driven wheel, rad/s; turns about every 2 s",
        ),
        Param::new("effort", 30.0, (0.0, 1e6), "effort limit of the drive, N m"),
        Param::new("load", 5.0, (0.01, 1e4), "mass of each load, kg"),
        Param::new(
            "brake",
            2.0,
            (0.0, 1e6),
            "dry friction of the right output, N m",
        ),
    ],
    build,
};

/// Teeth of the wheels.
const TEETH: [f64; 4] = [20.0, 40.0, 30.0, 60.0];
/// Pitch radius per tooth (half the module), m.
const RADIUS_PER_TOOTH: f64 = 0.005;
/// Pitch radius of the pinions on the differential's outputs, m.
const PINION: f64 = 0.1;
/// Distance of the outputs from the plane of the wheels, m.
const OFFSET: f64 = 0.1;
/// Height of the shafts, m.
const HEIGHT: f64 = 1.0;
/// The drive turns about after this time, s.
const PERIOD: f64 = 2.0;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let mut b = ModelBuilder::new();
    let mut shafts = Vec::new();
    let mut x = 0.0;
    for (i, teeth) in TEETH.into_iter().enumerate() {
        let radius = RADIUS_PER_TOOTH * teeth;
        // Wheels touch at their pitch circles.
        x += if i == 0 { 0.0 } else { radius };
        let wheel = add_wheel(
            &mut b,
            &format!("wheel{i}"),
            radius,
            &Vec3::new(x, 0.0, HEIGHT),
        );
        let mut shaft = hinge(format!("shaft{i}"), None, wheel, &Point::new(x, HEIGHT));
        if i == 0 {
            shaft = shaft.drive(0.0, 50.0).effort_limit(p.get("effort"));
        }
        let shaft = b.add_joint(shaft);
        if let Some(&last) = shafts.last() {
            b.add_coupling(Coupling::gear(
                format!("mesh{i}"),
                last,
                TEETH[i - 1],
                shaft,
                teeth,
            ));
        }
        shafts.push(shaft);
        x += radius;
    }
    let carrier_x = x - RADIUS_PER_TOOTH * TEETH[TEETH.len() - 1];
    let left = add_output(
        &mut b,
        "left",
        &Vec3::new(carrier_x, OFFSET, HEIGHT),
        p.get("load"),
        0.0,
    );
    let at = Vec3::new(carrier_x, -OFFSET, HEIGHT);
    let right = add_output(&mut b, "right", &at, p.get("load"), p.get("brake"));
    b.add_coupling(Coupling::differential(
        "differential",
        shafts[TEETH.len() - 1],
        left,
        right,
    ));

    let (driven, speed) = (shafts[0], p.get("speed"));
    Ok(
        Scene::new(b.build()?).scripted(move |model, state, control| {
            let back = (state.time / PERIOD) as u64 % 2 == 1;
            control.velocity_target(model, driven, if back { -speed } else { speed });
        }),
    )
}

/// A disc about −y.
fn add_wheel(b: &mut ModelBuilder, name: &str, radius: f64, at: &Vec3) -> BodyId {
    // 2 cm of plastic of 800 kg/m³: 800 π 0.02 ≈ 50 kg/m².
    let geometry = Geometry::Cylinder {
        radius,
        half_length: 0.01,
    };
    Solid::new(name, 50.0 * radius * radius, geometry)
        .pose(Pose::new(*at, rotation_between(&Vec3::z(), &turning(1.0))))
        .group(LINKS)
        .add(b)
}

/// An output of the differential: a pinion and a rack with a load. Returns the pinion's shaft.
fn add_output(b: &mut ModelBuilder, name: &str, at: &Vec3, load: f64, brake: f64) -> JointId {
    let pinion = add_wheel(b, &format!("{name}_pinion"), PINION, at);
    let shaft = b.add_joint(
        hinge(
            format!("{name}_shaft"),
            None,
            pinion,
            &Point::new(at.x, at.z),
        )
        .friction(brake),
    );
    // A rack at the pinion's −x side rises when it turns backwards.
    let rack_x = at.x - PINION - 0.02;
    let rack = Solid::new(format!("{name}_rack"), load, cuboid(0.02, 0.02, 0.5))
        .at(rack_x, at.y, at.z)
        .group(LINKS)
        .add(b);
    let slide = b.add_joint(
        JointDef::prismatic(format!("{name}_slide"), None, rack)
            .anchor(rack_x, at.y, at.z)
            .axis(0.0, 0.0, 1.0),
    );
    b.add_coupling(Coupling::rack_and_pinion(
        format!("{name}_mesh"),
        slide,
        shaft,
        -PINION,
    ));
    shaft
}
