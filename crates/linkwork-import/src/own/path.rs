//! `path` of a tendon: points, wraps and pulleys.

use super::fields::Fields;
use super::names::Names;
use super::pose;
use super::tree::Entries;
use crate::suggest;
use crate::{Fault, ImportError};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Anchor, Body, BodyId, Waypoint, WrapForm};

const TYPES: [&str; 4] = ["point", "sphere", "cylinder", "pulley"];

/// Read a path; empty if there is none.
pub(super) fn read(fields: &mut Fields, bodies: &Names) -> Result<Vec<Waypoint>, ImportError> {
    let mut path = Vec::new();
    for mut table in fields.tables("path")? {
        path.push(waypoint(&mut table, bodies)?);
        table.finish()?;
    }
    Ok(path)
}

fn waypoint(table: &mut Fields, bodies: &Names) -> Result<Waypoint, ImportError> {
    let kind = table.text("type")?.unwrap_or("point");
    Ok(match kind {
        "point" => Waypoint::Point(anchor(table, bodies)?),
        "pulley" => {
            let divisor = table.number("divisor")?;
            Waypoint::Pulley {
                divisor: table.require("divisor", divisor)?,
            }
        }
        "sphere" | "cylinder" => {
            let radius = table.number("radius")?;
            let side = table.table("side")?;
            let side = side.map(|mut side| {
                let point = anchor(&mut side, bodies)?;
                side.finish()?;
                Ok::<_, ImportError>(point)
            });
            Waypoint::Wrap {
                body: body(table, bodies)?,
                pose: Pose::new(
                    table.vector("position")?.unwrap_or_default(),
                    pose::rotation(table)?,
                ),
                form: match kind {
                    "sphere" => WrapForm::Sphere,
                    _ => WrapForm::Cylinder,
                },
                radius: table.require("radius", radius)?,
                side: side.transpose()?,
            }
        }
        _ => {
            let what = format!("a path has no element of type '{kind}'");
            let remedy = suggest::remedy(kind, &TYPES);
            return Err(table.fail_at("type", Fault::BadValue, what, remedy));
        }
    })
}

fn body(table: &mut Fields, bodies: &Names) -> Result<Option<BodyId>, ImportError> {
    let body = bodies.get(table, "body")?;
    Ok(body.map(|b| BodyId(b as u32)))
}

fn anchor(table: &mut Fields, bodies: &Names) -> Result<Anchor, ImportError> {
    let point = table.vector("position")?.unwrap_or_default();
    Ok(Anchor::new(body(table, bodies)?, point))
}

/// Write a path, where there is one.
pub(super) fn write(entries: &mut Entries, path: &[Waypoint], bodies: &[Body]) {
    if path.is_empty() {
        return;
    }
    let put = |to: &mut Entries, body: Option<BodyId>, position: &Vec3| {
        to.put_some("body", body.map(|b| bodies[b.index()].name.as_str()));
        to.put_unless("position", position, &Vec3::zeros());
    };
    let table = |waypoint: &Waypoint| {
        let mut to = Entries::default();
        match waypoint {
            Waypoint::Point(a) => {
                to.put("type", "point");
                put(&mut to, a.body, &a.point);
            }
            Waypoint::Pulley { divisor } => {
                to.put("type", "pulley");
                to.put("divisor", *divisor);
            }
            Waypoint::Wrap {
                body,
                pose: at,
                form,
                radius,
                side,
            } => {
                to.put(
                    "type",
                    match form {
                        WrapForm::Sphere => "sphere",
                        WrapForm::Cylinder => "cylinder",
                    },
                );
                put(&mut to, *body, &at.position);
                pose::write_rotation(&mut to, &at.rotation);
                to.put("radius", *radius);
                if let Some(side) = side {
                    let mut point = Entries::default();
                    put(&mut point, side.body, &side.point);
                    to.put("side", point);
                }
            }
        }
        to
    };
    entries.put("path", path.iter().map(table).collect::<Vec<_>>());
}
