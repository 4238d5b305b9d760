//! The quantities along which limits, dry friction, springs and drives act: a joint coordinate, or the length of a
//! tendon, which is a sum of coordinates and of the length of a path.

use super::{RowSource, Rows, bodies_of};
use crate::control::Control;
use crate::math::Vec3;
use crate::model::{Axis, JointId, Model, TendonId};
use crate::path::PathKinematics;
use linkwork_solve::ImpulseSet;

/// A joint coordinate, or the length Σ cᵢ qᵢ + |path| of a tendon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Along {
    Coordinate(JointId, usize),
    Tendon(TendonId),
}

impl Along {
    /// All coordinates of joints, then all tendons, with the elements that act along them.
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

    /// Its coordinates with their factors; a tendon may have a path in addition.
    pub fn terms(self, model: &Model) -> impl Iterator<Item = (JointId, usize, f64)> {
        let (one, several) = match self {
            Self::Coordinate(joint, c) => (Some((joint, c, 1.0)), &[][..]),
            Self::Tendon(tendon) => (None, &model.tendon(tendon).terms[..]),
        };
        let several = several.iter().map(|t| (t.joint, t.coordinate, t.factor));
        one.into_iter().chain(several)
    }

    /// Whether it jumped between two measurements of all coordinates (a rotation vector at half a turn).
    pub fn jumps(self, model: &Model, before: &[f64], after: &[f64]) -> bool {
        self.terms(model).any(|(id, ..)| {
            let joint = model.joint(id);
            let range = joint.range();
            joint.kind.jumps(&before[range.clone()], &after[range])
        })
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
    /// The path of a tendon at the start of the step; `None` for coordinates.
    pub(crate) fn path(&self, along: Along) -> Option<&PathKinematics> {
        match along {
            Along::Coordinate(..) => None,
            Along::Tendon(tendon) => self.paths.get(tendon.index()),
        }
    }

    /// Coordinate or length at the start of the step, m or rad.
    pub(crate) fn value(&self, model: &Model, along: Along) -> f64 {
        if let Along::Coordinate(joint, c) = along {
            return self.coordinate(joint, c);
        }
        let terms = along.terms(model);
        let sum: f64 = terms
            .map(|(j, c, factor)| factor * self.coordinate(j, c))
            .sum();
        sum + self.path(along).map_or(0.0, |p| p.length)
    }

    /// Its velocity before the step.
    pub(crate) fn velocity(&self, model: &Model, along: Along) -> f64 {
        if let Along::Coordinate(joint, c) = along {
            return self.coordinate_velocity(model, joint, c);
        }
        let terms = along.terms(model);
        let sum: f64 = terms
            .map(|(j, c, factor)| factor * self.coordinate_velocity(model, j, c))
            .sum();
        let of_path = |(body, j): &(usize, [f64; 6])| {
            let u = &self.u_minus[6 * body..6 * body + 6];
            j.iter().zip(u).map(|(j, u)| j * u).sum::<f64>()
        };
        let path = self.path(along).map_or(&[][..], |p| &p.jacobian);
        sum + path.iter().map(of_path).sum::<f64>()
    }

    /// Adds a force along a coordinate or length (N or N m) to the wrenches on the bodies.
    pub(crate) fn add_force(
        &self,
        model: &Model,
        along: Along,
        force: f64,
        wrenches: &mut [[Vec3; 2]],
    ) {
        let mut add = |body: usize, force: f64, j: &[f64; 6]| {
            wrenches[body][0] += force * Vec3::new(j[0], j[1], j[2]);
            wrenches[body][1] += force * Vec3::new(j[3], j[4], j[5]);
        };
        for (joint, c, factor) in along.terms(model) {
            let [jb, jf] = self.coordinate_jacobian(joint, c);
            let joint = model.joint(joint);
            if let Some(base) = joint.base {
                add(base.index(), force * factor, jb);
            }
            add(joint.follower.index(), force * factor, jf);
        }
        for (body, j) in self.path(along).map_or(&[][..], |p| &p.jacobian) {
            add(*body, force, j);
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
                let Self { paths, problem, .. } = self;
                for (body, j) in paths.get(tendon.index()).map_or(&[][..], |p| &p.jacobian) {
                    bodies_of(problem).push_entry(*body, &[j.map(|x| sign * x)]);
                }
            }
        }
        self.problem.v_bias.push(bias);
        self.problem.compliance.push(compliance);
    }
}
