//! Collision groups of the parts of a figure. Links of a linkage overlap by design and do not collide; colliding parts
//! are named here.

use linkwork::model::CollisionGroup;

const GROUND: u32 = 1;
const BODY_BIT: u32 = 1 << 1;
const HAND_BIT: u32 = 1 << 2;
const UPPER: u32 = 1 << 3;
const LOWER: u32 = 1 << 4;
const FOOT_BIT: u32 = 1 << 5;

/// Seen only.
pub(super) const NOTHING: CollisionGroup = CollisionGroup { member: 0, mask: 0 };
/// Torso, hips, skull: met by hands and the ground.
pub(crate) const BODY: CollisionGroup = CollisionGroup {
    member: BODY_BIT,
    mask: HAND_BIT | GROUND,
};
/// Forearms, palms and fingers: they meet the body, each other and the ground.
pub(crate) const HAND: CollisionGroup = CollisionGroup {
    member: HAND_BIT,
    mask: BODY_BIT | HAND_BIT | GROUND,
};
/// Teeth of the skull.
pub(super) const UPPER_TEETH: CollisionGroup = CollisionGroup {
    member: UPPER,
    mask: LOWER,
};
/// Teeth of the jaw.
pub(super) const LOWER_TEETH: CollisionGroup = CollisionGroup {
    member: LOWER,
    mask: UPPER,
};
/// Feet: they meet each other and the ground.
pub(crate) const FOOT: CollisionGroup = CollisionGroup {
    member: FOOT_BIT,
    mask: FOOT_BIT | GROUND,
};
/// Limbs that only the ground stops.
pub(crate) const GROUND_ONLY: CollisionGroup = CollisionGroup {
    member: BODY_BIT,
    mask: GROUND,
};
