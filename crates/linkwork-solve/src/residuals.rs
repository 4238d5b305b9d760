//! Every measure of how well λ solves a problem [math.md §2, §6]. Computed from M and J (or D), never
//! from solver internals: no solver grades itself.

use crate::problem::{Operator, Problem, Solution};
use crate::sets::{ImpulseSet, MAX_DIM};
use serde::{Deserialize, Serialize};

/// Whether the De Saxcé shift Γ is part of the law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactModel {
    /// Signorini-Coulomb: K* ∋ σ + Γ(σ) ⟂ λ ∈ K.
    Ncp,
    /// The convex relaxation Γ ≡ 0: a sliding contact separates with speed μ‖σ_T‖.
    Ccp,
}

/// Residuals of a λ; all are ∞-norms, zero exactly at solutions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Residuals {
    /// Natural map with unit step, F = λ − P_K(λ − σ − Γ); mixes units.
    pub natural_unit: f64,
    /// Scaled natural map F_k = λ_k − P_K(λ_k − s_k (σ_k + Γ_k)), s_k = dim/tr(D_kk + R_kk); N s.
    pub natural_scaled: f64,
    /// The same as a velocity, max |F_k|/s_k; m/s.
    pub natural_velocity: f64,
    /// ‖(σ+Γ) − P_K*(σ+Γ)‖ on cones; m/s.
    pub dual: f64,
    /// max |λ_kᵀ(σ+Γ)_k| on cones; J.
    pub complementarity: f64,
    /// ‖M (u⁺ − u_f) − Jᵀ λ‖ of the solution's own u⁺; N s. 0 where only D is known.
    pub momentum: f64,
}

impl Residuals {
    /// Whether the scaled natural map meets `tolerance` both as an impulse (N s) and as a velocity (m/s), so that the
    /// test applies to heavy and light bodies. False if any residual is NaN.
    pub fn meets(&self, tolerance: f64) -> bool {
        !self.has_nan() && self.scaled() <= tolerance
    }

    pub(crate) fn has_nan(&self) -> bool {
        let Self {
            natural_unit,
            natural_scaled,
            natural_velocity,
            dual,
            complementarity,
            momentum,
        } = *self;
        has_nan(&[
            natural_unit,
            natural_scaled,
            natural_velocity,
            dual,
            complementarity,
            momentum,
        ])
    }

    /// Residuals of an answer that is not finite.
    pub(crate) const BROKEN: Self = Self {
        natural_unit: f64::NAN,
        natural_scaled: f64::NAN,
        natural_velocity: f64::NAN,
        dual: f64::NAN,
        complementarity: f64::NAN,
        momentum: f64::NAN,
    };

    /// Adds a row of a Free block of weight w to the maxima: P is the identity, F = σ at unit step, σ/w scaled.
    pub(crate) fn add_free_row(&mut self, sigma: f64, w: f64) {
        let v = sigma.abs();
        raise(&mut self.natural_unit, v);
        raise(&mut self.natural_velocity, v);
        raise(&mut self.natural_scaled, v / w);
        raise(&mut self.dual, v);
    }

    /// Adds a block that is not Free to the maxima.
    #[inline]
    fn add_block<const N: usize>(
        &mut self,
        set: ImpulseSet,
        l: [f64; N],
        s: [f64; N],
        w: f64,
        model: ContactModel,
    ) {
        let mut velocity = s;
        if model == ContactModel::Ncp {
            velocity[N - 1] += set.desaxce_shift(&s);
        }
        raise(&mut self.natural_unit, moved(set, &l, &velocity, 1.0));
        // The resolution of λ − P(…) counts as residual: an impulse that has grown to 1e16 has not converged just
        // because the velocity is lost in its round-off.
        let scaled = moved(set, &l, &velocity, 1.0 / w) + f64::EPSILON * max_abs(&l);
        raise(&mut self.natural_scaled, scaled);
        raise(&mut self.natural_velocity, scaled * w);
        if set.is_cone() {
            let work: f64 = l.iter().zip(&velocity).map(|(l, v)| l * v).sum();
            raise(&mut self.complementarity, work.abs());
            let mut point = velocity;
            set.project_dual(&mut point);
            for (v, p) in velocity.iter().zip(&point) {
                raise(&mut self.dual, (v - p).abs());
            }
        }
    }

    /// The larger of the scaled natural map as impulse and as velocity.
    pub fn scaled(&self) -> f64 {
        larger(self.natural_scaled, self.natural_velocity)
    }
}

/// Buffers of a residual computation, reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct ResidualBuffers {
    sigma: Vec<f64>,
    scratch: Vec<f64>,
    u: Vec<f64>,
    weights: Vec<f64>,
}

/// Residuals of `x` under `model`.
pub fn residuals(problem: &Problem, x: &Solution, model: ContactModel) -> Residuals {
    residuals_with(problem, x, model, &mut ResidualBuffers::default())
}

