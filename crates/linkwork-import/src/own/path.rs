//! `path` of a tendon: points, wraps and pulleys.

use super::names::Known;
use super::pose;
use super::table::{Done, Table};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Anchor, Waypoint, WrapForm};

/// A path; empty if there is none.
pub(super) fn path(t: &mut Table, path: &mut Vec<Waypoint>, known: &Known) -> Done {
    let blank = Waypoint::Point(ORIGIN);
    t.tables("path", path, &blank, |t, point| waypoint(t, point, known))
}

const ORIGIN: Anchor = Anchor {
    body: None,
    point: Vec3::new(0.0, 0.0, 0.0),
};

fn waypoint(t: &mut Table, waypoint: &mut Waypoint, known: &Known) -> Done {
    let wrap = |form| Waypoint::Wrap {
        body: None,
        pose: Pose::identity(),
        form,
        radius: 0.0,
        side: None,
    };
    let samples = [
        ("point", Waypoint::Point(ORIGIN)),
        ("sphere", wrap(WrapForm::Sphere)),
        ("cylinder", wrap(WrapForm::Cylinder)),
        ("pulley", Waypoint::Pulley { divisor: 1.0 }),
    ];
    let form = |w: &Waypoint| match w {
        Waypoint::Point(_) => 0,
        Waypoint::Wrap { form, .. } => 1 + *form as usize,
        Waypoint::Pulley { .. } => 3,
    };
    // A file may leave out the type of points.
    if matches!(t, Table::Write(_)) || t.has("type") {
        t.kind_by(waypoint, &samples, |a, b| form(a) == form(b))?;
    }
    match waypoint {
        Waypoint::Point(point) => anchor(t, point, known),
        Waypoint::Pulley { divisor } => t.need("divisor", divisor),
        Waypoint::Wrap {
            body,
            pose,
            radius,
            side,
            ..
        } => {
            t.name("body", body, &known.bodies)?;
            t.or("position", &mut pose.position, Vec3::zeros())?;
            pose::rotation(t, &mut pose.rotation)?;
            t.need("radius", radius)?;
            t.table("side", side, ORIGIN, |t, side| anchor(t, side, known))
        }
    }
}

fn anchor(t: &mut Table, anchor: &mut Anchor, known: &Known) -> Done {
    t.name("body", &mut anchor.body, &known.bodies)?;
    t.or("position", &mut anchor.point, Vec3::zeros())
}
