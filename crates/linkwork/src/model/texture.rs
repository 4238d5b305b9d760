//! Textures: images on the surfaces of shapes.

use crate::math::Vec3;
use data_encoding::BASE64;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Largest file of an image, bytes.
pub const MAX_IMAGE_BYTES: usize = 16 << 20;
/// Most pixels along a side of an image.
pub const MAX_IMAGE_SIDE: u32 = 8192;
/// Largest sum of all images of a model, bytes.
pub const MAX_IMAGES_BYTES: usize = 64 << 20;

/// A named image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Texture {
    /// Its name.
    pub name: String,
    /// What is on it.
    pub pattern: Pattern,
}

/// Content of a texture. Colours are red, green and blue from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Pattern {
    /// One colour.
    Flat {
        /// It.
        colour: [f64; 3],
        /// Lines on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<Mark>,
    },
    /// Two by two fields, the first colour at the upper left and lower right.
    Checker {
        /// The two colours.
        colours: [[f64; 3]; 2],
        /// Lines on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<Mark>,
    },
    /// From the first colour in the middle to the second at the corners.
    Gradient {
        /// The two colours.
        colours: [[f64; 3]; 2],
        /// Lines on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<Mark>,
    },
    /// An image.
    Image {
        /// It.
        image: Image,
    },
}

/// Lines on a texture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Where they are.
    pub lines: MarkLines,
    /// Their colour.
    pub colour: [f64; 3],
}

/// Where the lines of a [`Mark`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkLines {
    /// Along the four sides.
    Edge,
    /// Through the middle, parallel to the sides.
    Cross,
}

/// The file of an image, PNG or JPEG.
#[derive(Clone, Debug, PartialEq)]
pub struct Image(Arc<Vec<u8>>);

impl Image {
    /// An image from the bytes of its file. The error contains the reason and the remedy.
    pub fn new(file: Vec<u8>) -> Result<Self, String> {
        if file.len() > MAX_IMAGE_BYTES {
            let size = file.len();
            return Err(format!(
                "it has {size} bytes; at most {MAX_IMAGE_BYTES} are taken"
            ));
        }
        match sides(&file) {
            None => Err("it is neither PNG nor JPEG, or damaged; convert it".to_owned()),
            Some([w, h]) if w == 0 || h == 0 || w > MAX_IMAGE_SIDE || h > MAX_IMAGE_SIDE => Err(
                format!("it has {w} x {h} pixels; at most {MAX_IMAGE_SIDE} a side are taken"),
            ),
            Some(_) => Ok(Self(Arc::new(file))),
        }
    }

    /// The bytes of its file.
    pub fn file(&self) -> &[u8] {
        &self.0
    }
}

/// Width and height from the header of a PNG or JPEG file, pixels.
fn sides(file: &[u8]) -> Option<[u32; 2]> {
    if file.starts_with(b"\x89PNG\r\n\x1a\n") {
        let word = |at: usize| Some(u32::from_be_bytes(file.get(at..at + 4)?.try_into().ok()?));
        return Some([word(16)?, word(20)?]);
    }
    if !file.starts_with(b"\xff\xd8") {
        return None;
    }
    // Segments: a marker, then their length. The frame header (SOF0 to SOF15 except DHT, JPG and DAC) has the size.
    let mut at = 2;
    loop {
        let (marker, rest) = (file.get(at..at + 2)?, file.get(at + 2..)?);
        let word = |i: usize| {
            Some(u32::from(u16::from_be_bytes(
                rest.get(i..i + 2)?.try_into().ok()?,
            )))
        };
        match marker {
            [0xff, 0xff] => at += 1,
            [0xff, 0xc0..=0xcf] if ![0xc4, 0xc8, 0xcc].contains(&marker[1]) => {
                return Some([word(5)?, word(3)?]);
            }
            [0xff, _] => at += 2 + word(0)? as usize,
            _ => return None,
        }
    }
}

impl Serialize for Image {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&BASE64.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Image {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let file = BASE64
            .decode(text.as_bytes())
            .map_err(serde::de::Error::custom)?;
        Self::new(file).map_err(serde::de::Error::custom)
    }
}

/// A texture on a shape. Its colours are multiplied by that of the shape, if it has one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapeTexture {
    /// The texture: its index in [`ModelData::textures`](super::ModelData::textures).
    pub texture: usize,
    /// How it lies on the shape.
    pub mapping: Mapping,
}

/// How a texture lies on a shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Mapping {
    /// Projected along the z axis of the shape's frame; the middle of an image is at the origin, its right side along x
    /// and its upper side along y.
    Plane {
        /// Number of images per metre along x and y.
        repeat: [f64; 2],
    },
    /// Projected from the origin of the shape's frame to its surface: one image for each side of a box.
    Cube {
        /// Half sides of the box, m.
        half_extents: Vec3,
    },
    /// Given for the corners of a triangle mesh.
    Corners {
        /// For the three corners of each triangle: 0 at the left and lower sides of the image, 1 at the others.
        coordinates: Arc<Vec<[[f32; 2]; 3]>>,
    },
}
