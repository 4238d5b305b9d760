//! Textures of materials, and how they lie on geoms.

use super::mesh::{asset_name, file_in};
use super::scene::Scene;
use super::tree::Part;
use crate::ImportError;
use crate::xml::Element;
use linkwork::math::Vec3;
use linkwork::model::{Geometry, Image, Mapping, Mark, MarkLines, Pattern, ShapeTexture, Texture};
use std::sync::Arc;

const TYPES: [&str; 3] = ["cube", "2d", "skybox"];
const BUILTIN: [&str; 4] = ["none", "gradient", "checker", "flat"];
const MARKS: [&str; 4] = ["none", "edge", "cross", "random"];

/// A geom's material with what its class adds, if it has one.
pub(super) fn material<'a>(
    scene: &Scene<'a>,
    part: &Part<'a>,
    geom: &Element,
) -> Result<Option<Element>, ImportError> {
    let Some(name) = geom.get("material") else {
        return Ok(None);
    };
    let document = part.document(scene);
    let mut assets = document.section("asset");
    let found = assets.find(|a| a.name == "material" && a.get("name") == Some(name));
    let complete = |m: &Element| document.defaults.complete(m, 0, "asset");
    found.map(complete).transpose()
}

/// The texture of a material on a form of a geom. `coordinates` are those of the geom's mesh.
pub(super) fn on_form<'a>(
    scene: &mut Scene<'a>,
    part: &Part<'a>,
    geom: &Element,
    material: &Element,
    form: &Geometry,
    coordinates: Option<&Arc<Vec<[[f32; 2]; 3]>>>,
) -> Result<Option<ShapeTexture>, ImportError> {
    let layers = material.children.iter().filter(|c| c.name == "layer");
    let mut colours = layers.filter(|l| matches!(l.get("role"), Some("rgb" | "rgba")));
    let layer = colours.find_map(|l| l.get("texture"));
    let Some(name) = material.get("texture").or(layer) else {
        return Ok(None);
    };
    let document = part.document(scene);
    let assets = document.section("asset").filter(|e| e.name == "texture");
    let Some(found) = assets
        .into_iter()
        .find(|e| asset_name(e).as_deref() == Some(name))
    else {
        let what = format!("texture '{name}' is not in the assets");
        scene.draft.notices.ignored(&material.place, what);
        return Ok(None);
    };
    let e = document.defaults.complete(found, 0, "asset")?;
    let key = (part.at.document, name.to_owned());
    let texture = match scene.textures.get(&key) {
        Some(known) => *known,
        None => {
            let pattern = pattern(scene, part, &e)?;
            let number = pattern.map(|pattern| {
                let textures = &mut scene.draft.textures;
                let mut name = name.to_owned();
                while textures.iter().any(|t| t.name == name) {
                    name.push('\'');
                }
                textures.push(Texture { name, pattern });
                textures.len() - 1
            });
            scene.textures.insert(key, number);
            number
        }
    };
    let Some(texture) = texture else {
        return Ok(None);
    };
    let uniform = material.flag("texuniform")? == Some(true);
    let half = extents(geom, form)?;
    let mapping = match (TYPES[e.choice("type", &TYPES)?.unwrap_or(0)], coordinates) {
        ("2d", Some(coordinates)) => Mapping::Corners {
            coordinates: coordinates.clone(),
        },
        ("2d", None) => {
            let repeat = material.fixed::<2>("texrepeat")?.unwrap_or([1.0, 1.0]);
            let per_metre = |i: usize| {
                // A plane without size is endless.
                if uniform || half[i] == 0.0 {
                    repeat[i]
                } else {
                    repeat[i] / (2.0 * half[i])
                }
            };
            Mapping::Plane {
                repeat: [per_metre(0), per_metre(1)],
            }
        }
        _ => Mapping::Cube {
            half_extents: if uniform {
                Vec3::repeat(1.0)
            } else {
                half.map(|h| h.max(1e-6))
            },
        },
    };
    Ok(Some(ShapeTexture { texture, mapping }))
}

/// The content of a texture; `None` if it is unsupported, with a notice.
fn pattern<'a>(
    scene: &mut Scene<'a>,
    part: &Part<'a>,
    e: &Element,
) -> Result<Option<Pattern>, ImportError> {
    let rgb = |name: &str, default: f64| -> Result<[f64; 3], ImportError> {
        let given = e.fixed::<3>(name)?.unwrap_or([default; 3]);
        Ok(given.map(|x| x.clamp(0.0, 1.0)))
    };
    let lines = match MARKS[e.choice("mark", &MARKS)?.unwrap_or(0)] {
        "edge" => Some(MarkLines::Edge),
        "cross" => Some(MarkLines::Cross),
        "random" => {
            let what = "the random dots of a texture";
            scene.draft.notices.ignored(&e.place, what);
            None
        }
        _ => None,
    };
    let colour = rgb("markrgb", 0.0)?;
    let mark = lines.map(|lines| Mark { lines, colour });
    let colours = [rgb("rgb1", 0.8)?, rgb("rgb2", 0.5)?];
    Ok(match BUILTIN[e.choice("builtin", &BUILTIN)?.unwrap_or(0)] {
        "gradient" => Some(Pattern::Gradient { colours, mark }),
        "checker" => Some(Pattern::Checker { colours, mark }),
        "flat" => Some(Pattern::Flat {
            colour: colours[0],
            mark,
        }),
        _ => {
            let Some(a) = e.attribute("file") else {
                let what = "a texture with an image for each side";
                scene.draft.notices.ignored(&e.place, what);
                return Ok(None);
            };
            let document = part.document(scene);
            let folder = &document.compiler.texture_folder;
            let bytes = file_in(folder, scene.assets, document, a)
                .and_then(|file| scene.assets.read(&file, &a.place));
            // A purely visual element may be missing, because it does not affect the motion.
            match bytes.map_err(|e| e.what).and_then(Image::new) {
                Ok(image) => Some(Pattern::Image { image }),
                Err(what) => {
                    let what = format!("texture '{}': {what}", a.value);
                    scene.draft.notices.ignored(&a.place, what);
                    None
                }
            }
        }
    })
}

/// Half the size of a form along its axes, m; 0 where it is endless.
fn extents(geom: &Element, form: &Geometry) -> Result<Vec3, ImportError> {
    if let Some(half) = form.half_extents() {
        return Ok(half);
    }
    let size = geom.numbers("size")?.unwrap_or_default();
    let side = |i: usize| size.get(i).copied().unwrap_or(0.0).max(0.0);
    Ok(Vec3::new(side(0), side(1), 0.0))
}
