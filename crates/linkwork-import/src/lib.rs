//! Mechanisms from files: MJCF, URDF, SDF, meshes and Linkwork's own format.
//!
//! Every element of a file is imported, refused with an [`ImportError`] that names file, line, element and remedy, or
//! listed among the [`Notices`]. Nothing outside the asset root is read.

mod assets;
mod cache;
pub mod draft;
mod error;
pub mod export;
mod limits;
mod load;
pub mod mesh;
mod mjcf;
mod notice;
mod options;
pub mod own;
mod place;
mod progress;
mod robot;
mod sdf;
pub mod suggest;
mod urdf;
pub mod xml;
mod yaml;

pub use assets::{Assets, MAX_FILE_BYTES, MAX_TEXT_BYTES};
pub use cache::Cache;
pub use error::{Fault, ImportError};
pub use load::{Imported, is_known, load};
pub use notice::{Notice, Notices, Severity};
pub use options::Options;
pub use place::Place;
pub use progress::{Loading, Progress};
