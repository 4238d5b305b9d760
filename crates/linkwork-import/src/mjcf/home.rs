//! Inertia that joints see at home, from which MuJoCo derives the springs of `springdamper` and the
//! damping of `dampratio`.

use super::scene::{JointKind, Scene};
use crate::draft::{LinkId, Motion};
use linkwork::math::{MassProperties, Mat3, Pose, Vec3, cross_matrix};
use linkwork::model::JointId;
use nalgebra::{DMatrix, Matrix6, Vector6};

/// Largest matrix that is inverted for the springs.
const MAX_INVERTED: usize = 1000;

/// A degree of freedom: its joint's number, its link, its twist about the world's origin (v, ω).
struct Freedom {
    joint: usize,
    link: LinkId,
    twist: Vector6<f64>,
    armature: f64,
}

/// Degrees of freedom at home and the inertia of what hangs on each link.
pub(super) struct Home {
    freedoms: Vec<Freedom>,
    /// Inertia of each link and all below it, about the world's origin.
    carried: Vec<Matrix6<f64>>,
    parents: Vec<Option<LinkId>>,
}

impl Home {
    /// At the home pose of everything read so far.
    pub fn new(scene: &Scene<'_>) -> Self {
        let draft = &scene.draft;
        let mut carried: Vec<_> = draft
            .links
            .iter()
            .map(|l| spatial(&l.mass, &l.pose))
            .collect();
        for (i, link) in draft.links.iter().enumerate().rev() {
            if let Some(parent) = link.parent {
                let own = carried[i];
                carried[parent.0] += own;
            }
        }
        let mut freedoms = Vec::new();
        for (number, joint) in scene.joints.iter().enumerate() {
            let mut push = |link: LinkId, twist: Vector6<f64>, armature: f64| {
                freedoms.push(Freedom {
                    joint: number,
                    link,
                    twist,
                    armature,
                });
            };
            match joint.kind {
                JointKind::Free(link) => {
                    let pose = draft.links[link.0].pose;
                    for axis in Mat3::identity().column_iter() {
                        push(link, slide(&axis.into_owned()), 0.0);
                    }
                    for axis in Mat3::identity().column_iter() {
                        push(link, hinge(&(pose.rotation * axis), &pose.position), 0.0);
                    }
                }
                JointKind::Ball(id, c) => {
                    let made = &draft.joints[id.index()];
                    let frame = draft.links[made.follower.0]
                        .pose
                        .compose(&made.frame_follower);
                    for (i, axis) in Mat3::identity().column_iter().enumerate() {
                        let twist = hinge(&(frame.rotation * axis), &frame.position);
                        push(made.follower, twist, made.axes[c + i].armature);
                    }
                }
                JointKind::Scalar(id, c) => {
                    let (link, twist, armature) = scalar(scene, id, c);
                    push(link, twist, armature);
                }
            }
        }
        Self {
            freedoms,
            carried,
            parents: draft.links.iter().map(|l| l.parent).collect(),
        }
    }

    /// Inertia seen by a joint's first degree of freedom with all others held, kg or kg m².
    pub fn inertia(&self, joint: usize) -> f64 {
        let f = self.freedoms.iter().find(|f| f.joint == joint);
        f.map_or(0.0, |f| {
            f.twist.dot(&(self.carried[f.link.0] * f.twist)) + f.armature
        })
    }

    /// The part of it that the joint's own armature is.
    pub fn armature(&self, joint: usize) -> f64 {
        let f = self.freedoms.iter().find(|f| f.joint == joint);
        f.map_or(0.0, |f| f.armature)
    }

    /// Inertia of each joint with all others free: the mean of 1/(M⁻¹)ᵢᵢ over its freedoms.
    fn free_inertias(&self, joints: usize) -> Option<Vec<f64>> {
        let n = self.freedoms.len();
        if n > MAX_INVERTED {
            return None;
        }
        let mut m = DMatrix::zeros(n, n);
        for (i, a) in self.freedoms.iter().enumerate() {
            let momentum = self.carried[a.link.0] * a.twist;
            for (j, b) in self.freedoms.iter().enumerate().take(i + 1) {
                if self.carries(b.link, a.link) {
                    let value = b.twist.dot(&momentum);
                    (m[(i, j)], m[(j, i)]) = (value, value);
                }
            }
            m[(i, i)] += a.armature;
        }
        let inverse = m.cholesky()?.inverse();
        let mut sums = vec![(0.0, 0.0); joints];
        for (i, f) in self.freedoms.iter().enumerate() {
            let sum = &mut sums[f.joint];
            *sum = (sum.0 + 1.0 / inverse[(i, i)], sum.1 + 1.0);
        }
        Some(sums.into_iter().map(|(s, c)| s / c).collect())
    }

