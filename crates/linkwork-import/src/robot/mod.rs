//! Common parts of URDF, SDF and MJCF: poses, joint axes, inertias, paths of meshes, shapes, links that must not
//! collide or cannot separate, and the list of elements without effect.

pub(crate) mod apart;
mod axis;
mod inertia;
pub(crate) mod jam;
mod limits;
mod pose;
mod shape;
mod skipped;
mod uri;

pub(crate) use axis::{about, cross, unit};
pub(crate) use inertia::{Tensor, mass_properties};
pub(crate) use limits::tell_violated;
pub(crate) use pose::from_rpy;
pub(crate) use shape::{Paint, Role, Shapes, Spot, positive};
pub(crate) use skipped::Skipped;
pub(crate) use uri::Paths;
