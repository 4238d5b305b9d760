//! Energy and momentum balance of a run.
//!
//! Velocities are half a step before the poses. The energy at their time, E = T(u) + V(s) + ½ h Σ m g·v with h the step
//! that led to s, contains the gravitational potential at the middle of that step. It changes from step to step by
//! exactly the work λ·½J(u⁻+u⁺) of the rows (including impacts), so E_end − E_start − work is the error of the
//! integrator alone.

use crate::control::Control;
use crate::math::Vec3;
use crate::metrics::{angular_momentum, kinetic_energy, linear_momentum, potential_energy};
use crate::model::{Axis, Joint, Model, Tendon, Waypoint};
use crate::report::Outcome;
use crate::rows::{Along, RowSource};
use crate::simulator::Simulator;
use crate::state::State;
use linkwork_solve::raise;

/// Speed, m/s, below which a mechanism counts as at rest: the scales of relative errors are at least the energy and
/// momentum of its total mass at this speed.
const STANDSTILL: f64 = 1e-3;

/// Energies at one time, J.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Energy {
    pub kinetic: f64,
    pub gravity: f64,
    pub springs: f64,
}

impl Energy {
    /// Energy of the simulator's state at the time of its velocities, half of the last step before its poses.
    pub fn of(simulator: &Simulator) -> Self {
        let (model, state, lag) = (&**simulator.model(), simulator.state(), simulator.lag());
        let bodies = model.bodies().iter().zip(&state.twists);
        let power: f64 = bodies
            .map(|(b, t)| b.mass * b.gravity_scale * model.gravity().dot(&t.linear))
            .sum();
        let at_poses = potential_energy(model, state) - springs(simulator, 0.0);
        Self {
            kinetic: kinetic_energy(model, state),
            gravity: at_poses + 0.5 * lag * power,
            springs: springs(simulator, lag),
        }
    }

    pub fn total(&self) -> f64 {
        self.kinetic + self.gravity + self.springs
    }
}

/// Energy of the springs of joints and tendons in the middle of the last step of length `lag` (s), J. The midpoint rule
/// conserves this energy together with the kinetic energy.
fn springs(simulator: &Simulator, lag: f64) -> f64 {
    let (model, state) = (simulator.model(), simulator.state());
    let mut energy = 0.0;
    for (i, &along) in model.layout().geared.iter().enumerate() {
        let spring = &along.axis(model).spring;
        if spring.stiffness == 0.0 {
            continue;
        }
        let (length, moving) = match along {
            Along::Coordinate(id, c) => (
                state.joint_coordinates(model, id)[c],
                state.joint_velocities(model, id)[c],
            ),
            Along::Tendon(id) => (
                state.tendon_length(model, id),
                state.tendon_velocity(model, id),
            ),
        };
        let rate = simulator.carried.get(i).map_or(moving, |last| last.rate);
        energy += spring.energy(length - 0.5 * lag * rate);
    }
    energy
}

/// Scale of energies that a mechanism at rest does not exceed, J.
pub(super) fn energy_floor(model: &Model) -> f64 {
    (0.5 * STANDSTILL * momentum_floor(model)).max(f64::MIN_POSITIVE)
}

/// The same of momenta, N s; of angular momenta with an arm of 1 m, N m s.
fn momentum_floor(model: &Model) -> f64 {
    let mass: f64 = model.bodies().iter().map(|b| b.mass).sum();
    (STANDSTILL * mass).max(f64::MIN_POSITIVE)
}

/// Linear and angular momentum against the impulses of gravity and applied wrenches.
#[derive(Clone, Debug)]
pub(super) struct Momentum {
    /// What both should be by now.
    expected: [Vec3; 2],
    /// Largest error so far, N s and N m s.
    error: [f64; 2],
    /// Largest sum of the bodies' own momenta so far.
    scale: [f64; 2],
    /// Whether joints or contacts passed momentum to the world, so that no statement is possible.
    open: bool,
}

