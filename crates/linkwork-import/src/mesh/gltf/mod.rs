//! glTF 2.0, as text with buffers in separate files or embedded, and as GLB.
//!
//! The meshes of the default scene, placed by its nodes. Lengths are in metres. The format's y axis points up;
//! coordinates are used unchanged, as for DAE, with a notice.

mod access;
mod document;
mod scene;
mod uri;

use super::bytes::Bytes;
use super::look::Look;
use super::raw::Raw;
use crate::{Assets, Fault, ImportError, Notices, Place};
use access::Data;
use document::{Document, Material};
use linkwork::model::Image;

/// `glTF`, and the two kinds of chunk, lowest byte first.
const MAGIC: u32 = 0x4654_6c67;
const JSON: u32 = 0x4e4f_534a;
const BIN: u32 = 0x004e_4942;

pub(super) fn read_text(
    bytes: &[u8],
    assets: &Assets,
    place: &Place,
    notices: &mut Notices,
) -> Result<Raw, ImportError> {
    read(bytes, None, assets, place, notices)
}

pub(super) fn read_binary(
    bytes: &[u8],
    assets: &Assets,
    place: &Place,
    notices: &mut Notices,
) -> Result<Raw, ImportError> {
    let mut data = Bytes::new(bytes, place);
    let wrong = |what: String| {
        let remedy = "export the mesh again as glTF 2.0 binary";
        ImportError::new(place, Fault::Syntax, what, remedy)
    };
    if data.u32("header")? != MAGIC {
        return Err(wrong("the file does not begin with 'glTF'".to_owned()));
    }
    let version = data.u32("header")?;
    if version != 2 {
        return Err(wrong(format!("glTF of version {version}")));
    }
    let announced = u64::from(data.u32("header")?);
    let mut data = Bytes::new(data.items(announced.saturating_sub(12), 1, "bytes")?, place);
    let mut chunk = |wanted: u32| {
        let length = u64::from(data.u32("length of a chunk")?);
        let kind = data.u32("kind of a chunk")?;
        let bytes = data.items(length, 1, "bytes of a chunk")?;
        Ok::<_, ImportError>((kind == wanted, bytes, data.left()))
    };
    let (is_json, json, left) = chunk(JSON)?;
    if !is_json {
        return Err(wrong("the first chunk is not JSON".to_owned()));
    }
    // A binary chunk may be missing; other kinds are ignored.
    let binary = match left {
        0 => None,
        _ => chunk(BIN).map(|(is_bin, bytes, _)| is_bin.then_some(bytes))?,
    };
    read(json, binary, assets, place, notices)
}

fn read(
    json: &[u8],
    binary: Option<&[u8]>,
    assets: &Assets,
    place: &Place,
    notices: &mut Notices,
) -> Result<Raw, ImportError> {
    let document = Document::parse(json, place, notices)?;
    let data = Data::load(&document, binary, assets, place)?;
    let what = "the y axis of glTF points up: coordinates are taken as they stand";
    notices.chose(
        place,
        what,
        "turn the mesh where it is used if it lies on its side",
    );
    let looks = looks(&document, &data, assets, place, notices);
    scene::place_all(&document, &data, &looks, place)
}

/// The appearance of each material. Images that cannot be read are omitted, with a notice.
fn looks(
    document: &Document,
    data: &Data,
    assets: &Assets,
    place: &Place,
    notices: &mut Notices,
) -> Vec<Look> {
    let mut image = |texture: usize| {
        let source = document.textures.get(texture)?.source?;
        let item = document.images.get(source)?;
        let file = match (&item.uri, item.buffer_view) {
            (Some(uri), _) => uri::fetch(uri, assets, place).map_err(|e| e.what),
            (None, Some(view)) => data
                .view(view)
                .map(<[u8]>::to_vec)
                .ok_or_else(|| "it does not lie within its buffer".to_owned()),
            (None, None) => return None,
        };
        let image = file.and_then(Image::new);
        image
            .map_err(|what| notices.ignored(place, format!("image {source}: {what}")))
            .ok()
    };
    let look = |material: &Material| {
        let Some(surface) = &material.pbr_metallic_roughness else {
            return Look::default();
        };
        Look {
            colour: surface
                .base_color_factor
                .map(|c| c.map(|x| x.clamp(0.0, 1.0))),
            image: surface
                .base_color_texture
                .as_ref()
                .and_then(|t| image(t.index)),
        }
    };
    document.materials.iter().map(look).collect()
}
