//! The values of a PLY file, one after the other.

use super::super::bytes::{Bytes, cut_off};
use super::super::words::Words;
use super::header::{Element, Encoding, Header, Kind, Scalar};
use crate::{Fault, ImportError, Place};

/// The values after the header.
pub struct Values<'a> {
    source: Source<'a>,
    place: &'a Place,
}

enum Source<'a> {
    Text(Words<'a>),
    Binary { data: Bytes<'a>, big_endian: bool },
}

impl<'a> Values<'a> {
    pub fn new(header: &Header, body: &'a [u8], place: &'a Place) -> Self {
        let source = match header.encoding {
            Encoding::Text => Source::Text(Words::new(body, header.lines, place)),
            encoding => Source::Binary {
                data: Bytes::new(body, place),
                big_endian: encoding == Encoding::BigEndian,
            },
        };
        Self { source, place }
    }

    /// Refuse an element whose count cannot be in the data.
    pub fn announce(&self, element: &Element) -> Result<(), ImportError> {
        let least: u64 = element.properties.iter().map(|p| self.least(p.kind)).sum();
        let name = String::from_utf8_lossy(&element.name);
        self.check(element.count, least, &format!("element(s) '{name}'"))
    }

    /// The next value; it may be NaN in a binary file.
    pub fn value(&mut self, scalar: Scalar) -> Result<f64, ImportError> {
        let (data, big) = match &mut self.source {
            Source::Text(words) => return words.number(),
            Source::Binary { data, big_endian } => (data, *big_endian),
        };
        // The bytes with the lowest first, the rest zero.
        let mut bytes = [0u8; 8];
        let size = scalar.size();
        bytes[..size].copy_from_slice(data.items(1, size, "value")?);
        if big {
            bytes[..size].reverse();
        }
        let bits = u64::from_le_bytes(bytes);
        Ok(match scalar {
            Scalar::I8 => f64::from(bits as i8),
            Scalar::U8 => f64::from(bits as u8),
            Scalar::I16 => f64::from(bits as i16),
            Scalar::U16 => f64::from(bits as u16),
            Scalar::I32 => f64::from(bits as i32),
            Scalar::U32 => f64::from(bits as u32),
            Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
            Scalar::F64 => f64::from_bits(bits),
        })
    }

    /// The count of a list whose items are there.
    pub fn length(&mut self, length: Scalar, item: Scalar) -> Result<u64, ImportError> {
        let count = self.value(length)?;
        if !(count >= 0.0 && count.fract() == 0.0) {
            let what = format!("a list of {count} items");
            let remedy = "export the mesh again";
            return Err(ImportError::new(self.place, Fault::BadValue, what, remedy));
        }
        // Beyond u64 it is the largest u64, and refused.
        let count = count as u64;
        self.check(count, self.least(Kind::Scalar(item)), "items of a list")?;
        Ok(count)
    }

    /// Pass over a property.
    pub fn skip(&mut self, kind: Kind) -> Result<(), ImportError> {
        match kind {
            Kind::Scalar(scalar) => {
                self.value(scalar)?;
            }
            Kind::List { length, item } => {
                for _ in 0..self.length(length, item)? {
                    self.value(item)?;
                }
            }
        }
        Ok(())
    }

    /// Fewest bytes of a property: in text a digit, as the last blank may be missing.
    fn least(&self, kind: Kind) -> u64 {
        match (&self.source, kind) {
            (Source::Text(_), _) => 1,
            (_, Kind::Scalar(scalar) | Kind::List { length: scalar, .. }) => scalar.size() as u64,
        }
    }

    fn check(&self, count: u64, least: u64, what: &str) -> Result<(), ImportError> {
        let left = match &self.source {
            Source::Text(words) => words.left(),
            Source::Binary { data, .. } => data.left(),
        };
        match count.checked_mul(least) {
            Some(wanted) if wanted <= left as u64 => Ok(()),
            _ => Err(cut_off(count, what, left, self.place)),
        }
    }
}
