//! The equations of a converged step, F(u⁺, λ; p) = 0, and its result.
//!
//! Momentum M (u⁺ − u_f) = Jᵀλ, and for each active block the σ that vanishes or slides: joints, couplings, hard
//! limits, springs and armatures by their positions at the end of the step, as in the closure; the others by
//! velocities, as in the problem.

use super::GradientError;
use super::active::{Active, Activity};
use super::parameter::Point;
use crate::integrate::Motion;
use crate::joints::{MAX_COORDINATES, MAX_ROWS, Row};
use crate::math::{Pose, Twist};
use crate::model::{JointId, Model};
use crate::path::path_length_at;
use crate::posed::{Departure, Posed};
use crate::rows::{Along, Carried, Limited, RowSource, Rows, limit_bias};
use crate::settings::Settings;
use crate::state::placement;
use linkwork_solve::ImpulseSet;
use std::ops::Range;

/// Initial data of the step, in addition to its parameters.
#[derive(Clone)]
pub(super) struct Start {
    pub settings: Settings,
    pub carried: Vec<Carried>,
    pub released: Vec<RowSource>,
    pub dt: f64,
    pub kick: f64,
}

/// The active blocks, with their index among the unknown impulses.
pub(super) struct Acting {
    pub source: RowSource,
    pub activity: Activity,
    pub rows: Range<usize>,
}

impl Acting {
    /// Those of an active set that act.
    pub fn of(rows: &Rows, active: &[Active]) -> Vec<Self> {
        let mut end = 0;
        let mut acting = Vec::new();
        for (k, a) in active.iter().enumerate() {
            if a.activity == Activity::Open {
                continue;
            }
            let dim = rows.problem.sets.range(k).len();
            acting.push(Self {
                source: a.source,
                activity: a.activity,
                rows: end..end + dim,
            });
            end += dim;
        }
        acting
    }
}

/// u⁺ and the impulses of what acts.
#[derive(Clone)]
pub(super) struct Unknowns {
    pub u_plus: Vec<f64>,
    pub lambda: Vec<f64>,
}

/// Value of the equations for given parameters and unknowns.
pub(super) struct Evaluated {
    /// M (u⁺ − u_f) − Jᵀλ, N s and N m s.
    pub momentum: Vec<f64>,
    /// σ of the rows that act, m/s or rad/s.
    pub sigma: Vec<f64>,
    /// μ of a cone or bound of an interval, for each active block.
    pub size: Vec<f64>,
    /// Where the step leads.
    pub poses: Vec<Pose>,
    pub twists: Vec<Twist>,
}

/// The equations at one point.
pub(super) struct Equations {
    pub point: Point,
    pub posed: Posed,
    start: Start,
    /// Block of each that acts.
    pub blocks: Vec<usize>,
}

impl Equations {
    /// Pose the step at `point`; what acts must be there.
    pub fn new(point: Point, start: &Start, acting: &[Acting]) -> Result<Self, GradientError> {
        let mut posed = Posed::new(&point.model);
        posed.pose(&Departure {
            model: &point.model,
            state: &point.state,
            control: &point.control,
            settings: &start.settings,
            carried: &start.carried,
            released: &start.released,
            dt: start.dt,
            kick: start.kick,
        });
        let find = |a: &Acting| {
            let sources = &posed.rows.sources;
            let found = sources.iter().position(|source| *source == a.source);
            found.ok_or(GradientError::Kink(a.source))
        };
        Ok(Self {
            blocks: acting.iter().map(find).collect::<Result<_, _>>()?,
            start: start.clone(),
            point,
            posed,
        })
    }

    /// Everything at the unknowns `x`.
    pub fn evaluate(&self, acting: &[Acting], x: &Unknowns) -> Evaluated {
        let rows = &self.posed.rows;
        let (mass, jacobian, u_free) = rows.bodies();
        let motion = Motion {
            model: &self.point.model,
            state: &self.point.state,
            from: &self.point.state.poses,
            plan: &self.posed.plan,
            settings: &self.start.settings,
            momenta: &self.posed.momenta,
        };
        let mut poses = Vec::new();
        motion.move_poses(rows, &x.u_plus, &mut poses);
        let mut twists = vec![Twist::zero(); poses.len()];
        motion.new_twists(rows, &x.u_plus, &poses, &mut twists);
        let change: Vec<f64> = x.u_plus.iter().zip(u_free).map(|(u, f)| u - f).collect();
        let mut momentum = vec![0.0; change.len()];
        mass.multiply(&change, &mut momentum);
        let mut sigma = vec![0.0; x.lambda.len()];
        let mut size = Vec::with_capacity(acting.len());
        let end = self.end_coordinates(&poses);
        for (a, &k) in acting.iter().zip(&self.blocks) {
            let lambda = &x.lambda[a.rows.clone()];
            for entry in jacobian.entries_of(k) {
                let p = &mut momentum[6 * entry.body..6 * entry.body + 6];
                for (l, j) in lambda.iter().zip(jacobian.values_of(entry, lambda.len())) {
                    p.iter_mut().zip(j).for_each(|(p, j)| *p -= l * j);
                }
            }
            size.push(match rows.problem.sets.set(k) {
                ImpulseSet::Coulomb { mu } | ImpulseSet::CoulombMoment { mu, .. } => mu,
                ImpulseSet::Interval { bound } => bound,
                _ => 0.0,
            });
            let out = &mut sigma[a.rows.clone()];
            if !self.positions(k, (&poses, &end), lambda, out) {
                let first = rows.problem.sets.range(k).start;
                for (row, (out, l)) in out.iter_mut().zip(lambda).enumerate() {
                    *out = rows.velocity_of(k, row, &x.u_plus)
                        + rows.problem.v_bias[first + row]
                        + rows.problem.compliance[first + row] * l;
                }
            }
        }
        Evaluated {
            momentum,
            sigma,
            size,
            poses,
            twists,
        }
    }

