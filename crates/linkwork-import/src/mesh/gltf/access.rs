//! Buffers, views and accessors of a glTF document: numbers from bytes, within their bounds.

use super::super::assembly::MAX_SCENE_TRIANGLES;
use super::super::bytes::{position, u32s};
use super::document::{Accessor, Document};
use super::uri;
use crate::{Assets, Fault, ImportError, Place};
use linkwork::math::Vec3;
use std::borrow::Cow;

/// Most bytes of all buffers.
const MAX_BYTES: u64 = crate::MAX_FILE_BYTES;

const FLOAT: u32 = 5126;

/// A document's buffers.
pub struct Data<'a> {
    document: &'a Document,
    buffers: Vec<Cow<'a, [u8]>>,
    place: &'a Place,
}

impl<'a> Data<'a> {
    /// Read all buffers; `binary` is the one inside a GLB.
    pub fn load(
        document: &'a Document,
        binary: Option<&'a [u8]>,
        assets: &Assets,
        place: &'a Place,
    ) -> Result<Self, ImportError> {
        let mut buffers: Vec<Cow<[u8]>> = Vec::new();
        let mut total = 0;
        for (k, buffer) in document.buffers.iter().enumerate() {
            let place = place.element(format!("buffers/{k}"));
            let bytes: Cow<[u8]> = match (&buffer.uri, binary) {
                (Some(uri), _) => uri::fetch(uri, assets, &place)?.into(),
                (None, Some(binary)) if k == 0 => binary.into(),
                _ => {
                    let what = "a buffer without uri";
                    let remedy = "export the mesh again";
                    return Err(ImportError::new(&place, Fault::Missing, what, remedy));
                }
            };
            let (have, wanted) = (bytes.len() as u64, buffer.byte_length);
            total += have;
            let fault = match () {
                () if have < wanted => Fault::Syntax,
                // The same file may be named a thousand times.
                () if total > MAX_BYTES => Fault::TooLarge,
                () => {
                    buffers.push(bytes);
                    continue;
                }
            };
            let what = format!("{wanted} bytes are announced, {have} are there, {total} in all");
            let remedy = format!("export the mesh again, with at most {MAX_BYTES} bytes");
            return Err(ImportError::new(&place, fault, what, remedy));
        }
        Ok(Self {
            document,
            buffers,
            place,
        })
    }

    /// The positions of an accessor, m.
    pub fn positions(&self, accessor: usize) -> Result<Vec<Vec3>, ImportError> {
        let (found, place) = self.accessor(accessor)?;
        if found.kind != "VEC3" || found.component_type != FLOAT {
            let what = "positions that are not three single-precision numbers";
            let remedy = "export the mesh without compression";
            return Err(ImportError::new(&place, Fault::Unsupported, what, remedy));
        }
        Ok(self.items(found, 12, &place)?.map(position).collect())
    }

    /// The texture coordinates of an accessor, 0 at the upper side; `None` if they are not in single precision.
    pub fn coordinates(&self, accessor: usize) -> Result<Option<Vec<[f32; 2]>>, ImportError> {
        let (found, place) = self.accessor(accessor)?;
        if found.kind != "VEC2" || found.component_type != FLOAT {
            return Ok(None);
        }
        let single = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let pair = |b: &[u8]| [single(&b[..4]), single(&b[4..])];
        Ok(Some(self.items(found, 8, &place)?.map(pair).collect()))
    }

    /// The bytes of a view.
    pub fn view(&self, view: usize) -> Option<&[u8]> {
        let view = self.document.buffer_views.get(view)?;
        let buffer = self.buffers.get(view.buffer)?;
        slice(buffer, view.byte_offset, view.byte_length)
    }

    /// The indices of an accessor.
    pub fn indices(&self, accessor: usize) -> Result<Vec<u32>, ImportError> {
        let (found, place) = self.accessor(accessor)?;
        let size = match (found.kind.as_str(), found.component_type) {
            ("SCALAR", 5121) => 1,
            ("SCALAR", 5123) => 2,
            ("SCALAR", 5125) => 4,
            (kind, component) => {
                let what = format!("indices of type {kind} and component type {component}");
                let remedy = "export the mesh again";
                return Err(ImportError::new(&place, Fault::BadValue, what, remedy));
            }
        };
        let number = |bytes: &[u8]| {
            let mut whole = [0; 4];
            whole[..size].copy_from_slice(bytes);
            u32s(&whole).next().unwrap_or_default()
        };
        Ok(self.items(found, size, &place)?.map(number).collect())
    }

    fn accessor(&self, index: usize) -> Result<(&Accessor, Place), ImportError> {
        let place = self.place.element(format!("accessors/{index}"));
        match self.document.accessors.get(index) {
            Some(accessor) => Ok((accessor, place)),
            None => Err(unresolved(&place)),
        }
    }

    /// The items of an accessor, `size` bytes each.
    fn items(
        &self,
        accessor: &Accessor,
        size: usize,
        place: &Place,
    ) -> Result<impl Iterator<Item = &[u8]>, ImportError> {
        let Some(view) = accessor.buffer_view.filter(|_| accessor.sparse.is_none()) else {
            let what = "an accessor that is sparse or without data";
            let remedy = "export the mesh with plain accessors";
            return Err(ImportError::new(place, Fault::Unsupported, what, remedy));
        };
        let view = self.document.buffer_views.get(view);
        let view = view.ok_or_else(|| unresolved(place))?;
        let buffer = self.buffers.get(view.buffer);
        let buffer = buffer.ok_or_else(|| unresolved(place))?;
        let stride = view.byte_stride.unwrap_or(size as u64);
        let bytes = slice(buffer, view.byte_offset, view.byte_length)
            .and_then(|b| slice(b, accessor.byte_offset, span(accessor.count, stride, size)?));
        match bytes.filter(|_| stride >= size as u64) {
            Some(_) if accessor.count > MAX_SCENE_TRIANGLES as u64 * 3 => {
                let what = format!("{} items", accessor.count);
                let remedy = "simplify the mesh";
                Err(ImportError::new(place, Fault::TooLarge, what, remedy))
            }
            Some(bytes) => Ok(bytes.chunks(stride as usize).map(move |c| &c[..size])),
            None => {
                let what = format!(
                    "{} items every {stride} bytes do not lie within their buffer",
                    accessor.count
                );
                let remedy = "the file is cut off or damaged: export it again";
                Err(ImportError::new(place, Fault::Syntax, what, remedy))
            }
        }
    }
}

/// Bytes from the first item to the end of the last.
fn span(count: u64, stride: u64, size: usize) -> Option<u64> {
    match count {
        0 => Some(0),
        _ => stride.checked_mul(count - 1)?.checked_add(size as u64),
    }
}

fn slice(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let end = offset.checked_add(length)?;
    bytes.get(usize::try_from(offset).ok()?..usize::try_from(end).ok()?)
}

fn unresolved(place: &Place) -> ImportError {
    let what = "a number that refers to nothing";
    ImportError::new(place, Fault::Unresolved, what, "export the mesh again")
}
