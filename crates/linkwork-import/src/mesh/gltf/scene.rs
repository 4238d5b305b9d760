//! The nodes of a glTF scene: where each mesh goes.

use super::super::assembly::{Assembly, Frame};
use super::super::look::{Look, LookOf};
use super::super::raw::Raw;
use super::access::Data;
use super::document::{Document, Node, Primitive};
use crate::{Fault, ImportError, Place};
use linkwork::math::{Mat3, Vec3, cross_matrix};

/// The default scene, otherwise the first, otherwise all nodes that are not children.
pub fn place_all(
    document: &Document,
    data: &Data,
    looks: &[Look],
    place: &Place,
) -> Result<Raw, ImportError> {
    let scene = document.scenes.get(document.scene.unwrap_or(0));
    let roots = match scene {
        Some(scene) => scene.nodes.clone(),
        None => orphans(document),
    };
    let start = Frame::same();
    let mut waiting: Vec<(usize, Frame)> = roots.iter().rev().map(|n| (*n, start)).collect();
    let mut met = vec![false; document.nodes.len()];
    let mut assembly = Assembly::default();
    let mut parts: Vec<Option<usize>> = vec![None; document.meshes.len()];
    while let Some((index, above)) = waiting.pop() {
        let place = place.element(format!("nodes/{index}"));
        let node = document.nodes.get(index);
        let node = node.ok_or_else(|| unresolved(&place))?;
        // Nodes are a tree: each is the child of one other at most.
        if std::mem::replace(&mut met[index], true) {
            let what = "a node is met twice";
            let remedy = "the nodes must be a tree: export the mesh again";
            return Err(ImportError::new(&place, Fault::Cycle, what, remedy));
        }
        let here = above.then(&frame(node, &place)?);
        if let Some(mesh) = node.mesh {
            let known = parts.get_mut(mesh).ok_or_else(|| unresolved(&place))?;
            let part = match *known {
                Some(part) => part,
                None => {
                    let place = place.element(format!("meshes/{mesh}"));
                    let read = read(&document.meshes[mesh].primitives, data, looks, &place)?;
                    *known.insert(assembly.keep(read))
                }
            };
            assembly.place(part, here);
        }
        waiting.extend(node.children.iter().rev().map(|child| (*child, here)));
    }
    assembly.finish(place)
}

fn orphans(document: &Document) -> Vec<usize> {
    let mut child = vec![false; document.nodes.len()];
    for index in document.nodes.iter().flat_map(|n| &n.children) {
        if let Some(is) = child.get_mut(*index) {
            *is = true;
        }
    }
    (0..child.len()).filter(|i| !child[*i]).collect()
}

/// The frame of a node.
fn frame(node: &Node, place: &Place) -> Result<Frame, ImportError> {
    Ok(match node.matrix {
        Some(m) => Frame {
            turn: Mat3::new(m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]),
            shift: Vec3::new(m[12], m[13], m[14]),
        },
        None => {
            let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            let length = (x * x + y * y + z * z + w * w).sqrt();
            if !(length > 0.0 && length.is_finite()) {
                let what = "a rotation of length zero";
                let remedy = "give a unit quaternion x, y, z, w";
                return Err(ImportError::new(place, Fault::BadValue, what, remedy));
            }
            let (v, w) = (Vec3::new(x, y, z) / length, w / length);
            let rotation = Mat3::identity() * (w * w - v.dot(&v))
                + v * v.transpose() * 2.0
                + cross_matrix(&v) * (2.0 * w);
            let scale = Vec3::from(node.scale.unwrap_or([1.0; 3]));
            Frame {
                turn: rotation * Mat3::from_diagonal(&scale),
                shift: Vec3::from(node.translation.unwrap_or_default()),
            }
        }
    })
}

/// The triangles of a mesh, in its own frame.
fn read(
    primitives: &[Primitive],
    data: &Data,
    looks: &[Look],
    place: &Place,
) -> Result<Raw, ImportError> {
    let mut raw = Raw::default();
    for primitive in primitives {
        let Some(position) = primitive.attributes.position else {
            raw.skip("primitive without positions");
            continue;
        };
        if !(4..=6).contains(&primitive.mode) {
            raw.skip("primitive of points or lines");
            continue;
        }
        let vertices = data.positions(position)?;
        let corners = match primitive.indices {
            Some(indices) => data.indices(indices)?,
            None => (0..vertices.len() as u32).collect(),
        };
        let mut part = Raw {
            vertices,
            ..Raw::default()
        };
        match primitive.mode {
            4 => part.triangles = triples(&corners, place)?,
            5 => part.strip(&corners),
            _ => part.fan(&corners),
        }
        let coordinates = primitive.attributes.coordinates;
        let coordinates = coordinates.map_or(Ok(None), |c| data.coordinates(c))?;
        if let Some(given) = coordinates.filter(|c| c.len() == part.vertices.len()) {
            // Those of the format are 0 at the upper side.
            let of = |i: u32| {
                given
                    .get(i as usize)
                    .map_or([0.0; 2], |[u, v]| [*u, 1.0 - v])
            };
            part.coordinates = part.triangles.iter().map(|t| t.map(of)).collect();
        }
        let look = primitive.material.and_then(|m| looks.get(m));
        part.look = look.cloned().map(LookOf::Inside);
        raw.append(&part, &Frame::same(), place)?;
    }
    Ok(raw)
}

fn triples(corners: &[u32], place: &Place) -> Result<Vec<[u32; 3]>, ImportError> {
    if corners.len().is_multiple_of(3) {
        return Ok(corners
            .chunks_exact(3)
            .map(|c| [c[0], c[1], c[2]])
            .collect());
    }
    let what = format!("triangles with {} corners in all", corners.len());
    let remedy = "export the mesh again";
    Err(ImportError::new(place, Fault::BadValue, what, remedy))
}

fn unresolved(place: &Place) -> ImportError {
    let what = "a number that refers to nothing";
    ImportError::new(place, Fault::Unresolved, what, "export the mesh again")
}
