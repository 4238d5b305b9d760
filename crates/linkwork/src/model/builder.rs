//! Builds a [`Model`] and validates it as a whole at the end.

use super::joint::Frames;
use super::{
    ActuatorId, Aim, Body, BodyDef, BodyId, Camera, Coupling, CouplingId, Frame, FrameId, Joint,
    JointDef, JointId, Keyframe, Lens, Model, ModelData, ModelError, PairMaterial, Shape, ShapeDef,
    ShapeId, ShapePair, Tendon, TendonId, Texture, validate,
};
use crate::actuators::Actuator;
use crate::joints::{MAX_COORDINATES, Placement, Row};
use crate::math::{Mat3, Pose, Vec3, rotation_between};
use crate::sensors::Sensor;
use std::sync::Arc;

/// Collects the parts of a model; [`ModelBuilder::build`] checks them.
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    /// What is kept as it is given.
    data: ModelData,
    bodies: Vec<BodyDef>,
    joints: Vec<JointDef>,
    shapes: Vec<(Option<BodyId>, ShapeDef)>,
    /// Name, body, and pose in the body frame.
    frames: Vec<(String, Option<BodyId>, Pose)>,
    cameras: Vec<(String, Option<BodyId>, Pose, Lens, Aim)>,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// An empty model with gravity 9.81 m/s² along −z.
    pub fn new() -> Self {
        Self {
            data: ModelData {
                gravity: Vec3::new(0.0, 0.0, -9.81),
                ..ModelData::default()
            },
            bodies: Vec::new(),
            joints: Vec::new(),
            shapes: Vec::new(),
            frames: Vec::new(),
            cameras: Vec::new(),
        }
    }

    /// Set the model's name.
    pub fn name(&mut self, name: impl Into<String>) -> &mut Self {
        self.data.name = name.into();
        self
    }

    /// Set gravity, m/s².
    pub fn gravity(&mut self, gravity: Vec3) -> &mut Self {
        self.data.gravity = gravity;
        self
    }

    /// Add a body.
    pub fn add_body(&mut self, body: BodyDef) -> BodyId {
        BodyId(add(&mut self.bodies, body))
    }

    /// Add a joint.
    pub fn add_joint(&mut self, joint: JointDef) -> JointId {
        JointId(add(&mut self.joints, joint))
    }

    /// Add a coupling of joint coordinates.
    pub fn add_coupling(&mut self, coupling: Coupling) -> CouplingId {
        CouplingId(add(&mut self.data.couplings, coupling))
    }

    /// Add a tendon over joint coordinates or along a path.
    pub fn add_tendon(&mut self, tendon: Tendon) -> TendonId {
        TendonId(add(&mut self.data.tendons, tendon))
    }

    /// Add a shape to a body, or to the world (`None`). Several on one body form a compound.
    pub fn add_shape(&mut self, body: impl Into<Option<BodyId>>, shape: ShapeDef) -> ShapeId {
        ShapeId(add(&mut self.shapes, (body.into(), shape)))
    }

    /// Add a named frame (site) at a pose of the body frame, or of the world (`None`).
    pub fn add_frame(
        &mut self,
        name: impl Into<String>,
        body: impl Into<Option<BodyId>>,
        pose: Pose,
    ) -> FrameId {
        FrameId(add(&mut self.frames, (name.into(), body.into(), pose)))
    }

    /// Add a camera at a pose of the body frame, or of the world (`None`), which looks along −z with y upwards.
    pub fn add_camera(
        &mut self,
        name: impl Into<String>,
        body: impl Into<Option<BodyId>>,
        pose: Pose,
        lens: Lens,
        aim: Aim,
    ) -> &mut Self {
        self.cameras
            .push((name.into(), body.into(), pose, lens, aim));
        self
    }

    /// Adds a texture; the returned index is for [`ShapeTexture::texture`](super::ShapeTexture::texture).
    pub fn add_texture(&mut self, texture: Texture) -> usize {
        self.data.textures.push(texture);
        self.data.textures.len() - 1
    }

    /// Adds an actuator. The spring and damper terms of a servo become the drive of its coordinate or tendon, unless
    /// that has a drive.
    pub fn add_actuator(&mut self, actuator: Actuator) -> ActuatorId {
        ActuatorId(add(&mut self.data.actuators, actuator))
    }

    /// Add a sensor.
    pub fn add_sensor(&mut self, sensor: Sensor) -> &mut Self {
        self.data.sensors.push(sensor);
        self
    }

    /// Add a stored state.
    pub fn add_keyframe(&mut self, keyframe: Keyframe) -> &mut Self {
        self.data.keyframes.push(keyframe);
        self
    }

    /// Never let two bodies collide, or a body with the shapes of the world (`None`).
    pub fn exclude(
        &mut self,
        a: impl Into<Option<BodyId>>,
        b: impl Into<Option<BodyId>>,
    ) -> &mut Self {
        match (a.into(), b.into()) {
            (Some(a), Some(b)) => self.data.excluded.push((a.min(b), a.max(b))),
            (Some(body), None) | (None, Some(body)) => self.data.excluded_from_world.push(body),
            // Shapes of the world never touch each other.
            (None, None) => {}
        }
        self
    }

    /// Lets two shapes of different bodies collide in any case, with their own surface parameters.
    pub fn pair(&mut self, a: ShapeId, b: ShapeId, surface: PairMaterial) -> &mut Self {
        let (a, b) = (a.min(b), a.max(b));
        self.data.pairs.push(ShapePair { a, b, surface });
        self
    }

    /// Check everything and make the model.
    pub fn build(self) -> Result<Arc<Model>, ModelError> {
        self.data()?.build()
    }

    /// The model as data, with everything placed relative to the centres of mass; checked as far as placement requires.
    pub fn data(self) -> Result<ModelData, ModelError> {
        let mut data = self.data;
        // Before anything is made of them.
        validate::sizes([
            self.bodies.len(),
            self.joints.len(),
            data.couplings.len(),
            data.tendons.len(),
            self.shapes.len(),
            data.excluded.len() + data.excluded_from_world.len() + self.joints.len(),
            data.pairs.len(),
        ])?;
        let bodies = self.bodies.into_iter().map(make_body);
        data.bodies = bodies.collect::<Result<Vec<_>, _>>()?;
        for def in self.joints {
            validate::joint_def(&def, &data.bodies)?;
            if let (Some(base), false) = (def.base, def.collide) {
                let pair = (base.min(def.follower), base.max(def.follower));
                data.excluded.push(pair);
            }
            let turns = def.coordinates.clone();
            let joint = make_joint(def, &data.bodies, data.initial_coordinates.len());
            let values = initial_coordinates(&joint, &data.bodies, turns);
            data.initial_coordinates.extend(values);
            data.joints.push(joint);
        }
        for (body, def) in self.shapes {
            let shape = make_shape(body, def, data.shapes.len(), &data.bodies)?;
            data.shapes.push(shape);
        }
        for (name, body, pose) in self.frames {
            if let Some(body) = body {
                validate::body_exists(&format!("frame '{name}'"), body, data.bodies.len())?;
            }
            let frame = Frame::new(name, body, pose, &data.bodies);
            data.frames.push(frame);
        }
        for (name, body, pose, lens, aim) in self.cameras {
            if let Some(body) = body {
                validate::body_exists(&format!("camera '{name}'"), body, data.bodies.len())?;
            }
            let frame = Frame::new(name, body, pose, &data.bodies);
            data.cameras.push(Camera { frame, lens, aim });
        }
        data.excluded.sort_unstable();
        data.excluded.dedup();
        data.excluded_from_world.sort_unstable();
        data.excluded_from_world.dedup();
        data.pairs.sort_by_key(|p| (p.a, p.b));
        data.join_servos();
        Ok(data)
    }
}

