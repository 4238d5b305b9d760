//! `[[fluid]]`: boxes on bodies that a fluid resists.

use super::frame;
use super::names::Known;
use super::table::{Done, Table};
use linkwork::actuators::FluidBox;
use linkwork::math::Vec3;
use linkwork::model::ModelData;

/// A box.
pub(super) fn fluid(t: &mut Table, f: &mut FluidBox, known: &Known, model: &ModelData) -> Done {
    frame::frame(t, &mut f.frame, known, model)?;
    t.need("size", &mut f.size)?;
    let what = || format!("'size' is {:?}", f.size.as_slice());
    t.check(
        f.size.min() >= 0.0,
        "size",
        what,
        "no side may be negative (m)",
    )?;
    for (key, value) in [("density", &mut f.density), ("viscosity", &mut f.viscosity)] {
        t.or(key, value, 0.0)?;
        let what = || format!("'{key}' is {value}");
        t.check(*value >= 0.0, key, what, "it must not be negative")?;
    }
    t.or("wind", &mut f.wind, Vec3::zeros())
}

/// A box before it is read.
pub(super) fn blank() -> FluidBox {
    FluidBox {
        frame: frame::blank(),
        size: Vec3::zeros(),
        density: 0.0,
        viscosity: 0.0,
        wind: Vec3::zeros(),
    }
}
