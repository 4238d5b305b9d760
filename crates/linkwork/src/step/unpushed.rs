//! Overlaps are pushed apart without throwing what they push.
//!
//! An overlap is removed by a velocity, which would stay with the bodies. Where a push is faster than gravity takes back within the step, and contacts
//! and limits of the step give energy, only the poses move with it: the velocities are those of the same problem without pushes, in which
//! contacts only take energy. A mechanism close to a singular pose needs huge impulses for a small push (mechanism 195 of seed 2 at 5 ms:
//! ten times its energy in one step).

use crate::report::StepReport;
use crate::simulator::Simulator;
use linkwork_solve::Solution;

/// The problem of a step solved again without pushes.
#[derive(Default)]
pub(crate) struct Unpushed {
    /// Its answer.
    solution: Solution,
    /// v* of the pushed rows, m/s.
    pushes: Vec<f64>,
    /// Whether the step goes on with its velocities.
    is_used: bool,
}

impl Simulator {
    /// The answer whose velocities the bodies keep.
    pub(super) fn kept(&self) -> &Solution {
        if self.unpushed.is_used {
            &self.unpushed.solution
        } else {
            &self.solution
        }
    }

    /// Find the velocities without pushes if these feed the mechanism.
    pub(super) fn leave_pushes(&mut self, report: &mut StepReport) {
        self.unpushed.is_used = false;
        if self.stage.plan.ends_pushes()
            || self.rows.pushed.is_empty()
            || !report.status.is_solved()
            || !self.impacts_give(&report.work)
        {
            return;
        }
        let Unpushed {
            solution, pushes, ..
        } = &mut self.unpushed;
        let rows = &mut self.rows;
        let row_of = |sets: &linkwork_solve::ImpulseSets, block: usize| sets.range(block).end - 1;
        pushes.clear();
        for push in &rows.pushed {
            let row = row_of(&rows.problem.sets, push.block);
            pushes.push(rows.problem.v_bias[row]);
            rows.problem.v_bias[row] = -push.leaves;
        }
        solution.clone_from(&self.solution);
        let solve = self.solver.resolve(&rows.problem, solution, &mut ());
        for (push, bias) in rows.pushed.iter().zip(pushes) {
            let row = row_of(&rows.problem.sets, push.block);
            rows.problem.v_bias[row] = *bias;
        }
        report.iterations += solve.iterations;
        report.factorizations += solve.factorizations;
        let (mass, ..) = rows.bodies();
        let kinetic = |u: &[f64]| 0.5 * mass.product(u, u);
        let taken = kinetic(&self.solution.u_plus) - kinetic(&self.unpushed.solution.u_plus);
        // Without a solution, or with one that leaves more, the pushes stay.
        if solve.status.is_solved() && taken > 0.0 {
            self.unpushed.is_used = true;
            report.work.contacts -= taken;
            self.measure.solved -= taken;
        }
    }
}
