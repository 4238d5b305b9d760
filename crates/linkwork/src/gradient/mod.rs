//! Derivatives of one step: of the next state with respect to the present one, the control and parameters of the model.
//!
//! A converged step satisfies equations F(u⁺, λ; p) = 0 ([`equations`]): the momentum balance, joints closed at the end
//! of the step, contacts that stick, slide or are open. As long as the active set does not change, the implicit
//! function theorem gives ∂(u⁺, λ)/∂p = −F_x⁻¹F_p, and the next state follows from u⁺. F_x is assembled and factored
//! ([`linear`]); no solver is differentiated or run again. F_p, and the dependence of positions at the end of the step
//! on velocities, are sixth-order differences of the evaluated equations ([`difference`]), because contact points,
//! joint rows and masses depend on the parameters in too many ways for closed forms.
//!
//! The active set is returned. If a block is close to another state (small [`Active::margin`]), the step has a kink,
//! and the derivatives hold on one side.
//!
//! ```
//! use linkwork::gradient::Parameter;
//! use linkwork_scenes::scene;
//! use linkwork::{Control, Simulator};
//!
//! // A box slides: one step slows it by μ g dt (here half a kick), so that its speed falls with μ at g dt/2.
//! let scene = scene("box_on_plane", &[("speed", 1.0), ("friction", 0.3)])?;
//! let mut simulator = Simulator::new(scene.model.clone(), scene.settings)?;
//! let [floor, shape] = [0, 1].map(linkwork::model::ShapeId);
//! let control = Control::new(&scene.model);
//! let gradient = simulator.step_gradient(&control, &[Parameter::Friction(floor, shape)])?;
//! let speed = gradient.parameters[(6, 0)];
//! assert!((speed + 9.81 * 0.5e-3).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod active;
mod difference;
mod equations;
mod linear;
mod parameter;

pub use active::{Active, Activity};
pub use parameter::Parameter;

use crate::control::Control;
use crate::integrator::Integrator;
use crate::model::ModelError;
use crate::report::{Outcome, StepError, StepReport};
use crate::rows::RowSource;
use crate::simulator::Simulator;
use equations::{Acting, Equations, Start, Unknowns};
use linear::Linear;
use linkwork_solve::{ContactModel, Status};
use nalgebra::DMatrix;
use parameter::{Direction, Point};

/// The derivatives of a step. States are expressed in tangent coordinates, 12 per body: first the poses of all bodies,
/// 6 each (position, m, and rotation about the world's axes, rad), then their twists (m/s, rad/s).
#[derive(Clone, Debug)]
pub struct StepGradient {
    /// Next state by present state.
    pub state: DMatrix<f64>,
    /// Next state with respect to the requested parameters, one column each.
    pub parameters: DMatrix<f64>,
    /// What each block of rows did.
    pub active: Vec<Active>,
    /// Whether the solution is unique for this active set. The distribution of a load over several rigid contacts does
    /// not determine where a body slides that also spins: the derivatives are then those of least change, and nearby
    /// steps need not follow them.
    pub unique: bool,
    /// The report of the step.
    pub report: StepReport,
}

impl StepGradient {
    /// The smallest [`Active::margin`], m/s or rad/s: the distance of the step from a kink.
    pub fn margin(&self) -> f64 {
        let margins = self.active.iter().map(|a| a.margin);
        margins.fold(f64::INFINITY, f64::min)
    }
}

/// Why a step has no derivatives. Except after a refusal the step was taken.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GradientError {
    /// The step was refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The solver has another contact law.
    #[error(
        "solver {0} solves the convex relaxation, for which gradients are not supported; choose a solver of the exact law, such as condensed"
    )]
    Relaxed(String),
    /// The integrator is another one.
    #[error("gradients do not support integrator {0}; choose semi-implicit-euler")]
    Integrator(Integrator),
    /// The step did not converge, or was substepped.
    #[error(
        "the step ended with '{status}' as {outcome:?}; only a single step that converged has derivatives: shorten dt, or set failure to Accept"
    )]
    NotWhole {
        /// How the solve ended.
        status: Status,
        /// What became of it.
        outcome: Outcome,
    },
    /// A block appears or disappears nearby.
    #[error("{0:?} acts in the step but not in a nearby step: the step has a kink there")]
    Kink(RowSource),
    /// A parameter that the model does not have.
    #[error(
        "the model has no {0:?}: check its indices; friction must be positive and compliance physical or direct"
    )]
    NoParameter(Parameter),
    /// A parameter that cannot change either way.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl Simulator {
    /// The state of each block of rows in the last step; empty if there was no step.
    pub fn active_set(&self) -> Vec<Active> {
        match self.applied {
            true => active::active_set(&self.rows, &self.solution),
            false => Vec::new(),
        }
    }

    /// Takes a step and differentiates it with respect to its initial state and `parameters`.
    ///
    /// Data that the simulator stores in addition to its state (rates of springs and armatures, the size of the last
    /// step) is held constant; after [`Simulator::set_state`] there is none. Directions that open redundant joints have
    /// no derivative: the independent rows determine the result.
    pub fn step_gradient(
        &mut self,
        control: &Control,
        parameters: &[Parameter],
    ) -> Result<StepGradient, GradientError> {
        if self.solver.model() != ContactModel::Ncp {
            return Err(GradientError::Relaxed(self.settings.solver.clone()));
        }
        if !self.settings.integrator.is_staggered() {
            return Err(GradientError::Integrator(self.settings.integrator));
        }
        let dt = self.settings.dt;
        let start = Start {
            settings: self.settings.clone(),
            carried: self.carried.clone(),
            released: self.released.clone(),
            dt,
            kick: 0.5 * (self.lag() + dt),
        };
        let point = Point {
            model: self.model.clone(),
            state: self.state.clone(),
            control: control.clone(),
        };
        let report = self.step(control)?;
        if report.outcome != Outcome::Applied || report.status != Status::Converged {
            return Err(GradientError::NotWhole {
                status: report.status,
                outcome: report.outcome,
            });
        }
        let active = self.active_set();
        let acting = Acting::of(&self.rows, &active);
        let mut x = Unknowns {
            u_plus: self.solution.u_plus.clone(),
            lambda: Vec::new(),
        };
        for (k, a) in active.iter().enumerate() {
            if a.activity != Activity::Open {
                let range = self.rows.problem.sets.range(k);
                x.lambda.extend_from_slice(&self.solution.lambda[range]);
            }
        }
        let here = Equations::new(point, &start, &acting)?;
        let linear = Linear::new(&here, &acting, &x);
        let at = here.evaluate(&acting, &x);
        let column = |direction: Direction| {
            let stride = direction.stride(&here.point, dt)?;
            let change = difference::along(stride, &at, |by| {
                let there = direction.go(&here.point, by)?;
                Ok(Equations::new(there, &start, &acting)?.evaluate(&acting, &x))
            })?;
            Ok::<_, GradientError>(linear.respond(&change))
        };
        let n = 6 * here.point.state.poses.len();
        let mut state = DMatrix::zeros(2 * n, 2 * n);
        for i in 0..n {
            state.set_column(i, &column(Direction::Pose(i))?);
            state.set_column(n + i, &column(Direction::Twist(i))?);
        }
        let mut by = DMatrix::zeros(2 * n, parameters.len());
        for (i, parameter) in parameters.iter().enumerate() {
            by.set_column(i, &column(Direction::Parameter(*parameter))?);
        }
        Ok(StepGradient {
            state,
            parameters: by,
            active,
            unique: linear.unique,
            report,
        })
    }
}
