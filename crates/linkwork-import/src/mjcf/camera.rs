//! Cameras: frames with focal lengths. They look along −z, with y upwards.

use super::names::Kind;
use super::scene::{CameraRecord, Scene};
use super::tree::Part;
use crate::ImportError;
use crate::draft::{DraftAim, DraftCamera, LinkId};
use linkwork::math::Pose;
use linkwork::model::{FrameId, Lens};

const MODES: [&str; 5] = ["fixed", "track", "trackcom", "targetbody", "targetbodycom"];
/// Vertical field of view of a camera that gives none, degrees.
const FIELD_OF_VIEW: f64 = 45.0;

/// Adds a camera of a body. `back` is the transform from the file's body frame to the link's.
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
    let target = e.attribute("target").cloned();
    let vertical = 2.0 * (0.5 * size[1] / focal[1]).atan();
    let orthographic = e.choice("projection", &["perspective", "orthographic"])? == Some(1);
    scene.cameras.push(CameraRecord {
        lens: if orthographic {
            // Then the angle is a length.
            Lens::Orthographic {
                height: e.number("fovy")?.unwrap_or(FIELD_OF_VIEW),
            }
        } else {
            Lens::Perspective {
                field_of_view: vertical,
            }
        },
        mode: e.choice("mode", &MODES)?.unwrap_or(0),
        target,
        scope,
        name,
        body,
        pose,
        focal,
        size,
    });
    Ok(())
}

/// The cameras of the model. Their targets may come after them in the file.
pub(super) fn carry(scene: &mut Scene<'_>) -> Result<(), ImportError> {
    for camera in scene.cameras.clone() {
        let aim = match (camera.mode, &camera.target) {
            (1 | 2, _) => DraftAim::Follow,
            (3 | 4, Some(target)) => {
                let body = scene.names.resolve(Kind::Body, target, &camera.scope)?;
                body.checked_sub(1)
                    .map_or(DraftAim::Fixed, |link| DraftAim::LookAt(LinkId(link)))
            }
            _ => DraftAim::Fixed,
        };
        let link = scene.link(camera.body);
        scene.draft.cameras.push(DraftCamera {
            name: camera.name,
            link,
            pose: camera.pose,
            lens: camera.lens,
            aim,
        });
    }
    Ok(())
}

/// The frame of a camera, made when something refers to it.
pub(super) fn frame(scene: &mut Scene<'_>, number: usize) -> FrameId {
    let camera = scene.cameras[number].clone();
    scene.frame(format!("camera:{}", camera.name), camera.body, camera.pose)
}
