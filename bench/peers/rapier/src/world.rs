//! The scene in Rapier.

use crate::scene::{Form, Scene, Shape};
use rapier3d_f64::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// Everything that a step needs.
pub struct World {
    parameters: IntegrationParameters,
    pipeline: PhysicsPipeline,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
    handles: Vec<RigidBodyHandle>,
}

fn vector(v: [f64; 3]) -> Vector {
    Vector::new(v[0], v[1], v[2])
}

fn rotation(q: [f64; 4]) -> Rotation {
    Rotation::from_xyzw(q[1], q[2], q[3], q[0])
}

fn pose(p: [f64; 7]) -> Pose {
    Pose::from_parts(
        vector([p[0], p[1], p[2]]),
        rotation([p[3], p[4], p[5], p[6]]),
    )
}

/// A shape without mass: bodies have their own.
fn collider(shape: &Shape) -> ColliderBuilder {
    let mut place = pose(shape.pose);
    if matches!(shape.form, Form::Cylinder { .. }) {
        // Rapier's are along y.
        place = place * Pose::rotation(FRAC_PI_2 * Vector::X);
    }
    let form = match shape.form {
        Form::Plane => SharedShape::halfspace(Vector::Z),
        Form::Sphere { radius } => SharedShape::ball(radius),
        Form::Box { half } => SharedShape::cuboid(half[0], half[1], half[2]),
        Form::Capsule { radius, half } => SharedShape::capsule_z(half, radius),
        Form::Cylinder { radius, half } => SharedShape::cylinder(half, radius),
    };
    ColliderBuilder::new(form)
        .position(place)
        .friction(shape.friction)
        .density(0.0)
}

impl World {
    pub fn new(scene: &Scene) -> Self {
        let mut parameters = IntegrationParameters {
            dt: scene.dt,
            ..IntegrationParameters::default()
        };
        if scene.stiff {
            // Springs as stiff as the step allows, no overlap left alone, four times the iterations of the default.
            let stiff = SpringCoefficients::new(1.0 / scene.dt, 1.0);
            parameters.contact_softness = stiff;
            parameters.static_contact_softness = stiff;
            parameters.normalized_allowed_linear_error = 0.0;
            parameters.num_solver_iterations = 16;
        }
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        let mut handles = Vec::new();
        for body in &scene.bodies {
            let mass = MassProperties::with_principal_inertia_frame(
                Vector::ZERO,
                body.mass,
                vector(body.inertia),
                rotation(body.axes),
            );
            let t = body.twist;
            // Linkwork and MuJoCo do not put bodies to sleep.
            let rigid = RigidBodyBuilder::dynamic()
                .pose(pose(body.pose))
                .linvel(vector([t[0], t[1], t[2]]))
                .angvel(vector([t[3], t[4], t[5]]))
                .additional_mass_properties(mass)
                .can_sleep(false);
            let handle = bodies.insert(rigid);
            for shape in &body.shapes {
                colliders.insert_with_parent(collider(shape), handle, &mut bodies);
            }
            handles.push(handle);
        }
        for shape in &scene.world {
            colliders.insert(collider(shape));
        }
        let ground = bodies.insert(RigidBodyBuilder::fixed());
        let mut impulse_joints = ImpulseJointSet::new();
        for joint in &scene.joints {
            let a = joint.a.map_or(ground, |a| handles[a]);
            let (from, to) = (vector(joint.anchor_a), vector(joint.anchor_b));
            let joint_data: GenericJoint = match joint.axis {
                Some(axis) => RevoluteJointBuilder::new(vector(axis))
                    .local_anchor1(from)
                    .local_anchor2(to)
                    .build()
                    .into(),
                None => SphericalJointBuilder::new()
                    .local_anchor1(from)
                    .local_anchor2(to)
                    .build()
                    .into(),
            };
            impulse_joints.insert(a, handles[joint.b], joint_data, true);
        }
        Self {
            parameters,
            pipeline: PhysicsPipeline::new(),
            islands: IslandManager::new(),
            broad: BroadPhaseBvh::new(),
            narrow: NarrowPhase::new(),
            bodies,
            colliders,
            impulse_joints,
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
            handles,
        }
    }

    pub fn step(&mut self) {
        self.pipeline.step(
            Vector::new(0.0, 0.0, -9.81),
            &self.parameters,
            &mut self.islands,
            &mut self.broad,
            &mut self.narrow,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
    }

    pub fn poses(&self) -> Vec<[f64; 7]> {
        let pose = |h: &RigidBodyHandle| {
            let (p, q) = (self.bodies[*h].translation(), self.bodies[*h].rotation());
            [p.x, p.y, p.z, q.w, q.x, q.y, q.z]
        };
        self.handles.iter().map(pose).collect()
    }

    /// Widest gap of a joint now, m.
    pub fn gap(&self, scene: &Scene) -> f64 {
        let at = |body: Option<usize>, point: [f64; 3]| match body {
            Some(i) => *self.bodies[self.handles[i]].position() * vector(point),
            None => vector(point),
        };
        let gaps = scene
            .joints
            .iter()
            .map(|j| (at(j.a, j.anchor_a) - at(Some(j.b), j.anchor_b)).length());
        gaps.fold(0.0, f64::max)
    }
}
