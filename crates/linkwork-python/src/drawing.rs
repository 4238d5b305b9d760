//! What a picture of a mechanism shows, as JSON: shapes placed in the world, and anchors of joints.

use crate::errors::setup;
use linkwork::State;
use linkwork::math::Pose;
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
            // Large meshes are drawn as boxes around them: a picture is not a viewer.
            let form = match &s.geometry {
                Geometry::ConvexHull { points } => bounds(points),
                Geometry::TriangleMesh { vertices, .. } => bounds(vertices),
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

fn bounds(points: &[linkwork::math::Vec3]) -> Value {
    let mut far = [0.0_f64; 3];
    for p in points {
        for (f, x) in far.iter_mut().zip(p.iter()) {
            *f = f.max(x.abs());
        }
    }
    json!({"type": "box", "half_extents": far})
}
