//! Reactions that redundant joints leave open.

use super::{MAX_PASSES, PROXIMAL};
use crate::delassus::{AnyDelassus, Delassus};
use crate::problem::{Operator, Problem};
use crate::residuals::max_abs;

/// The impulse of minimum (weighted) norm with the same effect Jᵀλ as `lambda`, for a problem with free rows only, used
/// for reactions that redundant joints do not determine.
///
/// Solves D μ = D λ from 0 with the filter D (D + ε)⁻¹ on every residual, so that round-off outside the range of D is
/// not amplified by 1/ε.
pub fn minimum_norm(problem: &Problem, lambda: &mut [f64]) {
    let n = problem.rows();
    let mut rigid = problem.clone();
    rigid.compliance.fill(0.0);
    rigid.v_bias.fill(0.0);
    if let Operator::Bodies { u_free, .. } = &mut rigid.operator {
        u_free.fill(0.0);
    }
    if let Operator::Delassus { v_free, .. } = &mut rigid.operator {
        v_free.fill(0.0);
    }
    let mut weights = Vec::new();
    rigid.block_weights(&mut weights);
    let mut shift = Vec::with_capacity(n);
    for ((_, rows), w) in rigid.sets.iter().zip(&weights) {
        shift.extend(rows.map(|_| PROXIMAL * w));
    }
    let mut operator = AnyDelassus::default();
    if operator.factor(&rigid, &shift).is_err() {
        return;
    }
    let (mut residual, mut delta, mut scratch) = (Vec::new(), vec![0.0; n], Vec::new());
    let mut answer = vec![0.0; n];
    let mut difference = lambda.to_vec();
    let mut least = f64::INFINITY;
    for _ in 0..MAX_PASSES {
        // residual = D (λ − μ), free of any null-space part up to round-off.
        rigid.sigma(&difference, &mut residual, &mut scratch);
        let size = max_abs(&residual);
        if size == 0.0 || size > 0.3 * least {
            break;
        }
        least = size;
        operator.solve(&rigid, &residual, &mut delta);
        for i in 0..n {
            answer[i] += delta[i];
            difference[i] = lambda[i] - answer[i];
        }
    }
    lambda.copy_from_slice(&answer);
}
