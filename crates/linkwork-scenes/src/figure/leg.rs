//! A leg of parallel links, which keep the foot level with the hips whatever thigh and shank do.
//!
//! Two parallelograms in a row, hip to knee plate and knee plate to ankle, carry the direction of the hip
//! to the foot. A third one moves the knee: a crank on the hip beside the thigh's hinge, and a rod along
//! the thigh to a lever of the shank, which turns with the crank. All three are planar; their levers are
//! square to their bars for a half bent knee, and the stops keep them from lying flat.

use super::groups::{FOOT, GROUND_ONLY};
use super::loft::Ring;
use super::piece::Piece;
use super::rig::{Rig, Side};
use super::rods::{Ends, Linked, Push, Servo};
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointId};

/// Distance of a leg from the middle, m.
const BESIDE: f64 = 0.10;
/// Heights of the hip's and the ankle's rolling hinges, m.
const ROLL_HEIGHTS: [f64; 2] = [0.80, 0.055];
/// Hip, knee and ankle: x and z, m.
const HIP: [f64; 2] = [0.0, 0.74];
const KNEE: [f64; 2] = [0.08, 0.42];
const ANKLE: [f64; 2] = [0.0, 0.10];
/// Levers of the three parallelograms.
const THIGH_LEVER: Vec3 = Vec3::new(-0.06, 0.0, 0.0);
const SHANK_LEVER: Vec3 = Vec3::new(-0.05, 0.0, 0.035);
const KNEE_LEVER: Vec3 = Vec3::new(0.0433, 0.0, 0.025);
/// Distance of the rods from the bones, m.
const LAYER: f64 = 0.035;

/// Masses of the parts of a leg, kg.
#[derive(Clone, Copy)]
pub(crate) struct LegMasses {
    pub hip: f64,
    pub thigh: f64,
    pub shank: f64,
    pub plate: f64,
    pub rod: f64,
    pub foot: f64,
}

/// A leg to be hung on a pelvis.
pub(crate) struct Leg {
    pub side: Side,
    pub pelvis: BodyId,
    pub masses: LegMasses,
    /// Servos that bend and that roll.
    pub bend: Servo,
    pub roll: Servo,
}

/// The servos of a leg: more than its four degrees of freedom, one more for each parallelogram.
pub(crate) struct LegJoints {
    pub hip_roll: JointId,
    pub thigh: Linked,
    pub knee: Linked,
    pub ankle_roll: JointId,
}

impl Leg {
    /// Add the leg: 10 bodies, 13 hinges, 3 loops.
    pub(crate) fn add(&self, rig: &mut Rig) -> LegJoints {
        let [hip, knee, ankle] = [HIP, KNEE, ANKLE].map(|[x, z]| self.side.point(x, BESIDE, z));
        let [top, bottom] = ROLL_HEIGHTS.map(|z| self.side.point(0.0, BESIDE, z));
        let out = self.side.point(0.0, LAYER, 0.0);
        let m = &self.masses;

        let yoke = rig.body(
            self.side.name("hip"),
            m.hip,
            &[
                Piece::capsule(top, hip, 0.03),
                Piece::capsule(hip, hip + THIGH_LEVER + out, 0.015),
            ],
        );
        let thigh = rig.body(self.side.name("thigh"), m.thigh, &bone(hip, knee, 0.042));
        let thigh_rod = self.rod(rig, "thigh rod", [hip, knee].map(|p| p + THIGH_LEVER + out));
        let plate = rig.body(
            self.side.name("knee plate"),
            m.plate,
            &[
                Piece::capsule(knee, knee + THIGH_LEVER + out, 0.014),
                Piece::capsule(knee, knee + SHANK_LEVER + out, 0.014),
            ],
        );
        let mut shin = bone(knee, ankle, 0.034);
        shin.push(Piece::capsule(knee, knee + KNEE_LEVER - out, 0.012));
        let shank = rig.body(self.side.name("shank"), m.shank, &shin);
        let shank_rod = self.rod(
            rig,
            "shank rod",
            [knee, ankle].map(|p| p + SHANK_LEVER + out),
        );
        let heel = rig.body(
            self.side.name("ankle"),
            m.plate,
            &[
                Piece::capsule(ankle, ankle + SHANK_LEVER + out, 0.014),
                Piece::capsule(ankle, bottom, 0.022),
            ],
        );
        let foot = rig.body(self.side.name("foot"), m.foot, &self.foot_pieces(bottom));

        let hip_roll = rig.servo(
            self.side.name("hip roll"),
            [self.pelvis, yoke],
            top,
            Vec3::x(),
            &self.roll.stops(-0.4, 0.4),
        );
        let thigh_hinge = rig.servo(
            self.side.name("thigh"),
            [yoke, thigh],
            hip,
            Vec3::y(),
            &self.bend.stops(-1.1, 0.7),
        );
        let second = self.bend.second();
        let name = self.side.name("thigh rod top");
        let at = hip + THIGH_LEVER;
        let thigh_rod_top = rig.servo(name, [yoke, thigh_rod], at, Vec3::y(), &second);
        self.pin(rig, "knee upper", thigh, plate, knee);
        self.pin(
            rig,
            "thigh rod bottom",
            thigh_rod,
            plate,
            knee + THIGH_LEVER,
        );
        let shank_hinges = [
            ("knee", shank, knee),
            ("shank rod top", shank_rod, knee + SHANK_LEVER),
        ]
        .map(|(name, follower, at)| {
            let name = self.side.name(name);
            rig.servo(name, [plate, follower], at, Vec3::y(), &second)
        });
        self.pin(rig, "ankle", shank, heel, ankle);
        self.pin(
            rig,
            "shank rod bottom",
            shank_rod,
            heel,
            ankle + SHANK_LEVER,
        );
        let push = Push {
            name: &self.side.name("knee drive"),
            ground: yoke,
            driven: shank,
            axis: Vec3::y(),
            pivot: hip - out,
            crank_end: hip + KNEE_LEVER - out,
            pin: knee + KNEE_LEVER - out,
            ends: Ends::Hinges,
            masses: [m.rod, m.rod],
            radius: 0.009,
            servo: self.bend.stops(-0.7, 1.3),
        };
        let crank = push.add(rig);
        let ankle_roll = rig.servo(
            self.side.name("ankle roll"),
            [heel, foot],
            bottom,
            Vec3::x(),
            &self.roll.stops(-0.4, 0.4),
        );
        LegJoints {
            hip_roll,
            // Rods and bones are parallel, and the plate keeps the direction of the hip.
            thigh: Linked {
                driver: thigh_hinge,
                followers: vec![(thigh_rod_top, 1.0)],
            },
            knee: Linked {
                driver: crank,
                followers: shank_hinges.map(|hinge| (hinge, 1.0)).to_vec(),
            },
            ankle_roll,
        }
    }

