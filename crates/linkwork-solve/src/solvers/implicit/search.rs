//! Edge-aware line search [Todorov §III-C]: the segment is split where it crosses edges. Each piece is smooth and
//! searched by a cubic; the crossings are candidates too.

use super::system::{Point, System};

/// Crossings closer than this in α are one.
const SAME: f64 = 1e-12;

/// The best point of the search so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    pub best: Point,
    /// Whether it is on an edge.
    pub on_edge: bool,
    /// Whether it is in the second segment, x_C : x_N.
    pub beyond_cauchy: bool,
    trial: Point,
    cuts: Vec<f64>,
    direction: Vec<f64>,
    middle: Vec<f64>,
    scratch: Vec<f64>,
    slope: Vec<f64>,
}

impl Search {
    /// Search the segments x : x_C and x_C : x_N; whether a cost below that of `from` was found.
    pub fn run(&mut self, system: &System, from: &Point, cauchy: &[f64], newton: &[f64]) -> bool {
        self.best.cost = from.cost;
        self.segment(system, &from.x, cauchy, false);
        self.segment(system, cauchy, newton, true);
        self.best.cost < from.cost
    }

    fn segment(&mut self, system: &System, from: &[f64], to: &[f64], beyond_cauchy: bool) {
        self.direction.clear();
        self.direction
            .extend(to.iter().zip(from).map(|(b, a)| b - a));
        self.cuts.clear();
        for (law, rows) in &system.blocks {
            let (x, u) = (&from[rows.clone()], &self.direction[rows.clone()]);
            law.crossings(x, u, &mut self.cuts);
        }
        self.cuts.push(1.0);
        self.cuts.sort_by(f64::total_cmp);
        self.cuts.dedup_by(|b, a| *b - *a < SAME);
        let mut start = 0.0;
        let mut start_cost = self.try_at(system, from, 0.0, false, beyond_cauchy);
        for k in 0..self.cuts.len() {
            let end = self.cuts[k];
            let is_edge = end < 1.0;
            let (first, last) = self.slopes(system, from, start, end);
            let end_cost = self.try_at(system, from, end, is_edge, beyond_cauchy);
            let length = end - start;
            let cubic = cubic_minimum(start_cost, end_cost, first * length, last * length);
            if let Some(t) = cubic {
                self.try_at(system, from, start + t * length, false, beyond_cauchy);
            }
            (start, start_cost) = (end, end_cost);
        }
    }

    /// The cost at x + α u, kept if it is the best.
    fn try_at(
        &mut self,
        system: &System,
        from: &[f64],
        alpha: f64,
        edge: bool,
        beyond: bool,
    ) -> f64 {
        let trial = &mut self.trial;
        trial.x.clear();
        let moved = from.iter().zip(&self.direction).map(|(x, u)| x + alpha * u);
        trial.x.extend(moved);
        if edge {
            for (law, rows) in &system.blocks {
                let x = &mut trial.x[rows.clone()];
                let size = self.direction[rows.clone()].iter().zip(x.iter());
                let size = size.fold(0.0f64, |a, (u, x)| a.max(u.abs()).max(x.abs()));
                law.snap(x, SAME * size);
            }
        }
        system.evaluate(trial);
        let cost = trial.cost;
        if cost < self.best.cost {
            std::mem::swap(&mut self.best, &mut self.trial);
            self.on_edge = edge;
            self.beyond_cauchy = beyond;
        }
        cost
    }

    /// dℓ/dα at both ends of a smooth piece, with the slopes of its inside.
    fn slopes(&mut self, system: &System, from: &[f64], start: f64, end: f64) -> (f64, f64) {
        let at = |alpha: f64, direction: &[f64], out: &mut Vec<f64>| {
            out.clear();
            out.extend(from.iter().zip(direction).map(|(x, u)| x + alpha * u));
        };
        let mut ends = [start, end];
        let length = end - start;
        for (inside, sign) in ends.iter_mut().zip([1.0, -1.0]) {
            // A step inside, so that the slope is that of this piece.
            at(
                *inside + sign * 1e-6 * length,
                &self.direction,
                &mut self.middle,
            );
            system.derivative(
                &self.middle,
                &self.direction,
                &mut self.scratch,
                &mut self.slope,
            );
            self.trial.x.clone_from(&self.middle);
            system.evaluate(&mut self.trial);
            *inside = self
                .slope
                .iter()
                .zip(&self.trial.r)
                .map(|(s, r)| s * r)
                .sum();
        }
        (ends[0], ends[1])
    }
}

/// Where in (0, 1) the cubic with these values and slopes at 0 and 1 has its minimum, if it has one.
fn cubic_minimum(y0: f64, y1: f64, d0: f64, d1: f64) -> Option<f64> {
    // y = y0 + d0 t + b t² + a t³.
    let (a, b) = (2.0 * (y0 - y1) + d0 + d1, 3.0 * (y1 - y0) - 2.0 * d0 - d1);
    let root = (b * b - 3.0 * a * d0).sqrt();
    // The root of y' = 0 with y'' > 0, stable for a → 0; a NaN fails the test below.
    let t = if b >= 0.0 {
        -d0 / (b + root)
    } else {
        (root - b) / (3.0 * a)
    };
    (t > 0.0 && t < 1.0).then_some(t)
}
