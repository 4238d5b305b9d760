//! The tree of a file as a mechanism.

use super::fields::Fields;
use super::geometry::Files;
use super::model::{element, model};
use super::names::Names;
use super::tree::{Node, Text};
use super::{VERSION, actuator, fluid, frame, keyframe, sensor};
use crate::mechanism::{Actuator, PlacedLink, Reading, Transmission, is_tree, spanning_tree};
use crate::{Assets, Fault, ImportError, Imported, Mechanism, Notices};
use linkwork::model::{JointId, Model};
use std::path::Path;
use std::sync::Arc;

/// Read a whole file.
pub(super) fn mechanism(
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
    let (model, parts) = model(&mut root, files)?;
    let (joint_names, body_names) = (&parts.joints, &parts.bodies);
    let mut tables = root.tables("frame")?;
    let (frame_names, names) = Names::of("frame", &mut tables)?;
    let mut frames = Vec::new();
    for (table, name) in tables.into_iter().zip(names) {
        frames.push(element(table, |t| {
            frame::read(t, name, body_names, &model)
        })?);
    }
    let links = links(&mut root, body_names, &model)?;
    let shape_names = Names::among("shape", model.shapes().iter().map(|s| s.name.as_str()));
    let mut actuators = Vec::new();
    for table in root.tables("actuator")? {
        actuators.push(element(table, |t| {
            let actuator =
                actuator::read(t, joint_names, &parts.tendons, &frame_names, &shape_names)?;
            if let Transmission::Coordinate {
                joint, coordinate, ..
            } = actuator.transmission
            {
                check_coordinate(t, &model, joint, coordinate)?;
            }
            Ok(actuator)
        })?);
    }
    let actuator_names = Names::among(
        "actuator",
        actuators.iter().map(|a: &Actuator| a.name.as_str()),
    );
    let known = sensor::Known {
        model: &model,
        bodies: body_names,
        joints: joint_names,
        tendons: &parts.tendons,
        actuators: &actuator_names,
        frames: &frame_names,
        shapes: &shape_names,
    };
    let mut sensors = Vec::new();
    for table in root.tables("sensor")? {
        sensors.push(element(table, |t| {
            let sensor = sensor::read(t, &known)?;
            if let Reading::Position { joint, coordinate }
            | Reading::Velocity { joint, coordinate }
            | Reading::Effort { joint, coordinate } = sensor.reading
            {
                check_coordinate(t, &model, joint, coordinate)?;
            }
            if let Reading::BallOrientation { joint, coordinate } = sensor.reading {
                // A rotation vector has three coordinates.
                check_coordinate(t, &model, joint, coordinate + 2)?;
            }
            if let Reading::ActuatorEffort { actuator } = sensor.reading
                && !actuators[actuator].is_alone(&actuators)
            {
                let what = format!(
                    "actuator '{}' is not the only one on a coordinate or tendon",
                    actuators[actuator].name
                );
                let remedy = "read the effort of the joint or tendon instead";
                return Err(t.fail_at("actuator", Fault::BadValue, what, remedy));
            }
            Ok(sensor)
        })?);
    }
    let mut keyframes = Vec::new();
    for table in root.tables("keyframe")? {
        keyframes.push(element(table, |t| {
            keyframe::read(t, body_names, joint_names, &model)
        })?);
    }
    let mut boxes = Vec::new();
    for table in root.tables("fluid")? {
        boxes.push(element(table, |t| fluid::read(t, body_names, &model))?);
    }
    let tree = tree(&mut root, joint_names, &model)?;
    let model = with_servos(model, &actuators, &root)?;
    root.finish()?;
    let mechanism = Mechanism {
        name,
        model,
        timestep,
        links,
        labels: parts.labels,
        tree,
        actuators,
        frames,
        sensors,
        keyframes,
        fluid: boxes,
    };
    Ok(Imported {
        counts: mechanism.counts(),
        mechanism,
        notices: parts.notices,
    })
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

/// Folder of the file, absolute, so that the asset root can judge paths.
fn folder(file: &Path) -> std::path::PathBuf {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

fn links(root: &mut Fields, bodies: &Names, model: &Model) -> Result<Vec<PlacedLink>, ImportError> {
    let mut tables = root.tables("link")?;
    if tables.is_empty() {
        return Ok(PlacedLink::of_bodies(model));
    }
    let (_, names) = Names::of("link", &mut tables)?;
    let mut links = Vec::new();
    for (table, name) in tables.into_iter().zip(names) {
        links.push(element(table, |t| {
            Ok(PlacedLink {
                frame: frame::read(t, name, bodies, model)?,
                mass: t.number_or("mass", 0.0)?,
            })
        })?);
    }
    Ok(links)
}

fn tree(root: &mut Fields, joints: &Names, model: &Model) -> Result<Vec<JointId>, ImportError> {
    if root.get("tree").is_none() {
        return Ok(spanning_tree(model));
    }
    let list = root.list("tree")?.iter();
    let tree = list.map(|n| Ok(JointId(joints.in_node(root, n)? as u32)));
    let tree = tree.collect::<Result<Vec<_>, ImportError>>()?;
    if is_tree(model, &tree) {
        return Ok(tree);
    }
    let what = "'tree' leads to a body twice, or to one before the body it stands on";
    let remedy = "name each joint after those below it, or leave 'tree' out";
    Err(root.fail_at("tree", Fault::BadValue, what, remedy))
}

fn check_coordinate(
    fields: &Fields,
    model: &Model,
    joint: JointId,
    coordinate: usize,
) -> Result<(), ImportError> {
    let joint = model.joint(joint);
    let have = joint.axes.len();
    if coordinate < have {
        return Ok(());
    }
    let what = format!("joint '{}' has no coordinate {coordinate}", joint.name);
    let remedy = format!("it has {have}, counted from 0");
    Err(fields.fail_at("coordinate", Fault::BadValue, what, remedy))
}

/// The model with the drives that its servos ask for.
fn with_servos(
    model: Arc<Model>,
    actuators: &[Actuator],
    root: &Fields,
) -> Result<Arc<Model>, ImportError> {
    let mut data = model.data();
    if !actuator::join(actuators, &mut data) {
        return Ok(model);
    }
    // A gear of 1e200 squares to a stiffness that is not finite.
    data.build().map_err(|e| {
        let remedy = "correct gear, bias or force_range of the actuators";
        root.fail_at("actuator", Fault::BadValue, e.to_string(), remedy)
    })
}
