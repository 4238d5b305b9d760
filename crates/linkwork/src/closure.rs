//! Closure refinement: joints, couplings and limits solved nonlinearly at the end of the step, with the step's own
//! factorisation [math.md §4].
//!
//! The residual at the end of the step is C(end) = C(start) + dt (J u⁺ + h), where the hidden velocity h is the part of
//! the motion that J, evaluated at the start, does not contain. So v* = C(start)/dt + h closes the joints. h depends on
//! u⁺: it is predicted from the last steps, measured at the solution, and the problem is solved again until C(end)
//! vanishes within its tolerance (chord iteration). Impulses act along the start-of-step J at common points: momentum
//! stays exact, and no body moves without a velocity.

mod history;
mod refine;

use crate::integrate::Motion;
use crate::joints::{MAX_COORDINATES, MAX_ROWS, Placement, Row, Unit};
use crate::math::{Pose, Vec3};
use crate::model::{JointId, Model};
use crate::path::{inner_contacts_at, path_length_at};
use crate::rows::{Along, Limited, RowSource, Rows, found_gap, held_bias, limit_bias};
use crate::settings::Settings;
use crate::state::placement;
pub(crate) use history::{History, REMEMBERED};
use linkwork_solve::{Anderson, Solution, larger, raise};
pub(crate) use refine::Refined;
use refine::{Kept, SECANTS};

/// Number of roundings between poses and a residual: quaternion product and norm (8), rotated lever arm (6), sums (2).
const ROUNDINGS: f64 = 16.0;

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
    /// The largest ratio of such a change to its tolerance; closed if at most 1.
    pub open: f64,
}

impl Violation {
    fn add(&mut self, change: f64, tolerance: f64) {
        raise(&mut self.change, change);
        raise(&mut self.open, change / tolerance);
    }
}

/// The refinement, its buffers and the hidden velocities of earlier steps.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// End-of-step poses of the last evaluation.
    pub end_poses: Vec<Pose>,
    /// The joints there; empty if the poses belong to another pass.
    pub end_places: Vec<Placement>,
    /// Start values for joint coordinates that must be searched for at the end; improved by each evaluation.
    pub end_guess: Vec<f64>,
    /// C of the rows of joints and couplings at the start, and at the end at the last evaluation; followed there by the
    /// hidden velocities of geared coordinates and tendons.
    start: Vec<f64>,
    end: Vec<f64>,
    /// How much of C may be round-off.
    rounding: Vec<f64>,
    next_bias: Vec<f64>,
    /// See [`Motion::turn_excess`].
    excess: Vec<f64>,
    /// The best pass so far, restored if the last one is worse.
    kept: Kept,
    secant: Anderson,
    /// What the next pass adds to the biases.
    step: Vec<f64>,
    pub history: History,
}

impl Default for Closure {
    fn default() -> Self {
        Self {
            end_poses: Vec::new(),
            end_places: Vec::new(),
            end_guess: Vec::new(),
            start: Vec::new(),
            end: Vec::new(),
            rounding: Vec::new(),
            next_bias: Vec::new(),
            excess: Vec::new(),
            kept: Kept::default(),
            secant: Anderson::new(SECANTS),
            step: Vec::new(),
            history: History::default(),
        }
    }
}

impl Closure {
    /// Starts a step: stores C(start), which enters the biases of joints and couplings divided by dt, and the part of
    /// it that may be round-off.
    pub fn begin(&mut self, model: &Model, rows: &Rows) {
        let dt = rows.problem.dt;
        let locked = model.locked_rows();
        self.guess_coordinates(model, rows);
        self.start.clear();
        let bias = &rows.problem.v_bias[..locked];
        self.start.extend(bias.iter().map(|b| dt * b));
        self.rounding.clear();
        for source in &rows.sources {
            match source {
                RowSource::Joint(id) => {
                    let place = &rows.kinematics[id.index()].place;
                    let arms = place.arm_base.norm() + place.arm_follower.norm();
                    let reach = place.anchor.norm() + arms;
                    let labels = model.joint(*id).kind.locked();
                    self.rounding
                        .extend(labels.iter().map(|label| match label.1 {
                            Unit::Length => rounding(reach),
                            Unit::Angle => rounding(1.0),
                        }));
                }
                RowSource::Coupling(_) => self.rounding.push(rounding(1.0)),
                _ => break,
            }
        }
    }

    /// Extrapolates the coordinates that must be searched for over the step.
    fn guess_coordinates(&mut self, model: &Model, rows: &Rows) {
        self.end_guess.resize(model.coordinate_count(), 0.0);
        for id in &model.layout().searching {
            let joint = model.joint(*id);
            let guess = &mut self.end_guess[joint.range()];
            for (c, guess) in guess.iter_mut().enumerate() {
                let rate = rows.coordinate_velocity(model, *id, c);
                *guess = rows.coordinate(*id, c) + rows.problem.dt * rate;
            }
        }
    }

