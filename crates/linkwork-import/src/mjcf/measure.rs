//! Sensors of limits, energies, volumes, cameras and distances.

use super::camera;
use super::names::{Kind, Scope};
use super::scene::{JointKind, Scene};
use super::sensor::{named, object, site};
use crate::ImportError;
use crate::draft::Attachment;
use crate::xml::Element;
use linkwork::model::{ShapeId, TendonId};
use linkwork::sensors::{LimitOf, Nearest, Reading};

/// Values of such a sensor; `None` for others, and for unsupported ones.
pub(super) fn reading(
    scene: &mut Scene<'_>,
    e: &Element,
    scope: &Scope,
) -> Result<Option<Reading>, ImportError> {
    Ok(match e.name.as_str() {
        "e_potential" => Some(Reading::PotentialEnergy {
            fixed: energy_of_the_world(scene),
        }),
        "e_kinetic" => Some(Reading::KineticEnergy),
        "jointlimitpos" | "jointlimitvel" | "jointlimitfrc" => {
            let number = named(scene, e, scope, "joint", Kind::Joint)?;
            let limit = match scene.joints[number].kind {
                JointKind::Scalar(joint, coordinate) => LimitOf::Coordinate { joint, coordinate },
                JointKind::Ball(joint, _) => LimitOf::Turn { joint },
                JointKind::Free(_) => return Ok(None),
            };
            Some(of_limit(&e.name, limit))
        }
        "tendonlimitpos" | "tendonlimitvel" | "tendonlimitfrc" => {
            let number = named(scene, e, scope, "tendon", Kind::Tendon)?;
            scene.tendons[number].map(|(tendon, _)| {
                let tendon = TendonId(tendon as u32);
                of_limit(&e.name, LimitOf::Tendon { tendon })
            })
        }
        "insidesite" => {
            let frame = site(scene, e, scope)?;
            let object = object(scene, e, scope, ["objtype", "objname"])?;
            let volume = scene.volumes.get(&frame).cloned();
            volume.zip(object).map(|(volume, object)| Reading::Inside {
                frame,
                volume,
                object,
            })
        }
        "camprojection" => {
            let frame = site(scene, e, scope)?;
            let number = named(scene, e, scope, "camera", Kind::Camera)?;
            let [focal, size] = [scene.cameras[number].focal, scene.cameras[number].size];
            Some(Reading::Projection {
                frame,
                camera: camera::frame(scene, number),
                focal,
                size,
            })
        }
        "distance" | "normal" | "fromto" => {
            let from = shapes(scene, e, scope, ["geom1", "body1"])?;
            let to = shapes(scene, e, scope, ["geom2", "body2"])?;
            Some(Reading::Nearest {
                from,
                to,
                within: e.number("cutoff")?.unwrap_or(0.0),
                value: match e.name.as_str() {
                    "distance" => Nearest::Distance,
                    "normal" => Nearest::Direction,
                    _ => Nearest::Points,
                },
            })
        }
        _ => None,
    })
}

fn of_limit(kind: &str, limit: LimitOf) -> Reading {
    if kind.ends_with("pos") {
        Reading::LimitGap { limit }
    } else if kind.ends_with("vel") {
        Reading::LimitRate { limit }
    } else {
        Reading::LimitForce { limit }
    }
}

/// The shapes of a geom, or of all geoms of a body.
fn shapes(
    scene: &Scene<'_>,
    e: &Element,
    scope: &Scope,
    [geom, body]: [&str; 2],
) -> Result<Vec<ShapeId>, ImportError> {
    let range = |(first, end): (usize, usize)| (first..end).map(|s| ShapeId(s as u32));
    if e.get(geom).is_some() {
        let number = named(scene, e, scope, geom, Kind::Geom)?;
        return Ok(range(scene.geoms[number].shapes).collect());
    }
    let number = named(scene, e, scope, body, Kind::Body)?;
    let own = scene.geoms.iter().filter(|g| g.body == number);
    Ok(own.flat_map(|g| range(g.shapes)).collect())
}

/// Potential energy of parts of the world in gravity, J, which MuJoCo includes.
fn energy_of_the_world(scene: &Scene<'_>) -> f64 {
    let links = scene.draft.links.iter().enumerate();
    let still = links
        .filter(|(i, link)| scene.bodies[i + 1].weld == 0 && link.attachment == Attachment::Fixed);
    let energy = still.map(|(_, link)| {
        let centre = link.pose.transform_point(&link.mass.com);
        -link.mass.mass * scene.draft.gravity.dot(&centre)
    });
    energy.sum()
}
