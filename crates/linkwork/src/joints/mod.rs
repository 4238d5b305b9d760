//! Joint types, one file each. A joint is a function of the relative placement of its two frames: its locked rows C = 0
//! and its coordinates q, both with exact derivatives. To add one, write its file, starting with C, Ċ and J, declare it
//! and add one line to the table below. It is then exported, found by [`by_name`] and covered by the tests of every
//! type in [`all`].

mod cartesian;
mod chain;
mod cylindrical;
mod distance;
mod fixed;
mod free;
mod gimbal;
mod kinematics;
mod motion;
pub(crate) mod named;
mod parameter;
pub mod parts;
mod planar;
mod point_on_line;
mod point_on_plane;
mod prismatic;
mod revolute;
mod screw;
mod spherical;
mod universal;

pub use chain::ChainLink;
pub use kinematics::{Placement, Relative, Row, Unit, unwrap_angle};
pub(crate) use motion::RelativeMotion;
pub use parameter::Parameter;
use parameter::Parameters;

use crate::math::Vec3;
use std::fmt::Debug;
use std::sync::Arc;

/// Most locked rows a joint can have.
pub const MAX_ROWS: usize = 6;
/// Most coordinates a joint can have.
pub const MAX_COORDINATES: usize = 6;

/// Name and unit of a locked row or a coordinate.
pub type Label = (&'static str, Unit);

/// A joint's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The base.
    Base,
    /// The follower.
    Follower,
}

impl End {
    /// From the base anchor to the follower's, in the joint frame of this end, m.
    pub fn sees(self, rel: &Relative) -> Vec3 {
        match self {
            Self::Base => rel.d,
            Self::Follower => rel.rotation.inverse() * rel.d,
        }
    }
}

/// A joint type: which relative motions are locked and how the others are measured.
///
/// The z axis of the joint frames is the principal axis (hinge, slide, screw, plane normal).
pub trait JointType: Debug + Send + Sync {
    /// Lower-case name, e.g. `revolute`.
    fn name(&self) -> &'static str;

    /// Label of each locked row, in order; at most [`MAX_ROWS`].
    fn locked(&self) -> &'static [Label];

    /// Label of each coordinate, in order; at most [`MAX_COORDINATES`].
    fn coordinates(&self) -> &'static [Label];

    /// The locked rows C(rel) with derivatives. `turns` has the last known coordinates, which only some types need: a
    /// screw to determine whole turns, a chain as a starting point.
    fn constrain(&self, rel: &Relative, turns: &[f64], rows: &mut [Row]);

    /// The coordinates q(rel) with derivatives; angles continue from `turns` (multi-turn).
    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]);

    /// The placement with the given coordinates and C = 0.
    fn place(&self, coordinates: &[f64]) -> Relative;

    /// Both together. Returns whether the evaluation from the coordinates found has the same bits: then the data of a
    /// joint at the end of a step is what the next step would find.
    fn rows(
        &self,
        rel: &Relative,
        turns: &[f64],
        locked: &mut [Row],
        coordinates: &mut [Row],
    ) -> bool {
        self.constrain(rel, turns, locked);
        self.measure(rel, turns, coordinates);
        true
    }

    /// The values of [`JointType::constrain`]. A type that searches for its coordinates starts from `guess` and writes
    /// the result there.
    fn residual(&self, rel: &Relative, turns: &[f64], _guess: &mut [f64], values: &mut [f64]) {
        let mut rows = [Row::ZERO; MAX_ROWS];
        let rows = &mut rows[..values.len()];
        self.constrain(rel, turns, rows);
        for (value, row) in values.iter_mut().zip(rows) {
            *value = row.value;
        }
    }

    /// Whether the type searches for its coordinates.
    fn searches(&self) -> bool {
        false
    }

    /// Whether rates of coordinates grow without bound near some poses (gimbal lock).
    fn is_singular(&self) -> bool {
        false
    }

    /// Whether a coordinate can jump between two measurements of one motion, as a rotation vector at half a turn.
    fn jumps(&self, _from: &[f64], _to: &[f64]) -> bool {
        false
    }

    /// The same type with data precomputed from its parameters, if that pays off; models store this form.
    fn prepared(&self) -> Option<Arc<dyn JointType>> {
        None
    }

    /// The same type with its free motion fixed at its present position, as seen from the `end`, for joints that the
    /// others keep from moving. Only a rod has one.
    fn held(&self, _rel: &Relative, _end: End) -> Option<Arc<dyn JointType>> {
        None
    }

    /// Whether it is such a one.
    fn is_held(&self) -> bool {
        false
    }

    /// The first of three coordinates that form a rotation vector, if there is one: its length is the angle bounded by
    /// [turn limits](crate::model::Joint::turn_limits).
    fn rotation_vector(&self) -> Option<usize> {
        None
    }

    /// Value of a coordinate in the reference configuration, where the joint frames coincide, m or rad. Measuring
    /// starts there if no coordinates are known.
    fn home(&self, _coordinate: usize) -> f64 {
        0.0
    }

    /// Names and values of the type's parameters.
    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        Vec::new()
    }

    /// The error of the type's own parameters, with the remedy.
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }
}

