//! Contact pairs and exclusions.

use super::impedance::compliance;
use super::names::{Kind, Scope};
use super::scene::Scene;
use super::surface::{acting, clearance, condim};
use crate::ImportError;
use crate::draft::DraftPair;
use crate::xml::Element;
use linkwork::model::PairMaterial;
use std::collections::BTreeSet;

/// Read `<pair>` and `<exclude>`.
pub(super) fn read(scene: &mut Scene<'_>) -> Result<(), ImportError> {
    let mut known = BTreeSet::new();
    for (element, scope) in scene.section("contact")? {
        if element.name == "exclude" {
            let [a, b] = both(scene, element, &scope, Kind::Body, ["body1", "body2"])?;
            let pair = (scene.link(a), scene.link(b));
            scene.draft.excluded.push(pair);
        } else if scene.main().switches.contact {
            let [a, b] = both(scene, element, &scope, Kind::Geom, ["geom1", "geom2"])?;
            if a == b || !known.insert((a.min(b), a.max(b))) {
                let what = "a pair of one geom, or one that was paired before, is left out";
                scene.draft.notices.warn(&element.place, what, "remove it");
                continue;
            }
            let defaults = &scene.documents[scope.document].defaults;
            let surface = surface(scene, &defaults.complete(element, 0, "pair")?)?;
            let (a, b) = (scene.geoms[a].shapes, scene.geoms[b].shapes);
            if a.0 == a.1 || b.0 == b.1 {
                let what = "a pair is left out: one of its geoms is visual only and was left out";
                let remedy = "carry geoms that are only seen";
                scene.draft.notices.warn(&element.place, what, remedy);
            }
            let shapes = (a.0..a.1).flat_map(|i| (b.0..b.1).map(move |j| (i, j)));
            let pairs = shapes.map(|shapes| DraftPair { shapes, surface });
            scene.draft.pairs.extend(pairs);
        }
    }
    Ok(())
}

/// Contact parameters of a pair. They do not use those of the two geoms.
fn surface(scene: &mut Scene<'_>, e: &Element) -> Result<PairMaterial, ImportError> {
    let given = e.up_to("friction", [1.0, 1.0, 0.005, 1e-4, 1e-4])?;
    let [sliding, across, torsional, rolling, rolling_across] = given;
    let condim = condim(e)?;
    let kinds = [
        ("friction", sliding, across, 3, 1.0),
        ("rolling friction", rolling, rolling_across, 6, 1e-4),
    ];
    for (kind, along, across, least, default) in kinds {
        if let (true, true, Some(a)) = (along != across, condim >= least, e.attribute("friction")) {
            let what = format!(
                "{kind} of a pair that depends on the direction ({along} and {across}, which is {default} \
                 unless given) is taken as {along}"
            );
            scene.draft.notices.warn(&a.place, what, "give it twice");
        }
    }
    let [friction, torsional_friction, rolling_friction] =
        acting(condim, [sliding, torsional, rolling]);
    Ok(PairMaterial {
        friction,
        torsional_friction,
        rolling_friction,
        restitution: 0.0,
        compliance: compliance(scene, e)?,
        clearance: clearance(e)?,
    })
}

fn both(
    scene: &Scene<'_>,
    element: &Element,
    scope: &Scope,
    kind: Kind,
    names: [&str; 2],
) -> Result<[usize; 2], ImportError> {
    let find = |name: &str| {
        element.require(name)?;
        let a = element.attribute(name).expect("required above");
        scene.names.resolve(kind, a, scope)
    };
    Ok([find(names[0])?, find(names[1])?])
}
