//! A `<geometry>`.

use super::text::{need_word, number, vec3};
use crate::robot::{Role, Skipped, about, positive, unit};
use crate::suggest;
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::{Pose, Vec3};
use linkwork::model::Geometry;

const KNOWN: [&str; 8] = [
    "box",
    "sphere",
    "cylinder",
    "capsule",
    "ellipsoid",
    "cone",
    "plane",
    "mesh",
];

/// The form of a shape.
pub(super) enum Form {
    /// One of the core's.
    Simple(Geometry),
    /// The half space below a plane with this unit normal.
    Plane(Vec3),
    /// A mesh, by its path and scale.
    Mesh { uri: String, scale: Vec3 },
}

impl Form {
    /// Pose of its own frame in the frame of the file.
    pub fn offset(&self) -> Pose {
        match self {
            Self::Plane(normal) => about(&Pose::identity(), normal),
            _ => Pose::identity(),
        }
    }
}

/// Reads the geometry of a `<collision>` or `<visual>`; `None` if it is empty, or visual and not supported.
pub(super) fn read(
    shape: &Element,
    role: Role,
    fixed: bool,
    skipped: &mut Skipped,
) -> Result<Option<Form>, ImportError> {
    let Some(geometry) = shape.child("geometry") else {
        let what = format!("<{}> has no <geometry>", shape.name);
        return Err(shape.error(Fault::Missing, what, "add <geometry>…</geometry>"));
    };
    let Some(form) = geometry.children.first() else {
        let remedy = "add a form such as <box>, or <empty/> if there is none";
        return Err(geometry.error(Fault::Missing, "<geometry> without a form", remedy));
    };
    let length = |name: &str| {
        let given = number(form, name)?.unwrap_or(1.0);
        positive(given, name, &form.place)
    };
    let lengths = |name: &str| {
        let given = vec3(form, name)?.unwrap_or(Vec3::repeat(1.0));
        for x in given.iter() {
            positive(*x, name, &form.place)?;
        }
        Ok::<_, ImportError>(given)
    };
    let simple = match form.name.as_str() {
        "empty" => return Ok(None),
        "box" => Geometry::Box {
            half_extents: lengths("size")? * 0.5,
        },
        "sphere" => Geometry::Sphere {
            radius: length("radius")?,
        },
        "cylinder" => Geometry::Cylinder {
            radius: length("radius")?,
            half_length: 0.5 * length("length")?,
        },
        "capsule" => Geometry::Capsule {
            radius: length("radius")?,
            half_length: 0.5 * length("length")?,
        },
        "cone" => Geometry::Cone {
            radius: length("radius")?,
            half_length: 0.5 * length("length")?,
        },
        "ellipsoid" => Geometry::Ellipsoid {
            radii: lengths("radii")?,
        },
        "mesh" => {
            skipped.children(form, &["uri", "scale"]);
            return Ok(Some(Form::Mesh {
                uri: need_word(form, "uri")?.to_owned(),
                scale: vec3(form, "scale")?.unwrap_or(Vec3::repeat(1.0)),
            }));
        }
        "plane" if role == Role::Collision => return plane(form, fixed),
        other if role == Role::Visual => {
            let what = format!("a <visual> of the form <{other}> is not shown");
            skipped.note(what, &form.place);
            return Ok(None);
        }
        other => {
            let what = format!("a shape of the form <{other}>");
            let remedy = suggest::remedy(other, &KNOWN);
            return Err(form.error(Fault::Unsupported, what, remedy));
        }
    };
    Ok(Some(Form::Simple(simple)))
}

/// A plane in collisions is infinite, so it must be static.
fn plane(form: &Element, fixed: bool) -> Result<Option<Form>, ImportError> {
    if !fixed {
        let what = "a plane on a link that may move";
        let remedy = "set <static>true</static> in its model, or use a box";
        return Err(form.error(Fault::Unsupported, what, remedy));
    }
    let normal = vec3(form, "normal")?.unwrap_or(Vec3::z());
    Ok(Some(Form::Plane(unit(normal, &form.place)?)))
}
