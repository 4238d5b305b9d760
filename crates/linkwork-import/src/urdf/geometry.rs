//! A `<geometry>`.

use crate::robot::{Skipped, positive};
use crate::suggest;
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::Vec3;
use linkwork::model::Geometry;

const KNOWN: [&str; 5] = ["box", "sphere", "cylinder", "capsule", "mesh"];

/// The form of a shape.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// One of the core's.
    Simple(Geometry),
    /// A mesh, by its path and scale.
    Mesh { uri: String, scale: Vec3 },
}

/// Read a `<geometry>`.
pub(super) fn read(element: &Element, skipped: &mut Skipped) -> Result<Form, ImportError> {
    let Some(form) = element.children.first() else {
        let what = "<geometry> is empty";
        let remedy = format!("put one of {} in it", KNOWN.join(", "));
        return Err(element.error(Fault::Missing, what, remedy));
    };
    if let Some(second) = element.children.get(1) {
        let what = "<geometry> has more than one form";
        let remedy = "give every form a <collision> or <visual> of its own";
        return Err(second.error(Fault::Duplicate, what, remedy));
    }
    let length = |name: &str| positive(form.need_number(name)?, name, &form.place);
    Ok(match form.name.as_str() {
        "box" => {
            form.require("size")?;
            let size = form.vec3("size")?.unwrap_or_default();
            for edge in size.iter() {
                positive(*edge, "size", &form.place)?;
            }
            Form::Simple(Geometry::Box {
                half_extents: size * 0.5,
            })
        }
        "sphere" => Form::Simple(Geometry::Sphere {
            radius: length("radius")?,
        }),
        "cylinder" => Form::Simple(Geometry::Cylinder {
            radius: length("radius")?,
            half_length: 0.5 * length("length")?,
        }),
        "capsule" => Form::Simple(Geometry::Capsule {
            radius: length("radius")?,
            half_length: 0.5 * length("length")?,
        }),
        "mesh" => {
            skipped.attributes(form, &["filename", "scale"]);
            Form::Mesh {
                uri: form.require("filename")?.to_owned(),
                scale: form.vec3("scale")?.unwrap_or_else(|| Vec3::repeat(1.0)),
            }
        }
        other => {
            let what = format!("a shape of the form <{other}>");
            return Err(form.error(Fault::Unsupported, what, suggest::remedy(other, &KNOWN)));
        }
    })
}
