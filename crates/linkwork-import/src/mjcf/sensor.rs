//! Sensors that read the state; others are listed.

use super::names::{Kind, Scope};
use super::scene::{JointKind, Scene};
use crate::ImportError;
use crate::draft::DraftSensor;
use crate::mechanism::Reading;
use crate::xml::Element;
use linkwork::math::Pose;
use linkwork::model::BodyId;
use std::collections::{BTreeMap, BTreeSet};

/// Read all sensors.
pub(super) fn read(scene: &mut Scene<'_>) -> Result<(), ImportError> {
    let mut left_out = BTreeMap::new();
    for (number, (e, scope)) in scene.section("sensor")?.into_iter().enumerate() {
        let fallback = format!("sensor_{number}");
        let name = scene
            .names
            .enter(Kind::Sensor, e, &scope, number, &fallback)?;
        match reading(scene, e, &scope)? {
            Some(reading) => scene.draft.sensors.push(DraftSensor { name, reading }),
            None => left_out.entry(&e.name).or_insert((&e.place, 0)).1 += 1,
        }
    }
    for (kind, (place, count)) in left_out {
        let what = format!("{count} sensor(s) of kind <{kind}> are left out");
        scene.draft.notices.ignored(place, what);
    }
    Ok(())
}

fn reading(
    scene: &mut Scene<'_>,
    e: &Element,
    scope: &Scope,
) -> Result<Option<Reading>, ImportError> {
    // Readings relative to another frame have no counterpart.
    if e.get("refname").is_some() {
        return Ok(None);
    }
    Ok(match e.name.as_str() {
        "clock" => Some(Reading::Clock),
        "jointpos" | "jointvel" => joint(scene, e, scope)?,
        "gyro" | "velocimeter" => {
            let frame = named(scene, e, scope, "site", Kind::Site)?;
            Some(if e.name == "gyro" {
                Reading::AngularVelocity { frame, local: true }
            } else {
                Reading::LinearVelocity { frame, local: true }
            })
        }
        "subtreecom" => subtree(scene, e, scope)?,
        kind => {
            let axis = ["framexaxis", "frameyaxis", "framezaxis"];
            let axis = axis.iter().position(|a| *a == kind);
            let known = ["framepos", "framequat", "framelinvel", "frameangvel"].contains(&kind);
            if axis.is_none() && !known {
                return Ok(None);
            }
            let Some(frame) = object(scene, e, scope)? else {
                return Ok(None);
            };
            let local = false;
            Some(match (kind, axis) {
                (_, Some(axis)) => Reading::FrameAxis { frame, axis },
                ("framepos", _) => Reading::FramePosition { frame },
                ("framequat", _) => Reading::FrameOrientation { frame },
                ("framelinvel", _) => Reading::LinearVelocity { frame, local },
                _ => Reading::AngularVelocity { frame, local },
            })
        }
    })
}

fn named(
    scene: &Scene<'_>,
    e: &Element,
    scope: &Scope,
    attribute: &str,
    kind: Kind,
) -> Result<usize, ImportError> {
    e.require(attribute)?;
    let a = e.attribute(attribute).expect("required above");
    scene.names.resolve(kind, a, scope)
}

fn joint(scene: &Scene<'_>, e: &Element, scope: &Scope) -> Result<Option<Reading>, ImportError> {
    let number = named(scene, e, scope, "joint", Kind::Joint)?;
    let JointKind::Scalar(joint, coordinate) = scene.joints[number].kind else {
        let a = e.attribute("joint").expect("resolved above");
        return Err(a.bad(
            "is neither hinge nor slide",
            "name a joint of one coordinate",
        ));
    };
    Ok(Some(if e.name == "jointpos" {
        Reading::Position { joint, coordinate }
    } else {
        Reading::Velocity { joint, coordinate }
    }))
}

/// The frame of a body, geom or site; cameras have none.
fn object(scene: &mut Scene<'_>, e: &Element, scope: &Scope) -> Result<Option<usize>, ImportError> {
    let objtype = e.require("objtype")?.to_owned();
    let Some(kind) = Kind::object(&objtype) else {
        let a = e.attribute("objtype").expect("required above");
        return Err(a.bad("has no frame", "give body, xbody, geom, site or camera"));
    };
    if kind == Kind::Camera {
        return Ok(None);
    }
    let number = named(scene, e, scope, "objname", kind)?;
    let own = e.get("objname").map(|n| scope.name(n)).unwrap_or_default();
    Ok(Some(match kind {
        Kind::Site => number,
        Kind::Geom => {
            let geom = scene.geoms[number];
            scene.frame(format!("geom:{own}"), geom.body, geom.pose)
        }
        // MuJoCo's `body` is the inertial frame, `xbody` the body's own.
        _ if objtype == "body" && number > 0 => {
            let at = super::inertia::principal_frame(&scene.draft.links[number - 1].mass);
            scene.frame(format!("com:{own}"), number, at)
        }
        _ => scene.frame(format!("body:{own}"), number, Pose::identity()),
    }))
}

/// The centre of mass of a body and all below it, where each is a rigid body of its own.
fn subtree(scene: &Scene<'_>, e: &Element, scope: &Scope) -> Result<Option<Reading>, ImportError> {
    let root = named(scene, e, scope, "body", Kind::Body)?;
    let below = |mut body: usize| loop {
        match body {
            b if b == root => break true,
            0 => break false,
            b => body = scene.bodies[b].parent,
        }
    };
    let mut parts = BTreeSet::new();
    for body in (1..scene.bodies.len()).filter(|b| below(*b)) {
        let weld = scene.bodies[body].weld;
        // Part of the world, or of a body above: its mass cannot be told apart.
        if weld == 0 || !below(weld) {
            return Ok(None);
        }
        parts.insert(weld);
    }
    // Bodies of the model are those links that are welded to no other, in order.
    let roots: Vec<usize> = (1..scene.bodies.len())
        .filter(|b| scene.bodies[*b].weld == *b)
        .collect();
    let ids = parts
        .iter()
        .filter_map(|p| roots.iter().position(|r| r == p));
    let bodies: Vec<BodyId> = ids.map(|i| BodyId(i as u32)).collect();
    Ok((!bodies.is_empty()).then_some(Reading::CentreOfMass { bodies }))
}
