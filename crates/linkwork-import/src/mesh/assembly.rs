//! Geometry placed several times, as scenes of DAE and glTF files do.

use super::raw::Raw;
use crate::{Fault, ImportError, Place};
use linkwork::math::{Mat3, Vec3};

/// Maximum number of triangles, and of vertices, of a scene: a file of a few kilobytes can request any number of
/// copies.
pub const MAX_SCENE_TRIANGLES: usize = 4_000_000;

/// A frame within another: a point v of it is at `turn` v + `shift` there.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub turn: Mat3,
    pub shift: Vec3,
}

impl Frame {
    /// The frame itself.
    pub fn same() -> Self {
        Self {
            turn: Mat3::identity(),
            shift: Vec3::zeros(),
        }
    }

    /// The frame of `inner`, which is within this one.
    pub fn then(&self, inner: &Frame) -> Self {
        Self {
            turn: self.turn * inner.turn,
            shift: self.turn * inner.shift + self.shift,
        }
    }
}

/// Parts, and where each of them goes.
#[derive(Default)]
pub(super) struct Assembly {
    parts: Vec<Raw>,
    placed: Vec<(usize, Frame)>,
}

impl Assembly {
    /// Keep a part under the number that is returned.
    pub fn keep(&mut self, part: Raw) -> usize {
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// Put a copy of a part somewhere.
    pub fn place(&mut self, part: usize, frame: Frame) {
        self.placed.push((part, frame));
    }

    /// All copies in one, if they are not too many.
    pub fn finish(self, place: &Place) -> Result<Raw, ImportError> {
        let total = |count: fn(&Raw) -> usize| {
            let each = self
                .placed
                .iter()
                .map(|(part, _)| count(&self.parts[*part]));
            each.fold(0, usize::saturating_add)
        };
        let (vertices, triangles) = (total(|p| p.vertices.len()), total(|p| p.triangles.len()));
        within_scene(vertices.max(triangles), place)?;
        let mut raw = Raw {
            vertices: Vec::with_capacity(vertices),
            triangles: Vec::with_capacity(triangles),
            ..Raw::default()
        };
        for (part, frame) in &self.placed {
            raw.append(&self.parts[*part], frame, place)?;
        }
        Ok(raw)
    }
}

/// Refuse more than [`MAX_SCENE_TRIANGLES`].
pub(super) fn within_scene(count: usize, place: &Place) -> Result<(), ImportError> {
    if count <= MAX_SCENE_TRIANGLES {
        return Ok(());
    }
    let what = format!("the scene has more than {MAX_SCENE_TRIANGLES} triangles or vertices");
    let remedy = "simplify the mesh or use fewer copies";
    Err(ImportError::new(place, Fault::TooLarge, what, remedy))
}
