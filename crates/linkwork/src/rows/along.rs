//! What limits, dry friction, springs and drives act along: a joint coordinate or the length of a tendon.

use super::{RowSource, Rows, bodies_of};
use crate::control::Control;
use crate::math::Vec3;
use crate::model::{Axis, JointId, Model, TendonId};
use linkwork_solve::ImpulseSet;

/// A joint coordinate, or the length Σ cᵢ qᵢ of a tendon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Along {
    Coordinate(JointId, usize),
    Tendon(TendonId),
}

impl Along {
    /// All coordinates of joints, then all tendons, with what acts along them.
    pub fn all(model: &Model) -> impl Iterator<Item = (Self, &Axis)> {
        let all = model.layout().all.iter();
        all.map(|along| (*along, along.axis(model)))
    }

    /// What acts along it.
    pub fn axis(self, model: &Model) -> &Axis {
        match self {
            Self::Coordinate(joint, c) => &model.joint(joint).axes[c],
            Self::Tendon(tendon) => &model.tendon(tendon).axis,
        }
    }

    /// The coordinates it is a sum of, with their factors.
    pub fn terms(self, model: &Model) -> impl Iterator<Item = (JointId, usize, f64)> {
        let (one, several) = match self {
            Self::Coordinate(joint, c) => (Some((joint, c, 1.0)), &[][..]),
            Self::Tendon(tendon) => (None, &model.tendon(tendon).terms[..]),
        };
        let several = several.iter().map(|t| (t.joint, t.coordinate, t.factor));
        one.into_iter().chain(several)
    }

    /// Position and velocity target of its drive.
    pub fn targets(self, model: &Model, control: &Control) -> (f64, f64) {
        match self {
            Self::Coordinate(joint, c) => {
                let at = model.joint(joint).first_coordinate + c;
                (control.targets[at], control.velocity_targets[at])
            }
            Self::Tendon(tendon) => {
                let at = tendon.index();
                let velocity = control.tendon_velocity_targets[at];
                (control.tendon_targets[at], velocity)
            }
        }
    }

    pub fn limit(self, upper: bool) -> RowSource {
        match self {
            Self::Coordinate(joint, c) => RowSource::Limit {
                joint,
                coordinate: c as u8,
                upper,
            },
            Self::Tendon(tendon) => RowSource::TendonLimit { tendon, upper },
        }
    }

    pub fn friction(self) -> RowSource {
        match self {
            Self::Coordinate(joint, c) => RowSource::Friction {
                joint,
                coordinate: c as u8,
            },
            Self::Tendon(tendon) => RowSource::TendonFriction(tendon),
        }
    }

    pub fn passive(self) -> RowSource {
        match self {
            Self::Coordinate(joint, c) => RowSource::Passive {
                joint,
                coordinate: c as u8,
            },
            Self::Tendon(tendon) => RowSource::TendonPassive(tendon),
        }
    }

    pub fn drive(self) -> RowSource {
        match self {
            Self::Coordinate(joint, c) => RowSource::Drive {
                joint,
                coordinate: c as u8,
            },
            Self::Tendon(tendon) => RowSource::TendonDrive(tendon),
        }
    }
}

impl Rows {
    /// Coordinate or length at the start of the step, m or rad.
    pub(crate) fn value(&self, model: &Model, along: Along) -> f64 {
        if let Along::Coordinate(joint, c) = along {
            return self.coordinate(joint, c);
        }
        let terms = along.terms(model);
        terms
            .map(|(j, c, factor)| factor * self.coordinate(j, c))
            .sum()
    }

    /// Its velocity before the step.
    pub(crate) fn velocity(&self, model: &Model, along: Along) -> f64 {
        if let Along::Coordinate(joint, c) = along {
            return self.coordinate_velocity(model, joint, c);
        }
        let terms = along.terms(model);
        terms
            .map(|(j, c, factor)| factor * self.coordinate_velocity(model, j, c))
            .sum()
    }

    /// Add a force along a coordinate or length (N or N m) to the wrenches on the bodies.
    pub(crate) fn add_force(
        &self,
        model: &Model,
        along: Along,
        force: f64,
        wrenches: &mut [[Vec3; 2]],
    ) {
        for (joint, c, factor) in along.terms(model) {
            let [jb, jf] = self.coordinate_jacobian(joint, c);
            let mut add = |body: usize, j: &[f64; 6]| {
                wrenches[body][0] += force * factor * Vec3::new(j[0], j[1], j[2]);
                wrenches[body][1] += force * factor * Vec3::new(j[3], j[4], j[5]);
            };
            let joint = model.joint(joint);
            if let Some(base) = joint.base {
                add(base.index(), jb);
            }
            add(joint.follower.index(), jf);
        }
    }

    /// A block of one row along `sign` times a coordinate or length.
    pub(crate) fn push_along(
        &mut self,
        model: &Model,
        along: Along,
        sign: f64,
        set: ImpulseSet,
        (bias, compliance): (f64, f64),
        source: RowSource,
    ) {
        match along {
            Along::Coordinate(joint, c) => {
                let Self {
                    kinematics,
                    problem,
                    ..
                } = self;
                let rows = &kinematics[joint.index()].jacobians[c];
                let joint = model.joint(joint);
                let base = joint.base.map(|b| b.index());
                bodies_of(problem).push_single(base, joint.follower.index(), sign, rows);
                self.sources.push(source);
                self.problem.sets.push(set);
            }
            Along::Tendon(tendon) => {
                self.push_block(source, set);
                for term in &model.tendon(tendon).terms {
                    let factor = sign * term.factor;
                    self.add_coordinate(model, term.joint, term.coordinate, factor);
                }
            }
        }
        self.problem.v_bias.push(bias);
        self.problem.compliance.push(compliance);
    }
}
