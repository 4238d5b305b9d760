//! Data of the last step for sensors of accelerations and forces.

use crate::math::{Vec3, Wrench};
use crate::model::{BodyId, JointId, ShapeId};
use crate::reactions::{Effort, Reaction};
use crate::{BodyMotion, Control, Moment, Simulator};

/// Motion and forces of the last step, collected once for all sensors. Accelerations and forces are means over the
/// step's kick, at the time and the poses of the step's start.
#[derive(Clone, Debug)]
pub struct LastStep {
    /// Motion of each body.
    pub motions: Vec<BodyMotion>,
    /// Every contact.
    pub contacts: Vec<Touch>,
    /// Reactions of the joints.
    pub reactions: Vec<Reaction>,
    /// Forces along the coordinates.
    pub efforts: Vec<Effort>,
    /// Forces along the tendons.
    pub tendon_efforts: Vec<Effort>,
    /// Applied forces and wrenches.
    pub control: Control,
}

/// The force of a contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The two shapes.
    pub shapes: [ShapeId; 2],
    /// Position in the world, m.
    pub point: Vec3,
    /// Unit normal from the first shape to the second, world.
    pub normal: Vec3,
    /// Distance of the surfaces along the normal at the start of the step, m, negative for overlap.
    pub distance: f64,
    /// Force on the second shape, world, N; the opposite acts on the first.
    pub force: Vec3,
    /// Torque of torsional and rolling friction on the second shape about the point, world, N m.
    pub moment: Vec3,
}

impl Touch {
    /// The same with the shapes in the other order.
    pub fn turned(&self) -> Self {
        let [a, b] = self.shapes;
        Self {
            shapes: [b, a],
            normal: -self.normal,
            force: -self.force,
            moment: -self.moment,
            ..*self
        }
    }
}

impl LastStep {
    /// Data of the last step of a run; `None` if no step led to the present state.
    pub fn of(moment: &Moment) -> Option<Self> {
        Self::of_simulator(moment.simulator, moment.control)
    }

    /// Data of the last step of a simulator, which was taken under `control`.
    pub fn of_simulator(simulator: &Simulator, control: &Control) -> Option<Self> {
        let bodies = 0..simulator.model().bodies().len() as u32;
        let motions = bodies.map(|b| simulator.body_motion(BodyId(b)));
        let motions = motions.collect::<Option<Vec<_>>>()?;
        let (reactions, efforts) = simulator.joint_forces();
        let kick = simulator.kick();
        let collision = simulator.model().collision();
        let touch = |c: crate::reactions::ContactForce| Touch {
            shapes: [c.contact.key.shape_a, c.contact.key.shape_b],
            point: c.contact.point,
            normal: c.contact.normal,
            distance: c.contact.gap
                + collision.clearance(c.contact.key.shape_a, c.contact.key.shape_b),
            force: c.impulse / kick,
            moment: c.moment / kick,
        };
        Some(Self {
            motions,
            contacts: simulator.each_contact_force().map(touch).collect(),
            reactions,
            efforts,
            tendon_efforts: simulator.tendon_efforts(),
            control: control.clone(),
        })
    }

    /// Reaction of a joint on its follower; zero if it locks no rows.
    pub fn reaction(&self, joint: JointId) -> (Vec3, Wrench) {
        let found = self.reactions.iter().find(|r| r.joint == joint);
        found.map_or((Vec3::zeros(), Wrench::zero()), |r| {
            (r.point, Wrench::new(r.force, r.torque))
        })
    }
}
