//! Damped Gauss-Newton on body twists: u = argmin ‖J u + C‖² + μ ‖u‖², then poses ⊕ u.
//!
//! In dual form this is (D + μ W) λ = −C, u = M⁻¹ Jᵀ λ, an ordinary [`Problem`](linkwork_solve::Problem) with
//! compliance μ W for the block-sparse direct solver; M is the same for all bodies. Away from the solution redundant
//! rows contradict each other slightly and have small singular values instead of zero. With μ proportional to ‖C‖ such
//! directions are damped and convergence stays quadratic (Fan & Yuan 2005, "On the quadratic convergence of the
//! Levenberg-Marquardt method without nonsingularity assumption").

use super::{AssembleError, AssembleSettings};
use crate::integrate::move_poses;
use crate::joints::Unit;
use crate::locked::{Locked, Metric, characteristic_length, push_target};
use crate::model::{BodyId, JointId, Model};
use crate::rows::{RowSource, Rows};
use crate::state::State;
use linkwork_solve::solvers::Direct;
use linkwork_solve::{Solution, Solver, SolverSettings, larger, raise};

/// A joint coordinate to bring to a value in one continuation step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub at: (JointId, usize),
    /// m or rad.
    pub value: f64,
    /// `None`: hard.
    pub weight: Option<f64>,
    pub unit: Unit,
}

/// Largest rotation of a body in one iteration, rad: the linearisation is not accurate beyond.
const MAX_TURN: f64 = 0.5;
/// Halvings of a step before the damping is increased instead.
const MAX_HALVINGS: usize = 6;
/// Minimum share of the merit that [`PATIENCE`] iterations must remove.
const LEAST_PROGRESS: f64 = 1e-3;
/// Iterations after which progress is judged.
const PATIENCE: usize = 8;
/// Weight of all soft goals together relative to the joints: small, so that an unreachable goal does not pull the
/// mechanism open and to another branch.
const SOFT: f64 = 1e-4;
/// Range of the damping over the relative residual, μ L / ‖C‖.
const DAMPING: std::ops::RangeInclusive<f64> = 1e-4..=1e4;

/// The iteration and its buffers.
pub(super) struct Closing<'a> {
    locked: Locked<'a>,
    settings: AssembleSettings,
    /// Which bodies are held, if all others count the same; `None`: bodies resist by their masses.
    held: Option<Vec<bool>>,
    /// Typical inertia of a body, kg.
    inertia: f64,
    length: f64,
    solver: Direct,
    /// Iterations so far.
    pub iterations: usize,
}

/// Rows at a state, with the weight of each and the merit Σ C²/W.
#[derive(Default)]
struct Point {
    rows: Rows,
    /// W: 1 for lengths, L⁻² for angles, over the relative weight of soft goals.
    scales: Vec<f64>,
    merit: f64,
    /// Largest hard residual, m or rad.
    worst: f64,
}

impl<'a> Closing<'a> {
    pub fn new(model: &'a Model, held: &[BodyId], settings: &AssembleSettings) -> Self {
        let mut is_held = vec![false; model.bodies().len()];
        for body in held {
            is_held[body.index()] = true;
        }
        // The solver's own status is not used: the merit is recomputed from the poses.
        let solve = SolverSettings {
            tolerance: 1e-12,
            ..SolverSettings::default()
        };
        Self {
            locked: Locked::new(model),
            settings: *settings,
            held: Some(is_held),
            inertia: 1.0,
            length: characteristic_length(model),
            solver: Direct::new(solve),
            iterations: 0,
        }
    }

    /// Moves bodies in the metric of their masses: a mechanism that nothing holds keeps its centre of mass.
    pub fn by_mass(model: &'a Model, settings: &AssembleSettings) -> Self {
        let masses = model.bodies().iter().map(|body| body.mass);
        Self {
            held: None,
            inertia: masses.sum::<f64>() / model.bodies().len().max(1) as f64,
            ..Self::new(model, &[], settings)
        }
    }

