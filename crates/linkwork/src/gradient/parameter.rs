//! What a step can be differentiated by.

use super::GradientError;
use crate::control::Control;
use crate::math::{Vec3, exp};
use crate::model::{BodyId, Compliance, JointId, Model, ModelData, ShapeId, ShapePair};
use crate::state::State;
use std::sync::Arc;

/// A number that a step depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Force or torque of the control on a coordinate, N or N m.
    Force(usize),
    /// Position target of a coordinate's drive, m or rad.
    Target(usize),
    /// Velocity target of a coordinate's drive, m/s or rad/s.
    VelocityTarget(usize),
    /// Component 0 … 5 of the wrench on a body: force along x, y, z in N, torque about them in N m.
    Wrench(BodyId, usize),
    /// Mass of a body, kg; its inertia grows in proportion.
    Mass(BodyId),
    /// Friction coefficient between two shapes.
    Friction(ShapeId, ShapeId),
    /// Stiffness of the contact of two shapes, N/m ([`Compliance::Physical`]), its modulus, N/m³ ([`Compliance::Pad`]), or its
    /// normal compliance, 1/kg ([`Compliance::Direct`]).
    Compliance(ShapeId, ShapeId),
    /// Component 0 … 2 of a joint's anchor on its base (`follower` false) or follower, m: along the axes of the body,
    /// or of the world if the base is the world. It changes the length of a link.
    Anchor {
        /// The joint.
        joint: JointId,
        /// On which of its bodies.
        follower: bool,
        /// Along x, y or z.
        axis: usize,
    },
}

/// Numbers near which a step is looked at.
#[derive(Clone)]
pub(super) struct Point {
    pub model: Arc<Model>,
    pub state: State,
    pub control: Control,
}

/// A direction in the numbers of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Direction {
    /// Component of the poses, 6 per body: position, then rotation about the world's axes.
    Pose(usize),
    /// Component of the twists, 6 a body.
    Twist(usize),
    Parameter(Parameter),
}

impl Direction {
    /// Step size for differences, in its unit. The scale of positions is a tenth of a millimetre: contacts stay
    /// contacts, and gaps of 1e-11 m, which count as zero, have no effect.
    pub fn stride(&self, point: &Point, dt: f64) -> Result<f64, GradientError> {
        let near = 1e-4 * (dt / 1e-3).min(1.0);
        let parameter = match *self {
            Direction::Pose(_) => return Ok(near),
            Direction::Twist(_) => return Ok(1e-2),
            Direction::Parameter(parameter) => parameter,
        };
        let model = &point.model;
        let known = |s: ShapeId| s.index() < model.shapes().len();
        let size = match parameter {
            Parameter::Force(_) | Parameter::Wrench(..) => 1e-1,
            Parameter::Target(_) | Parameter::VelocityTarget(_) => 1e-2,
            Parameter::Mass(body) => {
                let body = model.bodies().get(body.index());
                body.map_or(0.0, |b| 1e-2 * b.mass)
            }
            Parameter::Friction(a, b) if known(a) && known(b) => {
                1e-2 * model.surface(a, b).friction
            }
            Parameter::Compliance(a, b) if known(a) && known(b) => {
                match model.surface(a, b).compliance {
                    Compliance::Physical { stiffness, .. } => 1e-2 * stiffness,
                    Compliance::Pad { modulus, .. } => 1e-2 * modulus,
                    Compliance::Direct { normal, .. } => 1e-2 * normal,
                    _ => 0.0,
                }
            }
            Parameter::Friction(..) | Parameter::Compliance(..) => 0.0,
            Parameter::Anchor { .. } => near,
        };
        if size > 0.0 {
            Ok(size)
        } else {
            Err(GradientError::NoParameter(parameter))
        }
    }

    /// The numbers `by` further on.
    pub fn go(&self, from: &Point, by: f64) -> Result<Point, GradientError> {
        let mut to = from.clone();
        match *self {
            Direction::Pose(i) => {
                let pose = &mut to.state.poses[i / 6];
                let c = i % 6;
                if c < 3 {
                    pose.position[c] += by;
                } else {
                    let mut turn = Vec3::zeros();
                    turn[c - 3] = by;
                    pose.rotation = exp(&turn) * pose.rotation;
                }
                to.state.update_coordinates(&to.model);
            }
            Direction::Twist(i) => {
                let twist = &mut to.state.twists[i / 6];
                match i % 6 {
                    c @ 0..3 => twist.linear[c] += by,
                    c => twist.angular[c - 3] += by,
                }
            }
            Direction::Parameter(parameter) => {
                let control = &mut to.control;
                let number = match parameter {
                    Parameter::Force(i) => control.forces.get_mut(i),
                    Parameter::Target(i) => control.targets.get_mut(i),
                    Parameter::VelocityTarget(i) => control.velocity_targets.get_mut(i),
                    Parameter::Wrench(body, c) => {
                        let wrench = control.wrenches.get_mut(body.index());
                        wrench.and_then(|w| match c {
                            0..3 => w.force.get_mut(c),
                            _ => w.torque.get_mut(c - 3),
                        })
                    }
                    _ => {
                        let mut data = from.model.data().clone();
                        change(&from.model, &mut data, parameter, by)?;
                        to.model = data.build()?;
                        to.state.update_coordinates(&to.model);
                        return Ok(to);
                    }
                };
                *number.ok_or(GradientError::NoParameter(parameter))? += by;
            }
        }
        Ok(to)
    }
}

fn change(
    model: &Model,
    data: &mut ModelData,
    parameter: Parameter,
    by: f64,
) -> Result<(), GradientError> {
    let missing = GradientError::NoParameter(parameter);
    match parameter {
        Parameter::Mass(body) => {
            let body = data.bodies.get_mut(body.index()).ok_or(missing)?;
            let factor = (body.mass + by) / body.mass;
            body.mass += by;
            body.inertia *= factor;
        }
        Parameter::Anchor {
            joint,
            follower,
            axis,
        } => {
            let joint = data.joints.get_mut(joint.index()).ok_or(missing.clone())?;
            let frame = match follower {
                true => &mut joint.frame_follower,
                false => &mut joint.frame_base,
            };
            *frame.position.get_mut(axis).ok_or(missing)? += by;
        }
        Parameter::Friction(a, b) | Parameter::Compliance(a, b) => {
            let shapes = data.shapes.len();
            if a == b || a.index() >= shapes || b.index() >= shapes {
                return Err(missing);
            }
            let mut surface = model.surface(a, b);
            if let Parameter::Friction(..) = parameter {
                surface.friction += by;
            } else {
                match &mut surface.compliance {
                    Compliance::Physical { stiffness, .. } => *stiffness += by,
                    Compliance::Pad { modulus, .. } => *modulus += by,
                    Compliance::Direct { normal, .. } => *normal += by,
                    _ => return Err(missing),
                }
            }
            let pair = ShapePair {
                a: a.min(b),
                b: a.max(b),
                surface,
            };
            match data
                .pairs
                .binary_search_by_key(&(pair.a, pair.b), |p| (p.a, p.b))
            {
                Ok(i) => data.pairs[i] = pair,
                Err(i) => data.pairs.insert(i, pair),
            }
        }
        _ => return Err(missing),
    }
    Ok(())
}
