//! Whether a neighbouring shape covers the position of a contact, so that nothing can touch the shape there.

use super::broad::Bounds;
use super::solid::Placed;
use super::surface::Surface;
use super::surface_pair::PlacedSurface;
use crate::math::Vec3;

/// Gaps and height differences between neighbours up to this, relative to the smaller of the two, count as zero.
pub const FLUSH: f64 = 1e-6;
/// Offset into a face at which neighbours are searched, relative to the size of the shape: well beyond the tolerance
/// for flush shapes.
const WITHIN: f64 = 1e-5;
/// Cosine of the angle up to which a normal is that of a face.
pub const IS_FACE: f64 = 1.0 - 1e-12;

/// The position of a contact on a solid, or on a triangle of a surface.
pub struct Spot {
    /// The place, m.
    on: Vec3,
    /// Position at which neighbours are searched, m: on a face slightly inside, so that a floor beside a wall is not
    /// covered at the edge between the two.
    at: Vec3,
    /// Unit normal of the contact, outwards.
    n: Vec3,
    /// Of the touched shape, m.
    size: f64,
}

/// Whether any neighbour covers a place.
pub type Covers<'a> = dyn Fn(&Spot) -> bool + 'a;

impl Spot {
    /// The position `on` (m) on a solid or triangle of this size (m) with contact normal `n`; `face`: the middle of its
    /// face (m) if `n` is the normal of one.
    pub fn new(on: Vec3, n: Vec3, face: Option<Vec3>, size: f64) -> Self {
        let towards = face.and_then(|f| (f - on).try_normalize(0.0));
        Self {
            on,
            at: on + towards.unwrap_or_default() * (WITHIN * size),
            n,
            size,
        }
    }

    /// Whether a solid touches the position and extends beyond the contact plane.
    pub fn is_behind_solid(&self, near: &Placed) -> bool {
        let flush = FLUSH * near.solid.size.min(self.size);
        near.outside(&self.at) <= flush && self.n.dot(&(near.support(&self.n) - self.on)) > flush
    }

    /// Whether a surface no larger than `size` (m) covers the position: a triangle continues from there beyond the
    /// contact plane, or the position in front of that plane is inside, for a closed surface.
    pub fn is_behind_surface(&self, near: &PlacedSurface, size: f64) -> bool {
        let flush = FLUSH * size.min(self.size);
        let local = |p: &Vec3| near.rotation.tr_mul(&(p - near.position));
        let [on, at, before] =
            [self.on, self.at, self.at + self.n * (2.0 * flush)].map(|p| local(&p));
        let n = near.rotation.tr_mul(&self.n);
        goes_on(near.surface, (&on, &at), &n, flush) || contains(near.surface, &before)
    }
}

/// Whether a triangle touches the position `on` (m), to `flush` (m), and rises along `n` from there. On a face, of
/// which `at` (m) is a position slightly inside, only if the face is behind the triangle: a wall that stands on a floor
/// rises too, but does not cover the floor in front of it.
fn goes_on(surface: &Surface, (on, at): (&Vec3, &Vec3), n: &Vec3, flush: f64) -> bool {
    let mut found = false;
    let here = Bounds { lo: *on, hi: *on };
    surface.tree.overlapping(&here.grown(flush), |index| {
        let corners = surface.corners_of(index);
        let normal = surface.normal(index);
        let is_beside = |k: usize| {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let inward = normal.cross(&(to - from)).normalize();
            inward.dot(&(on - from)) < -flush
        };
        found |= normal.dot(&(on - corners[0])).abs() <= flush
            && corners.iter().any(|v| n.dot(&(v - on)) > flush)
            && (on == at || normal.dot(&(at - on)) < -flush)
            && !(0..3).any(is_beside);
    });
    found
}

/// Whether the point `p` (m) is inside a closed surface: its winding number around the point, from the triangles above
/// it.
fn contains(surface: &Surface, p: &Vec3) -> bool {
    if !surface.is_closed {
        return false;
    }
    let mut winds = 0;
    let above = Bounds {
        lo: *p,
        hi: Vec3::new(p.x, p.y, f64::INFINITY),
    };
    surface.tree.overlapping(&above, |index| {
        let [a, b, c] = surface.corners_of(index);
        let side = is_left(&a, &b, p);
        let is_over = is_left(&b, &c, p) == side && is_left(&c, &a, p) == side;
        let normal = surface.normal(index);
        // Heights of the plane above the point; a triangle seen edge-on is above no point.
        if is_over && normal.dot(&(a - p)) / normal.z > 0.0 {
            winds += if side { 1 } else { -1 };
        }
    });
    winds != 0
}

/// Whether `p` is to the left of the segment from `a` to `b`, seen from above. A point on the segment is on one side of
/// it, and on the other side of the reverse segment, so that of two triangles with this edge exactly one is above the
/// point.
fn is_left(a: &Vec3, b: &Vec3, p: &Vec3) -> bool {
    let turned = (a.x, a.y) > (b.x, b.y);
    let (from, to) = if turned { (b, a) } else { (a, b) };
    let cross = (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
    (cross >= 0.0) != turned
}
