//! What an actuator pulls on.

use super::super::home::{Arms, tendon_arms};
use super::super::names::{Kind, Scope};
use super::super::scene::{JointKind, Scene};
use crate::draft::DraftTransmission;
use crate::xml::Element;
use crate::{Fault, ImportError};

/// A transmission with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Pull {
    pub transmission: DraftTransmission,
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
            return Ok(Err("it pulls on a tendon that is left out".to_owned()));
        };
        let made = &scene.draft.tendons[tendon];
        let mut arms = tendon_arms(scene, made);
        arms.iter_mut().for_each(|arm| arm.2 *= gear[0]);
        return Ok(Ok(Pull {
            range: made.axis.limits.map(|l| [l.min, l.max]),
            arms,
            transmission: DraftTransmission::Tendon(tendon, gear[0]),
        }));
    }
    if let Some(a) = e.attribute("site") {
        if e.get("refsite").is_some() {
            return Ok(Err("it acts between two sites (refsite)".to_owned()));
        }
        let frame = scene.names.resolve(Kind::Site, a, scope)?;
        return Ok(Ok(Pull {
            transmission: DraftTransmission::Frame(frame, gear),
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
        let shapes: Vec<usize> = geoms.flat_map(|g| g.shapes.0..g.shapes.1).collect();
        if shapes.is_empty() {
            return Ok(Err("its body has no geoms that touch".to_owned()));
        }
        return Ok(Ok(Pull {
            transmission: DraftTransmission::Adhesion(shapes),
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
    let transmission = match record.kind {
        JointKind::Scalar(id, c) => DraftTransmission::Coordinate(id, c, gear[0]),
        JointKind::Ball(id, c) => {
            let acting: Vec<usize> = (0..3).filter(|i| gear[*i] != 0.0).collect();
            let [axis] = acting[..] else {
                return Err("it turns a ball joint about a skew axis".to_owned());
            };
            arm = (number, axis, gear[axis]);
            DraftTransmission::Coordinate(id, c + axis, gear[axis])
        }
        JointKind::Free(link) => {
            if gear[..3].iter().any(|g| *g != 0.0) {
                return Err("it pushes a free joint along the world's axes".to_owned());
            }
            let name = format!("body:{}", scene.draft.links[link.0].name);
            let frame = scene.frame(name, link.0 + 1, Default::default());
            DraftTransmission::Frame(frame, gear)
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
            DraftTransmission::Coordinate(id, c, gear) => {
                (&mut scene.draft.joints[id.index()].axes[c], gear)
            }
            DraftTransmission::Tendon(t, gear) => (&mut scene.draft.tendons[t].axis, gear),
            DraftTransmission::Frame(..) | DraftTransmission::Adhesion(_) => return Ok(()),
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
    pub fn is_on(transmission: &DraftTransmission, kind: JointKind) -> bool {
        match (transmission, kind) {
            (DraftTransmission::Coordinate(a, b, _), JointKind::Scalar(id, c)) => {
                (*a, *b) == (id, c)
            }
            _ => false,
        }
    }
}
