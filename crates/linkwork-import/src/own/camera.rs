//! `[[camera]]`.

use super::frame;
use super::names::Known;
use super::table::{Done, Table};
use linkwork::model::{Aim, Camera, Lens, ModelData};

/// Vertical field of view of a camera that gives none, rad.
const FIELD_OF_VIEW: f64 = std::f64::consts::FRAC_PI_4;

/// A camera.
pub(super) fn camera(t: &mut Table, c: &mut Camera, known: &Known, model: &ModelData) -> Done {
    frame::frame(t, &mut c.frame, known, model)?;
    let (mut angle, mut height) = match c.lens {
        Lens::Perspective { field_of_view } => (Some(field_of_view), None),
        Lens::Orthographic { height } => (None, Some(height)),
    };
    t.some("field_of_view", &mut angle)?;
    t.some("height", &mut height)?;
    let one = angle.is_none() || height.is_none();
    let what = || "both 'field_of_view' and 'height' are given".to_owned();
    let remedy = "give the angle with perspective, or the height without";
    t.check(one, "height", what, remedy)?;
    c.lens = match height {
        Some(height) => Lens::Orthographic { height },
        None => Lens::Perspective {
            field_of_view: angle.unwrap_or(FIELD_OF_VIEW),
        },
    };
    let (mut target, mut follow) = match c.aim {
        Aim::LookAt { target } => (Some(target), false),
        aim => (None, aim == Aim::Follow),
    };
    t.or("follow", &mut follow, false)?;
    t.name("look_at", &mut target, &known.bodies)?;
    let what = || "both 'look_at' and 'follow' are given".to_owned();
    t.check(
        !follow || target.is_none(),
        "follow",
        what,
        "remove one of them",
    )?;
    c.aim = match target {
        Some(target) => Aim::LookAt { target },
        None if follow => Aim::Follow,
        None => Aim::Fixed,
    };
    Ok(())
}

/// A camera before it is read.
pub(super) fn blank() -> Camera {
    Camera {
        frame: frame::blank(),
        lens: Lens::Perspective {
            field_of_view: FIELD_OF_VIEW,
        },
        aim: Aim::Fixed,
    }
}
