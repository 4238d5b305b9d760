//! The nodes of a COLLADA scene: where each geometry goes.

use super::super::assembly::{Assembly, Frame};
use super::super::raw::Raw;
use super::{Ids, geometry};
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::{Mat3, Vec3, exp};
use std::collections::HashMap;

/// Deepest chain of nodes and nodes they refer to.
const MAX_DEPTH: usize = 256;
/// Maximum number of visited nodes and children of nodes: a chain of references can double them at every step.
const MAX_NODES: usize = 100_000;

/// The scene as far as it is placed.
pub struct Scene<'a> {
    pub ids: Ids<'a>,
    start: Frame,
    assembly: Assembly,
    skins: usize,
    /// Geometries and frames of nodes that are already computed, by the address of their element.
    read: HashMap<*const Element, usize>,
    frames: HashMap<*const Element, Frame>,
}

impl<'a> Scene<'a> {
    /// An empty scene whose unit of length is `metre` (m).
    pub fn new(ids: Ids<'a>, metre: f64) -> Self {
        Self {
            ids,
            start: Frame {
                turn: Mat3::from_diagonal_element(metre),
                shift: Vec3::zeros(),
            },
            assembly: Assembly::default(),
            skins: 0,
            read: HashMap::new(),
            frames: HashMap::new(),
        }
    }

    /// Place everything below a visual scene.
    pub fn nodes(&mut self, visual: &'a Element) -> Result<(), ImportError> {
        let nodes = visual.all("node").map(|node| (node, self.start, 1));
        let mut waiting: Vec<(&Element, Frame, usize)> = nodes.collect();
        // Taken from the end, so that the first node comes first.
        waiting.reverse();
        let mut met = 0;
        while let Some((node, above, depth)) = waiting.pop() {
            met += 1 + node.children.len();
            if depth > MAX_DEPTH || met > MAX_NODES {
                let what = format!("more than {MAX_NODES} nodes, or {MAX_DEPTH} within each other");
                let remedy = "look for a node that refers to itself; simplify the scene";
                return Err(node.error(Fault::TooLarge, what, remedy));
            }
            let here = above.then(&self.frame(node)?);
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
                        self.geometry(target, here)?;
                    }
                    "instance_controller" => self.skins += 1,
                    _ => {}
                }
            }
            waiting[first..].reverse();
        }
        Ok(())
    }

    /// Place all geometries of a file without a scene.
    pub fn everything(&mut self, root: &'a Element) -> Result<(), ImportError> {
        let libraries = root.all("library_geometries");
        for geometry in libraries.flat_map(|l| l.all("geometry")) {
            self.geometry(geometry, self.start)?;
        }
        Ok(())
    }

    /// All that was placed, in one.
    pub fn finish(self, root: &Element) -> Result<Raw, ImportError> {
        let mut raw = self.assembly.finish(&root.place)?;
        if self.skins > 0 {
            raw.skipped
                .insert("skin (<instance_controller>)", self.skins);
        }
        Ok(raw)
    }

    fn geometry(&mut self, element: &'a Element, frame: Frame) -> Result<(), ImportError> {
        let part = match self.read.get(&std::ptr::from_ref(element)) {
            Some(part) => *part,
            None => {
                let part = self.assembly.keep(geometry::read(element, &self.ids)?);
                self.read.insert(element, part);
                part
            }
        };
        self.assembly.place(part, frame);
        Ok(())
    }

    fn frame(&mut self, node: &Element) -> Result<Frame, ImportError> {
        match self.frames.get(&std::ptr::from_ref(node)) {
            Some(frame) => Ok(*frame),
            None => {
                let frame = transform(node)?;
                self.frames.insert(node, frame);
                Ok(frame)
            }
        }
    }
}

/// The frame of a node: its transformations in order, each within the one before.
fn transform(node: &Element) -> Result<Frame, ImportError> {
    let Frame {
        mut turn,
        mut shift,
    } = Frame::same();
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
                // An axis without direction has no effect.
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
    Ok(Frame { turn, shift })
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
