//! Errors of a model, each with its remedy.

use crate::collision::CollisionError;

/// Why [`ModelBuilder::build`](super::ModelBuilder::build) refused.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// A name is used twice.
    #[error("{kind} '{name}' exists already; give every {kind} a unique name")]
    DuplicateName {
        /// Body, joint, shape or coupling.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// An id refers to an element that the model does not have.
    #[error(
        "{element} refers to {what}, which this model does not have; use an id returned by this builder"
    )]
    MissingReference {
        /// The element that refers.
        element: String,
        /// What it refers to.
        what: String,
    },
    /// A number is outside its range.
    #[error("{element}: {what} is {value}; {remedy}")]
    BadValue {
        /// The element.
        element: String,
        /// The quantity.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it should be.
        remedy: &'static str,
    },
    /// No rigid body can have such an inertia.
    #[error("body '{body}': inertia with principal moments [{:.6e}, {:.6e}, {:.6e}] kg m² is impossible: {why}; {remedy}", moments[0], moments[1], moments[2])]
    ImpossibleInertia {
        /// The body.
        body: String,
        /// Principal moments, ascending, kg m².
        moments: [f64; 3],
        /// What is violated.
        why: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A joint connects a body with itself.
    #[error(
        "joint '{joint}' connects body '{body}' with itself; give it two different bodies, or the world as base"
    )]
    SelfJoint {
        /// The joint.
        joint: String,
        /// The body.
        body: String,
    },
    /// A joint is placed in two ways.
    #[error(
        "joint '{joint}' is placed in two ways; give `frames`, or `frame` or `anchor`, not both"
    )]
    FramesTwice {
        /// The joint.
        joint: String,
    },
    /// A joint has settings for a coordinate that its type does not have.
    #[error(
        "joint '{joint}': a {kind} joint has {have} coordinate(s), but coordinate {asked} is used"
    )]
    NoSuchCoordinate {
        /// The joint.
        joint: String,
        /// Its type.
        kind: &'static str,
        /// How many coordinates it has.
        have: usize,
        /// The requested index, from 0.
        asked: usize,
    },
    /// The joint type's own parameters are wrong.
    #[error("joint '{joint}': {why}")]
    BadJointType {
        /// The joint.
        joint: String,
        /// What is wrong, and the remedy.
        why: String,
    },
    /// There is too much of something.
    #[error("{element} has {count} {kind}, the maximum is {most}; simplify it")]
    TooMany {
        /// The model, or one of its shapes.
        element: String,
        /// What there is too much of.
        kind: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A shape cannot be used for collision.
    #[error(transparent)]
    Shape(#[from] CollisionError),
}
