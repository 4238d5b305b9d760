//! Collision and visual shapes of links.

use super::Paths;
use crate::draft::{Draft, DraftShape, Filter, LinkId};
use crate::mesh::{self, Look, Mesh, forms};
use crate::{Fault, ImportError, Options, Place};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Geometry, Image, Mapping, Material, Pattern, ShapeTexture, Texture};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// Most convex parts of a decomposed mesh.
const PARTS: usize = 16;

/// What a shape is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It touches others.
    Collision,
    /// It is only seen.
    Visual,
}

/// Appearance of a shape according to its material.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Paint {
    /// Red, green, blue and opacity from 0 to 1.
    pub colour: Option<[f64; 4]>,
    /// An image, by its path.
    pub image: Option<String>,
}

/// A shape before its form is known.
#[derive(Clone)]
pub(crate) struct Spot {
    /// The link.
    pub link: LinkId,
    /// Whether the link is part of the world.
    pub fixed: bool,
    /// Pose in the link frame.
    pub pose: Pose,
    /// What it is for.
    pub role: Role,
    /// Name wished for.
    pub name: Option<String>,
    /// Its surface.
    pub material: Material,
    /// What it touches, if anything.
    pub filter: Filter,
    /// Its colour and image.
    pub paint: Paint,
    /// Its position in the file.
    pub place: Place,
}

/// Adds shapes to a draft.
pub(crate) struct Shapes<'a> {
    paths: Paths<'a>,
    options: &'a Options,
    meshes: BTreeMap<PathBuf, Arc<Mesh>>,
    names: BTreeSet<String>,
}

impl<'a> Shapes<'a> {
    /// Shapes whose meshes lie at `paths`.
    pub fn new(paths: Paths<'a>, options: &'a Options) -> Self {
        Self {
            paths,
            options,
            meshes: BTreeMap::new(),
            names: BTreeSet::new(),
        }
    }

    /// Whether shapes of this role are carried at all.
    pub fn wants(&self, role: Role) -> bool {
        role == Role::Collision || self.options.visuals
    }

    /// Add a shape of known form.
    pub fn add(&mut self, spot: Spot, geometry: Geometry, draft: &mut Draft) {
        let texture = spot.paint.image.as_ref().and_then(|uri| {
            let texture = self.texture(uri, &spot.place, draft)?;
            let mapping = Mapping::Cube {
                half_extents: geometry.half_extents()?.map(|h| h.max(1e-6)),
            };
            Some(ShapeTexture { texture, mapping })
        });
        self.add_textured(spot, geometry, texture, draft);
    }

    fn add_textured(
        &mut self,
        spot: Spot,
        geometry: Geometry,
        texture: Option<ShapeTexture>,
        draft: &mut Draft,
    ) {
        // Names of shapes are optional and need not be unique in the files, but must be unique here.
        let name = spot.name.filter(|n| self.names.insert(n.clone()));
        draft.shapes.push(DraftShape {
            name,
            place: spot.place,
            link: Some(spot.link),
            pose: spot.pose,
            geometry,
            material: spot.material,
            filter: match spot.role {
                Role::Collision => spot.filter,
                Role::Visual => Filter::VISUAL,
            },
            colour: spot.paint.colour,
            texture,
        });
    }

    /// The texture of an image file, by its index; `None` if it cannot be read, with a notice.
    fn texture(&mut self, uri: &str, place: &Place, draft: &mut Draft) -> Option<usize> {
        let known = draft.textures.iter().position(|t| t.name == uri);
        known.or_else(|| {
            let file = self.paths.resolve(uri, place, &mut draft.notices);
            let bytes = file.and_then(|f| self.paths.assets().read(&f, place));
            match bytes.map_err(|e| e.what).and_then(Image::new) {
                Ok(image) => Some(add_texture(uri, image, draft)),
                Err(what) => {
                    let what = format!("texture '{uri}': {what}");
                    draft.notices.ignored(place, what);
                    None
                }
            }
        })
    }

