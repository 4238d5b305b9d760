//! What an actuator pulls on.

use super::super::joint_space::{Arms, tendon_arms};
use super::super::names::{Kind, Scope};
use super::super::scene::{JointKind, Scene};
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::actuators::Transmission;
use linkwork::model::{FrameId, ShapeId, TendonId};

/// A transmission with derived data.
#[derive(Clone, Debug)]
pub(super) struct Pull {
    pub transmission: Transmission,
    /// Range of the joint or tendon.
    pub range: Option<[f64; 2]>,
    /// How the length moves.
    pub arms: Arms,
}

/// The transmission, or why there is none.
pub(super) fn of(
    scene: &mut Scene<'_>,
    e: &Element,
    scope: &Scope,
) -> Result<Result<Pull, String>, ImportError> {
    let gear = e.up_to("gear", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
    if let Some(a) = e
        .attribute("joint")
        .or_else(|| e.attribute("jointinparent"))
    {
        let number = scene.names.resolve(Kind::Joint, a, scope)?;
        return Ok(joint(scene, number, gear));
    }
    if let Some(a) = e.attribute("tendon") {
        let number = scene.names.resolve(Kind::Tendon, a, scope)?;
        let Some((tendon, _)) = scene.tendons[number] else {
            return Ok(Err("its tendon is left out".to_owned()));
        };
        let made = &scene.draft.tendons[tendon];
        let mut arms = tendon_arms(scene, made);
        arms.iter_mut().for_each(|arm| arm.2 *= gear[0]);
        return Ok(Ok(Pull {
            range: made.axis.limits.map(|l| [l.min, l.max]),
            arms,
            transmission: Transmission::Tendon {
                tendon: TendonId(tendon as u32),
                gear: gear[0],
            },
        }));
    }
    if let Some(a) = e.attribute("site") {
        if e.get("refsite").is_some() {
            return Ok(Err("it acts between two sites (refsite)".to_owned()));
        }
        let frame = scene.names.resolve(Kind::Site, a, scope)?;
        return Ok(Ok(Pull {
            transmission: Transmission::Frame {
                frame: FrameId(frame as u32),
                gear,
            },
            range: None,
            arms: Vec::new(),
        }));
    }
    if e.get("cranksite").is_some() {
        return Ok(Err("slider-crank transmissions are not modelled".to_owned()));
    }
    if let Some(a) = e.attribute("body") {
        let body = scene.names.resolve(Kind::Body, a, scope)?;
        let geoms = scene.geoms.iter().filter(|g| g.body == body);
        let shapes = geoms.flat_map(|g| g.shapes.0..g.shapes.1);
        let shapes: Vec<ShapeId> = shapes.map(|s| ShapeId(s as u32)).collect();
        if shapes.is_empty() {
            return Ok(Err("its body has no geoms that touch".to_owned()));
        }
        return Ok(Ok(Pull {
            transmission: Transmission::Adhesion { shapes },
            range: None,
            arms: Vec::new(),
        }));
    }
    let remedy = "name a joint, tendon, site or body";
    Err(e.error(Fault::Missing, "the actuator acts on nothing", remedy))
}

fn joint(scene: &mut Scene<'_>, number: usize, gear: [f64; 6]) -> Result<Pull, String> {
    let record = &scene.joints[number];
    let range = record.range;
    let mut arm = (number, 0, gear[0]);
    let on = |joint, coordinate, gear| Transmission::Coordinate {
        joint,
        coordinate,
        gear,
    };
    let transmission = match record.kind {
        JointKind::Scalar(id, c) => on(id, c, gear[0]),
        JointKind::Ball(id, c) => {
            let acting: Vec<usize> = (0..3).filter(|i| gear[*i] != 0.0).collect();
            let [axis] = acting[..] else {
                return Err("it turns a ball joint about a skew axis".to_owned());
            };
            arm = (number, axis, gear[axis]);
            on(id, c + axis, gear[axis])
        }
        JointKind::Free(link) => {
            if gear[..3].iter().any(|g| *g != 0.0) {
                return Err("it pushes a free joint along the world's axes".to_owned());
            }
            let name = format!("body:{}", scene.draft.links[link.0].name);
            let frame = scene.frame(name, link.0 + 1, Default::default());
            Transmission::Frame { frame, gear }
        }
    };
    Ok(Pull {
        transmission,
        range,
        arms: vec![arm],
    })
}

impl Pull {
    /// Armature and damping of the actuator itself, as seen through the gear.
    pub fn add_passive(&self, scene: &mut Scene<'_>, e: &Element) -> Result<(), ImportError> {
        let (axis, gear) = match self.transmission {
            Transmission::Coordinate {
                joint,
                coordinate,
                gear,
            } => (
                &mut scene.draft.joints[joint.index()].axes[coordinate],
                gear,
            ),
            Transmission::Tendon { tendon, gear } => {
                (&mut scene.draft.tendons[tendon.index()].axis, gear)
            }
            Transmission::Frame { .. } | Transmission::Adhesion { .. } => return Ok(()),
        };
        let first = |name: &str| -> Result<f64, ImportError> {
            let values = e.numbers(name)?.unwrap_or_default();
            Ok(values.first().copied().unwrap_or(0.0))
        };
        axis.armature += gear * gear * first("armature")?;
        axis.spring.damping += gear * gear * first("damping")?;
        Ok(())
    }

    /// Whether a transmission is on a joint's coordinate.
    pub fn is_on(transmission: &Transmission, kind: JointKind) -> bool {
        match (transmission, kind) {
            (
                Transmission::Coordinate {
                    joint, coordinate, ..
                },
                JointKind::Scalar(id, c),
            ) => (*joint, *coordinate) == (id, c),
            _ => false,
        }
    }
}
