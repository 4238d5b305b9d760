//! Sensors; those that are not carried are listed by kind.

use super::names::{Kind, Scope};
use super::scene::{JointKind, Scene};
use super::{camera, contact_sensor, measure};
use crate::ImportError;
use crate::draft::{DraftSensor, LinkId};
use crate::xml::Element;
use linkwork::math::Pose;
use linkwork::model::{ActuatorId, BodyId, FrameId, ShapeId, TendonId};
use linkwork::sensors::{Reading, Section, Sensor};
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
            Some((reading, cut)) => scene.draft.sensors.push(DraftSensor {
                sensor: Sensor {
                    name,
                    reading,
                    cutoff: cutoff(e)?,
                },
                cut,
            }),
            None => left_out.entry(&e.name).or_insert((&e.place, 0)).1 += 1,
        }
    }
    for (kind, (place, count)) in left_out {
        let what = format!("{count} sensor(s) of kind <{kind}> are left out");
        scene.draft.notices.ignored(place, what);
    }
    Ok(())
}

/// Bound to which values are clamped. For distances it is the search distance.
fn cutoff(e: &Element) -> Result<Option<f64>, ImportError> {
    if ["distance", "normal", "fromto"].contains(&e.name.as_str()) {
        return Ok(None);
    }
    Ok(e.number("cutoff")?.filter(|c| *c > 0.0))
}

/// What a sensor reads, and the link that a load cell carries.
type Found = Option<(Reading, Option<LinkId>)>;

fn reading(scene: &mut Scene<'_>, e: &Element, scope: &Scope) -> Result<Found, ImportError> {
    let local = true;
    let plain = |reading| Ok(Some((reading, None)));
    let kind = e.name.as_str();
    match kind {
        "clock" => plain(Reading::Clock),
        "contact" => Ok(contact_sensor::read(scene, e, scope)?.map(|r| (r, None))),
        "jointpos" | "jointvel" | "jointactuatorfrc" => plain(joint(scene, e, scope)?),
        "ballquat" | "ballangvel" => {
            let number = named(scene, e, scope, "joint", Kind::Joint)?;
            let JointKind::Ball(joint, coordinate) = scene.joints[number].kind else {
                let a = e.attribute("joint").expect("resolved above");
                return Err(a.bad("is not a ball", "name a joint of type ball"));
            };
            plain(match kind {
                "ballquat" => Reading::BallOrientation { joint, coordinate },
                _ => Reading::BallVelocity { joint },
            })
        }
        // Images of a camera, and values other than the distance, are not supported.
        "rangefinder" if e.get("site").is_some() && e.get("data").is_none_or(|d| d == "dist") => {
            let frame = site(scene, e, scope)?;
            plain(Reading::Range { frame })
        }
        "tendonpos" | "tendonvel" | "tendonactuatorfrc" => {
            let number = named(scene, e, scope, "tendon", Kind::Tendon)?;
            let Some((tendon, _)) = scene.tendons[number] else {
                return Ok(None);
            };
            let tendon = TendonId(tendon as u32);
            plain(match kind {
                "tendonpos" => Reading::TendonPosition { tendon },
                "tendonvel" => Reading::TendonVelocity { tendon },
                _ => Reading::TendonEffort { tendon },
            })
        }
        "actuatorpos" | "actuatorvel" | "actuatorfrc" => {
            let number = named(scene, e, scope, "actuator", Kind::Actuator)?;
            let Some(actuator) = scene.actuators[number] else {
                return Ok(None);
            };
            let all = &scene.draft.actuators;
            let alone = |id: ActuatorId| all[id.index()].is_alone(all);
            match kind {
                "actuatorpos" => plain(Reading::ActuatorPosition { actuator }),
                "actuatorvel" => plain(Reading::ActuatorVelocity { actuator }),
                _ if !alone(actuator) => Ok(None),
                _ => plain(Reading::ActuatorEffort { actuator }),
            }
        }
        "subtreecom" | "subtreelinvel" | "subtreeangmom" => {
            let Some(bodies) = subtree(scene, e, scope)? else {
                return Ok(None);
            };
            plain(match kind {
                "subtreecom" => Reading::CentreOfMass { bodies },
                "subtreelinvel" => Reading::CentreVelocity { bodies },
                _ => Reading::AngularMomentum { bodies },
            })
        }
        "gyro" | "velocimeter" | "accelerometer" | "magnetometer" | "touch" | "force"
        | "torque" => {
            let frame = site(scene, e, scope)?;
            let reference = None;
            match kind {
                "gyro" => plain(Reading::AngularVelocity {
                    frame,
                    local,
                    reference,
                }),
                "velocimeter" => plain(Reading::LinearVelocity {
                    frame,
                    local,
                    reference,
                }),
                "accelerometer" => plain(Reading::Acceleration { frame, local }),
                "magnetometer" => {
                    let field = scene.main().switches.magnetic;
                    plain(Reading::Field { frame, field })
                }
                "touch" => Ok(touch(scene, frame).map(|r| (r, None))),
                _ => Ok(load(scene, frame, kind == "force")),
            }
        }
        _ => {
            let found = match measure::reading(scene, e, scope)? {
                None => of_frame(scene, e, scope)?,
                found => found,
            };
            Ok(found.map(|r| (r, None)))
        }
    }
}

