//! Converts tendons whose paths are given on links to paths on bodies.

use linkwork::math::Pose;
use linkwork::model::{Anchor, BodyId, Tendon, Waypoint};

/// The tendon with its path on bodies; `place` finds the body of a link, and where a pose in the link's frame is in
/// the body's.
pub(super) fn on_bodies(
    mut tendon: Tendon,
    place: impl Fn(Option<BodyId>, &Pose) -> (Option<BodyId>, Pose),
) -> Tendon {
    let anchor = |a: &mut Anchor| {
        let (body, pose) = place(a.body, &Pose::new(a.point, Default::default()));
        *a = Anchor::new(body, pose.position);
    };
    for waypoint in &mut tendon.path {
        match waypoint {
            Waypoint::Point(a) => anchor(a),
            Waypoint::Pulley { .. } => {}
            Waypoint::Wrap {
                body, pose, side, ..
            } => {
                (*body, *pose) = place(*body, pose);
                side.iter_mut().for_each(anchor);
            }
        }
    }
    tendon
}
