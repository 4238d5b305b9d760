//! Hands: a palm, a thumb and fingers that curl onto it.

use super::groups::HAND;
use super::loft::Ring;
use super::piece::Piece;
use super::rig::{Rig, Side};
use super::rods::Servo;
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointId};

/// Length of the palm, m.
const PALM: f64 = 0.10;
/// Radius of fingers, m.
const RADIUS: f64 = 0.0095;

/// A hand hanging from its wrist, the palm facing the body.
#[derive(Clone, Copy)]
pub(crate) struct Hand {
    pub body: BodyId,
    side: Side,
    wrist: Vec3,
}

impl Hand {
    /// A hand of `mass` kg, not yet jointed.
    pub(super) fn add(rig: &mut Rig, side: Side, mass: f64, wrist: Vec3) -> Self {
        let rings = [
            Ring::new(-PALM, 0.032, 0.012),
            Ring::new(-0.06, 0.040, 0.017),
            Ring::new(-0.02, 0.030, 0.018),
            Ring::new(0.005, 0.020, 0.016),
        ];
        let [seen, felt] = Piece::skin(wrist, &rings, HAND);
        let pieces = [
            seen,
            felt.rubber(),
            // Behind the wrist, where a rod may be pinned.
            Piece::capsule(wrist, wrist + side.point(-0.04, 0.045, 0.0), 0.008),
        ];
        let body = rig.body(side.name("hand"), mass, &pieces);
        Self { body, side, wrist }
    }

    /// A finger of `mass` kg at `x` along the edge of the palm (m), `width` times as broad as a plain one;
    /// curls by positive angles.
    pub(crate) fn add_finger(
        &self,
        rig: &mut Rig,
        name: &str,
        mass: f64,
        (x, width): (f64, f64),
        servo: &Servo,
    ) -> JointId {
        let root = self.point(x, 0.0, -PALM - 0.008);
        let tip = root - 0.065 * Vec3::z();
        let across = RADIUS * (width - 1.0) * Vec3::x();
        let mut pieces = vec![
            Piece::capsule(root - across, tip - across, RADIUS)
                .rubber()
                .touching(HAND),
        ];
        if width > 1.0 {
            pieces.push(
                Piece::capsule(root + across, tip + across, RADIUS)
                    .rubber()
                    .touching(HAND),
            );
        }
        self.digit(rig, name, mass, root, &pieces, servo)
    }

    /// A thumb of `mass` kg across the palm, in the way of curling fingers.
    pub(crate) fn add_thumb(&self, rig: &mut Rig, mass: f64, servo: &Servo) -> JointId {
        let root = self.point(0.042, -0.012, -0.035);
        let tip = self.point(0.020, -0.042, -0.112);
        let pieces = [Piece::capsule(root, tip, RADIUS).rubber().touching(HAND)];
        self.digit(rig, "thumb", mass, root, &pieces, servo)
    }

    fn digit(
        &self,
        rig: &mut Rig,
        name: &str,
        mass: f64,
        root: Vec3,
        pieces: &[Piece],
        servo: &Servo,
    ) -> JointId {
        let name = self.side.name(name);
        let digit = rig.body(name.clone(), mass, pieces);
        let axis = -self.side.sign() * Vec3::x();
        rig.servo(name, [self.body, digit], root, axis, servo)
    }

    fn point(&self, x: f64, y: f64, z: f64) -> Vec3 {
        self.wrist + self.side.point(x, y, z)
    }
}
