//! `[[texture]]`, and `texture` of a shape.

use super::fields::Fields;
use super::geometry::Files;
use super::names::Names;
use super::tree::Entries;
use crate::{Fault, ImportError};
use data_encoding::BASE64;
use linkwork::math::Vec3;
use linkwork::model::{Image, Mapping, Mark, MarkLines, Model, Pattern, ShapeTexture, Texture};
use std::sync::Arc;

const TYPES: [&str; 4] = ["flat", "checker", "gradient", "image"];

/// Read a texture.
pub(super) fn read(
    fields: &mut Fields,
    name: String,
    files: &Files,
) -> Result<Texture, ImportError> {
    let kind = fields.text("type")?;
    let kind = fields.require("type", kind)?;
    let pattern = match kind {
        "flat" => {
            let colour = fields.array("colour")?;
            Pattern::Flat {
                colour: fields.require("colour", colour)?,
                mark: mark(fields)?,
            }
        }
        "checker" | "gradient" => {
            let (first, second) = (fields.array("colour")?, fields.array("second_colour")?);
            let first = fields.require("colour", first)?;
            let colours = [first, fields.require("second_colour", second)?];
            let mark = mark(fields)?;
            match kind {
                "checker" => Pattern::Checker { colours, mark },
                _ => Pattern::Gradient { colours, mark },
            }
        }
        "image" => Pattern::Image {
            image: image(fields, files)?,
        },
        _ => {
            let what = format!("there is no texture type '{kind}'");
            let remedy = crate::suggest::remedy(kind, &TYPES);
            return Err(fields.fail_at("type", Fault::BadValue, what, remedy));
        }
    };
    Ok(Texture { name, pattern })
}

/// `file`, relative to the file's folder, or `data` in base64.
fn image(fields: &mut Fields, files: &Files) -> Result<Image, ImportError> {
    let (file, data) = (fields.text("file")?, fields.text("data")?);
    let (key, bytes) = match (file, data) {
        (Some(file), None) => {
            let place = fields.place();
            let found = files.assets.find(files.folder, file, &place)?;
            ("file", files.assets.read(&found, &place)?)
        }
        (None, Some(data)) => match BASE64.decode(data.as_bytes()) {
            Ok(bytes) => ("data", bytes),
            Err(e) => {
                let what = format!("'data' is not base64: {e}");
                return Err(fields.fail_at("data", Fault::BadValue, what, "write the file again"));
            }
        },
        _ => {
            let what = "an image has either 'file' or 'data'";
            return Err(fields.fail_at("file", Fault::Missing, what, "give one of them"));
        }
    };
    Image::new(bytes).map_err(|what| {
        let remedy = "give a PNG or JPEG file";
        fields.fail_at(key, Fault::BadValue, what, remedy)
    })
}

fn mark(fields: &mut Fields) -> Result<Option<Mark>, ImportError> {
    let lines = match fields.text("mark")? {
        None => return Ok(None),
        Some("edge") => MarkLines::Edge,
        Some("cross") => MarkLines::Cross,
        Some(other) => {
            let what = format!("'mark' is '{other}'");
            let remedy = "it must be \"edge\" or \"cross\"";
            return Err(fields.fail_at("mark", Fault::BadValue, what, remedy));
        }
    };
    let colour = fields.array("mark_colour")?.unwrap_or([0.0; 3]);
    Ok(Some(Mark { lines, colour }))
}

/// Write a texture.
pub(super) fn write(texture: &Texture) -> Entries {
    let mut to = Entries::default();
    to.put("name", texture.name.as_str());
    let (kind, colours, mark): (_, &[[f64; 3]], _) = match &texture.pattern {
        Pattern::Flat { colour, mark } => ("flat", std::slice::from_ref(colour), mark),
        Pattern::Checker { colours, mark } => ("checker", colours, mark),
        Pattern::Gradient { colours, mark } => ("gradient", colours, mark),
        Pattern::Image { image } => {
            to.put("type", "image");
            to.put("data", BASE64.encode(image.file()).as_str());
            return to;
        }
    };
    to.put("type", kind);
    for (key, colour) in ["colour", "second_colour"].iter().zip(colours) {
        to.put(key, *colour);
    }
    if let Some(mark) = mark {
        let lines = match mark.lines {
            MarkLines::Edge => "edge",
            MarkLines::Cross => "cross",
        };
        to.put("mark", lines);
        to.put_unless("mark_colour", mark.colour, [0.0; 3]);
    }
    to
}

/// A shape's settings for its texture.
pub(super) fn on_shape(
    fields: &mut Fields,
    textures: &Names,
) -> Result<Option<ShapeTexture>, ImportError> {
    let Some(texture) = textures.get(fields, "texture")? else {
        return Ok(None);
    };
    let repeat = fields.array("texture_repeat")?;
    let half_extents = fields.vector("texture_box")?;
    let mapping = match (repeat, half_extents) {
        (_, Some(half_extents)) => Mapping::Cube { half_extents },
        (Some(repeat), None) => Mapping::Plane { repeat },
        (None, None) if fields.get("texture_corners").is_some() => Mapping::Corners {
            coordinates: Arc::new(corners(fields)?),
        },
        (None, None) => Mapping::Plane { repeat: [1.0; 2] },
    };
    Ok(Some(ShapeTexture { texture, mapping }))
}

/// Six numbers for each triangle.
fn corners(fields: &mut Fields) -> Result<Vec<[[f32; 2]; 3]>, ImportError> {
    let numbers = fields.numbers("texture_corners")?.unwrap_or_default();
    if numbers.len() % 6 != 0 {
        let what = format!("'texture_corners' has {} numbers", numbers.len());
        let remedy = "give six for each triangle, two for each of its corners";
        return Err(fields.fail_at("texture_corners", Fault::BadValue, what, remedy));
    }
    let numbers: Vec<f32> = numbers.into_iter().map(|x| x as f32).collect();
    let triangle = |c: &[f32]| [[c[0], c[1]], [c[2], c[3]], [c[4], c[5]]];
    Ok(numbers.chunks_exact(6).map(triangle).collect())
}

/// Write the texture on a shape.
pub(super) fn write_on_shape(to: &mut Entries, on: &ShapeTexture, model: &Model) {
    to.put("texture", model.textures()[on.texture].name.as_str());
    match &on.mapping {
        Mapping::Plane { repeat } => to.put_unless("texture_repeat", *repeat, [1.0; 2]),
        Mapping::Cube { half_extents } => to.put("texture_box", half_extents as &Vec3),
        Mapping::Corners { coordinates } => {
            let numbers = coordinates.as_flattened().as_flattened().iter();
            let numbers: Vec<f64> = numbers.map(|x| f64::from(*x)).collect();
            to.put("texture_corners", numbers);
        }
    }
}