    /// Whether σ of block `k` is defined by positions at the end of the step.
    pub fn is_of_positions(&self, k: usize) -> bool {
        let rows = &self.posed.rows;
        let hard = self.start.settings.closure.enabled && !rows.is_soft(k);
        match rows.sources[k] {
            RowSource::Joint(_) | RowSource::Coupling(_) => hard,
            RowSource::Limit { .. } | RowSource::TendonLimit { .. } | RowSource::TurnLimit(_) => {
                let along = self.limited(k);
                let limits = along.and_then(|(along, _)| along.limits(&self.point.model));
                hard && limits.is_some_and(|l| l.restitution == 0.0)
            }
            _ => rows.geared.iter().any(|g| g.block == Some(k)),
        }
    }

    /// What a limit limits, and whether it is the upper one.
    fn limited(&self, k: usize) -> Option<(Limited, bool)> {
        Limited::of(self.posed.rows.sources[k])
    }

    /// σ of block `k` by positions, into `out`; false if it is defined by velocities.
    fn positions(
        &self,
        k: usize,
        (poses, end): (&[Pose], &[f64]),
        lambda: &[f64],
        out: &mut [f64],
    ) -> bool {
        if !self.is_of_positions(k) {
            return false;
        }
        let (model, rows, dt) = (&self.point.model, &self.posed.rows, self.start.dt);
        match rows.sources[k] {
            RowSource::Joint(id) => self.joint(id, poses, out),
            RowSource::Coupling(id) => {
                let coupling = &model.couplings()[id.index()];
                let q = |joint: JointId, c: usize| end[model.joint(joint).first_coordinate + c];
                out[0] = coupling.residual(|term| q(term.joint, term.coordinate)) / dt;
            }
            _ => {
                if let Some((limited, upper)) = self.limited(k) {
                    let Some(limits) = limited.limits(model) else {
                        return false;
                    };
                    let gap = |q: f64| match upper {
                        true => limits.max - q,
                        false => q - limits.min,
                    };
                    let from = gap(rows.limited_value(model, limited));
                    let to = gap(match limited {
                        Limited::Along(along) => value(model, poses, end, along),
                        Limited::Turn(id) => {
                            let joint = model.joint(id);
                            joint.turn(&end[joint.range()]).unwrap_or(0.0)
                        }
                    });
                    let stabilization = &self.start.settings.stabilization;
                    // In a staggered step the old velocities do not move the poses.
                    let bias = limit_bias(from, 0.0, stabilization, &self.posed.plan);
                    out[0] = (to - from) / dt + bias;
                } else if let Some(gear) = rows.geared.iter().find(|g| g.block == Some(k)) {
                    let to = value(model, poses, end, gear.along);
                    let rate = (to - rows.value(model, gear.along)) / dt;
                    out[0] = rate + gear.bias + gear.compliance * lambda[0];
                }
            }
        }
        true
    }

    /// C(end)/dt of a joint.
    fn joint(&self, id: JointId, poses: &[Pose], out: &mut [f64]) {
        let joint = self.point.model.joint(id);
        let turns = &self.point.state.coordinates[joint.range()];
        let mut rows = [Row::ZERO; MAX_ROWS];
        let rows = &mut rows[..out.len()];
        let place = placement(poses, joint);
        joint.kind.constrain(&place.relative, turns, rows);
        for (out, row) in out.iter_mut().zip(rows) {
            *out = row.value / self.start.dt;
        }
    }

    /// Coordinates of all joints at the end of the step.
    fn end_coordinates(&self, poses: &[Pose]) -> Vec<f64> {
        let mut end = self.point.state.coordinates.clone();
        for joint in self.point.model.joints() {
            let place = placement(poses, joint);
            let turns = &self.point.state.coordinates[joint.range()];
            let mut rows = [Row::ZERO; MAX_COORDINATES];
            let rows = &mut rows[..turns.len()];
            joint.kind.measure(&place.relative, turns, rows);
            for (q, row) in end[joint.range()].iter_mut().zip(rows) {
                *q = row.value;
            }
        }
        end
    }
}

/// A coordinate or length at the end of the step, m or rad.
fn value(model: &Model, poses: &[Pose], end: &[f64], along: Along) -> f64 {
    let terms = along.terms(model);
    let sum: f64 = terms
        .map(|(joint, c, factor)| factor * end[model.joint(joint).first_coordinate + c])
        .sum();
    match along {
        Along::Coordinate(..) => sum,
        Along::Tendon(tendon) => sum + path_length_at(&model.tendon(tendon).path, model, poses),
    }
}
