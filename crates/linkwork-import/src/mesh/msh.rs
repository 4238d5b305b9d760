//! MSH, MuJoCo's own binary format: four counts (vertices, normals, texture coordinates, faces), then the
//! vertices, normals and texture coordinates in single precision, and three indices a face.

use super::bytes::{Bytes, position, u32s};
use super::raw::{Raw, within_limit};
use crate::{Fault, ImportError, Place};

pub(super) fn read(bytes: &[u8], place: &Place) -> Result<Raw, ImportError> {
    if bytes.starts_with(b"$MeshFormat") {
        let what = "a Gmsh file; MSH here is MuJoCo's binary mesh";
        let remedy = "export the surface as STL or OBJ";
        return Err(ImportError::new(place, Fault::Unsupported, what, remedy));
    }
    let mut data = Bytes::new(bytes, place);
    let mut counts = [0u64; 4];
    for (count, what) in counts.iter_mut().zip(COUNTED) {
        // The counts are signed; a negative one is read as more than there can be.
        *count = u64::from(data.u32(what)?);
    }
    let [vertices, normals, texture, faces] = counts;
    let positions = data.items(vertices, 12, COUNTED[0])?;
    data.items(normals, 12, COUNTED[1])?;
    data.items(texture, 8, COUNTED[2])?;
    let corners = data.items(faces, 12, COUNTED[3])?;
    if data.left() > 0 {
        let what = format!("{} bytes are left after the last face", data.left());
        let remedy = "the counts at the beginning are wrong: export the mesh again";
        return Err(ImportError::new(place, Fault::Syntax, what, remedy));
    }
    within_limit(vertices.max(faces), "vertices or faces", place)?;
    let mut indices = u32s(corners);
    Ok(Raw {
        vertices: positions.chunks_exact(12).map(position).collect(),
        triangles: std::iter::from_fn(|| Some([indices.next()?, indices.next()?, indices.next()?]))
            .collect(),
        ..Raw::default()
    })
}

const COUNTED: [&str; 4] = ["vertices", "normals", "texture coordinates", "faces"];
