//! Closure refinement: joints, couplings and limits solved nonlinearly at the end of the step, with
//! the step's own factorisation [math.md §4].
//!
//! The velocity-level rows make J(s) u⁺ + v* = 0; what has to vanish is C(s ⊕ dt u⁺). So v* is set to
//! C(s ⊕ dt u⁺)/dt − J(s) u⁺, the part of C that J does not see, and the problem is solved again
//! until C is at round-off level (chord iteration). Impulses act along the start-of-step J at common
//! points: momentum stays exact, nothing is moved without its velocity.

mod refine;

use crate::integrate::move_poses;
use crate::joints::{MAX_ROWS, Row, Unit};
use crate::math::Pose;
use crate::model::{Joint, Model};
use crate::rows::{Along, RowSource, Rows, biased_gap};
use crate::settings::Settings;
use crate::state::{State, placement};
use linkwork_solve::{Anderson, Solution};
use refine::{Kept, SECANTS};

/// Violations at the end of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Violation {
    /// Largest translational residual, m.
    pub linear: f64,
    /// Largest rotational residual, rad.
    pub angular: f64,
    /// Largest violation of a limit, m or rad.
    pub limit: f64,
    /// Largest change that another pass would make, m or rad.
    pub change: f64,
}

/// The refinement, its buffers and the biases found in earlier steps.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// End-of-step poses of the last evaluation.
    pub end_poses: Vec<Pose>,
    next_bias: Vec<f64>,
    /// The best pass so far, to return to if the last one is worse.
    kept: Kept,
    secant: Anderson,
    /// What the next pass adds to the biases.
    step: Vec<f64>,
    /// Biases of the joint and coupling rows found by the last two steps, with their dt.
    history: [Vec<f64>; 2],
    history_dt: f64,
}

impl Default for Closure {
    fn default() -> Self {
        Self {
            end_poses: Vec::new(),
            next_bias: Vec::new(),
            kept: Kept::default(),
            secant: Anderson::new(SECANTS),
            step: Vec::new(),
            history: [Vec::new(), Vec::new()],
            history_dt: 0.0,
        }
    }
}

impl Closure {
    /// Forget earlier steps.
    pub fn reset(&mut self) {
        self.history_dt = 0.0;
    }

    /// The biases of the last two steps and their dt; 0 for none.
    pub fn history(&self) -> (&[Vec<f64>; 2], f64) {
        (&self.history, self.history_dt)
    }

    /// Go on from another run's [`Closure::history`].
    pub fn set_history(&mut self, history: &[Vec<f64>; 2], dt: f64) {
        self.history.clone_from(history);
        self.history_dt = dt;
    }

    /// Start the biases of joints and couplings from those of earlier steps, extrapolated: they are
    /// smooth in time, which saves a pass or two. Soft ones have theirs and are not closed.
    pub fn predict(&self, rows: &mut Rows, locked: usize) {
        if self.history_dt != rows.problem.dt || self.history[0].len() != locked {
            return;
        }
        let [last, before] = &self.history;
        let problem = &mut rows.problem;
        for (i, bias) in problem.v_bias[..locked].iter_mut().enumerate() {
            if problem.compliance[i] > 0.0 {
                continue;
            }
            *bias = match before.get(i) {
                Some(b) => 2.0 * last[i] - b,
                None => last[i],
            };
        }
    }

    /// Let the biases of joints and couplings be −J u⁺. To be called where the joints are closed: the
    /// constraint that counts is then met, and what is left of σ is only how far the predicted biases
    /// of redundant rows contradict each other.
    pub fn absorb(rows: &mut Rows, x: &mut Solution, locked: usize) {
        let problem = &mut rows.problem;
        let bias = problem.v_bias[..locked].iter_mut();
        let hard = problem.compliance.iter().map(|r| *r == 0.0);
        for ((bias, sigma), hard) in bias.zip(&mut x.sigma).zip(hard) {
            if hard {
                *bias -= *sigma;
                *sigma = 0.0;
            }
        }
    }

    /// Remember the biases found, for [`Closure::predict`].
    pub fn remember(&mut self, rows: &Rows, locked: usize) {
        let dt = rows.problem.dt;
        if self.history_dt != dt {
            self.history[0].clear();
        }
        self.history_dt = dt;
        self.history.swap(0, 1);
        let [last, _] = &mut self.history;
        last.clear();
        last.extend_from_slice(&rows.problem.v_bias[..locked]);
    }

