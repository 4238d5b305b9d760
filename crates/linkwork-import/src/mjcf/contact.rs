//! Contact pairs and exclusions.

use super::names::{Kind, Scope};
use super::scene::Scene;
use crate::ImportError;
use crate::xml::Element;

/// Read `<pair>` and `<exclude>`.
pub(super) fn read(scene: &mut Scene<'_>) -> Result<(), ImportError> {
    for (element, scope) in scene.section("contact")? {
        if element.name == "exclude" {
            let [a, b] = both(scene, element, &scope, Kind::Body, ["body1", "body2"])?;
            let pair = (scene.link(a), scene.link(b));
            scene.draft.excluded.push(pair);
        } else if scene.main().switches.contact {
            let [a, b] = both(scene, element, &scope, Kind::Geom, ["geom1", "geom2"])?;
            let (a, b) = (scene.geoms[a].shapes, scene.geoms[b].shapes);
            for i in a.0..a.1 {
                scene.draft.pairs.extend((b.0..b.1).map(|j| (i, j)));
            }
        }
    }
    Ok(())
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