/// Append an element; its number.
fn add<T>(list: &mut Vec<T>, element: T) -> u32 {
    list.push(element);
    list.len() as u32 - 1
}

fn make_body(def: BodyDef) -> Result<Body, ModelError> {
    validate::body_def(&def)?;
    let m = def.mass;
    let mut body = Body {
        mass: m.mass,
        com: m.com,
        inertia: 0.5 * (m.inertia + m.inertia.transpose()),
        inverse_inertia: Mat3::zeros(),
        isotropic: false,
        pose: Pose::new(def.pose.transform_point(&m.com), def.pose.rotation),
        twist: def.twist,
        gravity_scale: def.gravity_scale,
        name: def.name,
    };
    body.derive();
    Ok(body)
}

/// Pose of the body frame from the pose of its centre of mass.
fn body_frame(body: &Body) -> Pose {
    Pose::new(body.pose.transform_point(&-body.com), body.pose.rotation)
}

fn make_joint(def: JointDef, bodies: &[Body], first_coordinate: usize) -> Joint {
    let follower = &bodies[def.follower.index()];
    let base = def.base.map(|b| &bodies[b.index()]);
    let (in_base, in_follower) = match def.frames {
        Frames::World(mut frame) => {
            if let Some(axis) = def.axis {
                frame.rotation = rotation_between(&Vec3::z(), &axis);
            }
            (
                base.map_or(frame, |b| b.pose.inverse().compose(&frame)),
                follower.pose.inverse().compose(&frame),
            )
        }
        Frames::Each(mut b, mut f) => {
            if let Some(axis) = def.axis {
                let turn = rotation_between(&Vec3::z(), &axis);
                let world = base.map_or(Pose::identity(), body_frame).rotation;
                b.rotation = world.inverse() * turn;
                f.rotation = follower.pose.rotation.inverse() * turn;
            }
            // Given relative to the body frames; stored relative to the centres of mass.
            if let Some(base) = base {
                b.position -= base.com;
            }
            f.position -= follower.com;
            (b, f)
        }
    };
    Joint {
        name: def.name,
        kind: def.kind.prepared().unwrap_or(def.kind),
        base: def.base,
        follower: def.follower,
        frame_base: in_base,
        frame_follower: in_follower,
        first_coordinate,
        axes: def.axes,
        turn_limits: def.turn_limits,
        softness: def.softness,
        labels: def.labels,
    }
}

