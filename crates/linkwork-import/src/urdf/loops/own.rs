//! Linkwork's own loops file, `robot.loops.yaml`; `docs/import/urdf.md` describes it.

use super::{Closure, Loops, Retype, Side};
use crate::robot::from_rpy;
use crate::suggest;
use crate::urdf::joint::Kind;
use crate::yaml::{Node, Value};
use crate::{Fault, ImportError};
use linkwork::joints::{self, JointType};
use linkwork::math::{Pose, Vec3};
use std::sync::Arc;

const KEYS: [&str; 4] = ["closures", "joints", "motors", "floating"];
const KINDS: [&str; 9] = [
    "fixed",
    "spherical",
    "floating",
    "universal-xy",
    "universal-yz",
    "universal-zx",
    "universal-yx",
    "universal-zy",
    "universal-xz",
];

pub(super) fn read(root: &Node) -> Result<Loops, ImportError> {
    root.map(&KEYS)?;
    let closures = root.get("closures").map_or(Ok(&[][..]), Node::list)?;
    let retypes = root.get("joints").map_or(Ok(&[][..]), Node::entries)?;
    let motors = root.get("motors").map(Node::list).transpose()?;
    Ok(Loops {
        closures: closures
            .iter()
            .enumerate()
            .map(|(i, node)| closure(i, node))
            .collect::<Result<_, _>>()?,
        retypes: retypes
            .iter()
            .map(|(joint, node)| {
                Ok(Retype {
                    joint: joint.clone(),
                    kind: kind_of(node)?,
                    place: node.place.clone(),
                    must_exist: true,
                })
            })
            .collect::<Result<_, ImportError>>()?,
        motors: motors
            .map(|list| {
                let named = list.iter();
                named
                    .map(|m| Ok((m.word()?.to_owned(), m.place.clone())))
                    .collect::<Result<_, ImportError>>()
            })
            .transpose()?,
        floating: root.get("floating").map_or(Ok(false), Node::flag)?,
    })
}

fn closure(i: usize, node: &Node) -> Result<Closure, ImportError> {
    node.map(&["name", "type", "a", "b"])?;
    let need = |key: &str| {
        node.get(key).ok_or_else(|| {
            let what = format!("a closure without '{key}'");
            node.error(Fault::Missing, what, "give it type, a and b")
        })
    };
    let name = match node.get("name") {
        Some(name) => name.word()?.to_owned(),
        None => format!("closure {}", i + 1),
    };
    Ok(Closure {
        name,
        kind: closure_type(need("type")?)?,
        sides: [side(need("a")?)?, side(need("b")?)?],
        place: node.place.clone(),
    })
}

fn closure_type(node: &Node) -> Result<Arc<dyn JointType>, ImportError> {
    let word = node.word()?;
    joints::by_name(word).ok_or_else(|| {
        let all = joints::all();
        let names: Vec<&str> = all
            .iter()
            .filter(|t| t.parameters().is_empty())
            .map(|t| t.name())
            .collect();
        let what = format!("closure type '{word}'");
        node.error(Fault::BadValue, what, &suggest::remedy(word, &names))
    })
}

/// `link`, or `{link: …, xyz: […], rpy: […]}`.
fn side(node: &Node) -> Result<Side, ImportError> {
    let zero = || Ok(Vec3::zeros());
    let (frame, pose) = match &node.value {
        Value::Scalar(name) => (name.clone(), Pose::identity()),
        _ => {
            node.map(&["link", "xyz", "rpy"])?;
            let link = node.get("link").ok_or_else(|| {
                node.error(Fault::Missing, "a frame without its link", "add link: …")
            })?;
            let xyz = node.get("xyz").map_or_else(zero, Node::vec3)?;
            let rpy = node.get("rpy").map_or_else(zero, Node::vec3)?;
            (link.word()?.to_owned(), from_rpy(xyz, rpy))
        }
    };
    Ok(Side {
        frame,
        pose,
        place: node.place.clone(),
    })
}

fn kind_of(node: &Node) -> Result<Kind, ImportError> {
    Ok(match node.word()? {
        "fixed" => Kind::Fixed,
        "spherical" => Kind::Spherical,
        "floating" => Kind::Floating,
        "universal-xy" => Kind::Universal(0, 1),
        "universal-yz" => Kind::Universal(1, 2),
        "universal-zx" => Kind::Universal(2, 0),
        "universal-yx" => Kind::Universal(1, 0),
        "universal-zy" => Kind::Universal(2, 1),
        "universal-xz" => Kind::Universal(0, 2),
        other => {
            let what = format!("joint type '{other}'");
            let remedy = suggest::remedy(other, &KINDS);
            return Err(node.error(Fault::BadValue, what, &remedy));
        }
    })
}
