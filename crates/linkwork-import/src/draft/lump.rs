//! Rigidly attached links become one body.

use super::{Attachment, Draft, LinkId};
use linkwork::math::{MassProperties, Mat3, Pose, Vec3};

/// Where a link ends up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lumped {
    /// The link whose frame is the body's; `None`: the link is part of the world.
    pub root: Option<LinkId>,
    /// Pose of the link frame in the root's frame, or in the world.
    pub local: Pose,
}

/// The placement of every link. Parents come before children, so one pass is sufficient.
pub(super) fn lumped(draft: &Draft) -> Vec<Lumped> {
    let mut lumped: Vec<Lumped> = Vec::with_capacity(draft.links.len());
    for (i, link) in draft.links.iter().enumerate() {
        let place = match (&link.attachment, link.parent) {
            (Attachment::Fixed, None) => Lumped {
                root: None,
                local: link.pose,
            },
            (Attachment::Fixed, Some(parent)) => {
                let root = lumped[parent.0].root;
                let frame = root.map_or(Pose::identity(), |r| draft.links[r.0].pose);
                Lumped {
                    root,
                    local: frame.inverse().compose(&link.pose),
                }
            }
            _ => Lumped {
                root: Some(LinkId(i)),
                local: Pose::identity(),
            },
        };
        lumped.push(place);
    }
    lumped
}

/// The links that form the body around each link, in order; empty for links that are not the root of their body.
pub(super) fn members(lumped: &[Lumped]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); lumped.len()];
    for (i, place) in lumped.iter().enumerate() {
        if let Some(root) = place.root {
            members[root.0].push(i);
        }
    }
    members
}

/// Mass properties and gravity factor of the body formed by `members`, in its root's frame.
pub(super) fn mass(draft: &Draft, lumped: &[Lumped], members: &[usize]) -> (MassProperties, f64) {
    let members: Vec<_> = members
        .iter()
        .copied()
        .filter(|&i| draft.links[i].mass.mass > 0.0)
        .map(|i| {
            (
                &draft.links[i],
                moved(&draft.links[i].mass, &lumped[i].local),
            )
        })
        .collect();
    // One part alone keeps its numbers to the bit.
    if let [(link, mass)] = members.as_slice() {
        return (*mass, link.gravity_scale);
    }
    let gravity: f64 = members.iter().map(|(l, m)| m.mass * l.gravity_scale).sum();
    let all = members.into_iter().map(|(_, m)| m).collect::<Vec<_>>();
    let sum = combined(&all);
    let share = if sum.mass > 0.0 {
        gravity / sum.mass
    } else {
        1.0
    };
    (sum, share)
}

/// The same mass in another frame, in which the old one has the pose `local`.
pub fn moved(mass: &MassProperties, local: &Pose) -> MassProperties {
    if *local == Pose::identity() {
        return *mass;
    }
    mass.rotated(&local.rotation)
        .with_com(local.transform_point(&mass.com))
}

/// Mass properties of several parts given in one frame (Steiner); all zero for none.
pub fn combined(parts: &[MassProperties]) -> MassProperties {
    let mass: f64 = parts.iter().map(|p| p.mass).sum();
    let mut com = Vec3::zeros();
    if mass > 0.0 {
        com = parts.iter().map(|p| p.com * p.mass).sum::<Vec3>() / mass;
    }
    let mut inertia = Mat3::zeros();
    for p in parts {
        let d = p.com - com;
        inertia += p.inertia + (Mat3::identity() * d.norm_squared() - d * d.transpose()) * p.mass;
    }
    MassProperties { mass, com, inertia }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_make_a_box() {
        let half = MassProperties::solid_box(1.0, Vec3::new(0.5, 0.2, 0.1));
        let whole = combined(&[
            half.with_com(Vec3::new(-0.5, 0.0, 0.0)),
            half.with_com(Vec3::new(0.5, 0.0, 0.0)),
        ]);
        let exact = MassProperties::solid_box(2.0, Vec3::new(1.0, 0.2, 0.1));
        assert_eq!(whole.mass, 2.0);
        assert!((whole.inertia - exact.inertia).amax() < 1e-15);
        assert!(whole.com.amax() < 1e-15);
    }
}
