//! A stack of cubes, the heavier the higher.

use super::parts::{Solid, add_floor, cuboid};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::model::{Material, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "stack",
    summary: "n touching cubes whose masses grow upwards: ill-conditioned contacts at rest",
    params: &[
        Param::new("n", 10.0, (1.0, 200.0), "number of cubes"),
        Param::new(
            "mass_ratio",
            1e4,
            (1e-9, 1e9),
            "mass of the top cube, kg; the bottom one has 1",
        ),
        Param::new("friction", 0.5, (0.0, 10.0), "friction coefficient"),
    ],
    build,
};

/// Half the edge of a cube, m.
const HALF: f64 = 0.1;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let n = p.count("n");
    let material = Material::with_friction(p.get("friction"));
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    for i in 0..n {
        // One cube alone is the bottom one.
        let height = i as f64 / (n - 1).max(1) as f64;
        let mass = p.get("mass_ratio").powf(height);
        Solid::new(format!("cube{i}"), mass, cuboid(HALF, HALF, HALF))
            .at(0.0, 0.0, HALF * (2 * i + 1) as f64)
            .material(material)
            .add(&mut b);
    }
    Ok(Scene::new(b.build()?))
}
