//! Lemke's method on the pyramid of [Anitescu eq. 2.10-2.11], and a sequence of such problems that converges to the
//! cone.
//!
//! One pass replaces the disk ‖λ_T‖ ≤ μ λ_N of every contact by an inscribed polygon, eliminates the free rows and
//! solves the linear complementarity problem. With `refinements = 0` this is Anitescu's method: friction opposes the
//! slip only up to half the angle between two corners.
//!
//! Refinement extends it to the cone. With the trial a = w λ_T − σ_T, w the block weight, a contact with ‖a‖ ≤ μ w λ_N
//! sticks, and its polygon is rotated until a corner points along a. Other loaded contacts slide, λ_T = μ λ_N a/‖a‖. To
//! first order around e = a/‖a‖ this is friction along ±e of at most μ λ_N and, along t ⟂ e, λ_t = −σ_t μ λ_N/(‖a‖ − μ
//! w λ_N): a free row with compliance w (‖a‖/(μ w λ_N) − 1). So a pass remains a linear complementarity problem, and
//! the passes are the Josephy-Newton method: they converge quadratically where the solution is regular.

mod dictionary;
mod lemke;
#[cfg(test)]
mod lemke_tests;
mod pass;
mod pyramid;
mod reduction;

use super::ends::{Counts, Grader, projected_guess};
use super::{Observer, Solver, SolverSettings, Unsupported};
use crate::problem::{Problem, Solution, SolveReport, Status};
use crate::residuals::{ContactModel, natural_map};
use crate::sets::ImpulseSet;
use lemke::Ending;
use pass::Pass;
use pyramid::{Facets, Form, Pyramid};

/// Passes that do not improve the residual before it gives up.
const IDLE_LIMIT: usize = 6;
/// Multiple of the tolerance that slip and friction must exceed for a contact to count as sliding in the misalignment:
/// the angle is then accurate to about 1e-6 rad.
const SLIDING: f64 = 1e6;

/// Settings of [`Lcp`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LcpSettings {
    /// Tolerance and iteration limit; an iteration is a batch of ⌊n/20⌋ + 1 pivots, n the number of
    /// complementary pairs, so that the limit grows with the problem.
    pub common: SolverSettings,
    /// Number n_p of corners of the polygon that approximates the friction disk; made even and at least 4. Nominal 4 …
    /// 32.
    pub facets: usize,
    /// Largest number of passes after the first that turn the polygons towards the slip; 0 is Anitescu's
    /// method. Nominal 0 … 50.
    pub refinements: usize,
    /// Largest number of complementary pairs taken: a pivot costs its square. Nominal 1000 … 5000.
    pub max_pairs: usize,
}

impl Default for LcpSettings {
    fn default() -> Self {
        Self {
            common: SolverSettings::default(),
            facets: 8,
            refinements: 30,
            max_pairs: 3000,
        }
    }
}

/// The solver; see the module documentation.
#[derive(Default)]
pub struct Lcp {
    /// Name of the registry; none means "lcp".
    name: Option<&'static str>,
    settings: LcpSettings,
    pass: Pass,
    /// Shape of the friction disk, by block.
    shapes: Vec<Facets>,
    /// The best λ so far.
    best: Vec<f64>,
    sigma: Vec<f64>,
    scratch: Vec<f64>,
    grader: Grader,
    misalignment: f64,
}