    /// Largest opening of a joint or coupling at the start of the step, m or rad.
    pub fn open_at_start(&self) -> f64 {
        self.start.iter().fold(0.0, |open, c| larger(open, c.abs()))
    }

    /// Starts the biases of joints and couplings from the extrapolated hidden velocities of earlier steps. h is smooth
    /// in time, while C(start) is the residue of the last step within its tolerance: extrapolation would amplify that
    /// noise. Round-off is not closed at all, because divided by dt² it would be a force. Soft rows have their own
    /// biases. Without closure of the `joints` only geared coordinates are predicted.
    pub fn predict(&mut self, rows: &mut Rows, joints: bool) {
        let some_yield = rows.some_yield;
        let problem = &mut rows.problem;
        let locked = self.start.len();
        let expected = self
            .history
            .predictor(locked + rows.geared.len(), problem.dt);
        for (i, geared) in rows.geared.iter().enumerate() {
            if let Some(block) = geared.block {
                let hidden: f64 = expected
                    .iter()
                    .map(|difference| difference[locked + i])
                    .sum();
                problem.v_bias[problem.sets.range(block).start] += hidden;
            }
        }
        if !joints {
            return;
        }
        let (bias, soft) = (&mut problem.v_bias[..locked], &problem.compliance[..locked]);
        let noise = self.start.iter().zip(&self.rounding);
        for ((bias, soft), (start, rounding)) in bias.iter_mut().zip(soft).zip(noise) {
            if *soft == 0.0 && start.abs() <= *rounding {
                *bias = 0.0;
            }
        }
        for difference in expected {
            let parts = bias.iter_mut().zip(difference);
            if some_yield {
                let hard = parts.zip(soft).filter(|(_, soft)| **soft == 0.0);
                hard.for_each(|((bias, value), _)| *bias += value);
            } else {
                parts.for_each(|(bias, value)| *bias += value);
            }
        }
    }

