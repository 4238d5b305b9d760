//! Primitives: sizes, and the inertia of shells.

use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::{MassProperties, Mat3, Vec3};
use linkwork::model::Geometry;
use std::f64::consts::PI;

/// Default density of geoms, kg/m³.
pub(super) const DENSITY: f64 = 1000.0;

/// A primitive from `size`; `length` is half the distance of `fromto`, if given.
pub(super) fn read(e: &Element, kind: &str, length: Option<f64>) -> Result<Geometry, ImportError> {
    let size = e.numbers("size")?.unwrap_or_default();
    let get = |i: usize| match size.get(i) {
        Some(x) if *x > 0.0 => Ok(*x),
        _ => {
            let what = format!("size of a {kind} needs {} positive number(s)", i + 1);
            Err(e.error(Fault::BadValue, what, "give them, or a fromto"))
        }
    };
    let half = |i: usize| length.map_or_else(|| get(i), Ok);
    if length.is_some() && kind == "sphere" {
        let what = "fromto of a sphere";
        return Err(e.error(Fault::BadValue, what, "give pos, or take a capsule"));
    }
    let radius = get(0)?;
    Ok(match kind {
        "capsule" => Geometry::Capsule {
            radius,
            half_length: half(1)?,
        },
        "cylinder" => Geometry::Cylinder {
            radius,
            half_length: half(1)?,
        },
        "ellipsoid" | "box" => {
            let sides = match length {
                Some(half) => Vec3::new(radius, radius, half),
                None => Vec3::new(radius, get(1)?, get(2)?),
            };
            match kind {
                "box" => Geometry::Box {
                    half_extents: sides,
                },
                _ => Geometry::Ellipsoid { radii: sides },
            }
        }
        _ => Geometry::Sphere { radius },
    })
}

/// Mass properties of a thin shell of 1 kg/m²; nothing for other forms than primitives.
pub(super) fn shell(form: &Geometry) -> Option<MassProperties> {
    Some(match *form {
        Geometry::Sphere { radius: r } => {
            let m = 4.0 * PI * r * r;
            MassProperties::principal(m, Vec3::repeat(2.0 / 3.0 * m * r * r))
        }
        Geometry::Capsule {
            radius: r,
            half_length: h,
        } => {
            let (side, ends) = (4.0 * PI * r * h, 4.0 * PI * r * r);
            let axial = side * r * r + 2.0 / 3.0 * ends * r * r;
            // A half sphere's centre lies r/2 from its rim.
            let radial =
                side * (r * r / 2.0 + h * h / 3.0) + ends * (2.0 / 3.0 * r * r + h * h + h * r);
            MassProperties::principal(side + ends, Vec3::new(radial, radial, axial))
        }
        Geometry::Cylinder {
            radius: r,
            half_length: h,
        } => {
            let (side, ends) = (4.0 * PI * r * h, 2.0 * PI * r * r);
            let axial = side * r * r + ends * r * r / 2.0;
            let radial = side * (r * r / 2.0 + h * h / 3.0) + ends * (r * r / 4.0 + h * h);
            MassProperties::principal(side + ends, Vec3::new(radial, radial, axial))
        }
        Geometry::Ellipsoid { radii } => thin_ellipsoid(&radii),
        Geometry::Box { half_extents: h } => {
            let mut inertia = Mat3::zeros();
            let mut mass = 0.0;
            for i in 0..3 {
                let mut flat = h;
                flat[i] = 0.0;
                let area = 8.0 * h.product() / h[i];
                let face = MassProperties::solid_box(area, flat);
                let mut off = Vec3::repeat(area * h[i] * h[i]);
                off[i] = 0.0;
                inertia += face.inertia + Mat3::from_diagonal(&off);
                mass += area;
            }
            MassProperties {
                mass,
                com: Vec3::zeros(),
                inertia,
            }
        }
        _ => return None,
    })
}

/// As MuJoCo: area by Thomsen's formula, inertia as the difference of two nested solids.
fn thin_ellipsoid(radii: &Vec3) -> MassProperties {
    const POWER: f64 = 1.6075;
    const GROWTH: f64 = 1e-6;
    let p = radii.map(|r| r.powf(POWER));
    let mean = (p.x * p.y + p.y * p.z + p.z * p.x) / 3.0;
    let area = 4.0 * PI * mean.powf(1.0 / POWER);
    let grown = radii.add_scalar(GROWTH);
    let solid = |r: Vec3| MassProperties::solid_ellipsoid(4.0 / 3.0 * PI * r.product(), r);
    let (inner, outer) = (solid(*radii), solid(grown));
    let between = outer.mass - inner.mass;
    MassProperties {
        mass: area,
        com: Vec3::zeros(),
        inertia: (outer.inertia - inner.inertia) * (area / between),
    }
}
