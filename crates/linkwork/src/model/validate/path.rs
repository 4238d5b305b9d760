//! The checks of paths of tendons.

use super::{bad, body_exists};
use crate::model::{Anchor, ModelError, Waypoint};

/// A path that can be traced and whose length changes with the bodies.
pub(super) fn check(element: &str, path: &[Waypoint], bodies: usize) -> Result<(), ModelError> {
    path.iter().try_for_each(|w| waypoint(element, w, bodies))?;
    let stretches = path.split(|w| matches!(w, Waypoint::Pulley { .. }));
    for (i, stretch) in stretches.enumerate() {
        // A pulley may come first.
        if i == 0 && stretch.is_empty() {
            continue;
        }
        let is_point = |w: Option<&Waypoint>| matches!(w, Some(Waypoint::Point(_)));
        let ends = is_point(stretch.first()) && is_point(stretch.last()) && stretch.len() > 1;
        if !ends {
            let remedy = "each stretch between pulleys begins and ends with a point, two at least";
            let count = stretch.len() as f64;
            return Err(bad(
                element.to_owned(),
                "length of a stretch of its path",
                count,
                remedy,
            ));
        }
        let alone = |pair: &[Waypoint]| pair.iter().all(|w| matches!(w, Waypoint::Wrap { .. }));
        if stretch.windows(2).any(alone) {
            let remedy = "put a point between the two";
            return Err(bad(
                element.to_owned(),
                "number of wraps in a row",
                2.0,
                remedy,
            ));
        }
    }
    let mut carriers = path.iter().flat_map(Waypoint::carriers);
    let first = carriers.next();
    if carriers.all(|c| Some(c) == first) {
        let remedy =
            "lead it over two bodies, or a body and the world, so that its length can change";
        return Err(bad(
            element.to_owned(),
            "number of bodies on its path",
            1.0,
            remedy,
        ));
    }
    Ok(())
}

fn waypoint(element: &str, waypoint: &Waypoint, bodies: usize) -> Result<(), ModelError> {
    let fail = |what: &'static str, value: f64, remedy: &'static str| {
        Err(bad(element.to_owned(), what, value, remedy))
    };
    match waypoint {
        Waypoint::Point(point) => anchor(element, point, bodies),
        Waypoint::Pulley { divisor } if *divisor != 0.0 && divisor.is_finite() => Ok(()),
        Waypoint::Pulley { divisor } => fail(
            "divisor of a pulley",
            *divisor,
            "it must be finite and not 0",
        ),
        Waypoint::Wrap {
            body,
            pose,
            radius,
            side,
            ..
        } => {
            if let Some(body) = body {
                body_exists(element, *body, bodies)?;
            }
            if !(*radius > 0.0 && radius.is_finite()) {
                return fail(
                    "radius of a wrap",
                    *radius,
                    "it must be positive and finite (m)",
                );
            }
            if !pose.is_finite() {
                let x = pose.position.x;
                return fail("pose of a wrap", x, "its numbers must be finite");
            }
            side.iter()
                .try_for_each(|side| anchor(element, side, bodies))
        }
    }
}

fn anchor(element: &str, anchor: &Anchor, bodies: usize) -> Result<(), ModelError> {
    if let Some(body) = anchor.body {
        body_exists(element, body, bodies)?;
    }
    match anchor.point.iter().find(|x| !x.is_finite()) {
        None => Ok(()),
        Some(x) => Err(bad(
            element.to_owned(),
            "a point",
            *x,
            "it must be finite (m)",
        )),
    }
}
