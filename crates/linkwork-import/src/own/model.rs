//! The whole model, from a file and as the tree of a file.

use super::fields::{Fields, Mark};
use super::geometry::Files;
use super::names::{Known, Names};
use super::table::{self, Done, Table};
use super::tree::{Content, Entries, Key, Node, Text};
use super::{
    VERSION, actuator, body, camera, coupling, fluid, frame, joint, keyframe, pair, sensor, shape,
    tendon, texture,
};
use crate::{Assets, Fault, ImportError, Imported, Notices};
use linkwork::math::Vec3;
use linkwork::model::{BodyId, Joint, Keyframe, Model, ModelData, Tendon};
use linkwork::sensors::{Reading, Sensor};
use std::collections::BTreeSet;
use std::path::Path;

/// Name of the world among bodies.
const WORLD: &str = "world";

/// Gravity of a file that gives none, m/s².
const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// Reads a whole file.
pub(super) fn read(
    text: &Text,
    root: &Node,
    file: &Path,
    assets: &Assets,
) -> Result<Imported, ImportError> {
    let mut root = Fields::of(text, root, String::new())?;
    let folder = folder(file);
    let mut files = Some(Files {
        assets,
        folder: &folder,
        notices: Notices::default(),
    });
    let mut data = ModelData::default();
    head(&mut Table::Read(&mut root), &mut data)?;
    let mut marks = Vec::new();
    let known = physics(&mut root, &mut data, &mut files, &mut marks)?;
    interface(&mut root, &mut data, known, &mut marks)?;
    data.join_servos();
    let model = data
        .build()
        .map_err(|e| refuse(&e.to_string(), &marks, &root))?;
    root.finish()?;
    Ok(Imported {
        counts: model.counts(),
        model,
        notices: files.map(|f| f.notices).unwrap_or_default(),
    })
}

/// What stands before the elements.
fn head(t: &mut Table, data: &mut ModelData) -> Done {
    let mut version = VERSION;
    t.need("linkwork", &mut version)?;
    if let (Table::Read(fields), true) = (&*t, version != VERSION) {
        let what = format!("the file is of version {version} of the format");
        let remedy = format!("this program reads version {VERSION}");
        return Err(fields.fail_at("linkwork", Fault::Unsupported, what, remedy));
    }
    let mut name = Some(data.name.clone());
    t.some("name", &mut name)?;
    data.name = name.unwrap_or_else(|| "mechanism".to_owned());
    t.or("gravity", &mut data.gravity, GRAVITY)?;
    t.some("timestep", &mut data.timestep)?;
    t.positive("timestep", data.timestep, " (s)")
}