    pub fn model(&self) -> &'a Model {
        self.locked.model
    }

    pub fn settings(&self) -> &AssembleSettings {
        &self.settings
    }

    /// Characteristic length L, m.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Closes `state` to `aim` if possible; returns the hard residual (m or rad), or an error if it stays above
    /// `tolerance`. `share` of the distance to the targets was covered before.
    pub fn reach(
        &mut self,
        state: &mut State,
        goals: &[Goal],
        (aim, tolerance): (f64, f64),
        share: Option<f64>,
    ) -> Result<f64, AssembleError> {
        let mut hard = goals.to_vec();
        hard.retain(|g| g.weight.is_none());
        // Soft goals pull the joints open where they cannot be reached: apply them first, close afterwards.
        if hard.len() < goals.len() {
            self.close(state, goals, aim);
        }
        self.close(state, &hard, aim);
        let mut end = Point::default();
        self.measure(state, &hard, &mut end);
        // With contradicting rows the iteration has ended at the least sum of squares.
        let lengths = end.rows.problem.v_bias.iter().zip(&end.scales);
        let farthest = lengths.fold(0.0, |a, (c, w)| larger(a, c.abs() / w.sqrt()));
        let contradicts = farthest <= self.settings.contradiction * self.length;
        if end.worst <= tolerance || contradicts {
            return Ok(end.worst);
        }
        Err(self.open(&hard, &end, share))
    }

    /// Improves `state` until the hard residual is at most `aim` (and soft goals, if any, no longer improve), or there
    /// is no further gain.
    pub fn close(&mut self, state: &mut State, goals: &[Goal], aim: f64) {
        let soft = goals.iter().any(|g| g.weight.is_some());
        let (mut here, mut there) = (Point::default(), Point::default());
        let (mut trial, mut x) = (state.clone(), Solution::default());
        self.measure(state, goals, &mut here);
        let mut damping: f64 = 0.1;
        let mut history = Vec::new();
        for iteration in 0..self.settings.max_iterations {
            let stuck = iteration >= PATIENCE
                && here.merit > (1.0 - LEAST_PROGRESS) * history[iteration - PATIENCE];
            if (here.worst <= aim && !soft) || here.merit == 0.0 || stuck {
                return;
            }
            history.push(here.merit);
            self.iterations += 1;
            let mu = damping * here.merit.sqrt() / (self.length * self.inertia);
            let mut step = self.direction(&mut here, mu, &mut x);
            let mut accepted = false;
            for _ in 0..MAX_HALVINGS {
                move_poses(&state.poses, &x.u_plus, step, &mut trial.poses);
                trial.coordinates.clone_from(&state.coordinates);
                trial.update_coordinates(self.locked.model);
                self.measure(&trial, goals, &mut there);
                accepted = there.merit <= (1.0 - 1e-4 * step) * here.merit;
                if accepted {
                    break;
                }
                step *= 0.5;
            }
            if accepted {
                std::mem::swap(state, &mut trial);
                std::mem::swap(&mut here, &mut there);
                damping *= if step == 1.0 { 0.3 } else { 1.0 };
            } else if damping >= *DAMPING.end() {
                return;
            } else {
                damping *= 10.0;
            }
            damping = damping.clamp(*DAMPING.start(), *DAMPING.end());
        }
    }

    /// Twist of every body into `x.u_plus`; returns the share of it to try first.
    fn direction(&mut self, here: &mut Point, mu: f64, x: &mut Solution) -> f64 {
        let problem = &mut here.rows.problem;
        for (r, w) in problem.compliance.iter_mut().zip(&here.scales) {
            *r = mu * w;
        }
        self.solver.solve(problem, x, &mut ());
        let mut turn = 0.0;
        for (b, u) in x.u_plus.chunks_exact_mut(6).enumerate() {
            if self.held.as_ref().is_some_and(|held| held[b]) {
                u.fill(0.0);
            }
            raise(&mut turn, u[3..].iter().map(|w| w * w).sum::<f64>().sqrt());
        }
        if turn > MAX_TURN {
            MAX_TURN / turn
        } else {
            1.0
        }
    }

    fn measure(&self, state: &State, goals: &[Goal], point: &mut Point) {
        let rows = &mut point.rows;
        let metric = match &self.held {
            Some(held) => Metric::Uniform {
                length: self.length,
                held,
            },
            None => Metric::Mass,
        };
        self.locked.make(state, metric, rows);
        rows.bodies_mut().2.fill(0.0);
        for goal in goals {
            let q = rows.coordinate(goal.at.0, goal.at.1);
            push_target(rows, self.locked.model, goal.at, q - goal.value);
        }
        point.scales.clear();
        for source in &rows.sources {
            self.push_scales(*source, goals, &mut point.scales);
        }
        let residuals = &rows.problem.v_bias;
        let (mut merit, mut worst) = (0.0, 0.0);
        let hard = residuals.len() - goals.len();
        for (i, (c, w)) in residuals.iter().zip(&point.scales).enumerate() {
            merit += c * c / w;
            let soft = i >= hard && goals[i - hard].weight.is_some();
            if !soft {
                raise(&mut worst, c.abs());
            }
        }
        point.merit = merit;
        point.worst = worst;
    }

    /// W of every row of a block.
    fn push_scales(&self, source: RowSource, goals: &[Goal], scales: &mut Vec<f64>) {
        let scale = |unit: Unit| match unit {
            Unit::Length => 1.0,
            Unit::Angle => 1.0 / (self.length * self.length),
        };
        let model = self.locked.model;
        match source {
            RowSource::Joint(id) => {
                let labels = model.joint(id).kind.locked();
                scales.extend(labels.iter().map(|l| scale(l.1)));
            }
            RowSource::Coupling(id) => {
                // Counted in the unit of its first coordinate.
                let term = model.couplings()[id.index()].terms[0];
                let unit = model.joint(term.joint).kind.coordinates()[term.coordinate].1;
                scales.push(scale(unit) * term.scale() * term.scale());
            }
            _ => {
                // The goals come last, in order.
                let locked = model.locked_rows();
                let goal = &goals[scales.len() - locked];
                let soft = |g: &Goal| g.weight.unwrap_or(0.0);
                let most = goals.iter().map(soft).fold(0.0, larger);
                scales.push(scale(goal.unit) / goal.weight.map_or(1.0, |w| SOFT * w / most));
            }
        }
    }

    /// The error, which names the element with the largest residual at `point`, evaluated with hard `goals` only.
    fn open(&self, goals: &[Goal], point: &Point, share: Option<f64>) -> AssembleError {
        let model = self.locked.model;
        let (mut most, mut answer) = (-1.0_f64, (String::new(), 0.0, 0.0));
        for (k, source) in point.rows.sources.iter().enumerate() {
            let range = point.rows.problem.sets.range(k);
            let scales = &point.scales[range.clone()];
            let residuals = &point.rows.problem.v_bias[range.clone()];
            let size = residuals.iter().zip(scales).map(|(c, w)| c * c / w).sum();
            let labels = match *source {
                RowSource::Joint(id) => model.joint(id).kind.locked(),
                RowSource::Coupling(id) => {
                    let term = model.couplings()[id.index()].terms[0];
                    &model.joint(term.joint).kind.coordinates()[term.coordinate..]
                }
                _ => {
                    let goal = &goals[range.start - model.locked_rows()];
                    &model.joint(goal.at.0).kind.coordinates()[goal.at.1..]
                }
            };
            // The first NaN is the worst.
            if size <= most || most.is_nan() {
                continue;
            }
            most = size;
            let largest = |unit| {
                let same = residuals.iter().zip(labels).filter(|(_, l)| l.1 == unit);
                same.fold(0.0, |m, (c, _)| larger(m, c.abs()))
            };
            let name = match *source {
                RowSource::Coupling(id) => {
                    format!("coupling '{}'", model.couplings()[id.index()].name)
                }
                RowSource::Joint(id) => format!("joint '{}'", model.joint(id).name),
                RowSource::Drive { joint, .. } => {
                    format!("the target of joint '{}'", model.joint(joint).name)
                }
                _ => unreachable!("no other rows were made"),
            };
            answer = (name, largest(Unit::Length), largest(Unit::Angle));
        }
        AssembleError::Open {
            element: answer.0,
            linear: answer.1,
            angular: answer.2,
            iterations: self.iterations,
            share,
        }
    }
}
