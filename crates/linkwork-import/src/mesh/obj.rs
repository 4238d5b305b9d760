//! OBJ: vertices and polygons. All groups and objects make one mesh; normals, texture coordinates and
//! materials are not needed and not read.

use super::raw::{Raw, within_limit};
use super::words::{number, shown};
use crate::{Fault, ImportError, Notices, Place};
use linkwork::math::Vec3;

/// Statements that say nothing about the surface.
const SILENT: [&[u8]; 9] = [
    b"vt", b"vn", b"g", b"o", b"s", b"usemtl", b"mtllib", b"mg", b"lod",
];

pub(super) fn read(bytes: &[u8], place: &Place, notices: &mut Notices) -> Result<Raw, ImportError> {
    let mut raw = Raw::default();
    let mut corners = Vec::new();
    // A face may come before its vertices, so the highest index is judged at the end.
    let mut highest = (0u64, 0u32);
    let (mut others, mut other) = (0usize, None);
    for (k, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let here = || place.at_line(k as u32 + 1, 0);
        let line = line.trim_ascii();
        if line.ends_with(b"\\") {
            let what = "a statement goes on in the next line";
            let remedy = "join the lines that end with a backslash";
            return Err(ImportError::new(&here(), Fault::Unsupported, what, remedy));
        }
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|w| !w.is_empty());
        match words.next() {
            None => {}
            Some(word) if word[0] == b'#' || SILENT.contains(&word) => {}
            Some(b"v") => raw.vertices.push(vertex(words, here)?),
            Some(b"f") => {
                corners.clear();
                for word in words {
                    let index = corner(word, raw.vertices.len(), here)?;
                    if u64::from(index) >= highest.0 {
                        highest = (u64::from(index) + 1, k as u32 + 1);
                    }
                    corners.push(index);
                }
                if corners.len() < 3 {
                    let what = format!("a face with {} corner(s)", corners.len());
                    let remedy = "give at least three";
                    return Err(ImportError::new(&here(), Fault::BadValue, what, remedy));
                }
                within_limit(
                    (raw.triangles.len() + corners.len()) as u64,
                    "triangles",
                    place,
                )?;
                raw.face(&corners);
            }
            Some(word) => {
                others += 1;
                other.get_or_insert_with(|| (here(), shown(word)));
            }
        }
    }
    if highest.0 > raw.vertices.len() as u64 {
        let what = format!(
            "a face uses vertex {}, but there are {}",
            highest.0,
            raw.vertices.len()
        );
        let place = place.at_line(highest.1, 0);
        let remedy = "export the mesh again";
        return Err(ImportError::new(&place, Fault::BadValue, what, remedy));
    }
    if let Some((place, word)) = other {
        let what =
            format!("{others} statement(s) that are neither vertex nor face, first '{word}'");
        notices.ignored(&place, what);
    }
    Ok(raw)
}

/// `x y z`, perhaps with a weight or a colour after it.
fn vertex<'a>(
    mut words: impl Iterator<Item = &'a [u8]>,
    here: impl Fn() -> Place,
) -> Result<Vec3, ImportError> {
    let mut position = Vec3::zeros();
    for x in position.iter_mut() {
        let Some(word) = words.next() else {
            let what = "a vertex with fewer than three coordinates";
            let remedy = "give three numbers";
            return Err(ImportError::new(&here(), Fault::BadValue, what, remedy));
        };
        *x = number(word, &here)?;
    }
    Ok(position)
}

/// The vertex of `v`, `v/t`, `v//n` or `v/t/n`: counted from 1, or backwards from the last one so far.
fn corner(word: &[u8], vertices: usize, here: impl Fn() -> Place) -> Result<u32, ImportError> {
    let first = word.split(|b| *b == b'/').next().unwrap_or_default();
    let index: Option<i64> = std::str::from_utf8(first).ok().and_then(|w| w.parse().ok());
    let number = match index {
        Some(i) if i > 0 => Some(i - 1),
        Some(i) if i < 0 => vertices.try_into().ok().and_then(|n: i64| n.checked_add(i)),
        _ => None,
    };
    number.and_then(|n| u32::try_from(n).ok()).ok_or_else(|| {
        let what = format!("'{}' is not the number of a vertex", shown(word));
        let remedy = "vertices count from 1, or backwards from -1";
        ImportError::new(&here(), Fault::BadValue, what, remedy)
    })
}