/// Folder of the file, absolute, so that paths can be checked against the asset root.
fn folder(file: &Path) -> std::path::PathBuf {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// The elements of one kind, and where they begin.
fn each<T>(
    tables: Vec<Fields>,
    marks: &mut Vec<Mark>,
    blank: impl Fn() -> T,
    mut element: impl FnMut(&mut Table, &mut T) -> Done,
) -> Result<Vec<T>, ImportError> {
    let read = |table: Fields| {
        marks.push(table.mark());
        table::read(table, blank(), &mut element)
    };
    tables.into_iter().map(read).collect()
}

/// Textures, shapes, bodies, joints, couplings, tendons and contact pairs. Shapes are read first: masses may follow
/// from them.
fn physics(
    root: &mut Fields,
    data: &mut ModelData,
    files: &mut Option<Files>,
    marks: &mut Vec<Mark>,
) -> Result<Known, ImportError> {
    let mut known = Known::of(data);
    let mut body_tables = root.tables("body")?;
    known.bodies = Names::of("body", &mut body_tables)?;
    let mut tables = root.tables("texture")?;
    known.textures = Names::of("texture", &mut tables)?;
    data.textures = each(tables, marks, texture::blank, |t, x| {
        texture::texture(t, x, files)
    })?;
    let shapes = each(
        root.tables("shape")?,
        marks,
        shape::Described::blank,
        |t, s| shape::shape(t, s, &known, &[], files),
    )?;
    let mut index = 0;
    data.bodies = each(body_tables, marks, body::blank, |t, b| {
        let id = Some(BodyId(index));
        index += 1;
        let own = shapes.iter().filter(|s| s.shape.body == id);
        let own: Vec<_> = own.map(|s| (&s.shape.geometry, s.spot)).collect();
        body::body(t, b, &own)
    })?;
    let shapes = shapes.into_iter().enumerate();
    data.shapes = shapes.map(|(i, s)| s.placed(i, &data.bodies)).collect();
    known.shapes = Names::among("shape", &data.shapes, |s| &s.name);
    exclusions(&mut Table::Read(root), data, &known, &BTreeSet::new())?;
    let mut tables = root.tables("joint")?;
    known.joints = Names::of("joint", &mut tables)?;
    let bodies = &data.bodies;
    let joints = each(tables, marks, joint::Described::blank, |t, j| {
        joint::joint(t, j, &known, bodies)
    })?;
    for mut described in joints {
        described.joint.first_coordinate = data.initial_coordinates.len();
        let coordinates = joint::settled(&described.joint, bodies, &described.values);
        data.initial_coordinates.extend(coordinates);
        if !described.collide {
            data.excluded.extend(connected(&described.joint));
        }
        data.joints.push(described.joint);
    }
    data.excluded.sort_unstable();
    data.excluded.dedup();
    let mut tables = root.tables("coupling")?;
    Names::of("coupling", &mut tables)?;
    data.couplings = each(tables, marks, coupling::blank, |t, c| {
        coupling::coupling(t, c, &known)
    })?;
    let mut tables = root.tables("tendon")?;
    known.tendons = Names::of("tendon", &mut tables)?;
    data.tendons = each(
        tables,
        marks,
        || Tendon::new("", &[]),
        |t, x| tendon::tendon(t, x, &known),
    )?;
    let first = marks.len();
    data.pairs = each(root.tables("pair")?, marks, pair::blank, |t, p| {
        pair::pair(t, p, &known)
    })?;
    for (mark, pair) in marks[first..].iter_mut().zip(&data.pairs) {
        let [a, b] = [pair.a, pair.b].map(|s| &data.shapes[s.index()].name);
        mark.element = format!("contact pair of '{a}' and '{b}'");
    }
    data.pairs.sort_by_key(|p| (p.a, p.b));
    Ok(known)
}

/// Frames, cameras, links, actuators, sensors, stored states, fluids and the tree.
fn interface(
    root: &mut Fields,
    data: &mut ModelData,
    mut known: Known,
    marks: &mut Vec<Mark>,
) -> Result<(), ImportError> {
    let mut tables = root.tables("frame")?;
    known.frames = Names::of("frame", &mut tables)?;
    data.frames = each(tables, marks, frame::blank, |t, f| {
        frame::frame(t, f, &known, data)
    })?;
    let tables = root.tables("camera")?;
    data.cameras = each(tables, marks, camera::blank, |t, c| {
        camera::camera(t, c, &known, data)
    })?;
    let mut tables = root.tables("link")?;
    Names::of("link", &mut tables)?;
    data.links = each(tables, marks, frame::blank_link, |t, l| {
        frame::link(t, l, &known, data)
    })?;
    let tables = root.tables("actuator")?;
    data.actuators = each(tables, marks, actuator::blank, |t, a| {
        actuator::actuator(t, a, &known, data)
    })?;
    known.actuators = Names::among("actuator", &data.actuators, |a| &a.name);
    let tables = root.tables("sensor")?;
    let blank = || Sensor::new("", Reading::Clock);
    data.sensors = each(tables, marks, blank, |t, s| {
        sensor::sensor(t, s, &known, data)
    })?;
    let tables = root.tables("keyframe")?;
    data.keyframes = each(tables, marks, Keyframe::default, |t, k| {
        keyframe::keyframe(t, k, &known, data)
    })?;
    let tables = root.tables("fluid")?;
    data.fluid = each(tables, marks, fluid::blank, |t, f| {
        fluid::fluid(t, f, &known, data)
    })?;
    if root.get("tree").is_some() {
        data.tree = Some(known.joints.list(root, "tree")?);
    }
    Ok(())
}

/// An error of the model, at the element that it names.
fn refuse(error: &str, marks: &[Mark], root: &Fields) -> ImportError {
    // The collision code quotes names otherwise.
    let error = error.replace('`', "'");
    let named = marks.iter().find(|m| error.contains(&m.element));
    let place = named.map_or_else(|| root.place(), |m| root.place_of(m));
    let (what, remedy) = error.rsplit_once("; ").unwrap_or((&error, "correct it"));
    ImportError::new(&place, Fault::Mechanism, what, remedy)
}

/// The two bodies of a joint, the lower first.
fn connected(joint: &Joint) -> Option<(BodyId, BodyId)> {
    let base = joint.base?;
    Some((base.min(joint.follower), base.max(joint.follower)))
}

/// `exclude`: pairs of bodies that never collide, other than those `jointed`, and bodies paired with `world`.
fn exclusions(
    t: &mut Table,
    data: &mut ModelData,
    known: &Known,
    jointed: &BTreeSet<(BodyId, BodyId)>,
) -> Done {
    let name = |b: BodyId| data.bodies[b.index()].name.clone();
    let others = data.excluded.iter().filter(|p| !jointed.contains(p));
    let world = data.excluded_from_world.iter();
    let world = world.map(|b| [name(*b), WORLD.to_owned()]);
    let mut pairs: Vec<[String; 2]> = others
        .map(|(a, b)| [name(*a), name(*b)])
        .chain(world)
        .collect();
    t.list("exclude", &mut pairs)?;
    let Table::Read(fields) = t else {
        return Ok(());
    };
    let (mut excluded, mut from_world) = (BTreeSet::new(), BTreeSet::new());
    for (node, names) in fields.list("exclude")?.iter().zip(&pairs) {
        let find = |name: &String| {
            let body = known.bodies.find(fields, node.at, name)?;
            Ok::<_, ImportError>(BodyId(body as u32))
        };
        match names {
            [a, b] | [b, a] if a == WORLD => {
                from_world.insert(find(b)?);
            }
            [a, b] => {
                let (a, b) = (find(a)?, find(b)?);
                excluded.insert((a.min(b), a.max(b)));
            }
        }
    }
    data.excluded = excluded.into_iter().collect();
    data.excluded_from_world = from_world.into_iter().collect();
    Ok(())
}

/// Everything the model has.
pub(super) fn entries(model: &Model) -> Vec<(Key, Node)> {
    let mut root = Entries::default();
    write(&mut root, &mut model.data().clone()).expect("what a model has can be written");
    root.0
}

fn write(root: &mut Entries, data: &mut ModelData) -> Done {
    head(&mut Table::Write(root), data)?;
    let known = &Known::of(data);
    if let Some(tree) = &mut data.tree {
        Table::Write(root).names("tree", tree, &known.joints)?;
    }
    let jointed: BTreeSet<_> = data.joints.iter().filter_map(connected).collect();
    exclusions(&mut Table::Write(root), data, known, &jointed)?;
    let (all, model) = (data.clone(), &*data);
    section(root, "body", all.bodies, |t, b| body::body(t, b, &[]))?;
    let joint = |j: &Joint| {
        let values = &model.initial_coordinates[j.first_coordinate..][..j.axes.len()];
        let collide = connected(j).is_some_and(|p| !model.excluded.contains(&p));
        joint::Described::of(j, &model.bodies, values, collide)
    };
    let joints = all.joints.iter().map(joint).collect();
    section(root, "joint", joints, |t, j| {
        joint::joint(t, j, known, &model.bodies)
    })?;
    section(root, "coupling", all.couplings, |t, c| {
        coupling::coupling(t, c, known)
    })?;
    section(root, "tendon", all.tendons, |t, x| {
        tendon::tendon(t, x, known)
    })?;
    let shapes = all.shapes.iter().map(shape::Described::of).collect();
    section(root, "shape", shapes, |t, s| {
        shape::shape(t, s, known, &model.bodies, &mut None)
    })?;
    section(root, "texture", all.textures, |t, x| {
        texture::texture(t, x, &None)
    })?;
    section(root, "pair", all.pairs, |t, p| pair::pair(t, p, known))?;
    section(root, "link", all.links, |t, l| {
        frame::link(t, l, known, model)
    })?;
    section(root, "frame", all.frames, |t, f| {
        frame::frame(t, f, known, model)
    })?;
    section(root, "camera", all.cameras, |t, c| {
        camera::camera(t, c, known, model)
    })?;
    section(root, "actuator", all.actuators, |t, a| {
        actuator::actuator(t, a, known, model)
    })?;
    section(root, "sensor", all.sensors, |t, s| {
        sensor::sensor(t, s, known, model)
    })?;
    section(root, "keyframe", all.keyframes, |t, k| {
        keyframe::keyframe(t, k, known, model)
    })?;
    section(root, "fluid", all.fluid, |t, f| {
        fluid::fluid(t, f, known, model)
    })
}

/// The elements of one kind.
fn section<T>(
    root: &mut Entries,
    key: &str,
    elements: Vec<T>,
    element: impl Fn(&mut Table, &mut T) -> Done,
) -> Done {
    let tables = elements.into_iter().map(|mut e| {
        let table = table::write(&mut e, &element)?;
        Ok(Content::from(table))
    });
    let tables = tables.collect::<Result<Vec<_>, ImportError>>()?;
    if !tables.is_empty() {
        root.put(key, tables.into_iter().collect());
    }
    Ok(())
}
