//! Derivatives of one step: of the next state with respect to the present one, the control and numbers of the model.
//!
//! A converged step satisfies equations F(u⁺, λ; p) = 0 ([`equations`]): the momentum balance, joints closed at the end of the step, contacts that
//! stick, slide or are open. Where the set of what acts does not change, the implicit function theorem gives ∂(u⁺, λ)/∂p = −F_x⁻¹F_p, and
//! the next state follows from u⁺. F_x is assembled and factored ([`linear`]); no solver is differentiated or run again. F_p, and how
//! positions at the end of the step depend on velocities, are sixth-order differences of the evaluated equations ([`difference`]), since contact
//! points, joint rows and masses depend on the numbers in too many ways for closed forms.
//!
//! The active set is returned. Where a block of it is about to do something else (small [`Active::margin`]) the step has a kink, and the derivatives
//! hold on one side.
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

/// The derivatives of a step. States are counted in tangent coordinates, 12 a body: first the poses of all bodies, 6 each (position, m, and turn
/// about the world's axes, rad), then their twists (m/s, rad/s).
#[derive(Clone, Debug)]
pub struct StepGradient {
    /// Next state by present state.
    pub state: DMatrix<f64>,
    /// Next state by the parameters asked for, a column each.
    pub parameters: DMatrix<f64>,
    /// What each block of rows did.
    pub active: Vec<Active>,
    /// Whether the active set leaves one answer. Rigid contacts that share a load in many ways do not tell where a body slides that
    /// also spins: then the derivatives are those of least change, and steps nearby need not follow them.
    pub unique: bool,
    /// What the step said.
    pub report: StepReport,
}

impl StepGradient {
    /// The least [`Active::margin`], m/s or rad/s: how near the step is to a kink.
    pub fn margin(&self) -> f64 {
        let margins = self.active.iter().map(|a| a.margin);
        margins.fold(f64::INFINITY, f64::min)
    }
}

/// Why a step has no derivatives. But for a refused step it was taken.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GradientError {
    /// The step was refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The solver has another contact law.
    #[error(
        "solver {0} solves the convex relaxation, whose steps are not differentiated; choose one of the exact law, such as condensed"
    )]
    Relaxed(String),
    /// The integrator is another one.
    #[error("steps of integrator {0} are not differentiated; choose semi-implicit-euler")]
    Integrator(Integrator),
    /// The step did not converge, or was taken as smaller ones.
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
    #[error("{0:?} acts in the step but not in one nearby: the step has a kink there")]
    Kink(RowSource),
    /// A parameter that the model does not have.
    #[error(
        "{0:?} is none of the model: check its indices; friction must be positive and compliance physical or direct"
    )]
    NoParameter(Parameter),
    /// A parameter that cannot change either way.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl Simulator {
    /// What each block of rows did in the last step; empty where none led here.
    pub fn active_set(&self) -> Vec<Active> {
        match self.applied {
            true => active::active_set(&self.rows, &self.solution),
            false => Vec::new(),
        }
    }

    /// Take a step, and differentiate it by the state that it started from and by `parameters`.
    ///
    /// What the simulator remembers beside its state (rates of springs and armatures, the size of the last step) is held fixed;
    /// after [`Simulator::set_state`] there is nothing of the kind. Where joints are redundant, directions that open them have no
    /// derivative: the independent rows decide.
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
            rates: self.rates.clone(),
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
