//! A `<link>`.

use super::geometry::{self, Form};
use super::pose;
use super::scene::Surroundings;
use super::text::{flag, not_negative, number};
use crate::draft::Filter;
use crate::robot::{Role, Skipped, Tensor, mass_properties};
use crate::xml::Element;
use crate::{Fault, ImportError, Place};
use linkwork::math::{MassProperties, Pose};
use linkwork::model::Material;

const KNOWN: [&str; 5] = ["pose", "inertial", "collision", "visual", "gravity"];

/// A shape of a link.
pub(super) struct LinkShape {
    pub role: Role,
    pub name: String,
    pub pose: Pose,
    pub form: Form,
    pub material: Material,
    pub place: Place,
}

/// A link as the file has it.
pub(super) struct Link {
    pub name: String,
    pub place: Place,
    /// In the world.
    pub pose: Pose,
    pub mass: MassProperties,
    pub shapes: Vec<LinkShape>,
    pub filter: Filter,
    /// Whether gravity acts on it.
    pub heavy: bool,
    /// Whether it is part of the world.
    pub fixed: bool,
}

impl Link {
    /// Read a `<link>` that stands at `pose`.
    pub fn read(
        element: &Element,
        pose: Pose,
        around: &Surroundings,
        skipped: &mut Skipped,
    ) -> Result<Self, ImportError> {
        skipped.children(element, &KNOWN);
        let name = format!("{}{}", around.prefix, element.require("name")?);
        let mut shapes = Vec::new();
        for (kind, role) in [("collision", Role::Collision), ("visual", Role::Visual)] {
            for shape in element.all(kind) {
                if let Some(form) = geometry::read(shape, role, around.fixed, skipped)? {
                    shapes.push(LinkShape {
                        role,
                        name: format!("{name}/{}", shape.get("name").unwrap_or(kind)),
                        pose: pose::in_link(shape)?.compose(&form.offset()),
                        form,
                        material: material(shape, role, skipped)?,
                        place: shape.place.clone(),
                    });
                }
            }
        }
        Ok(Self {
            place: element.place.clone(),
            pose,
            mass: inertial(element, around.fixed, skipped)?,
            shapes,
            filter: around.filter,
            heavy: flag(element, "gravity")?.unwrap_or(true),
            fixed: around.fixed,
            name,
        })
    }
}

/// Mass 1 kg and moments of 1 kg m² are what SDF has for links and inertials that do not say.
fn inertial(
    link: &Element,
    fixed: bool,
    skipped: &mut Skipped,
) -> Result<MassProperties, ImportError> {
    let unit = Tensor {
        xx: 1.0,
        yy: 1.0,
        zz: 1.0,
        xy: 0.0,
        xz: 0.0,
        yz: 0.0,
    };
    let Some(element) = link.child("inertial") else {
        if !fixed {
            let what = "a link without <inertial> has SDF's 1 kg and 1 kg m²";
            skipped.odd(what, "add <inertial>", &link.place);
        }
        return Ok(mass_properties(1.0, &Pose::identity(), &unit));
    };
    if element
        .get("auto")
        .is_some_and(|a| matches!(a, "true" | "1"))
    {
        let what = "<inertial auto=\"true\">";
        let remedy = "write the mass properties that it stands for";
        return Err(element.error(Fault::Unsupported, what, remedy));
    }
    skipped.children(element, &["pose", "mass", "inertia"]);
    let mass = not_negative(element, "mass")?.unwrap_or(1.0);
    let mut tensor = unit;
    if let Some(inertia) = element.child("inertia") {
        for (name, value) in [
            ("ixx", &mut tensor.xx),
            ("iyy", &mut tensor.yy),
            ("izz", &mut tensor.zz),
            ("ixy", &mut tensor.xy),
            ("ixz", &mut tensor.xz),
            ("iyz", &mut tensor.yz),
        ] {
            if let Some(given) = number(inertia, name)? {
                *value = given;
            }
        }
    }
    let frame = pose::in_link(element)?;
    let found = mass_properties(mass, &frame, &tensor);
    Ok(if fixed {
        found
    } else {
        possible(found, element, skipped)
    })
}

/// Gazebo takes inertias that no body can have, and models use them for rotors behind gears. The two
/// smaller principal moments are raised until they sum up to the largest, about which a rotor turns.
fn possible(mut mass: MassProperties, element: &Element, skipped: &mut Skipped) -> MassProperties {
    let eigen = mass.inertia.symmetric_eigen();
    let largest = eigen.eigenvalues.imax();
    let lack = 2.0 * eigen.eigenvalues[largest] - eigen.eigenvalues.sum();
    let positive = eigen.eigenvalues.min() > 0.0;
    if !positive || lack <= 1e-6 * eigen.eigenvalues[largest] {
        return mass;
    }
    for (i, axis) in eigen.eigenvectors.column_iter().enumerate() {
        if i != largest {
            mass.inertia += axis * axis.transpose() * (0.5 * lack);
        }
    }
    // Both triangles of the matrix alike, to the bit.
    mass.inertia = 0.5 * (mass.inertia + mass.inertia.transpose());
    let what = "no body has a principal moment greater than the sum of the others: \
                the smaller ones are raised to satisfy this";
    let remedy = "check the units and that the inertia is about the centre of mass";
    skipped.odd(what, remedy, &element.place);
    mass
}

/// Friction and restitution of a collision; SDF's friction is 1 unless given.
fn material(shape: &Element, role: Role, skipped: &mut Skipped) -> Result<Material, ImportError> {
    let mut material = Material::with_friction(1.0);
    skipped.children(shape, &["pose", "geometry", "surface", "material"]);
    let (Some(surface), Role::Collision) = (shape.child("surface"), role) else {
        return Ok(material);
    };
    skipped.children(surface, &["friction", "bounce"]);
    if let Some(friction) = surface.child("friction") {
        skipped.children(friction, &["ode"]);
        if let Some(ode) = friction.child("ode") {
            skipped.children(ode, &["mu"]);
            material.friction = not_negative(ode, "mu")?.unwrap_or(1.0);
        }
    }
    if let Some(bounce) = surface.child("bounce") {
        skipped.children(bounce, &["restitution_coefficient"]);
        let given = not_negative(bounce, "restitution_coefficient")?;
        material.restitution = given.unwrap_or(0.0).min(1.0);
    }
    Ok(material)
}
