//! The energy balance of a step, and steps that would add energy.
//!
//! Ideal joints do no work. Those of a step do λ·½J(u⁻ + u⁺), which is the whole error of its energy: every other
//! change is the work of a row, of gravity or of an applied force, and bodies rotate without changing their energy
//! (`Motion::turn`). With J u⁺ = −h and J u⁻ = h of the step before, this work is ½λ·Δh: in smooth motion a small
//! difference, which alternates without a trend. Where the motion changes within a step (ω dt ~ 1, the crack of a whip,
//! a stop) it is of the order of the kinetic energy and of either sign, although the joints are closed. Such steps are
//! repeated in halves.
//!
//! A failed step, or one at the depth limit, must at least not add energy. Impulses without the closing part, J u⁺ = 0,
//! only remove energy. Between these and the impulses found, the work of the joints is a quadratic function: the step
//! goes as far towards closing as the energy allows. Open joints are closed by later steps. If even the solve with J u⁺
//! = 0 adds energy, its impulses are scaled by the factor that leaves the least kinetic energy. All of these stay in
//! their cones and keep the momentum balance exact.

use super::displace::OPEN;
use crate::math::Twist;
use crate::model::Model;
use crate::report::{StepReport, Work};
use crate::settings::Settings;
use crate::simulator::Simulator;
use linkwork_solve::Status;
use serde::{Deserialize, Serialize};

/// Share of the kinetic energy in the hidden velocities of a motion by one radian per step, (ω dt)²/8: the maximum that
/// the joints may have added in steps that are each acceptable.
const HIDDEN: f64 = 0.125;

/// Speed, m/s, below which a mechanism counts as at rest. The energy that tolerances allow joints to add in total may
/// not move it faster; at the impulses of a mechanism near a singular configuration, tolerances would allow any energy.
const STANDSTILL: f64 = 1e-3;

/// Energy that joints may add in steps at the depth limit, relative to `closure.energy`, above which steps are halved.
/// A step that is held back leaves its joints open, which costs more than it saves (at 1e-3 a whip's crack from 10 ms
/// lost 41 % with 1 here, and 0.3 % with 5).
const RESTRAINED: f64 = 5.0;

/// Work of rows above which a step is halved, relative to `closure.energy`, if springs or rotors are among them. At
/// equal steps their error alternates without a trend; halving because of it selects one sign (with 1, mechanism 446 of
/// seed 1 gains 1.2 % in a second, with this value 0.8 %).
const GEARED: f64 = 10.0;

/// Share of the kinetic energy that contacts and limits may add in a step with restitution, as required by overlap
/// removal.
const IMPACT: f64 = 1e-6;

/// Impossible work of joints over the steps so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyBooks {
    /// Energy that joints added (+) or removed (−), J, as far as it is still present.
    pub surplus: f64,
    /// Largest kinetic energy so far, J, less the dissipation since.
    pub peak: f64,
}

impl EnergyBooks {
    /// Adds the work of a step. Dissipation removes its share of the surplus, including that of the same step; energy
    /// transferred to springs and rotors is not lost. The account is limited to a `tolerance` of the peak, which energy
    /// added by joints does not raise.
    fn add(&mut self, work: &Work, measure: &Measure, tolerance: f64) {
        let kinetic = measure.solved;
        let lost = Work {
            drives: work.drives - measure.stores,
            ..*work
        };
        let before = self.peak + work.joints.max(0.0);
        let left = (before - lost.taken()).max(kinetic);
        self.surplus += work.joints;
        if left < before {
            self.surplus *= left / before;
        }
        self.peak = left.min(self.peak).max(kinetic);
        self.surplus = self.surplus.max(-tolerance * self.peak);
    }
}

/// Limits for the energy of steps that are the same in all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge {
    /// `closure.energy`.
    pub energy: f64,
    /// Whether there are springs or rotors.
    pub geared: bool,
    /// See [`standstill`], J.
    pub standstill: f64,
}

