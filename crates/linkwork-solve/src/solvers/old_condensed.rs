//! A problem without its joints: what contacts, limits and friction feel once every free row holds.
//!
//! With F the free rows and C the others, σ_F = 0 gives λ_F for any λ_C, and what remains is a problem on
//! C alone with the Schur complement S = D_CC − D_CF D_FF⁺ D_FC. Proximal methods crawl along directions
//! in which the whole D is softer than their δ, as where light links of a loop press on each other
//! (condition 1e11 and more); S is small and has none of these, for they are eliminated by the direct
//! method, which knows how to refine them. It costs a back substitution a row of C, and is for where
//! everything cheaper has stalled.
//!
//! Column c of S is J_C u, with u = M⁻¹J_Cᵀ e_c projected on the velocities that F allows.

use super::direct::DirectCore;
use crate::blocks::SparseSym;
use crate::problem::{Operator, Problem, Solution, SolveReport, Status};
use crate::sets::ImpulseSets;

/// More rows than this are not condensed: S is dense.
const MOST_ROWS: usize = 300;
/// How exactly the joints are closed for a velocity of about 1. What is left is an error of S, which vanishes
/// with the changes of λ_C; asking for more sends redundant joints into conjugate gradients, column by column.
const CLOSED: f64 = 1e-11;

/// The condensed problem, and what it takes to go back.
#[derive(Default)]
pub(super) struct Condensed {
    /// On the rows C, with D = S.
    pub problem: Option<Problem>,
    joints: DirectCore,
    /// The problem on F alone and its answer.
    free: Option<Problem>,
    answer: Solution,
    impulse: Vec<f64>,
}

impl Condensed {
    /// Eliminate the free rows of `problem`; `None` where that is not possible or not worth while.
    pub fn make(&mut self, problem: &Problem) -> Option<()> {
        self.problem = None;
        let rows = rows(problem, false);
        if rows.is_empty() || rows.len() > MOST_ROWS || rows.len() == problem.rows() {
            return None;
        }
        self.free = Some(free_part(problem)?);
        self.at_rest(problem);
        self.close(CLOSED, true)?;
        let mut weights = Vec::new();
        problem.block_weights(&mut weights);
        let mut triplets = Vec::with_capacity(rows.len() * rows.len());
        let mut image = vec![0.0; problem.rows()];
        let mut first = 0;
        for (k, (_, range)) in problem.sets.iter().enumerate() {
            if problem.sets.set(k).is_free() {
                continue;
            }
            for row in range {
                // So large that velocities are about 1.
                self.push(problem, row, 1.0 / weights[k]);
                self.close(CLOSED, false)?;
                let Operator::Bodies { jacobian, .. } = &problem.operator else {
                    return None;
                };
                jacobian.multiply(&self.answer.u_plus, &mut image);
                let column = rows.iter().enumerate();
                triplets.extend(column.map(|(i, &r)| (i, first, image[r] * weights[k])));
                first += 1;
            }
        }
        let (matrix, _) = SparseSym::from_triplets(rows.len(), &triplets);
        let mut sets = ImpulseSets::new();
        let constrained = problem.sets.iter().filter(|(set, _)| !set.is_free());
        constrained.for_each(|(set, _)| sets.push(set));
        self.problem = Some(Problem {
            dt: problem.dt,
            v_bias: vec![0.0; rows.len()],
            compliance: rows.iter().map(|&r| problem.compliance[r]).collect(),
            operator: Operator::Delassus {
                matrix,
                v_free: vec![0.0; rows.len()],
            },
            sets,
        });
        Some(())
    }

