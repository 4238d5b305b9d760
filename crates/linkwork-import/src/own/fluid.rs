//! `[[fluid]]`: boxes on bodies that a fluid resists.

use super::fields::Fields;
use super::frame;
use super::names::Names;
use super::tree::Entries;
use crate::{Fault, ImportError};
use linkwork::actuators::FluidBox;
use linkwork::math::Vec3;
use linkwork::model::{Body, Model};

/// Read a box.
pub(super) fn read(
    fields: &mut Fields,
    bodies: &Names,
    own: &[Body],
) -> Result<FluidBox, ImportError> {
    let name = fields.text("name")?;
    let name = fields.require("name", name)?.to_owned();
    let size: Option<[f64; 3]> = fields.array("size")?;
    let size = fields.require("size", size)?;
    let density = not_negative(fields, "density")?;
    let viscosity = not_negative(fields, "viscosity")?;
    let wind: [f64; 3] = fields.array("wind")?.unwrap_or_default();
    if size.iter().any(|s| *s < 0.0) {
        let what = format!("'size' is {size:?}");
        return Err(fields.fail_at("size", Fault::BadValue, what, "no side may be negative (m)"));
    }
    Ok(FluidBox {
        frame: frame::read(fields, name, bodies, own)?,
        size: Vec3::from(size),
        density,
        viscosity,
        wind: Vec3::from(wind),
    })
}

fn not_negative(fields: &mut Fields, key: &'static str) -> Result<f64, ImportError> {
    let value = fields.number_or(key, 0.0)?;
    if value >= 0.0 {
        return Ok(value);
    }
    let what = format!("'{key}' is {value}");
    Err(fields.fail_at(key, Fault::BadValue, what, "it must not be negative"))
}

/// Write a box.
pub(super) fn write(fluid: &FluidBox, model: &Model) -> Entries {
    let mut entries = frame::write(&fluid.frame, model);
    entries.put("size", <[f64; 3]>::from(fluid.size));
    entries.put_unless("density", fluid.density, 0.0);
    entries.put_unless("viscosity", fluid.viscosity, 0.0);
    entries.put_unless("wind", <[f64; 3]>::from(fluid.wind), [0.0; 3]);
    entries
}
