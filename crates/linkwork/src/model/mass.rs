//! Mass of a form filled with a material.

use super::Geometry;
use crate::collision::convex_hull;
use crate::math::{MassProperties, Mat3, Vec3};
use std::collections::HashMap;
use std::f64::consts::PI;

impl Geometry {
    /// Mass properties of the shape as a solid of this density, kg/m³, in its own frame. `None` for geometry without a
    /// volume: half spaces, height fields, hulls of points in a plane, and meshes that are open or inside out.
    pub fn mass_properties(&self, density: f64) -> Option<MassProperties> {
        let solid = |volume: f64, of: &dyn Fn(f64) -> MassProperties| Some(of(density * volume));
        match self {
            Geometry::Sphere { radius: r } => solid(4.0 / 3.0 * PI * r.powi(3), &|m| {
                MassProperties::solid_sphere(m, *r)
            }),
            Geometry::Box { half_extents: h } => {
                solid(8.0 * h.x * h.y * h.z, &|m| MassProperties::solid_box(m, *h))
            }
            Geometry::Ellipsoid { radii: r } => solid(4.0 / 3.0 * PI * r.product(), &|m| {
                MassProperties::solid_ellipsoid(m, *r)
            }),
            Geometry::Cylinder {
                radius: r,
                half_length: h,
            } => solid(2.0 * PI * r * r * h, &|m| {
                MassProperties::solid_cylinder(m, *r, *h)
            }),
            Geometry::Capsule {
                radius: r,
                half_length: h,
            } => solid(PI * r * r * (2.0 * h + 4.0 / 3.0 * r), &|m| {
                MassProperties::solid_capsule(m, *r, *h)
            }),
            Geometry::Cone {
                radius: r,
                half_length: h,
            } => {
                // The centre of mass is a quarter of the height above the base.
                let (m, height) = (density * PI * r * r * 2.0 * h / 3.0, 2.0 * h);
                let radial = m * (0.15 * r * r + 0.0375 * height * height);
                let moments = Vec3::new(radial, radial, 0.3 * m * r * r);
                let centre = Vec3::new(0.0, 0.0, -0.5 * h);
                Some(MassProperties::principal(m, moments).with_com(centre))
            }
            Geometry::ConvexHull { points } => {
                let hull = convex_hull("hull", points).ok()?;
                enclosed(&hull.vertices, &hull.triangles, density)
            }
            Geometry::TriangleMesh {
                vertices,
                triangles,
            } if is_closed(vertices, triangles) => enclosed(vertices, triangles, density),
            Geometry::TriangleMesh { .. } => None,
            Geometry::HalfSpace | Geometry::HeightField { .. } => None,
        }
    }
}

/// Whether along every edge of a surface as many triangles go one way as the other. Vertices at one place count as one.
fn is_closed(vertices: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    let mut places = HashMap::new();
    // −0.0 is at the place of 0.0.
    let key = |v: &Vec3| [v.x, v.y, v.z].map(|x| (x + 0.0).to_bits());
    let mut place = |v: &Vec3| {
        let next = places.len();
        *places.entry(key(v)).or_insert(next)
    };
    let places: Vec<usize> = vertices.iter().map(&mut place).collect();
    let mut edges: HashMap<(usize, usize), i64> = HashMap::new();
    for t in triangles {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            let (Some(&a), Some(&b)) = (places.get(a as usize), places.get(b as usize)) else {
                return false;
            };
            let way = (b > a) as i64 - (a > b) as i64;
            *edges.entry((a.min(b), a.max(b))).or_default() += way;
        }
    }
    edges.values().all(|sum| *sum == 0)
}

/// Solid enclosed by a surface: the sum over the tetrahedra from its middle to its triangles, whose second moments
/// about it are V/20 (Σ vᵢvᵢᵀ + (Σ vᵢ)(Σ vᵢ)ᵀ).
fn enclosed(vertices: &[Vec3], triangles: &[[u32; 3]], density: f64) -> Option<MassProperties> {
    let middle: Vec3 = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for t in triangles {
        let [a, b, c] = t.map(|i| vertices[i as usize] - middle);
        let v = a.dot(&b.cross(&c)) / 6.0;
        let sum = a + b + c;
        volume += v;
        first += 0.25 * v * sum;
        let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
        second += v / 20.0 * (squares + sum * sum.transpose());
    }
    // A NaN too.
    if volume.is_nan() || volume <= 0.0 {
        return None;
    }
    let centre = first / volume;
    let about = second - volume * centre * centre.transpose();
    Some(MassProperties {
        mass: density * volume,
        com: middle + centre,
        inertia: density * (Mat3::identity() * about.trace() - about),
    })
}
