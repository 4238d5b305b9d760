//! A model as plain data, which can be saved and built again with the same bits.

use super::layout::Layout;
use super::tree::spanning_tree;
use super::{
    Body, BodyDef, BodyId, Camera, Coupling, Frame, Joint, JointDef, JointId, Keyframe, Model,
    ModelError, PlacedLink, Shape, ShapePair, Tendon, Texture, validate,
};
use crate::actuators::{Actuator, FluidBox};
use crate::collision::CollisionWorld;
use crate::math::{MassProperties, Vec3};
use crate::sensors::Sensor;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All data of a [`Model`]. Reads and writes as JSON; numbers keep their bits.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ModelData {
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Step that suits it, s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestep: Option<f64>,
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// Bodies; poses are those of their centres of mass.
    pub bodies: Vec<Body>,
    /// Joints; frames are relative to the centres of mass.
    pub joints: Vec<Joint>,
    /// Couplings.
    pub couplings: Vec<Coupling>,
    /// Tendons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tendons: Vec<Tendon>,
    /// Shapes; placed relative to the centres of mass.
    pub shapes: Vec<Shape>,
    /// Images on their surfaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<Texture>,
    /// Body pairs that never collide.
    pub excluded: Vec<(BodyId, BodyId)>,
    /// Bodies that never collide with the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded_from_world: Vec<BodyId>,
    /// Shape pairs with their own surface parameters, the lower id first, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<ShapePair>,
    /// Initial joint coordinates, m or rad.
    pub initial_coordinates: Vec<f64>,
    /// Links of the source file; without links every body is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<PlacedLink>,
    /// The joints of the spanning tree, each after those above it; `None` for the [spanning tree](Model::tree) of the
    /// joints in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<Vec<JointId>>,
    /// Named frames (sites).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Frame>,
    /// Cameras.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cameras: Vec<Camera>,
    /// Actuators, in the order of the controls. Spring and damper terms of servos are in the drives of their
    /// coordinates or tendons: see [`join_servos`](Self::join_servos).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actuators: Vec<Actuator>,
    /// Sensors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensors: Vec<Sensor>,
    /// Stored states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keyframes: Vec<Keyframe>,
    /// Boxes that a fluid resists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fluid: Vec<FluidBox>,
}

impl ModelData {
    /// Check everything and make the model.
    pub fn build(mut self) -> Result<Arc<Model>, ModelError> {
        self.check()?;
        let (bodies, world) = (&self.excluded, &self.excluded_from_world);
        let collision = CollisionWorld::with_pairs(&self.shapes, bodies, world, &self.pairs)?;
        let layout = Layout::new(&self.bodies, &self.joints, &self.couplings, &self.tendons);
        let tree = spanning_tree(self.bodies.len(), &self.joints);
        let links = PlacedLink::of_bodies(&self.bodies);
        // Derived data is omitted, so that the same model has the same data.
        self.tree = self.tree.filter(|given| *given != tree);
        if self.links == links {
            self.links.clear();
        }
        let mut labels = Vec::with_capacity(self.joints.len());
        for joint in &mut self.joints {
            let default = joint.default_labels();
            joint.labels = joint.labels.take().filter(|given| *given != default);
            labels.push(joint.labels.clone().unwrap_or(default));
        }
        let mut model = Model {
            tree: self.tree.clone().unwrap_or(tree),
            links: if self.links.is_empty() {
                links
            } else {
                self.links.clone()
            },
            labels,
            collision,
            layout,
            plans: Arc::default(),
            data: self,
        };
        model.hold_rods();
        Ok(Arc::new(model))
    }

    /// Refuses data that cannot be simulated, and fills in values derived from inertias and joint types.
    fn check(&mut self) -> Result<(), ModelError> {
        validate::check_gravity(&self.gravity)?;
        validate::sizes([
            self.bodies.len(),
            self.joints.len(),
            self.couplings.len(),
            self.tendons.len(),
            self.shapes.len(),
            self.excluded.len() + self.excluded_from_world.len(),
            self.pairs.len(),
        ])?;
        for body in &mut self.bodies {
            validate::body_def(&definition(body))?;
            body.derive();
        }
        validate::unique("body", self.bodies.iter().map(|b| b.name.as_str()))?;
        let mut taken = 0;
        for joint in &mut self.joints {
            if let Some(kind) = joint.kind.prepared() {
                joint.kind = kind;
            }
            let def = JointDef::of(&joint.name, joint.kind.clone(), joint.base, joint.follower);
            let mut def = def.frames(joint.frame_base, joint.frame_follower);
            def.axes.clone_from(&joint.axes);
            def.turn_limits = joint.turn_limits;
            def.softness = joint.softness;
            validate::joint_def(&def, &self.bodies)?;
            validate::joint_layout(joint, &mut taken, self.initial_coordinates.len())?;
        }
        validate::initial_coordinates(taken, &self.initial_coordinates)?;
        validate::unique("joint", self.joints.iter().map(|j| j.name.as_str()))?;
        validate::couplings(&self.couplings, &self.joints)?;
        validate::tendons(&self.tendons, &self.joints, self.bodies.len())?;
        for shape in &self.shapes {
            let element = format!("shape '{}'", shape.name);
            if let Some(body) = shape.body {
                validate::body_exists(&element, body, self.bodies.len())?;
            }
            validate::material(&shape.name, &shape.material)?;
            validate::shape_size(&shape.name, &shape.geometry)?;
        }
        validate::unique("shape", self.shapes.iter().map(|s| s.name.as_str()))?;
        let excluded = self.excluded.iter().flat_map(|(a, b)| [a, b]);
        for &body in excluded.chain(&self.excluded_from_world) {
            validate::body_exists("a collision exclusion", body, self.bodies.len())?;
        }
        validate::pairs(&self.pairs, &self.shapes)?;
        validate::pictures(self)?;
        validate::interface(self)
    }
}

/// The body as it would be given to the builder, for the builder's checks.
fn definition(body: &Body) -> BodyDef {
    let mass = MassProperties {
        mass: body.mass,
        com: body.com,
        inertia: body.inertia,
    };
    BodyDef::new(&body.name, mass)
        .pose(body.pose)
        .twist(body.twist.linear, body.twist.angular)
        .gravity_scale(body.gravity_scale)
}

impl Model {
    /// The model as plain data.
    pub fn data(&self) -> &ModelData {
        &self.data
    }

    /// A hash of everything in the model, including names, equal on every machine (FNV-1a of its JSON text). It is
    /// stored with recordings and checkpoints.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        serde_json::to_writer(&mut hash, &self.data).expect("a model is plain data");
        hash.0
    }
}

/// FNV-1a of the written bytes.
struct Fnv(u64);

impl std::io::Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_joint_type_is_told_by_its_data() {
        for kind in crate::joints::all() {
            #[derive(Serialize, Deserialize)]
            struct Holder(
                #[serde(with = "crate::joints::named")] Arc<dyn crate::joints::JointType>,
            );
            let text = serde_json::to_string(&Holder(kind.clone())).unwrap();
            let Holder(again) = serde_json::from_str(&text).unwrap();
            assert_eq!(format!("{kind:?}"), format!("{again:?}"), "{text}");
        }
    }
}
