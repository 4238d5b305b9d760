//! Inertia of joints and bodies in the home pose, from which MuJoCo derives the springs of `springdamper`, the damping
//! of `dampratio` and the softness of constraints.

use super::scene::{JointKind, Scene};
use crate::draft::{Link, LinkId};
use linkwork::math::{MassProperties, Mat3, Pose, Vec3, Wrench, cross_matrix};
use linkwork::model::{BodyId, JointId, Tendon, Term};
use nalgebra::{DMatrix, Matrix3x6, Matrix6, Vector6};
use std::collections::BTreeMap;

/// Largest matrix that is inverted for the springs.
const MAX_INVERTED: usize = 1000;

/// Inverse masses below this are none (MuJoCo's mjMINVAL).
const LEAST: f64 = 1e-15;

/// A degree of freedom: its joint's number, its link, its twist about the world's origin (v, ω).
struct Freedom {
    joint: usize,
    link: LinkId,
    twist: Vector6<f64>,
    armature: f64,
}

/// Dependence of a length on the degrees of freedom: a joint's index, one of its degrees of freedom, the factor.
pub(super) type Arms = Vec<(usize, usize, f64)>;

/// Degrees of freedom in the home pose, in ascending order of joints, and the inverse of their inertia matrix.
pub(super) struct JointSpace {
    freedoms: Vec<Freedom>,
    inverse: DMatrix<f64>,
    /// J M⁻¹ Jᵀ of the requested links.
    known: BTreeMap<LinkId, Matrix6<f64>>,
}

impl JointSpace {
    /// For the home pose of everything read so far; `None` if the matrix is singular or too large.
    pub fn new(scene: &Scene<'_>) -> Option<Self> {
        let freedoms = freedoms(scene);
        if freedoms.len() > MAX_INVERTED {
            return None;
        }
        Some(Self {
            inverse: matrix(scene, &freedoms).cholesky()?.inverse(),
            freedoms,
            known: BTreeMap::new(),
        })
    }

    /// Effective inertia along L with everything else free, 1/(a M⁻¹ aᵀ).
    pub fn inertia(&self, arms: &Arms) -> f64 {
        let at = |joint: usize, k: usize| self.freedoms.partition_point(|f| f.joint < joint) + k;
        let mut sum = 0.0;
        for (i, k, a) in arms {
            for (j, l, b) in arms {
                sum += a * b * self.inverse[(at(*i, *k), at(*j, *l))];
            }
        }
        1.0 / sum
    }

    /// Norm of the accelerations of all degrees of freedom caused by a force of 1 along L, |M⁻¹ aᵀ| (MuJoCo's
    /// `actuator_acc0`).
    pub fn acceleration(&self, arms: &Arms) -> f64 {
        let at = |joint: usize, k: usize| self.freedoms.partition_point(|f| f.joint < joint) + k;
        let one = |i: usize| {
            let parts = arms
                .iter()
                .map(|(j, k, a)| self.inverse[(i, at(*j, *k))] * a);
            parts.sum::<f64>()
        };
        let squares = (0..self.freedoms.len()).map(|i| one(i).powi(2));
        squares.sum::<f64>().sqrt()
    }

    /// The mean over a joint's degrees of freedom of 1/(M⁻¹)ᵢᵢ.
    pub fn mean_inertia(&self, joint: usize) -> f64 {
        let own = (0..self.freedoms.len()).filter(|i| self.freedoms[*i].joint == joint);
        let (sum, count) = own.fold((0.0, 0.0), |(sum, count), i| {
            (sum + 1.0 / self.inverse[(i, i)], count + 1.0)
        });
        sum / count
    }

    /// Mean inverse mass (1/kg) and inverse inertia (1/(kg m²)) of a body at its centre of mass, including the bodies
    /// that move along. One that vanishes is replaced by the other, as in MuJoCo.
    pub fn body(&mut self, scene: &Scene<'_>, body: usize) -> [f64; 2] {
        let (Some(link), Some(carrier)) = (scene.link(body), scene.link(scene.bodies[body].weld))
        else {
            return [0.0; 2];
        };
        let made = &scene.draft.links[link.0];
        let a = self.inverse_inertia(&scene.draft.links, carrier);
        let mut at_centre = Matrix3x6::identity();
        let arm = -cross_matrix(&made.pose.transform_point(&made.mass.com));
        at_centre.fixed_view_mut::<3, 3>(0, 3).copy_from(&arm);
        let linear = (at_centre * a * at_centre.transpose()).trace() / 3.0;
        let angular = a.fixed_view::<3, 3>(3, 3).trace() / 3.0;
        match [linear, angular] {
            [linear, angular] if linear < LEAST => [angular, angular],
            [linear, angular] if angular < LEAST => [linear, linear],
            both => both,
        }
    }

    /// J M⁻¹ Jᵀ of a link's twist about the world's origin.
    fn inverse_inertia(&mut self, links: &[Link], link: LinkId) -> Matrix6<f64> {
        if let Some(known) = self.known.get(&link) {
            return *known;
        }
        let below = self.freedoms.iter().enumerate();
        let below: Vec<_> = below
            .filter(|(_, f)| carries(links, f.link, link))
            .collect();
        let mut sum = Matrix6::zeros();
        for (i, a) in &below {
            let answer: Vector6<f64> = below
                .iter()
                .map(|(j, b)| self.inverse[(*i, *j)] * b.twist)
                .sum();
            sum += a.twist * answer.transpose();
        }
        self.known.insert(link, sum);
        sum
    }
}

