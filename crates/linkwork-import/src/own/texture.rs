//! `[[texture]]`, and `texture` of a shape.

use super::fields::Fields;
use super::geometry::Files;
use super::names::Known;
use super::table::{Done, Table};
use super::tree::Content;
use crate::{Fault, ImportError};
use data_encoding::BASE64;
use linkwork::model::{Image, Mapping, Mark, MarkLines, Pattern, ShapeTexture, Texture};
use std::sync::Arc;

/// A texture; images in files are among `files`.
pub(super) fn texture(t: &mut Table, texture: &mut Texture, files: &Option<Files>) -> Done {
    t.need("name", &mut texture.name)?;
    let kinds = ["flat", "checker", "gradient", "image"].map(|kind| (kind, kind));
    let mut kind = match texture.pattern {
        Pattern::Flat { .. } => "flat",
        Pattern::Checker { .. } => "checker",
        Pattern::Gradient { .. } => "gradient",
        Pattern::Image { .. } => "image",
    };
    t.word("type", &mut kind, &kinds, None)?;
    if let Table::Read(fields) = t {
        let (colours, mark) = ([[0.0; 3]; 2], None);
        texture.pattern = match (kind, files) {
            ("checker", _) => Pattern::Checker { colours, mark },
            ("gradient", _) => Pattern::Gradient { colours, mark },
            ("image", Some(files)) => Pattern::Image {
                image: image(fields, files)?,
            },
            _ => Pattern::Flat {
                colour: colours[0],
                mark,
            },
        };
    }
    match &mut texture.pattern {
        Pattern::Flat { colour, mark } => {
            t.need("colour", colour)?;
            self::mark(t, mark)
        }
        Pattern::Checker { colours, mark } | Pattern::Gradient { colours, mark } => {
            t.need("colour", &mut colours[0])?;
            t.need("second_colour", &mut colours[1])?;
            self::mark(t, mark)
        }
        Pattern::Image { image } => {
            if let Table::Write(entries) = t {
                entries.put("data", Content::Text(BASE64.encode(image.file())));
            }
            Ok(())
        }
    }
}

/// A texture before it is read.
pub(super) fn blank() -> Texture {
    Texture {
        name: String::new(),
        pattern: Pattern::Flat {
            colour: [0.0; 3],
            mark: None,
        },
    }
}

/// `file`, relative to the file's folder, or `data` in base64.
fn image(fields: &mut Fields, files: &Files) -> Result<Image, ImportError> {
    let (file, data): (Option<String>, Option<String>) =
        (fields.value("file")?, fields.value("data")?);
    let (key, bytes) = match (file, data) {
        (Some(file), None) => {
            let place = fields.place();
            let found = files.assets.find(files.folder, &file, &place)?;
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

/// Lines on it.
fn mark(t: &mut Table, mark: &mut Option<Mark>) -> Done {
    let words = [
        ("edge", Some(MarkLines::Edge)),
        ("cross", Some(MarkLines::Cross)),
    ];
    let mut lines = mark.map(|m| m.lines);
    t.word("mark", &mut lines, &words, Some(None))?;
    let Some(lines) = lines else {
        *mark = None;
        return Ok(());
    };
    let mut colour = mark.map_or([0.0; 3], |m| m.colour);
    t.or("mark_colour", &mut colour, [0.0; 3])?;
    *mark = Some(Mark { lines, colour });
    Ok(())
}

/// A shape's settings for its texture.
pub(super) fn on_shape(t: &mut Table, on: &mut Option<ShapeTexture>, known: &Known) -> Done {
    let mut texture = on.as_ref().map(|on| on.texture);
    t.name("texture", &mut texture, &known.textures)?;
    let Some(texture) = texture else {
        return Ok(());
    };
    let (mut repeat, mut half_extents, mut corners) = (None, None, None);
    match on.take().map(|on| on.mapping) {
        None => {}
        Some(Mapping::Plane { repeat: r }) => repeat = Some(r).filter(|r| *r != [1.0; 2]),
        Some(Mapping::Cube { half_extents: h }) => half_extents = Some(h),
        Some(Mapping::Corners { coordinates }) => {
            let numbers = coordinates.as_flattened().as_flattened().iter();
            corners = Some(numbers.map(|x| f64::from(*x)).collect::<Vec<_>>());
        }
    }
    t.some("texture_repeat", &mut repeat)?;
    t.some("texture_box", &mut half_extents)?;
    if repeat.is_none() && half_extents.is_none() {
        t.some("texture_corners", &mut corners)?;
    }
    let mapping = match (repeat, half_extents, corners) {
        (_, Some(half_extents), _) => Mapping::Cube { half_extents },
        (None, None, Some(numbers)) => Mapping::Corners {
            coordinates: Arc::new(triangles(t, &numbers)?),
        },
        (repeat, None, _) => Mapping::Plane {
            repeat: repeat.unwrap_or([1.0; 2]),
        },
    };
    *on = Some(ShapeTexture { texture, mapping });
    Ok(())
}

/// Six numbers for each triangle.
fn triangles(t: &Table, numbers: &[f64]) -> Result<Vec<[[f32; 2]; 3]>, ImportError> {
    let what = || format!("'texture_corners' has {} numbers", numbers.len());
    let remedy = "give six for each triangle, two for each of its corners";
    let whole = numbers.len().is_multiple_of(6);
    t.check(whole, "texture_corners", what, remedy)?;
    let numbers: Vec<f32> = numbers.iter().map(|x| *x as f32).collect();
    let triangle = |c: &[f32]| [[c[0], c[1]], [c[2], c[3]], [c[4], c[5]]];
    Ok(numbers.chunks_exact(6).map(triangle).collect())
}
