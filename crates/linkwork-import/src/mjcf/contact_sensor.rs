//! `<contact>` sensors: which contacts, and what of them.

use super::names::{Kind, Scope};
use super::scene::Scene;
use super::sensor::{below, named, site};
use crate::ImportError;
use crate::xml::Element;
use linkwork::model::ShapeId;
use linkwork::sensors::{ContactField, ContactQuery, Reading, Reduce};

/// The fields, in the order of [`ContactField`].
const FIELDS: [&str; 7] = [
    "found", "force", "torque", "dist", "pos", "normal", "tangent",
];
const REDUCE: [(&str, Reduce); 4] = [
    ("none", Reduce::None),
    ("mindist", Reduce::Nearest),
    ("maxforce", Reduce::Strongest),
    ("netforce", Reduce::Sum),
];

/// Values of such a sensor; `None` if its site has a mesh as its volume.
pub(super) fn read(
    scene: &Scene<'_>,
    e: &Element,
    scope: &Scope,
) -> Result<Option<Reading>, ImportError> {
    let volume = match e.get("site") {
        None => None,
        Some(_) => {
            let frame = site(scene, e, scope)?;
            match scene.volumes.get(&frame) {
                Some(volume) => Some((frame, volume.clone())),
                None => return Ok(None),
            }
        }
    };
    let slots = e.integer("num")?.unwrap_or(1);
    if let Some(a) = e.attribute("num").filter(|_| slots < 1) {
        return Err(a.bad("is not positive", "give the number of contacts to report"));
    }
    let reduce = e.choice("reduce", &REDUCE.map(|r| r.0))?.unwrap_or(0);
    let query = ContactQuery {
        first: side(scene, e, scope, ["geom1", "body1", "subtree1"])?,
        second: side(scene, e, scope, ["geom2", "body2", "subtree2"])?,
        volume,
        reduce: REDUCE[reduce].1,
        fields: fields(e)?,
        slots: slots as usize,
    };
    let query = Box::new(query);
    Ok(Some(Reading::Contacts { query }))
}

fn fields(e: &Element) -> Result<Vec<ContactField>, ImportError> {
    let Some(a) = e.attribute("data") else {
        return Ok(vec![ContactField::Found]);
    };
    let mut fields = Vec::new();
    for word in a.value.split_whitespace() {
        let Some(number) = FIELDS.iter().position(|f| *f == word) else {
            return Err(a.bad(
                "has an unknown field",
                &format!("give some of {}", FIELDS.join(" ")),
            ));
        };
        fields.push(ContactField::ALL[number]);
    }
    if fields.is_empty() || !fields.is_sorted_by(|a, b| a < b) {
        let remedy = format!("give each once, in the order {}", FIELDS.join(" "));
        return Err(a.bad("is empty or out of order", &remedy));
    }
    Ok(fields)
}

/// The shapes of a geom, of a body, or of a body and all below it; `None` for any.
fn side(
    scene: &Scene<'_>,
    e: &Element,
    scope: &Scope,
    [geom, body, subtree]: [&str; 3],
) -> Result<Option<Vec<ShapeId>>, ImportError> {
    let range = |(first, end): (usize, usize)| (first..end).map(|s| ShapeId(s as u32));
    let of = |is: &dyn Fn(usize) -> bool| {
        let geoms = scene.geoms.iter().filter(|g| is(g.body));
        Some(geoms.flat_map(|g| range(g.shapes)).collect())
    };
    Ok(if e.get(geom).is_some() {
        let number = named(scene, e, scope, geom, Kind::Geom)?;
        Some(range(scene.geoms[number].shapes).collect())
    } else if e.get(body).is_some() {
        let number = named(scene, e, scope, body, Kind::Body)?;
        of(&|b| b == number)
    } else if e.get(subtree).is_some() {
        let root = named(scene, e, scope, subtree, Kind::Body)?;
        of(&|b| below(scene, b, root))
    } else {
        None
    })
}
