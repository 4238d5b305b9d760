//! Pairs of shapes that overlap from the start and cannot separate.
//!
//! Convex hulls of neighbouring links overlap where the links themselves do not: base and shoulder of an arm, or the
//! wrist and the upper arm of a folded one. A hard contact requires a velocity that ends the overlap. If joints and
//! limits allow none, or friction prevents it, the problem of every step has no solution: no solver converges, and
//! after many iterations the impulses are arbitrary. Such pairs are excluded, with a notice.
//!
//! The trial problem ends all overlaps within a second, J_n u ≥ −v*, with joints J u = 0, limits q + u ≥ q_min and
//! Coulomb friction, from rest and without other forces. The request of a step lies between two cases, and both are
//! tried: v* equal to the depth of the overlaps, and v* equal for all, when the speed of all is bounded
//! (`max_depenetration_speed`). Contacts have a small compliance R, so that there is a solution: those with R λ_n of
//! more than half of v* are jammed. One of them may jam others, so the worst is excluded first.

use super::apart::{Pair, keep_apart, mechanisms};
use crate::draft::Draft;
use crate::{ImportError, Imported};
use linkwork::math::{Twist, Vec3};
use linkwork::model::{Axis, BodyId, Compliance, Material, Model, ModelData};
use linkwork::rows::RowSource;
use linkwork::{Control, FailurePolicy, Settings, Simulator};
use linkwork_solve::{DEFAULT_SOLVER, Problem, Solution, Solver, SolverSettings, solver_by_name};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Overlaps up to this are what contacts leave, m.
const TOUCHING: f64 = 1e-6;
/// R of the contacts times the mass of all bodies: a contact whose lever arm about a joint is more than a thirtieth of
/// the radius of gyration still moves.
const YIELD: f64 = 1e-3;
/// Tolerance of the trial: only halves of an overlap must be distinguished.
const EFFORT: SolverSettings = SolverSettings {
    tolerance: 1e-7,
    max_iterations: 200,
};
/// Number of pairs that are excluded one by one; then all jammed pairs at once, so that the work is bounded.
const MAX_ROUNDS: usize = 32;
/// R of a contact that is taken out, 1/kg.
const LOOSE: f64 = 1e12;

/// Removes contacts that cannot separate from the mechanism of a draft.
pub(crate) fn build(mut draft: Draft) -> Result<Imported, ImportError> {
    let built = draft.clone().build()?;
    let model = &built.model;
    let pairs = jammed(model);
    if pairs.is_empty() {
        return Ok(built);
    }
    let what = "pairs of bodies start inside each other, joints, limits and friction do not let them apart, and they never touch";
    let remedy = "exclude them, or give them smaller collision shapes; with --soft they press against each other";
    let place = draft.place.clone();
    let listed = keep_apart(&mut draft, model, &pairs);
    draft
        .notices
        .warn(&place, format!("{what} {listed}"), remedy);
    draft.build()
}

/// Pairs of bodies of one mechanism that hard contacts cannot separate in the home pose.
fn jammed(model: &Arc<Model>) -> BTreeSet<Pair> {
    let mut found = BTreeSet::new();
    if !overlaps(model) {
        return found;
    }
    let Some((mut problem, contacts)) = trial(model) else {
        return found;
    };
    let Ok(mut solver) = solver_by_name(DEFAULT_SOLVER, EFFORT) else {
        return found;
    };
    let deepest = contacts
        .iter()
        .fold(0.0, |d: f64, c| d.max(-problem.v_bias[c.row]));
    for alike in [false, true] {
        if alike {
            for contact in &contacts {
                problem.v_bias[contact.row] = -deepest;
            }
        }
        for round in 0.. {
            let mut pairs = jammed_pairs(solver.as_mut(), &problem, &contacts);
            if pairs.is_empty() {
                break;
            }
            if round < MAX_ROUNDS {
                pairs.truncate(1);
            }
            for pair in pairs {
                found.insert(pair);
                for contact in contacts.iter().filter(|c| c.pair == pair) {
                    problem.compliance[contact.row] = LOOSE;
                }
            }
        }
    }
    found
}

