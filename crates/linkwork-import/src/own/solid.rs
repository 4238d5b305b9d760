//! Mass properties of solid shapes of density 1 kg/m³.

use crate::mesh::{InertiaMode, Mesh};
use crate::{Notices, Place};
use linkwork::math::{MassProperties, Vec3};
use linkwork::model::Geometry;
use std::f64::consts::PI;

/// Mass properties in the shape's frame; `None` for shapes that are not solids of known volume.
pub(super) fn of(geometry: &Geometry) -> Option<MassProperties> {
    Some(match *geometry {
        Geometry::Sphere { radius: r } => {
            MassProperties::solid_sphere(4.0 / 3.0 * PI * r.powi(3), r)
        }
        Geometry::Box { half_extents: h } => MassProperties::solid_box(8.0 * h.x * h.y * h.z, h),
        Geometry::Capsule {
            radius: r,
            half_length: h,
        } => {
            let volume = PI * r * r * (2.0 * h + 4.0 / 3.0 * r);
            MassProperties::solid_capsule(volume, r, h)
        }
        Geometry::Cylinder {
            radius: r,
            half_length: h,
        } => MassProperties::solid_cylinder(2.0 * PI * r * r * h, r, h),
        Geometry::Ellipsoid { radii: r } => {
            MassProperties::solid_ellipsoid(4.0 / 3.0 * PI * r.x * r.y * r.z, r)
        }
        Geometry::Cone {
            radius: r,
            half_length: h,
        } => {
            let mass = 2.0 / 3.0 * PI * r * r * h;
            let radial = mass * (0.15 * r * r + 0.15 * h * h);
            let moments = Vec3::new(radial, radial, 0.3 * mass * r * r);
            MassProperties::principal(mass, moments).with_com(Vec3::new(0.0, 0.0, -0.5 * h))
        }
        Geometry::ConvexHull { ref points } => mesh(points, &[], InertiaMode::Convex)?,
        Geometry::TriangleMesh {
            ref vertices,
            ref triangles,
        } => mesh(vertices, triangles, InertiaMode::Exact)?,
        Geometry::HalfSpace | Geometry::HeightField { .. } => return None,
    })
}

/// A surface that is not closed encloses no known volume.
fn mesh(vertices: &[Vec3], triangles: &[[u32; 3]], mode: InertiaMode) -> Option<MassProperties> {
    let (place, mut notices) = (Place::default(), Notices::default());
    let mesh =
        Mesh::from_parts(vertices.to_vec(), triangles.to_vec(), &place, &mut notices).ok()?;
    if !mesh.closed() {
        return None;
    }
    let mass = mesh.mass(mode, &place, &mut notices).ok()?;
    Some(MassProperties {
        mass: mass.volume,
        com: mass.centre,
        inertia: mass.inertia,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cone as a sum of thin discs.
    #[test]
    fn a_cone_is_the_sum_of_its_slices() {
        let (r, h) = (0.3, 0.5);
        let solid = of(&Geometry::Cone {
            radius: r,
            half_length: h,
        })
        .unwrap();
        let n = 100_000;
        let dz = 2.0 * h / n as f64;
        let (mut mass, mut first, mut axial, mut second) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            let z = -h + (i as f64 + 0.5) * dz;
            let a = r * (h - z) / (2.0 * h);
            let m = PI * a * a * dz;
            mass += m;
            first += m * z;
            axial += 0.5 * m * a * a;
            second += m * (0.25 * a * a + z * z);
        }
        let com = first / mass;
        assert!((solid.mass / mass - 1.0).abs() < 1e-8);
        assert!((solid.com.z - com).abs() < 1e-8);
        assert!((solid.inertia[(2, 2)] / axial - 1.0).abs() < 1e-8);
        let radial = second - mass * com * com;
        assert!((solid.inertia[(0, 0)] / radial - 1.0).abs() < 1e-8);
    }
}
