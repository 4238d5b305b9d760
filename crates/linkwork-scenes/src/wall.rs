//! The wall of [Carpentier Fig. 1]: fifteen cubes, the heaviest on top, hit by a ball.
//!
//! The paper gives the masses, the number of cubes and about 60 contact points; three columns of five have 60.
//! Sizes, speed and friction are ours.

use super::parts::{Solid, add_floor, cuboid};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Twist, Vec3};
use linkwork::model::{Geometry, Material, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "wall",
    summary: "15 cubes whose masses grow upwards, hit by a ball",
    params: &[
        Param::new(
            "mass_ratio",
            1e4,
            (1e-9, 1e9),
            "mass of a top cube, kg; a bottom one has 1",
        ),
        Param::new("ball_mass", 1e3, (1e-3, 1e9), "mass of the ball, kg"),
        Param::new("speed", 5.0, (0.0, 100.0), "speed of the ball, m/s"),
        Param::new("friction", 0.5, (0.0, 10.0), "friction coefficient"),
    ],
    build,
};

/// Cubes in a column and in a row.
const ROWS: usize = 5;
const COLUMNS: usize = 3;
/// Half the edge of a cube, m.
const HALF: f64 = 0.1;
/// Gap between columns, m: wider than the contact margin, so that neighbours touch only after the hit.
const GAP: f64 = 0.01;
/// Radius of the ball, m.
const RADIUS: f64 = 0.2;
/// Gap between ball and wall at the start, m.
const AWAY: f64 = 0.1;

/// The ball meets the middle cube of the third row from the side.
fn build(p: &Params) -> Result<Scene, SceneError> {
    let material = Material::with_friction(p.get("friction"));
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    for row in 0..ROWS {
        let mass = p.get("mass_ratio").powf(row as f64 / (ROWS - 1) as f64);
        for column in 0..COLUMNS {
            let y = (column as f64 - 0.5 * (COLUMNS - 1) as f64) * (2.0 * HALF + GAP);
            let name = format!("cube{row}{column}");
            Solid::new(name, mass, cuboid(HALF, HALF, HALF))
                .at(0.0, y, HALF * (2 * row + 1) as f64)
                .material(material)
                .add(&mut b);
        }
    }
    let forward = Vec3::new(p.get("speed"), 0.0, 0.0);
    let geometry = Geometry::Sphere { radius: RADIUS };
    Solid::new("ball", p.get("ball_mass"), geometry)
        .at(-(HALF + RADIUS + AWAY), 0.0, HALF * ROWS as f64)
        .twist(Twist::new(forward, Vec3::zeros()))
        .material(material)
        .add(&mut b);
    Ok(Scene::new(b.build()?))
}
