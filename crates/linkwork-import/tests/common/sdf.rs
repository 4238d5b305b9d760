//! Small SDF files.

use super::import;
use linkwork::math::Vec3;
use linkwork_import::{Imported, Options};

/// An inertial.
pub const HEAVY: &str = "<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz>\
    </inertia></inertial>";

/// A heavy link.
pub fn link(name: &str, pose: &str) -> String {
    format!("<link name=\"{name}\"><pose>{pose}</pose>{HEAVY}</link>")
}

/// A joint.
pub fn joint(name: &str, kind: &str, parent: &str, child: &str, inner: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent>{parent}</parent><child>{child}</child>\
         {inner}</joint>"
    )
}

/// A file of one model.
pub fn model(version: &str, inner: &str) -> String {
    format!("<sdf version=\"{version}\"><model name=\"m\">{inner}</model></sdf>")
}

/// Import a text that is in order.
pub fn read(text: &str) -> Imported {
    import("m.sdf", text, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Position and rotated x axis of a link in the home pose.
pub fn home(read: &Imported, name: &str) -> (Vec3, Vec3) {
    let state = read.model.initial_state();
    let pose = read.model.link_named(name).unwrap().frame.pose(&state);
    (pose.position, pose.rotation * Vec3::x())
}
