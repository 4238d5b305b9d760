//! Triangle meshes from files, their mass properties and their collision shapes.
//!
//! | file | contents |
//! |---|---|
//! | `stl`, `obj`, `ply`, `msh`, `dae`, `gltf` | one file or folder per format; each fills a `Raw` |
//! | `raw` | vertices and faces as in the file, and the limits |
//! | `assembly` | geometry placed several times |
//! | `words`, `bytes` | text and binary data, read with bounds checks |
//! | `clean` | from `Raw` to [`Mesh`] |
//! | `look` | colours and images from the material files of meshes |
//! | `mass` | volume, centre and inertia |
//! | `collide`, `thin` | hull with few corners, convex parts, exact triangles |
//! | `forms` | hulls and convex parts from the cache |

mod assembly;
mod bytes;
mod clean;
mod collide;
mod dae;
mod ears;
pub(crate) mod forms;
mod gltf;
mod look;
mod mass;
mod msh;
mod obj;
mod ply;
mod raw;
mod stl;
mod thin;
mod words;

pub use assembly::MAX_SCENE_TRIANGLES;
pub use collide::{HULL_CORNERS, decompose, exact, hull};
pub use look::{Look, LookOf};
pub use mass::{InertiaMode, MeshMass};
pub use raw::MAX_TRIANGLES;
pub use thin::{Thinned, thin};

use crate::{Assets, Fault, ImportError, Notices, Place};
use linkwork::math::Vec3;
use raw::Raw;
use std::path::Path;

/// Formats that are read, by extension.
const FORMATS: [&str; 7] = ["stl", "obj", "dae", "gltf", "glb", "ply", "msh"];

/// A surface of triangles: no vertex twice, none unused, no triangle without area.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corner positions, m.
    pub vertices: Vec<Vec3>,
    /// Corner indices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of the corners of each triangle, 0 at the left and lower sides of the image; empty if the
    /// file has none.
    pub coordinates: Vec<[[f32; 2]; 3]>,
    /// Its appearance in the file.
    pub look: Option<LookOf>,
}

/// Reads the mesh in `file`, a path returned by [`Assets::find`]. The extension determines the format. `place` is the
/// position of the reference to the mesh; errors inside the file have their own position.
pub fn load(
    assets: &Assets,
    file: &Path,
    place: &Place,
    notices: &mut Notices,
) -> Result<Mesh, ImportError> {
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    let extension = extension.to_lowercase();
    if !FORMATS.contains(&extension.as_str()) {
        let what = format!("'{}' is not a mesh format that is read", file.display());
        let remedy = format!("convert the mesh to one of {}", FORMATS.join(", "));
        return Err(ImportError::new(place, Fault::Unsupported, what, remedy));
    }
    assets.begin_mesh(file);
    let bytes = match extension.as_str() {
        "dae" => assets.read_text(file, place),
        _ => assets.read(file, place),
    }?;
    let inside = Place::file(file);
    let raw = match extension.as_str() {
        "stl" => stl::read(&bytes, &inside, notices),
        "obj" => obj::read(&bytes, &inside, notices),
        "dae" => dae::read(&bytes, file, notices),
        "gltf" => gltf::read_text(&bytes, assets, &inside, notices),
        "glb" => gltf::read_binary(&bytes, assets, &inside, notices),
        "ply" => ply::read(&bytes, &inside, notices),
        _ => msh::read(&bytes, &inside),
    }?;
    clean::clean(raw, &inside, notices)
}

impl Mesh {
    /// A mesh from vertices (m) and triangles given in place, as in MJCF. Without triangles it is the
    /// convex hull of the vertices.
    pub fn from_parts(
        vertices: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        place: &Place,
        notices: &mut Notices,
    ) -> Result<Self, ImportError> {
        let raw = Raw {
            vertices,
            triangles,
            ..Raw::default()
        };
        clean::clean(raw, place, notices)
    }

    /// The mesh with scaled coordinates. The triangles of a mirror image (an odd number of negative factors) are
    /// reversed, so that they still face outwards.
    pub fn scaled(&self, factors: Vec3, place: &Place) -> Result<Self, ImportError> {
        if !factors.iter().all(|f| f.is_finite() && *f != 0.0) {
            let what = format!("mesh scale {} {} {}", factors.x, factors.y, factors.z);
            let remedy = "give three finite factors other than zero";
            return Err(ImportError::new(place, Fault::BadValue, what, remedy));
        }
        let vertices: Vec<Vec3> = self
            .vertices
            .iter()
            .map(|v| v.component_mul(&factors))
            .collect();
        if !vertices.iter().all(|v| v.iter().all(|x| x.is_finite())) {
            let what = format!(
                "mesh scale {} {} {} takes a vertex beyond all numbers",
                factors.x, factors.y, factors.z
            );
            let remedy = "give smaller factors";
            return Err(ImportError::new(place, Fault::BadValue, what, remedy));
        }
        let (mut triangles, mut coordinates) = (self.triangles.clone(), self.coordinates.clone());
        if factors.product() < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
            coordinates.iter_mut().for_each(|t| t.swap(1, 2));
        }
        Ok(Self {
            vertices,
            triangles,
            coordinates,
            look: self.look.clone(),
        })
    }

    /// The mesh with coordinates rounded to single precision, which MuJoCo does before it scales and weighs a mesh.
    /// Binary formats have no more digits; OBJ and inline vertices do.
    pub fn rounded(self, place: &Place, notices: &mut Notices) -> Result<Self, ImportError> {
        let single = |x: &f64| f64::from(*x as f32).to_bits() == x.to_bits();
        if self.vertices.iter().all(|v| v.iter().all(single)) {
            return Ok(self);
        }
        let vertices = self
            .vertices
            .iter()
            .map(|v| v.map(|x| f64::from(x as f32)))
            .collect();
        self.moved(vertices, place, notices)
    }

    /// The mesh with other vertices, one for each.
    pub fn moved(
        self,
        vertices: Vec<Vec3>,
        place: &Place,
        notices: &mut Notices,
    ) -> Result<Self, ImportError> {
        let raw = Raw {
            vertices,
            triangles: self.triangles,
            coordinates: self.coordinates,
            look: self.look,
            ..Raw::default()
        };
        clean::clean(raw, place, notices)
    }

    /// Corners of a triangle, m.
    fn corners(&self, triangle: &[u32; 3]) -> [Vec3; 3] {
        triangle.map(|i| self.vertices[i as usize])
    }

    /// Whether every edge belongs to exactly two triangles that run along it in opposite directions.
    pub fn closed(&self) -> bool {
        let edges = |back: bool| {
            let mut list: Vec<[u32; 2]> = self
                .triangles
                .iter()
                .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
                .map(|[a, b]| if back { [b, a] } else { [a, b] })
                .collect();
            list.sort_unstable();
            list
        };
        let forth = edges(false);
        forth.windows(2).all(|w| w[0] != w[1]) && forth == edges(true)
    }
}
