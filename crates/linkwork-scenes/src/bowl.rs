//! Mixed solids dropped into a bowl, a triangle mesh.

use super::mixed::{Mixed, SPACING};
use super::parts::add_floor;
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Geometry, Material, ModelBuilder, ShapeDef};
use std::f64::consts::{FRAC_PI_3, TAU};
use std::sync::Arc;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "bowl",
    summary: "n boxes, cylinders, capsules and spheres dropped into a bowl of triangles",
    params: &[
        Param::new("n", 60.0, (1.0, 120.0), "number of solids"),
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

/// Inner radius of the bowl, m, and angle between its axis and its rim as seen from the centre, rad.
const RADIUS: f64 = 0.5;
const RIM: f64 = 1.4;
/// Rings and sectors of triangles.
const RINGS: usize = 12;
const SECTORS: usize = 36;
/// Height of the bowl's lowest point above the floor, m.
const FOOT: f64 = 0.02;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let material = Material::with_friction(p.get("friction"));
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    b.add_shape(
        None,
        ShapeDef::new(bowl())
            .name("bowl")
            .pose(Pose::at(0.0, 0.0, FOOT + RADIUS))
            .material(material),
    );
    let mut mixed = Mixed::new(p.get("seed"), material);
    for i in 0..p.count("n") {
        mixed.add(&mut b, start(i));
    }
    let mut scene = Scene::new(b.build()?);
    scene.settings.dt = 0.01;
    // 1e-5 m/s is a tenth of a micrometre a step, as in `clutter`.
    scene.settings.solve.tolerance = 1e-5;
    scene.settings.solve.max_iterations = 400;
    Ok(scene)
}

/// Where solid i starts: layers of seven, six of them about the middle one and higher by half a layer.
fn start(i: usize) -> Vec3 {
    let (layer, place) = (i / 7, i % 7);
    let height = FOOT + SPACING * (layer as f64 + 1.0);
    if place == 0 {
        return Vec3::new(0.0, 0.0, height);
    }
    // Every second layer is turned by half a place.
    let angle = FRAC_PI_3 * (place as f64 + 0.5 * (layer % 2) as f64);
    Vec3::new(
        SPACING * angle.cos(),
        SPACING * angle.sin(),
        height + 0.5 * SPACING,
    )
}

/// The lower part of a sphere about the origin, seen from within.
fn bowl() -> Geometry {
    let mut vertices = vec![Vec3::new(0.0, 0.0, -RADIUS)];
    for ring in 1..=RINGS {
        let polar = RIM * ring as f64 / RINGS as f64;
        for sector in 0..SECTORS {
            let turn = TAU * sector as f64 / SECTORS as f64;
            let (out, down) = (RADIUS * polar.sin(), RADIUS * polar.cos());
            vertices.push(Vec3::new(out * turn.cos(), out * turn.sin(), -down));
        }
    }
    let at = |ring: usize, sector: usize| match ring {
        0 => 0,
        _ => (1 + (ring - 1) * SECTORS + sector % SECTORS) as u32,
    };
    let mut triangles = Vec::new();
    for ring in 0..RINGS {
        for sector in 0..SECTORS {
            let [near, far] = [ring, ring + 1].map(|r| [at(r, sector), at(r, sector + 1)]);
            triangles.push([near[0], far[0], far[1]]);
            if ring > 0 {
                triangles.push([near[0], far[1], near[1]]);
            }
        }
    }
    Geometry::TriangleMesh {
        vertices: Arc::new(vertices),
        triangles: Arc::new(triangles),
    }
}