    /// Close the joints for the impulses of `x` on C, put theirs in `x`, and make the condensed problem
    /// say exactly what C feels there: errors of S then vanish with the change of λ_C.
    pub fn centre(&mut self, problem: &Problem, x: &mut Solution, tolerance: f64) -> Option<()> {
        let (constrained, joints) = (rows(problem, false), rows(problem, true));
        for &row in &joints {
            x.lambda[row] = 0.0;
        }
        let free = self.free.as_mut()?;
        let Operator::Bodies { u_free, .. } = &mut free.operator else {
            return None;
        };
        problem.velocity(&x.lambda, u_free, &mut self.impulse);
        for (bias, &row) in free.v_bias.iter_mut().zip(&joints) {
            *bias = problem.v_bias[row];
        }
        self.close(tolerance, false)?;
        for (lambda, &row) in self.answer.lambda.iter().zip(&joints) {
            x.lambda[row] = *lambda;
        }
        problem.sigma(&x.lambda, &mut x.sigma, &mut self.impulse);
        let condensed = self.problem.as_mut()?;
        let Operator::Delassus { matrix, v_free } = &mut condensed.operator else {
            return None;
        };
        let lambda: Vec<f64> = constrained.iter().map(|&r| x.lambda[r]).collect();
        matrix.multiply(&lambda, v_free);
        for (i, &row) in constrained.iter().enumerate() {
            let own = v_free[i] + problem.compliance[row] * lambda[i];
            v_free[i] = x.sigma[row] - own;
        }
        Some(())
    }

    /// No free motion and nothing to make up for.
    fn at_rest(&mut self, problem: &Problem) {
        let Some(free) = &mut self.free else { return };
        free.v_bias.fill(0.0);
        if let Operator::Bodies { u_free, .. } = &mut free.operator {
            u_free.clear();
            u_free.resize(6 * problem.bodies(), 0.0);
        }
    }

    /// The free motion of an impulse on one row.
    fn push(&mut self, problem: &Problem, row: usize, size: f64) {
        let mut lambda = vec![0.0; problem.rows()];
        lambda[row] = size;
        let Operator::Bodies { mass, jacobian, .. } = &problem.operator else {
            return;
        };
        self.impulse.resize(6 * jacobian.bodies(), 0.0);
        jacobian.multiply_transposed(&lambda, &mut self.impulse);
        if let Some(Problem {
            operator: Operator::Bodies { u_free, .. },
            ..
        }) = &mut self.free
        {
            mass.solve(&self.impulse, u_free);
        }
    }

    /// Solve the free rows, from zero; `None` if that fails altogether. What it leaves open is seen in the
    /// grade of the whole.
    fn close(&mut self, tolerance: f64, factor: bool) -> Option<SolveReport> {
        let free = self.free.as_ref()?;
        let report = if factor {
            self.joints.solve(free, &mut self.answer, tolerance)
        } else {
            self.answer.lambda.fill(0.0);
            free.velocity(
                &self.answer.lambda,
                &mut self.answer.u_plus,
                &mut self.impulse,
            );
            self.joints.resolve(free, &mut self.answer, tolerance)
        };
        (report.status != Status::NumericalFailure).then_some(report)
    }
}

/// Rows of sets that are free, or of those that are not.
pub(super) fn rows(problem: &Problem, free: bool) -> Vec<usize> {
    let sets = problem.sets.iter().filter(|(set, _)| set.is_free() == free);
    sets.flat_map(|(_, rows)| rows).collect()
}

/// The problem with its free rows alone; `None` where J is not known.
fn free_part(problem: &Problem) -> Option<Problem> {
    let Operator::Bodies { mass, jacobian, .. } = &problem.operator else {
        return None;
    };
    let mut part = Problem::for_bodies(problem.dt);
    let mut kept = crate::blocks::BlockCsr6::new(jacobian.bodies());
    for (k, (set, range)) in problem.sets.iter().enumerate() {
        if !set.is_free() {
            continue;
        }
        kept.push_block(set.dim());
        for entry in jacobian.entries_of(k) {
            kept.push_entry(entry.body, jacobian.values_of(entry, set.dim()));
        }
        part.sets.push(set);
        part.compliance
            .extend_from_slice(&problem.compliance[range]);
    }
    part.v_bias.resize(part.compliance.len(), 0.0);
    part.operator = Operator::Bodies {
        mass: mass.clone(),
        jacobian: kept,
        u_free: Vec::new(),
    };
    Some(part)
}
