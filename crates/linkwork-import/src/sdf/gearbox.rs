//! Gearboxes: ratios of two angles.
//!
//! θ₁ is the angle of the parent and θ₂ that of the child, both measured from the reference link about
//! `axis` and `axis2`; θ₂ = −ratio θ₁. The angles are those of the hinges between these links.

use super::joint::{Joint, Kind};
use super::scene::Scene;
use crate::draft::Draft;
use crate::{Fault, ImportError};
use linkwork::math::Vec3;
use linkwork::model::{Coupling, JointId};

/// One coupling per gearbox.
pub(super) fn relations(
    scene: &Scene,
    ids: &[Option<JointId>],
    draft: &mut Draft,
) -> Result<(), ImportError> {
    for joint in &scene.joints {
        let Kind::Gearbox { ratio, reference } = joint.kind else {
            continue;
        };
        let angle = |link: Option<usize>, axis: usize| {
            let along = &joint.axes[axis].direction;
            let found = link.and_then(|l| hinge(scene, ids, reference, l, along));
            found.ok_or_else(|| no_hinge(scene, joint, reference, link))
        };
        let (first, s1) = angle(joint.parent, 0)?;
        let (second, s2) = angle(Some(joint.child), 1)?;
        // Divided by the larger factor, so that the row stays an angle of order one.
        let scale = ratio.abs().max(1.0);
        let terms = [(second, 0, s2 / scale), (first, 0, ratio * s1 / scale)];
        let coupling = Coupling::new(&joint.name, &terms, 0.0);
        draft.couplings.push(coupling);
    }
    Ok(())
}

/// The hinge between `reference` and `link` along the axis, and the sign of its coordinate as the angle
/// of `link` from `reference` about it.
fn hinge(
    scene: &Scene,
    ids: &[Option<JointId>],
    reference: usize,
    link: usize,
    axis: &Vec3,
) -> Option<(JointId, f64)> {
    scene.joints.iter().zip(ids).find_map(|(joint, id)| {
        let side = match (joint.parent, joint.child) {
            (Some(p), c) if p == reference && c == link => 1.0,
            (Some(p), c) if c == reference && p == link => -1.0,
            _ => return None,
        };
        let cosine = joint.axes[0].direction.dot(axis);
        let fits = joint.kind == Kind::Hinge && cosine.abs() > 1.0 - 1e-6;
        id.filter(|_| fits).map(|id| (id, side * cosine.signum()))
    })
}

fn no_hinge(scene: &Scene, joint: &Joint, reference: usize, link: Option<usize>) -> ImportError {
    let name = |l: usize| scene.links[l].name.as_str();
    let what = format!(
        "gearbox '{}': there is no revolute joint along its axis between '{}' and '{}'",
        joint.name,
        name(reference),
        link.map_or("world", name)
    );
    let remedy = "add it, or choose another <gearbox_reference_body>";
    ImportError::new(&joint.place, Fault::Mechanism, what, remedy)
}
