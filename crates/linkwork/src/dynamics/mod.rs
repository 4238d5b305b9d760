//! Forward dynamics as a direct query: the accelerations of a state, without a step.
//!
//! With M, J and u as in a step [math.md §1], f the explicit forces at the state and I_a the armatures, each along a
//! row j,
//!
//! (M + Σ jᵀ I_a j) a − Jᵀλ = f − Σ jᵀ I_a (j̇u),   J a = −J̇u,
//!
//! solved directly: the limit of a step, per unit of time, as dt → 0. Loops and couplings are rows like those of any
//! joint, including redundant ones. Springs, dampers and drives, which are implicit in time in a step [math.md §3],
//! enter f explicitly, with drives within their effort limits.
//!
//! **Not included** are elements that are not a function of the state alone: limits, dry friction and contacts. Soft
//! joints and couplings are treated as hard. Those that act at the state are listed in [`Accelerations::left_out`].
//!
//! ```
//! use linkwork::dynamics::accelerations;
//! use linkwork::math::{MassProperties, Vec3};
//! use linkwork::model::{BodyDef, JointDef, ModelBuilder};
//! use linkwork::Control;
//!
//! // A horizontal rod of 1 m is released: its hinge accelerates at 3g/2l and carries a quarter of its weight.
//! let mut b = ModelBuilder::new();
//! let rod = MassProperties::principal(2.0, Vec3::new(1e-9, 2.0 / 12.0, 2.0 / 12.0));
//! let rod = b.add_body(BodyDef::new("rod", rod).at(0.5, 0.0, 0.0));
//! b.add_joint(JointDef::revolute("hinge", None, rod).axis(0.0, 1.0, 0.0));
//! let model = b.build()?;
//!
//! let found = accelerations(&model, &model.initial_state(), &Control::new(&model))?;
//! let g = -model.gravity().z;
//! assert!((found.coordinates[0] - 1.5 * g).abs() < 1e-9);
//! assert!((found.reactions[0].force.z - 0.25 * 2.0 * g).abs() < 1e-9);
//! assert!(found.residual < 1e-9 && found.left_out.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bend;
mod forces;
mod found;
mod gauss;
mod left_out;
mod pivoted;

pub(crate) use pivoted::PivotedQr;

pub use found::{Accelerations, BodyAcceleration, DynamicsError};

use crate::control::Control;
use crate::locked::{Locked, Metric};
use crate::math::{Pose, Twist};
use crate::model::{Body, Model};
use crate::reactions::reactions_of;
use crate::rows::{Along, Rows};
use crate::setup::check_state;
use crate::state::State;
pub(crate) use bend::Bend;
use gauss::MassRoot;
use linkwork_solve::{ImpulseSet, Problem};

/// The accelerations of `state` under `control`, and the corresponding joint reactions.
///
/// The twists are the velocities at the time of the poses. The state should be assembled, with velocities that its
/// joints allow. Costs a dense factorisation of every connected part, cubic in its rows: about 15 ms for a humanoid of
/// 45 bodies.
///
/// # Errors
///
/// A state or control that does not fit the model, an inertia that is singular to round-off, or numbers that are not
/// finite.
pub fn accelerations(
    model: &Model,
    state: &State,
    control: &Control,
) -> Result<Accelerations, DynamicsError> {
    check_state(model, state)?;
    control.check(model)?;
    let mut rows = Rows::default();
    Locked::new(model).make(state, Metric::Mass, &mut rows);
    let position_error = largest(&rows.problem.v_bias);
    let velocity_error = largest(&rates(&rows));

    rows.problem.v_bias = locked_bends(&mut rows, model, state);
    rows.bend_paths(model, state, &model.layout().paths);
    let free = forces::free_accelerations(&rows, model, state, control);
    *rows.bodies_mut().2 = free;
    let locked = rows.problem.rows();
    push_armatures(&mut rows, model);
    let armatures = rows.problem.rows() - locked;
    let solved = gauss::constrain(&rows.problem, &mass_roots(model, state)?);

    let bodies = found::of_bodies(model, &solved.accelerations)?;
    let coordinates = found::of_coordinates(&rows, model, &bodies)?;
    let residual = largest(&residuals(&rows, &solved));
    let unbalanced = largest(&unbalanced(&rows, &solved));
    if !residual.is_finite() || !unbalanced.is_finite() {
        return Err(DynamicsError::NotFinite("a joint's rows".to_owned()));
    }
    let joints = locked - model.couplings().len();
    Ok(Accelerations {
        tendons: found::of_tendons(&rows, model, &bodies, &coordinates),
        reactions: reactions_of(
            model,
            &rows,
            rows.bodies().1,
            (&solved.lambda, rows.problem.dt),
        ),
        couplings: solved.lambda[joints..locked].to_vec(),
        rows: locked,
        // An armature's row is never redundant, because its rotor is its own.
        rank: solved.rank.saturating_sub(armatures),
        weakest: solved.weakest,
        residual,
        unbalanced,
        position_error,
        velocity_error,
        left_out: left_out::left_out(model, state, &rows),
        bodies,
        coordinates,
    })
}

