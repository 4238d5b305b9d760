//! A model as the tree of a file.

use super::tree::{Content, Entries, Key, Node};
use super::{
    VERSION, actuator, body, camera, coupling, fluid, frame, joint, keyframe, pair, sensor, shape,
    tendon, texture,
};
use linkwork::math::Vec3;
use linkwork::model::{BodyId, Joint, Model, PlacedLink};
use std::collections::BTreeSet;

/// Gravity of a file that gives none, m/s².
pub(super) const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// Everything the model has.
pub(super) fn entries(model: &Model) -> Vec<(Key, Node)> {
    let mut root = Entries::default();
    root.put("linkwork", VERSION);
    root.put("name", model.name());
    root.put_unless("gravity", &model.gravity(), &GRAVITY);
    root.put_some("timestep", model.timestep());
    if let Some(tree) = &model.data().tree {
        let names = tree.iter().map(|j| model.joint(*j).name.as_str());
        root.put("tree", names.collect::<Vec<_>>());
    }
    exclusions(&mut root, model);
    let mut section = |key: &str, tables: Vec<Entries>| {
        if !tables.is_empty() {
            root.put(key, tables);
        }
    };
    let bodies = model.bodies();
    section("body", bodies.iter().map(body::write).collect());
    section("joint", joints(model));
    let couplings = model.couplings().iter();
    section(
        "coupling",
        couplings
            .map(|c| coupling::write(c, model.joints()))
            .collect(),
    );
    let tendons = model.tendons().iter();
    section(
        "tendon",
        tendons
            .map(|t| tendon::write(t, model.joints(), bodies))
            .collect(),
    );
    section(
        "shape",
        model
            .shapes()
            .iter()
            .map(|s| shape::write(s, model))
            .collect(),
    );
    let textures = model.textures().iter();
    section("texture", textures.map(texture::write).collect());
    section(
        "pair",
        model
            .pairs()
            .iter()
            .map(|p| pair::write(p, model.shapes()))
            .collect(),
    );
    if !model.data().links.is_empty() {
        let link = |link: &PlacedLink| {
            let mut entries = frame::write(&link.frame, model);
            entries.put_unless("mass", link.mass, 0.0);
            entries
        };
        section("link", model.links().iter().map(link).collect());
    }
    section(
        "frame",
        model
            .frames()
            .iter()
            .map(|f| frame::write(f, model))
            .collect(),
    );
    let cameras = model.cameras().iter();
    section("camera", cameras.map(|c| camera::write(c, model)).collect());
    let actuators = model.actuators().iter();
    section(
        "actuator",
        actuators.map(|a| actuator::write(a, model)).collect(),
    );
    section(
        "sensor",
        model
            .sensors()
            .iter()
            .map(|s| sensor::write(s, model))
            .collect(),
    );
    section(
        "keyframe",
        model
            .keyframes()
            .iter()
            .map(|k| keyframe::write(k, model))
            .collect(),
    );
    let boxes = model.fluid().iter();
    section("fluid", boxes.map(|f| fluid::write(f, model)).collect());
    match Content::from(root) {
        Content::Table(entries) => entries,
        _ => unreachable!("entries make a table"),
    }
}

fn joints(model: &Model) -> Vec<Entries> {
    let initial = model.initial_state().coordinates;
    let excluded: BTreeSet<_> = model.excluded().iter().copied().collect();
    let table = |joint: &Joint| {
        let end = joint.first_coordinate + joint.axes.len();
        let values = &initial[joint.first_coordinate..end];
        let collide = connected(joint).is_some_and(|p| !excluded.contains(&p));
        joint::write(joint, model.bodies(), values, collide)
    };
    model.joints().iter().map(table).collect()
}

/// The two bodies of a joint, the lower first.
pub(super) fn connected(joint: &Joint) -> Option<(BodyId, BodyId)> {
    let base = joint.base?;
    Some((base.min(joint.follower), base.max(joint.follower)))
}

/// Body pairs that never collide, in addition to those connected by joints.
fn exclusions(root: &mut Entries, model: &Model) {
    let jointed: BTreeSet<_> = model.joints().iter().filter_map(connected).collect();
    let name = |b: BodyId| model.body(b).name.as_str();
    let others = model.excluded().iter().filter(|p| !jointed.contains(p));
    let world = model.excluded_from_world().iter();
    let world = world.map(|b| vec![name(*b), super::model::WORLD].into());
    let pairs: Vec<Content> = others
        .map(|(a, b)| vec![name(*a), name(*b)].into())
        .chain(world)
        .collect();
    if !pairs.is_empty() {
        root.put("exclude", pairs);
    }
}
