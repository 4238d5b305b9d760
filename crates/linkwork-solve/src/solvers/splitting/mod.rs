//! The projected splitting family: sweeps over the blocks, each solved alone [Tsounis Alg. 5, math.md §5].
//!
//! The solvers differ in their [`ContactRule`]. Joints are solved exactly, limits and intervals by their
//! one-dimensional projection. Differences from the paper:
//! - the velocity of the others adds the off-diagonal products (printed: subtracts), and ω decays to a **lower** bound
//!   (printed: min);
//! - blocks are visited in their order in the problem, not by kind (joints, limits, contacts);
//! - it stops on the recomputed natural map and returns the best λ found.
//!
//! [`EarlyStop::Printed`] and [`SweepOrder::Kinds`] undo the last two ([`printed`]).

mod blocks;
mod coulomb;
mod one_contact;
mod polar;
mod polynomial;
mod printed;
mod quartic;
mod settings;
mod state;
mod sweep;
mod watch;

pub use one_contact::Contact;
pub use polar::{EdgeSearch, LeastEnergyRule};
pub use settings::{Decay, EarlyStop, PrintedTest, Relaxation, SweepOrder, SweepSettings};
pub use sweep::ContactRule;

use super::anderson::Anderson;
use super::ends::{Counts, Grader, projected_guess};
use super::{Observer, Solver, Unsupported};
use crate::problem::{Operator, Problem, Solution, SolveReport, Status};
use crate::residuals::ContactModel;
use sweep::Sweeper;
use watch::{Verdict, Watch};

/// A solver of the family, with the rule `R` at contacts.
pub struct Splitting<R> {
    name: &'static str,
    settings: SweepSettings,
    rule: R,
    sweeper: Sweeper,
    watch: Watch,
    acceleration: Acceleration,
    /// Whether the last solve ended by a test of the paper; `None` if that is not the stopping test.
    own_test: Option<bool>,
    grader: Grader,
}

/// Anderson acceleration of λ ← sweep(λ), in the metric of the block weights.
struct Acceleration {
    anderson: Anderson,
    /// λ before the sweep.
    before: Vec<f64>,
    image: Vec<f64>,
    change: Vec<f64>,
    /// Least change of a sweep since the memory was cleared.
    least: f64,
}

impl<R: ContactRule> Splitting<R> {
    pub(super) fn named(name: &'static str, rule: R, settings: SweepSettings) -> Self {
        Self {
            name,
            settings,
            rule,
            sweeper: Sweeper::default(),
            watch: Watch::default(),
            acceleration: Acceleration {
                anderson: Anderson::new(settings.anderson),
                before: Vec::new(),
                image: Vec::new(),
                change: Vec::new(),
                least: f64::INFINITY,
            },
            own_test: None,
            grader: Grader::default(),
        }
    }

    /// λ = guess, and everything that is computed once per solve; false if D is not finite.
    fn start(&mut self, problem: &Problem, guess: &Solution) -> bool {
        let s = &mut self.sweeper;
        projected_guess(problem, guess, &mut s.lambda);
        problem.block_weights(&mut s.weights);
        s.state.prepare(problem);
        s.state.refresh(problem, &s.lambda);
        self.rule.restart();
        self.acceleration.anderson.clear();
        self.acceleration.least = f64::INFINITY;
        let known = s
            .blocks
            .prepare(problem, &s.state, &s.weights, self.settings.proximal);
        s.arrange(self.settings.order);
        known
    }

