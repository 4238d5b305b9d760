//! The nodes of a COLLADA scene: where each geometry goes.

use super::super::raw::Raw;
use super::{Ids, geometry};
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::{Mat3, Vec3, exp};
use std::collections::HashMap;

/// Deepest chain of nodes and nodes they refer to.
const MAX_DEPTH: usize = 256;
/// Most nodes met: a chain of references can double them at every step.
const MAX_NODES: usize = 100_000;

/// v at turn v + shift.
pub type Place3 = (Mat3, Vec3);

/// The scene as far as it is placed.
pub struct Scene<'a> {
    pub ids: Ids<'a>,
    pub raw: Raw,
    metre: f64,
    /// Geometries read so far, by the address of their element.
    read: HashMap<*const Element, Raw>,
}

impl<'a> Scene<'a> {
    pub fn new(ids: Ids<'a>, metre: f64) -> Self {
        Self {
            ids,
            raw: Raw::default(),
            metre,
            read: HashMap::new(),
        }
    }

    /// Place everything below a visual scene.
    pub fn nodes(&mut self, visual: &'a Element) -> Result<(), ImportError> {
        let start = (Mat3::identity(), Vec3::zeros());
        let mut waiting: Vec<(&Element, Place3, usize)> =
            visual.all("node").map(|node| (node, start, 1)).collect();
        // Taken from the end, so that the first node comes first.
        waiting.reverse();
        let mut met = 0;
        while let Some((node, above, depth)) = waiting.pop() {
            met += 1;
            if depth > MAX_DEPTH || met > MAX_NODES {
                let what = format!("more than {MAX_NODES} nodes, or {MAX_DEPTH} within each other");
                let remedy = "look for a node that refers to itself; simplify the scene";
                return Err(node.error(Fault::TooLarge, what, remedy));
            }
            let here = transform(node, above)?;
            let first = waiting.len();
            for child in &node.children {
                match child.name.as_str() {
                    "node" => waiting.push((child, here, depth + 1)),
                    "instance_node" => {
                        let target = self.ids.follow(child, "url", "node")?;
                        waiting.push((target, here, depth + 1));
                    }
                    "instance_geometry" => {
                        let target = self.ids.follow(child, "url", "geometry")?;
                        self.geometry(target, &here)?;
                    }
                    "instance_controller" => {
                        self.raw.skip("skin (<instance_controller>)");
                    }
                    _ => {}
                }
            }
            waiting[first..].reverse();
        }
        Ok(())
    }

    /// Place one geometry.
    pub fn geometry(&mut self, element: &'a Element, at: &Place3) -> Result<(), ImportError> {
        let part = match self.read.entry(std::ptr::from_ref(element)) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(geometry::read(element, &self.ids)?)
            }
        };
        let (turn, shift) = (at.0 * self.metre, at.1 * self.metre);
        self.raw.place(part, &turn, &shift, &element.place)
    }
}

/// The frame of a node: its transformations in order, each within the one before.
fn transform(node: &Element, above: Place3) -> Result<Place3, ImportError> {
    let (mut turn, mut shift) = above;
    for step in &node.children {
        match step.name.as_str() {
            "translate" => {
                let [x, y, z] = numbers(step)?;
                shift += turn * Vec3::new(x, y, z);
            }
            "scale" => {
                let [x, y, z] = numbers(step)?;
                turn *= Mat3::from_diagonal(&Vec3::new(x, y, z));
            }
            "rotate" => {
                let [x, y, z, degrees] = numbers(step)?;
                // An axis without direction turns nothing.
                if let Some(axis) = Vec3::new(x, y, z).try_normalize(0.0) {
                    let q = exp(&(axis * degrees.to_radians()));
                    turn *= q.to_rotation_matrix().into_inner();
                }
            }
            "matrix" => {
                let m: [f64; 16] = numbers(step)?;
                shift += turn * Vec3::new(m[3], m[7], m[11]);
                turn *= Mat3::new(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]);
            }
            "lookat" | "skew" => {
                let what = format!("<{}> in a node", step.name);
                let remedy = "apply the transformations before the export";
                return Err(step.error(Fault::Unsupported, what, remedy));
            }
            _ => {}
        }
    }
    Ok((turn, shift))
}

/// The text of an element as exactly N numbers.
fn numbers<const N: usize>(element: &Element) -> Result<[f64; N], ImportError> {
    let found = element.text_numbers()?;
    let have = found.len();
    found.try_into().map_err(|_| {
        let what = format!("{have} number(s)");
        element.error(Fault::BadValue, what, format!("give {N}"))
    })
}
