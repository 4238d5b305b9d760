//! Small URDF files.

use super::import;
use linkwork_import::{Imported, Options};

/// An inertial.
pub const HEAVY: &str = r#"<inertial><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>"#;

/// A range of 3 with an effort of 7.
pub const LIMIT: &str = r#"<limit lower="-1" upper="2" effort="7" velocity="3"/>"#;

/// A file.
pub fn robot(inner: &str) -> String {
    format!("<robot name=\"r\">{inner}</robot>")
}

/// A heavy link.
pub fn link(name: &str) -> String {
    format!("<link name=\"{name}\">{HEAVY}</link>")
}

/// A joint.
pub fn joint(name: &str, kind: &str, parent: &str, child: &str, inner: &str) -> String {
    format!(
        r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
        {inner}</joint>"#
    )
}

/// Import a text that is in order.
pub fn read(text: &str) -> Imported {
    import("r.urdf", text, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}
