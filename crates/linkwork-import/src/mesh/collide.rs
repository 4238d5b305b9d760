//! The forms in which a mesh takes part in collisions.

use super::Mesh;
use super::thin::thin;
use crate::{Fault, ImportError, Notices, Place};
use linkwork::collision::{CollisionError, HullMesh, convex_hull, convex_parts};
use linkwork::math::Vec3;
use linkwork::model::Geometry;
use std::sync::Arc;

/// Default number of corners of a hull. The time of collision detection is proportional to it.
pub const HULL_CORNERS: usize = 64;
/// Excess of the hull's volume over the mesh's above which a notice is given.
const EXCESS: f64 = 0.2;
/// Excess volume up to which a mesh counts as convex and is not decomposed.
const CONVEX: f64 = 0.01;
/// Most parts of a decomposition.
const MAX_PARTS: usize = 128;

/// The convex hull of a mesh, with at most `corners` corners ([`HULL_CORNERS`] is a good number; see [`thin`] for the
/// effect of the others). A notice reports if the hull fills much more than the mesh.
pub fn hull(
    mesh: &Mesh,
    corners: usize,
    place: &Place,
    notices: &mut Notices,
) -> Result<Geometry, ImportError> {
    let form = HullForm::of(mesh, corners, place)?;
    form.tell(place, notices);
    Ok(points(form.points))
}

/// The hull of a mesh with few corners.
pub(super) struct HullForm {
    /// Its corners, m.
    pub points: Vec<Vec3>,
    /// Volumes of the whole hull and of the mesh, m³, if the first is much larger.
    pub excess: Option<[f64; 2]>,
}

impl HullForm {
    pub fn of(mesh: &Mesh, corners: usize, place: &Place) -> Result<Self, ImportError> {
        let whole = hull_of(&mesh.vertices, place)?;
        let (outer, inner) = (whole.volume(), mesh.volume().abs());
        // The volume of an open surface is not meaningful.
        let exceeds = outer >= (1.0 + EXCESS) * inner && mesh.closed();
        Ok(Self {
            points: thin(&whole, corners, place)?.vertices,
            excess: exceeds.then_some([outer, inner]),
        })
    }

    /// Tell if the hull fills much that the mesh does not.
    pub fn tell(&self, place: &Place, notices: &mut Notices) {
        let Some([outer, inner]) = self.excess else {
            return;
        };
        let what = format!(
            "the convex hull of the mesh has {outer:.3e} m³, the mesh itself {inner:.3e} m³: \
             hollows are filled in collisions"
        );
        let remedy = "decompose it (--decompose), or make a mesh for collisions by hand";
        notices.warn(place, what, remedy);
    }
}

/// At most `parts` convex solids that together nearly fill the mesh, each with at most `corners` corners. The same mesh
/// always has the same parts.
pub fn decompose(
    mesh: &Mesh,
    parts: usize,
    corners: usize,
    place: &Place,
) -> Result<Vec<Geometry>, ImportError> {
    let parts = self::parts(mesh, parts, corners, place)?;
    Ok(parts.into_iter().map(points).collect())
}

/// The corners of the parts, m.
pub(super) fn parts(
    mesh: &Mesh,
    parts: usize,
    corners: usize,
    place: &Place,
) -> Result<Vec<Vec<Vec3>>, ImportError> {
    if !(1..=MAX_PARTS).contains(&parts) {
        let what = format!("a decomposition into {parts} parts");
        let remedy = format!("ask for 1 to {MAX_PARTS}");
        return Err(ImportError::new(place, Fault::BadValue, what, remedy));
    }
    let whole = hull_of(&mesh.vertices, place)?;
    if parts == 1 || (mesh.closed() && whole.volume() <= (1.0 + CONVEX) * mesh.volume().abs()) {
        return Ok(vec![thin(&whole, corners, place)?.vertices]);
    }
    convex_parts("mesh", &mesh.vertices, &mesh.triangles, parts)
        .map_err(|e| refuse(e, place))?
        .iter()
        .map(|part| Ok(thin(part, corners, place)?.vertices))
        .collect()
}

/// The triangles themselves, for shapes of the world.
pub fn exact(mesh: &Mesh) -> Geometry {
    Geometry::TriangleMesh {
        vertices: Arc::new(mesh.vertices.clone()),
        triangles: Arc::new(mesh.triangles.clone()),
    }
}

/// The convex hull of points, m.
pub(super) fn hull_of(points: &[Vec3], place: &Place) -> Result<HullMesh, ImportError> {
    convex_hull("mesh", points).map_err(|e| refuse(e, place))
}

/// The form with these corners.
pub(super) fn points(vertices: Vec<Vec3>) -> Geometry {
    Geometry::ConvexHull {
        points: Arc::new(vertices),
    }
}

fn refuse(error: CollisionError, place: &Place) -> ImportError {
    match error {
        CollisionError::FlatHull { points, .. } => {
            let what = format!("the convex hull of the {points} vertices has no volume");
            let remedy =
                "a flat mesh needs a thin box instead, or belongs to the world as triangles";
            ImportError::new(place, Fault::Mechanism, what, remedy)
        }
        other => ImportError::new(
            place,
            Fault::BadValue,
            other.to_string(),
            "correct the mesh",
        ),
    }
}
