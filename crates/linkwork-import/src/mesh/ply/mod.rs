//! PLY: text, or binary with either byte order; any order of elements and properties.

mod header;
mod values;

use super::raw::{Raw, within_limit};
use super::words::shown;
use crate::{Fault, ImportError, Notices, Place};
use header::{Element, Header, Kind};
use linkwork::math::Vec3;
use values::Values;

pub(super) fn read(bytes: &[u8], place: &Place, notices: &mut Notices) -> Result<Raw, ImportError> {
    let (header, body) = Header::read(bytes, place)?;
    let mut values = Values::new(&header, body, place);
    let mut raw = Raw::default();
    for element in &header.elements {
        // Every property takes at least one byte, so a count beyond the data is rejected here and not in memory
        // allocation.
        values.announce(element)?;
        match element.name.as_slice() {
            b"vertex" => vertices(element, &mut values, &mut raw, place)?,
            b"face" => faces(element, &mut values, &mut raw, place)?,
            name => {
                if element.count > 0 {
                    let what = format!("{} element(s) '{}'", element.count, shown(name));
                    notices.ignored(place, what);
                }
                for _ in 0..if element.properties.is_empty() {
                    0
                } else {
                    element.count
                } {
                    for property in &element.properties {
                        values.skip(property.kind)?;
                    }
                }
            }
        }
    }
    Ok(raw)
}

fn vertices(
    element: &Element,
    values: &mut Values,
    raw: &mut Raw,
    place: &Place,
) -> Result<(), ImportError> {
    let count = within_limit(element.count, "vertices", place)?;
    let axes: Vec<Option<usize>> = element
        .properties
        .iter()
        .map(|p| [b"x", b"y", b"z"].iter().position(|a| a[..] == p.name[..]))
        .collect();
    let scalar = |k: usize| {
        let at = axes.iter().position(|a| *a == Some(k));
        at.is_some_and(|at| matches!(element.properties[at].kind, Kind::Scalar(_)))
    };
    if !(0..3).all(scalar) {
        let what = "vertices without x, y and z";
        let remedy = "export the mesh again";
        return Err(ImportError::new(place, Fault::Missing, what, remedy));
    }
    raw.vertices.reserve(count);
    for _ in 0..count {
        let mut position = Vec3::zeros();
        for (property, axis) in element.properties.iter().zip(&axes) {
            match (axis, property.kind) {
                (Some(axis), Kind::Scalar(scalar)) => position[*axis] = values.value(scalar)?,
                (_, kind) => values.skip(kind)?,
            }
        }
        raw.vertices.push(position);
    }
    Ok(())
}

fn faces(
    element: &Element,
    values: &mut Values,
    raw: &mut Raw,
    place: &Place,
) -> Result<(), ImportError> {
    let count = within_limit(element.count, "faces", place)?;
    let is_corners = |name: &[u8]| name == b"vertex_indices" || name == b"vertex_index";
    if !element.properties.iter().any(|p| is_corners(&p.name)) {
        let what = "faces without a list 'vertex_indices'";
        let remedy = "export the mesh as triangles or polygons";
        return Err(ImportError::new(place, Fault::Missing, what, remedy));
    }
    let mut corners = Vec::new();
    for k in 0..count {
        for property in &element.properties {
            let Kind::List { length, item } = property.kind else {
                values.skip(property.kind)?;
                continue;
            };
            if !is_corners(&property.name) {
                values.skip(property.kind)?;
                continue;
            }
            corners.clear();
            for _ in 0..values.length(length, item)? {
                corners.push(index(values.value(item)?, k, place)?);
            }
            let triangles = (raw.triangles.len() + corners.len()) as u64;
            within_limit(triangles, "triangles", place)?;
            raw.face(&corners);
        }
    }
    Ok(())
}

fn index(value: f64, face: usize, place: &Place) -> Result<u32, ImportError> {
    if value.fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(&value) {
        return Ok(value as u32);
    }
    let what = format!("face {face} uses vertex {value}");
    let remedy = "vertices count from 0: export the mesh again";
    Err(ImportError::new(place, Fault::BadValue, what, remedy))
}