/// The pairs that are jammed, the worst first.
fn jammed_pairs(solver: &mut dyn Solver, problem: &Problem, contacts: &[Overlap]) -> Vec<Pair> {
    let mut x = Solution::default();
    solver.solve(problem, &mut x, &mut ());
    let share = |row: usize| problem.compliance[row] * x.lambda[row] / -problem.v_bias[row];
    let mut jammed: Vec<_> = contacts
        .iter()
        .filter(|c| problem.compliance[c.row] < LOOSE && share(c.row) > 0.5)
        .collect();
    // The last of those jammed alike comes first.
    jammed.reverse();
    jammed.sort_by(|a, b| share(b.row).total_cmp(&share(a.row)));
    jammed.iter().map(|c| c.pair).collect()
}

/// A contact point of a hard pair that overlaps, and its normal row.
#[derive(Clone, Copy)]
struct Overlap {
    pair: Pair,
    row: usize,
}

/// Whether any two shapes start inside each other.
fn overlaps(model: &Arc<Model>) -> bool {
    let Ok(mut simulator) = Simulator::new(model.clone(), Settings::default()) else {
        return false;
    };
    let contacts = simulator.detect_contacts();
    contacts.iter().any(|c| c.gap < -TOUCHING)
}

/// The trial problem, and its overlapping contacts; `None` if it cannot be set up.
fn trial(model: &Model) -> Option<(Problem, Vec<Overlap>)> {
    let mut settings = Settings::with(|s| {
        s.dt = 1.0;
        s.solve = EFFORT;
        s.failure = FailurePolicy::Accept;
    });
    settings.closure.enabled = false;
    settings.stabilization.joints = 0.0;
    settings.stabilization.limits = 0.0;
    settings.stabilization.max_depenetration_speed = f64::INFINITY;
    // All limits are rows.
    settings.contact.limit_margin = f64::MAX;
    let bare = bare(model.data().clone()).build().ok()?;
    let mut simulator = Simulator::new(bare, settings).ok()?;
    simulator.step(&Control::new(model)).ok()?;
    let problem = simulator.problem().clone();
    let mechanism = mechanisms(model);
    let number = |body: Option<BodyId>| body.map_or(0, |b| mechanism[b.index()]);
    let mut contacts = Vec::new();
    for (k, source) in simulator.row_sources().iter().enumerate() {
        let RowSource::Contact(key) = source else {
            continue;
        };
        // The normal row is the last.
        let row = problem.sets.range(k).end - 1;
        let hard = model.surface(key.shape_a, key.shape_b).compliance == Compliance::Rigid;
        let [a, b] = [key.shape_a, key.shape_b].map(|s| model.shapes()[s.index()].body);
        if hard && number(a) == number(b) && problem.v_bias[row] < -TOUCHING {
            let pair = (a.min(b), a.max(b));
            contacts.push(Overlap { pair, row });
        }
    }
    Some((problem, contacts))
}

/// The model at rest, without forces, with contacts that yield.
fn bare(mut data: ModelData) -> ModelData {
    let mass: f64 = data.bodies.iter().map(|b| b.mass).sum();
    let compliance = Compliance::Direct {
        normal: YIELD / mass,
        tangential: YIELD / mass,
    };
    data.gravity = Vec3::zeros();
    for body in &mut data.bodies {
        body.twist = Twist::zero();
    }
    let limits = |axis: &mut Axis| {
        *axis = Axis {
            limits: axis.limits,
            ..Axis::default()
        };
    };
    data.joints
        .iter_mut()
        .flat_map(|j| &mut j.axes)
        .for_each(limits);
    data.tendons.iter_mut().for_each(|t| limits(&mut t.axis));
    for shape in &mut data.shapes {
        shape.material = Material {
            restitution: 0.0,
            compliance,
            ..shape.material
        };
    }
    for pair in &mut data.pairs {
        pair.surface.restitution = 0.0;
        pair.surface.compliance = compliance;
    }
    data
}
