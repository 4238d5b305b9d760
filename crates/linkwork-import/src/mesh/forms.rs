//! Collision forms from the cache, and back.

use super::Mesh;
use super::collide::{self, HullForm};
use crate::cache::Key;
use crate::{Assets, ImportError, Notices, Place};
use linkwork::math::Vec3;
use linkwork::model::Geometry;

/// [`hull`](super::hull), kept in the cache of the assets.
pub(crate) fn hull(
    assets: &Assets,
    mesh: &Mesh,
    corners: usize,
    place: &Place,
    notices: &mut Notices,
) -> Result<Geometry, ImportError> {
    let cache = assets.cache();
    if !cache.is_on() {
        return collide::hull(mesh, corners, place, notices);
    }
    let read = |bytes: &[u8]| {
        let mut reader = Reader(bytes);
        let excess = match reader.u64()? {
            0 => None,
            _ => Some([reader.f64()?, reader.f64()?]),
        };
        let points = reader.points()?;
        let form = HullForm { points, excess };
        reader.0.is_empty().then_some(form)
    };
    let write = |form: &HullForm| {
        let mut bytes = u64::from(form.excess.is_some()).to_le_bytes().to_vec();
        let volumes = form.excess.iter().flatten();
        bytes.extend(volumes.flat_map(|v| v.to_le_bytes()));
        put(&mut bytes, &form.points);
        bytes
    };
    let key = key("hull", &[corners as u64], mesh);
    let make = || HullForm::of(mesh, corners, place);
    let form = cache.get_or(key, read, write, make)?;
    form.tell(place, notices);
    Ok(collide::points(form.points))
}

/// [`decompose`](super::decompose), kept in the cache of the assets.
pub(crate) fn decompose(
    assets: &Assets,
    mesh: &Mesh,
    parts: usize,
    corners: usize,
    place: &Place,
) -> Result<Vec<Geometry>, ImportError> {
    let cache = assets.cache();
    if !cache.is_on() {
        return collide::decompose(mesh, parts, corners, place);
    }
    let read = |bytes: &[u8]| {
        let mut reader = Reader(bytes);
        let count = reader.u64()?;
        let parts: Option<Vec<_>> = (0..count).map(|_| reader.points()).collect();
        parts.filter(|_| reader.0.is_empty())
    };
    let write = |parts: &Vec<Vec<Vec3>>| {
        let mut bytes = (parts.len() as u64).to_le_bytes().to_vec();
        for part in parts {
            put(&mut bytes, part);
        }
        bytes
    };
    let key = key("parts", &[parts as u64, corners as u64], mesh);
    let make = || collide::parts(mesh, parts, corners, place);
    let parts = cache.get_or(key, read, write, make)?;
    Ok(parts.into_iter().map(collide::points).collect())
}

/// The key of a result for a mesh.
fn key(what: &str, numbers: &[u64], mesh: &Mesh) -> Key {
    let mut key = Key::of(what, numbers);
    let mut bytes = Vec::with_capacity(24 * mesh.vertices.len() + 12 * mesh.triangles.len() + 16);
    bytes.extend((mesh.vertices.len() as u64).to_le_bytes());
    bytes.extend((mesh.triangles.len() as u64).to_le_bytes());
    for x in mesh.vertices.iter().flat_map(|v| v.iter()) {
        bytes.extend(x.to_le_bytes());
    }
    for i in mesh.triangles.as_flattened() {
        bytes.extend(i.to_le_bytes());
    }
    key.add(&bytes);
    key
}

fn put(bytes: &mut Vec<u8>, points: &[Vec3]) {
    bytes.extend((points.len() as u64).to_le_bytes());
    for x in points.iter().flat_map(|p| p.iter()) {
        bytes.extend(x.to_le_bytes());
    }
}

/// What is left of an entry.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn u64(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    fn f64(&mut self) -> Option<f64> {
        self.u64().map(f64::from_bits)
    }

    fn points(&mut self) -> Option<Vec<Vec3>> {
        let count = self.u64()?;
        // No more is reserved than there can be.
        let fits = count.checked_mul(24)? <= self.0.len() as u64;
        let mut point = || Some(Vec3::new(self.f64()?, self.f64()?, self.f64()?));
        fits.then(|| (0..count).map(|_| point()).collect())?
    }
}
