//! The clutter of [Castro §VI-C] with hard contacts: four columns of balls and boxes dropped into a bin, a deep
//! heap.

use super::parts::{Solid, add_floor, add_walls, cuboid};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Geometry, Material, ModelBuilder};
use std::f64::consts::PI;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "heap",
    summary: "n balls and boxes of 10 cm in four columns, dropped into a bin 0.8 m wide",
    params: &[
        Param::new("n", 40.0, (1.0, 2000.0), "number of bodies"),
        Param::new("friction", 1.0, (0.0, 10.0), "friction coefficient"),
    ],
    build,
};

/// Radius of the balls and half the edge of the boxes, m.
const SIZE: f64 = 0.05;
/// Density, kg/m³.
const DENSITY: f64 = 1000.0;
/// Distance of the columns from the middle planes, and of the bodies of a column, m.
const COLUMN: f64 = 0.15;
const SPACING: f64 = 0.15;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let material = Material::with_friction(p.get("friction"));
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    // Nothing jumps over them: the highest body starts two levels below their top.
    let levels = p.count("n").div_ceil(4) + 2;
    add_walls(&mut b, HEAP_HALF_WIDTH, SPACING * levels as f64, material);
    for i in 0..p.count("n") {
        let (mass, geometry, pose) = heap_body(i);
        Solid::new(format!("body{i}"), mass, geometry)
            .pose(pose)
            .material(material)
            .add(&mut b);
    }
    let mut scene = Scene::new(b.build()?);
    scene.settings.dt = 0.01;
    // The law of the paper. Under Coulomb's law a heap of 80 takes three times as long (docs/speed.md, "Heaps").
    scene.settings.solver = "condensed-ccp".to_owned();
    // 1e-6 m/s is a hundredth of a micrometre a step.
    scene.settings.solve.tolerance = 1e-6;
    Ok(scene)
}

/// Mass (kg), form and starting pose of body `i` of a heap: balls and boxes without a pattern.
pub fn heap_body(i: usize) -> (f64, Geometry, Pose) {
    let (volume, geometry) = if scatter(i, 1) < 0.5 {
        let ball = Geometry::Sphere { radius: SIZE };
        (SIZE.powi(3) * PI * 4.0 / 3.0, ball)
    } else {
        ((2.0 * SIZE).powi(3), cuboid(SIZE, SIZE, SIZE))
    };
    (DENSITY * volume, geometry, start(i))
}

/// Half the inner width of the bin that a heap falls into, m.
pub const HEAP_HALF_WIDTH: f64 = 0.4;

/// Where body i starts: four columns about the middle, each body a little off and turned its own way.
fn start(i: usize) -> Pose {
    let (column, level) = (i % 4, i / 4);
    let side = |bit: usize| if column & bit == 0 { -1.0 } else { 1.0 };
    let off = |salt| 0.02 * (scatter(i, salt) - 0.5);
    let turn = |salt| PI * (scatter(i, salt) - 0.5);
    Pose::at(
        side(1) * COLUMN + off(2),
        side(2) * COLUMN + off(3),
        2.0 * SIZE + SPACING * level as f64,
    )
    .rotated(Vec3::new(turn(4), turn(5), turn(6)))
}

/// A number in [0, 1), different for every i and salt, spread evenly (Weyl sequence).
fn scatter(i: usize, salt: usize) -> f64 {
    // Irrational steps: the fractional parts of the square roots of small numbers without squares.
    let step = [2.0f64, 3.0, 5.0, 7.0, 11.0, 13.0][salt % 6].sqrt();
    ((i + 1) as f64 * step + 0.37 * salt as f64).fract()
}
