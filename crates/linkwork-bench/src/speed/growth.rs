//! Cost against size: cost ∝ sizeᵖ, p fitted by least squares in logarithms.

use super::record::{PARTS, Part, Speed};

/// What a part of a scene costs at several sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The scene.
    pub scene: String,
    /// "moving" or "at rest".
    pub part: &'static str,
    /// (n, CPU time a step in µs), the smallest first.
    pub time_us: Vec<(f64, f64)>,
    /// (n, instructions a step), where they were counted.
    pub instructions: Vec<(f64, f64)>,
}

impl Growth {
    /// Of every scene with records of at least two sizes.
    pub fn all(records: &[Speed]) -> Vec<Self> {
        let mut scenes: Vec<&str> = Vec::new();
        for record in records.iter().filter(|r| r.size().is_some()) {
            if !scenes.contains(&record.scene.as_str()) {
                scenes.push(&record.scene);
            }
        }
        let growths = scenes.iter().flat_map(|scene| {
            (0..PARTS.len()).map(move |at| {
                let points = |value: &dyn Fn(&Part) -> Option<f64>| {
                    let of_scene = records.iter().filter(|r| r.scene == *scene);
                    let point = |r: &Speed| Some((r.size()?, value(r.part(at)?)?));
                    let mut points: Vec<(f64, f64)> = of_scene.filter_map(point).collect();
                    points.sort_by(|a, b| a.0.total_cmp(&b.0));
                    points
                };
                Self {
                    scene: (*scene).to_owned(),
                    part: PARTS[at],
                    time_us: points(&|p| Some(p.step_us)),
                    instructions: points(&|p| p.instructions),
                }
            })
        });
        growths.filter(|g| g.time_us.len() > 1).collect()
    }
}

/// The exponent p of y ∝ xᵖ by least squares in logarithms; `None` for fewer than two different x.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / n;
    let spread: f64 = logs.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
    let product: f64 = logs.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
    let p = product / spread;
    (spread > 0.0 && p.is_finite()).then_some(p)
}
