//! STL, binary and text.
//!
//! Many binary files begin with the word `solid`, so the two are distinguished by size: a binary file has 84 bytes and
//! 50 more for each of the triangles it announces.

use super::bytes::{Bytes, cut_off, position};
use super::raw::{Raw, within_limit};
use super::words::{Words, shown};
use crate::{Fault, ImportError, Notices, Place};
use linkwork::math::Vec3;

const HEADER: usize = 80;
/// Bytes of a triangle: normal, three corners, and two bytes that programs use as they like.
const TRIANGLE: usize = 50;

pub(super) fn read(bytes: &[u8], place: &Place, notices: &mut Notices) -> Result<Raw, ImportError> {
    let announced = bytes
        .get(HEADER..HEADER + 4)
        .map(|b| u64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
    let room = (bytes.len().saturating_sub(HEADER + 4)) as u64;
    let exact = announced.is_some_and(|n| n * TRIANGLE as u64 == room);
    if !exact && is_text(bytes) {
        return text(bytes, place);
    }
    let Some(count) = announced else {
        return Err(cut_off(1, "header of 84 bytes", bytes.len(), place));
    };
    if count * (TRIANGLE as u64) < room {
        let extra = room - count * TRIANGLE as u64;
        notices.ignored(place, format!("{extra} bytes after the last triangle"));
    }
    binary(bytes, count, place)
}

/// `solid`, and no byte among the first that text cannot contain.
fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    start.len() >= 5
        && start[..5].eq_ignore_ascii_case(b"solid")
        && !bytes[..bytes.len().min(1024)].contains(&0)
}

fn binary(bytes: &[u8], count: u64, place: &Place) -> Result<Raw, ImportError> {
    let mut data = Bytes::new(&bytes[HEADER + 4..], place);
    let triangles = data.items(count, TRIANGLE, "triangles")?;
    let mut raw = Raw::default();
    within_limit(3 * count, "corners", place)?;
    for triangle in triangles.chunks_exact(TRIANGLE) {
        add(
            &mut raw,
            [12, 24, 36].map(|at| position(&triangle[at..at + 12])),
        );
    }
    Ok(raw)
}

fn text(bytes: &[u8], place: &Place) -> Result<Raw, ImportError> {
    let mut words = Words::new(bytes, 1, place);
    let mut raw = Raw::default();
    let mut ended = false;
    while let Some(word) = words.next() {
        let keyword = word.to_ascii_lowercase();
        ended = keyword == b"endsolid";
        match keyword.as_slice() {
            // The name may be several words, or none.
            b"solid" | b"endsolid" => words.skip_line(),
            b"facet" => facet(&mut words, &mut raw)?,
            _ => {
                let what = format!("'{}' where 'facet' or 'endsolid' should be", shown(word));
                let remedy = "export the mesh again, in binary if possible";
                return Err(ImportError::new(&words.here(), Fault::Syntax, what, remedy));
            }
        }
    }
    if ended {
        return Ok(raw);
    }
    let what = "the text ends without 'endsolid'";
    let remedy = "the file is cut off: export it again";
    Err(ImportError::new(&words.here(), Fault::Syntax, what, remedy))
}

/// From after `facet` to `endfacet`. The normal is computed from the corners; that of the file is ignored.
fn facet(words: &mut Words, raw: &mut Raw) -> Result<(), ImportError> {
    words.expect("normal")?;
    for _ in 0..3 {
        words.need()?;
    }
    words.expect("outer")?;
    words.expect("loop")?;
    let mut corners = [Vec3::zeros(); 3];
    for corner in &mut corners {
        words.expect("vertex")?;
        *corner = Vec3::new(words.number()?, words.number()?, words.number()?);
    }
    words.expect("endloop")?;
    words.expect("endfacet")?;
    add(raw, corners);
    Ok(())
}

fn add(raw: &mut Raw, corners: [Vec3; 3]) {
    let first = raw.vertices.len() as u32;
    raw.vertices.extend(corners);
    raw.triangles.push([first, first + 1, first + 2]);
}