fn initial_coordinates(joint: &Joint, bodies: &[Body], turns: Option<Vec<f64>>) -> Vec<f64> {
    let n = joint.axes.len();
    let base = joint
        .base
        .map_or(Pose::identity(), |b| bodies[b.index()].pose);
    let follower = bodies[joint.follower.index()].pose;
    let place = Placement::new(&base, &joint.frame_base, &follower, &joint.frame_follower);
    let mut rows = [Row::ZERO; MAX_COORDINATES];
    let turns = turns.unwrap_or_else(|| (0..n).map(|c| joint.kind.home(c)).collect());
    joint.kind.measure(&place.relative, &turns, &mut rows[..n]);
    rows[..n].iter().map(|r| r.value).collect()
}

fn make_shape(
    body: Option<BodyId>,
    def: ShapeDef,
    index: usize,
    bodies: &[Body],
) -> Result<Shape, ModelError> {
    let name = def.name.unwrap_or_else(|| match body {
        Some(b) => match bodies.get(b.index()) {
            Some(body) => format!("{}/shape{index}", body.name),
            None => format!("shape{index}"),
        },
        None => format!("world/shape{index}"),
    });
    let mut local = def.local;
    if let Some(b) = body {
        validate::body_exists(&format!("shape '{name}'"), b, bodies.len())?;
        local.position -= bodies[b.index()].com;
    }
    Ok(Shape {
        name,
        body,
        local,
        geometry: def.geometry,
        material: def.material,
        group: def.group,
        colour: def.colour,
        texture: def.texture,
    })
}
