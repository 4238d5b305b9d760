//! Geoms: form, place, surface and mass.

use super::hfield;
use super::mesh;
use super::scene::Scene;
use super::solid;
use super::surface;
use super::texture;
use super::tree::Part;
use crate::draft::{DraftShape, Filter};
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::{MassProperties, Mat3, Pose, Vec3};
use linkwork::model::{Geometry, WrapForm};

const TYPES: [&str; 9] = [
    "sphere",
    "capsule",
    "ellipsoid",
    "cylinder",
    "box",
    "plane",
    "mesh",
    "hfield",
    "sdf",
];

/// A geom before it is entered.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// Its group.
    pub group: i64,
    /// In the body's frame.
    pub mass: MassProperties,
    /// Its frame in the body's.
    pub pose: Pose,
    /// Shapes in the body's frame; the body is not yet entered.
    pub shapes: Vec<DraftShape>,
    /// What a tendon can wrap around, and its radius, m.
    pub round: Option<(WrapForm, f64)>,
}

/// Read a geom. `still`: its body is part of the world.
pub(super) fn read<'a>(
    scene: &mut Scene<'a>,
    part: &Part<'a>,
    still: bool,
) -> Result<Made, ImportError> {
    let e = &part.complete(scene)?;
    let compiler = &part.document(scene).compiler;
    let kind = TYPES[e.choice("type", &TYPES)?.unwrap_or(0)];
    let (local, length) = match from_to(e)? {
        Some((pose, half)) => (pose, Some(half)),
        None => (compiler.pose(e)?, None),
    };
    let at = part.at.pose.compose(&local);
    let filter = surface::filter(scene, e)?;
    let paired = &part.document(scene).paired;
    let seen_only = filter == Filter::VISUAL && !e.get("name").is_some_and(|n| paired.contains(n));
    let mut made = Made {
        group: e.integer("group")?.unwrap_or(0),
        mass: nothing(),
        pose: at,
        shapes: Vec::new(),
        round: None,
    };
    let mut coordinates = None;
    let forms: Vec<(Pose, Geometry)> = match kind {
        "plane" if still => vec![(at, Geometry::HalfSpace)],
        "plane" => {
            let what = "a plane on a moving body";
            return Err(e.error(Fault::Unsupported, what, "use a flat box"));
        }
        "hfield" if still => {
            let asset = hfield::asset(scene, part, e)?;
            vec![(at, asset.geometry.clone())]
        }
        "hfield" => {
            let what = "a height field on a moving body";
            return Err(e.error(Fault::Unsupported, what, "use a mesh"));
        }
        "sdf" => {
            let what = "signed distance fields are made by plugins, which are not run";
            return Err(e.error(Fault::Unsupported, what, "use type=\"mesh\""));
        }
        "mesh" => {
            let asset = mesh::asset(scene, part, e)?;
            coordinates = asset.coordinates();
            made.mass = weigh(e, &asset.mass(e, &mut scene.draft.notices)?, &at)?;
            let forms = asset.forms(scene, e, still, seen_only)?;
            forms.into_iter().map(|g| (at, g)).collect()
        }
        _ => {
            let (form, offset) = match e.get("mesh") {
                Some(_) => mesh::fitted(scene, part, e, kind)?,
                None => (solid::read(e, kind, length)?, Pose::identity()),
            };
            made.pose = at.compose(&offset);
            let unit = match e.flag("shellinertia")? {
                Some(true) => solid::shell(&form),
                _ => form.mass_properties(1.0),
            };
            made.mass = weigh(e, &unit.unwrap_or_else(nothing), &made.pose)?;
            made.round = match form {
                Geometry::Sphere { radius } => Some((WrapForm::Sphere, radius)),
                Geometry::Cylinder { radius, .. } => Some((WrapForm::Cylinder, radius)),
                _ => None,
            };
            vec![(made.pose, form)]
        }
    };
    let dropped = seen_only && (compiler.discard_visual || !scene.options.visuals);
    if !dropped {
        let material = surface::material(scene, e)?;
        let seen = texture::material(scene, part, e)?;
        let colour = colour(e, seen.as_ref())?;
        for (pose, geometry) in forms {
            let exact = matches!(geometry, Geometry::TriangleMesh { .. });
            let corners = coordinates.as_ref().filter(|_| exact);
            let texture = match &seen {
                Some(m) => texture::on_form(scene, part, e, m, &geometry, corners)?,
                None => None,
            };
            made.shapes.push(DraftShape {
                name: None,
                place: e.place.clone(),
                link: None,
                pose,
                geometry,
                material,
                filter,
                colour,
                texture,
            });
        }
    }
    Ok(made)
}

/// Its own colour, or that of its material.
fn colour(e: &Element, material: Option<&Element>) -> Result<Option<[f64; 4]>, ImportError> {
    let own = rgba(e)?;
    let shared = material.map_or(Ok(None), rgba)?;
    let cut = |c: [f64; 4]| c.map(|x| x.clamp(0.0, 1.0));
    Ok(own.or(shared).map(cut))
}

/// An empty attribute counts as none, as in MuJoCo (`trossen_wxai`).
fn rgba(e: &Element) -> Result<Option<[f64; 4]>, ImportError> {
    match e.get("rgba") {
        Some(text) if text.trim().is_empty() => Ok(None),
        _ => e.fixed::<4>("rgba"),
    }
}

fn nothing() -> MassProperties {
    MassProperties {
        mass: 0.0,
        com: Vec3::zeros(),
        inertia: Mat3::zeros(),
    }
}

/// Mass of a form whose properties at density 1 are `unit`, placed at `pose`.
fn weigh(e: &Element, unit: &MassProperties, pose: &Pose) -> Result<MassProperties, ImportError> {
    let density = e.not_negative("density")?.unwrap_or(solid::DENSITY);
    let factor = match e.not_negative("mass")? {
        Some(mass) if unit.mass > 0.0 => mass / unit.mass,
        Some(_) => 0.0,
        None => density,
    };
    let made = MassProperties {
        mass: unit.mass * factor,
        com: pose.transform_point(&unit.com),
        inertia: unit.inertia * factor,
    };
    Ok(made.rotated(&pose.rotation))
}

/// `fromto`: the pose halfway with z from the second point to the first, as in MuJoCo, and half the
/// distance.
pub(super) fn from_to(e: &Element) -> Result<Option<(Pose, f64)>, ImportError> {
    let Some(a) = e.attribute("fromto") else {
        return Ok(None);
    };
    let [x, y, z, u, v, w] = e.fixed::<6>("fromto")?.unwrap_or_default();
    let (from, to) = (Vec3::new(x, y, z), Vec3::new(u, v, w));
    let along = super::orientation::direction(from - to, a)?;
    let turn = super::orientation::upright(&along);
    let middle = (from + to) / 2.0;
    Ok(Some((Pose::new(middle, turn), (from - to).norm() / 2.0)))
}