    /// A broad sole that reaches outward, for a body that sways, and an instep.
    fn foot_pieces(&self, ankle: Vec3) -> Vec<Piece> {
        let sole = Vec3::new(ankle.x + 0.03, ankle.y, 0.012) + self.side.point(0.0, 0.015, 0.0);
        let instep = [
            Ring::new(0.0, 0.105, 0.065),
            Ring::new(0.025, 0.07, 0.048).shifted(-0.02),
            Ring::new(0.045, 0.035, 0.03).shifted(-0.03),
        ];
        vec![
            Piece::slab(sole, 0.12, 0.075, 0.012)
                .rubber()
                .touching(FOOT),
            Piece::shell(sole + 0.012 * Vec3::z(), &instep),
        ]
    }

    /// A passive hinge about y.
    fn pin(&self, rig: &mut Rig, name: &str, base: BodyId, follower: BodyId, at: Vec3) {
        rig.pin(self.side.name(name), base, follower, at, Vec3::y());
    }

    fn rod(&self, rig: &mut Rig, name: &str, [from, to]: [Vec3; 2]) -> BodyId {
        let pieces = [Piece::capsule(from, to, 0.010)];
        rig.body(self.side.name(name), self.masses.rod, &pieces)
    }
}

/// Angles of thigh and knee crank that bring the ankle to `x` ahead of where it is in the neutral pose and
/// `up` above it, m, seen from the hip; as far as the leg reaches.
pub(crate) fn bend(x: f64, up: f64) -> [f64; 2] {
    let bone = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    // Thigh and shank are of one length, so the knee is half way.
    let length = bone(HIP, KNEE);
    let angles = |x: f64, down: f64| {
        let spread = (0.5 * x.hypot(down) / length).min(1.0).acos();
        let lean = x.atan2(down);
        [lean + spread, lean - spread]
    };
    let neutral = angles(ANKLE[0] - HIP[0], HIP[1] - ANKLE[1]);
    let wanted = angles(ANKLE[0] - HIP[0] + x, HIP[1] - ANKLE[1] - up);
    // Forward is a negative turn about y.
    [neutral[0] - wanted[0], neutral[1] - wanted[1]]
}

/// A round link between two hinges, tapering from `radius`.
fn bone(from: Vec3, to: Vec3, radius: f64) -> Vec<Piece> {
    let d = to - from;
    let lean = d.x.atan2(-d.z);
    let length = d.norm();
    let rings = [
        Ring::new(-length, 0.6 * radius, 0.55 * radius),
        Ring::new(-0.65 * length, 0.8 * radius, 0.7 * radius),
        Ring::new(-0.25 * length, radius, 0.85 * radius),
        Ring::new(0.0, 0.75 * radius, 0.7 * radius),
    ];
    vec![
        Piece::shell(from, &rings).turned(0.0, -lean, 0.0),
        Piece::capsule(from, to, 0.5 * radius).touching(GROUND_ONLY),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ankle_goes_where_it_is_asked_to() {
        for (x, up) in [(0.0, 0.0), (0.1, 0.02), (-0.12, 0.05), (0.05, 0.15)] {
            let [thigh, crank] = bend(x, up);
            let turned = |a: [f64; 2], b: [f64; 2], angle: f64| {
                let (s, c) = angle.sin_cos();
                let d = [b[0] - a[0], b[1] - a[1]];
                [c * d[0] + s * d[1], c * d[1] - s * d[0]]
            };
            let (t, s) = (turned(HIP, KNEE, thigh), turned(KNEE, ANKLE, crank));
            let at = [HIP[0] + t[0] + s[0], HIP[1] + t[1] + s[1]];
            assert!((at[0] - ANKLE[0] - x).abs() < 1e-12, "{at:?}");
            assert!((at[1] - ANKLE[1] - up).abs() < 1e-12, "{at:?}");
        }
    }
}