    /// Whether `upper` is `lower` or above it.
    fn carries(&self, upper: LinkId, lower: LinkId) -> bool {
        let mut at = Some(lower);
        while let Some(link) = at {
            if link == upper {
                return true;
            }
            at = self.parents[link.0];
        }
        false
    }
}

/// Link, twist and armature of a hinge or slide.
fn scalar(scene: &Scene<'_>, id: JointId, c: usize) -> (LinkId, Vector6<f64>, f64) {
    let made = &scene.draft.joints[id.index()];
    let body = scene.draft.links[made.follower.0].pose;
    let frame = body.compose(&made.frame_follower);
    let twist = match &made.motion {
        // Where the coordinates before it are at home, a link of a chain moves as if alone.
        Motion::Chain(links) if links[c].slide => slide(&(frame.rotation * links[c].axis)),
        Motion::Chain(links) => hinge(
            &(frame.rotation * links[c].axis),
            &frame.transform_point(&links[c].anchor),
        ),
        Motion::Of(kind) => {
            let mut axis = Vec3::z();
            if kind.name() == "free" {
                axis = Vec3::zeros();
                axis[c] = 1.0;
            }
            let axis = frame.rotation * axis;
            if kind.name() == "revolute" {
                hinge(&axis, &frame.position)
            } else {
                slide(&axis)
            }
        }
    };
    (made.follower, twist, made.axes[c].armature)
}

fn slide(axis: &Vec3) -> Vector6<f64> {
    Vector6::new(axis.x, axis.y, axis.z, 0.0, 0.0, 0.0)
}

fn hinge(axis: &Vec3, point: &Vec3) -> Vector6<f64> {
    let v = point.cross(axis);
    Vector6::new(v.x, v.y, v.z, axis.x, axis.y, axis.z)
}

/// Inertia of a link about the world's origin: ½ tᵀ I t is its kinetic energy for a twist t.
fn spatial(mass: &MassProperties, pose: &Pose) -> Matrix6<f64> {
    let c = cross_matrix(&pose.transform_point(&mass.com));
    let inertia = mass.rotated(&pose.rotation).inertia;
    let mut m = Matrix6::zeros();
    let linear = Mat3::identity() * mass.mass;
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(&linear);
    m.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-c * mass.mass));
    m.fixed_view_mut::<3, 3>(3, 0).copy_from(&(c * mass.mass));
    m.fixed_view_mut::<3, 3>(3, 3)
        .copy_from(&(inertia - c * c * mass.mass));
    m
}

/// `springdamper`: with time constant T and damping ratio ζ, k = I/(T ζ)², d = 2 I/T.
pub(super) fn spring_dampers(scene: &mut Scene<'_>, home: &Home) {
    if scene.joints.iter().all(|j| j.spring_damper.is_none()) {
        return;
    }
    let Some(inertias) = home.free_inertias(scene.joints.len()) else {
        let what =
            "springdamper is left out: the inertia at home is singular or too large a matrix";
        let place = scene.draft.place.clone();
        scene
            .draft
            .notices
            .warn(&place, what, "give stiffness and damping");
        return;
    };
    for (joint, inertia) in scene.joints.iter().zip(inertias) {
        let Some([time, ratio]) = joint.spring_damper else {
            continue;
        };
        let (id, first, count) = match joint.kind {
            JointKind::Scalar(id, c) => (id, c, 1),
            JointKind::Ball(id, c) => (id, c, 3),
            JointKind::Free(_) => continue,
        };
        for axis in &mut scene.draft.joints[id.index()].axes[first..first + count] {
            axis.spring.stiffness = inertia / (time * ratio).powi(2);
            axis.spring.damping = 2.0 * inertia / time;
        }
    }
}
