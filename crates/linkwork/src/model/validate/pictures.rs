//! The checks of cameras and textures.

use super::{bad, body_exists, finite_pose, unique};
use crate::model::{
    Aim, Geometry, Lens, MAX_IMAGES_BYTES, Mapping, ModelData, ModelError, Pattern, ShapeTexture,
};

/// Check cameras, textures, and where these are on shapes.
pub(in crate::model) fn pictures(data: &ModelData) -> Result<(), ModelError> {
    let count = data.bodies.len();
    unique("camera", data.cameras.iter().map(|c| c.frame.name.as_str()))?;
    for camera in &data.cameras {
        let element = format!("camera '{}'", camera.frame.name);
        if let Some(body) = camera.frame.body {
            body_exists(&element, body, count)?;
        }
        finite_pose(&element, "pose", &camera.frame.local)?;
        if let Aim::LookAt { target } = camera.aim {
            body_exists(&element, target, count)?;
        }
        match camera.lens {
            Lens::Perspective { field_of_view: v } if !(v > 0.0 && v < std::f64::consts::PI) => {
                let remedy = "it must be above 0 and below π, rad";
                return Err(bad(element, "field of view", v, remedy));
            }
            Lens::Orthographic { height: h } if !(h > 0.0 && h.is_finite()) => {
                let remedy = "it must be positive, m";
                return Err(bad(element, "height of the picture", h, remedy));
            }
            _ => {}
        }
    }
    unique("texture", data.textures.iter().map(|t| t.name.as_str()))?;
    let mut bytes = 0;
    for texture in &data.textures {
        let element = || format!("texture '{}'", texture.name);
        let (colours, mark): (&[[f64; 3]], _) = match &texture.pattern {
            Pattern::Flat { colour, mark } => (std::slice::from_ref(colour), mark),
            Pattern::Checker { colours, mark } | Pattern::Gradient { colours, mark } => {
                (colours, mark)
            }
            Pattern::Image { image } => {
                bytes += image.file().len();
                if bytes > MAX_IMAGES_BYTES {
                    let remedy = "images may have 64 MB in all: reduce them";
                    return Err(bad(element(), "size of all images", bytes as f64, remedy));
                }
                continue;
            }
        };
        let mark = mark.iter().flat_map(|m| m.colour);
        let mut parts = colours.iter().flatten().copied().chain(mark);
        if let Some(part) = parts.find(|c| !(0.0..=1.0).contains(c)) {
            let remedy = "red, green and blue are from 0 to 1";
            return Err(bad(element(), "colour", part, remedy));
        }
    }
    for shape in &data.shapes {
        if let Some(texture) = &shape.texture {
            let element = format!("shape '{}'", shape.name);
            on_shape(data, &element, texture, &shape.geometry)?;
        }
    }
    Ok(())
}

fn on_shape(
    data: &ModelData,
    element: &str,
    texture: &ShapeTexture,
    geometry: &Geometry,
) -> Result<(), ModelError> {
    if texture.texture >= data.textures.len() {
        return Err(ModelError::MissingReference {
            element: element.to_owned(),
            what: format!("texture number {}", texture.texture),
        });
    }
    let refuse = |what, value, remedy| Err(bad(element.to_owned(), what, value, remedy));
    match &texture.mapping {
        Mapping::Plane { repeat } => match repeat.iter().find(|r| !r.is_finite()) {
            Some(r) => refuse("repetitions of the texture", *r, "they must be finite, 1/m"),
            None => Ok(()),
        },
        Mapping::Cube { half_extents } => {
            match half_extents.iter().find(|h| !h.is_finite() || **h <= 0.0) {
                Some(h) => refuse("box of the texture", *h, "half sides must be positive, m"),
                None => Ok(()),
            }
        }
        Mapping::Corners { coordinates } => {
            let triangles = match geometry {
                Geometry::TriangleMesh { triangles, .. } => triangles.len(),
                _ => 0,
            };
            let finite = coordinates.as_flattened().as_flattened().iter();
            if let Some(x) = finite.clone().find(|x| !x.is_finite()) {
                let x = f64::from(*x);
                return refuse("texture coordinates", x, "they must be finite");
            }
            if coordinates.len() == triangles {
                return Ok(());
            }
            let count = coordinates.len() as f64;
            let remedy = "give them for every triangle of a mesh";
            refuse("number of texture coordinates", count, remedy)
        }
    }
}
