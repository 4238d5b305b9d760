//! One body: its frame, mass, joints, shapes and sites.

use super::camera;
use super::geom::{self, Made};
use super::inertia;
use super::joint;
use super::mocap;
use super::names::Kind;
use super::scene::{BodyRecord, GeomRecord, Scene};
use super::site;
use super::tree::Part;
use crate::draft::{Attachment, Link, LinkId};
use crate::{Fault, ImportError};
use linkwork::math::{MassProperties, Mat3, Pose, Twist, Vec3};

/// The shapes and sites of the world.
pub(super) fn world<'a>(scene: &mut Scene<'a>, parts: &[Part<'a>]) -> Result<(), ImportError> {
    let odd = |p: &&Part| ["joint", "freejoint", "inertial"].contains(&p.element.name.as_str());
    if let Some(part) = parts.iter().find(odd) {
        let what = format!("the world cannot have <{}>", part.element.name);
        return Err(part
            .element
            .error(Fault::Mechanism, what, "put it in a body"));
    }
    for part in parts.iter().filter(|p| p.element.name == "geom") {
        let made = geom::read(scene, part, true)?;
        place(scene, part, 0, made, &Pose::identity())?;
    }
    sites(scene, parts, 0, &Pose::identity())?;
    cameras(scene, parts, 0, &Pose::identity())
}

/// A body whose parts are laid out. Returns its number.
pub(super) fn read<'a>(
    scene: &mut Scene<'a>,
    part: &Part<'a>,
    parent: usize,
    parts: &[Part<'a>],
) -> Result<usize, ImportError> {
    let element = part.element;
    let document = part.document(scene);
    let number = scene.bodies.len();
    let scope = scene.scopes[part.at.scope].clone();
    let fallback = format!("body_{number}");
    let name = scene
        .names
        .enter(Kind::Body, element, &scope, number, &fallback)?;
    let above = scene.bodies[parent];
    let local = part.at.pose.compose(&document.compiler.pose(element)?);
    let mut pose = above.pose.compose(&local);

    let joints: Vec<_> = named(parts, &["joint", "freejoint"]).collect();
    let mocap = mocap::is_moved(scene, part, parent, parts)?;
    let fixed = joints.is_empty() && !mocap;
    let still = fixed && above.weld == 0;
    let mut geoms = Vec::new();
    for p in named(parts, &["geom"]) {
        geoms.push((p, geom::read(scene, p, still)?));
    }
    let mass = mass_of(scene, part, parts, &geoms)?;
    let joints = joint::read_all(scene, &joints, &name)?;
    // The body's frame seen from the one that the file describes.
    let shift = match &joints {
        joint::Joints::Free { align, .. }
            if align.unwrap_or(document.compiler.align_free)
                && named(parts, &["body"]).next().is_none() =>
        {
            inertia::principal_frame(&mass)
        }
        _ => Pose::identity(),
    };
    pose = pose.compose(&shift);
    let back = shift.inverse();

    let weld = if fixed { above.weld } else { number };
    scene.bodies.push(BodyRecord { parent, pose, weld });
    scene.draft.links.push(Link {
        name: name.clone(),
        place: element.place.clone(),
        parent: scene.link(parent),
        attachment: Attachment::Fixed,
        pose,
        mass: mass
            .rotated(&back.rotation)
            .with_com(back.transform_point(&mass.com)),
        gravity_scale: 1.0 - element.number("gravcomp")?.unwrap_or(0.0),
        twist: Twist::zero(),
    });
    let link = LinkId(number - 1);
    let attachment = match mocap {
        true => mocap::attach(scene, element, name, link),
        false => joint::attach(scene, joints, link, parent)?,
    };
    scene.draft.links[number - 1].attachment = attachment;
    for (p, made) in geoms {
        place(scene, p, number, made, &back)?;
    }
    sites(scene, parts, number, &back)?;
    cameras(scene, parts, number, &back)?;
    Ok(number)
}

fn named<'p, 'a>(
    parts: &'p [Part<'a>],
    names: &'static [&'static str],
) -> impl Iterator<Item = &'p Part<'a>> {
    parts
        .iter()
        .filter(move |p| names.contains(&p.element.name.as_str()))
}

/// Mass properties in the frame of the file: given, or from the shapes.
fn mass_of<'a>(
    scene: &Scene<'a>,
    part: &Part<'a>,
    parts: &[Part<'a>],
    geoms: &[(&Part<'a>, Made)],
) -> Result<MassProperties, ImportError> {
    let compiler = &part.document(scene).compiler;
    let explicit = named(parts, &["inertial"]).next();
    let mass = match (explicit, compiler.from_shapes) {
        (Some(inertial), None | Some(false)) => inertia::explicit(compiler, inertial)?,
        (_, Some(false)) => MassProperties {
            mass: 0.0,
            com: Vec3::zeros(),
            inertia: Mat3::zeros(),
        },
        _ => inertia::from_shapes(compiler, geoms.iter().map(|(_, made)| made)),
    };
    inertia::bounded(compiler, mass, &part.element.place)
}

/// Adds a geom and its shapes. `back` is the transform from the file's body frame to the link's.
fn place<'a>(
    scene: &mut Scene<'a>,
    part: &Part<'a>,
    body: usize,
    made: Made,
    back: &Pose,
) -> Result<(), ImportError> {
    let number = scene.geoms.len();
    let scope = scene.scopes[part.at.scope].clone();
    let fallback = format!("geom_{number}");
    let name = scene
        .names
        .enter(Kind::Geom, part.element, &scope, number, &fallback)?;
    let first = scene.draft.shapes.len();
    let link = scene.link(body);
    let several = made.shapes.len() > 1;
    for (i, mut shape) in made.shapes.into_iter().enumerate() {
        shape.link = link;
        shape.pose = back.compose(&shape.pose);
        let part = if several {
            format!("{name}#{i}")
        } else {
            name.clone()
        };
        shape.name = Some(part);
        scene.draft.shapes.push(shape);
    }
    scene.geoms.push(GeomRecord {
        body,
        pose: back.compose(&made.pose),
        shapes: (first, scene.draft.shapes.len()),
        round: made.round,
    });
    Ok(())
}

/// So do cameras.
fn cameras<'a>(
    scene: &mut Scene<'a>,
    parts: &[Part<'a>],
    body: usize,
    back: &Pose,
) -> Result<(), ImportError> {
    let mut cameras = named(parts, &["camera"]);
    cameras.try_for_each(|part| camera::read(scene, part, body, back))
}

/// Sites become frames.
fn sites<'a>(
    scene: &mut Scene<'a>,
    parts: &[Part<'a>],
    body: usize,
    back: &Pose,
) -> Result<(), ImportError> {
    for part in named(parts, &["site"]) {
        let e = part.complete(scene)?;
        let compiler = &part.document(scene).compiler;
        let (local, half) = match geom::from_to(&e)? {
            Some((pose, half)) => (pose, Some(half)),
            None => (compiler.pose(&e)?, None),
        };
        let volume = site::volume(&e, half)?;
        let pose = back.compose(&part.at.pose.compose(&local));
        let scope = scene.scopes[part.at.scope].clone();
        let number = scene.draft.frames.len();
        let fallback = format!("site_{number}");
        let name = scene
            .names
            .enter(Kind::Site, part.element, &scope, number, &fallback)?;
        let frame = scene.frame(name, body, pose);
        scene.volumes.extend(volume.map(|v| (frame, v)));
    }
    Ok(())
}