/// Distributes the impulses `lambda` of rigid free rows among dependent rows, with the same effect on every body;
/// nothing changes if an inertia is singular to round-off.
pub(crate) fn share_loads(model: &Model, state: &State, problem: &Problem, lambda: &mut [f64]) {
    if let Ok(roots) = mass_roots(model, state) {
        gauss::share(problem, &roots, lambda);
    }
}

/// λ of rigid free rows for which u_f + M⁻¹Jᵀλ is minimal in the metric of M; of minimum norm for dependent rows.
pub(crate) fn explain_freely(
    model: &Model,
    state: &State,
    problem: &Problem,
) -> Result<Vec<f64>, DynamicsError> {
    let roots = mass_roots(model, state)?;
    Ok(gauss::constrain(problem, &roots).lambda)
}

/// Whether the impulse of each rigid row, free or not, follows from Jᵀλ alone; only evaluated in parts with a free row.
pub(crate) fn determined_rows(
    model: &Model,
    state: &State,
    problem: &Problem,
) -> Result<Vec<bool>, DynamicsError> {
    let roots = mass_roots(model, state)?;
    Ok(gauss::determined(problem, &roots))
}

fn mass_roots(model: &Model, state: &State) -> Result<Vec<MassRoot>, DynamicsError> {
    let bodies = model.bodies().iter().zip(&state.poses);
    let root = |(body, pose): (&Body, &Pose)| {
        let singular = || DynamicsError::Inertia(body.name.clone());
        MassRoot::of(body, pose.rotation).ok_or_else(singular)
    };
    bodies.map(root).collect()
}

/// J̇u of the rows of joints and couplings; that of coordinates is stored in the kinematics of `rows`.
fn locked_bends(rows: &mut Rows, model: &Model, state: &State) -> Vec<f64> {
    let mut bends = Vec::with_capacity(rows.problem.rows());
    for (joint, kinematics) in model.joints().iter().zip(&mut rows.kinematics) {
        let end = joint.first_coordinate + joint.axes.len();
        let turns = &state.coordinates[joint.first_coordinate..end];
        let base = joint
            .base
            .map_or(Twist::zero(), |b| state.twists[b.index()]);
        let twists = (&base, &state.twists[joint.follower.index()]);
        let bend = Bend::of(&*joint.kind, &kinematics.place, turns, twists);
        kinematics.bend = bend.coordinates;
        bends.extend_from_slice(&bend.locked[..joint.kind.locked().len()]);
    }
    // Σ gᵢ(qᵢ): g″ q̇² + g′ (J̇u)ᵢ.
    bends.extend(model.couplings().iter().map(|coupling| {
        let terms = coupling.terms.iter().map(|term| {
            let (joint, c) = (term.joint, term.coordinate);
            let q = rows.coordinate(joint, c);
            let rate = rows.coordinate_velocity(model, joint, c);
            let bend = rows.kinematics[joint.index()].bend[c];
            term.curvature(q) * rate * rate + term.slope(q) * bend
        });
        terms.sum::<f64>()
    }));
    bends
}

/// An armature is a rotor of inertia I_a geared to its coordinate or tendon: j a + λ/I_a = −j̇u.
fn push_armatures(rows: &mut Rows, model: &Model) {
    for (along, axis) in Along::all(model).filter(|(_, axis)| axis.armature > 0.0) {
        let terms = along.terms(model);
        let bend = terms.map(|(j, c, factor)| factor * rows.kinematics[j.index()].bend[c]);
        let path = rows.path(along).map_or(0.0, |p| p.bend);
        let row = (bend.sum::<f64>() + path, 1.0 / axis.armature);
        let set = ImpulseSet::Free { dim: 1 };
        rows.push_along(model, along, 1.0, set, row, along.passive());
    }
}

/// J u.
fn rates(rows: &Rows) -> Vec<f64> {
    let mut rates = vec![0.0; rows.problem.rows()];
    rows.bodies().1.multiply(&rows.u_minus, &mut rates);
    rates
}

/// J a + R λ + J̇u.
fn residuals(rows: &Rows, solved: &gauss::Constrained) -> Vec<f64> {
    let mut residuals = vec![0.0; rows.problem.rows()];
    let jacobian = rows.bodies().1;
    jacobian.multiply(&solved.accelerations, &mut residuals);
    for (i, r) in residuals.iter_mut().enumerate() {
        *r += rows.problem.compliance[i] * solved.lambda[i] + rows.problem.v_bias[i];
    }
    residuals
}

/// M (a − a_f) − Jᵀλ.
fn unbalanced(rows: &Rows, solved: &gauss::Constrained) -> Vec<f64> {
    let (mass, jacobian, free) = rows.bodies();
    let changes = solved.accelerations.iter().zip(free);
    let change: Vec<f64> = changes.map(|(a, free)| a - free).collect();
    let mut used = vec![0.0; change.len()];
    let mut given = used.clone();
    mass.multiply(&change, &mut used);
    jacobian.multiply_transposed(&solved.lambda, &mut given);
    used.iter().zip(given).map(|(u, g)| u - g).collect()
}

/// The largest absolute value; NaN if there is one.
fn largest(values: &[f64]) -> f64 {
    let larger = |m: f64, x: &f64| {
        if m.is_nan() || x.abs() <= m {
            m
        } else {
            x.abs()
        }
    };
    values.iter().fold(0.0, larger)
}
