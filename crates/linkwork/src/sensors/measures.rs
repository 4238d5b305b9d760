//! Readings of limits, energies, volumes, cameras and distances.

use super::volume::contains;
use super::{LastStep, LimitOf, Nearest, Reading};
use crate::State;
use crate::math::Vec3;
use crate::metrics::{kinetic_energy, potential_energy};
use crate::model::{Model, ShapeId, TendonId};
use crate::rows::{Along, Limited};

impl LimitOf {
    fn limited(self) -> Limited {
        match self {
            Self::Coordinate { joint, coordinate } => {
                Limited::Along(Along::Coordinate(joint, coordinate))
            }
            Self::Turn { joint } => Limited::Turn(joint),
            Self::Tendon { tendon } => Limited::Along(Along::Tendon(tendon)),
        }
    }

    /// Rate of the limited quantity, m/s or rad/s.
    fn rate(self, model: &Model, state: &State) -> f64 {
        match self {
            Self::Coordinate { joint, coordinate } => {
                state.joint_velocities(model, joint)[coordinate]
            }
            Self::Tendon { tendon } => state.tendon_velocity(model, tendon),
            Self::Turn { joint } => {
                let first = model.joint(joint).kind.rotation_vector().unwrap_or(0);
                let part = |all: &[f64]| Vec3::from_column_slice(&all[first..first + 3]);
                let theta = part(state.joint_coordinates(model, joint));
                let axis = theta.try_normalize(0.0).unwrap_or(Vec3::z());
                axis.dot(&part(&state.joint_velocities(model, joint)))
            }
        }
    }

    /// The gap of the violated limit, if any, and its rate.
    fn passed(self, model: &Model, state: &State) -> Option<(f64, f64)> {
        let limits = self.limited().limits(model)?;
        let value = self.limited().value(model, state);
        let sides = [(value - limits.min, 1.0), (limits.max - value, -1.0)];
        let (gap, sign) = sides.into_iter().find(|(gap, _)| *gap < 0.0)?;
        Some((gap, sign * self.rate(model, state)))
    }

    /// Force of the limits in the last step, N or N m.
    pub(super) fn force(self, model: &Model, last: &LastStep) -> f64 {
        let efforts = |first: usize, count: usize| {
            let all = last.efforts[first..first + count].iter();
            all.map(|e| e.limit * e.limit).sum::<f64>().sqrt()
        };
        match self {
            Self::Coordinate { joint, coordinate } => {
                efforts(model.joint(joint).first_coordinate + coordinate, 1)
            }
            Self::Turn { joint } => {
                let joint = model.joint(joint);
                let first = joint.kind.rotation_vector().unwrap_or(0);
                efforts(joint.first_coordinate + first, 3)
            }
            Self::Tendon { tendon } => last.tendon_efforts[tendon.index()].limit.abs(),
        }
    }
}

impl Model {
    /// The values of a reading of this file for a state; `None` for others.
    pub(super) fn measure(&self, reading: &Reading, state: &State) -> Option<Vec<f64>> {
        Some(match reading {
            Reading::LimitGap { limit } => {
                vec![limit.passed(self, state).map_or(0.0, |(gap, _)| gap)]
            }
            Reading::LimitRate { limit } => {
                vec![limit.passed(self, state).map_or(0.0, |(_, rate)| rate)]
            }
            Reading::PotentialEnergy { fixed } => vec![potential_energy(self, state) + fixed],
            Reading::KineticEnergy => vec![kinetic_energy(self, state) + self.rotors(state)],
            Reading::Inside {
                frame,
                volume,
                object,
            } => {
                let point = self.frame(*object).pose(state).position;
                let local = self
                    .frame(*frame)
                    .pose(state)
                    .inverse_transform_point(&point);
                vec![f64::from(u8::from(contains(volume, &local)))]
            }
            Reading::Projection {
                frame,
                camera,
                focal,
                size,
            } => {
                let point = self.frame(*frame).pose(state).position;
                let seen = self
                    .frame(*camera)
                    .pose(state)
                    .inverse_transform_point(&point);
                // In the plane of the camera everything is infinitely far away.
                let depth = if seen.z == 0.0 {
                    f64::MIN_POSITIVE
                } else {
                    -seen.z
                };
                vec![
                    0.5 * size[0] + focal[0] * seen.x / depth,
                    0.5 * size[1] - focal[1] * seen.y / depth,
                ]
            }
            Reading::Nearest {
                from,
                to,
                within,
                value,
            } => self.nearest(state, from, to, *within, *value),
            Reading::Contacts { query } => self.contacts_at(query, state),
            _ => return None,
        })
    }

    /// Kinetic energy of armatures, J.
    fn rotors(&self, state: &State) -> f64 {
        let mut energy = 0.0;
        for (j, joint) in self.joints().iter().enumerate() {
            if joint.axes.iter().any(|a| a.armature > 0.0) {
                let rates = state.joint_velocities(self, crate::model::JointId(j as u32));
                let axes = joint.axes.iter().zip(rates.iter());
                energy += axes.map(|(a, v)| 0.5 * a.armature * v * v).sum::<f64>();
            }
        }
        for (t, tendon) in self.tendons().iter().enumerate() {
            if tendon.axis.armature > 0.0 {
                let rate = state.tendon_velocity(self, TendonId(t as u32));
                energy += 0.5 * tendon.axis.armature * rate * rate;
            }
        }
        energy
    }

    fn nearest(
        &self,
        state: &State,
        from: &[ShapeId],
        to: &[ShapeId],
        within: f64,
        value: Nearest,
    ) -> Vec<f64> {
        let mut world = self.collision().clone();
        let mut best: Option<(f64, Vec3, Vec3)> = None;
        for &a in from {
            for &b in to {
                let reach = best.map_or(within, |(gap, ..)| gap);
                // Contacts act at the clearance; the distance is that of the surfaces.
                let clear = world.clearance(a, b);
                let Some(found) = world.between(&state.poses, (a, b), reach) else {
                    continue;
                };
                let gap = found.gap + clear;
                if gap <= reach {
                    let sign = if a <= b { 1.0 } else { -1.0 };
                    best = Some((gap, sign * found.normal, found.point));
                }
            }
        }
        match (value, best) {
            (Nearest::Distance, Some((gap, ..))) => vec![gap],
            (Nearest::Distance, None) => vec![within],
            (Nearest::Direction, Some((_, normal, _))) => normal.iter().copied().collect(),
            (Nearest::Direction, None) => vec![0.0; 3],
            (Nearest::Points, Some((gap, normal, middle))) => {
                let half = 0.5 * gap * normal;
                let ends = [middle - half, middle + half];
                ends.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
            }
            (Nearest::Points, None) => vec![0.0; 6],
        }
    }
}