    /// Violation at s ⊕ dt u⁺ and the biases of the next pass.
    pub fn evaluate(
        &mut self,
        (model, state, settings): (&Model, &State, &Settings),
        rows: &Rows,
        x: &Solution,
    ) -> Violation {
        let problem = &rows.problem;
        let dt = problem.dt;
        move_poses(&state.poses, &x.u_plus, dt, &mut self.end_poses);
        self.next_bias.clone_from(&problem.v_bias);
        let mut v = Violation::default();
        let mut values = [Row::ZERO; MAX_ROWS];
        for (k, source) in rows.sources.iter().enumerate() {
            let range = problem.sets.range(k);
            match *source {
                // What yields is where it was asked to be.
                RowSource::Joint(_) | RowSource::Coupling(_) if rows.is_soft(k) => {}
                RowSource::Joint(id) => {
                    let joint = model.joint(id);
                    let labels = joint.kind.locked();
                    let values = &mut values[..labels.len()];
                    let rel = placement(&self.end_poses, joint).relative;
                    joint.kind.constrain(
                        &rel,
                        &state.coordinates[joint.first_coordinate..],
                        values,
                    );
                    for ((i, value), label) in range.zip(values).zip(labels) {
                        let c = value.value;
                        let worst = match label.1 {
                            Unit::Length => &mut v.linear,
                            Unit::Angle => &mut v.angular,
                        };
                        *worst = keep_nan(*worst, c.abs());
                        v.change = keep_nan(v.change, c.abs());
                        self.next_bias[i] += c / dt - x.sigma[i];
                    }
                }
                RowSource::Coupling(id) => {
                    let coupling = &model.couplings()[id.index()];
                    let c = coupling.residual(|term| {
                        self.end_coordinate(state, model.joint(term.joint), term.coordinate)
                    });
                    let i = range.start;
                    v.angular = keep_nan(v.angular, c.abs());
                    v.change = keep_nan(v.change, c.abs());
                    self.next_bias[i] += c / dt - x.sigma[i];
                }
                RowSource::Limit {
                    joint,
                    coordinate,
                    upper,
                } => {
                    let along = Along::Coordinate(joint, coordinate as usize);
                    self.close_limit((model, state, settings), rows, x, (along, upper, k), &mut v);
                }
                RowSource::TendonLimit { tendon, upper } => {
                    let along = Along::Tendon(tendon);
                    self.close_limit((model, state, settings), rows, x, (along, upper, k), &mut v);
                }
                // The rest is exact at velocity level, or (contacts) linearised by design.
                _ => break,
            }
        }
        v
    }

    /// Violation of a limit (block `k`) at the end of the step, and its bias for the next pass.
    fn close_limit(
        &mut self,
        (model, state, settings): (&Model, &State, &Settings),
        rows: &Rows,
        x: &Solution,
        (along, upper, k): (Along, bool, usize),
        v: &mut Violation,
    ) {
        let Some(limits) = along.axis(model).limits.filter(|l| l.softness.is_none()) else {
            return;
        };
        let (problem, dt) = (&rows.problem, rows.problem.dt);
        let start = rows.value(model, along);
        let ends = along
            .terms(model)
            .map(|(j, c, factor)| factor * self.end_coordinate(state, model.joint(j), c));
        let end: f64 = ends.sum();
        let gap = |q: f64| {
            if upper {
                limits.max - q
            } else {
                q - limits.min
            }
        };
        v.limit = keep_nan(v.limit, -gap(end).min(0.0));
        let i = problem.sets.range(k).start;
        // A limit that stays open needs no correction, a bouncing one is not meant to close.
        if (x.lambda[i] <= 0.0 && gap(end) >= 0.0) || limits.restitution > 0.0 {
            return;
        }
        let linear = x.sigma[i] - problem.v_bias[i];
        let hidden = (gap(end) - gap(start)) / dt - linear;
        let bias = biased_gap(gap(start), settings.stabilization.limits) / dt + hidden;
        v.change = keep_nan(v.change, dt * (bias - problem.v_bias[i]).abs());
        self.next_bias[i] = bias;
    }

    fn end_coordinate(&self, state: &State, joint: &Joint, coordinate: usize) -> f64 {
        let n = joint.axes.len();
        let mut rows = [Row::ZERO; crate::joints::MAX_COORDINATES];
        let turns = &state.coordinates[joint.first_coordinate..joint.first_coordinate + n];
        let rel = placement(&self.end_poses, joint).relative;
        joint.kind.measure(&rel, turns, &mut rows[..n]);
        rows[coordinate].value
    }
}

fn keep_nan(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