impl Judge {
    /// Adds a converged step to the account, unless its joints' work, or that of all steps so far, requires halves or a
    /// reduction ([`Simulator::is_inconsistent`], [`Simulator::forbid_gain`]); returns whether it was added.
    pub fn accept(
        &self,
        books: &mut EnergyBooks,
        work: &Work,
        measure: &Measure,
        at_rest: bool,
    ) -> bool {
        let share = |times| energy_share(times, self.geared, self.energy);
        let may = share(1.0) * measure.before.max(measure.solved) + measure.slack;
        let available = measure.free.max(books.peak) + work.given();
        let bound = HIDDEN * available + measure.slack.min(self.standstill);
        let most = (bound - books.surplus).max(0.0);
        // Written so that a NaN fails too.
        let fine = work.joints.abs() <= may && (work.joints <= most || at_rest);
        if fine {
            let surplus = books.surplus;
            books.add(work, measure, share(RESTRAINED));
            if at_rest {
                books.surplus = surplus;
            }
        }
        fine
    }
}

/// What the work of a step is judged by, J.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measure {
    /// Kinetic energy before the step.
    pub before: f64,
    /// Kinetic energy of the free motion. It includes torques balanced by limits or contacts, which move nothing: those
    /// of `solo12.urdf --actuate 0.3` at rest contribute thousands of joules.
    pub free: f64,
    /// Kinetic energy after the solve.
    pub solved: f64,
    /// What springs and rotors gave.
    pub stores: f64,
    /// Work of the joints that the tolerances of solve and closure allow.
    pub slack: f64,
}

impl Simulator {
    /// Measure the solution found, once a step.
    pub(crate) fn measure_energy(&mut self) {
        let (mass, _, u_free) = self.rows.bodies();
        let u_plus = &self.solution.u_plus;
        let locked = &self.solution.lambda[..self.model.locked_rows()];
        let mut impulses: f64 = locked.iter().map(|l| l.abs()).sum();
        let u_minus = &self.rows.u_minus;
        let (mut before, mut after, mut stores) = (0.0, 0.0, 0.0);
        for geared in &self.rows.geared {
            let rate = self.rows.rate_after(geared, &self.solution);
            stores += geared.given(rate);
            if let Some(block) = geared.block {
                let row = self.rows.problem.sets.range(block).start;
                impulses += self.solution.lambda[row].abs();
                before += geared.rotor(geared.before);
                after += geared.rotor(rate);
            }
        }
        let Settings { solve, closure, .. } = &self.settings;
        let speed = closure.tolerance / self.rows.problem.dt;
        self.measure = Measure {
            before: 0.5 * mass.product(u_minus, u_minus) + before,
            free: 0.5 * mass.product(u_free, u_free) + before,
            solved: 0.5 * mass.product(u_plus, u_plus) + after,
            stores,
            slack: impulses * solve.tolerance.max(speed),
        };
    }

    /// `times` the share of the kinetic energy that joints may add or remove; more if there are springs and rotors.
    fn energy_share(&self, times: f64) -> f64 {
        let geared = !self.rows.geared.is_empty();
        energy_share(times, geared, self.settings.closure.energy)
    }

    /// Whether the joints do more work in this step than their share of the kinetic energy.
    fn is_coarse(&self, work: &Work) -> bool {
        // What is no number is not fine.
        work.joints.is_nan() || self.coarseness(work) > 1.0
    }

    /// Work of the joints in this step, relative to the allowed work.
    pub(super) fn coarseness(&self, work: &Work) -> f64 {
        if work.joints == 0.0 {
            0.0
        } else {
            work.joints.abs() / self.allowed()
        }
    }

    /// Work that joints may do in this step, J: a share of the kinetic energy, and what tolerances allow.
    fn allowed(&self) -> f64 {
        let Measure {
            before,
            solved,
            slack,
            ..
        } = self.measure;
        self.energy_share(1.0) * before.max(solved) + slack
    }

    /// Energy that joints may add in a step at the depth limit, J.
    pub(super) fn allowed_at_limit(&self) -> f64 {
        self.energy_share(RESTRAINED) * self.available(0.0)
    }

    /// Whether the joints do work that a shorter step would avoid: too much in this step, or with this step too much in
    /// total. Not if they were left open, because a shorter step would have to close them faster.
    pub(super) fn is_inconsistent(&self, work: &Work) -> bool {
        let may = HIDDEN * self.available(work.given()) + self.measure.slack;
        let excess = self.energy_books.surplus + work.joints - may;
        // An earlier surplus is not removed by a shorter step.
        let adds = excess > 0.0 && work.joints > 0.5 * excess;
        let left_open = self.last_failed() && self.closure.open_at_start() > OPEN;
        let closes = self.settings.closure.enabled && !left_open;
        closes && (self.is_coarse(work) || adds)
    }

