//! The tree of a file as a model.

use super::fields::Fields;
use super::geometry::Files;
use super::model::{Parts, element, mechanism, refuse};
use super::names::Names;
use super::tree::{Node, Text};
use super::{VERSION, actuator, camera, fluid, frame, keyframe, sensor};
use crate::{Assets, Fault, ImportError, Imported, Notices};
use linkwork::model::{JointId, ModelData, PlacedLink};
use std::path::Path;

/// Read a whole file.
pub(super) fn model(
    text: &Text,
    root: &Node,
    file: &Path,
    assets: &Assets,
) -> Result<Imported, ImportError> {
    let mut root = Fields::of(text, root, String::new())?;
    version(&mut root)?;
    let name = root.text("name")?.unwrap_or("mechanism").to_owned();
    let timestep = timestep(&mut root)?;
    let files = Files {
        assets,
        folder: &folder(file),
        notices: Notices::default(),
    };
    let (mut data, mut parts) = mechanism(&mut root, files)?;
    (data.name, data.timestep) = (name, timestep);
    interface(&mut root, &mut data, &mut parts)?;
    data.join_servos();
    let model = data
        .build()
        .map_err(|e| refuse(&e.to_string(), &parts.marks, &root))?;
    root.finish()?;
    Ok(Imported {
        counts: model.counts(),
        model,
        notices: parts.notices,
    })
}

/// Frames, links, actuators, sensors, stored states, fluids and the tree.
fn interface(
    root: &mut Fields,
    data: &mut ModelData,
    parts: &mut Parts,
) -> Result<(), ImportError> {
    let mut tables = root.tables("frame")?;
    let (frame_names, names) = Names::of("frame", &mut tables)?;
    for (table, name) in tables.into_iter().zip(names) {
        let read = |t: &mut Fields| frame::read(t, name, &parts.bodies, &data.bodies);
        let frame = element(table, read)?;
        data.frames.push(frame);
    }
    for table in root.tables("camera")? {
        parts.marks.push(table.mark());
        let camera = element(table, |t| camera::read(t, &parts.bodies, &data.bodies))?;
        data.cameras.push(camera);
    }
    data.links = links(root, &parts.bodies, data)?;
    let shape_names = Names::among("shape", data.shapes.iter().map(|s| s.name.as_str()));
    for table in root.tables("actuator")? {
        parts.marks.push(table.mark());
        let read = |t: &mut Fields| {
            let (joints, tendons) = (&parts.joints, &parts.tendons);
            actuator::read(t, data, joints, tendons, &frame_names, &shape_names)
        };
        let actuator = element(table, read)?;
        data.actuators.push(actuator);
    }
    let actuators = data.actuators.iter().map(|a| a.name.as_str());
    let actuator_names = Names::among("actuator", actuators);
    for table in root.tables("sensor")? {
        parts.marks.push(table.mark());
        let known = sensor::Known {
            model: data,
            bodies: &parts.bodies,
            joints: &parts.joints,
            tendons: &parts.tendons,
            actuators: &actuator_names,
            frames: &frame_names,
            shapes: &shape_names,
        };
        let sensor = element(table, |t| sensor::read(t, &known))?;
        data.sensors.push(sensor);
    }
    for table in root.tables("keyframe")? {
        let read = |t: &mut Fields| keyframe::read(t, &parts.bodies, &parts.joints, data);
        let keyframe = element(table, read)?;
        data.keyframes.push(keyframe);
    }
    for table in root.tables("fluid")? {
        let read = |t: &mut Fields| fluid::read(t, &parts.bodies, &data.bodies);
        let part = element(table, read)?;
        data.fluid.push(part);
    }
    data.tree = tree(root, &parts.joints)?;
    Ok(())
}

fn version(root: &mut Fields) -> Result<(), ImportError> {
    let version = root.count("linkwork")?;
    match root.require("linkwork", version)? {
        VERSION => Ok(()),
        other => {
            let what = format!("the file is of version {other} of the format");
            let remedy = format!("this program reads version {VERSION}");
            Err(root.fail_at("linkwork", Fault::Unsupported, what, remedy))
        }
    }
}

fn timestep(root: &mut Fields) -> Result<Option<f64>, ImportError> {
    let timestep = root.number("timestep")?;
    match timestep {
        Some(t) if t <= 0.0 => {
            let what = format!("'timestep' is {t}");
            Err(root.fail_at("timestep", Fault::BadValue, what, "it must be positive (s)"))
        }
        _ => Ok(timestep),
    }
}

/// Folder of the file, absolute, so that paths can be checked against the asset root.
fn folder(file: &Path) -> std::path::PathBuf {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

fn links(
    root: &mut Fields,
    bodies: &Names,
    data: &ModelData,
) -> Result<Vec<PlacedLink>, ImportError> {
    let mut tables = root.tables("link")?;
    let (_, names) = Names::of("link", &mut tables)?;
    let mut links = Vec::new();
    for (table, name) in tables.into_iter().zip(names) {
        links.push(element(table, |t| {
            Ok(PlacedLink {
                frame: frame::read(t, name, bodies, &data.bodies)?,
                mass: t.number_or("mass", 0.0)?,
            })
        })?);
    }
    Ok(links)
}

fn tree(root: &mut Fields, joints: &Names) -> Result<Option<Vec<JointId>>, ImportError> {
    if root.get("tree").is_none() {
        return Ok(None);
    }
    let list = root.list("tree")?.iter();
    let tree = list.map(|n| Ok(JointId(joints.in_node(root, n)? as u32)));
    Ok(Some(tree.collect::<Result<Vec<_>, ImportError>>()?))
}

/// Refuse a coordinate that a joint does not have.
pub(super) fn check_coordinate(
    fields: &Fields,
    data: &ModelData,
    joint: JointId,
    coordinate: usize,
) -> Result<(), ImportError> {
    let joint = &data.joints[joint.index()];
    let have = joint.axes.len();
    if coordinate < have {
        return Ok(());
    }
    let what = format!("joint '{}' has no coordinate {coordinate}", joint.name);
    let remedy = format!("it has {have}, counted from 0");
    Err(fields.fail_at("coordinate", Fault::BadValue, what, remedy))
}
