//! First intersection of a ray with a shape.
//!
//! Closed forms in the shape's own frame; hulls, meshes and height fields triangle by triangle. A ray that starts
//! inside a solid hits it at distance 0, with the normal opposite to the ray; a surface of triangles has no inside.

use super::library;
use crate::math::Vec3;
use crate::model::Geometry;

/// A ray in the frame of a shape. The direction is a unit vector.
#[derive(Clone, Copy)]
pub struct Ray {
    pub origin: Vec3,
    pub direction: Vec3,
}

/// Distance along the ray (m) and unit normal of the surface.
pub type Hit = (f64, Vec3);

impl Ray {
    fn at(&self, t: f64) -> Vec3 {
        self.origin + t * self.direction
    }

    /// First intersection with a shape.
    pub fn meets(&self, geometry: &Geometry) -> Option<Hit> {
        match geometry {
            Geometry::HalfSpace => self.solid(self.plane_below(0.0)),
            Geometry::Sphere { radius } => self.solid(self.ellipsoid(&Vec3::repeat(*radius))),
            Geometry::Ellipsoid { radii } => self.solid(self.ellipsoid(radii)),
            Geometry::Box { half_extents } => self.solid(self.slabs(half_extents)),
            Geometry::Cylinder {
                radius,
                half_length,
            } => self.solid(join(self.tube(*radius), self.slab(*half_length))),
            Geometry::Capsule {
                radius,
                half_length,
            } => self.capsule(*radius, *half_length),
            Geometry::Cone {
                radius,
                half_length,
            } => self.solid(self.cone(*radius, *half_length)),
            Geometry::ConvexHull { points } => {
                let (vertices, triangles) = library::convex_hull(points)?;
                self.solid(self.planes(&vertices, &triangles))
            }
            Geometry::TriangleMesh {
                vertices,
                triangles,
            } => {
                let corners = |t: &[u32; 3]| t.map(|i| vertices[i as usize]);
                self.nearest(triangles.iter().map(corners))
            }
            Geometry::HeightField {
                nx,
                ny,
                heights,
                size,
            } => self.nearest(cells(*nx, *ny, heights, *size)),
        }
    }

    /// The hit of a convex solid that contains the ray between two distances.
    fn solid(&self, inside: Option<(Hit, Hit)>) -> Option<Hit> {
        let ((t, normal), (end, _)) = inside?;
        match t {
            _ if end < 0.0 => None,
            t if t < 0.0 => Some((0.0, -self.direction)),
            t => Some((t, normal)),
        }
    }

    /// The part of the ray below the plane z = `height`.
    fn plane_below(&self, height: f64) -> Option<(Hit, Hit)> {
        let (z, dz) = (self.origin.z - height, self.direction.z);
        let (n, far) = (Vec3::z(), f64::INFINITY);
        let t = -z / dz;
        match dz {
            _ if dz < 0.0 => Some(((t, n), (far, n))),
            _ if dz > 0.0 => Some(((-far, n), (t, n))),
            _ => (z <= 0.0).then_some(((-far, n), (far, n))),
        }
    }

    fn slab(&self, half: f64) -> Option<(Hit, Hit)> {
        self.slab_along(2, half)
    }

    /// Where |x_i| ≤ half.
    fn slab_along(&self, i: usize, half: f64) -> Option<(Hit, Hit)> {
        let (x, dx) = (self.origin[i], self.direction[i]);
        let mut n = Vec3::zeros();
        n[i] = 1.0;
        if dx == 0.0 {
            let far = f64::INFINITY;
            return (x.abs() <= half).then_some(((-far, n), (far, n)));
        }
        let side = dx.signum();
        let (enter, leave) = ((-side * half - x) / dx, (side * half - x) / dx);
        Some(((enter, -side * n), (leave, side * n)))
    }

    fn slabs(&self, half: &Vec3) -> Option<(Hit, Hit)> {
        let [x, y, z] = [0, 1, 2].map(|i| self.slab_along(i, half[i]));
        join(join(x, y), z)
    }

    /// Within an ellipsoid: |x/a|² ≤ 1 is a quadratic in t.
    fn ellipsoid(&self, radii: &Vec3) -> Option<(Hit, Hit)> {
        let (o, d) = (
            self.origin.component_div(radii),
            self.direction.component_div(radii),
        );
        let (a, b, c) = (d.dot(&d), o.dot(&d), o.dot(&o) - 1.0);
        let normal = |t: f64| {
            let at = self.at(t).component_div(radii).component_div(radii);
            at.normalize()
        };
        let [enter, leave] = roots(a, b, c)?;
        Some(((enter, normal(enter)), (leave, normal(leave))))
    }

    /// Within an infinite cylinder along z.
    fn tube(&self, radius: f64) -> Option<(Hit, Hit)> {
        let (o, d) = (self.origin.xy(), self.direction.xy());
        let (a, b, c) = (d.dot(&d), o.dot(&d), o.dot(&o) - radius * radius);
        let normal = |t: f64| {
            let at = self.at(t);
            Vec3::new(at.x, at.y, 0.0) / radius
        };
        if a == 0.0 {
            let far = f64::INFINITY;
            let n = Vec3::x();
            return (c <= 0.0).then_some(((-far, n), (far, n)));
        }
        let [enter, leave] = roots(a, b, c)?;
        Some(((enter, normal(enter)), (leave, normal(leave))))
    }

