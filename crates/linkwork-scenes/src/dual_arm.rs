//! Two arms with hands open a jar, pour the marbles in it into a bowl, close it and put it back [Castro Fig. 1, 18–21].
//!
//! 160 degrees of freedom: 2 x 7 of the arms, 2 x 16 of the hands, jar, lid and bowl with 6 each, 16 marbles with 6 each. The plug of the
//! lid is a pad that sticks in the jar; all other contacts are rigid points.

mod objects;
mod reach;
mod robot;
mod task;

use super::parts::cuboid;
use super::robot::Skeleton;
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Mat3, Pose, Quat, Vec3};
use linkwork::model::{Material, ModelBuilder, ShapeDef};
pub use objects::{BOWL_HEIGHT, BOWL_RADIUS};
use objects::{HANDLE_HEIGHT, JAR_HEIGHT, MARBLES};
use robot::{Bend, Robot};
use task::{Task, Until};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "dual_arm",
    summary: "two arms with hands open a jar, pour 16 marbles into a bowl and close it: 160 degrees of freedom",
    params: &[
        Param::new(
            "friction",
            0.5,
            (0.0, 10.0),
            "friction coefficient of things",
        ),
        Param::new(
            "skin",
            1.2,
            (0.0, 10.0),
            "friction coefficient of the hands",
        ),
    ],
    build,
};

/// Positions of the arms, jar and bowl, m.
const BASES: [f64; 2] = [0.35, -0.35];
const JAR_AT: [f64; 2] = [0.45, 0.1];
const BOWL_AT: [f64; 2] = [0.45, -0.16];
/// Height of the hand that holds the jar, and how far above the handle's centre the other's tool is, m.
const GRIP_HEIGHT: f64 = 0.065;
const ABOVE_HANDLE: f64 = 0.04;
/// By how much closer to the palm than the tool's middle the jar is held, m: it all but touches the palm.
const HOLD: f64 = 0.0197;
/// Turn of the hand that empties the jar, rad.
const POUR: f64 = 2.4;
/// Fingers straight, bent around the jar, and on the handle, rad.
const OPEN: Bend = [0.0, -0.1, 0.0, 0.0];
const AROUND: Bend = [0.0, 0.7, 1.1, 0.9];
const PINCH: Bend = [0.0, 0.55, 0.1, 0.1];

fn build(p: &Params) -> Result<Scene, SceneError> {
    let things = Material::with_friction(p.get("friction"));
    let skin = Material::with_friction(p.get("skin"));
    let mut b = ModelBuilder::new();
    let table = ShapeDef::new(cuboid(0.5, 0.7, 0.02))
        .name("table")
        .material(things);
    b.add_shape(None, table.pose(Pose::at(0.35, 0.0, -0.02)));
    let mut skeleton = Skeleton::new(b, things);
    let chains = BASES.map(|y| robot::chain(Pose::at(0.0, y, 0.0)));
    let [holding, pinching] = [side_grip(0.0, 0.12), top_grip(0.12)];
    let start = [
        chains[0].reach(&holding, &[-0.5, 1.3, 0.0, 2.2, 0.0, -1.9, 0.0]),
        chains[1].reach(&pinching, &[0.8, 0.6, 0.0, 1.3, 0.0, 1.2, 0.0]),
    ];
    let mut add = |name: &str, i: usize| {
        robot::add(&mut skeleton, name, chains[i].base, &start[i], &OPEN, skin)
    };
    let robots = [add("left", 0), add("right", 1)];
    let jar_at = Vec3::new(JAR_AT[0], JAR_AT[1], 0.0);
    skeleton.root(objects::jar(things), Pose::new(jar_at, Quat::identity()));
    let mouth = jar_at + Vec3::new(0.0, 0.0, JAR_HEIGHT);
    skeleton.root(objects::lid(things), Pose::new(mouth, handle_turn()));
    for i in 0..MARBLES {
        let (part, at) = objects::marble(i, things);
        skeleton.root(part, Pose::new(jar_at + at, Quat::identity()));
    }
    skeleton.root(objects::bowl(things), Pose::at(BOWL_AT[0], BOWL_AT[1], 0.0));
    let task = plan(robots, start);
    let mut scene = Scene::new(skeleton.build()?);
    scene.settings.dt = 5e-3;
    // As in the paper. Under Coulomb's law a step takes 243 instead of 11 iterations, and one of 1800 fails.
    scene.settings.solver = "condensed-ccp".to_owned();
    scene.settings.solve.tolerance = 1e-6;
    // Marbles and walls a tenth of a millimetre apart need no row yet.
    scene.settings.contact.margin = 1e-4;
    Ok(scene.scripted(move |model, state, control| task.act(model, state, control)))
}

