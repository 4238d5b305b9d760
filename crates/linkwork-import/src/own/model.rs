//! The model within a file: bodies, joints, couplings, tendons and shapes.

use super::fields::{Fields, Mark};
use super::geometry::Files;
use super::names::Names;
use super::pose::Spot;
use super::tree::{Content, Node};
use super::write::{GRAVITY, connected};
use super::{body, coupling, joint, pair, shape, tendon, texture};
use crate::{Fault, ImportError, Notices};
use linkwork::model::{BodyId, Geometry, ModelData, Shape, ShapePair};
use std::collections::{BTreeSet, HashMap};

/// Name of the world among bodies.
pub(super) const WORLD: &str = "world";

/// What the model itself does not keep.
pub(super) struct Parts {
    pub bodies: Names,
    pub joints: Names,
    pub tendons: Names,
    /// Where the elements begin that the model may refuse.
    pub marks: Vec<Mark>,
    pub notices: Notices,
}

/// Reads an element and refuses remaining keys.
pub(super) fn element<'a, T>(
    mut table: Fields<'a>,
    read: impl FnOnce(&mut Fields<'a>) -> Result<T, ImportError>,
) -> Result<T, ImportError> {
    let read = read(&mut table)?;
    table.finish()?;
    Ok(read)
}

/// Bodies, joints, couplings and shapes. Shapes are read first: masses may follow from them.
pub(super) fn mechanism(
    root: &mut Fields,
    mut files: Files,
) -> Result<(ModelData, Parts), ImportError> {
    let gravity = root.vector("gravity")?.unwrap_or(GRAVITY);
    let mut body_tables = root.tables("body")?;
    let (body_names, names) = Names::of("body", &mut body_tables)?;
    let mut marks = Vec::new();
    let mut texture_tables = root.tables("texture")?;
    let (texture_names, called) = Names::of("texture", &mut texture_tables)?;
    let mut textures = Vec::new();
    for (table, name) in texture_tables.into_iter().zip(called) {
        marks.push(table.mark());
        textures.push(element(table, |t| texture::read(t, name, &files))?);
    }
    let mut shapes = Vec::new();
    for table in root.tables("shape")? {
        marks.push(table.mark());
        shapes.push(element(table, |t| {
            shape::read(t, &body_names, &texture_names, &mut files)
        })?);
    }
    let mut bodies = Vec::new();
    for (i, (table, name)) in body_tables.into_iter().zip(names).enumerate() {
        let own = shapes.iter().filter(|s| s.body == Some(i));
        let own: Vec<(&Geometry, Spot)> = own.map(|s| (&s.geometry, s.spot)).collect();
        marks.push(table.mark());
        bodies.push(element(table, |t| body::read(t, name, &own))?);
    }
    let mut joint_tables = root.tables("joint")?;
    let (joint_names, names) = Names::of("joint", &mut joint_tables)?;
    let (mut joints, mut coordinates) = (Vec::new(), Vec::new());
    let (mut excluded, excluded_from_world) = exclusions(root, &body_names)?;
    for (table, name) in joint_tables.into_iter().zip(names) {
        marks.push(table.mark());
        let first = coordinates.len();
        let described = element(table, |t| joint::read(t, name, &body_names, &bodies, first))?;
        if !described.collide {
            excluded.extend(connected(&described.joint));
        }
        coordinates.extend(described.coordinates);
        joints.push(described.joint);
    }
    let mut coupling_tables = root.tables("coupling")?;
    let (_, names) = Names::of("coupling", &mut coupling_tables)?;
    let mut couplings = Vec::new();
    for (table, name) in coupling_tables.into_iter().zip(names) {
        marks.push(table.mark());
        couplings.push(element(table, |t| coupling::read(t, name, &joint_names))?);
    }
    let mut tendon_tables = root.tables("tendon")?;
    let (tendon_names, names) = Names::of("tendon", &mut tendon_tables)?;
    let mut tendons = Vec::new();
    for (table, name) in tendon_tables.into_iter().zip(names) {
        marks.push(table.mark());
        tendons.push(element(table, |t| {
            tendon::read(t, name, &joint_names, &body_names)
        })?);
    }
    let shapes = shapes.into_iter().enumerate();
    let shapes: Vec<Shape> = shapes.map(|(i, s)| s.placed(i, &bodies)).collect();
    let data = ModelData {
        gravity,
        pairs: pairs(root, &shapes, &mut marks)?,
        shapes,
        textures,
        bodies,
        joints,
        couplings,
        tendons,
        excluded: excluded.into_iter().collect(),
        excluded_from_world: excluded_from_world.into_iter().collect(),
        initial_coordinates: coordinates,
        ..ModelData::default()
    };
    let parts = Parts {
        bodies: body_names,
        joints: joint_names,
        tendons: tendon_names,
        marks,
        notices: files.notices,
    };
    Ok((data, parts))
}

fn pairs(
    root: &mut Fields,
    shapes: &[Shape],
    marks: &mut Vec<Mark>,
) -> Result<Vec<ShapePair>, ImportError> {
    let names = shapes.iter().enumerate();
    let names: HashMap<&str, usize> = names.map(|(i, s)| (s.name.as_str(), i)).collect();
    let mut pairs = Vec::new();
    for table in root.tables("pair")? {
        let mut mark = table.mark();
        let pair = element(table, |t| pair::read(t, &names))?;
        let [a, b] = [pair.a, pair.b].map(|s| &shapes[s.index()].name);
        mark.element = format!("contact pair of '{a}' and '{b}'");
        marks.push(mark);
        pairs.push(pair);
    }
    pairs.sort_by_key(|p| (p.a, p.b));
    Ok(pairs)
}

/// An error of the model, at the element that it names.
pub(super) fn refuse(error: &str, marks: &[Mark], root: &Fields) -> ImportError {
    // The collision code quotes names otherwise.
    let error = error.replace('`', "'");
    let named = marks.iter().find(|m| error.contains(&m.element));
    let place = named.map_or_else(|| root.place(), |m| root.place_of(m));
    let (what, remedy) = error.rsplit_once("; ").unwrap_or((&error, "correct it"));
    ImportError::new(&place, Fault::Mechanism, what, remedy)
}

/// Pairs of bodies, and bodies paired with `world`.
type Exclusions = (BTreeSet<(BodyId, BodyId)>, BTreeSet<BodyId>);

fn exclusions(root: &mut Fields, names: &Names) -> Result<Exclusions, ImportError> {
    let (mut pairs, mut from_world) = (BTreeSet::new(), BTreeSet::new());
    for node in root.list("exclude")? {
        let Content::List(list) = &node.content else {
            let what = format!("'exclude' has {} in it", node.content.kind());
            return Err(root.fail(node.at, Fault::BadValue, what, "give pairs of bodies"));
        };
        let [a, b] = list.as_slice() else {
            let what = format!("'exclude' has a list of {} in it", list.len());
            return Err(root.fail(node.at, Fault::BadValue, what, "give pairs of bodies"));
        };
        let is_world = |node: &Node| matches!(&node.content, Content::Text(text) if text == WORLD);
        match (is_world(a), is_world(b)) {
            (false, false) => {
                let (a, b) = (names.in_node(root, a)?, names.in_node(root, b)?);
                pairs.insert((BodyId(a.min(b) as u32), BodyId(a.max(b) as u32)));
            }
            (world, _) => {
                let body = names.in_node(root, if world { b } else { a })?;
                from_world.insert(BodyId(body as u32));
            }
        }
    }
    Ok((pairs, from_world))
}
