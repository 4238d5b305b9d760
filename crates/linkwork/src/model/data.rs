//! A model as plain data, to be saved with what was simulated and built again to the same bits.

use super::layout::Layout;
use super::{
    Body, BodyDef, BodyId, Coupling, Joint, JointDef, Model, ModelError, Shape, ShapePair, Tendon,
    validate,
};
use crate::collision::CollisionWorld;
use crate::math::{MassProperties, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Everything a [`Model`] is made of. Reads and writes as JSON; numbers keep their bits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelData {
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
    /// Body pairs that never collide.
    pub excluded: Vec<(BodyId, BodyId)>,
    /// Bodies that never collide with the world.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded_from_world: Vec<BodyId>,
    /// Shape pairs with a surface of their own, the lower id first, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<ShapePair>,
    /// Initial joint coordinates, m or rad.
    pub initial_coordinates: Vec<f64>,
}

impl ModelData {
    /// Check everything and make the model.
    pub fn build(mut self) -> Result<Arc<Model>, ModelError> {
        validate::check_gravity(&self.gravity)?;
        validate::sizes([
            self.bodies.len(),
            self.joints.len(),
            self.couplings.len(),
            self.tendons.len(),
            self.shapes.len(),
            self.excluded.len(),
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
        for &(a, b) in &self.excluded {
            validate::body_exists("a collision exclusion", a, self.bodies.len())?;
            validate::body_exists("a collision exclusion", b, self.bodies.len())?;
        }
        for &body in &self.excluded_from_world {
            validate::body_exists("a collision exclusion", body, self.bodies.len())?;
        }
        validate::pairs(&self.pairs, &self.shapes)?;
        let (bodies, world) = (&self.excluded, &self.excluded_from_world);
        let collision = CollisionWorld::with_pairs(&self.shapes, bodies, world, &self.pairs)?;
        let layout = Layout::new(&self.bodies, &self.joints, &self.couplings, &self.tendons);
        let mut model = Model {
            gravity: self.gravity,
            bodies: self.bodies,
            joints: self.joints,
            couplings: self.couplings,
            tendons: self.tendons,
            shapes: self.shapes,
            excluded: self.excluded,
            excluded_from_world: self.excluded_from_world,
            pairs: self.pairs,
            initial_coordinates: self.initial_coordinates,
            collision,
            layout,
            plans: Arc::default(),
        };
        model.hold_rods();
        Ok(Arc::new(model))
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
    pub fn data(&self) -> ModelData {
        ModelData {
            gravity: self.gravity,
            bodies: self.bodies.clone(),
            joints: self.joints.clone(),
            couplings: self.couplings.clone(),
            tendons: self.tendons.clone(),
            shapes: self.shapes.clone(),
            excluded: self.excluded.clone(),
            excluded_from_world: self.excluded_from_world.clone(),
            pairs: self.pairs.clone(),
            initial_coordinates: self.initial_coordinates.clone(),
        }
    }

    /// A hash of everything in the model, names included, equal on every machine (FNV-1a of its JSON
    /// text). It stamps what was saved with the model.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        serde_json::to_writer(&mut hash, &self.data()).expect("a model is plain data");
        hash.0
    }
}

/// FNV-1a of what is written.
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
