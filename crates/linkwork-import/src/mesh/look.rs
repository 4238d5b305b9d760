//! Colours and images from the materials of mesh files.

use crate::{Assets, Notices, Place};
use linkwork::model::Image;
use std::path::Path;

/// What a surface looks like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// Red, green, blue and opacity from 0 to 1.
    pub colour: Option<[f64; 4]>,
    /// An image, by the texture coordinates of the mesh.
    pub image: Option<Image>,
}

/// Appearance of a mesh in its file.
#[derive(Clone, Debug, PartialEq)]
pub enum LookOf {
    /// It is in the file (glTF).
    Inside(Look),
    /// A material of a material library (OBJ).
    Library {
        /// Name of the library's file.
        library: String,
        /// Name of the material.
        material: String,
    },
}

impl LookOf {
    /// The appearance of the mesh in `file`. Material libraries and images that cannot be read are omitted with a
    /// notice, because they do not affect the motion.
    pub fn read(&self, assets: &Assets, file: &Path, notices: &mut Notices) -> Look {
        let (library, material) = match self {
            Self::Inside(look) => return look.clone(),
            Self::Library { library, material } => (library, material),
        };
        let place = Place::file(file);
        let folder = file.parent().unwrap_or(Path::new("."));
        let found = assets.find(folder, library, &place);
        let text = found.and_then(|f| assets.read_text(&f, &place));
        let text = match text {
            Ok(text) => text,
            Err(e) => {
                notices.ignored(&place, format!("materials of the mesh: {}", e.what));
                return Look::default();
            }
        };
        let mut look = Look::default();
        let mut current = false;
        for line in String::from_utf8_lossy(&text).lines() {
            let (word, rest) = line
                .trim()
                .split_once(char::is_whitespace)
                .unwrap_or_default();
            let rest = rest.trim();
            let number = |w: &str| w.parse().ok().filter(|x: &f64| (0.0..=1.0).contains(x));
            match word {
                "newmtl" => current = rest == material,
                "Kd" if current => {
                    let rgb: Option<Vec<f64>> = rest.split_whitespace().map(number).collect();
                    if let Some(&[r, g, b]) = rgb.as_deref() {
                        let opacity = look.colour.map_or(1.0, |c| c[3]);
                        look.colour = Some([r, g, b, opacity]);
                    }
                }
                "d" if current => {
                    if let Some(opacity) = number(rest) {
                        let [r, g, b, _] = look.colour.unwrap_or([1.0; 4]);
                        look.colour = Some([r, g, b, opacity]);
                    }
                }
                // Options come before the name.
                "map_Kd" if current => {
                    let name = rest.rsplit_once(" -").map_or(rest, |(_, last)| {
                        last.splitn(3, char::is_whitespace).last().unwrap_or(last)
                    });
                    look.image = image(assets, folder, name, &place, notices);
                }
                _ => {}
            }
        }
        // Programs write black together with an image.
        if look.image.is_some() {
            look.colour = look.colour.map(|c| [1.0, 1.0, 1.0, c[3]]);
        }
        look
    }
}

/// The image in a file, if it can be read.
pub(crate) fn image(
    assets: &Assets,
    folder: &Path,
    name: &str,
    place: &Place,
    notices: &mut Notices,
) -> Option<Image> {
    let found = assets.find(folder, name, place);
    let bytes = found.and_then(|f| assets.read(&f, place));
    let image = bytes.map_err(|e| e.what).and_then(Image::new);
    image
        .map_err(|what| notices.ignored(place, format!("image '{name}': {what}")))
        .ok()
}
