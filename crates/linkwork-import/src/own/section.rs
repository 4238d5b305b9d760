//! The part beyond the cut of a load cell: `parts` and `closures` of a sensor.

use super::body;
use super::names::Known;
use super::table::{Done, Table};
use crate::Fault;
use linkwork::math::{Mat3, Vec3};
use linkwork::model::{JointId, ModelData};
use linkwork::sensors::{Section, SectionPart};

/// A section. A part that gives no `mass` is a whole body.
pub(super) fn section(t: &mut Table, s: &mut Section, known: &Known, model: &ModelData) -> Done {
    let blank = SectionPart {
        body: None,
        mass: 0.0,
        com: Vec3::zeros(),
        inertia: Mat3::zeros(),
        root: false,
        shapes: Vec::new(),
    };
    t.tables("parts", &mut s.parts, &blank, |t, p| {
        part(t, p, known, model)
    })?;
    if let (Table::Read(fields), true) = (&*t, s.parts.is_empty()) {
        let what = "'parts' is missing or empty";
        let remedy = "name what is beyond the cut, parts = [{ body = \"…\" }]";
        return Err(fields.fail_at("parts", Fault::Missing, what, remedy));
    }
    let blank = (JointId(0), false);
    t.tables(
        "closures",
        &mut s.closures,
        &blank,
        |t, (joint, follower)| {
            t.named("joint", joint, &known.joints)?;
            t.or("follower", follower, false)
        },
    )
}

fn part(t: &mut Table, p: &mut SectionPart, known: &Known, model: &ModelData) -> Done {
    t.name("body", &mut p.body, &known.bodies)?;
    let whole = p.body.map(|b| SectionPart::whole(model, b));
    let mut mass = (whole.as_ref() != Some(p)).then_some(p.mass);
    t.some("mass", &mut mass)?;
    p.mass = match (whole, mass) {
        (Some(whole), None) => {
            *p = whole;
            return Ok(());
        }
        (_, Some(mass)) => mass,
        (None, None) => {
            let what = || "neither 'body' nor 'mass' is given".to_owned();
            let remedy = "name a body, or give the mass of a part of the world";
            return t.check(false, "body", what, remedy);
        }
    };
    let what = || format!("'mass' is {}", p.mass);
    t.check(p.mass >= 0.0, "mass", what, "it must not be negative (kg)")?;
    t.or("com", &mut p.com, Vec3::zeros())?;
    let mut inertia = Some(p.inertia);
    body::inertia(t, &mut inertia)?;
    p.inertia = inertia.unwrap_or_default();
    t.or("root", &mut p.root, false)?;
    t.names("shapes", &mut p.shapes, &known.shapes)
}