    /// Whether springs near gimbal lock gain or lose more than joints may give, which comes out in the next kick only (`rows/bent.rs`).
    pub(super) fn springs_bend(&self) -> bool {
        let motion = self.motion();
        let end = &self.closure.end_poses;
        let bends = self.rows.bends(&motion, &self.carried, &self.solution, end);
        let gain: f64 = bends.map(|bend| bend.error).sum();
        gain.abs() > self.allowed()
    }

    /// Whether contacts and limits add energy, beyond what tolerances allow.
    pub(super) fn impacts_give(&self, work: &Work) -> bool {
        let Measure { free, slack, .. } = self.measure;
        work.contacts + work.limits > IMPACT * free + slack
    }

    /// Kinetic energy that the mechanism can have after this step, J: its previous energy and the energy `given` to it.
    fn available(&self, given: f64) -> f64 {
        self.measure.free.max(self.energy_books.peak) + given
    }

    /// Enter a step that is applied in the books.
    pub(crate) fn keep_books(&mut self, work: &Work) {
        let tolerance = self.energy_share(RESTRAINED);
        let surplus = self.energy_books.surplus;
        self.energy_books.add(work, &self.measure, tolerance);
        if self.is_at_rest() {
            self.energy_books.surplus = surplus;
        }
    }

    /// Whether the step starts at rest. Then joints may add energy: joints that were never assembled, or contradict
    /// each other, are pulled as close together as possible.
    fn is_at_rest(&self) -> bool {
        self.state.twists.iter().all(|t| *t == Twist::zero())
    }

    /// Checks a step that is about to be applied; if it adds energy, replaces its impulses by ones that do not.
    pub(super) fn forbid_gain(&mut self, report: &mut StepReport) {
        let failed = !report.status.is_solved();
        // Without closure every step leaves the joints open and adds or removes energy by design.
        if !failed && !self.settings.closure.enabled {
            return;
        }
        let sound = !failed && !self.is_coarse(&report.work);
        // Energy added in a failed solve is not trusted.
        let given = if failed { 0.0 } else { report.work.given() };
        let available = self.available(given);
        // Tolerances cover only work within them. A step with more work is not excused by large impulses (a rod across
        // the plane of its hinges, `linkwork campaign --seed 1 --first 207 --count 1`).
        let bound = if sound {
            HIDDEN * available + self.measure.slack.min(standstill(&self.model))
        } else {
            self.energy_share(RESTRAINED) * available
        };
        let most = (bound - self.energy_books.surplus).max(0.0);
        if !drives(&report.work, most, failed) || self.is_at_rest() {
            return;
        }
        let found = self.solution.clone();
        let bias = self.rows.problem.v_bias.clone();
        let locked = self.model.locked_rows();
        self.rows.problem.v_bias[..locked].fill(0.0);
        self.share_hidden_rates(&bias, 0.0);
        self.solution.lambda.clear();
        let problem = &self.rows.problem;
        let solve = self.solver.solve(problem, &mut self.solution, &mut ());
        report.iterations += solve.iterations;
        report.factorizations += solve.factorizations;
        let work = self.measure_work();
        if sound && self.energy_books.surplus + work.joints <= bound {
            // In fast motion the surplus is the energy of the hidden velocities, which a solve with J u⁺ = 0 would
            // remove.
            self.rows.problem.v_bias.copy_from_slice(&bias);
            self.solution.clone_from(&found);
            return;
        }
        self.restrained += 1;
        let coasts = solve.status.is_solved();
        if drives(&work, most, !coasts) {
            self.shorten();
        } else {
            self.approach(&found.lambda, &bias, &work, (most, failed));
        }
        if !failed {
            report.status = Status::Stalled;
        }
        report.work = self.measure_work();
        self.measure_energy();
        report.residuals = self.grade();
        let mut closure = std::mem::take(&mut self.closure);
        let violation = closure.evaluate(&self.motion(), &self.rows, &self.solution);
        self.closure = closure;
        report.enter(&violation);
    }

