//! Numbers, vectors and ranges of a table.

use super::fields::Fields;
use super::tree::{Content, Node};
use crate::{Fault, ImportError};
use linkwork::math::Vec3;

impl Fields<'_> {
    fn finite(&self, key: &str, node: &Node) -> Result<f64, ImportError> {
        match node.content {
            Content::Integer(i) => Ok(i as f64),
            Content::Float(f) if f.is_finite() => Ok(f),
            Content::Float(f) => {
                let what = format!("'{key}' is {f}");
                Err(self.fail(node.at, Fault::BadValue, what, "it must be finite"))
            }
            _ => Err(self.wrong(key, node, "a number")),
        }
    }

    /// A finite number.
    pub fn number(&mut self, key: &'static str) -> Result<Option<f64>, ImportError> {
        let node = self.get(key);
        node.map(|n| self.finite(key, n)).transpose()
    }

    /// A finite number, or the default.
    pub fn number_or(&mut self, key: &'static str, default: f64) -> Result<f64, ImportError> {
        Ok(self.number(key)?.unwrap_or(default))
    }

    /// Finite numbers in a node.
    pub fn numbers_in(&self, key: &str, node: &Node) -> Result<Vec<f64>, ImportError> {
        match &node.content {
            Content::List(list) => list.iter().map(|n| self.finite(key, n)).collect(),
            _ => Err(self.wrong(key, node, "a list of numbers")),
        }
    }

    /// Finite numbers, as many as there are.
    pub fn numbers(&mut self, key: &'static str) -> Result<Option<Vec<f64>>, ImportError> {
        let node = self.get(key);
        node.map(|n| self.numbers_in(key, n)).transpose()
    }

    /// Finite numbers, exactly N in a node.
    pub fn array_in<const N: usize>(
        &self,
        key: &str,
        node: &Node,
    ) -> Result<[f64; N], ImportError> {
        let values = self.numbers_in(key, node)?;
        let count = values.len();
        values.try_into().map_err(|_| {
            let what = format!("'{key}' has {count} numbers");
            self.fail(node.at, Fault::BadValue, what, format!("give {N}"))
        })
    }

    /// Finite numbers, exactly N.
    pub fn array<const N: usize>(
        &mut self,
        key: &'static str,
    ) -> Result<Option<[f64; N]>, ImportError> {
        let node = self.get(key);
        node.map(|n| self.array_in(key, n)).transpose()
    }

    /// A vector.
    pub fn vector(&mut self, key: &'static str) -> Result<Option<Vec3>, ImportError> {
        Ok(self.array(key)?.map(Vec3::from))
    }

    /// A unit vector along the one given.
    pub fn direction(&mut self, key: &'static str) -> Result<Option<Vec3>, ImportError> {
        let Some(v) = self.vector(key)? else {
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

    /// A range [low, high].
    pub fn range(&mut self, key: &'static str) -> Result<Option<[f64; 2]>, ImportError> {
        let range = self.array(key)?;
        if let Some([low, high]) = range
            && low > high
        {
            let what = format!("'{key}' is [{low}, {high}]");
            return Err(self.fail_at(key, Fault::BadValue, what, "give the smaller number first"));
        }
        Ok(range)
    }
}
