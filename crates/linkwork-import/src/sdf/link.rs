//! A `<link>`.

use super::geometry::{self, Form};
use super::pose;
use super::scene::Surroundings;
use super::text::{flag, not_negative, number, word};
use crate::draft::Filter;
use crate::robot::{Paint, Role, Skipped, Tensor, mass_properties};
use crate::xml::Element;
use crate::{Fault, ImportError, Place};
use linkwork::math::{MassProperties, Mat3, Pose, Quat, Vec3};
use linkwork::model::{Lens, Material};

const KNOWN: [&str; 6] = [
    "pose",
    "inertial",
    "collision",
    "visual",
    "gravity",
    "sensor",
];

/// A shape of a link.
pub(super) struct LinkShape {
    pub role: Role,
    pub name: String,
    pub pose: Pose,
    pub form: Form,
    pub material: Material,
    pub paint: Paint,
    pub place: Place,
}

/// A camera of a link.
pub(super) struct LinkCamera {
    pub name: String,
    /// It looks along −z, with y upwards.
    pub pose: Pose,
    pub lens: Lens,
}

/// A link as the file has it.
pub(super) struct Link {
    pub name: String,
    pub place: Place,
    /// In the world.
    pub pose: Pose,
    pub mass: MassProperties,
    pub shapes: Vec<LinkShape>,
    pub cameras: Vec<LinkCamera>,
    pub filter: Filter,
    /// Whether gravity acts on it.
    pub heavy: bool,
    /// Whether it is part of the world.
    pub fixed: bool,
}

impl Link {
    /// Reads a `<link>` with the pose `pose`.
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
                        paint: paint(shape, skipped)?,
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
            cameras: cameras(element, &name, skipped)?,
            filter: around.filter,
            heavy: flag(element, "gravity")?.unwrap_or(true),
            fixed: around.fixed,
            name,
        })
    }
}

/// Mass 1 kg and moments of 1 kg m² are the defaults of SDF for links and inertials.
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

/// Gazebo accepts impossible inertias, and models use them for rotors behind gears. The two smaller principal moments
/// are increased until their sum equals the largest, about which a rotor turns.
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

/// Colour and image of a shape. Scripts of Ogre are not read.
fn paint(shape: &Element, skipped: &mut Skipped) -> Result<Paint, ImportError> {
    let Some(material) = shape.child("material") else {
        return Ok(Paint::default());
    };
    skipped.children(
        material,
        &[
            "diffuse", "ambient", "specular", "emissive", "pbr", "lighting",
        ],
    );
    // Files often have one of them only; under white light the two look the same.
    let given = material
        .child("diffuse")
        .or_else(|| material.child("ambient"));
    let rgba = match given.map(Element::text_numbers).transpose()?.as_deref() {
        Some(&[r, g, b]) => Some([r, g, b, 1.0]),
        Some(&[r, g, b, a]) => Some([r, g, b, a]),
        _ => None,
    };
    let surface = material.child("pbr").and_then(|p| p.children.first());
    let image = surface.and_then(|s| word(s, "albedo_map"));
    Ok(Paint {
        colour: rgba.map(|c| c.map(|x| x.clamp(0.0, 1.0))),
        image: image.map(str::to_owned),
    })
}

/// Cameras among the sensors of a link; SDF's look along x, with z upwards.
fn cameras(
    link: &Element,
    owner: &str,
    skipped: &mut Skipped,
) -> Result<Vec<LinkCamera>, ImportError> {
    let turn = Mat3::new(0.0, 0.0, -1.0, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
    let turn = Pose::new(Vec3::zeros(), Quat::from_matrix(&turn));
    let mut cameras = Vec::new();
    for sensor in link.all("sensor") {
        let Some(camera) = sensor.child("camera") else {
            let kind = sensor.get("type").unwrap_or("unknown type");
            skipped.note(format!("<sensor> of type {kind}"), &sensor.place);
            continue;
        };
        let across = not_negative(camera, "horizontal_fov")?.unwrap_or(1.047);
        let size = |name: &str| match camera.child("image") {
            Some(image) => not_negative(image, name),
            None => Ok(None),
        };
        let (width, height) = (
            size("width")?.unwrap_or(320.0),
            size("height")?.unwrap_or(240.0),
        );
        let field_of_view = 2.0 * ((0.5 * across).tan() * height / width).atan();
        if !(field_of_view > 0.0 && across < std::f64::consts::PI) {
            skipped.note(
                "<camera> with a field of view that is not below 180°",
                &camera.place,
            );
            continue;
        }
        let local = pose::in_link(camera)?;
        cameras.push(LinkCamera {
            name: format!("{owner}/{}", sensor.get("name").unwrap_or("camera")),
            pose: pose::in_link(sensor)?.compose(&local).compose(&turn),
            lens: Lens::Perspective { field_of_view },
        });
    }
    Ok(cameras)
}
