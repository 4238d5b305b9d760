//! The form of a shape: `type` and its measures.

use super::fields::Fields;
use super::tree::{Content, Entries};
use crate::mesh;
use crate::suggest;
use crate::{Assets, Fault, ImportError, Notices};
use linkwork::math::Vec3;
use linkwork::model::Geometry;
use std::path::Path;
use std::sync::Arc;

const TYPES: [&str; 11] = [
    "half_space",
    "sphere",
    "box",
    "capsule",
    "cylinder",
    "cone",
    "ellipsoid",
    "convex_hull",
    "triangle_mesh",
    "height_field",
    "mesh",
];

/// Where meshes in files are found.
pub(super) struct Files<'a> {
    pub assets: &'a Assets,
    /// Folder of the file that names them.
    pub folder: &'a Path,
    pub notices: Notices,
}

/// Read the form of a shape.
pub(super) fn read(fields: &mut Fields, files: &mut Files) -> Result<Geometry, ImportError> {
    let kind = fields.text("type")?;
    let kind = fields.require("type", kind)?;
    if let Some(primitive) = primitive(fields, kind)? {
        return Ok(primitive);
    }
    Ok(match kind {
        "half_space" => Geometry::HalfSpace,
        "cone" => Geometry::Cone {
            radius: need(fields, "radius")?,
            half_length: need(fields, "half_length")?,
        },
        "convex_hull" => Geometry::ConvexHull {
            points: Arc::new(points(fields, "points")?),
        },
        "triangle_mesh" => Geometry::TriangleMesh {
            vertices: Arc::new(points(fields, "vertices")?),
            triangles: Arc::new(triangles(fields)?),
        },
        "height_field" => height_field(fields)?,
        "mesh" => mesh_file(fields, files)?,
        _ => {
            let what = format!("there is no shape type '{kind}'");
            let remedy = suggest::remedy(kind, &TYPES);
            return Err(fields.fail_at("type", Fault::BadValue, what, remedy));
        }
    })
}

/// A sphere, box, capsule, cylinder or ellipsoid; `None` for any other type.
fn primitive(fields: &mut Fields, kind: &str) -> Result<Option<Geometry>, ImportError> {
    Ok(Some(match kind {
        "sphere" => Geometry::Sphere {
            radius: need(fields, "radius")?,
        },
        "box" => Geometry::Box {
            half_extents: need_vector(fields, "half_extents")?,
        },
        "capsule" => Geometry::Capsule {
            radius: need(fields, "radius")?,
            half_length: need(fields, "half_length")?,
        },
        "cylinder" => Geometry::Cylinder {
            radius: need(fields, "radius")?,
            half_length: need(fields, "half_length")?,
        },
        "ellipsoid" => Geometry::Ellipsoid {
            radii: need_vector(fields, "radii")?,
        },
        _ => return Ok(None),
    }))
}

