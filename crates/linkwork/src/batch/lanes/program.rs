//! What all worlds of a model share: which models are stepped in lanes, and the layout of their rows.

use crate::control::Control;
use crate::integrator::Integrator;
use crate::joints::{JointType, Unit};
use crate::model::{Axis, Compliance, Model};
use crate::posed::{Departure, Posed};
use crate::rows::{Along, Limited, RowSource};
use crate::settings::{Gyroscopic, Impacts, Settings};
use linkwork_solve::DEFAULT_SOLVER;
use linkwork_solve::condense::{Plan, Structure};
use std::ops::Range;
use std::sync::Arc;

/// The rows of a model whose rows never change.
pub(crate) struct Program {
    pub settings: Settings,
    /// Of each body: whether its inertia is a multiple of the identity.
    pub isotropic: Vec<bool>,
    pub joints: Vec<JointCode>,
    /// Springs, dampers and armatures, then drives.
    pub singles: Vec<Single>,
    /// Number of rows, of those that joints lock, and of coordinates.
    pub rows: usize,
    pub locked: usize,
    pub coordinates: usize,
    /// Number of coordinates with armature or spring.
    pub geared: usize,
    /// Where the rows come from, block by block.
    pub sources: Vec<RowSource>,
    /// Bodies and rows of each block; those of joints come first, up to `hard`.
    pub blocks: Vec<Block>,
    pub hard: usize,
    pub plan: Arc<Plan>,
    /// Whether there are shapes that can touch.
    pub touches: bool,
    /// Of each body: whether it has no joint.
    pub loose: Vec<bool>,
    pub limited: Vec<LimitCode>,
    pub rubs: Vec<RubCode>,
}

/// A coordinate with dry friction: its joint, its number among those of the joint, and the source of its row.
pub(crate) struct RubCode {
    pub joint: usize,
    pub own: usize,
    pub source: RowSource,
}

/// A coordinate with limits: its joint, and its number among those of the joint and among all.
pub(crate) struct LimitCode {
    pub joint: usize,
    pub own: usize,
    pub coordinate: usize,
}

/// A block of rows between two bodies.
pub(crate) struct Block {
    pub base: Option<usize>,
    pub follower: usize,
    pub rows: Range<usize>,
}

/// A joint. Its block is its number among those that lock rows.
pub(crate) struct JointCode {
    pub kind: Kind,
    pub base: Option<usize>,
    pub follower: usize,
    /// Its locked rows among all.
    pub rows: Range<usize>,
    /// Its block; none if it locks nothing.
    pub part: Option<usize>,
    /// How many of its rows, from the first on, are lengths; the others are angles.
    pub lengths: usize,
    pub coordinates: Range<usize>,
    /// Whether something acts along its coordinates, or stores energy along them.
    pub acts: bool,
    pub stores: bool,
}

/// How the rows of a joint are found.
pub(crate) enum Kind {
    Revolute,
    Prismatic,
    Fixed,
    /// Rows in lanes, coordinates lane by lane.
    Spherical(Arc<dyn JointType>),
    /// Lane by lane.
    Other(Arc<dyn JointType>),
}

/// A row along one coordinate.
pub(crate) struct Single {
    pub joint: usize,
    /// The coordinate, among those of the joint and among all.
    pub own: usize,
    pub coordinate: usize,
    pub row: usize,
    pub part: usize,
    pub law: Law,
}

/// What acts along it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Law {
    /// Spring, damper and armature; its number among those that store energy, if it is one.
    Passive(Option<usize>),
    Drive,
}

