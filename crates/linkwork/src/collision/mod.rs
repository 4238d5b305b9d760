//! Collision detection. The only module that knows the collision library.
//!
//! A pair of shapes is handled in two stages: first the *axis*, a unit vector n along which the
//! shapes are farthest apart (or overlap least); then the *patches*, the outlines of the two
//! surfaces facing each other along n, which are clipped against each other to give the points.
//! For any n the separation along n never exceeds the true signed distance, so an axis is as good as the
//! separation along it, and a poor one would invent an overlap: every search ends with a bound from above too. What is kept from step to step (pairs of wide boxes, axes
//! along which pairs were apart) saves work and never changes a bit of the result: keys come from
//! the features (corners, edges, facets) that touch.
//!
//! | file | concept |
//! |---|---|
//! | `world` | which pairs to look at, and the public interface |
//! | `prepare`, `error` | shapes of the model made ready, or refused |
//! | `rules` | who may touch whom, and at what distance |
//! | `groups` | shapes that move together, and boxes around them |
//! | `broad`, `tree` | which groups are near each other; boxes in a tree |
//! | `place` | where shapes are in a step |
//! | `contact` | a contact point and its key |
//! | `narrow`, `pairs` | the contacts of a pair; which routine handles which |
//! | `axes` | axes along which pairs were last apart |
//! | `solid`, `hull` | convex solids: support points, face normals, patches |
//! | `extremes` | the farthest of many points along a direction |
//! | `patch`, `clip` | outlines and their intersection along an axis |
//! | `convex` | any two convex solids |
//! | `gjk`, `expand` | their nearest or deepest points: a search with bounds that meet |
//! | `difference`, `simplex` | what that search is made of |
//! | `box_box`, `half_space`, `sphere`, `capsule`, `ellipsoid` | pairs in closed form |
//! | `symmetric`, `sum`, `circle` | boxes, capsules and cylinders against each other; axes across a segment |
//! | `surface`, `surface_pair`, `triangle` | triangle meshes and height fields |
//! | `seams`, `cover` | shapes that lie flush bear as one; where a neighbour covers a shape |
//! | `pad`, `samples` | shapes whose area of contact is sampled |
//! | `manifold`, `reduce` | the points of a pair, and the few that are kept |
//! | `query`, `ray` | distances and rays, asked outside of steps |
//! | `enclose` | convex hulls and convex parts of meshes, for those who prepare models |
//! | `merge`, `stretch` | convex parts made one; convex hulls of thin plates |
//! | `library` | the calls into the collision library |

mod axes;
mod box_box;
mod broad;
mod capsule;
mod circle;
mod clip;
mod contact;
mod convex;
mod cover;
mod difference;
mod ellipsoid;
mod enclose;
mod error;
mod expand;
mod extremes;
mod gjk;
mod groups;
mod half_space;
mod hull;
mod library;
mod manifold;
mod merge;
mod narrow;
mod pad;
mod pairs;
mod patch;
mod place;
mod prepare;
mod query;
mod ray;
mod reduce;
mod rules;
mod samples;
mod seams;
mod simplex;
mod solid;
mod sphere;
mod stretch;
mod sum;
mod surface;
mod surface_pair;
mod symmetric;
mod tree;
mod triangle;
mod world;

pub use contact::{ContactKey, ContactPoint};
pub use enclose::{HullMesh, convex_hull, convex_parts};
pub use error::CollisionError;
pub(crate) use ray::Ray;
pub use world::{CollisionWorld, DetectSettings};
