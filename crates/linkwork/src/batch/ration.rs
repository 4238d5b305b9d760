//! A bound on the work of a step, whatever it solves.
//!
//! [`max_iterations`](linkwork_solve::SolverSettings) bounds one run of an iteration. A step may have many: halves, closure passes and rounds, each of which may
//! escalate to a slower method. A robot with torques of 1e5 N m took 3e4 iterations and 30 s for a step of 1 ms.

use linkwork_solve::condense::Plans;
use linkwork_solve::{
    ContactModel, Observer, OperatorChoice, Problem, Solution, SolveReport, Solver, Unsupported,
};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Iterations that the solvers of a simulator may still take, besides the first of each solve. Without a bound until one is set.
#[derive(Clone, Debug)]
pub(crate) struct Ration(Arc<AtomicU64>);

impl Ration {
    pub fn new() -> Self {
        Self(Arc::new(AtomicU64::new(u64::MAX)))
    }

    /// Allow this many from now on.
    pub fn set(&self, iterations: u64) {
        self.0.store(iterations, Ordering::Relaxed);
    }

    /// Remove the bound; whether it was reached.
    pub fn lift(&self) -> bool {
        self.0.swap(u64::MAX, Ordering::Relaxed) == 0
    }

    /// An observer that takes from it.
    fn count<'a>(&'a self, observer: &'a mut (dyn Observer + 'a)) -> Count<'a> {
        Count {
            observer,
            ration: self,
            first: true,
        }
    }

    /// Take one; whether there was one.
    fn take(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left > 0
    }
}

/// A solver that ends as interrupted when the ration is used up.
pub(crate) struct Rationed {
    inner: Box<dyn Solver>,
    ration: Ration,
}

impl Rationed {
    pub fn new(inner: Box<dyn Solver>, ration: &Ration) -> Self {
        let ration = ration.clone();
        Self { inner, ration }
    }
}

/// Counts the iterations of a solve.
struct Count<'a> {
    observer: &'a mut dyn Observer,
    ration: &'a Ration,
    first: bool,
}

impl Observer for Count<'_> {
    fn iteration(&mut self, iteration: usize, residual: f64) -> ControlFlow<()> {
        if !std::mem::take(&mut self.first) && !self.ration.take() {
            return ControlFlow::Break(());
        }
        self.observer.iteration(iteration, residual)
    }
}

impl Solver for Rationed {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn model(&self) -> ContactModel {
        self.inner.model()
    }

    fn supports(&self, problem: &Problem) -> Result<(), Unsupported> {
        self.inner.supports(problem)
    }

    fn weights(&self) -> &[f64] {
        self.inner.weights()
    }

    fn met_contradictions(&self) -> bool {
        self.inner.met_contradictions()
    }

    fn yielded(&self) -> &[f64] {
        self.inner.yielded()
    }

    fn own_test(&self) -> Option<bool> {
        self.inner.own_test()
    }

    fn escalations(&self) -> u64 {
        self.inner.escalations()
    }

    fn share(&mut self, plans: &Arc<Plans>) {
        self.inner.share(plans);
    }

    fn set_operator(&mut self, operator: OperatorChoice) {
        self.inner.set_operator(operator);
    }

    fn set_threads(&mut self, threads: usize) {
        self.inner.set_threads(threads);
    }

    fn allow_contradictions(&mut self, distance: f64) {
        self.inner.allow_contradictions(distance);
    }

    fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        let mut count = self.ration.count(observer);
        self.inner.solve(problem, x, &mut count)
    }

    fn resolve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        observer: &mut dyn Observer,
    ) -> SolveReport {
        let mut count = self.ration.count(observer);
        self.inner.resolve(problem, x, &mut count)
    }
}
