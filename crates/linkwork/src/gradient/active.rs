//! Which equations a block obeys at the solution.

use crate::rows::{RowSource, Rows};
use linkwork_solve::{Face, ImpulseSet, MAX_DIM, Solution};

/// What a block does in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activity {
    /// Its impulse is inside its set and its velocity satisfies the law: joints always, a closed limit, a sticking
    /// contact or joint, a drive below its limit.
    Holds,
    /// Nothing acts: an open contact or limit.
    Open,
    /// A sliding contact: friction is at the edge of its cone, opposite to the slip.
    Slides,
    /// Dry friction or drive at its bound: −1 or 1.
    AtBound(i8),
}

/// A block and its state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Active {
    /// Where its rows come from.
    pub source: RowSource,
    /// What it does.
    pub activity: Activity,
    /// Distance from another state: the smallest change of its velocity that would change the state, m/s or rad/s.
    /// Infinite for joints. If it is not well above the tolerance of the solve, the step has a kink, and the
    /// derivatives are one-sided.
    pub margin: f64,
}

/// What each block does in the solution of a step.
pub(super) fn active_set(rows: &Rows, x: &Solution) -> Vec<Active> {
    let problem = &rows.problem;
    let mut weights = Vec::new();
    problem.block_weights(&mut weights);
    let blocks = problem.sets.iter().zip(&rows.sources).zip(&weights);
    blocks
        .map(|(((set, range), source), &w)| {
            let mut tau = [0.0; MAX_DIM];
            let dim = range.len();
            for (tau, i) in tau.iter_mut().zip(range) {
                *tau = x.lambda[i] - x.sigma[i] / w;
            }
            let (activity, margin) = judge(set, &tau[..dim]);
            Active {
                source: *source,
                activity,
                margin: w * margin,
            }
        })
        .collect()
}

/// The state of a block with λ − σ/w = τ, and the distance of τ from another state, N s.
fn judge(set: ImpulseSet, tau: &[f64]) -> (Activity, f64) {
    let normal = tau[tau.len() - 1];
    let friction = tau[..tau.len() - 1].iter().map(|t| t * t).sum::<f64>();
    match (set, set.face(tau)) {
        (ImpulseSet::Free { .. }, _) => (Activity::Holds, f64::INFINITY),
        (ImpulseSet::Interval { bound }, face) => {
            let margin = (bound - normal.abs()).abs();
            match face {
                Face::Low => (Activity::AtBound(-1), margin),
                Face::High => (Activity::AtBound(1), margin),
                _ => (Activity::Holds, margin),
            }
        }
        (ImpulseSet::Coulomb { mu } | ImpulseSet::CoulombMoment { mu, .. }, face) => {
            let edge = (mu * normal - friction.sqrt()).abs() / (1.0 + mu * mu).sqrt();
            match face {
                Face::Open => (Activity::Open, -normal),
                Face::Slip { .. } => (Activity::Slides, edge.min(normal)),
                _ => (Activity::Holds, edge.min(normal)),
            }
        }
        (_, Face::Open) => (Activity::Open, normal.abs()),
        (_, _) => (Activity::Holds, normal.abs()),
    }
}