    /// Moves from the present impulses, which do the work `from`, towards the given λ and v*, as long as their joints
    /// do at most `most`, J. After a failed solve no row is trusted: additional work of any row counts as that of
    /// joints (a spring on a slide that cannot move, mechanism 207 of seed 1).
    fn approach(&mut self, lambda: &[f64], bias: &[f64], from: &Work, (most, failed): (f64, bool)) {
        let start = self.solution.lambda.clone();
        let given = |work: &Work| {
            if failed {
                work.joints + work.of_rows()
            } else {
                work.joints
            }
        };
        let set = |this: &mut Self, share: f64| {
            let x = &mut this.solution.lambda;
            for ((x, a), b) in x.iter_mut().zip(&start).zip(lambda) {
                *x = a + share * (b - a);
            }
            this.update_solution();
            given(&this.measure_work()) - given(from)
        };
        // w(α) = a α + b α², exactly, from its values at ½ and 1.
        let (half, whole) = (set(self, 0.5), set(self, 1.0));
        let (a, b) = (4.0 * half - whole, 2.0 * (whole - 2.0 * half));
        let rise = most - from.joints;
        // The smallest root of b α² + a α = rise, in the form without cancellation.
        let root = 2.0 * rise / (a + (a * a + 4.0 * b * rise).max(0.0).sqrt());
        let share = if root.is_finite() {
            root.clamp(0.0, 1.0)
        } else {
            0.0
        };
        let locked = self.model.locked_rows();
        for (v, b) in self.rows.problem.v_bias[..locked].iter_mut().zip(bias) {
            *v = share * b;
        }
        self.share_hidden_rates(bias, share);
        if share > 0.0 {
            set(self, share);
        } else {
            self.solution.lambda.copy_from_slice(&start);
            self.update_solution();
        }
    }

    /// Sets the hidden velocities of geared coordinates to a share of those in the given biases.
    fn share_hidden_rates(&mut self, bias: &[f64], share: f64) {
        let problem = &mut self.rows.problem;
        for geared in &self.rows.geared {
            if let Some(block) = geared.block {
                let row = problem.sets.range(block).start;
                problem.v_bias[row] = geared.bias + share * (bias[row] - geared.bias);
            }
        }
    }

    /// λ ← α λ with the α in [0, 1] that leaves the least kinetic energy:
    /// α = −u_fᵀ M Δ / Δᵀ M Δ, Δ = u⁺ − u_f, rotors included.
    fn shorten(&mut self) {
        let (mass, _, u_free) = self.rows.bodies();
        let change = self.solution.u_plus.iter().zip(u_free);
        let change: Vec<f64> = change.map(|(u, f)| u - f).collect();
        let mut slope = mass.product(u_free, &change);
        let mut square = mass.product(&change, &change);
        for geared in self.rows.geared.iter().filter(|g| g.block.is_some()) {
            let free = -geared.bias;
            let change = self.rows.rate_after(geared, &self.solution) - free;
            slope += geared.armature * free * change;
            square += geared.armature * change * change;
        }
        let least = -slope / square;
        let share = if least.is_finite() {
            least.clamp(0.0, 1.0)
        } else {
            0.0
        };
        for lambda in &mut self.solution.lambda {
            // Not 0 · λ, which an infinite λ would survive.
            *lambda = if share > 0.0 { share * *lambda } else { 0.0 };
        }
        self.update_solution();
    }

    /// u⁺ and σ of the impulses.
    fn update_solution(&mut self) {
        let mut scratch = Vec::new();
        let (x, problem) = (&mut self.solution, &self.rows.problem);
        problem.velocity(&x.lambda, &mut x.u_plus, &mut scratch);
        problem.sigma(&x.lambda, &mut x.sigma, &mut scratch);
    }
}

/// Kinetic energy of all mass at [`STANDSTILL`], J.
pub(crate) fn standstill(model: &Model) -> f64 {
    let masses = model.bodies().iter().map(|body| body.mass);
    0.5 * masses.sum::<f64>() * STANDSTILL * STANDSTILL
}

/// `times` the share `energy` of the kinetic energy that joints may add or remove; more if there are springs and
/// rotors.
fn energy_share(times: f64, geared: bool, energy: f64) -> f64 {
    if geared {
        times.max(GEARED) * energy
    } else {
        times * energy
    }
}

/// Whether joints, and in a failed step any other rows, do more work than `most`, J.
fn drives(work: &Work, most: f64, failed: bool) -> bool {
    // Work that is not a number is not to be trusted either.
    let more = |w: f64| w.is_nan() || w > most;
    let passive = more(work.limits + work.friction) || more(work.contacts);
    more(work.joints) || (failed && (passive || more(work.drives)))
}
