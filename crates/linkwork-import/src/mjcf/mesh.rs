//! Mesh assets, their collision shapes, and primitives fitted to them.

use super::document::Document;
use super::inertia::principal;
use super::scene::Scene;
use super::tree::Part;
use crate::mesh::{self, HULL_CORNERS, InertiaMode, Mesh, forms};
use crate::xml::{Attribute, Element};
use crate::{Assets, Fault, ImportError, Notices, Place};
use linkwork::math::{MassProperties, Pose, Quat, Vec3};
use linkwork::model::Geometry;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// Parts of a decomposed mesh.
const PARTS: usize = 32;

/// A mesh asset, read.
#[derive(Debug)]
pub(super) struct MeshAsset {
    mesh: Mesh,
    mode: InertiaMode,
    place: Place,
}

/// The asset of a geom, read on first use.
pub(super) fn asset<'a>(
    scene: &mut Scene<'a>,
    part: &Part<'a>,
    geom: &Element,
) -> Result<Rc<MeshAsset>, ImportError> {
    let name = geom.require("mesh")?;
    let key = (part.at.document, name.to_owned());
    if let Some(known) = scene.meshes.get(&key) {
        return Ok(known.clone());
    }
    let document = part.document(scene);
    let meshes = document.section("asset").filter(|e| e.name == "mesh");
    let Some(found) = meshes
        .into_iter()
        .find(|e| asset_name(e).as_deref() == Some(name))
    else {
        let a = geom.attribute("mesh").expect("required above");
        return Err(a.unresolved(
            "is no mesh of the assets",
            "declare it with <mesh> in <asset>",
        ));
    };
    let e = document.defaults.complete(found, 0, "asset")?;
    let file = e
        .attribute("file")
        .map(|a| file_of(scene.assets, document, a));
    let mesh = read(scene, &e, file.transpose()?)?;
    let modes = ["convex", "exact", "legacy", "shell"];
    let asset = Rc::new(MeshAsset {
        mesh: placed(mesh, &e, &mut scene.draft.notices)?,
        mode: match e.choice("inertia", &modes)? {
            Some(0) => InertiaMode::Convex,
            Some(1) => InertiaMode::Exact,
            Some(3) => InertiaMode::Shell,
            _ => InertiaMode::Legacy,
        },
        place: e.place.clone(),
    });
    scene.meshes.insert(key, asset.clone());
    Ok(asset)
}

/// Meshes in files that the assets name.
pub(super) fn files(documents: &[Document]) -> usize {
    let assets = documents.iter().flat_map(|d| d.section("asset"));
    assets
        .filter(|e| e.name == "mesh" && e.get("file").is_some())
        .count()
}

/// The default name of an asset is that of its file.
pub(super) fn asset_name(e: &Element) -> Option<String> {
    let stem = |file: &str| {
        let path = PathBuf::from(file.replace('\\', "/"));
        path.file_stem().map(|s| s.to_string_lossy().into_owned())
    };
    let named = e.get("name").map(str::to_owned);
    named.or_else(|| e.get("file").and_then(stem))
}

/// An asset's file: in the folder of the main file as in MuJoCo, otherwise in that of the file that contains the asset.
pub(super) fn file_of(
    assets: &Assets,
    document: &Document,
    a: &Attribute,
) -> Result<PathBuf, ImportError> {
    file_in(&document.compiler.mesh_folder, assets, document, a)
}

/// The same with another folder of the compiler than that of meshes.
pub(super) fn file_in(
    asset_folder: &str,
    assets: &Assets,
    document: &Document,
    a: &Attribute,
) -> Result<PathBuf, ImportError> {
    let file = a.value.replace('\\', "/");
    let file = match (document.compiler.strip_path, file.rsplit_once('/')) {
        (true, Some((_, last))) => last.to_owned(),
        _ => file,
    };
    let within = |folder: &Path| {
        let folder = folder.join(asset_folder);
        assets.find(&folder, &file, &a.place)
    };
    within(&document.folder).or_else(|main| {
        let own = Path::new(&*a.place.file).parent();
        own.map_or(Err(main.clone()), |folder| within(folder).map_err(|_| main))
    })
}

