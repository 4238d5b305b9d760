//! What makes a shape unusable.

use thiserror::Error;

/// A shape that cannot be prepared for collision detection.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CollisionError {
    /// A length that must be positive and finite is not.
    #[error("shape `{shape}`: {what} must be positive and finite, but is {value}")]
    BadLength {
        /// Name of the shape.
        shape: String,
        /// Which length.
        what: &'static str,
        /// Its value, m.
        value: f64,
    },
    /// A coordinate or pose that is not finite.
    #[error("shape `{shape}`: {what} is not finite; replace the NaN or infinite number")]
    NotFinite {
        /// Name of the shape.
        shape: String,
        /// What holds the number.
        what: &'static str,
    },
    /// The points of a hull enclose no volume.
    #[error(
        "shape `{shape}`: the convex hull of its {points} points has no volume; \
         give at least 4 points that do not lie in a plane, or use a thin box"
    )]
    FlatHull {
        /// Name of the shape.
        shape: String,
        /// Number of points given.
        points: usize,
    },
    /// A triangle names a corner that does not exist.
    #[error(
        "shape `{shape}`: triangle {triangle} uses vertex {index}, but there are {vertices}; \
         indices count from 0"
    )]
    IndexOutOfRange {
        /// Name of the shape.
        shape: String,
        /// Position of the triangle in the list.
        triangle: usize,
        /// The offending index.
        index: u32,
        /// Number of vertices given.
        vertices: usize,
    },
    /// No triangle of a mesh has an area.
    #[error(
        "shape `{shape}`: none of its {triangles} triangles has an area; \
         check the vertex positions and the scale"
    )]
    NoArea {
        /// Name of the shape.
        shape: String,
        /// Number of triangles given.
        triangles: usize,
    },
    /// A height field whose list of heights does not fit its grid.
    #[error(
        "shape `{shape}`: a height field of {nx} x {ny} samples (at least 2 x 2) needs nx * ny \
         heights, but {heights} are given"
    )]
    HeightFieldSize {
        /// Name of the shape.
        shape: String,
        /// Samples along x.
        nx: usize,
        /// Samples along y.
        ny: usize,
        /// Heights given.
        heights: usize,
    },
    /// A half space on a moving body.
    #[error(
        "shape `{shape}`: a half space may only belong to the world; \
         attach a box to the body instead"
    )]
    MovingHalfSpace {
        /// Name of the shape.
        shape: String,
    },
    /// A pad without end.
    #[error(
        "shape `{shape}`: a half space cannot be a pad, which has an area; \
         make the shapes that are pressed on it pads, or use a box"
    )]
    EndlessPad {
        /// Name of the shape.
        shape: String,
    },
    /// The samples of a pad are too close together.
    #[error(
        "shape `{shape}`: the spacing of its samples is {spacing} m; \
         give at least {least} m, 1/200 of its size"
    )]
    PadSpacing {
        /// Name of the shape.
        shape: String,
        /// As given, m.
        spacing: f64,
        /// Least spacing, m.
        least: f64,
    },
}
