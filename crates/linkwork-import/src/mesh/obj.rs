//! OBJ: vertices, texture coordinates and polygons. All groups and objects make one mesh with its first material; normals
//! are not needed and not read.

use super::look::LookOf;
use super::raw::{Raw, within_limit};
use super::words::{number, shown};
use crate::{Fault, ImportError, Notices, Place};
use linkwork::math::Vec3;

/// Statements that do not concern the surface.
const SILENT: [&[u8]; 4] = [b"vn", b"s", b"mg", b"lod"];

pub(super) fn read(bytes: &[u8], place: &Place, notices: &mut Notices) -> Result<Raw, ImportError> {
    let mut reader = Reader::default();
    for (k, line) in bytes.split(|b| *b == b'\n').enumerate() {
        reader.statement(line, || place.at_line(k as u32 + 1, 0))?;
    }
    reader.finish(place, notices)
}

/// The number of texture coordinates that are not given.
const NONE: u32 = u32::MAX;

/// What has been read so far.
#[derive(Default)]
struct Reader {
    raw: Raw,
    /// Corners of the present face.
    corners: Vec<u32>,
    /// The face with the highest index and its position: it may come before its vertices, so it is checked at the end.
    highest: Option<(u32, Place)>,
    /// Texture coordinates, and for the corners of each triangle their numbers; [`NONE`] where a corner has none.
    textures: Vec<[f32; 2]>,
    numbers: Vec<[u32; 3]>,
    library: Option<String>,
    material: Option<String>,
    /// Groups and objects that have faces, and whether the present one is counted.
    groups: usize,
    counted: bool,
    /// How many statements are left out, and the first of them.
    others: usize,
    other: Option<(Place, String)>,
}

impl Reader {
    fn statement(&mut self, line: &[u8], here: impl Fn() -> Place) -> Result<(), ImportError> {
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|w| !w.is_empty());
        let Some(word) = words.next() else {
            return Ok(());
        };
        match word {
            b"v" => self.raw.vertices.push(vertex(words, here)?),
            b"f" => self.face(words, here)?,
            b"g" | b"o" => self.counted = false,
            b"vt" => {
                let mut next = || words.next().map_or(Ok(0.0), |w| number(w, &here));
                self.textures.push([next()? as f32, next()? as f32]);
                within_limit(self.textures.len() as u64, "texture coordinates", &here())?;
            }
            b"mtllib" => self.library = Some(rest_of(line, word)),
            b"usemtl" => {
                let material = rest_of(line, word);
                match &self.material {
                    Some(first) if *first != material => {
                        self.raw
                            .skip("material other than the first: the mesh is shown with one");
                    }
                    _ => self.material = Some(material),
                }
            }
            _ if word[0] == b'#' || SILENT.contains(&word) => {}
            _ => {
                self.others += 1;
                self.other.get_or_insert_with(|| (here(), shown(word)));
            }
        }
        Ok(())
    }

    fn face<'a>(
        &mut self,
        words: impl Iterator<Item = &'a [u8]>,
        here: impl Fn() -> Place,
    ) -> Result<(), ImportError> {
        self.corners.clear();
        let mut given = Vec::new();
        for word in words {
            given.push(texture(word, self.textures.len()));
            let index = corner(word, self.raw.vertices.len(), &here)?;
            if self.highest.as_ref().is_none_or(|(high, _)| index > *high) {
                self.highest = Some((index, here()));
            }
            self.corners.push(index);
        }
        if self.corners.len() < 3 {
            let what = format!("a face with {} corner(s)", self.corners.len());
            let remedy = "give at least three";
            return Err(ImportError::new(&here(), Fault::BadValue, what, remedy));
        }
        let triangles = self.raw.triangles.len() + self.corners.len();
        within_limit(triangles as u64, "triangles", &here())?;
        let first = self.raw.triangles.len();
        self.raw.face(&self.corners);
        let number = |corner: u32| {
            let at = self.corners.iter().position(|c| *c == corner);
            at.map_or(NONE, |at| given[at])
        };
        let added = self.raw.triangles[first..].iter();
        self.numbers.extend(added.map(|t| t.map(number)));
        self.groups += usize::from(!self.counted);
        self.counted = true;
        Ok(())
    }

    fn finish(mut self, place: &Place, notices: &mut Notices) -> Result<Raw, ImportError> {
        let have = self.raw.vertices.len();
        if let Some((index, place)) = self.highest.filter(|(i, _)| *i as usize >= have) {
            let number = u64::from(index) + 1;
            let what = format!("a face uses vertex {number}, but there are {have}");
            let remedy = "export the mesh again";
            return Err(ImportError::new(&place, Fault::BadValue, what, remedy));
        }
        if self.groups > 1 {
            let what = format!("{} groups or objects make one mesh", self.groups);
            let remedy = "split the file if only the first is meant, as MuJoCo takes it";
            notices.chose(place, what, remedy);
        }
        if let Some((place, word)) = self.other {
            let what = format!(
                "{} statement(s) that are neither vertex nor face, first '{word}'",
                self.others
            );
            notices.ignored(&place, what);
        }
        let textures = self.textures;
        if !textures.is_empty() {
            let of = |i: u32| textures.get(i as usize).copied().unwrap_or_default();
            self.raw.coordinates = self.numbers.iter().map(|t| t.map(of)).collect();
        }
        let named = self.library.zip(self.material);
        self.raw.look = named.map(|(library, material)| LookOf::Library { library, material });
        Ok(self.raw)
    }
}

/// The rest of a line after its first word.
fn rest_of(line: &[u8], word: &[u8]) -> String {
    let text = String::from_utf8_lossy(line).trim().to_owned();
    text[word.len()..].trim().to_owned()
}

/// The number of the texture coordinates in `v/t` or `v/t/n`.
fn texture(word: &[u8], known: usize) -> u32 {
    let second = word.split(|b| *b == b'/').nth(1).unwrap_or_default();
    let index: Option<i64> = std::str::from_utf8(second)
        .ok()
        .and_then(|w| w.parse().ok());
    let number = match index {
        Some(i) if i > 0 => Some(i - 1),
        Some(i) if i < 0 => (known as i64).checked_add(i),
        _ => None,
    };
    number.and_then(|n| u32::try_from(n).ok()).unwrap_or(NONE)
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
