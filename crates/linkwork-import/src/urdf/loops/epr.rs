//! The `robot.yaml` of Gepetto/example-parallel-robots: lists that belong together by position.
//!
//! `closed_loop` pairs frames, `type` is `6d` (welded) or `3d` (points coincide), `name_mot` names the joints with
//! motors, `joint_name` and `joint_type` the joints whose type is replaced. As in that project's loader, a frame is a
//! link or a joint (the frame of its child), and a name in `joint_name` that the URDF does not have is ignored; here
//! with a notice. Rotor inertias and gear ratios are not in these files.

use super::{Closure, Loops, Retype, Side};
use crate::urdf::joint::Kind;
use crate::yaml::Node;
use crate::{Fault, ImportError};
use linkwork::joints::{Fixed, JointType, Spherical};
use linkwork::math::Pose;
use std::sync::Arc;

const KEYS: [&str; 5] = [
    "closed_loop",
    "type",
    "name_mot",
    "joint_name",
    "joint_type",
];

pub(super) fn read(root: &Node) -> Result<Loops, ImportError> {
    root.map(&KEYS)?;
    let list = |key: &str| root.get(key).map_or(Ok(&[][..]), Node::list);
    let pairs = list("closed_loop")?;
    let types = list("type")?;
    together(root, "type", types, pairs.len())?;
    let mut closures = Vec::with_capacity(pairs.len());
    for (i, pair) in pairs.iter().enumerate() {
        let [a, b] = pair.list()? else {
            let what = "a loop that does not name two frames";
            return Err(pair.error(Fault::BadValue, what, "write [frame, frame]"));
        };
        closures.push(Closure {
            name: format!("{} {}", a.word()?, b.word()?),
            kind: closure_type(types.get(i))?,
            sides: [side(a)?, side(b)?],
            place: pair.place.clone(),
        });
    }
    let names = list("joint_name")?;
    let kinds = list("joint_type")?;
    together(root, "joint_type", kinds, names.len())?;
    let retypes = names.iter().zip(kinds).map(|(name, kind)| {
        Ok(Retype {
            joint: name.word()?.to_owned(),
            kind: joint_type(kind)?,
            place: name.place.clone(),
            must_exist: false,
        })
    });
    let motors = list("name_mot")?.iter();
    let motors = motors.map(|m| Ok((m.word()?.to_owned(), m.place.clone())));
    Ok(Loops {
        closures,
        retypes: retypes.collect::<Result<_, ImportError>>()?,
        motors: Some(motors.collect::<Result<_, ImportError>>()?),
        floating: false,
    })
}

fn together(root: &Node, key: &str, list: &[Node], needed: usize) -> Result<(), ImportError> {
    if list.len() == needed || (list.is_empty() && key == "type") {
        return Ok(());
    }
    let what = format!("{key} has {} entries, {needed} needed", list.len());
    let at = root.get(key).unwrap_or(root);
    Err(at.error(Fault::BadValue, what, "give one for every name"))
}

fn side(frame: &Node) -> Result<Side, ImportError> {
    Ok(Side {
        frame: frame.word()?.to_owned(),
        pose: Pose::identity(),
        place: frame.place.clone(),
    })
}

/// Welded unless stated otherwise.
fn closure_type(kind: Option<&Node>) -> Result<Arc<dyn JointType>, ImportError> {
    let Some(node) = kind else {
        return Ok(Arc::new(Fixed));
    };
    match node.word()?.to_lowercase().as_str() {
        "6d" => Ok(Arc::new(Fixed)),
        "3d" => Ok(Arc::new(Spherical)),
        other => {
            let what = format!("loop type '{other}'");
            Err(node.error(Fault::BadValue, what, "write 6d or 3d"))
        }
    }
}

fn joint_type(node: &Node) -> Result<Kind, ImportError> {
    Ok(match node.word()? {
        "SPHERICAL" => Kind::Spherical,
        "FIXED" => Kind::Fixed,
        "UJOINT_XY" | "UNIVERSAL" => Kind::Universal(0, 1),
        "UJOINT_YZ" => Kind::Universal(1, 2),
        "UJOINT_ZX" => Kind::Universal(2, 0),
        "UJOINT_YX" => Kind::Universal(1, 0),
        "UJOINT_ZY" => Kind::Universal(2, 1),
        "UJOINT_XZ" => Kind::Universal(0, 2),
        other => {
            let what = format!("joint type '{other}'");
            let remedy = "write SPHERICAL, FIXED, or UJOINT_ and two of XYZ";
            return Err(node.error(Fault::BadValue, what, remedy));
        }
    })
}