/// [`residuals`] without allocation once `buffers` have grown.
pub fn residuals_with(
    problem: &Problem,
    x: &Solution,
    model: ContactModel,
    buffers: &mut ResidualBuffers,
) -> Residuals {
    let mut weights = std::mem::take(&mut buffers.weights);
    problem.block_weights(&mut weights);
    let r = residuals_weighted(problem, x, model, &weights, buffers);
    buffers.weights = weights;
    r
}

/// [`residuals_with`] where [`Problem::block_weights`] are known.
pub fn residuals_weighted(
    problem: &Problem,
    x: &Solution,
    model: ContactModel,
    weights: &[f64],
    buffers: &mut ResidualBuffers,
) -> Residuals {
    let ResidualBuffers {
        sigma, scratch, u, ..
    } = buffers;
    // A row that acts on nothing movable would hide its NaN from σ(λ), and σ of the answer is not read below.
    if has_nan(&x.lambda) || has_nan(&x.sigma) || has_nan(&x.u_plus) {
        return Residuals::BROKEN;
    }
    problem.velocity(&x.lambda, u, scratch);
    problem.sigma_at(&x.lambda, u, sigma);
    let mut r = natural_map(problem, &x.lambda, sigma, weights, model);
    r.momentum = momentum(problem, x, u);
    r
}

/// The natural map with the single step 1/s, s = mean diag(D + R), as a velocity relative to q = v_f + v*: s |λ − P_K(λ
/// − (σ + Γ)/s)|∞ / |q|∞, the measure of the FCLIB comparisons. No unit.
pub fn relative_residual(problem: &Problem, lambda: &[f64], model: ContactModel) -> f64 {
    let mut sigma = Vec::new();
    problem.sigma(lambda, &mut sigma, &mut Vec::new());
    let s = problem.mean_diagonal();
    let weights = vec![s; problem.sets.len()];
    let map = natural_map(problem, lambda, &sigma, &weights, model);
    let q = max_abs(&problem.free_velocity());
    map.natural_velocity / q.max(f64::MIN_POSITIVE)
}

/// The natural-map, dual and complementarity residuals for given σ(λ) and block weights.
pub(crate) fn natural_map(
    problem: &Problem,
    lambda: &[f64],
    sigma: &[f64],
    weights: &[f64],
    model: ContactModel,
) -> Residuals {
    let mut r = Residuals::default();
    for ((set, rows), &w) in problem.sets.iter().zip(weights) {
        let (l, s) = (&lambda[rows.clone()], &sigma[rows]);
        if set.is_free() {
            r.add_free_row(max_abs(s), w);
            continue;
        }
        // With lengths known at compile time, loops are unrolled.
        match l.len() {
            1 => r.add_block::<1>(set, array(l), array(s), w, model),
            2 => r.add_block::<2>(set, array(l), array(s), w, model),
            3 => r.add_block::<3>(set, array(l), array(s), w, model),
            4 => r.add_block::<4>(set, array(l), array(s), w, model),
            5 => r.add_block::<5>(set, array(l), array(s), w, model),
            _ => r.add_block::<MAX_DIM>(set, array(l), array(s), w, model),
        }
    }
    r
}

/// The values of a block.
#[inline]
fn array<const N: usize>(x: &[f64]) -> [f64; N] {
    x.try_into().expect("a set has 1 to MAX_DIM rows")
}

/// |λ − P(λ − scale v)|∞.
#[inline]
fn moved<const N: usize>(set: ImpulseSet, l: &[f64; N], v: &[f64; N], scale: f64) -> f64 {
    let mut point = *l;
    for (p, v) in point.iter_mut().zip(v) {
        *p -= scale * v;
    }
    set.project(&mut point);
    let difference = l.iter().zip(&point).map(|(l, p)| (l - p).abs());
    difference.fold(0.0, larger)
}

/// ‖M (u⁺ − u)‖ for the u of λ.
fn momentum(problem: &Problem, x: &Solution, u: &mut [f64]) -> f64 {
    let Operator::Bodies { mass, .. } = &problem.operator else {
        return 0.0;
    };
    if x.u_plus.len() != u.len() {
        return 0.0;
    }
    for (u, own) in u.iter_mut().zip(&x.u_plus) {
        *u = own - *u;
    }
    mass.greatest_momentum(u)
}

/// max(a, b) that keeps a NaN, so that an invalid result never looks perfect; `f64::max` drops it.
#[inline]
pub fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// a = [`larger`] of both: the maximum that all statistics of the code base use.
#[inline]
pub fn raise(a: &mut f64, b: f64) {
    *a = larger(*a, b);
}

fn has_nan(x: &[f64]) -> bool {
    x.iter().any(|x| x.is_nan())
}

/// ∞-norm that keeps a NaN.
#[inline]
pub(crate) fn max_abs(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |a, x| larger(a, x.abs()))
}
