//! The form of a shape: `type` and its measures.

use super::fields::Fields;
use super::table::{Done, Table};
use crate::mesh;
use crate::{Assets, ImportError, Notices};
use linkwork::math::Vec3;
use linkwork::model::Geometry;
use std::path::Path;
use std::sync::Arc;

/// Where meshes in files are found.
pub(super) struct Files<'a> {
    pub assets: &'a Assets,
    /// Folder of the file that names them.
    pub folder: &'a Path,
    pub notices: Notices,
}

/// The sample of a mesh in a file, which is read as a hull or as triangles.
const MESH: &str = "mesh";

/// The forms with measures of their own; the first five have a volume that a sensor can have.
fn samples() -> Vec<(&'static str, Geometry)> {
    let (radius, half_length) = (0.0, 0.0);
    let zero = Vec3::zeros();
    vec![
        ("sphere", Geometry::Sphere { radius }),
        ("box", Geometry::Box { half_extents: zero }),
        (
            "capsule",
            Geometry::Capsule {
                radius,
                half_length,
            },
        ),
        (
            "cylinder",
            Geometry::Cylinder {
                radius,
                half_length,
            },
        ),
        ("ellipsoid", Geometry::Ellipsoid { radii: zero }),
        (
            "cone",
            Geometry::Cone {
                radius,
                half_length,
            },
        ),
        ("half_space", Geometry::HalfSpace),
        (
            "convex_hull",
            Geometry::ConvexHull {
                points: Arc::default(),
            },
        ),
        (
            "triangle_mesh",
            Geometry::TriangleMesh {
                vertices: Arc::default(),
                triangles: Arc::default(),
            },
        ),
        (
            "height_field",
            Geometry::HeightField {
                nx: 0,
                ny: 0,
                heights: Arc::default(),
                size: [0.0; 2],
            },
        ),
        (MESH, Geometry::HalfSpace),
    ]
}

/// The form of a shape. A file may name the file of a mesh instead, which is among `files`.
pub(super) fn form(t: &mut Table, form: &mut Geometry, files: &mut Option<Files>) -> Done {
    if let (Table::Read(fields), Some(files)) = (&mut *t, files)
        && fields.value::<String>("type")?.as_deref() == Some(MESH)
    {
        *form = mesh_file(fields, files)?;
        return Ok(());
    }
    t.kind(form, &samples())?;
    measures(t, form)
}

fn measures(t: &mut Table, form: &mut Geometry) -> Done {
    match form {
        Geometry::HalfSpace => Ok(()),
        Geometry::Sphere { radius } => t.need("radius", radius),
        Geometry::Capsule {
            radius,
            half_length,
        }
        | Geometry::Cylinder {
            radius,
            half_length,
        }
        | Geometry::Cone {
            radius,
            half_length,
        } => {
            t.need("radius", radius)?;
            t.need("half_length", half_length)
        }
        Geometry::Box { half_extents } => t.need("half_extents", half_extents),
        Geometry::Ellipsoid { radii } => t.need("radii", radii),
        Geometry::ConvexHull { points } => t.need("points", Arc::make_mut(points)),
        Geometry::TriangleMesh {
            vertices,
            triangles,
        } => {
            t.need("vertices", Arc::make_mut(vertices))?;
            t.need("triangles", Arc::make_mut(triangles))
        }
        Geometry::HeightField {
            nx,
            ny,
            heights,
            size,
        } => {
            t.need("nx", nx)?;
            t.need("ny", ny)?;
            t.need("size", size)?;
            t.need("heights", Arc::make_mut(heights))
        }
    }
}

/// `volume` of a sensor: a primitive of positive measures.
pub(super) fn volume(t: &mut Table, volume: &mut Option<Geometry>) -> Done {
    t.table("volume", volume, Geometry::HalfSpace, |t, volume| {
        t.kind(volume, &samples()[..5])?;
        measures(t, volume)?;
        let measures = match volume {
            Geometry::Sphere { radius } => vec![*radius],
            Geometry::Box { half_extents: v } | Geometry::Ellipsoid { radii: v } => {
                v.as_slice().to_vec()
            }
            Geometry::Capsule {
                radius,
                half_length,
            }
            | Geometry::Cylinder {
                radius,
                half_length,
            } => vec![*radius, *half_length],
            _ => Vec::new(),
        };
        let what = || format!("the volume measures {measures:?}");
        let positive = measures.iter().all(|m| *m > 0.0);
        t.check(positive, "type", what, "its measures must be positive (m)")
    })
}

/// A mesh in a file: its convex hull, or with `exact` its triangles.
fn mesh_file(fields: &mut Fields, files: &mut Files) -> Result<Geometry, ImportError> {
    let file: String = fields.need("file")?;
    let scale = fields.or("scale", Vec3::repeat(1.0))?;
    let exact = fields.or("exact", false)?;
    let place = fields.place();
    let path = files.assets.find(files.folder, &file, &place)?;
    let mesh = mesh::load(files.assets, &path, &place, &mut files.notices)?;
    let mesh = mesh.scaled(scale, &place)?;
    if exact {
        Ok(mesh::exact(&mesh))
    } else {
        let corners = mesh::HULL_CORNERS;
        mesh::forms::hull(files.assets, &mesh, corners, &place, &mut files.notices)
    }
}
