//! A cord around a sphere or cylinder between two points, as in MuJoCo.
//!
//! On a sphere the path is in the plane of the centre and the two points. On a cylinder it is in the plane across the
//! axis, and the cord rises evenly along the unrolled path. The length is stationary in the contact points: on the
//! outside it is the minimum; on the inside the angles to the wall are equal. Contact points therefore count as fixed
//! to the body in the rate of the length.

use crate::math::{Mat3, Pose, Quat, Vec3};
use crate::model::WrapForm;
use nalgebra::{Rotation3, Vector2};
use std::f64::consts::TAU;

type Vec2 = Vector2<f64>;

/// Lengths (m) and areas (m²) below this are none.
const LEAST: f64 = 1e-15;

/// A cord on a curved surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arc {
    /// The plane of the arc: the origin is the centre, z the normal; world.
    pub plane: Pose,
    /// Radius, m.
    pub radius: f64,
    /// Whether it touches the wall from within.
    pub inside: bool,
    /// Angle of the first contact from x, and the signed turn from it to the last, rad.
    pub start: f64,
    pub turn: f64,
    /// Height of the first and last contact along z, m.
    pub heights: [f64; 2],
    /// Length from contact to contact, m.
    pub length: f64,
}

impl Arc {
    /// A point of it in the world, `share` from 0 to 1 of the way.
    pub fn at(&self, share: f64) -> Vec3 {
        let angle = self.start + share * self.turn;
        let [first, last] = self.heights;
        let height = first + share * (last - first);
        let local = Vec3::new(self.radius * angle.cos(), self.radius * angle.sin(), height);
        self.plane.transform_point(&local)
    }
}

/// The arc between two points of the world on the shape at `pose`; `None` if the straight line does not touch it.
pub(crate) fn wrap(
    pose: &Pose,
    form: WrapForm,
    radius: f64,
    ends: [Vec3; 2],
    side: Option<Vec3>,
) -> Option<Arc> {
    let p = ends.map(|end| pose.inverse_transform_point(&end));
    if radius < LEAST || p.iter().any(|p| p.norm() < LEAST) {
        return None;
    }
    let side = side.map(|s| pose.inverse_transform_point(&s));
    let axes = match form {
        WrapForm::Sphere => plane_of(&p, side),
        WrapForm::Cylinder => Mat3::identity(),
    };
    let [x, y] = [0, 1].map(|i| axes.column(i).into_owned());
    let flat = |p: &Vec3| Vec2::new(p.dot(&x), p.dot(&y));
    let d = [flat(&p[0]), flat(&p[1])];
    let inside = side.is_some_and(|s| s.norm() < radius);
    let (touch, turn) = if inside {
        let point = inner(d, radius)?;
        ([point; 2], 0.0)
    } else {
        // A side point on the axis does not determine a side.
        let side = side.map(|s| flat(&s).try_normalize(LEAST).unwrap_or_default());
        outer(d, side, radius)?
    };
    let mut arc = Arc {
        plane: Pose::new(
            pose.position,
            pose.rotation * Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes)),
        ),
        radius,
        inside,
        start: touch[0].y.atan2(touch[0].x),
        turn,
        heights: [0.0; 2],
        length: radius * turn.abs(),
    };
    if form == WrapForm::Cylinder {
        let (before, after) = ((d[0] - touch[0]).norm(), (d[1] - touch[1]).norm());
        let whole = before + arc.length + after;
        let rise = p[1].z - p[0].z;
        let height = |way: f64| p[0].z + if whole > 0.0 { rise * way / whole } else { 0.0 };
        arc.heights = [height(before), height(before + arc.length)];
        arc.length = arc.length.hypot(arc.heights[1] - arc.heights[0]);
    }
    Some(arc)
}

/// x towards the first point, z normal to the plane of both and the origin.
fn plane_of(p: &[Vec3; 2], side: Option<Vec3>) -> Mat3 {
    let x = p[0].normalize();
    let z = p[0].cross(&p[1]).try_normalize(LEAST);
    // Collinear with the centre: the plane of the side point, or an arbitrary one.
    let z = z.or_else(|| x.cross(&side?).try_normalize(LEAST));
    let z = z.unwrap_or_else(|| {
        let mut other = Vec3::repeat(1.0);
        other[x.iamax()] = 0.0;
        x.cross(&other).normalize()
    });
    Mat3::from_columns(&[x, z.cross(&x), z])
}