impl dyn JointType {
    /// The hinges and slides of a chain; `None` for other types.
    pub fn links(&self) -> Option<Vec<ChainLink>> {
        let mut parameters = self.parameters().into_iter();
        parameters.find_map(|(_, value)| match value {
            Parameter::Links(links) => Some(links),
            Parameter::Number(_) => None,
        })
    }
}

/// Registers joint types: those without parameters by their path, the others with an example. The fields of a type are
/// its parameters, with the same names.
macro_rules! joint_types {
    (plain { $($plain:ident::$Plain:ident,)* }
     sample { $($file:ident::$Type:ident { $($field:ident: $value:expr),+ },)* }) => {
        $(pub use $plain::$Plain;)*
        $(pub use $file::$Type;)*

        /// The types that have no parameters.
        fn plain() -> Vec<Arc<dyn JointType>> {
            vec![$(Arc::new($Plain)),*]
        }

        /// One of each type that has parameters.
        fn sample() -> Vec<Arc<dyn JointType>> {
            vec![$(Arc::new($Type { $($field: $value),+ })),*]
        }

        /// The type of this name, if it has parameters, with the values in `given`.
        fn of_parameters(
            name: &str,
            given: &mut Parameters,
        ) -> Result<Option<Arc<dyn JointType>>, String> {
            $(
                if ($Type { $($field: $value),+ }).name() == name {
                    let made = $Type { $($field: given.take(name, stringify!($field))?),+ };
                    return Ok(Some(Arc::new(made)));
                }
            )*
            Ok(None)
        }
    };
}

joint_types! {
    plain {
        fixed::Fixed,
        revolute::Revolute,
        prismatic::Prismatic,
        cylindrical::Cylindrical,
        universal::Universal,
        spherical::Spherical,
        gimbal::Gimbal,
        planar::Planar,
        cartesian::Cartesian,
        free::Free,
        point_on_line::PointOnLine,
        point_on_plane::PointOnPlane,
    }
    sample {
        screw::Screw { pitch: 0.02 },
        distance::Distance { length: 0.5 },
        chain::Chain { links: chain::sample() },
    }
}

/// The joint type of this name, if it needs no parameters (not `screw`, `distance`, `chain`).
pub fn by_name(name: &str) -> Option<Arc<dyn JointType>> {
    plain().into_iter().find(|joint| joint.name() == name)
}

/// One instance of every joint type, with example parameters where needed.
pub fn all() -> Vec<Arc<dyn JointType>> {
    [plain(), sample()].concat()
}

/// The joint type of this name with these parameters; the error contains the remedy.
pub fn of(
    name: &str,
    parameters: impl IntoIterator<Item = (String, Parameter)>,
) -> Result<Arc<dyn JointType>, String> {
    let mut given = Parameters::new(parameters);
    let kind = match by_name(name) {
        Some(kind) => kind,
        None => of_parameters(name, &mut given)?.ok_or_else(|| {
            let names: Vec<_> = all().iter().map(|kind| kind.name()).collect();
            let known = names.join(", ");
            format!("there is no joint type '{name}'; choose one of: {known}")
        })?,
    };
    given.finish(name)?;
    Ok(kind)
}
