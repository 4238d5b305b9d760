//! `[[body]]`.

use super::fields::Fields;
use super::pose::{self, Spot};
use super::solid;
use super::tree::{Content, Entries, numbers};
use crate::draft::combined;
use crate::{Fault, ImportError};
use linkwork::math::{MassProperties, Mat3, Pose, Twist, Vec3};
use linkwork::model::{Body, Geometry};

/// Read a body; `shapes` are its own, for the mass properties that follow from them.
pub(super) fn read(
    fields: &mut Fields,
    name: String,
    shapes: &[(&Geometry, Spot)],
) -> Result<Body, ImportError> {
    let mass = mass(fields, shapes)?;
    let (position, centre) = (fields.vector("position")?, fields.vector("centre")?);
    let rotation = pose::rotation(fields)?;
    let centre = match (position, centre) {
        (Some(_), Some(_)) => return Err(pose::both(fields, "position", "centre")),
        (_, Some(centre)) => centre,
        (position, None) => {
            Pose::new(position.unwrap_or_default(), rotation).transform_point(&mass.com)
        }
    };
    let linear = fields.vector("velocity")?.unwrap_or_default();
    let angular = fields.vector("angular_velocity")?.unwrap_or_default();
    Ok(Body {
        name,
        mass: mass.mass,
        com: mass.com,
        inertia: mass.inertia,
        // Derived when the model is built.
        inverse_inertia: Mat3::zeros(),
        isotropic: false,
        pose: Pose::new(centre, rotation),
        twist: Twist::new(linear, angular),
        gravity_scale: fields.number_or("gravity_scale", 1.0)?,
    })
}

/// Source of a body's mass properties.
const MASS_KEYS: [&str; 4] = ["mass", "density", "com", "inertia"];

/// Given directly, or the missing values from the shapes.
fn mass(fields: &mut Fields, shapes: &[(&Geometry, Spot)]) -> Result<MassProperties, ImportError> {
    let (mass, density) = (fields.number("mass")?, fields.number("density")?);
    let com = fields.vector("com")?;
    let inertia = inertia(fields)?;
    if let (Some(mass), Some(inertia)) = (mass, inertia) {
        if density.is_some() {
            return Err(pose::both(fields, "mass", "density"));
        }
        let com = com.unwrap_or_default();
        return Ok(MassProperties { mass, com, inertia });
    }
    if let Some(inertia) = inertia {
        fields.require("mass", mass)?;
        return Ok(MassProperties {
            mass: 0.0,
            com: Vec3::zeros(),
            inertia,
        });
    }
    let unit = of_shapes(fields, shapes)?;
    let scale = match (mass, density) {
        (Some(_), Some(_)) => return Err(pose::both(fields, "mass", "density")),
        (Some(mass), None) => mass / unit.mass,
        (None, Some(density)) => density,
        (None, None) => {
            let what = "neither 'mass' nor 'density' is given";
            let remedy = "give 'mass' and 'inertia', or 'density' (kg/m³) and shapes";
            return Err(fields.missing(&MASS_KEYS, what, remedy));
        }
    };
    Ok(MassProperties {
        mass: mass.unwrap_or(unit.mass * scale),
        com: com.unwrap_or(unit.com),
        inertia: unit.inertia * scale,
    })
}

/// Mass properties of the shapes together, for a density of 1 kg/m³.
fn of_shapes(fields: &Fields, shapes: &[(&Geometry, Spot)]) -> Result<MassProperties, ImportError> {
    let remedy = "give 'mass', 'com' and 'inertia'";
    let fail = |what: &str| fields.missing(&MASS_KEYS, what, remedy);
    let mut parts = Vec::new();
    for (geometry, spot) in shapes {
        let Spot::Frame(pose) = spot else {
            return Err(fail(
                "a shape is given from the centre of mass, which is not known",
            ));
        };
        let Some(solid) = solid::of(geometry) else {
            return Err(fail("a shape of the body is no solid whose mass is known"));
        };
        let com = pose.transform_point(&solid.com);
        parts.push(solid.rotated(&pose.rotation).with_com(com));
    }
    let sum = combined(&parts);
    if sum.mass > 0.0 {
        Ok(sum)
    } else {
        Err(fail(
            "the inertia is not given, and the body has no shapes to compute it from",
        ))
    }
}

/// `inertia`: three or six numbers.
pub(super) fn inertia(fields: &mut Fields) -> Result<Option<Mat3>, ImportError> {
    let Some(values) = fields.numbers("inertia")? else {
        return Ok(None);
    };
    match values[..] {
        [x, y, z] => Ok(Some(Mat3::from_diagonal(&Vec3::new(x, y, z)))),
        [xx, yy, zz, xy, xz, yz] => Ok(Some(Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))),
        _ => {
            let what = format!("'inertia' has {} numbers", values.len());
            let remedy = "give xx, yy, zz or xx, yy, zz, xy, xz, yz (kg m²)";
            Err(fields.fail_at("inertia", Fault::BadValue, what, remedy))
        }
    }
}

/// xx, yy, zz, and xy, xz, yz unless they vanish.
pub(super) fn six(i: &Mat3) -> Content {
    let off = Vec3::new(i[(0, 1)], i[(0, 2)], i[(1, 2)]);
    let mut six = vec![i[(0, 0)], i[(1, 1)], i[(2, 2)]];
    if !pose::same(&off, &Vec3::zeros()) {
        six.extend(off.iter());
    }
    numbers(six)
}

/// Write a body.
pub(super) fn write(body: &Body) -> Entries {
    let zero = Vec3::zeros();
    let mut entries = Entries::default();
    entries.put("name", body.name.as_str());
    entries.put("mass", body.mass);
    entries.put_unless("com", &body.com, &zero);
    entries.put("inertia", six(&body.inertia));
    let at = body.pose.transform_point(&-body.com);
    let again = Pose::new(at, body.pose.rotation).transform_point(&body.com);
    if pose::same(&again, &body.pose.position) {
        entries.put_unless("position", &at, &zero);
    } else {
        entries.put("centre", &body.pose.position);
    }
    pose::write_rotation(&mut entries, &body.pose.rotation);
    entries.put_unless("velocity", &body.twist.linear, &zero);
    entries.put_unless("angular_velocity", &body.twist.angular, &zero);
    entries.put_unless("gravity_scale", body.gravity_scale, 1.0);
    entries
}
