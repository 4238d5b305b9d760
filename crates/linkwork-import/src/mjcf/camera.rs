//! Cameras: frames with focal lengths. They look along −z, with y upwards.

use super::names::Kind;
use super::scene::{CameraRecord, Scene};
use super::tree::Part;
use crate::ImportError;
use linkwork::math::Pose;
use linkwork::model::FrameId;

/// Vertical field of view of a camera that gives none, degrees.
const FIELD_OF_VIEW: f64 = 45.0;

/// Enter a camera of a body. `back` leads from the file's body frame to the link's.
pub(super) fn read<'a>(
    scene: &mut Scene<'a>,
    part: &Part<'a>,
    body: usize,
    back: &Pose,
) -> Result<(), ImportError> {
    let e = part.complete(scene)?;
    let compiler = &part.document(scene).compiler;
    let pose = back.compose(&part.at.pose.compose(&compiler.pose(&e)?));
    let scope = scene.scopes[part.at.scope].clone();
    let number = scene.cameras.len();
    let fallback = format!("camera_{number}");
    let name = scene
        .names
        .enter(Kind::Camera, part.element, &scope, number, &fallback)?;
    let size = e.fixed::<2>("resolution")?.unwrap_or([1.0, 1.0]);
    let half = 0.5 * e.number("fovy")?.unwrap_or(FIELD_OF_VIEW).to_radians();
    let by_angle = 0.5 * size[1] / half.tan();
    let sensor = e
        .fixed::<2>("sensorsize")?
        .filter(|s| s[0] > 0.0 && s[1] > 0.0);
    let pixels = e.fixed::<2>("focalpixel")?;
    let lengths = e.fixed::<2>("focal")?;
    let focal = match (sensor, pixels, lengths) {
        (Some(_), Some(pixels), _) => pixels,
        (Some(sensor), None, Some(f)) => [f[0] / sensor[0] * size[0], f[1] / sensor[1] * size[1]],
        _ => [by_angle; 2],
    };
    scene.cameras.push(CameraRecord {
        name,
        body,
        pose,
        focal,
        size,
    });
    Ok(())
}

/// The frame of a camera, made when something refers to it.
pub(super) fn frame(scene: &mut Scene<'_>, number: usize) -> FrameId {
    let camera = scene.cameras[number].clone();
    scene.frame(format!("camera:{}", camera.name), camera.body, camera.pose)
}