impl Momentum {
    pub fn start(simulator: &Simulator) -> Self {
        let (model, state) = (&**simulator.model(), simulator.state());
        let mut momentum = Self {
            expected: [
                linear_momentum(model, state),
                angular_momentum(model, state),
            ],
            error: [0.0; 2],
            scale: [momentum_floor(model); 2],
            open: model.joints().iter().any(holds_world) || tendon_holds_world(model),
        };
        momentum.scale(model, state);
        momentum
    }

    /// Account for a step that was taken.
    pub fn add(&mut self, simulator: &Simulator, control: &Control, outcome: Outcome) {
        if self.open {
            return;
        }
        let (model, state) = (&**simulator.model(), simulator.state());
        if outcome == Outcome::Held {
            return;
        }
        if world_contact(simulator, outcome) || world_force(model, control) {
            self.open = true;
            return;
        }
        for (expected, impulse) in self.expected.iter_mut().zip(&simulator.external) {
            *expected += impulse;
        }
        let now = [
            linear_momentum(model, state),
            angular_momentum(model, state),
        ];
        for (i, now) in now.iter().enumerate() {
            raise(&mut self.error[i], (now - self.expected[i]).norm());
        }
        self.scale(model, state);
    }

    /// Largest errors of linear and angular momentum relative to the scale; `None` if the world took part.
    pub fn drift(&self) -> Option<[f64; 2]> {
        let relative = || std::array::from_fn(|i| self.error[i] / self.scale[i]);
        (!self.open).then(relative)
    }

    fn scale(&mut self, model: &Model, state: &State) {
        let mut sum = [0.0; 2];
        for ((body, pose), twist) in model.bodies().iter().zip(&state.poses).zip(&state.twists) {
            let p = body.mass * twist.linear;
            let spin = body.inertia * (pose.rotation.inverse() * twist.angular);
            sum[0] += p.norm();
            sum[1] += pose.position.cross(&p).norm() + spin.norm();
        }
        for (scale, sum) in self.scale.iter_mut().zip(sum) {
            raise(scale, sum);
        }
    }
}

/// Whether the joint can pass a force to the world.
fn holds_world(joint: &Joint) -> bool {
    let acts = joint.axes.iter().any(Axis::acts);
    joint.base.is_none() && (!joint.kind.locked().is_empty() || acts)
}

/// Whether a tendon can pass a force to the world.
fn tendon_holds_world(model: &Model) -> bool {
    let mut tendons = model.tendons().iter();
    tendons.any(|tendon| tendon.axis.acts() && reaches_world(model, tendon))
}

fn reaches_world(model: &Model, tendon: &Tendon) -> bool {
    let mut terms = tendon.terms.iter();
    let mut carriers = tendon.path.iter().flat_map(Waypoint::carriers);
    terms.any(|term| model.joint(term.joint).base.is_none()) || carriers.any(|c| c.is_none())
}

/// Whether the world took an impulse through a contact in the last step.
fn world_contact(simulator: &Simulator, outcome: Outcome) -> bool {
    let shapes = simulator.model().shapes();
    // Only the last of several substeps is available.
    if matches!(outcome, Outcome::Substepped(_)) && shapes.iter().any(|s| s.body.is_none()) {
        return true;
    }
    let sets = &simulator.problem().sets;
    let lambda = &simulator.solution().lambda;
    let sources = simulator.row_sources().iter().enumerate();
    // Contacts come last.
    sources
        .rev()
        .map_while(|(k, source)| match source {
            RowSource::Contact(key) => Some((k, key)),
            _ => None,
        })
        .any(|(k, key)| {
            let world = |id: crate::model::ShapeId| shapes[id.index()].body.is_none();
            (world(key.shape_a) || world(key.shape_b))
                && lambda[sets.range(k)].iter().any(|&l| l != 0.0)
        })
}

/// Whether a force of a joint or tendon pushes against the world.
fn world_force(model: &Model, control: &Control) -> bool {
    let mut tendons = model.tendons().iter().zip(&control.tendon_forces);
    if tendons.any(|(tendon, force)| *force != 0.0 && reaches_world(model, tendon)) {
        return true;
    }
    let mut joints = model.joints().iter().filter(|j| j.base.is_none());
    joints.any(|j| {
        let forces = &control.forces[j.first_coordinate..j.first_coordinate + j.axes.len()];
        forces.iter().any(|&f| f != 0.0)
    })
}