fn read(scene: &mut Scene<'_>, e: &Element, file: Option<PathBuf>) -> Result<Mesh, ImportError> {
    let notices = &mut scene.draft.notices;
    if let Some(a) = e.attribute("builtin").filter(|a| a.value != "none") {
        return Err(a.bad("is made by MuJoCo", "save the mesh to a file and name that"));
    }
    if e.child("plugin").is_some() {
        let what = "a mesh made by a plugin";
        return Err(e.error(Fault::Unsupported, what, "save the mesh to a file"));
    }
    if let Some(file) = file {
        return mesh::load(scene.assets, &file, &e.place, notices)?.rounded(&e.place, notices);
    }
    let vertices = triples(e, "vertex")?;
    let vertices = vertices.into_iter().map(|v| v.map(|x| f64::from(x as f32)));
    let vertices: Vec<Vec3> = vertices.map(Vec3::from).collect();
    if vertices.is_empty() {
        let what = "a mesh without file and without vertices";
        return Err(e.error(Fault::Missing, what, "give file=\"…\" or vertex=\"…\""));
    }
    let mut triangles = Vec::new();
    for corners in triples(e, "face")? {
        let index = |x: f64| {
            (x >= 0.0 && x < vertices.len() as f64 && x.fract() == 0.0).then_some(x as u32)
        };
        let [Some(a), Some(b), Some(c)] = corners.map(index) else {
            let what = format!("a face names vertex {corners:?} of {}", vertices.len());
            return Err(e.error(Fault::BadValue, what, "vertices are counted from 0"));
        };
        triangles.push([a, b, c]);
    }
    let coordinates = inline_coordinates(e, vertices.len(), &triangles)?;
    let mut mesh = Mesh::from_parts(vertices, triangles.clone(), &e.place, notices)?;
    // Cleaning may have left triangles out.
    if mesh.triangles.len() == triangles.len() {
        mesh.coordinates = coordinates;
    }
    Ok(mesh)
}

/// `texcoord`, two numbers per vertex, for the corners of the triangles. MuJoCo measures from the upper side.
fn inline_coordinates(
    e: &Element,
    vertices: usize,
    triangles: &[[u32; 3]],
) -> Result<Vec<[[f32; 2]; 3]>, ImportError> {
    let values = e.numbers("texcoord")?.unwrap_or_default();
    if values.len() != 2 * vertices {
        return Ok(Vec::new());
    }
    let of = |i: u32| {
        [
            values[2 * i as usize] as f32,
            1.0 - values[2 * i as usize + 1] as f32,
        ]
    };
    Ok(triangles.iter().map(|t| t.map(of)).collect())
}

fn triples(e: &Element, name: &str) -> Result<Vec<[f64; 3]>, ImportError> {
    let (Some(values), Some(a)) = (e.numbers(name)?, e.attribute(name)) else {
        return Ok(Vec::new());
    };
    if values.len() % 3 != 0 {
        return Err(a.bad("is not a list of triples", "give three numbers each"));
    }
    Ok(values.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect())
}

/// Moved by refpos and refquat, then scaled.
fn placed(mut mesh: Mesh, e: &Element, notices: &mut Notices) -> Result<Mesh, ImportError> {
    let origin = e.vec3("refpos")?.unwrap_or_default();
    let turn = match (e.fixed::<4>("refquat")?, e.attribute("refquat")) {
        (Some(q), Some(a)) => super::orientation::quaternion(q, a)?,
        _ => Quat::identity(),
    };
    if origin != Vec3::zeros() || turn != Quat::identity() {
        let back = Pose::new(origin, turn);
        let moved = mesh
            .vertices
            .iter()
            .map(|v| back.inverse_transform_point(v));
        let moved = moved.collect();
        mesh = mesh.moved(moved, &e.place, notices)?;
    }
    match e.vec3("scale")? {
        Some(factors) => mesh.scaled(factors, &e.place),
        None => Ok(mesh),
    }
}

