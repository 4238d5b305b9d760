//! Values of keys: numbers, flags, texts, vectors and lists of them.

use super::fields::Fields;
use super::tree::{Content, Node};
use crate::{Fault, ImportError};
use linkwork::math::Vec3;

/// What a key can have.
pub(super) trait Value: Sized {
    /// Reads it from the node of a key.
    fn read(fields: &Fields, key: &str, node: &Node) -> Result<Self, ImportError>;

    /// What is written.
    fn content(&self) -> Content;
}

impl Value for f64 {
    /// A finite number.
    fn read(fields: &Fields, key: &str, node: &Node) -> Result<Self, ImportError> {
        match node.content {
            Content::Integer(i) => Ok(i as f64),
            Content::Float(f) if f.is_finite() => Ok(f),
            Content::Float(f) => {
                let what = format!("'{key}' is {f}");
                Err(fields.fail(node.at, Fault::BadValue, what, "it must be finite"))
            }
            _ => Err(fields.wrong(key, node, "a number")),
        }
    }

    fn content(&self) -> Content {
        Content::Float(*self)
    }
}

/// A whole number in a file, whole or with a fraction of 0.
fn whole(fields: &Fields, key: &str, node: &Node, kind: &str) -> Result<i64, ImportError> {
    let value = f64::read(fields, key, node)?;
    if value.fract() == 0.0 && value.abs() < 2f64.powi(53) {
        return Ok(value as i64);
    }
    let what = format!("'{key}' is {value}");
    Err(fields.fail(node.at, Fault::BadValue, what, kind))
}

impl Value for u32 {
    fn read(fields: &Fields, key: &str, node: &Node) -> Result<Self, ImportError> {
        const KIND: &str = "it must be a whole number, 0 or more, of 32 bits";
        let value = whole(fields, key, node, KIND)?;
        Self::try_from(value).map_err(|_| {
            let what = format!("'{key}' is {value}");
            fields.fail(node.at, Fault::BadValue, what, KIND)
        })
    }

    fn content(&self) -> Content {
        Content::Integer(i64::from(*self))
    }
}

impl Value for i32 {
    fn read(fields: &Fields, key: &str, node: &Node) -> Result<Self, ImportError> {
        const KIND: &str = "give a small whole number";
        let value = whole(fields, key, node, KIND)?;
        Self::try_from(value).map_err(|_| {
            let what = format!("'{key}' is {value}");
            fields.fail(node.at, Fault::BadValue, what, KIND)
        })
    }

    fn content(&self) -> Content {
        Content::Integer(i64::from(*self))
    }
}

impl Value for usize {
    fn read(fields: &Fields, key: &str, node: &Node) -> Result<Self, ImportError> {
        match node.content {
            Content::Integer(i) if i >= 0 => Ok(i as usize),
            _ => Err(fields.wrong(key, node, "a whole number, 0 or more")),
        }
    }

    fn content(&self) -> Content {
        Content::Integer(*self as i64)
    }
}

impl Value for bool {
    fn read(fields: &Fields, key: &str, node: &Node) -> Result<Self, ImportError> {
        match node.content {
            Content::Bool(b) => Ok(b),
            _ => Err(fields.wrong(key, node, "true or false")),
        }
    }

    fn content(&self) -> Content {
        Content::Bool(*self)
    }
}

impl Value for String {
    fn read(fields: &Fields, key: &str, node: &Node) -> Result<Self, ImportError> {
        match &node.content {
            Content::Text(text) => Ok(text.clone()),
            _ => Err(fields.wrong(key, node, "text in quotes")),
        }
    }

    fn content(&self) -> Content {
        Content::Text(self.clone())
    }
}

impl Value for Vec3 {
    fn read(fields: &Fields, key: &str, node: &Node) -> Result<Self, ImportError> {
        <[f64; 3]>::read(fields, key, node).map(Self::from)
    }

    fn content(&self) -> Content {
        self.iter().map(f64::content).collect()
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn read(fields: &Fields, key: &str, node: &Node) -> Result<Self, ImportError> {
        let values = Vec::<T>::read(fields, key, node)?;
        let count = values.len();
        values.try_into().map_err(|_| {
            let what = format!("'{key}' has {count} numbers");
            fields.fail(node.at, Fault::BadValue, what, format!("give {N}"))
        })
    }

    fn content(&self) -> Content {
        self.iter().map(T::content).collect()
    }
}

impl<T: Value> Value for Vec<T> {
    fn read(fields: &Fields, key: &str, node: &Node) -> Result<Self, ImportError> {
        match &node.content {
            Content::List(list) => list.iter().map(|n| T::read(fields, key, n)).collect(),
            _ => Err(fields.wrong(key, node, "a list")),
        }
    }

    fn content(&self) -> Content {
        self.iter().map(T::content).collect()
    }
}

impl Fields<'_> {
    /// The value of a key, if it has one.
    pub fn value<T: Value>(&mut self, key: &'static str) -> Result<Option<T>, ImportError> {
        let node = self.get(key);
        node.map(|n| T::read(self, key, n)).transpose()
    }

    /// The value of a key, or the default.
    pub fn or<T: Value>(&mut self, key: &'static str, default: T) -> Result<T, ImportError> {
        Ok(self.value(key)?.unwrap_or(default))
    }

    /// The value of a key that must be there.
    pub fn need<T: Value>(&mut self, key: &'static str) -> Result<T, ImportError> {
        let value = self.value(key)?;
        self.require(key, value)
    }

    /// A unit vector along the one given.
    pub fn direction(&mut self, key: &'static str) -> Result<Option<Vec3>, ImportError> {
        let Some(v) = self.value::<Vec3>(key)? else {
            return Ok(None);
        };
        match v.try_normalize(1e-12) {
            // A unit vector keeps its bits.
            Some(_) if (v.norm() - 1.0).abs() < 1e-12 => Ok(Some(v)),
            Some(unit) => Ok(Some(unit)),
            None => {
                let what = format!("'{key}' has no direction");
                Err(self.fail_at(key, Fault::BadValue, what, "give a vector that is not zero"))
            }
        }
    }
}