    /// A cylinder and two balls: the ray is inside from the first entry to the last exit.
    fn capsule(&self, radius: f64, half: f64) -> Option<Hit> {
        let ball = |z: f64| {
            let moved = Ray {
                origin: self.origin - Vec3::new(0.0, 0.0, z),
                ..*self
            };
            moved.ellipsoid(&Vec3::repeat(radius))
        };
        let parts = [
            join(self.tube(radius), self.slab(half)),
            ball(half),
            ball(-half),
        ];
        let parts = parts.into_iter().flatten();
        let inside = parts.reduce(|a, b| {
            let enter = if b.0.0 < a.0.0 { b.0 } else { a.0 };
            let leave = if b.1.0 > a.1.0 { b.1 } else { a.1 };
            (enter, leave)
        });
        self.solid(inside)
    }

    /// A cone from its base at z = −h to its apex at z = h: x² + y² ≤ (r (h − z)/(2h))², −h ≤ z ≤ h.
    fn cone(&self, radius: f64, half: f64) -> Option<(Hit, Hit)> {
        let k = radius / (2.0 * half);
        let (o, d) = (self.origin, self.direction);
        let below = half - o.z;
        let a = d.x * d.x + d.y * d.y - k * k * d.z * d.z;
        let b = o.x * d.x + o.y * d.y + k * k * below * d.z;
        let c = o.x * o.x + o.y * o.y - k * k * below * below;
        let normal = |t: f64| {
            let at = self.at(t);
            let across = at.xy().norm();
            let slope = Vec3::new(at.x / across, at.y / across, k);
            if across > 0.0 {
                slope.normalize()
            } else {
                Vec3::z()
            }
        };
        // The surface intersects the ray up to twice; the base closes it. Only the lower half of the double cone
        // counts.
        let within = |t: &f64| self.at(*t).z.abs() <= half * (1.0 + 1e-12);
        let mut hits: Vec<Hit> = match a == 0.0 {
            true if b != 0.0 => vec![-c / (2.0 * b)],
            true => Vec::new(),
            false => roots(a, b, c).map_or(Vec::new(), |r| r.to_vec()),
        }
        .into_iter()
        .filter(within)
        .map(|t| (t, normal(t)))
        .collect();
        if d.z != 0.0 {
            let t = (-half - o.z) / d.z;
            if self.at(t).xy().norm() <= radius {
                hits.push((t, -Vec3::z()));
            }
        }
        hits.sort_by(|x, y| x.0.total_cmp(&y.0));
        Some((*hits.first()?, *hits.last()?))
    }

    /// Within all planes of a hull's triangles.
    fn planes(&self, vertices: &[Vec3], triangles: &[[u32; 3]]) -> Option<(Hit, Hit)> {
        let far = f64::INFINITY;
        let mut inside = ((-far, Vec3::zeros()), (far, Vec3::zeros()));
        for t in triangles {
            let [a, b, c] = t.map(|i| vertices[i as usize]);
            let Some(n) = (b - a).cross(&(c - a)).try_normalize(0.0) else {
                continue;
            };
            let (height, rate) = (n.dot(&(self.origin - a)), n.dot(&self.direction));
            if rate == 0.0 {
                if height > 0.0 {
                    return None;
                }
                continue;
            }
            let t = -height / rate;
            if rate < 0.0 && t > inside.0.0 {
                inside.0 = (t, n);
            } else if rate > 0.0 && t < inside.1.0 {
                inside.1 = (t, n);
            }
        }
        (inside.0.0 <= inside.1.0).then_some(inside)
    }

    /// The nearest of triangles, hit from either side [Möller and Trumbore].
    fn nearest(&self, triangles: impl Iterator<Item = [Vec3; 3]>) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        for [a, b, c] in triangles {
            let (e, f) = (b - a, c - a);
            let p = self.direction.cross(&f);
            let det = e.dot(&p);
            if det == 0.0 {
                continue;
            }
            let s = self.origin - a;
            let u = s.dot(&p) / det;
            let q = s.cross(&e);
            let v = self.direction.dot(&q) / det;
            let t = f.dot(&q) / det;
            let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0;
            if inside && best.is_none_or(|(least, _)| t < least) {
                let n = e.cross(&f).normalize();
                best = Some((t, if det > 0.0 { n } else { -n }));
            }
        }
        best
    }
}

/// Both roots of a t² + 2 b t + c, the smaller first; without cancellation.
fn roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let disc = b * b - a * c;
    if disc.is_nan() || disc < 0.0 || a == 0.0 {
        return None;
    }
    let q = -(b + b.signum() * disc.sqrt());
    let (x, y) = if q == 0.0 { (0.0, 0.0) } else { (q / a, c / q) };
    Some([x.min(y), x.max(y)])
}

/// Where both are inside.
fn join(a: Option<(Hit, Hit)>, b: Option<(Hit, Hit)>) -> Option<(Hit, Hit)> {
    let (a, b) = (a?, b?);
    let enter = if b.0.0 > a.0.0 { b.0 } else { a.0 };
    let leave = if b.1.0 < a.1.0 { b.1 } else { a.1 };
    (enter.0 <= leave.0).then_some((enter, leave))
}

/// Two triangles of each cell of a height field.
fn cells(nx: usize, ny: usize, heights: &[f64], size: [f64; 2]) -> impl Iterator<Item = [Vec3; 3]> {
    let at = move |i: usize, j: usize| {
        let [x, y] = [(i, nx, size[0]), (j, ny, size[1])]
            .map(|(k, n, size)| size * (k as f64 / (n - 1) as f64 - 0.5));
        Vec3::new(x, y, heights[i * ny + j])
    };
    let each =
        (0..nx.saturating_sub(1)).flat_map(move |i| (0..ny.saturating_sub(1)).map(move |j| (i, j)));
    each.flat_map(move |(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    })
}