fn of_frame(
    scene: &mut Scene<'_>,
    e: &Element,
    scope: &Scope,
) -> Result<Option<Reading>, ImportError> {
    let kind = e.name.as_str();
    let axis = ["framexaxis", "frameyaxis", "framezaxis"];
    let axis = axis.iter().position(|a| *a == kind);
    let known = [
        "framepos",
        "framequat",
        "framelinvel",
        "frameangvel",
        "framelinacc",
        "frameangacc",
    ];
    if axis.is_none() && !known.contains(&kind) {
        return Ok(None);
    }
    let Some(frame) = object(scene, e, scope, ["objtype", "objname"])? else {
        return Ok(None);
    };
    let reference = match e.get("refname") {
        None => None,
        Some(_) => match object(scene, e, scope, ["reftype", "refname"])? {
            None => return Ok(None),
            found => found,
        },
    };
    let local = false;
    Ok(Some(match (kind, axis) {
        (_, Some(axis)) => Reading::FrameAxis {
            frame,
            axis,
            reference,
        },
        ("framepos", _) => Reading::FramePosition { frame, reference },
        ("framequat", _) => Reading::FrameOrientation { frame, reference },
        ("framelinvel", _) => Reading::LinearVelocity {
            frame,
            local,
            reference,
        },
        ("frameangvel", _) => Reading::AngularVelocity {
            frame,
            local,
            reference,
        },
        ("framelinacc", _) => Reading::Acceleration { frame, local },
        _ => Reading::AngularAcceleration { frame },
    }))
}

/// Contacts of the geoms of the site's own body, as in MuJoCo; a mesh as a volume is not supported.
fn touch(scene: &Scene<'_>, frame: FrameId) -> Option<Reading> {
    let link = scene.draft.frames[frame.index()].link;
    let body = link.map_or(0, |l| l.0 + 1);
    let geoms = scene.geoms.iter().filter(|g| g.body == body);
    let shapes = geoms.flat_map(|g| g.shapes.0..g.shapes.1);
    Some(Reading::Touch {
        frame,
        volume: scene.volumes.get(&frame)?.clone(),
        shapes: shapes.map(|s| ShapeId(s as u32)).collect(),
    })
}

/// The attachment of the site's body to its parent; the world has none.
fn load(scene: &Scene<'_>, frame: FrameId, force: bool) -> Found {
    let link = scene.draft.frames[frame.index()].link?;
    let section = Section::default();
    let reading = if force {
        Reading::Force { frame, section }
    } else {
        Reading::Torque { frame, section }
    };
    Some((reading, Some(link)))
}

pub(super) fn site(scene: &Scene<'_>, e: &Element, scope: &Scope) -> Result<FrameId, ImportError> {
    let number = named(scene, e, scope, "site", Kind::Site)?;
    Ok(FrameId(number as u32))
}

pub(super) fn named(
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

fn joint(scene: &Scene<'_>, e: &Element, scope: &Scope) -> Result<Reading, ImportError> {
    let number = named(scene, e, scope, "joint", Kind::Joint)?;
    let JointKind::Scalar(joint, coordinate) = scene.joints[number].kind else {
        let a = e.attribute("joint").expect("resolved above");
        return Err(a.bad(
            "is neither hinge nor slide",
            "name a joint of one coordinate",
        ));
    };
    Ok(match e.name.as_str() {
        "jointpos" => Reading::Position { joint, coordinate },
        "jointvel" => Reading::Velocity { joint, coordinate },
        _ => Reading::Effort { joint, coordinate },
    })
}

/// The frame of a body, geom, site or camera.
pub(super) fn object(
    scene: &mut Scene<'_>,
    e: &Element,
    scope: &Scope,
    [kind_key, name_key]: [&str; 2],
) -> Result<Option<FrameId>, ImportError> {
    let objtype = e.require(kind_key)?.to_owned();
    let Some(kind) = Kind::object(&objtype) else {
        let a = e.attribute(kind_key).expect("required above");
        return Err(a.bad("has no frame", "give body, xbody, geom, site or camera"));
    };
    let number = named(scene, e, scope, name_key, kind)?;
    let own = e.get(name_key).map(|n| scope.name(n)).unwrap_or_default();
    Ok(Some(match kind {
        Kind::Site => FrameId(number as u32),
        Kind::Camera => camera::frame(scene, number),
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

/// Whether a body is another, or below it.
pub(super) fn below(scene: &Scene<'_>, mut body: usize, root: usize) -> bool {
    loop {
        match body {
            b if b == root => break true,
            0 => break false,
            b => body = scene.bodies[b].parent,
        }
    }
}

/// A body and all below it, where each is a rigid body of its own.
fn subtree(
    scene: &Scene<'_>,
    e: &Element,
    scope: &Scope,
) -> Result<Option<Vec<BodyId>>, ImportError> {
    let root = named(scene, e, scope, "body", Kind::Body)?;
    let mut parts = BTreeSet::new();
    for body in (1..scene.bodies.len()).filter(|b| below(scene, *b, root)) {
        let weld = scene.bodies[body].weld;
        // Part of the world, or of a body above: its mass cannot be separated.
        if weld == 0 || !below(scene, weld, root) {
            return Ok(None);
        }
        parts.insert(weld);
    }
    // Bodies of the model are the links that are not welded to another, in order.
    let roots: Vec<usize> = (1..scene.bodies.len())
        .filter(|b| scene.bodies[*b].weld == *b)
        .collect();
    let ids = parts
        .iter()
        .filter_map(|p| roots.iter().position(|r| r == p));
    let bodies: Vec<BodyId> = ids.map(|i| BodyId(i as u32)).collect();
    Ok((!bodies.is_empty()).then_some(bodies))
}
