//! A pyramid of cubes, one cube deep.

use super::parts::{Solid, add_floor, cuboid};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::model::{Material, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "pyramid",
    summary: "touching cubes in rows, each one cube shorter than the one below: many contacts at rest",
    params: &[
        Param::new(
            "rows",
            15.0,
            (1.0, 60.0),
            "number of rows; 15 have 120 cubes",
        ),
        Param::new("friction", 0.5, (0.0, 10.0), "friction coefficient"),
    ],
    build,
};

/// Half the edge of a cube, m, and its mass, kg.
const HALF: f64 = 0.1;
const MASS: f64 = 1.0;
/// Gap between neighbours of a row, m: wider than the contact margin, so that they do not touch.
const GAP: f64 = 0.02;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let rows = p.count("rows");
    let material = Material::with_friction(p.get("friction"));
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    for row in 0..rows {
        let cubes = rows - row;
        for i in 0..cubes {
            let x = (i as f64 - 0.5 * (cubes - 1) as f64) * (2.0 * HALF + GAP);
            Solid::new(format!("cube{row}_{i}"), MASS, cuboid(HALF, HALF, HALF))
                .at(x, 0.0, HALF * (2 * row + 1) as f64)
                .material(material)
                .add(&mut b);
        }
    }
    let mut scene = Scene::new(b.build()?);
    scene.settings.dt = 0.01;
    // 1e-6 m/s is a hundredth of a micrometre a step.
    scene.settings.solve.tolerance = 1e-6;
    Ok(scene)
}