    /// Sets the biases of joints and couplings to −J u⁺: if the joints are closed at the end of the step, that is by
    /// definition the velocity-level constraint they satisfy. Predicted biases of redundant rows may contradict each
    /// other; these cannot.
    pub fn settle(rows: &mut Rows, x: &mut Solution, locked: usize) {
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

    /// Stores the hidden velocities h = (C(end) − C(start))/dt − J u⁺ for [`Closure::predict`].
    pub fn remember(&mut self, rows: &Rows, x: &Solution) {
        let dt = rows.problem.dt;
        let n = self.start.len();
        let (end, hidden) = self.end.split_at(n);
        let (start, rounding) = (&self.start[..n], &self.rounding[..n]);
        let (sigma, bias) = (&x.sigma[..n], &rows.problem.v_bias[..n]);
        let compliance = &rows.problem.compliance[..n];
        let rate = 1.0 / dt;
        self.history.push(n + rows.geared.len(), dt, |i| {
            if i >= n {
                return hidden[i - n];
            }
            let path = end[i] - start[i] - dt * (sigma[i] - bias[i]);
            if compliance[i] > 0.0 || path.abs() <= rounding[i] {
                0.0
            } else {
                path * rate
            }
        });
    }

    /// Violation at the end of the step with the solution `x`, and the biases of the next pass.
    pub fn evaluate(&mut self, motion: &Motion, rows: &Rows, x: &Solution) -> Violation {
        motion.move_poses(rows, &x.u_plus, &mut self.end_poses);
        self.measure(motion, rows, x)
    }

    /// The same at the present `end_poses`.
    pub fn measure(&mut self, motion: &Motion, rows: &Rows, x: &Solution) -> Violation {
        let Motion { model, state, .. } = *motion;
        let problem = &rows.problem;
        let dt = problem.dt;
        self.end_places.clear();
        let places = model.joints().iter().map(|j| placement(&self.end_poses, j));
        self.end_places.extend(places);
        self.next_bias.clone_from(&problem.v_bias);
        self.end.clear();
        self.end.resize(model.locked_rows(), 0.0);
        let (tolerance, rate) = (tolerance(motion, dt), 1.0 / dt);
        let mut v = Violation::default();
        let mut values = [0.0; MAX_ROWS];
        for (k, source) in rows.sources.iter().enumerate() {
            let range = problem.sets.range(k);
            match *source {
                // What yields is where it was asked to be.
                RowSource::Joint(_) | RowSource::Coupling(_) if rows.is_soft(k) => {}
                RowSource::Joint(id) => {
                    let joint = model.joint(id);
                    let labels = joint.kind.locked();
                    let values = &mut values[..labels.len()];
                    let rel = &self.end_places[id.index()].relative;
                    let turns = &state.coordinates[joint.range()];
                    let guess = &mut self.end_guess[joint.range()];
                    joint.kind.residual(rel, turns, guess, values);
                    let first = range.start;
                    let next = &mut self.next_bias[range.clone()];
                    let sigma = &x.sigma[range.clone()];
                    for ((next, c), sigma) in next.iter_mut().zip(&*values).zip(sigma) {
                        *next += c * rate - sigma;
                    }
                    self.end[range].copy_from_slice(values);
                    // Rows of a joint in one unit have one round-off.
                    for unit in [Unit::Length, Unit::Angle] {
                        let own = labels.iter().position(|label| label.1 == unit);
                        let Some(own) = own else { continue };
                        let of_unit = values.iter().zip(labels).filter(|(_, l)| l.1 == unit);
                        let c = of_unit.fold(0.0, |c, (value, _)| larger(c, value.abs()));
                        let worst = match unit {
                            Unit::Length => &mut v.linear,
                            Unit::Angle => &mut v.angular,
                        };
                        raise(worst, c);
                        v.add(c, tolerance.max(self.rounding[first + own]));
                    }
                }
                RowSource::Coupling(id) => {
                    let coupling = &model.couplings()[id.index()];
                    let c = coupling.residual(|term| {
                        self.end_coordinate(motion, term.joint, term.coordinate).0
                    });
                    let i = range.start;
                    raise(&mut v.angular, c.abs());
                    v.add(c.abs(), tolerance.max(self.rounding[i]));
                    self.end[i] = c;
                    self.next_bias[i] += c / dt - x.sigma[i];
                }
                source => match Limited::of(source) {
                    Some((limited, upper)) => {
                        self.close_limit(motion, rows, x, (limited, upper, k), &mut v);
                    }
                    // The others are exact at velocity level, or (contacts) linearised by design.
                    None => break,
                },
            }
        }
        self.close_gears(motion, rows, x, &mut v);
        v
    }

    /// Hidden velocities of geared coordinates and tendons, and their biases for the next pass. If a coordinate jumps
    /// within the step, its rate is the one at the start.
    fn close_gears(&mut self, motion: &Motion, rows: &Rows, x: &Solution, v: &mut Violation) {
        let (model, dt) = (motion.model, rows.problem.dt);
        if !rows.geared.is_empty() {
            motion.turn_excess(rows, &mut self.excess);
        }
        for geared in &rows.geared {
            let Some(block) = geared.block else {
                self.end.push(0.0);
                continue;
            };
            let mut path = Some(0.0);
            for (id, c, factor) in geared.along.terms(model) {
                let (from, to) = self.coordinate_span(motion, id, c);
                path = path.zip(to).map(|(path, to)| path + factor * (to - from));
            }
            if let Along::Tendon(tendon) = geared.along {
                let end = path_length_at(&model.tendon(tendon).path, model, &self.end_poses);
                let start = rows.path(geared.along).map_or(0.0, |p| p.length);
                path = path.map(|path| path + end - start);
            }
            let i = rows.problem.sets.range(block).start;
            let linear = rows.velocity_of(block, 0, &x.u_plus);
            let shift = motion.plan.shift();
            if shift != 0.0 {
                // Motion by the old velocities beyond the poses of the rows.
                let before = shift * rows.velocity(model, geared.along);
                path = path.map(|path| path - before);
            }
            let (span, share) = motion.plan.gear;
            let mut hidden = path.map_or(0.0, |path| share * (path / span - linear));
            if share != 1.0 {
                // u⁺ is the rotation of bodies over the drift; the rate at its end follows from their velocities at its
                // start.
                hidden += (share - 1.0) * rows.velocity_of(block, 0, &self.excess);
            }
            let change = dt * (hidden - rows.hidden_rate(geared)).abs();
            v.add(change, tolerance(motion, dt).max(rounding(1.0)));
            self.next_bias[i] = geared.bias + hidden;
            self.end.push(hidden);
        }
    }

    /// A coordinate at the start and at the end of the step; `None` for the end if it jumps in between.
    fn coordinate_span(&self, motion: &Motion, id: JointId, c: usize) -> (f64, Option<f64>) {
        let joint = motion.model.joint(id);
        let from = &motion.state.coordinates[joint.range()];
        let n = from.len();
        let mut to = [0.0; MAX_COORDINATES];
        if joint.kind.searches() && joint.softness.is_none() {
            // Found with the residual.
            to[..n].copy_from_slice(&self.end_guess[joint.range()]);
        } else {
            let mut rows = [Row::ZERO; MAX_COORDINATES];
            let rel = &self.end_places[id.index()].relative;
            joint.kind.measure(rel, from, &mut rows[..n]);
            to.iter_mut()
                .zip(&rows)
                .for_each(|(to, row)| *to = row.value);
        }
        let jumps = joint.kind.jumps(from, &to[..n]);
        (from[c], (!jumps).then_some(to[c]))
    }

    /// Violation of a limit (block `k`) at the end of the step, and its bias for the next pass.
    fn close_limit(
        &mut self,
        motion: &Motion,
        rows: &Rows,
        x: &Solution,
        (limited, upper, k): (Limited, bool, usize),
        v: &mut Violation,
    ) {
        let Motion {
            model,
            state,
            settings,
            ..
        } = *motion;
        let Some(limits) = limited.limits(model).filter(|l| l.softness.is_none()) else {
            return;
        };
        let (problem, dt) = (&rows.problem, rows.problem.dt);
        let start = rows.limited_value(model, limited);
        let (mut end, mut jumps) = (0.0, false);
        match limited {
            Limited::Along(along) => {
                for (j, c, factor) in along.terms(model) {
                    let (value, jumped) = self.end_coordinate(motion, j, c);
                    end += factor * value;
                    jumps |= jumped;
                }
            }
            // It does not jump where its coordinates do, but reverses there.
            Limited::Turn(joint) => {
                let first = model.joint(joint).kind.rotation_vector().unwrap_or(0);
                let at = |c: usize| self.end_coordinate(motion, joint, first + c);
                end = Vec3::new(at(0).0, at(1).0, at(2).0).norm();
                jumps = at(0).1;
            }
        }
        if let Limited::Along(Along::Tendon(tendon)) = limited {
            let path = &model.tendon(tendon).path;
            end += path_length_at(path, model, &self.end_poses);
            let inner = |poses: &[Pose]| inner_contacts_at(path, model, poses);
            jumps |= inner(&state.poses) != inner(&self.end_poses);
        }
        let gap = |q: f64| {
            if upper {
                limits.max - q
            } else {
                q - limits.min
            }
        };
        let held = limits.min == limits.max;
        raise(&mut v.limit, if held { gap(end).abs() } else { -gap(end) });
        let i = problem.sets.range(k).start;
        // A limit that stays open needs no correction, and a bouncing one is not meant to close. If a coordinate jumps
        // to the other side of its limits, no velocity of this step closes them (mechanisms 1853 and 1991 of seed 1):
        // the next steps must. The same holds where the length of a tendon has a kink.
        let stays_open = !held && x.lambda[i] <= 0.0 && gap(end) >= 0.0;
        if stays_open || limits.restitution > 0.0 || jumps {
            return;
        }
        let linear = x.sigma[i] - problem.v_bias[i];
        let opens = if upper { -1.0 } else { 1.0 } * rows.limited_velocity(model, limited);
        let found = found_gap(gap(start), opens, motion.plan);
        let hidden = (gap(end) - found) / dt - linear;
        let stabilization = &settings.stabilization;
        let closes = if held { held_bias } else { limit_bias };
        let bias = closes(found, opens, stabilization, motion.plan) + hidden;
        let change = dt * (bias - problem.v_bias[i]).abs();
        v.add(change, tolerance(motion, dt).max(rounding(1.0)));
        self.next_bias[i] = bias;
    }

    /// A coordinate at the end of the step, and whether it jumps within it.
    fn end_coordinate(&self, motion: &Motion, joint: JointId, coordinate: usize) -> (f64, bool) {
        let rel = &self.end_places[joint.index()].relative;
        let joint = motion.model.joint(joint);
        let n = joint.axes.len();
        let mut rows = [Row::ZERO; MAX_COORDINATES];
        let from = &motion.state.coordinates[joint.range()];
        joint.kind.measure(rel, from, &mut rows[..n]);
        let to = rows.map(|row| row.value);
        (to[coordinate], joint.kind.jumps(from, &to[..n]))
    }
}

/// Largest residual of a closed row, m or rad, apart from round-off: the setting, but at least the error that a solve
/// within its tolerance leaves.
fn tolerance(motion: &Motion, dt: f64) -> f64 {
    closing_tolerance(motion.settings, dt)
}

/// The same for steps of `dt` (s) by these settings.
pub(crate) fn closing_tolerance(settings: &Settings, dt: f64) -> f64 {
    settings
        .closure
        .tolerance
        .max(dt * settings.solve.tolerance)
}

/// Round-off of a residual that is a difference of terms of `size`, m or rad.
pub(crate) fn rounding(size: f64) -> f64 {
    ROUNDINGS * f64::EPSILON * size
}
