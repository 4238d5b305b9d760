//! Builds a [`Model`], validating it whole at the end.

use super::joint::Frames;
use super::layout::Layout;
use super::{
    Body, BodyDef, BodyId, Coupling, CouplingId, Joint, JointDef, JointId, Model, ModelError,
    PairMaterial, Shape, ShapeDef, ShapeId, ShapePair, Tendon, TendonId, validate,
};
use crate::collision::CollisionWorld;
use crate::joints::{MAX_COORDINATES, Placement, Row};
use crate::math::{Mat3, Pose, Vec3, rotation_between};
use std::sync::Arc;

/// Collects bodies, joints, couplings, tendons and shapes; [`ModelBuilder::build`] checks them.
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    gravity: Vec3,
    bodies: Vec<BodyDef>,
    joints: Vec<JointDef>,
    couplings: Vec<Coupling>,
    tendons: Vec<Tendon>,
    shapes: Vec<(Option<BodyId>, ShapeDef)>,
    excluded: Vec<(BodyId, BodyId)>,
    excluded_from_world: Vec<BodyId>,
    pairs: Vec<ShapePair>,
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
            gravity: Vec3::new(0.0, 0.0, -9.81),
            bodies: Vec::new(),
            joints: Vec::new(),
            couplings: Vec::new(),
            tendons: Vec::new(),
            shapes: Vec::new(),
            excluded: Vec::new(),
            excluded_from_world: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Set gravity, m/s².
    pub fn gravity(&mut self, gravity: Vec3) -> &mut Self {
        self.gravity = gravity;
        self
    }

    /// Add a body.
    pub fn add_body(&mut self, body: BodyDef) -> BodyId {
        self.bodies.push(body);
        BodyId(self.bodies.len() as u32 - 1)
    }

    /// Add a joint.
    pub fn add_joint(&mut self, joint: JointDef) -> JointId {
        self.joints.push(joint);
        JointId(self.joints.len() as u32 - 1)
    }

    /// Add a coupling of joint coordinates.
    pub fn add_coupling(&mut self, coupling: Coupling) -> CouplingId {
        self.couplings.push(coupling);
        CouplingId(self.couplings.len() as u32 - 1)
    }

    /// Add a tendon over joint coordinates or along a path.
    pub fn add_tendon(&mut self, tendon: Tendon) -> TendonId {
        self.tendons.push(tendon);
        TendonId(self.tendons.len() as u32 - 1)
    }

    /// Add a shape to a body, or to the world (`None`). Several on one body form a compound.
    pub fn add_shape(&mut self, body: impl Into<Option<BodyId>>, shape: ShapeDef) -> ShapeId {
        self.shapes.push((body.into(), shape));
        ShapeId(self.shapes.len() as u32 - 1)
    }

    /// Never let two bodies collide, or a body with the shapes of the world (`None`).
    pub fn exclude(
        &mut self,
        a: impl Into<Option<BodyId>>,
        b: impl Into<Option<BodyId>>,
    ) -> &mut Self {
        match (a.into(), b.into()) {
            (Some(a), Some(b)) => self.excluded.push((a.min(b), a.max(b))),
            (Some(body), None) | (None, Some(body)) => self.excluded_from_world.push(body),
            // Shapes of the world never touch each other.
            (None, None) => {}
        }
        self
    }

    /// Let two shapes of different bodies touch in any case, with a surface of their own.
    pub fn pair(&mut self, a: ShapeId, b: ShapeId, surface: PairMaterial) -> &mut Self {
        let (a, b) = (a.min(b), a.max(b));
        self.pairs.push(ShapePair { a, b, surface });
        self
    }

    /// Check everything and make the model.
    pub fn build(self) -> Result<Arc<Model>, ModelError> {
        validate::check_gravity(&self.gravity)?;
        validate::sizes([
            self.bodies.len(),
            self.joints.len(),
            self.couplings.len(),
            self.tendons.len(),
            self.shapes.len(),
            self.excluded.len() + self.excluded_from_world.len() + self.joints.len(),
            self.pairs.len(),
        ])?;
        let bodies = self
            .bodies
            .into_iter()
            .map(make_body)
            .collect::<Result<Vec<_>, _>>()?;
        validate::unique("body", bodies.iter().map(|b| b.name.as_str()))?;
        let mut excluded = self.excluded;
        let mut joints = Vec::with_capacity(self.joints.len());
        let mut coordinates = Vec::new();
        for def in self.joints {
            validate::joint_def(&def, &bodies)?;
            if let (Some(base), false) = (def.base, def.collide) {
                excluded.push((base.min(def.follower), base.max(def.follower)));
            }
            let turns = def.coordinates.clone();
            let joint = make_joint(def, &bodies, coordinates.len());
            coordinates.extend(initial_coordinates(&joint, &bodies, turns));
            joints.push(joint);
        }
        validate::unique("joint", joints.iter().map(|j| j.name.as_str()))?;
        validate::couplings(&self.couplings, &joints)?;
        validate::tendons(&self.tendons, &joints, bodies.len())?;
        let mut shapes = Vec::with_capacity(self.shapes.len());
        for (body, def) in self.shapes {
            shapes.push(make_shape(body, def, shapes.len(), &bodies)?);
        }
        validate::unique("shape", shapes.iter().map(|s| s.name.as_str()))?;
        for &(a, b) in &excluded {
            validate::body_exists("a collision exclusion", a, bodies.len())?;
            validate::body_exists("a collision exclusion", b, bodies.len())?;
        }
        excluded.sort_unstable();
        excluded.dedup();
        let mut from_world = self.excluded_from_world;
        for &body in &from_world {
            validate::body_exists("a collision exclusion", body, bodies.len())?;
        }
        from_world.sort_unstable();
        from_world.dedup();
        let mut pairs = self.pairs;
        pairs.sort_by_key(|p| (p.a, p.b));
        validate::pairs(&pairs, &shapes)?;
        let collision = CollisionWorld::with_pairs(&shapes, &excluded, &from_world, &pairs)?;
        let layout = Layout::new(&bodies, &joints, &self.couplings, &self.tendons);
        let mut model = Model {
            gravity: self.gravity,
            bodies,
            joints,
            couplings: self.couplings,
            tendons: self.tendons,
            shapes,
            excluded,
            excluded_from_world: from_world,
            pairs,
            initial_coordinates: coordinates,
            collision,
            layout,
            plans: Arc::default(),
        };
        model.hold_rods();
        Ok(Arc::new(model))
    }
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
            // Given relative to the body frames; kept relative to the centres of mass.
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
        softness: def.softness,
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
    validate::shape_size(&name, &def.geometry)?;
    let mut local = def.local;
    if let Some(b) = body {
        validate::body_exists(&format!("shape '{name}'"), b, bodies.len())?;
        local.position -= bodies[b.index()].com;
    }
    validate::material(&name, &def.material)?;
    Ok(Shape {
        name,
        body,
        local,
        geometry: def.geometry,
        material: def.material,
        group: def.group,
        colour: def.colour,
    })
}
