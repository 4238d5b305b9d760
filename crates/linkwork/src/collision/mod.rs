//! Collision detection. The only module that knows the collision library.
//!
//! A pair of shapes is handled in two stages: first the *axis*, a unit vector n along which the
//! shapes are farthest apart (or overlap least); then the *patches*, the outlines of the two
//! surfaces facing each other along n, which are clipped against each other to give the points.
//! For any n the separation along n never exceeds the true signed distance, so a poor axis costs
//! accuracy but never invents a contact. Detection keeps no state from step to step: keys come
//! from the features (corners, edges, facets) that touch.
//!
//! | file | concept |
//! |---|---|
//! | `world` | which pairs to look at, and the public interface |
//! | `prepare`, `error` | shapes of the model made ready, or refused |
//! | `rules` | who may touch whom, and at what distance |
//! | `groups` | shapes that move together, and boxes around them |
//! | `broad` | sweep and prune |
//! | `pairs` | which routine handles which pair |
//! | `solid`, `hull` | convex solids: support points, face normals, patches |
//! | `patch`, `clip` | outlines and their intersection along an axis |
//! | `convex` | any two convex solids |
//! | `box_box`, `half_space`, `sphere`, `capsule`, `ellipsoid` | pairs in closed form |
//! | `symmetric`, `sum` | boxes, capsules and cylinders against each other |
//! | `surface`, `surface_pair` | triangle meshes and height fields |
//! | `manifold`, `reduce` | the points of a pair, and the few that are kept |
//! | `enclose` | convex hulls and convex parts of meshes, for those who prepare models |
//! | `merge`, `stretch` | convex parts made one; convex hulls of thin plates |
//! | `library` | the calls into the collision library |

mod box_box;
mod broad;
mod capsule;
mod circle;
mod clip;
mod contact;
mod convex;
mod ellipsoid;
mod enclose;
mod error;
mod groups;
mod half_space;
mod hull;
mod library;
mod manifold;
mod merge;
mod pairs;
mod patch;
mod prepare;
mod reduce;
mod rules;
mod solid;
mod sphere;
mod stretch;
mod sum;
mod surface;
mod surface_pair;
mod symmetric;
mod world;

pub use contact::{ContactKey, ContactPoint};
pub use enclose::{HullMesh, convex_hull, convex_parts};
pub use error::CollisionError;
pub use world::{CollisionWorld, DetectSettings};
