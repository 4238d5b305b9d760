//! A box on a plane, tilted if asked: sticks, slides or falls.

use super::{Param, Params, Scene, SceneEntry, SceneError};
use crate::math::{MassProperties, Vec3};
use crate::model::{BodyDef, Geometry, Material, ModelBuilder, ShapeDef};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "box_on_plane",
    summary: "a 1 kg box on a plane that may be inclined: stick, slip, drop",
    params: &[
        Param {
            name: "friction",
            default: 0.5,
            min: 0.0,
            max: 10.0,
            doc: "friction coefficient",
        },
        Param {
            name: "slope",
            default: 0.0,
            min: -1.5,
            max: 1.5,
            doc: "angle of the plane about y, rad",
        },
        Param {
            name: "height",
            default: 0.0,
            min: 0.0,
            max: 100.0,
            doc: "initial gap, m",
        },
        Param {
            name: "speed",
            default: 0.0,
            min: -100.0,
            max: 100.0,
            doc: "initial speed along x, m/s",
        },
        Param {
            name: "mass",
            default: 1.0,
            min: 1e-6,
            max: 1e9,
            doc: "mass, kg",
        },
        Param {
            name: "restitution",
            default: 0.0,
            min: 0.0,
            max: 1.0,
            doc: "restitution coefficient",
        },
    ],
    build,
};

fn build(p: &Params) -> Result<Scene, SceneError> {
    let half = Vec3::new(0.2, 0.15, 0.1);
    let material = Material {
        restitution: p.get("restitution"),
        ..Material::with_friction(p.get("friction"))
    };
    let mut b = ModelBuilder::new();
    // The plane stays level and gravity turns: the same physics, and positions are easy to read.
    let slope = p.get("slope");
    b.gravity(9.81 * Vec3::new(slope.sin(), 0.0, -slope.cos()));
    b.add_shape(
        None,
        ShapeDef::new(Geometry::HalfSpace)
            .name("plane")
            .material(material),
    );
    let body = b.add_body(
        BodyDef::new("box", MassProperties::solid_box(p.get("mass"), half))
            .at(0.0, 0.0, half.z + p.get("height"))
            .twist(Vec3::x() * p.get("speed"), Vec3::zeros()),
    );
    b.add_shape(
        body,
        ShapeDef::new(Geometry::Box { half_extents: half }).material(material),
    );
    Ok(Scene::new(b.build()?))
}