impl MeshAsset {
    /// Mass properties at density 1.
    pub fn mass(
        &self,
        geom: &Element,
        notices: &mut Notices,
    ) -> Result<MassProperties, ImportError> {
        let shell = geom.flag("shellinertia")? == Some(true);
        let mode = if shell { InertiaMode::Shell } else { self.mode };
        let m = self.mesh.mass(mode, &self.place, notices)?;
        Ok(MassProperties {
            mass: m.volume,
            com: m.centre,
            inertia: m.inertia,
        })
    }

    /// Texture coordinates of its triangles.
    pub fn coordinates(&self) -> Option<Arc<Vec<[[f32; 2]; 3]>>> {
        let own = &self.mesh.coordinates;
        (!own.is_empty()).then(|| Arc::new(own.clone()))
    }

    /// The collision shape of the mesh: exact if it is static or visual only, otherwise its hull or convex parts.
    pub fn forms(
        &self,
        scene: &mut Scene<'_>,
        geom: &Element,
        still: bool,
        seen_only: bool,
    ) -> Result<Vec<Geometry>, ImportError> {
        if still || seen_only {
            return Ok(vec![mesh::exact(&self.mesh)]);
        }
        if scene.options.decompose {
            let assets = scene.assets;
            return forms::decompose(assets, &self.mesh, PARTS, HULL_CORNERS, &geom.place);
        }
        let notices = &mut scene.draft.notices;
        Ok(vec![forms::hull(
            scene.assets,
            &self.mesh,
            HULL_CORNERS,
            &self.place,
            notices,
        )?])
    }
}

/// A primitive fitted to a mesh, and its centre in the geom's frame: to the box with the mesh's inertia, or (`fitaabb`)
/// to the bounding box.
pub(super) fn fitted<'a>(
    scene: &mut Scene<'a>,
    part: &Part<'a>,
    geom: &Element,
    kind: &str,
) -> Result<(Geometry, Pose), ImportError> {
    let asset = asset(scene, part, geom)?;
    let m = asset
        .mesh
        .mass(asset.mode, &asset.place, &mut scene.draft.notices)?;
    let (moments, turn) = principal(&m.inertia);
    let frame = Pose::new(m.centre, turn);
    let around = part.document(scene).compiler.fit_box;
    let (half, centre) = if around {
        box_around(&asset.mesh, &frame)
    } else {
        // Moments of a box: V (b² + c²)/3 with half edges a, b, c.
        let sum = moments.sum() / 2.0;
        let square = moments.map(|i| (3.0 * (sum - i) / m.volume).max(0.0));
        (square.map(f64::sqrt), Vec3::zeros())
    };
    let scale = geom.number("fitscale")?.unwrap_or(1.0);
    let half = half * scale;
    let across = if around {
        half.x.max(half.y)
    } else {
        (half.x + half.y) / 2.0
    };
    let solid = match kind {
        "capsule" => {
            let ends = if around { across } else { across / 2.0 };
            Geometry::Capsule {
                radius: across,
                half_length: (half.z - ends).max(0.0),
            }
        }
        "cylinder" => Geometry::Cylinder {
            radius: across,
            half_length: half.z,
        },
        "ellipsoid" => Geometry::Ellipsoid { radii: half },
        "box" => Geometry::Box { half_extents: half },
        _ => Geometry::Sphere {
            radius: if around { half.max() } else { half.sum() / 3.0 },
        },
    };
    let at = Pose::new(frame.transform_point(&centre), turn);
    Ok((solid, at))
}

/// Half edges and centre of the box around a mesh along the axes of a frame.
fn box_around(mesh: &Mesh, frame: &Pose) -> (Vec3, Vec3) {
    let (mut low, mut high) = (Vec3::repeat(f64::MAX), Vec3::repeat(f64::MIN));
    for v in &mesh.vertices {
        let v = frame.inverse_transform_point(v);
        (low, high) = (low.inf(&v), high.sup(&v));
    }
    ((high - low) / 2.0, (high + low) / 2.0)
}
