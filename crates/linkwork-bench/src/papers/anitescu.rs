//! Common parts of the experiments of [Anitescu]: his step as settings of the simulator, bodies that stay in the plane
//! of his examples, and the infeasibility of a run, step by step.

use crate::error::BenchError;
use linkwork::joints::Planar;
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{
    BodyDef, BodyId, Geometry, JointDef, Material, Model, ModelBuilder, ShapeDef,
};
use linkwork::{Control, FailurePolicy, FirstKick, Settings, Simulator, State};
use linkwork_scenes::SceneError;
use linkwork_solve::Status;
use std::sync::Arc;

/// Gravity, m/s²; not in the paper.
pub(super) const GRAVITY: f64 = 9.81;
/// Mass of an area [Anitescu §6], kg/m².
pub(super) const DENSITY: f64 = 10.0;
/// ε̂: gaps up to this, m, are constraints [Anitescu §6].
pub(super) const ACTIVE: f64 = 0.3;

/// The step of [Anitescu eq. 2.10]: Υ and Δ are multiplied by `gain`, so that 1 is his method and 0 the unstabilised
/// one. One problem per step: joints are not closed any further.
pub(super) fn settings(h: f64, gain: f64) -> Settings {
    Settings::with(|s| {
        s.dt = h;
        s.stabilization.joints = gain;
        s.stabilization.contacts = gain;
        s.stabilization.max_depenetration_speed = f64::INFINITY;
        s.closure.enabled = false;
        s.first_kick = FirstKick::Full;
        s.failure = FailurePolicy::Accept;
        s.contact.margin = ACTIVE;
    })
}

/// A flat body with the outline of an ellipse, restricted to the plane y = 0.
pub(super) struct Lamina {
    /// Unique name.
    pub name: String,
    /// Semi-axes along x and z before it is turned, m.
    pub semi_axes: [f64; 2],
    /// Centre (x, z), m.
    pub centre: [f64; 2],
    /// Angular velocity from x to z, rad/s.
    pub spin: f64,
    /// Friction coefficient.
    pub friction: f64,
}

impl Lamina {
    /// Add body, shape and the planar joint. The shape is the ellipsoid through the outline: with its
    /// centre in the plane it touches floors, walls and its like only there.
    pub(super) fn add(self, b: &mut ModelBuilder) -> BodyId {
        let ([a, c], [x, z]) = (self.semi_axes, self.centre);
        let mass = DENSITY * std::f64::consts::PI * a * c;
        let moments = Vec3::new(c * c, a * a + c * c, a * a) * (0.25 * mass);
        let pose = Pose::at(x, 0.0, z);
        let body = BodyDef::new(&*self.name, MassProperties::principal(mass, moments))
            .pose(pose)
            .twist(Vec3::zeros(), -self.spin * Vec3::y());
        let body = b.add_body(body);
        let geometry = if a == c {
            Geometry::Sphere { radius: a }
        } else {
            let radii = Vec3::new(a, c, c);
            Geometry::Ellipsoid { radii }
        };
        let material = Material::with_friction(self.friction);
        b.add_shape(body, ShapeDef::new(geometry).material(material));
        let plane = JointDef::new(format!("plane of {}", self.name), Planar, None, body);
        b.add_joint(plane.frame(pose).axis(0.0, 1.0, 0.0).collide());
        body
    }
}

/// The model, or why it was refused.
pub(super) fn build(b: ModelBuilder) -> Result<Arc<Model>, BenchError> {
    Ok(b.build().map_err(SceneError::from)?)
}

/// A run: I(q) at the start and after every step, and its final state.
pub(super) struct Trace {
    /// (t, I), s and m.
    pub infeasibility: Vec<(f64, f64)>,
    /// The state at the end.
    pub end: State,
    /// Steps whose solve did not converge.
    pub unsolved: usize,
}

impl Trace {
    /// Take `steps` steps from the initial state.
    pub(super) fn run(
        model: &Arc<Model>,
        settings: Settings,
        steps: usize,
        infeasibility: impl Fn(&State) -> f64,
    ) -> Result<Self, BenchError> {
        let mut simulator = Simulator::new(model.clone(), settings)?;
        let control = Control::new(model);
        let mut trace = Self {
            infeasibility: Vec::new(),
            end: simulator.state().clone(),
            unsolved: 0,
        };
        trace.add(simulator.state(), &infeasibility);
        for _ in 0..steps {
            let report = simulator.step(&control)?;
            trace.unsolved += usize::from(report.status != Status::Converged);
            trace.add(simulator.state(), &infeasibility);
        }
        trace.end = simulator.state().clone();
        Ok(trace)
    }

    fn add(&mut self, state: &State, infeasibility: &impl Fn(&State) -> f64) {
        self.infeasibility.push((state.time, infeasibility(state)));
    }
}

/// Largest value from time `from` to `to`, s; 0 where there is none.
pub(super) fn largest(history: &[(f64, f64)], from: f64, to: f64) -> f64 {
    let within = history.iter().filter(|(t, _)| (from..=to).contains(t));
    within.fold(0.0, |most, &(_, value)| value.max(most))
}

/// A length for a table, m.
pub(super) fn metres(x: f64) -> String {
    format!("{x:.1e}")
}

/// A note on how many of `steps` solves missed the tolerance; their last iterate was used.
pub(super) fn solved_note(unsolved: usize, steps: usize) -> String {
    format!(
        "{} of {steps} solves met the tolerance of 1e-9 N s and m/s.",
        steps - unsolved
    )
}
