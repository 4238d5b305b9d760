//! Collision detection. The only module that uses the collision library.
//!
//! A pair of shapes is handled in two stages. The first finds the *axis*, a unit vector n along which the separation of
//! the shapes is largest (or their overlap smallest). The second clips the *patches*, the outlines of the two surfaces
//! facing each other along n, which yields the points. For any n the separation along n never exceeds the true signed
//! distance, so the quality of an axis is the separation along it, and a poor axis would report a false overlap. Every
//! search therefore ends with an upper bound too. Data kept from step to step (pairs of enlarged boxes, axes along
//! which pairs were separated) saves work and never changes a bit of the result: keys are made of the features
//! (corners, edges, facets) that touch.
//!
//! | file | contents |
//! |---|---|
//! | `world` | selection of pairs, and the public interface |
//! | `prepare`, `error` | shapes of the model prepared, or refused |
//! | `rules` | which shapes may collide, and at what distance |
//! | `groups` | shapes that move together, and boxes around them |
//! | `broad`, `tree` | groups that are near each other; a tree of boxes |
//! | `place` | placement of shapes in a step |
//! | `contact` | a contact point and its key |
//! | `narrow`, `pairs` | the contacts of a pair; which routine handles which pair |
//! | `axes` | axes along which pairs were last separated |
//! | `solid`, `hull` | convex solids: support points, face normals, patches |
//! | `extremes` | the farthest of many points along a direction |
//! | `patch`, `clip` | outlines and their intersection along an axis |
//! | `convex` | any two convex solids |
//! | `gjk`, `expand` | their nearest or deepest points: searches with upper and lower bounds |
//! | `difference`, `simplex` | parts of these searches |
//! | `box_box`, `half_space`, `sphere`, `capsule`, `ellipsoid` | pairs in closed form |
//! | `symmetric`, `sum`, `circle` | pairs of boxes, capsules and cylinders; axes perpendicular to a segment |
//! | `surface`, `surface_pair`, `triangle` | triangle meshes and height fields |
//! | `seams`, `cover` | flush shapes that act as one surface; where a neighbour covers a shape |
//! | `pad`, `samples` | shapes whose area of contact is sampled |
//! | `manifold`, `reduce` | the points of a pair, and the selection of a few |
//! | `query`, `ray` | distances and rays, outside of steps |
//! | `enclose` | convex hulls and convex parts of meshes, for the preparation of models |
//! | `merge`, `stretch` | merging of convex parts; convex hulls of thin plates |
//! | `library` | the calls of the collision library |

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
