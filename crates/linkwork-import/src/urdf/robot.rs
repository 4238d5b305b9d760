//! A `<robot>` as plain data.

use super::joint::Joint;
use super::link::{Link, read_colour};
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

/// Shapes that name a material without a colour take that of the robot's, or of another shape.
fn paint(root: &Element, links: &mut [Link]) -> Result<(), ImportError> {
    let mut colours = BTreeMap::new();
    for material in root.all("material") {
        let colour = read_colour(material)?;
        colours.extend(material.get("name").map(str::to_owned).zip(colour));
    }
    let shapes = links.iter().flat_map(|l| &l.shapes);
    let inline = shapes.filter_map(|s| s.material.clone().zip(s.colour));
    for (name, colour) in inline.collect::<Vec<_>>() {
        colours.entry(name).or_insert(colour);
    }
    for shape in links.iter_mut().flat_map(|l| &mut l.shapes) {
        if let (None, Some(name)) = (shape.colour, &shape.material) {
            shape.colour = colours.get(name).copied();
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
            let remedy = format!("give every {kind} a name of its own");
            return Err(ImportError::new(place, Fault::Duplicate, what, remedy));
        }
    }
    Ok(all)
}
