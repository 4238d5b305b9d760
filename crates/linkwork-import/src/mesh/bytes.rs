//! Binary data read piece by piece, never past its end.

use crate::{Fault, ImportError, Place};
use linkwork::math::Vec3;

/// The bytes of a file from some position on.
#[derive(Clone)]
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
    place: &'a Place,
}

impl<'a> Bytes<'a> {
    /// All of `bytes`, of the file at `place`.
    pub fn new(bytes: &'a [u8], place: &'a Place) -> Self {
        Self { rest: bytes, place }
    }

    /// Bytes that are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next `count` items of `size` bytes each, if there are as many.
    pub fn items(&mut self, count: u64, size: usize, what: &str) -> Result<&'a [u8], ImportError> {
        let wanted = count.checked_mul(size as u64);
        match wanted.filter(|w| *w <= self.rest.len() as u64) {
            Some(wanted) => {
                let (taken, rest) = self.rest.split_at(wanted as usize);
                self.rest = rest;
                Ok(taken)
            }
            None => Err(cut_off(count, what, self.rest.len(), self.place)),
        }
    }

    /// The next N bytes.
    pub fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], ImportError> {
        let bytes = self.items(N as u64, 1, what)?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }

    /// The next four bytes as a number, lowest byte first.
    pub fn u32(&mut self, what: &str) -> Result<u32, ImportError> {
        self.array(what).map(u32::from_le_bytes)
    }
}

/// More is announced than there is.
pub(super) fn cut_off(count: u64, what: &str, left: usize, place: &Place) -> ImportError {
    let what = format!("{count} {what} are announced, but only {left} bytes are left");
    let remedy = "the file is cut off or damaged: export it again";
    ImportError::new(place, Fault::Syntax, what, remedy)
}

/// Numbers of four bytes, lowest byte first.
pub(super) fn u32s(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

/// A position of three single-precision numbers, lowest byte first.
pub(super) fn position(bytes: &[u8]) -> Vec3 {
    let mut numbers = u32s(bytes).map(|b| f64::from(f32::from_bits(b)));
    Vec3::from_fn(|_, _| numbers.next().unwrap_or(f64::NAN))
}
