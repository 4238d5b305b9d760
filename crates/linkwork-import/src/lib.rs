//! Mechanisms from files: MJCF, URDF, SDF, meshes and Linkwork's own format.
//!
//! Everything that stands in a file is carried over, refused with an [`ImportError`] that names file,
//! line, element and remedy, or listed among the [`Notices`]. Nothing outside the asset root is read.

mod assets;
mod error;
pub mod mesh;
mod notice;
mod place;
mod suggest;
pub mod xml;

pub use assets::{Assets, MAX_FILE_BYTES};
pub use error::{Fault, ImportError};
pub use notice::{Notice, Notices, Severity};
pub use place::Place;
