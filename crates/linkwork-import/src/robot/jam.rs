//! Shapes that start inside each other and that nothing lets apart.
//!
//! Convex hulls of neighbouring links overlap where the links themselves do not: base and shoulder of an arm, or two
//! links of one that is folded up against its limits. A hard contact asks for a velocity that ends the overlap; where
//! joints and limits allow none, the problem of every step has no solution. Such pairs are told and never touch.
//!
//! Whether a pair can come apart is a linear problem: to end all overlaps r within one second, J_n u ≥ −r, with
//! joints J u = 0 and limits q + u ≥ q_min, without forces. Contacts yield by a small R in it, so that it always has
//! a solution: those that carry R λ more than half of what they ask for are jammed. One of them may jam others, so
//! the worst is taken out first.

use super::apart::{Pair, keep_apart, mechanisms};
use crate::draft::Draft;
use crate::{ImportError, Imported};
use linkwork::math::{Twist, Vec3};
use linkwork::model::{Axis, BodyId, Compliance, Material, Model, ModelData};
use linkwork::rows::RowSource;
use linkwork::{Control, FailurePolicy, Settings, Simulator};
use linkwork_solve::{DEFAULT_SOLVER, Problem, Solution, SolverSettings, solver_by_name};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Overlaps up to this are what contacts leave, m.
const TOUCHING: f64 = 1e-6;
/// R of the contacts times the mass of all bodies: a contact whose lever about a joint is more than a hundredth of
/// the radius of gyration still moves.
const YIELD: f64 = 1e-4;
/// Tolerance of the trial, m/s or N s: only halves of an overlap are told apart.
const TOLERANCE: f64 = 1e-7;
/// R of a contact that is taken out, 1/kg.
const LOOSE: f64 = 1e12;

/// The mechanism of a draft, without contacts that nothing lets apart.
pub(crate) fn build(mut draft: Draft) -> Result<Imported, ImportError> {
    let built = draft.clone().build()?;
    let model = &built.mechanism.model;
    let pairs = jammed(model);
    if pairs.is_empty() {
        return Ok(built);
    }
    let what = "pairs of bodies start inside each other, joints and limits do not let them apart, and they never touch";
    let remedy = "exclude them, or give them smaller collision shapes; with --soft they press against each other";
    let place = draft.place.clone();
    let listed = keep_apart(&mut draft, model, &pairs);
    draft
        .notices
        .warn(&place, format!("{what} {listed}"), remedy);
    draft.build()
}

/// Pairs of bodies that hard contacts of one mechanism cannot push apart at home.
fn jammed(model: &Arc<Model>) -> BTreeSet<Pair> {
    let mut found = BTreeSet::new();
    if !overlaps(model) {
        return found;
    }
    let Some((mut problem, contacts)) = trial(model) else {
        return found;
    };
    let settings = SolverSettings {
        tolerance: TOLERANCE,
        ..SolverSettings::default()
    };
    let Ok(mut solver) = solver_by_name(DEFAULT_SOLVER, settings) else {
        return found;
    };
    loop {
        let mut x = Solution::default();
        solver.solve(&problem, &mut x, &mut ());
        let share = |row: usize| problem.compliance[row] * x.lambda[row] / -problem.v_bias[row];
        let worst = contacts
            .iter()
            .filter(|c| problem.compliance[c.row] < LOOSE && share(c.row) > 0.5)
            .max_by(|a, b| share(a.row).total_cmp(&share(b.row)));
        let Some(Overlap { pair, .. }) = worst.copied() else {
            return found;
        };
        found.insert(pair);
        for contact in contacts.iter().filter(|c| c.pair == pair) {
            problem.compliance[contact.row] = LOOSE;
        }
    }
}

/// A contact point of a hard pair that overlaps, and its row.
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

/// The problem of coming apart, and its contacts that overlap; `None` if it cannot be set up.
fn trial(model: &Model) -> Option<(Problem, Vec<Overlap>)> {
    let mut settings = Settings {
        dt: 1.0,
        failure: FailurePolicy::Accept,
        ..Settings::default()
    };
    settings.solve.tolerance = TOLERANCE;
    settings.closure.enabled = false;
    settings.stabilization.joints = 0.0;
    settings.stabilization.limits = 0.0;
    settings.stabilization.max_depenetration_speed = f64::INFINITY;
    // All limits are rows.
    settings.contact.limit_margin = f64::MAX;
    let bare = bare(model.data()).build().ok()?;
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
        let row = problem.sets.range(k).start;
        let hard = model.surface(key.shape_a, key.shape_b).compliance == Compliance::Rigid;
        let [a, b] = [key.shape_a, key.shape_b].map(|s| model.shapes()[s.index()].body);
        if hard && number(a) == number(b) && problem.v_bias[row] < -TOUCHING {
            let pair = (a.min(b), a.max(b));
            contacts.push(Overlap { pair, row });
        }
    }
    Some((problem, contacts))
}

/// The model at rest, without forces and friction, with contacts that yield.
fn bare(mut data: ModelData) -> ModelData {
    let mass: f64 = data.bodies.iter().map(|b| b.mass).sum();
    let compliance = Compliance::Direct {
        normal: YIELD / mass,
        tangential: 0.0,
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
            friction: 0.0,
            restitution: 0.0,
            compliance,
            priority: 0,
            ..shape.material
        };
    }
    for pair in &mut data.pairs {
        pair.surface.friction = 0.0;
        pair.surface.restitution = 0.0;
        pair.surface.compliance = compliance;
    }
    data
}
