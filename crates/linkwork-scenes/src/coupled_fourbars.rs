//! Four-bars in a row, the rocker of one the crank of the next: one degree of freedom, three redundant rows per loop.
//!
//! Rockers hang from pivots at such heights that all their ends are level when they hang straight. Rocker lengths
//! differ, so that no loop is a parallelogram with its change points. Couplers nevertheless stay nearly level, rockers
//! swing alike, and no loop comes near a singular configuration.

use super::planar::{Point, bar, hinge, meet, polar};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::model::ModelBuilder;
use std::f64::consts::FRAC_PI_2;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "coupled_fourbars",
    summary: "n four-bars in a row sharing rockers: mobility 1, three redundant rows a loop",
    params: &[
        Param::new("n", 4.0, (1.0, 3000.0), "number of four-bars"),
        Param::new(
            "angle",
            0.8,
            (-0.9, 0.9),
            "initial angle of the first rocker from hanging, rad",
        ),
    ],
    build,
};

/// Lengths of the rockers in turn, m.
const ROCKERS: [f64; 4] = [0.5, 0.46, 0.54, 0.48];
/// Distance between pivots, and length of the couplers, m.
const PITCH: f64 = 0.6;
/// Height of the rockers' ends when they hang straight, m.
const LEVEL: f64 = 0.5;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let mut b = ModelBuilder::new();
    let mut last = None;
    for i in 0..=p.count("n") {
        let length = ROCKERS[i % ROCKERS.len()];
        let pivot = Point::new(PITCH * i as f64, LEVEL + length);
        let end = match last {
            None => pivot + polar(length, p.get("angle") - FRAC_PI_2),
            Some((_, from)) => meet(&pivot, length, &from, PITCH),
        };
        let rocker = bar(format!("rocker{i}"), 1.0, &pivot, &end, 0).add(&mut b);
        b.add_joint(hinge(format!("pivot{i}"), None, rocker, &pivot));
        if let Some((from_rocker, from)) = last {
            // Neighbouring couplers lie in front of and behind the rockers.
            let layer = if i % 2 == 0 { 1 } else { -1 };
            let coupler = bar(format!("coupler{i}"), 0.5, &from, &end, layer).add(&mut b);
            b.add_joint(hinge(format!("left{i}"), from_rocker, coupler, &from));
            b.add_joint(hinge(format!("right{i}"), coupler, rocker, &end));
        }
        last = Some((rocker, end));
    }
    Ok(Scene::new(b.build()?))
}
