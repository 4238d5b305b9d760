//! Contacts while a body rotates within a step.
//!
//! Contacts are linearised at the start of a step. A point that a body carries around moves on a circle instead. Seen
//! from the other shape, a point beyond the centre of mass comes closer by 1 − cos θ of its lever arm. A long spinning
//! body can therefore swing its far end into a thin wall in a step that converged, and if it gets to the middle it
//! exits on the other side. Such steps are repeated in halves.
//!
//! Another point of the body than the contact point may reach the wall too: the far end of a rod that gets its spin
//! from the impact of the near end moves faster than detection expected, and has no row. The test uses the deepest
//! point of the body at the end of the step along the normal; if the body rotates by more than a radian, which may take
//! any point deeper in between, the distance of its centre of mass from the surface, and of its farthest point from the
//! centre of mass.

use crate::collision::ContactPoint;
use crate::math::{Pose, Twist, Vec3};
use crate::model::{BodyId, Geometry, Shape};
use crate::simulator::Simulator;

/// Rotation in a step beyond which any point of a body may reach the surface, rad.
const FAR: f64 = 1.0;

/// Rotation in a step up to which no point but the contact point is looked at, rad.
const NEAR: f64 = 0.1;

/// Overlap, as a share of the thinner of the two, that is half of the distance to its middle.
const HALF_WAY: f64 = 0.25;

impl Simulator {
    /// Whether a contact ends the step half of the way through the wall because of rotation that its row does not
    /// contain.
    pub(super) fn turns_through(&self) -> bool {
        let poses = self.stage.from(&self.state);
        let motion = |b: usize| {
            let u = &self.solution.u_plus[6 * b..6 * b + 6];
            let [v, w] = [0, 3].map(|i| Vec3::new(u[i], u[i + 1], u[i + 2]));
            (poses[b], self.closure.end_poses[b], Twist::new(v, w))
        };
        let dt = self.stage.plan.after;
        let mut contacts = self.contacts.iter();
        contacts.any(|contact| is_turned_through(contact, self.model.shapes(), dt, motion))
    }
}

/// The same for one contact; `motion` returns the start and end poses of a body, and u⁺.
pub(crate) fn is_turned_through(
    contact: &ContactPoint,
    shapes: &[Shape],
    dt: f64,
    motion: impl Fn(usize) -> (Pose, Pose, Twist),
) -> bool {
    let (n, p) = (&contact.normal, &contact.point);
    // Displacement of the point on a body along the normal, and its linearisation in the row.
    let moves = |body: Option<BodyId>| {
        let Some(body) = body else {
            return [0.0; 2];
        };
        let (from, to, u) = motion(body.index());
        let r = p - from.position;
        let end = to.transform_point(&from.inverse_transform_point(p));
        [n.dot(&(end - p)), dt * n.dot(&u.at(&r))]
    };
    let [a, b] = [moves(contact.body_a), moves(contact.body_b)];
    let (unseen, depth) = ((b[0] - a[0]) - (b[1] - a[1]), -(contact.gap + b[0] - a[0]));
    let key = &contact.key;
    let [first, second] = [key.shape_a, key.shape_b].map(|s| &shapes[s.index()]);
    let width = |shape: &Shape, body: Option<BodyId>| {
        let body = body.map_or_else(Pose::identity, |b| motion(b.index()).0);
        let along = body.compose(&shape.local).rotation.inverse() * n;
        width(&shape.geometry, &along)
    };
    let thinner = || width(first, contact.body_a).min(width(second, contact.body_b));
    // Depth that a body with a large rotation may reach with any of its points; `side` is −1 for the body from which
    // the normal points away.
    let swings = |body: Option<BodyId>, shape: &Shape, side: f64| {
        let Some(body) = body else {
            return f64::NEG_INFINITY;
        };
        let (from, to, u) = motion(body.index());
        let turn = dt * u.angular.norm();
        if turn < NEAR {
            return f64::NEG_INFINITY;
        }
        if turn < FAR {
            // Deepest point of the shape at a pose. Where it is deep already at the start, it is not in the wall but
            // beside it.
            let deepest = |pose: &Pose| {
                let frame = pose.compose(&shape.local);
                let along = frame.rotation.inverse() * (-side * n);
                reach(&shape.geometry, &along)
                    - side * n.dot(&(frame.position - p))
                    - 0.5 * contact.gap
            };
            if deepest(&from) > HALF_WAY * thinner() {
                return f64::NEG_INFINITY;
            }
            return deepest(&to);
        }
        let away = side * n.dot(&(to.position - p));
        shape.local.position.norm() + radius(&shape.geometry) - away - 0.5 * contact.gap
    };
    let swung = swings(contact.body_a, first, -1.0) - b[0];
    let swung = swung.max(swings(contact.body_b, second, 1.0) + a[0]);
    // Overlaps contained in the row are treated by the row: most contacts end here.
    let bent = if unseen < -0.5 * depth { depth } else { 0.0 };
    let depth = bent.max(swung);
    depth > 0.0 && depth > HALF_WAY * thinner()
}

/// Distance from the origin of a solid's frame to its farthest point along a direction, m; that of the enclosing
/// cylinder for a cone. Surfaces and half spaces do not swing.
fn reach(geometry: &Geometry, along: &Vec3) -> f64 {
    match geometry {
        Geometry::ConvexHull { points } => points
            .iter()
            .map(|p| p.dot(along))
            .fold(f64::NEG_INFINITY, f64::max),
        solid => match width(solid, along) {
            across if across.is_finite() => 0.5 * across,
            _ => f64::NEG_INFINITY,
        },
    }
}

/// Width of a solid along a direction of its own frame, m; a surface or half space cannot be passed.
fn width(geometry: &Geometry, n: &Vec3) -> f64 {
    let round = |radius: f64, half_length: f64| radius * n.xy().norm() + half_length * n.z.abs();
    match geometry {
        Geometry::Box { half_extents } => 2.0 * half_extents.dot(&n.abs()),
        Geometry::Sphere { radius } => 2.0 * radius,
        Geometry::Capsule {
            radius,
            half_length,
        } => 2.0 * (radius + half_length * n.z.abs()),
        Geometry::Cylinder {
            radius,
            half_length,
        } => 2.0 * round(*radius, *half_length),
        Geometry::Cone {
            radius,
            half_length,
        } => 2.0 * round(*radius, *half_length),
        Geometry::Ellipsoid { radii } => 2.0 * radii.component_mul(n).norm(),
        Geometry::ConvexHull { points } => {
            let heights = points.iter().map(|p| p.dot(n));
            let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                (l.min(x), h.max(x))
            });
            high - low
        }
        _ => f64::INFINITY,
    }
}

/// Distance of the farthest point of a solid from the origin of its frame, m; surfaces and half spaces do not swing.
fn radius(geometry: &Geometry) -> f64 {
    match geometry {
        Geometry::Box { half_extents } => half_extents.norm(),
        Geometry::Sphere { radius } => *radius,
        Geometry::Capsule {
            radius,
            half_length,
        } => radius + half_length,
        Geometry::Cylinder {
            radius,
            half_length,
        }
        | Geometry::Cone {
            radius,
            half_length,
        } => radius.hypot(*half_length),
        Geometry::Ellipsoid { radii } => radii.max(),
        Geometry::ConvexHull { points } => points.iter().map(Vec3::norm).fold(0.0, f64::max),
        _ => f64::NEG_INFINITY,
    }
}
