//! What a picture of a mechanism shows, as JSON: shapes placed in the world, and anchors of joints.

use crate::errors::setup;
use linkwork::State;
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Geometry, Model};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Shapes with their form, pose and colour, and joints with their anchors.
pub fn drawing(model: &Model, state: &State) -> PyResult<String> {
    if state.poses.len() != model.bodies().len() {
        return Err(setup("the state belongs to another model"));
    }
    let pose = |p: &Pose| crate::arrays::pose_numbers(p).to_vec();
    let shapes: Vec<Value> = model
        .shapes()
        .iter()
        .map(|s| {
            let place = match s.body {
                Some(b) => state.poses[b.index()].compose(&s.local),
                None => s.local,
            };
            // Meshes are drawn by their outermost points: a picture is not a viewer.
            let form = match &s.geometry {
                Geometry::ConvexHull { points } => outermost(points),
                Geometry::TriangleMesh { vertices, .. } => outermost(vertices),
                Geometry::HeightField { size, heights, .. } => {
                    let top = heights.iter().fold(0.0, |m: f64, h| m.max(h.abs()));
                    json!({"type": "box", "half_extents": [size[0] / 2.0, size[1] / 2.0, top]})
                }
                other => serde_json::to_value(other).unwrap_or(Value::Null),
            };
            json!({"body": s.body.map(|b| b.index()), "pose": pose(&place), "form": form, "colour": s.colour})
        })
        .collect();
    let joints: Vec<Value> = model
        .joints()
        .iter()
        .map(|j| {
            let place = state.placement(j);
            let bodies = [j.base.map(|b| b.index()), Some(j.follower.index())];
            json!({"name": j.name, "bodies": bodies, "anchor": place.anchor.as_slice()})
        })
        .collect();
    let bodies: Vec<Value> = state.poses.iter().map(|p| json!(pose(p))).collect();
    Ok(json!({"shapes": shapes, "joints": joints, "bodies": bodies}).to_string())
}

/// The points that lie farthest in each of 98 directions, m.
fn outermost(points: &[Vec3]) -> Value {
    let steps = || (-2..=2).map(f64::from);
    let mut found = Vec::new();
    for (x, y, z) in
        steps().flat_map(|x| steps().flat_map(move |y| steps().map(move |z| (x, y, z))))
    {
        let along = Vec3::new(x, y, z);
        if along.amax() < 2.0 {
            continue;
        }
        let far = points
            .iter()
            .max_by(|a, b| a.dot(&along).total_cmp(&b.dot(&along)));
        found.extend(far.map(|p| [p.x, p.y, p.z]));
    }
    found.dedup();
    json!({"type": "points", "points": found})
}