/// The volume of a touch sensor: a primitive of positive measures.
pub(super) fn volume(fields: &mut Fields) -> Result<Geometry, ImportError> {
    let kind = fields.text("type")?;
    let kind = fields.require("type", kind)?;
    let Some(volume) = primitive(fields, kind)? else {
        let what = format!("there is no volume of type '{kind}'");
        let remedy = "take sphere, box, capsule, cylinder or ellipsoid";
        return Err(fields.fail_at("type", Fault::BadValue, what, remedy));
    };
    let measures = match &volume {
        Geometry::Sphere { radius } => vec![*radius],
        Geometry::Box { half_extents: v } | Geometry::Ellipsoid { radii: v } => {
            v.iter().copied().collect()
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
    if measures.iter().all(|m| *m > 0.0) {
        return Ok(volume);
    }
    let what = format!("the volume measures {measures:?}");
    Err(fields.fail_at(
        "type",
        Fault::BadValue,
        what,
        "its measures must be positive (m)",
    ))
}

fn need(fields: &mut Fields, key: &'static str) -> Result<f64, ImportError> {
    let value = fields.number(key)?;
    fields.require(key, value)
}

fn need_vector(fields: &mut Fields, key: &'static str) -> Result<Vec3, ImportError> {
    let value = fields.vector(key)?;
    fields.require(key, value)
}

fn points(fields: &mut Fields, key: &'static str) -> Result<Vec<Vec3>, ImportError> {
    let points = fields.list(key)?.iter();
    let points = points.map(|n| Ok(Vec3::from(fields.array_in::<3>(key, n)?)));
    points.collect()
}

fn triangles(fields: &mut Fields) -> Result<Vec<[u32; 3]>, ImportError> {
    let list = fields.list("triangles")?.iter();
    let triangles = list.map(|node| {
        let corners = fields.array_in::<3>("triangles", node)?;
        let index = |x: f64| {
            (x.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&x)).then_some(x as u32)
        };
        match corners.map(index) {
            [Some(a), Some(b), Some(c)] => Ok([a, b, c]),
            _ => {
                let what = format!("a triangle has the corners {corners:?}");
                Err(fields.fail(
                    node.at,
                    Fault::BadValue,
                    what,
                    "give numbers of vertices, from 0",
                ))
            }
        }
    });
    triangles.collect()
}

fn height_field(fields: &mut Fields) -> Result<Geometry, ImportError> {
    let (nx, ny) = (fields.count("nx")?, fields.count("ny")?);
    let (heights, size) = (fields.numbers("heights")?, fields.array("size")?);
    Ok(Geometry::HeightField {
        nx: fields.require("nx", nx)?,
        ny: fields.require("ny", ny)?,
        heights: Arc::new(fields.require("heights", heights)?),
        size: fields.require("size", size)?,
    })
}

/// A mesh in a file: its convex hull, or with `exact` its triangles.
fn mesh_file(fields: &mut Fields, files: &mut Files) -> Result<Geometry, ImportError> {
    let file = fields.text("file")?;
    let file = fields.require("file", file)?;
    let scale = fields.vector("scale")?.unwrap_or(Vec3::repeat(1.0));
    let exact = fields.flag("exact")?;
    let place = fields.place();
    let path = files.assets.find(files.folder, file, &place)?;
    let mesh = mesh::load(files.assets, &path, &place, &mut files.notices)?;
    let mesh = mesh.scaled(scale, &place)?;
    if exact {
        Ok(mesh::exact(&mesh))
    } else {
        let corners = mesh::HULL_CORNERS;
        mesh::forms::hull(files.assets, &mesh, corners, &place, &mut files.notices)
    }
}

/// Write the form of a shape.
pub(super) fn write(entries: &mut Entries, geometry: &Geometry) {
    let mut round = |kind: &str, radius: f64, half_length: Option<f64>| {
        entries.put("type", kind);
        entries.put("radius", radius);
        entries.put_some("half_length", half_length);
    };
    match geometry {
        Geometry::HalfSpace => entries.put("type", "half_space"),
        Geometry::Sphere { radius } => round("sphere", *radius, None),
        Geometry::Capsule {
            radius,
            half_length,
        } => round("capsule", *radius, Some(*half_length)),
        Geometry::Cylinder {
            radius,
            half_length,
        } => round("cylinder", *radius, Some(*half_length)),
        Geometry::Cone {
            radius,
            half_length,
        } => round("cone", *radius, Some(*half_length)),
        Geometry::Box { half_extents } => {
            entries.put("type", "box");
            entries.put("half_extents", half_extents);
        }
        Geometry::Ellipsoid { radii } => {
            entries.put("type", "ellipsoid");
            entries.put("radii", radii);
        }
        Geometry::ConvexHull { points } => {
            entries.put("type", "convex_hull");
            entries.put("points", points.iter().collect::<Vec<_>>());
        }
        Geometry::TriangleMesh {
            vertices,
            triangles,
        } => {
            entries.put("type", "triangle_mesh");
            entries.put("vertices", vertices.iter().collect::<Vec<_>>());
            let corners = triangles.iter().map(|t| Content::from(t.to_vec()));
            entries.put("triangles", corners.collect::<Vec<_>>());
        }
        Geometry::HeightField {
            nx,
            ny,
            heights,
            size,
        } => {
            entries.put("type", "height_field");
            entries.put("nx", *nx);
            entries.put("ny", *ny);
            entries.put("size", *size);
            entries.put("heights", heights.to_vec());
        }
    }
}
