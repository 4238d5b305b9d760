//! The faces of a COLLADA geometry.

use super::super::raw::{Raw, within_limit};
use super::Ids;
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::Vec3;
use std::collections::HashMap;
use std::ops::Range;

/// Read the `<mesh>` of a geometry, in its own unit and frame.
pub fn read(geometry: &Element, ids: &Ids) -> Result<Raw, ImportError> {
    let mut raw = Raw::default();
    // Elements that share their vertices take them once.
    let mut known = HashMap::new();
    let Some(mesh) = geometry.child("mesh") else {
        raw.skip("geometry that is no <mesh>");
        return Ok(raw);
    };
    for faces in &mesh.children {
        match faces.name.as_str() {
            "triangles" | "polylist" | "polygons" | "trifans" | "tristrips" => {
                add(faces, ids, &mut known, &mut raw)?;
            }
            "lines" | "linestrips" => raw.skip("list of lines"),
            _ => {}
        }
    }
    Ok(raw)
}

/// Add the faces of one element.
fn add<'a>(
    faces: &Element,
    ids: &Ids<'a>,
    known: &mut HashMap<&'a str, Range<usize>>,
    raw: &mut Raw,
) -> Result<(), ImportError> {
    let inputs = Inputs::of(faces)?;
    let Some(vertex) = inputs.vertex else {
        let what = "no <input semantic=\"VERTEX\">";
        return Err(faces.error(Fault::Missing, what, "export the mesh again"));
    };
    let vertices = ids.follow(vertex, "source", "vertices")?;
    let id = vertices.get("id").unwrap_or_default();
    let range = match known.get(id) {
        Some(range) => range.clone(),
        None => {
            let first = raw.vertices.len();
            raw.vertices.extend(positions(vertices, ids)?);
            let range = first..raw.vertices.len();
            known.insert(id, range.clone());
            range
        }
    };
    for p in faces.all("p") {
        let corners = inputs.corners(p, &range)?;
        within_limit(
            (raw.triangles.len() + corners.len()) as u64,
            "triangles",
            &p.place,
        )?;
        match faces.name.as_str() {
            "triangles" => whole(p, &corners, 3)?.for_each(|t| raw.face(t)),
            "polylist" => polygons(faces, &corners, raw)?,
            "tristrips" => raw.strip(&corners),
            "trifans" => raw.fan(&corners),
            _ => raw.face(&corners),
        }
    }
    // Polygons with holes are no plain <p>.
    match faces.child("ph") {
        Some(ph) => {
            let what = "a polygon with holes (<ph>)";
            Err(ph.error(
                Fault::Unsupported,
                what,
                "triangulate the mesh before the export",
            ))
        }
        None => Ok(()),
    }
}

/// How the index list of faces is laid out.
struct Inputs<'a> {
    vertex: Option<&'a Element>,
    offset: usize,
    stride: usize,
}

impl<'a> Inputs<'a> {
    fn of(faces: &'a Element) -> Result<Self, ImportError> {
        let (mut vertex, mut at, mut stride) = (None, 0, 1);
        for input in faces.all("input") {
            let offset = small(input, "offset", 0)?;
            stride = stride.max(offset + 1);
            if input.get("semantic") == Some("VERTEX") {
                (vertex, at) = (Some(input), offset);
            }
        }
        Ok(Self {
            vertex,
            offset: at,
            stride,
        })
    }

    /// The vertices of an index list, which count from the start of `range`.
    fn corners(&self, p: &Element, range: &Range<usize>) -> Result<Vec<u32>, ImportError> {
        let indices = p.text_numbers()?;
        let (first, have) = (range.start, range.len());
        whole(p, &indices, self.stride)?
            .map(|corner| {
                let index = corner[self.offset];
                if index >= 0.0 && index.fract() == 0.0 && index < have as f64 {
                    return Ok(first as u32 + index as u32);
                }
                let what = format!("index {index}, but there are {have} vertices");
                Err(p.error(Fault::BadValue, what, "export the mesh again"))
            })
            .collect()
    }
}

/// Faces of `<vcount>` corners each.
fn polygons(faces: &Element, corners: &[u32], raw: &mut Raw) -> Result<(), ImportError> {
    let Some(vcount) = faces.child("vcount") else {
        let what = "<polylist> without <vcount>";
        return Err(faces.error(Fault::Missing, what, "export the mesh again"));
    };
    let mut rest = corners;
    for count in vcount.text_numbers()? {
        if !(count >= 0.0 && count.fract() == 0.0 && count <= rest.len() as f64) {
            let what = format!("a face of {count} corners, but {} are left", rest.len());
            return Err(vcount.error(Fault::BadValue, what, "export the mesh again"));
        }
        let (face, after) = rest.split_at(count as usize);
        raw.face(face);
        rest = after;
    }
    if rest.is_empty() {
        return Ok(());
    }
    let what = format!("{} corners are left after the last face", rest.len());
    Err(vcount.error(Fault::BadValue, what, "export the mesh again"))
}

/// The positions behind a `<vertices>` element.
fn positions(vertices: &Element, ids: &Ids) -> Result<Vec<Vec3>, ImportError> {
    let is_position = |i: &&Element| i.get("semantic") == Some("POSITION");
    let Some(input) = vertices.all("input").find(is_position) else {
        let what = "no <input semantic=\"POSITION\">";
        return Err(vertices.error(Fault::Missing, what, "export the mesh again"));
    };
    let source = ids.follow(input, "source", "source")?;
    let accessor = source
        .child("technique_common")
        .and_then(|t| t.child("accessor"));
    let (stride, offset) = match accessor {
        Some(a) => (small(a, "stride", 1)?.max(1), small(a, "offset", 0)?),
        None => (3, 0),
    };
    let Some(array) = source.child("float_array") else {
        let what = "positions without <float_array>";
        return Err(source.error(Fault::Missing, what, "export the mesh again"));
    };
    if stride < 3 {
        let what = format!("positions of {stride} numbers");
        return Err(source.error(Fault::BadValue, what, "give x, y and z"));
    }
    let numbers = array.text_numbers()?;
    let from = numbers.get(offset..).unwrap_or_default();
    within_limit((from.len() / stride) as u64, "vertices", &source.place)?;
    Ok(from
        .chunks(stride)
        .filter(|c| c.len() >= 3)
        .map(|c| Vec3::new(c[0], c[1], c[2]))
        .collect())
}

/// Groups of `size` items, of which there must be a whole number.
fn whole<'a, T>(
    list: &Element,
    items: &'a [T],
    size: usize,
) -> Result<std::slice::ChunksExact<'a, T>, ImportError> {
    if items.len().is_multiple_of(size) {
        return Ok(items.chunks_exact(size));
    }
    let what = format!("{} numbers, not a multiple of {size}", items.len());
    Err(list.error(Fault::BadValue, what, "export the mesh again"))
}

/// An attribute that is a small number.
fn small(element: &Element, name: &str, absent: usize) -> Result<usize, ImportError> {
    let value = element.integer(name)?.unwrap_or(absent as i64);
    if (0..=1_000_000).contains(&value) {
        return Ok(value as usize);
    }
    let what = format!("{name}=\"{value}\"");
    Err(element.error(Fault::BadValue, what, "export the mesh again"))
}
