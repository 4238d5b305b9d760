//! `[[pair]]`.

use super::material;
use super::names::Known;
use super::table::{Done, Table};
use linkwork::model::{Compliance, PairMaterial, ShapeId, ShapePair};

/// A pair of shapes.
pub(super) fn pair(t: &mut Table, pair: &mut ShapePair, known: &Known) -> Done {
    let mut shapes = vec![pair.a, pair.b];
    t.names("shapes", &mut shapes, &known.shapes)?;
    let what = || format!("'shapes' names {} shapes", shapes.len());
    t.check(shapes.len() == 2, "shapes", what, "name two")?;
    let (a, b) = (shapes[0], shapes[1]);
    let what = || "a shape is paired with itself".to_owned();
    t.check(a != b, "shapes", what, "name two")?;
    (pair.a, pair.b) = (a.min(b), a.max(b));
    let surface = &mut pair.surface;
    t.or("friction", &mut surface.friction, 0.5)?;
    t.or("torsional_friction", &mut surface.torsional_friction, 0.0)?;
    t.or("rolling_friction", &mut surface.rolling_friction, 0.0)?;
    t.or("restitution", &mut surface.restitution, 0.0)?;
    material::compliance(t, &mut surface.compliance)?;
    t.or("clearance", &mut surface.clearance, 0.0)
}

/// A pair before it is read.
pub(super) fn blank() -> ShapePair {
    ShapePair {
        a: ShapeId(0),
        b: ShapeId(0),
        surface: PairMaterial {
            friction: 0.5,
            torsional_friction: 0.0,
            rolling_friction: 0.0,
            restitution: 0.0,
            compliance: Compliance::Rigid,
            clearance: 0.0,
        },
    }
}
