//! Two welded boxes, the heavy one on the light one, dropped on a floor.

use super::parts::{Solid, add_floor, cuboid};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::model::{JointDef, Material, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "boxes_fixed",
    summary: "a heavy box welded onto a 1 kg one, dropped on a floor: 6 rows, mass ratio 1000",
    params: &[
        Param::new(
            "mass_ratio",
            1000.0,
            (1e-6, 1e6),
            "mass of the upper box, kg; the lower has 1",
        ),
        Param::new("height", 0.05, (0.0, 100.0), "initial gap, m"),
        Param::new("friction", 0.5, (0.0, 10.0), "friction coefficient"),
    ],
    build,
};

fn build(p: &Params) -> Result<Scene, SceneError> {
    let material = Material::with_friction(p.get("friction"));
    let (lower, upper) = (0.1, 0.25);
    let z = p.get("height");
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    let light = Solid::new("light", 1.0, cuboid(0.3, 0.3, lower))
        .at(0.0, 0.0, z + lower)
        .material(material)
        .add(&mut b);
    let heavy = Solid::new("heavy", p.get("mass_ratio"), cuboid(0.25, 0.25, upper))
        .at(0.0, 0.0, z + 2.0 * lower + upper)
        .material(material)
        .add(&mut b);
    b.add_joint(JointDef::fixed("weld", light, heavy).anchor(0.0, 0.0, z + 2.0 * lower));
    Ok(Scene::new(b.build()?))
}
