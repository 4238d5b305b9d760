//! MJCF: the tree nested, loops as equality constraints between sites.

mod around;
mod closures;
mod elementary;
mod joints;
mod relations;
mod sensors;
mod shapes;
mod softness;
mod tree;

use super::Exported;
use super::node::Node;
use crate::{Fault, ImportError, Place};
use linkwork::model::Model;

/// Deepest tree that is written: XML readers limit the nesting of elements.
const MAX_DEPTH: usize = 200;

/// The mechanism as MJCF.
pub fn to_mjcf(model: &Model) -> Result<Exported, ImportError> {
    let mut left_out = Vec::new();
    let tree = tree::Tree::of(model, &mut left_out);
    if tree.depth() > MAX_DEPTH {
        let what = format!("{} bodies are nested in each other", tree.depth());
        let remedy = format!("MJCF is written up to a depth of {MAX_DEPTH}: take another format");
        return Err(ImportError::new(
            &Place::default(),
            Fault::TooLarge,
            what,
            remedy,
        ));
    }
    let mut assets = Node::new("asset");
    let closures = closures::of(model, &tree, &mut left_out);
    let world = tree.world(&closures, &mut assets, &mut left_out);
    let (mut equality, tendons) = relations::of(&tree, &mut left_out);
    equality.extend(closures.into_iter().flat_map(|c| c.constraints));

    let mut option = Node::new("option").vector("gravity", &model.gravity());
    if let Some(timestep) = model.timestep() {
        option = option.numbers("timestep", &[timestep]);
    }
    let compiler = Node::new("compiler")
        .text("angle", "radian")
        .text("autolimits", "true");
    let mut root = Node::new("mujoco").text("model", model.name());
    root.push(compiler);
    root.push(option);
    let sections = [
        assets,
        world,
        Node::new("contact")
            .with(shapes::exclusions(&tree))
            .with(shapes::pairs(model)),
        Node::new("equality").with(equality),
        Node::new("tendon").with(tendons),
        Node::new("actuator").with(around::actuators(&tree, &mut left_out)),
        Node::new("sensor").with(sensors::sensors(&tree, &mut left_out)),
        Node::new("keyframe").with(around::keyframes(&tree, &mut left_out)),
    ];
    for section in sections.into_iter().filter(|s| !s.is_empty()) {
        root.push(section);
    }
    shapes::differences(model, &mut left_out);
    softness::differences(&tree, &mut left_out);
    if !model.fluid().is_empty() {
        left_out.push("the fluid that bodies move in".to_owned());
    }
    super::tell_rest(model, &mut left_out);
    Ok(Exported {
        text: root.print(),
        left_out,
        ..Exported::default()
    })
}
