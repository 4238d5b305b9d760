//! Mixed solids dropped into an open box.

use super::parts::{Solid, add_floor, cuboid};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use crate::math::{Pose, Quat, Vec3};
use crate::model::{Geometry, Material, ModelBuilder, ShapeDef};
use std::f64::consts::TAU;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "clutter",
    summary: "n boxes, cylinders, capsules and spheres dropped into an open box",
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

/// Distance between the places solids start from, m: more than the largest one's diameter.
const SPACING: f64 = 0.16;
/// Half the thickness of a wall, m.
const WALL: f64 = 0.1;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let n = p.count("n");
    let material = Material::with_friction(p.get("friction"));
    // Six layers fill the box about two deep, so that what rolls is soon held by neighbours.
    let side = (n as f64 / 6.0).sqrt().ceil() as usize;
    let half_width = 0.5 * SPACING * side as f64;
    let layers = n.div_ceil(side * side);
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    add_walls(&mut b, half_width, SPACING * (layers + 2) as f64, material);
    let mut random = Random(p.get("seed") as u64);
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
        let geometry = random.geometry();
        Solid::new(format!("solid{i}"), random.within(0.3, 1.0), geometry)
            .pose(Pose::new(at, random.rotation()))
            .material(material)
            .add(&mut b);
    }
    let mut scene = Scene::new(b.build()?);
    scene.settings.dt = 0.01;
    // 1e-5 m/s is a tenth of a micrometre a step. The last digits of a heap in motion cost more than
    // all the others, and more solves end at the limit.
    scene.settings.solve.tolerance = 1e-5;
    scene.settings.solve.max_iterations = 400;
    Ok(scene)
}

/// Four walls about the square |x|, |y| ≤ `half_width`.
fn add_walls(b: &mut ModelBuilder, half_width: f64, height: f64, material: Material) {
    let out = half_width + WALL;
    let walls = [
        ("east", out, 0.0),
        ("west", -out, 0.0),
        ("north", 0.0, out),
        ("south", 0.0, -out),
    ];
    for (name, x, y) in walls {
        let long = out + WALL;
        let (hx, hy) = if y == 0.0 { (WALL, long) } else { (long, WALL) };
        b.add_shape(
            None,
            ShapeDef::new(cuboid(hx, hy, 0.5 * height))
                .name(name)
                .pose(Pose::at(x, y, 0.5 * height))
                .material(material),
        );
    }
}

/// Reproducible pseudo-random numbers (SplitMix64, Steele et al. 2014).
struct Random(u64);

impl Random {
    /// Uniform in [min, max).
    fn within(&mut self, min: f64, max: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        // The upper 53 bits as a fraction of one.
        min + (max - min) * ((z >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Uniform over all rotations (Shoemake 1992).
    fn rotation(&mut self) -> Quat {
        let (u, a, b) = (
            self.within(0.0, 1.0),
            self.within(0.0, TAU),
            self.within(0.0, TAU),
        );
        let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
        Quat::new_normalize(nalgebra::Quaternion::new(
            r * a.sin(),
            r * a.cos(),
            s * b.sin(),
            s * b.cos(),
        ))
    }

    /// A form that fits a ball of diameter [`SPACING`]; few spheres, since nothing slows rolling.
    fn geometry(&mut self) -> Geometry {
        let kind = self.within(0.0, 1.0);
        if kind < 0.45 {
            cuboid(
                self.within(0.025, 0.045),
                self.within(0.025, 0.045),
                self.within(0.025, 0.045),
            )
        } else if kind < 0.65 {
            Geometry::Cylinder {
                radius: self.within(0.025, 0.04),
                half_length: self.within(0.025, 0.045),
            }
        } else if kind < 0.85 {
            Geometry::Capsule {
                radius: self.within(0.025, 0.035),
                half_length: self.within(0.02, 0.04),
            }
        } else {
            Geometry::Sphere {
                radius: self.within(0.025, 0.045),
            }
        }
    }
}
