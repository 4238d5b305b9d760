//! Actuators: motors, servos and general ones with affine forces.

mod gains;
mod pull;

use super::compiler::Compiler;
use super::home::Home;
use super::joint::limited;
use super::names::{Kind, Scope};
use super::scene::Scene;
use crate::ImportError;
use crate::draft::{DraftActuator, DraftTransmission};
use crate::xml::Element;
use gains::{Force, SHORTCUTS};
use pull::Pull;

/// Kinds that are left out, and why.
const LEFT_OUT: [(&str, &str); 8] = [
    ("intvelocity", "its activation is a state"),
    ("cylinder", "its activation is a state"),
    ("muscle", "muscles are not modelled"),
    ("adhesion", "adhesion is not modelled"),
    ("plugin", "plugins are not run"),
    ("dcmotor", "electric circuits are not modelled"),
    ("pid", "its integral is a state"),
    ("orientation", "its controls are a rotation"),
];

/// Kinds that have, or may have, more than one control.
const MANY_CONTROLS: [&str; 3] = ["orientation", "pid", "dcmotor"];

/// Read all actuators, in the order of the controls.
pub(super) fn read(scene: &mut Scene<'_>, home: &Home) -> Result<(), ImportError> {
    for (number, (element, scope)) in scene.section("actuator")?.into_iter().enumerate() {
        let fallback = format!("actuator_{number}");
        let name = scene
            .names
            .enter(Kind::Actuator, element, &scope, number, &fallback)?;
        let control = scene.control_count;
        scene.control_count += 1;
        if MANY_CONTROLS.contains(&element.name.as_str()) || element.get("input").is_some() {
            scene.controls = None;
        }
        let left_out = LEFT_OUT.iter().find(|(kind, _)| *kind == element.name);
        let made = match left_out {
            Some((_, why)) => Err((*why).to_owned()),
            None => actuator(scene, home, element, &scope)?,
        };
        match made {
            Ok(made) => {
                scene.draft.actuators.push(DraftActuator { name, ..made });
                if let Some(controls) = &mut scene.controls {
                    controls.push(control);
                }
            }
            Err(why) => {
                let what = format!("actuator '{name}' is left out: {why}");
                scene.draft.notices.ignored(&element.place, what);
            }
        }
    }
    bound_by_joints(scene);
    Ok(())
}

/// An actuator, or why it is left out.
fn actuator(
    scene: &mut Scene<'_>,
    home: &Home,
    element: &Element,
    scope: &Scope,
) -> Result<Result<DraftActuator, String>, ImportError> {
    let document = &scene.documents[scope.document];
    let class = document.defaults.class_of(element, 0)?;
    let mut said = document.defaults.chain(class, &SHORTCUTS);
    said.push(element);
    let all = Shared::merge(&said);
    let pull = match pull::of(scene, &all, scope)? {
        Ok(pull) => pull,
        Err(why) => return Ok(Err(why)),
    };
    let mut force = Force::default();
    for e in &said {
        force.apply(e)?;
    }
    let affine = match force.affine(|| pull.inertia(scene, home)) {
        Ok(affine) => affine,
        Err(why) => return Ok(Err(why)),
    };
    if let Some(dynamics) = force.dynamics() {
        let what =
            format!("actuator dynamics '{dynamics}' are left out: the force follows at once");
        scene.draft.notices.ignored(&element.place, what);
    }
    pull.add_passive(scene, &all)?;
    let control_range = match force.inherits() {
        Some(share) => pull.range.map(|[a, b]| {
            let (middle, half) = ((a + b) / 2.0, share * (b - a) / 2.0);
            [middle - half, middle + half]
        }),
        None => range(&document.compiler, &all, "ctrllimited", "ctrlrange")?,
    };
    Ok(Ok(DraftActuator {
        name: String::new(),
        place: element.place.clone(),
        transmission: pull.transmission,
        gain: affine.0,
        bias: affine.1,
        control_range,
        force_range: range(&document.compiler, &all, "forcelimited", "forcerange")?,
    }))
}

fn range(
    compiler: &Compiler,
    e: &Element,
    flag: &str,
    name: &str,
) -> Result<Option<[f64; 2]>, ImportError> {
    limited(compiler, e, flag, name, e.fixed::<2>(name)?)
}

/// What classes and element say together of the attributes that all kinds share.
struct Shared;

impl Shared {
    fn merge(said: &[&Element]) -> Element {
        let (last, classes) = said.split_last().expect("the element itself is there");
        let mut all = (*last).clone();
        for class in classes.iter().rev() {
            for a in &class.attributes {
                if all.attribute(&a.name).is_none() {
                    all.attributes.push(a.clone());
                }
            }
        }
        all
    }
}

/// `actuatorfrcrange` bounds what all actuators of a joint give together: with one actuator, its own
/// force.
fn bound_by_joints(scene: &mut Scene<'_>) {
    let bounded: Vec<_> = scene
        .joints
        .iter()
        .filter_map(|j| Some((j.kind, j.name.clone(), j.force_range?)))
        .collect();
    for (kind, name, [low, high]) in bounded {
        let on_it = |a: &DraftActuator| Pull::is_on(&a.transmission, kind);
        let several = scene.draft.actuators.iter().filter(|a| on_it(a)).count() > 1;
        let Some(one) = scene.draft.actuators.iter_mut().find(|a| on_it(a)) else {
            continue;
        };
        if several {
            let what = format!("actuatorfrcrange of joint '{name}' bounds each of its actuators");
            scene.draft.notices.warn(&one.place.clone(), what, "");
        }
        for one in scene.draft.actuators.iter_mut().filter(|a| on_it(a)) {
            let DraftTransmission::Coordinate(_, _, gear) = one.transmission else {
                continue;
            };
            let (a, b) = (low / gear, high / gear);
            let (a, b) = (a.min(b), a.max(b));
            let own = one
                .force_range
                .unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            one.force_range = Some([own[0].max(a), own[1].min(b)]);
        }
    }
}