    fn iterate(
        &mut self,
        problem: &Problem,
        observer: &mut dyn Observer,
        count: &mut Counts,
    ) -> Status {
        let SweepSettings {
            common,
            order,
            relaxation,
            stop,
            ..
        } = self.settings;
        let model = self.rule.model();
        let mut omega = relaxation.initial;
        let mut objective = 0.0;
        self.watch.start(common.tolerance, self.settings.patience);
        if self.watch.look(problem, &mut self.sweeper, model, 0) == Verdict::Solved {
            return Status::Converged;
        }
        while count.iterations < common.max_iterations {
            let backward = order == SweepOrder::Alternating && count.iterations % 2 == 1;
            count.iterations += 1;
            if !backward {
                self.acceleration.before.clone_from(&self.sweeper.lambda);
            }
            let progress = self.sweeper.sweep(problem, &self.rule, omega, backward);
            let flow = observer.iteration(count.iterations, progress.residual);
            if progress.residual.is_nan() {
                return Status::NumericalFailure;
            }
            if flow.is_break() {
                // The best λ may be this one.
                self.watch
                    .look(problem, &mut self.sweeper, model, count.iterations);
                return Status::Interrupted;
            }
            objective += progress.objective;
            let settled = match stop {
                EarlyStop::Objective { relative } => {
                    progress.objective.abs() <= relative * objective.abs()
                }
                EarlyStop::Never | EarlyStop::Printed(_) => false,
            };
            if settled || self.watch.is_due(count.iterations, progress.residual) {
                match self
                    .watch
                    .look(problem, &mut self.sweeper, model, count.iterations)
                {
                    Verdict::Solved => return Status::Converged,
                    Verdict::Broken => return Status::NumericalFailure,
                    Verdict::GivenUp => return Status::Stalled,
                    Verdict::Grew => {
                        self.rule.residual_grew();
                        if relaxation.when == Decay::ResidualGrew {
                            omega = relaxation.minimum.max(relaxation.decay * omega);
                        }
                    }
                    Verdict::GoOn => {}
                }
            }
            if settled {
                return Status::Stalled;
            }
            if relaxation.when == Decay::EverySweep {
                omega = relaxation.minimum.max(relaxation.decay * omega);
            }
            if backward || order != SweepOrder::Alternating {
                self.accelerate(problem);
            }
        }
        self.watch
            .look(problem, &mut self.sweeper, model, count.iterations);
        Status::IterationLimit
    }

    /// Replace λ by Anderson's combination of the last sweeps, projected on the sets.
    fn accelerate(&mut self, problem: &Problem) {
        // The objective is accumulated over sweeps; a jump between sweeps would be missing from it.
        let counted = matches!(self.settings.stop, EarlyStop::Objective { .. });
        if self.settings.anderson == 0 || counted {
            return;
        }
        let (a, s) = (&mut self.acceleration, &mut self.sweeper);
        a.image.clear();
        a.change.clear();
        for ((_, rows), w) in problem.sets.iter().zip(&s.weights) {
            let root = w.sqrt();
            for i in rows {
                a.image.push(root * s.lambda[i]);
                a.change.push(root * (s.lambda[i] - a.before[i]));
            }
        }
        let size = a.change.iter().map(|c| c * c).sum::<f64>();
        // If the changes grow, the differences belong to another branch of the contact law.
        if size > 4.0 * a.least {
            a.anderson.clear();
            a.least = f64::INFINITY;
        }
        a.least = a.least.min(size);
        a.anderson.accelerate(&mut a.image, &a.change);
        for ((set, rows), w) in problem.sets.iter().zip(&s.weights) {
            let root = w.sqrt();
            for i in rows.clone() {
                s.lambda[i] = a.image[i] / root;
            }
            set.project(&mut s.lambda[rows]);
        }
        s.state.refresh(problem, &s.lambda);
    }
}

impl<R: ContactRule> Solver for Splitting<R> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn model(&self) -> ContactModel {
        self.rule.model()
    }

    fn supports(&self, problem: &Problem) -> Result<(), Unsupported> {
        Unsupported::check_sets(self.name, problem, blocks::is_known)?;
        let inertia = EarlyStop::Printed(PrintedTest::Objective);
        if self.settings.stop == inertia && matches!(problem.operator, Operator::Delassus { .. }) {
            return Err(Unsupported {
                solver: self.name,
                reason: "only D is known, and it stops on the objective relative to the inertia of bodies [Tsounis eq. 160]; \
                         give M and J, or use raisim-ds-es"
                    .to_owned(),
            });
        }
        Ok(())
    }

    fn own_test(&self) -> Option<bool> {
        self.own_test
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        let mut count = Counts::default();
        let known = self.start(problem, x);
        let status = if let (true, EarlyStop::Printed(test)) = (known, self.settings.stop) {
            self.iterate_printed(problem, test, observer, &mut count)
        } else if known {
            self.iterate(problem, observer, &mut count)
        } else {
            self.watch.best.clone_from(&self.sweeper.lambda);
            Status::NumericalFailure
        };
        x.lambda.clone_from(&self.watch.best);
        let (model, tolerance) = (self.rule.model(), self.settings.common.tolerance);
        self.grader
            .report(problem, x, model, tolerance, status, count)
    }
}
