//! Tendons: fixed ones over joints, spatial ones along a path.

use super::impedance::impedance;
use super::names::{Kind, Scope};
use super::path;
use super::range::limited;
use super::scene::{JointKind, Scene};
use super::softness::{Softened, Target};
use crate::ImportError;
use crate::xml::Element;
use linkwork::model::{Axis, BodyId, Limits, Spring, Tendon, Term, Waypoint};
use std::collections::BTreeSet;

/// Read all tendons.
pub(super) fn read(scene: &mut Scene<'_>) -> Result<(), ImportError> {
    for (element, scope) in scene.section("tendon")? {
        let number = scene.tendons.len();
        let fallback = format!("tendon_{number}");
        let name = scene
            .names
            .enter(Kind::Tendon, element, &scope, number, &fallback)?;
        let defaults = &scene.documents[scope.document].defaults;
        let e = defaults.complete(element, 0, "tendon")?;
        let made = if element.name == "fixed" {
            fixed(scene, &e, &scope, name)?
        } else {
            spatial(scene, &e, &scope, name)?
        };
        scene.tendons.push(made);
    }
    Ok(())
}

/// L = Σ cᵢ qᵢ: its index in the draft and its length in the home pose; `None` if no coordinate changes it.
fn fixed(
    scene: &mut Scene<'_>,
    e: &Element,
    scope: &Scope,
    name: String,
) -> Result<Option<(usize, f64)>, ImportError> {
    let mut terms = Vec::new();
    let mut home = 0.0;
    for term in e.all("joint") {
        term.require("joint")?;
        let a = term.attribute("joint").expect("required above");
        let record = &scene.joints[scene.names.resolve(Kind::Joint, a, scope)?];
        let JointKind::Scalar(joint, coordinate) = record.kind else {
            return Err(a.bad(
                "is neither hinge nor slide",
                "name a joint of one coordinate",
            ));
        };
        let factor = term.need_number("coef")?;
        home += factor * record.home;
        // A coordinate that does not change the length is no part of it.
        if factor != 0.0 {
            terms.push(Term::linear(joint, coordinate, factor));
        }
    }
    if e.child("joint").is_none() {
        return Err(e.error(
            crate::Fault::Missing,
            "a tendon without joints",
            "add <joint>",
        ));
    }
    if terms.is_empty() {
        let what = format!("tendon '{name}' is left out: no joint changes its length");
        let remedy = "give a coef other than 0";
        scene.draft.notices.warn(&e.place, what, remedy);
        return Ok(None);
    }
    enter(
        scene,
        e,
        scope,
        home,
        Tendon {
            name,
            terms,
            path: Vec::new(),
            axis: Axis::default(),
        },
    )
}

/// L is the length of a path: its index in the draft and its length in the home pose; `None` if nothing changes it.
fn spatial(
    scene: &mut Scene<'_>,
    e: &Element,
    scope: &Scope,
    name: String,
) -> Result<Option<(usize, f64)>, ImportError> {
    let path = path::read(scene, e, scope)?;
    let weld = |body: Option<BodyId>| body.map_or(0, |b| scene.bodies[b.index() + 1].weld);
    let carriers = path.iter().flat_map(Waypoint::carriers).map(weld);
    if carriers.collect::<BTreeSet<_>>().len() < 2 {
        let what = format!("tendon '{name}' is left out: all of its path is on one rigid body");
        let remedy = "lead it over a joint";
        scene.draft.notices.warn(&e.place, what, remedy);
        return Ok(None);
    }
    let links = &scene.draft.links;
    let home = linkwork::path_length(&path, |link| links[link.index()].pose);
    enter(
        scene,
        e,
        scope,
        home,
        Tendon {
            name,
            terms: Vec::new(),
            path,
            axis: Axis::default(),
        },
    )
}

/// Adds a tendon of length `home` in the home pose, with the elements along it.
fn enter(
    scene: &mut Scene<'_>,
    e: &Element,
    scope: &Scope,
    home: f64,
    mut tendon: Tendon,
) -> Result<Option<(usize, f64)>, ImportError> {
    tendon.axis = axis(scene, e, scope, home)?;
    if scene.options.soft && tendon.axis.limits.is_some() {
        let impedance = impedance(scene, e, ["solreflimit", "solimplimit"])?;
        scene.softened.push(Softened {
            target: Target::TendonLimit(scene.draft.tendons.len()),
            impedance,
            along: Vec::new(),
        });
    }
    scene.draft.tendons.push(tendon);
    Ok(Some((scene.draft.tendons.len() - 1, home)))
}

fn axis(scene: &mut Scene<'_>, e: &Element, scope: &Scope, home: f64) -> Result<Axis, ImportError> {
    let first = |name: &str| -> Result<f64, ImportError> {
        let values = e.numbers(name)?.unwrap_or_default();
        Ok(values.first().copied().unwrap_or(0.0))
    };
    let compiler = &scene.documents[scope.document].compiler;
    let range = limited(compiler, e, "limited", "range", e.fixed::<2>("range")?)?;
    let [low, high] = match e.numbers("springlength")?.as_deref() {
        None | Some([]) | Some([-1.0, ..]) => [home; 2],
        Some([rest]) => [*rest; 2],
        Some([low, high, ..]) => [*low, *high],
    };
    if let Some(a) = e.attribute("springlength").filter(|_| low > high) {
        return Err(a.bad("goes from more to less", "give the shorter length first"));
    }
    let s = &scene.main().switches;
    let on = |switch: bool, value: f64| if switch { value } else { 0.0 };
    Ok(Axis {
        limits: range
            .filter(|_| s.limit)
            .map(|[min, max]| Limits::new(min, max)),
        drive: None,
        spring: Spring {
            stiffness: on(s.spring, first("stiffness")?),
            rest: low,
            damping: on(s.damper, first("damping")?),
            band: high - low,
        },
        armature: first("armature")?,
        friction: on(s.friction, first("frictionloss")?),
    })
}
