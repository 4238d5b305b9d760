//! A `<link>`.

use super::geometry::{Form, read as read_geometry};
use crate::robot::{Paint, Role, Skipped, Tensor, from_rpy, mass_properties};
use crate::xml::Element;
use crate::{Fault, ImportError, Place};
use linkwork::math::{MassProperties, Mat3, Pose, Vec3};

/// Mass properties of a link without inertial.
const NOTHING: MassProperties = MassProperties {
    mass: 0.0,
    com: Vec3::new(0.0, 0.0, 0.0),
    inertia: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
};

/// A shape of a link.
#[derive(Clone, Debug)]
pub(super) struct LinkShape {
    pub role: Role,
    pub name: Option<String>,
    pub origin: Pose,
    pub form: Form,
    /// Name of its material.
    pub material: Option<String>,
    pub paint: Paint,
    pub place: Place,
}

/// The colour and image of a `<material>`.
pub(super) fn read_paint(material: &Element) -> Result<Paint, ImportError> {
    // A number of values other than four is not a colour, but no reason to refuse a robot.
    let rgba = match material.child("color") {
        Some(colour) => colour.numbers("rgba")?.unwrap_or_default(),
        None => Vec::new(),
    };
    let rgba: Option<[f64; 4]> = rgba.try_into().ok();
    let image = material.child("texture").and_then(|t| t.get("filename"));
    Ok(Paint {
        colour: rgba.map(|c| c.map(|x| x.clamp(0.0, 1.0))),
        image: image.filter(|f| !f.is_empty()).map(str::to_owned),
    })
}

/// A link as the file has it.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub name: String,
    pub place: Place,
    pub mass: MassProperties,
    pub shapes: Vec<LinkShape>,
}

impl Link {
    /// Read a `<link>`.
    pub fn read(element: &Element, skipped: &mut Skipped) -> Result<Self, ImportError> {
        skipped.attributes(element, &["name", "type"]);
        skipped.children(element, &["inertial", "visual", "collision"]);
        let mut inertials = element.all("inertial");
        let first = inertials.next();
        if let Some(second) = inertials.next() {
            let what = "the link has a second <inertial>";
            let remedy = "keep one, about the centre of mass of the whole link";
            return Err(second.error(Fault::Duplicate, what, remedy));
        }
        let mass = match first {
            Some(inertial) => read_inertial(inertial, skipped)?,
            None => NOTHING,
        };
        let mut shapes = Vec::new();
        for (name, role) in [("collision", Role::Collision), ("visual", Role::Visual)] {
            for shape in element.all(name) {
                shapes.push(read_shape(shape, role, skipped)?);
            }
        }
        Ok(Self {
            name: element.require("name")?.to_owned(),
            place: element.place.clone(),
            mass,
            shapes,
        })
    }
}

/// The pose that `<origin>` gives; the parent's frame without one.
pub(super) fn read_origin(parent: &Element, skipped: &mut Skipped) -> Result<Pose, ImportError> {
    let Some(origin) = parent.child("origin") else {
        return Ok(Pose::identity());
    };
    skipped.attributes(origin, &["xyz", "rpy"]);
    let xyz = origin.vec3("xyz")?.unwrap_or_else(Vec3::zeros);
    let rpy = origin.vec3("rpy")?.unwrap_or_else(Vec3::zeros);
    Ok(from_rpy(xyz, rpy))
}

fn read_inertial(element: &Element, skipped: &mut Skipped) -> Result<MassProperties, ImportError> {
    skipped.children(element, &["origin", "mass", "inertia"]);
    let mass = need_child(element, "mass", "<mass value=\"…\"/>, kg")?;
    mass.require("value")?;
    let m = mass.not_negative("value")?.unwrap_or_default();
    let frame = read_origin(element, skipped)?;
    let inertia = need_child(element, "inertia", "<inertia ixx=\"…\" …/>, kg m²")?;
    let tensor = Tensor {
        xx: inertia.need_number("ixx")?,
        yy: inertia.need_number("iyy")?,
        zz: inertia.need_number("izz")?,
        xy: inertia.need_number("ixy")?,
        xz: inertia.need_number("ixz")?,
        yz: inertia.need_number("iyz")?,
    };
    if m == 0.0 {
        if tensor.xx != 0.0 || tensor.yy != 0.0 || tensor.zz != 0.0 {
            skipped.note("an inertia without mass has no effect", &inertia.place);
        }
        return Ok(NOTHING);
    }
    Ok(mass_properties(m, &frame, &tensor))
}

/// A child that must be there.
pub(super) fn need_child<'a>(
    element: &'a Element,
    name: &str,
    write: &str,
) -> Result<&'a Element, ImportError> {
    element.child(name).ok_or_else(|| {
        let what = format!("<{}> has no <{name}>", element.name);
        element.error(Fault::Missing, what, format!("add {write}"))
    })
}

fn read_shape(
    element: &Element,
    role: Role,
    skipped: &mut Skipped,
) -> Result<LinkShape, ImportError> {
    skipped.children(element, &["origin", "geometry", "material"]);
    let geometry = need_child(element, "geometry", "<geometry>…</geometry>")?;
    let material = element.child("material");
    let paint = material.map_or(Ok(Paint::default()), read_paint)?;
    Ok(LinkShape {
        material: material.and_then(|m| m.get("name")).map(str::to_owned),
        paint,
        role,
        name: element.get("name").map(str::to_owned),
        origin: read_origin(element, skipped)?,
        form: read_geometry(geometry, skipped)?,
        place: element.place.clone(),
    })
}
