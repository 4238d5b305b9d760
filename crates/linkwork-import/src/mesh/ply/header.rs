//! The header of a PLY file: what follows it, and how it is written.

use super::super::words::shown;
use crate::{Fault, ImportError, Place};

/// Most lines of a header: files have a dozen.
const MAX_LINES: u32 = 1000;

/// How the values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes of a value in a binary file.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// One number, or a count and as many numbers.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Scalar(Scalar),
    List { length: Scalar, item: Scalar },
}

/// A property of an element.
pub struct Property {
    pub name: Vec<u8>,
    pub kind: Kind,
}

/// So many of something.
pub struct Element {
    pub name: Vec<u8>,
    pub count: u64,
    pub properties: Vec<Property>,
}

/// Content of the header.
pub struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Number of the first line after it.
    pub lines: u32,
}

impl Header {
    /// The header, and the bytes after it.
    pub fn read<'a>(bytes: &'a [u8], place: &Place) -> Result<(Self, &'a [u8]), ImportError> {
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut rest = bytes;
        let mut line = 0;
        loop {
            line += 1;
            let here = place.at_line(line, 0);
            let error = |fault: Fault, what: String| {
                let remedy = "correct the header, or export the mesh again";
                Err(ImportError::new(&here, fault, what, remedy))
            };
            let Some(end) = rest.iter().position(|b| *b == b'\n') else {
                return error(Fault::Syntax, "no 'end_header'".to_owned());
            };
            let words: Vec<&[u8]> = rest[..end]
                .split(u8::is_ascii_whitespace)
                .filter(|w| !w.is_empty())
                .collect();
            rest = &rest[end + 1..];
            match words.as_slice() {
                [b"ply"] if line == 1 => {}
                _ if line == 1 => return error(Fault::Syntax, "no 'ply' at the start".to_owned()),
                [] | [b"comment" | b"obj_info", ..] => {}
                [b"format", name, _] => {
                    encoding = match *name {
                        b"ascii" => Some(Encoding::Text),
                        b"binary_little_endian" => Some(Encoding::LittleEndian),
                        b"binary_big_endian" => Some(Encoding::BigEndian),
                        _ => return error(Fault::Unsupported, format!("format '{}'", shown(name))),
                    };
                }
                [b"element", name, count] => {
                    let Some(count) = std::str::from_utf8(count).ok().and_then(|c| c.parse().ok())
                    else {
                        return error(Fault::BadValue, format!("a count of '{}'", shown(count)));
                    };
                    elements.push(Element {
                        name: name.to_vec(),
                        count,
                        properties: Vec::new(),
                    });
                }
                [b"property", kind @ .., name] => {
                    let scalars: Vec<_> = kind.iter().map(|k| Scalar::named(k)).collect();
                    let kind = match (kind.first(), scalars.as_slice()) {
                        (_, [Some(scalar)]) => Kind::Scalar(*scalar),
                        (Some(&b"list"), [_, Some(length), Some(item)]) => Kind::List {
                            length: *length,
                            item: *item,
                        },
                        _ => return error(Fault::Syntax, "a property of unknown type".to_owned()),
                    };
                    let Some(element) = elements.last_mut() else {
                        return error(Fault::Syntax, "a property of no element".to_owned());
                    };
                    element.properties.push(Property {
                        name: name.to_vec(),
                        kind,
                    });
                }
                [b"end_header"] => {
                    let Some(encoding) = encoding else {
                        return error(Fault::Missing, "no 'format'".to_owned());
                    };
                    let header = Self {
                        encoding,
                        elements,
                        lines: line + 1,
                    };
                    return Ok((header, rest));
                }
                [word, ..] => return error(Fault::Syntax, format!("'{}'", shown(word))),
            }
            if line > MAX_LINES {
                return error(
                    Fault::TooLarge,
                    format!("a header of more than {MAX_LINES} lines"),
                );
            }
        }
    }
}
