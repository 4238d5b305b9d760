//! A gripper with soft pads that lets a bar turn in its grip, and holds it again [Castro Fig. 16, 17].
//!
//! The bar is held beside its middle, so that its weight turns it. The friction moment over the contact area holds it.
//! That moment grows faster than the force, because the area grows too; a single contact point per finger could not
//! hold the bar.

use super::parts::{add_floor, cuboid};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{
    BodyDef, BodyId, CollisionGroup, Compliance, Coupling, Geometry, JointDef, JointId, Material,
    ModelBuilder, ShapeDef,
};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "grasp",
    summary: "a gripper with soft pads whose force follows a square wave; the bar it holds turns while the force is low",
    params: &[
        Param::new(
            "low",
            1.0,
            (0.0, 100.0),
            "force of a finger in the loose phase, N",
        ),
        Param::new(
            "high",
            16.0,
            (0.0, 100.0),
            "force of a finger in the firm phase, N",
        ),
        Param::new("period", 6.0, (0.1, 100.0), "period of the square wave, s"),
        Param::new(
            "duty",
            0.75,
            (0.0, 1.0),
            "share of a period with the high force, at its start",
        ),
        Param::new(
            "offset",
            0.0175,
            (0.0, 0.1),
            "from the grip to the bar's centre of mass, m",
        ),
        Param::new("friction", 1.0, (0.0, 10.0), "friction coefficient"),
        Param::new(
            "stiction",
            1e-5,
            (0.0, 1.0),
            "slip parameter σ_s of what sticks; the paper has 1e-3",
        ),
        Param::new(
            "spacing",
            0.004,
            (0.001, 0.02),
            "distance between samples of a pad, m",
        ),
    ],
    build,
};

/// Height of the grip above the floor, m.
const HEIGHT: f64 = 0.4;
/// Half the length, thickness and height of the bar, and half the edge of the weights at its ends, m.
const BAR: [f64; 3] = [0.3, 0.008, 0.01];
const WEIGHT: f64 = 0.015;
/// Masses of the bar and of each weight, kg. The lighter finger holds 2 N.
const BAR_MASS: f64 = 0.03;
const WEIGHT_MASS: f64 = 0.025;
/// Semi-axes of a pad, m, and its modulus, N/m³: 16 N press it in by about 5 mm.
const PAD: [f64; 3] = [0.04, 0.012, 0.04];
const MODULUS: f64 = 4e6;
const DISSIPATION_TIME: f64 = 0.02;
/// How far the pads are pressed in at the start, m.
const DEPTH: f64 = 0.004;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let bare = Material::with_friction(p.get("friction"));
    let soft = Material {
        compliance: Compliance::Pad {
            modulus: MODULUS,
            dissipation_time: DISSIPATION_TIME,
            spacing: p.get("spacing"),
        },
        ..bare
    };
    let mut b = ModelBuilder::new();
    add_floor(&mut b, bare);
    add_bar(&mut b, p.get("offset"), bare);
    let fingers =
        [("left", 1.0), ("right", -1.0)].map(|(name, side)| finger(&mut b, name, side, soft));
    // The fingers of a parallel gripper close together.
    let [left, right] = fingers;
    b.add_coupling(Coupling::new(
        "gripper",
        &[(left, 0, 1.0), (right, 0, -1.0)],
        0.0,
    ));
    let (low, high) = (p.get("low"), p.get("high"));
    let (period, duty) = (p.get("period"), p.get("duty"));
    let mut scene = Scene::new(b.build()?);
    scene.settings.dt = 5e-3;
    // Samples that the pad has not reached yet need no row.
    scene.settings.contact.margin = 1e-4;
    scene.settings.contact.stiction = p.get("stiction");
    Ok(scene.scripted(move |model, state, control| {
        let firm = state.time.rem_euclid(period) < duty * period;
        for joint in fingers {
            control.force(model, joint, if firm { high } else { low });
        }
    }))
}

/// A bar along x with a weight at each end, its centre `offset` (m) ahead of the grip.
fn add_bar(b: &mut ModelBuilder, offset: f64, material: Material) -> BodyId {
    let rod = MassProperties::solid_box(BAR_MASS, Vec3::from(BAR));
    let end = MassProperties::solid_box(WEIGHT_MASS, Vec3::repeat(WEIGHT));
    let arm = BAR[0] - WEIGHT;
    let moments = (rod.inertia + 2.0 * end.inertia).diagonal()
        + 2.0 * WEIGHT_MASS * arm * arm * Vec3::new(0.0, 1.0, 1.0);
    let mass = MassProperties::principal(BAR_MASS + 2.0 * WEIGHT_MASS, moments);
    let bar = b.add_body(BodyDef::new("bar", mass).at(offset, 0.0, HEIGHT));
    let [x, y, z] = BAR;
    b.add_shape(bar, ShapeDef::new(cuboid(x, y, z)).material(material));
    for (name, side) in [("head", 1.0), ("tail", -1.0)] {
        let shape = ShapeDef::new(cuboid(WEIGHT, WEIGHT, WEIGHT)).name(name);
        b.add_shape(
            bar,
            shape
                .pose(Pose::at(side * arm, 0.0, 0.0))
                .material(material),
        );
    }
    bar
}

/// A finger that slides along y, with its pad on the side of the bar.
fn finger(b: &mut ModelBuilder, name: &str, side: f64, soft: Material) -> JointId {
    let y = side * (BAR[1] + PAD[1] - DEPTH);
    let mass = MassProperties::solid_box(0.1, Vec3::new(0.04, 0.02, 0.04));
    let body = b.add_body(BodyDef::new(format!("{name} finger"), mass).at(0.0, y, HEIGHT));
    let pad = Geometry::Ellipsoid {
        radii: Vec3::from(PAD),
    };
    b.add_shape(
        body,
        ShapeDef::new(pad)
            .name(format!("{name} pad"))
            .material(soft)
            .colour([0.85, 0.75, 0.35, 1.0]),
    );
    // The jaw behind the pad is only seen.
    let jaw = ShapeDef::new(cuboid(0.03, 0.006, 0.03)).pose(Pose::at(0.0, side * 0.012, 0.0));
    b.add_shape(body, jaw.group(CollisionGroup::NONE));
    b.add_joint(
        JointDef::prismatic(name, None, body)
            .anchor(0.0, y, HEIGHT)
            .axis(0.0, -side, 0.0)
            .damping(5.0),
    )
}
