//! Mixed solids dropped into an open box.

use super::mixed::{Mixed, SPACING};
use super::parts::{add_floor, add_walls};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::Vec3;
use linkwork::model::{Material, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "clutter",
    summary: "n boxes, cylinders, capsules and spheres dropped into an open box, a deep heap",
    params: &[
        Param::new("n", 40.0, (1.0, 400.0), "number of solids"),
        Param::new("friction", 0.5, (0.0, 10.0), "friction coefficient"),
        Param::new(
            "seed",
            1.0,
            (0.0, 1e9),
            "seed of forms, masses and orientations",
        ),
    ],
    build,
};

/// Layers of places that the solids start on, at most, in a box of more than two by two places.
const LAYERS: f64 = 12.0;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let n = p.count("n");
    let material = Material::with_friction(p.get("friction"));
    // Twelve layers of places fill the box about four deep: what lies below carries the rest, as in `heap`.
    let side = (n as f64 / LAYERS).sqrt().ceil().max(2.0) as usize;
    let half_width = 0.5 * SPACING * side as f64;
    let layers = n.div_ceil(side * side);
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    add_walls(&mut b, half_width, SPACING * (layers + 2) as f64, material);
    let mut mixed = Mixed::new(p.get("seed"), material);
    for i in 0..n {
        let (layer, row, column) = (i / (side * side), i / side % side, i % side);
        // Neighbours start at different heights.
        let stagger = 0.5 * ((row + column) % 2) as f64;
        let along = |k: usize| SPACING * (k as f64 + 0.5) - half_width;
        let at = Vec3::new(
            along(row),
            along(column),
            SPACING * (layer as f64 + 0.6 + stagger),
        );
        mixed.add(&mut b, at);
    }
    let mut scene = Scene::new(b.build()?);
    scene.settings.dt = 0.01;
    // 1e-5 m/s is a tenth of a micrometre a step. The last digits of a heap in motion cost more than
    // all the others, and more solves end at the limit.
    scene.settings.solve.tolerance = 1e-5;
    scene.settings.solve.max_iterations = 400;
    Ok(scene)
}
