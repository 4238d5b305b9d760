//! The path of a spatial tendon: sites, geoms that it wraps around, pulleys.

use super::names::{Kind, Scope};
use super::scene::Scene;
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::model::{Anchor, BodyId, Waypoint};

/// Reads a path. Its bodies are links by their index, its points in the frames of the links.
pub(super) fn read(
    scene: &Scene<'_>,
    e: &Element,
    scope: &Scope,
) -> Result<Vec<Waypoint>, ImportError> {
    let mut path = Vec::new();
    for part in &e.children {
        path.push(match part.name.as_str() {
            "site" => {
                part.require("site")?;
                Waypoint::Point(anchor(scene, part, "site", scope)?)
            }
            "geom" => wrap(scene, part, scope)?,
            _ => pulley(part)?,
        });
    }
    ordered(e, &path)?;
    Ok(path)
}

fn anchor(
    scene: &Scene<'_>,
    part: &Element,
    key: &str,
    scope: &Scope,
) -> Result<Anchor, ImportError> {
    let a = part.attribute(key).expect("the caller has seen it");
    let frame = &scene.draft.frames[scene.names.resolve(Kind::Site, a, scope)?];
    let body = frame.link.map(|l| BodyId(l.0 as u32));
    Ok(Anchor::new(body, frame.pose.position))
}

fn wrap(scene: &Scene<'_>, part: &Element, scope: &Scope) -> Result<Waypoint, ImportError> {
    part.require("geom")?;
    let a = part.attribute("geom").expect("required above");
    let geom = &scene.geoms[scene.names.resolve(Kind::Geom, a, scope)?];
    let Some((form, radius)) = geom.round else {
        return Err(a.bad(
            "is neither a sphere nor a cylinder",
            "wrap around one of these",
        ));
    };
    let side = match part.attribute("sidesite") {
        Some(_) => Some(anchor(scene, part, "sidesite", scope)?),
        None => None,
    };
    Ok(Waypoint::Wrap {
        body: scene.link(geom.body).map(|l| BodyId(l.0 as u32)),
        pose: geom.pose,
        form,
        radius,
        side,
    })
}

fn pulley(part: &Element) -> Result<Waypoint, ImportError> {
    let divisor = part.need_number("divisor")?;
    match part.attribute("divisor") {
        Some(a) if divisor <= 0.0 => Err(a.bad("is no divisor", "give a positive number")),
        _ => Ok(Waypoint::Pulley { divisor }),
    }
}

/// Each section between pulleys has at least two sites, with a geom between two sites only.
fn ordered(e: &Element, path: &[Waypoint]) -> Result<(), ImportError> {
    let fail = |what: &str, remedy: &str| Err(e.error(Fault::Mechanism, what, remedy));
    let pulley = |w: &Waypoint| matches!(w, Waypoint::Pulley { .. });
    let site = |w: Option<&Waypoint>| matches!(w, Some(Waypoint::Point(_)));
    for (i, stretch) in path.split(pulley).enumerate() {
        if stretch.is_empty() && i == 0 && !path.is_empty() {
            continue;
        }
        if stretch.iter().filter(|w| site(Some(w))).count() < 2 {
            let what = "a stretch of a spatial tendon has fewer than two sites";
            return fail(what, "give each stretch between pulleys two sites or more");
        }
        let apart = stretch
            .windows(2)
            .all(|pair| pair.iter().any(|w| site(Some(w))));
        if !(apart && site(stretch.first()) && site(stretch.last())) {
            let what = "a geom of a spatial tendon has no site before or behind it";
            return fail(what, "put a site on either side of it");
        }
    }
    Ok(())
}