/// Yaw of the way from the second arm to the jar; the handle is long along it.
fn yaw_of_lid() -> f64 {
    (JAR_AT[1] - BASES[1]).atan2(JAR_AT[0])
}

fn handle_turn() -> Quat {
    objects::about_z(yaw_of_lid() - std::f64::consts::FRAC_PI_2)
}

/// Pose of a hand from its place and the directions away from the palm and across it.
fn hand(position: Vec3, away: Vec3, across: Vec3) -> Pose {
    let closing = across.cross(&away);
    let axes = Mat3::from_columns(&[closing, across, away]);
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(axes);
    Pose::new(position, Quat::from_rotation_matrix(&rotation))
}

/// The first hand at the jar, `up` (m) above where it takes it and `back` (m) from it.
fn side_grip(up: f64, back: f64) -> Pose {
    let away = Vec3::new(JAR_AT[0], JAR_AT[1] - BASES[0], 0.0).normalize();
    let at = Vec3::new(JAR_AT[0], JAR_AT[1], GRIP_HEIGHT + up);
    hand(at - back * away, away, Vec3::z())
}

/// The second hand over the lid, `up` (m) above where it takes it.
fn top_grip(up: f64) -> Pose {
    let yaw = yaw_of_lid();
    let height = JAR_HEIGHT + HANDLE_HEIGHT + ABOVE_HANDLE + up;
    let at = Vec3::new(JAR_AT[0], JAR_AT[1], height);
    hand(at, -Vec3::z(), Vec3::new(yaw.cos(), yaw.sin(), 0.0))
}

/// What the arms do, by the number of the stage in `Control::memory[0]`.
pub const DUAL_ARM_STAGES: [&str; 14] = [
    "settle",
    "approach",
    "grasp jar",
    "grasp lid",
    "open",
    "put lid aside",
    "over the bowl",
    "pour",
    "turn back",
    "back",
    "put down",
    "close",
    "let go",
    "retreat",
];

/// The stages, in the order of [`DUAL_ARM_STAGES`].
fn plan(robots: [Robot; 2], start: [[f64; 7]; 2]) -> Task {
    let mut task = Task::new(robots, start, [OPEN; 2]);
    let turned = |pose: Pose, angle: f64| {
        let away = pose.rotation * Vec3::z();
        Pose::new(
            pose.position,
            linkwork::math::exp(&(angle * away)) * pose.rotation,
        )
    };
    // Held over the bowl so that the mouth of the tilted jar is above its middle.
    let over = |up: f64| {
        let away = Vec3::x();
        let at = Vec3::new(BOWL_AT[0] + HOLD, BOWL_AT[1] + 0.07, up);
        hand(at, away, Vec3::z())
    };
    let aside = Pose::new(Vec3::new(0.3, -0.45, 0.35), top_grip(0.0).rotation);
    task.go(0.5, [None, None], Until::Arrived);
    task.go(
        1.5,
        [Some(side_grip(0.0, -HOLD)), Some(top_grip(0.0))],
        Until::Rested(0.3),
    );
    task.grip([Some(AROUND), None], Until::Held([true, false]));
    task.grip([None, Some(PINCH)], Until::Held([false, true]));
    task.go(1.0, [None, Some(top_grip(0.1))], Until::Arrived);
    task.go(
        1.5,
        [Some(side_grip(0.15, -HOLD)), Some(aside)],
        Until::Arrived,
    );
    task.go(2.0, [Some(over(0.22)), None], Until::Rested(0.2));
    let poured = turned(task.hand(0), POUR);
    task.go(2.5, [Some(poured), None], Until::Rested(1.5));
    let upright = turned(poured, -POUR);
    task.go(1.5, [Some(upright), None], Until::Arrived);
    task.go(
        2.0,
        [Some(side_grip(0.15, -HOLD)), None],
        Until::Rested(0.2),
    );
    task.go(
        1.5,
        [Some(side_grip(-0.004, -HOLD)), Some(top_grip(0.1))],
        Until::Blocked(0),
    );
    task.go(1.5, [None, Some(top_grip(-0.001))], Until::Rested(0.3));
    task.grip([Some(OPEN), Some(OPEN)], Until::Rested(0.3));
    task.go(
        1.5,
        [Some(side_grip(0.0, 0.12)), Some(top_grip(0.12))],
        Until::Arrived,
    );
    debug_assert_eq!(task.stages.len(), DUAL_ARM_STAGES.len());
    task
}
