//! Primitive solids: sizes, volume and inertia.

use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::{MassProperties, Mat3, Vec3};
use linkwork::model::Geometry;
use std::f64::consts::PI;

/// Default density of geoms, kg/m³.
pub(super) const DENSITY: f64 = 1000.0;

/// A primitive; lengths in m, along z where it has an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Solid {
    Sphere(f64),
    Capsule { radius: f64, half: f64 },
    Cylinder { radius: f64, half: f64 },
    Ellipsoid(Vec3),
    Box(Vec3),
}

impl Solid {
    /// From `size`; `length` is half the distance of `fromto`, if given.
    pub fn read(e: &Element, kind: &str, length: Option<f64>) -> Result<Self, ImportError> {
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
        Ok(match kind {
            "capsule" => Solid::Capsule {
                radius: get(0)?,
                half: half(1)?,
            },
            "cylinder" => Solid::Cylinder {
                radius: get(0)?,
                half: half(1)?,
            },
            "ellipsoid" | "box" => {
                let r = match length {
                    Some(half) => Vec3::new(get(0)?, get(0)?, half),
                    None => Vec3::new(get(0)?, get(1)?, get(2)?),
                };
                if kind == "box" {
                    Solid::Box(r)
                } else {
                    Solid::Ellipsoid(r)
                }
            }
            _ => Solid::Sphere(get(0)?),
        })
    }

    /// The form.
    pub fn geometry(&self) -> Geometry {
        match *self {
            Solid::Sphere(radius) => Geometry::Sphere { radius },
            Solid::Capsule { radius, half } => Geometry::Capsule {
                radius,
                half_length: half,
            },
            Solid::Cylinder { radius, half } => Geometry::Cylinder {
                radius,
                half_length: half,
            },
            Solid::Ellipsoid(radii) => Geometry::Ellipsoid { radii },
            Solid::Box(half_extents) => Geometry::Box { half_extents },
        }
    }

    /// Mass properties at density 1 (kg/m³; of a shell kg/m²).
    pub fn mass(&self, shell: bool) -> MassProperties {
        if shell { self.shell() } else { self.full() }
    }

    fn full(&self) -> MassProperties {
        let v = self.volume();
        match *self {
            Solid::Sphere(r) => MassProperties::solid_sphere(v, r),
            Solid::Capsule { radius, half } => MassProperties::solid_capsule(v, radius, half),
            Solid::Cylinder { radius, half } => MassProperties::solid_cylinder(v, radius, half),
            Solid::Ellipsoid(radii) => MassProperties::solid_ellipsoid(v, radii),
            Solid::Box(half) => MassProperties::solid_box(v, half),
        }
    }

    fn volume(&self) -> f64 {
        match *self {
            Solid::Sphere(r) => 4.0 / 3.0 * PI * r.powi(3),
            Solid::Capsule { radius: r, half } => PI * r * r * (2.0 * half + 4.0 / 3.0 * r),
            Solid::Cylinder { radius: r, half } => PI * r * r * 2.0 * half,
            Solid::Ellipsoid(r) => 4.0 / 3.0 * PI * r.product(),
            Solid::Box(h) => 8.0 * h.product(),
        }
    }

    fn shell(&self) -> MassProperties {
        match *self {
            Solid::Sphere(r) => {
                let m = 4.0 * PI * r * r;
                MassProperties::principal(m, Vec3::repeat(2.0 / 3.0 * m * r * r))
            }
            Solid::Capsule { radius: r, half: h } => {
                let (side, ends) = (4.0 * PI * r * h, 4.0 * PI * r * r);
                let axial = side * r * r + 2.0 / 3.0 * ends * r * r;
                // A half sphere's centre lies r/2 from its rim.
                let radial =
                    side * (r * r / 2.0 + h * h / 3.0) + ends * (2.0 / 3.0 * r * r + h * h + h * r);
                MassProperties::principal(side + ends, Vec3::new(radial, radial, axial))
            }
            Solid::Cylinder { radius: r, half: h } => {
                let (side, ends) = (4.0 * PI * r * h, 2.0 * PI * r * r);
                let axial = side * r * r + ends * r * r / 2.0;
                let radial = side * (r * r / 2.0 + h * h / 3.0) + ends * (r * r / 4.0 + h * h);
                MassProperties::principal(side + ends, Vec3::new(radial, radial, axial))
            }
            Solid::Ellipsoid(radii) => thin_ellipsoid(&radii),
            Solid::Box(h) => {
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
        }
    }
}

/// As MuJoCo: area by Thomsen's formula, inertia as the difference of two nested solids.
fn thin_ellipsoid(radii: &Vec3) -> MassProperties {
    const POWER: f64 = 1.6075;
    const GROWTH: f64 = 1e-6;
    let p = radii.map(|r| r.powf(POWER));
    let mean = (p.x * p.y + p.y * p.z + p.z * p.x) / 3.0;
    let area = 4.0 * PI * mean.powf(1.0 / POWER);
    let grown = radii.add_scalar(GROWTH);
    let (inner, outer) = (
        Solid::Ellipsoid(*radii).full(),
        Solid::Ellipsoid(grown).full(),
    );
    let between = outer.mass - inner.mass;
    MassProperties {
        mass: area,
        com: Vec3::zeros(),
        inertia: (outer.inertia - inner.inertia) * (area / between),
    }
}