impl Program {
    /// The program of a model, if its rows never change but for contacts and friction: joints, drives, springs, dampers, armatures and dry friction, without
    /// couplings, tendons, softness, dead bands, rigid drives, ranges without width, physical
    /// compliance of contacts, springs on coordinates that may be singular (`rows/bent.rs`), or coordinates that have to be searched for; and if it is
    /// stepped as by default.
    pub fn of(model: &Model, settings: &Settings) -> Option<Self> {
        let layout = model.layout();
        let plain = settings.integrator == Integrator::SemiImplicitEuler
            && settings.adaptive.is_none()
            && settings.solver == DEFAULT_SOLVER
            && !settings.reduced
            && settings.closure.enabled
            && settings.gyroscopic == Gyroscopic::Midpoint
            && settings.warm_start
            && settings.contact.impacts == Impacts::AtOnce;
        let axes = || model.joints().iter().flat_map(|joint| &joint.axes);
        let only_joints = model.couplings().is_empty()
            && model.tendons().is_empty()
            && !layout.locking.is_empty()
            && layout.searching.is_empty()
            && model.joints().iter().all(|joint| joint.softness.is_none())
            && axes().all(|axis: &Axis| axis.spring.band == 0.0)
            && axes().all(|axis| axis.drive.is_none_or(|drive| !drive.is_rigid()))
            && !some_yield_with_the_joints(model)
            && !some_springs_bend(model);
        if !plain || !only_joints {
            return None;
        }
        let limited = limited(model)?;
        let rubs = rubs(model)?;
        let mut posed = Posed::new(model);
        posed.pose(&Departure {
            model,
            state: &model.initial_state(),
            control: &Control::new(model),
            settings,
            carried: &[],
            released: &[],
            dt: settings.dt,
            kick: settings.dt,
        });
        let rows = &posed.rows;
        let mut structure = Structure::default();
        structure.read(&rows.problem);
        let (mut sources, mut end) = (Vec::new(), 0);
        let mut joints: Vec<JointCode> = model.joints().iter().map(joint_code).collect();
        let mut singles = Vec::new();
        let mut blocks = Vec::new();
        for (k, source) in rows.sources.iter().enumerate() {
            let kept = matches!(
                source,
                RowSource::Limit { .. } | RowSource::Friction { .. } | RowSource::Contact(_)
            );
            if kept {
                continue;
            }
            let part = sources.len();
            let range = end..end + rows.problem.sets.range(k).len();
            end = range.end;
            sources.push(*source);
            let (id, own, law) = match *source {
                RowSource::Joint(id) => {
                    let joint = &mut joints[id.index()];
                    blocks.push(joint.block(range.clone()));
                    joint.rows = range;
                    joint.part = Some(part);
                    continue;
                }
                RowSource::Passive { joint, coordinate } => {
                    let same = |along: &Along| matches!(*along, Along::Coordinate(j, c) if (j, c) == (joint, coordinate as usize));
                    let stores = layout.geared.iter().position(same);
                    (joint, coordinate as usize, Law::Passive(stores))
                }
                RowSource::Drive { joint, coordinate } => (joint, coordinate as usize, Law::Drive),
                _ => return None,
            };
            let joint = &mut joints[id.index()];
            blocks.push(joint.block(range.clone()));
            joint.acts = true;
            joint.stores |= matches!(law, Law::Passive(Some(_)));
            singles.push(Single {
                joint: id.index(),
                own,
                coordinate: joint.coordinates.start + own,
                row: range.start,
                part,
                law,
            });
        }
        for rub in &rubs {
            joints[rub.joint].acts = true;
        }
        let hard = layout.locking.len();
        let mut loose = vec![true; model.bodies().len()];
        for joint in &joints {
            for body in joint.base.into_iter().chain([joint.follower]) {
                loose[body] = false;
            }
        }
        Some(Self {
            loose,
            blocks,
            hard,
            settings: settings.clone(),
            isotropic: model.bodies().iter().map(|b| b.isotropic).collect(),
            joints,
            singles,
            rows: end,
            locked: model.locked_rows(),
            coordinates: model.coordinate_count(),
            geared: layout.geared.len(),
            sources,
            touches: model.collision().can_touch(),
            limited,
            rubs,
            plan: model.plans().plan(&structure),
        })
    }

    /// Whether the program fits a variation of its model.
    pub fn fits(&self, model: &Model) -> bool {
        let isotropic = model.bodies().iter().map(|body| body.isotropic);
        isotropic.eq(self.isotropic.iter().copied())
    }

    /// Whether there may be rows that are no equations.
    pub fn keeps(&self) -> bool {
        self.touches || !self.rubs.is_empty()
    }

    /// Number of hidden velocities: of locked rows, then of what stores energy.
    pub fn hidden(&self) -> usize {
        self.locked + self.geared
    }
}

/// Whether there are contacts whose compliance depends on the joints (`rows/near_rigid.rs`).
fn some_yield_with_the_joints(model: &Model) -> bool {
    let shapes = model.shapes().iter().map(|shape| shape.material.compliance);
    let pairs = model.pairs().iter().map(|pair| pair.surface.compliance);
    let mut all = shapes.chain(pairs);
    all.any(|compliance| matches!(compliance, Compliance::Physical { .. }))
}

/// Whether there are springs on coordinates whose rates have no bound.
fn some_springs_bend(model: &Model) -> bool {
    let sprung = |axis: &Axis| axis.spring.stiffness > 0.0;
    let mut joints = model.joints().iter();
    joints.any(|joint| joint.kind.is_singular() && joint.axes.iter().any(sprung))
}

/// The coordinates with dry friction; `None` if there is friction of another kind.
fn rubs(model: &Model) -> Option<Vec<RubCode>> {
    let code = |along: &Along| match *along {
        Along::Coordinate(joint, own) => Some(RubCode {
            joint: joint.index(),
            own,
            source: along.friction(),
        }),
        Along::Tendon(_) => None,
    };
    model.layout().rubbing.iter().map(code).collect()
}

/// The limited coordinates; `None` if there are limits of another kind.
fn limited(model: &Model) -> Option<Vec<LimitCode>> {
    let code = |limited: &Limited| {
        let limits = limited.limits(model)?;
        let Limited::Along(Along::Coordinate(joint, own)) = *limited else {
            return None;
        };
        let (joint, first) = (joint.index(), model.joint(joint).range().start);
        let coordinate = first + own;
        (limits.min < limits.max).then_some(LimitCode {
            joint,
            own,
            coordinate,
        })
    };
    model.layout().limited.iter().map(code).collect()
}

impl JointCode {
    fn block(&self, rows: Range<usize>) -> Block {
        Block {
            base: self.base,
            follower: self.follower,
            rows,
        }
    }

    /// Whether its rows are found lane by lane.
    pub fn is_other(&self) -> bool {
        matches!(self.kind, Kind::Other(_))
    }
}

fn joint_code(joint: &crate::model::Joint) -> JointCode {
    let labels = joint.kind.locked();
    let kind = match joint.kind.name() {
        "revolute" => Kind::Revolute,
        "prismatic" => Kind::Prismatic,
        "fixed" => Kind::Fixed,
        "spherical" => Kind::Spherical(joint.kind.clone()),
        _ => Kind::Other(joint.kind.clone()),
    };
    JointCode {
        kind,
        base: joint.base.map(|b| b.index()),
        follower: joint.follower.index(),
        rows: 0..0,
        part: None,
        lengths: labels.iter().filter(|l| l.1 == Unit::Length).count(),
        coordinates: joint.range(),
        acts: false,
        stores: false,
    }
}
