//! A seven-axis arm on a stand that sweeps to its stops, presses on a table and folds onto itself.

use super::parts::{add_floor, cuboid};
use super::robot::{Hinge, Part, Servo, Skeleton, pass, track};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{JointId, Material, Model, ModelBuilder, ShapeDef};
use std::sync::Arc;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "arm7",
    summary: "a seven-axis arm that meets its stops, a table, the floor and itself: 41 rows on 8 bodies",
    params: &[
        Param::new("friction", 0.5, (0.0, 10.0), "friction coefficient"),
        Param::new(
            "pace",
            1.0,
            (0.1, 3.0),
            "speed of the motion, times its own",
        ),
        Param::new(
            "strength",
            1.0,
            (0.1, 10.0),
            "strength of the motors, times their own",
        ),
    ],
    build,
};

/// Height of the shoulder, m; elbow and wrist follow at these distances.
const SHOULDER: f64 = 0.34;
const ELBOW: f64 = SHOULDER + 0.40;
const WRIST: f64 = ELBOW + 0.40;
/// Height of the table's top, m.
const TABLE: f64 = 0.3;

/// An axis: height (m), whether it bends the arm (about y) or turns it (about z), limit either way
/// (rad), and torque of its motor (N m).
struct AxisDef(&'static str, f64, bool, f64, f64);

const AXES: [AxisDef; 7] = [
    AxisDef("shoulder_turn", 0.15, false, 2.9, 320.0),
    AxisDef("shoulder_bend", SHOULDER, true, 2.0, 320.0),
    AxisDef("upper_turn", 0.54, false, 2.9, 176.0),
    AxisDef("elbow", ELBOW, true, 2.6, 176.0),
    AxisDef("fore_turn", 0.94, false, 2.9, 110.0),
    AxisDef("wrist_bend", WRIST, true, 2.1, 40.0),
    AxisDef("flange_turn", WRIST + 0.08, false, 3.0, 40.0),
];

/// Angles of the seven axes (rad) at times (s). Some lie beyond a stop: the motor leans on it.
const MOTION: [(f64, [f64; 7]); 14] = [
    (0.3, START),
    // Round to the stop of the first axis, and to those of the turning ones on the way.
    (1.5, [3.1, 0.6, -1.0, 0.9, 3.1, 0.5, 3.2]),
    (1.9, [3.1, 0.6, -1.0, 0.9, 3.1, 0.5, 3.2]),
    (3.0, [-0.4, 0.5, 0.0, 1.4, 0.0, 1.2, 0.0]),
    // Down on the table, along it, and up.
    (3.6, [-0.4, 0.85, 0.0, 1.25, 0.0, 1.0, 0.0]),
    (4.6, [0.5, 0.85, 0.0, 1.25, 0.0, 1.0, 0.5]),
    (5.0, [0.5, 0.3, 0.0, 1.2, 0.0, 1.0, 0.0]),
    // Folded up: the hand on the upper arm, the elbow at its stop.
    (5.9, [0.5, -0.3, 0.0, 2.75, 0.0, 1.6, 0.0]),
    (6.5, [0.5, -0.3, 0.0, 2.75, 0.0, 1.6, 0.0]),
    // Over backwards, where the hand reaches the floor.
    (7.6, [-0.5, -1.6, 0.0, -0.9, 0.0, 0.3, 0.0]),
    (8.2, [-0.5, -2.2, 0.0, -0.5, 0.0, 0.3, 0.0]),
    (8.7, [-0.5, -2.2, 0.0, -0.5, 0.0, -2.3, 0.0]),
    (9.3, [0.0, -0.6, 2.0, 1.0, -2.0, 0.5, -3.2]),
    (10.0, START),
];
const START: [f64; 7] = [0.0, 0.3, 0.0, 1.2, 0.0, 0.9, 0.0];

fn build(p: &Params) -> Result<Scene, SceneError> {
    let (model, joints) = arm(p)?;
    let pace = p.get("pace");
    Ok(Scene::new(model).scripted(move |model, state, control| {
        track(model, control, &joints, state.time, |t| {
            pass(&MOTION, pace * t)
        });
    }))
}

fn arm(p: &Params) -> Result<(Arc<Model>, [JointId; 7]), SceneError> {
    let material = Material::with_friction(p.get("friction"));
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    add_table(&mut b, material);
    let mut arm = Skeleton::new(b, material);
    let mut base = arm.root(base_part(), Pose::identity());
    arm.anchor(base);
    let links = link_parts().into_iter().zip(AXES).zip(START);
    let mut joints = Vec::with_capacity(AXES.len());
    for ((part, AxisDef(name, height, bends, limit, torque)), start) in links {
        let hinge = Hinge {
            name: name.to_owned(),
            at: [0.0, 0.0, height],
            axis: if bends { Vec3::y() } else { Vec3::z() },
            limits: (-limit, limit),
            start,
            // So stiff that the weight of its load costs a few hundredths of a radian.
            servo: Servo {
                stiffness: 6.0 * torque,
                damping: 0.5 * torque,
                effort: p.get("strength") * torque,
            },
        };
        let link = arm.hang(base, hinge, part);
        joints.push(link.joint);
        base = link.body;
    }
    let joints = std::array::from_fn(|i| joints[i]);
    Ok((arm.build()?, joints))
}

/// A table in front of the arm with a block on it; both belong to the world.
fn add_table(b: &mut ModelBuilder, material: Material) {
    let boxes = [
        ("table_top", [0.22, 0.45, 0.02], [0.64, 0.0, TABLE - 0.02]),
        (
            "table_leg",
            [0.05, 0.3, 0.5 * TABLE - 0.02],
            [0.64, 0.0, 0.5 * TABLE - 0.02],
        ),
        ("block", [0.05, 0.05, 0.06], [0.6, 0.38, TABLE + 0.06]),
    ];
    for (name, [x, y, z], [at_x, at_y, at_z]) in boxes {
        let shape = ShapeDef::new(cuboid(x, y, z)).name(name);
        b.add_shape(
            None,
            shape.pose(Pose::at(at_x, at_y, at_z)).material(material),
        );
    }
}

/// The stand. It ends above the floor: welded and resting on it, it would be supported twice.
fn base_part() -> Part {
    Part::new("base", 5.862)
        .cylinder(0.12, [0.0, 0.0, 0.005], [0.0, 0.0, 0.03])
        .cylinder(0.085, [0.0, 0.0, 0.03], [0.0, 0.0, 0.15])
}

/// The seven links: upright housings that end in a cross housing at each bend.
fn link_parts() -> [Part; 7] {
    let upright = |name, mass, radius, from: f64, to: f64| {
        Part::new(name, mass).capsule(radius, [0.0, 0.0, from], [0.0, 0.0, to])
    };
    let across = |part: Part, radius, half: f64, height| {
        part.cylinder(radius, [0.0, -half, height], [0.0, half, height])
    };
    let hand = WRIST + 0.09;
    let finger = [0.012, 0.008, 0.035];
    [
        across(
            upright("shoulder", 4.0, 0.075, 0.22, 0.27),
            0.07,
            0.1,
            SHOULDER,
        ),
        upright("upper_arm", 3.6, 0.068, SHOULDER + 0.03, 0.5),
        across(
            upright("elbow_yoke", 2.8, 0.064, 0.58, 0.67),
            0.06,
            0.085,
            ELBOW,
        ),
        upright("forearm", 2.4, 0.056, ELBOW + 0.02, 0.9),
        across(
            upright("wrist_yoke", 1.7, 0.05, 0.98, 1.07),
            0.046,
            0.07,
            WRIST,
        ),
        upright("wrist", 1.2, 0.042, WRIST + 0.01, WRIST + 0.04),
        Part::new("gripper", 0.3)
            .cylinder(0.04, [0.0, 0.0, WRIST + 0.07], [0.0, 0.0, hand])
            .block([0.02, 0.055, 0.015], [0.0, 0.0, hand + 0.015])
            .block(finger, [0.0, 0.035, hand + 0.06])
            .block(finger, [0.0, -0.035, hand + 0.06]),
    ]
}
