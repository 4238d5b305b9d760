//! Velocities that the joints allow: u ← argmin ‖u − u₀‖_M subject to J u = 0 [math.md §7].

use super::error::{check_joint, misfit};
use super::{AssembleError, coordinates};
use crate::joints::{MAX_COORDINATES, MAX_ROWS, Placement, Row};
use crate::locked::{Locked, Metric, push_target};
use crate::math::{Twist, Vec3};
use crate::model::{JointId, Model};
use crate::rows::Rows;
use crate::state::State;
use linkwork_solve::solvers::Direct;
use linkwork_solve::{Solution, Solver, SolverSettings, larger};
use nalgebra::{DMatrix, DVector};

/// Velocities that satisfy the joints and couplings.
#[derive(Clone, Debug, PartialEq)]
pub struct Projected {
    /// The state with them.
    pub state: State,
    /// Largest |J u| left, m/s or rad/s.
    pub residual: f64,
}

/// The velocities that joints and couplings allow and that are nearest to the state's in the metric of the kinetic
/// energy: those after an impact that locks the joints. The poses should be assembled.
pub fn project_velocities(model: &Model, state: &State) -> Projected {
    project(model, state, None)
}

/// Sets the velocities of a joint's coordinates to `values` (m/s, rad/s).
///
/// If the joint alone connects its two sides, the whole follower side (or the base side, if the other is connected to
/// the world) gets the missing velocity as one rigid body and nothing else changes. In a loop, or with a coupling on
/// the joint, the other velocities change as little as possible in the metric of the kinetic energy.
///
/// # Errors
///
/// [`AssembleError::Velocity`] if the joints do not allow it; the state is then unchanged.
pub fn set_joint_velocities(
    model: &Model,
    state: &mut State,
    joint: JointId,
    values: &[f64],
) -> Result<(), AssembleError> {
    check_joint(model, joint, values.len())?;
    let definition = model.joint(joint);
    if values.len() != definition.axes.len() || values.iter().any(|v| !v.is_finite()) {
        return misfit(format!(
            "joint '{}' takes {} finite velocities",
            definition.name,
            definition.axes.len()
        ));
    }
    if let Some(side) = coordinates::movable_side(model, joint) {
        let turns = state.joint_coordinates(model, joint).to_vec();
        let now = state.joint_velocities(model, joint);
        let missing: Vec<f64> = values.iter().zip(&now).map(|(v, n)| v - n).collect();
        let place = state.placement(definition);
        let change = relative_twist(model, joint, &place, &turns, &missing);
        for &body in &side.bodies {
            let arm = state.poses[body].position - place.anchor;
            let sign = if side.follower { 1.0 } else { -1.0 };
            state.twists[body].linear += sign * change.at(&arm);
            state.twists[body].angular += sign * change.angular;
        }
        return Ok(());
    }
    let projected = project(model, state, Some((joint, values)));
    let speed = values.iter().fold(1.0, |m, v| larger(m, v.abs()));
    if projected.residual <= 1e-9 * speed {
        *state = projected.state;
        return Ok(());
    }
    Err(AssembleError::Velocity {
        joint: definition.name.clone(),
        miss: projected.residual,
    })
}

fn project(model: &Model, state: &State, asked: Option<(JointId, &[f64])>) -> Projected {
    let mut rows = Rows::default();
    Locked::new(model).make(state, Metric::Mass, &mut rows);
    // The poses do not change: only the velocities of the rows are required.
    rows.problem.v_bias.fill(0.0);
    if let Some((joint, values)) = asked {
        for (c, v) in values.iter().enumerate() {
            push_target(&mut rows, model, (joint, c), -v);
        }
    }
    // Out of reach: the solver stops at round-off.
    let tolerance = 1e-13;
    let mut x = Solution::default();
    Direct::new(SolverSettings {
        tolerance,
        ..SolverSettings::default()
    })
    .solve(&rows.problem, &mut x, &mut ());
    let mut state = state.clone();
    for (twist, u) in state.twists.iter_mut().zip(x.u_plus.chunks_exact(6)) {
        *twist = Twist::new(Vec3::new(u[0], u[1], u[2]), Vec3::new(u[3], u[4], u[5]));
    }
    Projected {
        state,
        residual: x
            .sigma
            .iter()
            .fold(0.0, |m, s| if s.abs() <= m { m } else { s.abs() }),
    }
}

/// The smallest relative twist of the follower, at its anchor in the world frame, that changes the coordinates'
/// velocities by `rates` and does not move the locked rows.
fn relative_twist(
    model: &Model,
    joint: JointId,
    place: &Placement,
    turns: &[f64],
    rates: &[f64],
) -> Twist {
    let kind = &model.joint(joint).kind;
    let (locked, free) = (kind.locked().len(), rates.len());
    let mut rows = [Row::ZERO; MAX_ROWS + MAX_COORDINATES];
    kind.constrain(&place.relative, turns, &mut rows[..locked]);
    kind.measure(&place.relative, turns, &mut rows[locked..locked + free]);
    let a = DMatrix::from_fn(locked + free, 6, |r, c| {
        if c < 3 {
            rows[r].linear[c]
        } else {
            rows[r].angular[c - 3]
        }
    });
    let b = DVector::from_fn(locked + free, |r, _| {
        if r < locked { 0.0 } else { rates[r - locked] }
    });
    // Fewer than six rows (motions that are neither locked nor measured): those do not change.
    let x = a
        .svd(true, true)
        .solve(&b, 1e-12)
        .expect("both factors exist");
    let part = |i: usize| place.axes * Vec3::new(x[i], x[i + 1], x[i + 2]);
    Twist::new(part(0), part(3))
}
