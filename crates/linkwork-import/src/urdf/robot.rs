//! A `<robot>` as plain data.

use super::joint::Joint;
use super::link::{Link, read_paint};
use crate::robot::Paint;
use crate::robot::Skipped;
use crate::suggest;
use crate::xml::Element;
use crate::{Fault, ImportError, Place};
use std::collections::BTreeMap;

/// Elements of `<robot>` that are known.
const KNOWN: [&str; 3] = ["link", "joint", "material"];

/// A robot: links and joints that name each other.
#[derive(Clone, Debug)]
pub(super) struct Robot {
    pub name: String,
    pub place: Place,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    link_index: BTreeMap<String, usize>,
    joint_index: BTreeMap<String, usize>,
}

impl Robot {
    /// Read the root element.
    pub fn read(root: &Element, skipped: &mut Skipped) -> Result<Self, ImportError> {
        if root.name != "robot" {
            let what = format!("the root element is <{}>", root.name);
            let remedy = match root.name.as_str() {
                "mujoco" | "mujocoinclude" => "this is MJCF: name the file *.xml",
                "sdf" => "this is SDF: name the file *.sdf",
                _ => "a URDF file begins with <robot name=\"…\">",
            };
            return Err(root.error(Fault::UnknownElement, what, remedy));
        }
        skipped.children(root, &KNOWN);
        let links = root.all("link").map(|e| Link::read(e, skipped));
        let mut links = links.collect::<Result<Vec<_>, _>>()?;
        paint(root, &mut links)?;
        let joints = root.all("joint").map(|e| Joint::read(e, skipped));
        let joints = joints.collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            name: root.get("name").unwrap_or("robot").to_owned(),
            place: root.place.clone(),
            link_index: index("link", links.iter().map(|l| (&l.name, &l.place)))?,
            joint_index: index("joint", joints.iter().map(|j| (&j.name, &j.place)))?,
            links,
            joints,
        })
    }

    /// Position of a link in the file.
    pub fn link(&self, name: &str) -> Option<usize> {
        self.link_index.get(name).copied()
    }

    /// Position of a joint in the file.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joint_index.get(name).copied()
    }

    /// What to write instead of a link's name that does not exist.
    pub fn suggest_link(&self, name: &str) -> String {
        let names: Vec<&str> = self.links.iter().map(|l| l.name.as_str()).collect();
        near(name, &names, "link")
    }

    /// What to write instead of a joint's name that does not exist.
    pub fn suggest_joint(&self, name: &str) -> String {
        let names: Vec<&str> = self.joints.iter().map(|j| j.name.as_str()).collect();
        near(name, &names, "joint")
    }
}

/// Shapes that name a material without an appearance use that of the robot's material, or of another shape.
fn paint(root: &Element, links: &mut [Link]) -> Result<(), ImportError> {
    let plain = Paint::default();
    let mut paints = BTreeMap::new();
    for material in root.all("material") {
        let paint = read_paint(material)?;
        if let Some(name) = material.get("name").filter(|_| paint != plain) {
            paints.insert(name.to_owned(), paint);
        }
    }
    let shapes = links.iter().flat_map(|l| &l.shapes);
    for shape in shapes.filter(|s| s.paint != plain) {
        if let Some(name) = &shape.material {
            paints.entry(name.clone()).or_insert(shape.paint.clone());
        }
    }
    for shape in links.iter_mut().flat_map(|l| &mut l.shapes) {
        let named = shape.material.as_ref().and_then(|name| paints.get(name));
        if let Some(paint) = named.filter(|_| shape.paint == plain) {
            shape.paint = paint.clone();
        }
    }
    Ok(())
}

fn near(name: &str, names: &[&str], kind: &str) -> String {
    match suggest::nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("name a {kind} of the file"),
    }
}

/// Positions by name; a name that occurs twice is refused.
fn index<'a>(
    kind: &str,
    named: impl Iterator<Item = (&'a String, &'a Place)>,
) -> Result<BTreeMap<String, usize>, ImportError> {
    let mut all = BTreeMap::new();
    for (i, (name, place)) in named.enumerate() {
        if all.insert(name.clone(), i).is_some() {
            let what = format!("{kind} '{name}' exists already");
            let remedy = format!("give every {kind} a unique name");
            return Err(ImportError::new(place, Fault::Duplicate, what, remedy));
        }
    }
    Ok(all)
}
