//! `springdamper`: springs and dampers from the inertia in the home pose.

use super::joint_space::JointSpace;
use super::scene::{JointKind, Scene};

/// `springdamper`: with time constant T and damping ratio ζ, k = I/(T ζ)², d = 2 I/T.
pub(super) fn apply(scene: &mut Scene<'_>, home: Option<&JointSpace>) {
    for (number, joint) in scene.joints.iter().enumerate() {
        let Some([time, ratio]) = joint.spring_damper else {
            continue;
        };
        let (id, first, count) = match joint.kind {
            JointKind::Scalar(id, c) => (id, c, 1),
            JointKind::Ball(id, c) => (id, c, 3),
            JointKind::Free(_) => continue,
        };
        let made = &mut scene.draft.joints[id.index()];
        let Some(home) = home else {
            let what = "springdamper is left out: the inertia at home is singular or too large a \
                        matrix";
            let remedy = "give stiffness and damping";
            scene.draft.notices.warn(&made.place, what, remedy);
            continue;
        };
        let inertia = home.mean_inertia(number);
        for axis in &mut made.axes[first..first + count] {
            axis.spring.stiffness = inertia / (time * ratio).powi(2);
            axis.spring.damping = 2.0 * inertia / time;
        }
    }
}