/// Whether `upper` is `lower` or above it.
fn carries(links: &[Link], upper: LinkId, lower: LinkId) -> bool {
    let above = std::iter::successors(Some(lower), |l| links[l.0].parent);
    above.into_iter().any(|l| l == upper)
}

/// The lever arms of a sum of coordinates; for a ball these are rates about its axes, as in the home pose.
pub(super) fn arms(scene: &Scene<'_>, terms: &[Term]) -> Arms {
    let arm = |term: &Term| {
        let own = |kind: JointKind| match kind {
            JointKind::Scalar(joint, c) if joint == term.joint => {
                (c == term.coordinate).then_some(0)
            }
            JointKind::Ball(joint, first) if joint == term.joint => {
                let at = term.coordinate.checked_sub(first);
                at.filter(|i| *i < 3)
            }
            _ => None,
        };
        let mut joints = scene.joints.iter().enumerate();
        let (number, at) = joints.find_map(|(i, r)| Some((i, own(r.kind)?)))?;
        Some((number, at, term.factor))
    };
    terms.iter().filter_map(arm).collect()
}

/// The lever arms of a tendon: of its coordinates, and of its path, which pushes the links at its ends apart.
pub(super) fn tendon_arms(scene: &Scene<'_>, tendon: &Tendon) -> Arms {
    let mut found = arms(scene, &tendon.terms);
    if tendon.path.is_empty() {
        return found;
    }
    let links = &scene.draft.links;
    let pushes = linkwork::path_pushes(&tendon.path, |link| links[link.index()].pose);
    let freedoms = freedoms(scene);
    for (i, freedom) in freedoms.iter().enumerate() {
        let moved = |link: &&(BodyId, Wrench)| carries(links, freedom.link, LinkId(link.0.index()));
        let (v, w) = (
            freedom.twist.fixed_rows::<3>(0),
            freedom.twist.fixed_rows::<3>(3),
        );
        let arm = |(_, push): &(BodyId, Wrench)| push.force.dot(&v) + push.torque.dot(&w);
        let arm: f64 = pushes.iter().filter(moved).map(arm).sum();
        let first = freedoms.partition_point(|f| f.joint < freedom.joint);
        found.push((freedom.joint, i - first, arm));
    }
    found
}

/// The degrees of freedom of all joints, in the file's order.
fn freedoms(scene: &Scene<'_>) -> Vec<Freedom> {
    let draft = &scene.draft;
    let mut found = Vec::new();
    for (number, joint) in scene.joints.iter().enumerate() {
        let mut push = |link: LinkId, twist: Vector6<f64>, armature: f64| {
            found.push(Freedom {
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
                let body = draft.links[made.follower.0].pose;
                let frame = body.compose(&made.frame_follower);
                for (i, axis) in Mat3::identity().column_iter().enumerate() {
                    let twist = hinge(&(body.rotation * axis), &frame.position);
                    push(made.follower, twist, made.axes[c + i].armature);
                }
            }
            JointKind::Scalar(id, c) => {
                let (link, twist, armature) = scalar(scene, id, c);
                push(link, twist, armature);
            }
        }
    }
    found
}

/// The inertia matrix M: composite bodies, armatures of joints and of tendons.
fn matrix(scene: &Scene<'_>, freedoms: &[Freedom]) -> DMatrix<f64> {
    let links = &scene.draft.links;
    let mut carried: Vec<_> = links.iter().map(|l| spatial(&l.mass, &l.pose)).collect();
    for (i, link) in links.iter().enumerate().rev() {
        if let Some(parent) = link.parent {
            let own = carried[i];
            carried[parent.0] += own;
        }
    }
    let n = freedoms.len();
    let mut m = DMatrix::zeros(n, n);
    for (i, a) in freedoms.iter().enumerate() {
        let momentum = carried[a.link.0] * a.twist;
        for (j, b) in freedoms.iter().enumerate().take(i + 1) {
            if carries(links, b.link, a.link) {
                let value = b.twist.dot(&momentum);
                (m[(i, j)], m[(j, i)]) = (value, value);
            }
        }
        m[(i, i)] += a.armature;
    }
    let at = |joint: usize, k: usize| freedoms.partition_point(|f| f.joint < joint) + k;
    for tendon in scene.draft.tendons.iter().filter(|t| t.axis.armature > 0.0) {
        let arms = tendon_arms(scene, tendon);
        for (i, k, a) in &arms {
            for (j, l, b) in &arms {
                m[(at(*i, *k), at(*j, *l))] += tendon.axis.armature * a * b;
            }
        }
    }
    m
}

/// Link, twist and armature of a hinge or slide.
fn scalar(scene: &Scene<'_>, id: JointId, c: usize) -> (LinkId, Vector6<f64>, f64) {
    let made = &scene.draft.joints[id.index()];
    let body = scene.draft.links[made.follower.0].pose;
    let frame = body.compose(&made.frame_follower);
    let twist = match made.kind.links() {
        // With the coordinates before it in the home pose, a link of a chain moves as if it were alone.
        Some(links) if links[c].slide => slide(&(frame.rotation * links[c].axis)),
        Some(links) => hinge(
            &(frame.rotation * links[c].axis),
            &frame.transform_point(&links[c].anchor),
        ),
        None => {
            let mut axis = Vec3::z();
            if made.kind.name() == "free" {
                axis = Vec3::zeros();
                axis[c] = 1.0;
            }
            let axis = frame.rotation * axis;
            if made.kind.name() == "revolute" {
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