/// Contacts on the outside of a circle and the turn between them.
fn outer(d: [Vec2; 2], side: Option<Vec2>, radius: f64) -> Option<([Vec2; 2], f64)> {
    let square = radius * radius;
    let across = d[1] - d[0];
    if d.iter().any(|d| d.norm_squared() < square) || across.norm_squared() < LEAST {
        return None;
    }
    // The point of the straight line that is nearest to the centre.
    let share = -across.dot(&d[0]) / across.norm_squared();
    let nearest = d[0] + share.clamp(0.0, 1.0) * across;
    // The short way round, unless the line passes opposite the side point: unless the ray from there through the centre
    // meets it behind. A line that does not touch the circle is led around it in that case only.
    let det = d[0].perp(&d[1]);
    let opposite = side.is_some_and(|s| -s.perp(&d[1]) / det >= 0.0 && -d[0].perp(&s) / det >= 0.0);
    if nearest.norm_squared() > square && !opposite {
        return None;
    }
    let anticlockwise = if det.abs() > LEAST {
        (det < 0.0) == opposite
    } else {
        // Straight through the centre both ways are as long.
        side.is_none_or(|s| d[0].perp(&s) >= 0.0)
    };
    let sense = if anticlockwise { 1.0 } else { -1.0 };
    // Where a tangent through `d` touches, `sign` times anticlockwise of `d`.
    let tangent = |d: &Vec2, sign: f64| {
        let root = sign * radius * (d.norm_squared() - square).max(0.0).sqrt();
        Vec2::new(d.x * square - root * d.y, d.y * square + root * d.x) / d.norm_squared()
    };
    let way = [tangent(&d[0], sense), tangent(&d[1], -sense)];
    if cross_each_other([d[0], way[0]], [d[1], way[1]]) {
        return None;
    }
    let angle = |p: &Vec2| p.y.atan2(p.x);
    let turn = (sense * (angle(&way[1]) - angle(&way[0]))).rem_euclid(TAU);
    Some((way, sense * turn))
}

/// Whether two segments cross.
fn cross_each_other([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> bool {
    let (one, other, apart) = (b - a, d - c, a - c);
    let det = other.y * one.x - other.x * one.y;
    if det.abs() < LEAST {
        return false;
    }
    let s = (other.x * apart.y - other.y * apart.x) / det;
    let t = (one.x * apart.y - one.y * apart.x) / det;
    (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)
}

/// Contact of a cord that passes through the inside of a circle with its wall: the angles of both parts to the wall are
/// equal, asin(a z) + asin(b z) + γ = 2 asin z with a, b the radius over the distances of the ends, γ the angle between
/// them.
fn inner(d: [Vec2; 2], radius: f64) -> Option<Vec2> {
    let far = d.map(|d| d.norm());
    if far.iter().any(|f| *f <= radius) {
        return None;
    }
    let across = d[1] - d[0];
    if across.norm_squared() > LEAST {
        let share = -across.dot(&d[0]) / across.norm_squared();
        if share > 0.0 && share < 1.0 && (d[0] + share * across).norm() <= radius {
            return None;
        }
    }
    let [a, b] = far.map(|f| radius / f);
    let cosine = d[0].dot(&d[1]) / (far[0] * far[1]);
    if cosine < -1.0 + LEAST {
        return None;
    }
    // Where no point has like angles, the middle.
    let middle = (d[0] + d[1]).normalize() * radius;
    if cosine > 1.0 - LEAST {
        return Some(middle);
    }
    let gamma = cosine.acos();
    let f = |z: f64| (a * z).asin() + (b * z).asin() - 2.0 * z.asin() + gamma;
    // f falls from γ at 0.
    let (mut low, mut high) = (0.0, 1.0);
    if f(high) > 0.0 {
        return Some(middle);
    }
    while high - low > f64::EPSILON * high {
        let z = 0.5 * (low + high);
        if z <= low || z >= high {
            break;
        }
        if f(z) > 0.0 { low = z } else { high = z }
    }
    let z = 0.5 * (low + high);
    let (from, ratio) = if d[0].perp(&d[1]) > 0.0 {
        (d[0], a)
    } else {
        (d[1], b)
    };
    let angle = z.asin() - (ratio * z).asin();
    let (sin, cos) = angle.sin_cos();
    let unit = from.normalize();
    Some(Vec2::new(cos * unit.x - sin * unit.y, sin * unit.x + cos * unit.y) * radius)
}
