//! `[[body]]`.

use super::fields::Fields;
use super::pose::{self, Spot};
use super::table::{Done, Table};
use crate::ImportError;
use crate::draft::combined;
use linkwork::math::{MassProperties, Mat3, Pose, Twist, Vec3};
use linkwork::model::{Body, Geometry};

/// A body before it is read.
pub(super) fn blank() -> Body {
    Body {
        name: String::new(),
        mass: 0.0,
        com: Vec3::zeros(),
        inertia: Mat3::zeros(),
        // Derived when the model is built.
        inverse_inertia: Mat3::zeros(),
        isotropic: false,
        pose: Pose::identity(),
        twist: Twist::zero(),
        gravity_scale: 1.0,
    }
}

/// A body; `shapes` are its own, for the mass properties that follow from them where a file does not give them.
pub(super) fn body(t: &mut Table, b: &mut Body, shapes: &[(&Geometry, Spot)]) -> Done {
    t.need("name", &mut b.name)?;
    if let Table::Read(fields) = t {
        let given = mass(fields, shapes)?;
        (b.mass, b.com, b.inertia) = (given.mass, given.com, given.inertia);
    } else {
        t.need("mass", &mut b.mass)?;
        t.or("com", &mut b.com, Vec3::zeros())?;
        inertia(t, &mut Some(b.inertia))?;
    }
    pose::motion(t, &mut b.pose, &mut b.twist, &b.com)?;
    t.or("gravity_scale", &mut b.gravity_scale, 1.0)
}

/// Source of a body's mass properties.
const MASS_KEYS: [&str; 4] = ["mass", "density", "com", "inertia"];

/// Given directly, or the missing values from the shapes.
fn mass(fields: &mut Fields, shapes: &[(&Geometry, Spot)]) -> Result<MassProperties, ImportError> {
    let (mass, density) = (fields.value("mass")?, fields.value("density")?);
    let com = fields.value("com")?;
    let mut tensor = None;
    inertia(&mut Table::Read(fields), &mut tensor)?;
    if let (Some(mass), Some(inertia)) = (mass, tensor) {
        if density.is_some() {
            return Err(pose::both(fields, "mass", "density"));
        }
        let com = com.unwrap_or_default();
        return Ok(MassProperties { mass, com, inertia });
    }
    if let Some(inertia) = tensor {
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
        let Some(solid) = geometry.mass_properties(1.0) else {
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

/// `inertia`: xx, yy, zz, and xy, xz, yz unless they vanish.
pub(super) fn inertia(t: &mut Table, inertia: &mut Option<Mat3>) -> Done {
    let mut values = inertia.map(|i| {
        let mut six = vec![i[(0, 0)], i[(1, 1)], i[(2, 2)]];
        let off = Vec3::new(i[(0, 1)], i[(0, 2)], i[(1, 2)]);
        if !pose::same(&off, &Vec3::zeros()) {
            six.extend(off.iter());
        }
        six
    });
    t.some("inertia", &mut values)?;
    let Some(values) = values else { return Ok(()) };
    let what = || format!("'inertia' has {} numbers", values.len());
    let remedy = "give xx, yy, zz or xx, yy, zz, xy, xz, yz (kg m²)";
    t.check([3, 6].contains(&values.len()), "inertia", what, remedy)?;
    let off = values.get(3..6).unwrap_or(&[0.0; 3]);
    let mut tensor = Mat3::from_diagonal(&Vec3::from_column_slice(&values[..3]));
    for (value, (i, j)) in off.iter().zip([(0, 1), (0, 2), (1, 2)]) {
        (tensor[(i, j)], tensor[(j, i)]) = (*value, *value);
    }
    *inertia = Some(tensor);
    Ok(())
}