impl Lcp {
    /// With the given settings.
    pub fn new(settings: LcpSettings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Under a name of the registry.
    pub(super) fn named(name: &'static str, settings: LcpSettings) -> Self {
        Self {
            name: Some(name),
            ..Self::new(settings)
        }
    }

    /// Largest angle between −σ_T and λ_T at the sliding contacts of the last answer, rad: how far the
    /// pyramid has turned friction away from the slip. At most π/facets with `refinements = 0`. A contact
    /// counts as sliding where both exceed 1e6 times the tolerance, in m/s and N s.
    pub fn misalignment(&self) -> f64 {
        self.misalignment
    }

    /// Corners of the polygon: `facets` made even and at least 4.
    fn corners(&self) -> usize {
        self.settings.facets.max(4).next_multiple_of(2)
    }

    /// The passes; the best λ is left in `best`.
    fn run(
        &mut self,
        problem: &Problem,
        observer: &mut dyn Observer,
        count: &mut Counts,
    ) -> Status {
        let SolverSettings {
            tolerance,
            max_iterations,
        } = self.settings.common;
        let corners = self.corners();
        self.pass.start(problem);
        self.shapes.clear();
        self.shapes
            .resize(problem.sets.len(), Facets::Polygon { angle: 0.0 });
        let (mut least, mut idle) = (f64::INFINITY, 0);
        for number in 0..=self.settings.refinements {
            let shapes = (corners, &self.shapes[..]);
            let ending = self
                .pass
                .run(problem, shapes, max_iterations, observer, count);
            match ending {
                Ending::Solved => {}
                Ending::Stopped => return Status::Interrupted,
                Ending::Limit => return Status::IterationLimit,
                Ending::Broken if number == 0 => return Status::NumericalFailure,
                Ending::Ray if number == 0 => return Status::RayTermination,
                // The pyramid had a solution and its refinement has none: keep the best.
                Ending::Broken | Ending::Ray => return Status::Stalled,
            }
            let size = self.measure(problem);
            if size.is_nan() {
                return Status::NumericalFailure;
            }
            idle = if size < 0.9 * least { 0 } else { idle + 1 };
            if size < least {
                least = size;
                self.best.clone_from(&self.pass.lambda);
            }
            if observer.iteration(count.iterations, size).is_break() {
                return Status::Interrupted;
            }
            if least <= tolerance || idle == IDLE_LIMIT {
                break;
            }
            self.reshape(problem);
        }
        // Solved on the pyramid: the residual decides whether that is sufficient for the cone.
        Status::Stalled
    }

    /// The recomputed scaled natural map of the last pass; leaves σ.
    fn measure(&mut self, problem: &Problem) -> f64 {
        let (lambda, weights) = (&self.pass.lambda, self.pass.weights());
        problem.sigma(lambda, &mut self.sigma, &mut self.scratch);
        natural_map(problem, lambda, &self.sigma, weights, ContactModel::Ncp).scaled()
    }

    /// Fit the shapes to λ and σ of the last pass.
    fn reshape(&mut self, problem: &Problem) {
        let blocks = problem.sets.iter().zip(self.pass.weights());
        for (((set, rows), w), shape) in blocks.zip(&mut self.shapes) {
            let ImpulseSet::Coulomb { mu } = set else {
                continue;
            };
            let (l, s) = (&self.pass.lambda[rows.clone()], &self.sigma[rows]);
            let trial = [w * l[0] - s[0], w * l[1] - s[1]];
            let (size, radius) = (trial[0].hypot(trial[1]), mu * w * l[2]);
            let angle = trial[1].atan2(trial[0]);
            // radius > 0 excludes open contacts and μ = 0, where there is no friction direction.
            *shape = if radius > 0.0 && size > radius {
                // In units of w, as the scaled matrix has it.
                let compliance = size / radius - 1.0;
                Facets::Tangent { angle, compliance }
            } else {
                Facets::Polygon { angle }
            };
        }
    }
}

/// Largest angle between −σ_T and λ_T where both ‖σ_T‖ and ‖λ_T‖ exceed `sliding`, rad.
fn misalignment(problem: &Problem, x: &Solution, sliding: f64) -> f64 {
    let mut largest = 0.0f64;
    for (set, rows) in problem.sets.iter() {
        let (l, s) = (&x.lambda[rows.clone()], &x.sigma[rows]);
        if matches!(set, ImpulseSet::Coulomb { .. })
            && s[0].hypot(s[1]) > sliding
            && l[0].hypot(l[1]) > sliding
        {
            let (dot, cross) = (-l[0] * s[0] - l[1] * s[1], l[0] * s[1] - l[1] * s[0]);
            largest = largest.max(cross.abs().atan2(dot));
        }
    }
    largest
}

impl Solver for Lcp {
    fn name(&self) -> &'static str {
        self.name.unwrap_or("lcp")
    }

    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn supports(&self, problem: &Problem) -> Result<(), Unsupported> {
        let Some(pairs) = Pyramid::size(&problem.sets, self.corners()) else {
            return Unsupported::check_sets(self.name(), problem, |set| Form::of(set).is_some());
        };
        let most = self.settings.max_pairs;
        if pairs <= most {
            return Ok(());
        }
        let reason = format!(
            "it has {pairs} complementary pairs, more than {most}; raise max_pairs, use fewer facets or \
             the solver hybrid"
        );
        Err(Unsupported {
            solver: self.name(),
            reason,
        })
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        projected_guess(problem, x, &mut self.best);
        let mut count = Counts::default();
        let status = match Pyramid::size(&problem.sets, self.corners()) {
            Some(_) => self.run(problem, observer, &mut count),
            // Asked for what `supports` refuses: the guess is all there is.
            None => Status::NumericalFailure,
        };
        x.lambda.clone_from(&self.best);
        let tolerance = self.settings.common.tolerance;
        let model = self.model();
        let report = self
            .grader
            .report(problem, x, model, tolerance, status, count);
        self.misalignment = misalignment(problem, x, SLIDING * tolerance);
        report
    }
}