    /// Adds a visual mesh with its exact triangles, with the appearance of its material or of its file.
    fn add_exact(&mut self, mut spot: Spot, mesh: &Mesh, uri: &str, draft: &mut Draft) {
        let own = match (&mesh.look, spot.paint.colour, &spot.paint.image) {
            (Some(look), None, None) => {
                let file = self.paths.resolve(uri, &spot.place, &mut draft.notices);
                let read = |f: PathBuf| look.read(self.paths.assets(), &f, &mut draft.notices);
                file.map(read).unwrap_or_default()
            }
            _ => Look::default(),
        };
        spot.paint.colour = spot.paint.colour.or(own.colour);
        let number = match (&spot.paint.image, own.image) {
            _ if mesh.coordinates.is_empty() => None,
            (Some(image), _) => self.texture(&image.clone(), &spot.place, draft),
            (None, Some(image)) => {
                let same = |t: &Texture| {
                    t.pattern
                        == Pattern::Image {
                            image: image.clone(),
                        }
                };
                let known = draft.textures.iter().position(same);
                Some(known.unwrap_or_else(|| add_texture(uri, image, draft)))
            }
            (None, None) => None,
        };
        let texture = number.map(|texture| ShapeTexture {
            texture,
            mapping: Mapping::Corners {
                coordinates: Arc::new(mesh.coordinates.clone()),
            },
        });
        self.add_textured(spot, mesh::exact(mesh), texture, draft);
    }

    /// Adds a mesh: its triangles if it is visual or part of the world, otherwise its hull or convex parts.
    pub fn add_mesh(
        &mut self,
        spot: Spot,
        uri: &str,
        scale: Vec3,
        draft: &mut Draft,
    ) -> Result<(), ImportError> {
        let mesh = match self.load(uri, &spot.place, draft) {
            // A purely visual element may be missing, because it does not affect the motion.
            Err(e) if spot.role == Role::Visual && e.fault == Fault::Unreadable => {
                let what = format!("{}: it is not shown", e.what);
                draft.notices.warn(&e.place, what, e.remedy);
                return Ok(());
            }
            other => other?,
        };
        let scaled = if scale == Vec3::repeat(1.0) {
            mesh
        } else {
            Arc::new(mesh.scaled(scale, &spot.place)?)
        };
        if spot.role == Role::Visual || spot.fixed {
            self.add_exact(spot, &scaled, uri, draft);
            return Ok(());
        }
        let corners = mesh::HULL_CORNERS;
        let parts = if self.options.decompose {
            forms::decompose(self.paths.assets(), &scaled, PARTS, corners, &spot.place)?
        } else {
            vec![forms::hull(
                self.paths.assets(),
                &scaled,
                corners,
                &spot.place,
                &mut draft.notices,
            )?]
        };
        for part in parts {
            self.add(spot.clone(), part, draft);
        }
        Ok(())
    }

    fn load(
        &mut self,
        uri: &str,
        place: &Place,
        draft: &mut Draft,
    ) -> Result<Arc<Mesh>, ImportError> {
        let file = self.paths.resolve(uri, place, &mut draft.notices)?;
        if let Some(known) = self.meshes.get(&file) {
            return Ok(known.clone());
        }
        let assets = self.paths.assets();
        let mesh = Arc::new(mesh::load(assets, &file, place, &mut draft.notices)?);
        self.meshes.insert(file, mesh.clone());
        Ok(mesh)
    }
}

/// Add a texture and return its number.
fn add_texture(name: &str, image: Image, draft: &mut Draft) -> usize {
    draft.textures.push(Texture {
        name: name.to_owned(),
        pattern: Pattern::Image { image },
    });
    draft.textures.len() - 1
}

/// A length that must be positive.
pub(crate) fn positive(value: f64, name: &str, place: &Place) -> Result<f64, ImportError> {
    if value > 0.0 {
        return Ok(value);
    }
    let what = format!("{name} is {value}");
    let remedy = "give a positive number, m";
    Err(ImportError::new(place, Fault::BadValue, what, remedy))
}
