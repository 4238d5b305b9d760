//! Actuators: motors, servos and general ones with affine forces.

mod gains;
mod pull;

use super::compiler::Compiler;
use super::joint_space::JointSpace;
use super::names::{Kind, Scope};
use super::range::limited;
use super::scene::{Origin, Scene};
use crate::xml::Element;
use crate::{ImportError, Place};
use gains::{Force, MuscleParameters, SHORTCUTS};
use linkwork::actuators::{Actuator, Muscle, Transmission};
use linkwork::model::ActuatorId;
use pull::Pull;

/// Kinds that are left out, and why.
const LEFT_OUT: [(&str, &str); 6] = [
    ("intvelocity", "its activation is a state"),
    ("cylinder", "its activation is a state"),
    ("plugin", "plugins are not run"),
    ("dcmotor", "electric circuits are not modelled"),
    ("pid", "its integral is a state"),
    ("orientation", "its controls are a rotation"),
];

/// Kinds that have, or may have, more than one control.
const MANY_CONTROLS: [&str; 3] = ["orientation", "pid", "dcmotor"];

/// An actuator whose force is still to be read.
pub(super) struct Geared<'a> {
    name: String,
    element: &'a Element,
    scope: Scope,
    /// Number of its first control.
    control: usize,
    /// Settings from classes and element for the attributes that all kinds share.
    shared: Element,
    /// What it pulls on, or why it is left out.
    pull: Result<Pull, String>,
}

impl Geared<'_> {
    /// Whether its damping may be given by a ratio, or the force of a muscle by the resulting accelerations.
    pub fn needs_inertia(&self) -> bool {
        let bias = self.shared.get("biasprm").unwrap_or_default();
        let third = bias.split_whitespace().nth(2);
        // MuJoCo stores a ratio as a third, non-negative number of the bias.
        let kept = third.is_some_and(|word| !word.starts_with('-'));
        let word = |name: &str| self.shared.get(name) == Some("muscle");
        let muscle = self.element.name == "muscle" || word("gaintype");
        kept || muscle || self.shared.attribute("dampratio").is_some()
    }
}

/// Targets of all actuators, in the order of the controls; their armatures are added to joints.
pub(super) fn transmissions<'a>(scene: &mut Scene<'a>) -> Result<Vec<Geared<'a>>, ImportError> {
    let mut all = Vec::new();
    for (number, (element, scope)) in scene.section("actuator")?.into_iter().enumerate() {
        let fallback = format!("actuator_{number}");
        let name = scene
            .names
            .enter(Kind::Actuator, element, &scope, number, &fallback)?;
        let control = scene.control_count;
        scene.control_count += 1;
        scene.control_origins.push(Origin::new(element, &scope));
        if MANY_CONTROLS.contains(&element.name.as_str()) || element.get("input").is_some() {
            scene.controls = None;
        }
        let shared = merged(&said(scene, element, &scope)?);
        let left_out = LEFT_OUT.iter().find(|(kind, _)| *kind == element.name);
        let pull = match left_out {
            Some((_, why)) => Err((*why).to_owned()),
            None => pull::of(scene, &shared, &scope)?,
        };
        if let Ok(pull) = &pull {
            pull.add_passive(scene, &shared)?;
        }
        all.push(Geared {
            name,
            element,
            scope,
            control,
            shared,
            pull,
        });
    }
    Ok(all)
}

/// The settings of an actuator's classes, outermost first, and of the actuator itself.
fn said<'a>(
    scene: &Scene<'a>,
    element: &'a Element,
    scope: &Scope,
) -> Result<Vec<&'a Element>, ImportError> {
    let defaults = &scene.documents[scope.document].defaults;
    let class = defaults.class_of(element, 0)?;
    let mut said = defaults.chain(class, &SHORTCUTS);
    said.push(element);
    Ok(said)
}

/// The last of the elements, completed by those before.
fn merged(said: &[&Element]) -> Element {
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

/// Read the forces of all actuators.
pub(super) fn forces(
    scene: &mut Scene<'_>,
    actuators: Vec<Geared<'_>>,
    home: Option<&JointSpace>,
) -> Result<(), ImportError> {
    let mut places = Vec::new();
    for geared in actuators {
        let made = force(scene, home, &geared)?;
        let carried = made.is_ok();
        let next = ActuatorId(scene.draft.actuators.len() as u32);
        match activations(scene, &geared)? {
            Some(count) => {
                let own = std::iter::repeat_n(carried.then_some(next), count);
                scene
                    .activations
                    .iter_mut()
                    .for_each(|all| all.extend(own.clone()));
            }
            None => scene.activations = None,
        }
        match made {
            Ok(made) => {
                let id = ActuatorId(scene.draft.actuators.len() as u32);
                scene.actuators.push(Some(id));
                scene.draft.actuators.push(made);
                places.push(geared.element.place.clone());
                if let Some(controls) = &mut scene.controls {
                    controls.push(geared.control);
                }
            }
            Err(why) => {
                scene.actuators.push(None);
                let what = format!("actuator '{}' is left out: {why}", geared.name);
                scene.draft.notices.warn(&geared.element.place, what, "");
            }
        }
    }
    bound_by_joints(scene, &places);
    let draft = &mut scene.draft;
    for (actuator, place) in draft.actuators.iter().zip(&places) {
        let lopsided = actuator.force_range.is_some_and(|r| r[0] != -r[1]);
        let frame = matches!(actuator.transmission, Transmission::Frame { .. });
        if lopsided && actuator.is_servo() && !frame {
            let what = "a force range that is not symmetric bounds the servo on both sides";
            draft.notices.warn(place, what, "");
        }
    }
    Ok(())
}

/// Number of activations of an actuator in MuJoCo; `None` if it cannot be determined here.
fn activations(scene: &Scene<'_>, geared: &Geared<'_>) -> Result<Option<usize>, ImportError> {
    match geared.element.name.as_str() {
        "plugin" | "dcmotor" | "pid" | "orientation" => return Ok(None),
        "intvelocity" | "cylinder" => return Ok(Some(1)),
        _ => {}
    }
    let mut force = Force::default();
    for e in said(scene, geared.element, &geared.scope)? {
        force.apply(e)?;
    }
    let several = geared.shared.attribute("actdim").is_some();
    Ok((!several).then(|| usize::from(force.has_activation())))
}

/// An actuator, or why it is left out.
fn force(
    scene: &mut Scene<'_>,
    home: Option<&JointSpace>,
    geared: &Geared<'_>,
) -> Result<Result<Actuator, String>, ImportError> {
    let (element, all) = (geared.element, &geared.shared);
    let pull = match &geared.pull {
        Ok(pull) => pull,
        Err(why) => return Ok(Err(why.clone())),
    };
    let mut force = Force::default();
    for e in said(scene, element, &geared.scope)? {
        force.apply(e)?;
    }
    let muscle = match force.muscle() {
        Some(parameters) => match muscle(scene, home, geared, pull, parameters)? {
            Ok(muscle) => Some(muscle),
            Err(why) => return Ok(Err(why)),
        },
        None => None,
    };
    let affine = || force.affine(|| home.map(|h| h.inertia(&pull.arms)));
    let (gain, bias) = match muscle.map_or_else(affine, |_| Ok((1.0, [0.0; 3]))) {
        Ok(affine) => affine,
        Err(why) => return Ok(Err(why)),
    };
    let compiler = &scene.documents[geared.scope.document].compiler;
    let activation_range = range(compiler, all, "actlimited", "actrange")?;
    let dynamics = match force.dynamics(activation_range) {
        Ok(dynamics) => dynamics,
        Err(why) => return Ok(Err(why)),
    };
    let control_range = match force.inherits() {
        Some(share) => pull.range.map(|[a, b]| {
            let (middle, half) = ((a + b) / 2.0, share * (b - a) / 2.0);
            [middle - half, middle + half]
        }),
        None => range(compiler, all, "ctrllimited", "ctrlrange")?,
    };
    Ok(Ok(Actuator {
        name: geared.name.clone(),
        transmission: pull.transmission.clone(),
        gain,
        bias,
        muscle,
        dynamics,
        control_range,
        force_range: range(compiler, all, "forcelimited", "forcerange")?,
    }))
}

/// A muscle, or why it is omitted. Lengths that the file does not have are the limits of its joint or tendon; MuJoCo
/// determines them by a simulation.
fn muscle(
    scene: &mut Scene<'_>,
    home: Option<&JointSpace>,
    geared: &Geared<'_>,
    pull: &Pull,
    parameters: MuscleParameters,
) -> Result<Result<Muscle, String>, ImportError> {
    let gear = match pull.transmission {
        Transmission::Coordinate { gear, .. } | Transmission::Tendon { gear, .. } => gear,
        _ => return Ok(Err("a muscle pulls on a joint or a tendon".to_owned())),
    };
    let all = &geared.shared;
    let given = all.fixed::<2>("lengthrange")?.filter(|[a, b]| a < b);
    let lengths = given.or_else(|| {
        let [a, b] = pull.range.map(|r| r.map(|x| gear * x))?;
        Some([a.min(b), a.max(b)])
    });
    let Some(lengths) = lengths.filter(|[a, b]| a < b) else {
        let why =
            "its range of lengths is unknown: give lengthrange, or limits of its joint or tendon";
        return Ok(Err(why.to_owned()));
    };
    if given.is_none() {
        let what = format!(
            "lengths of muscle '{}' are the limits of its joint or tendon; MuJoCo finds them by a simulation",
            geared.name
        );
        let remedy = "give lengthrange";
        scene
            .draft
            .notices
            .chose(&geared.element.place, what, remedy);
    }
    Ok(parameters.muscle(lengths, || home.map(|h| h.acceleration(&pull.arms))))
}

fn range(
    compiler: &Compiler,
    e: &Element,
    flag: &str,
    name: &str,
) -> Result<Option<[f64; 2]>, ImportError> {
    limited(compiler, e, flag, name, e.fixed::<2>(name)?)
}

/// `actuatorfrcrange` bounds the total force of all actuators of a joint: with one actuator, its own force.
fn bound_by_joints(scene: &mut Scene<'_>, places: &[Place]) {
    let bounded: Vec<_> = scene
        .joints
        .iter()
        .filter_map(|j| Some((j.kind, j.name.clone(), j.force_range?)))
        .collect();
    for (kind, name, [low, high]) in bounded {
        let on_it = |a: &Actuator| Pull::is_on(&a.transmission, kind);
        let actuators = &scene.draft.actuators;
        let Some(first) = actuators.iter().position(on_it) else {
            continue;
        };
        if actuators.iter().filter(|a| on_it(a)).count() > 1 {
            let what = format!("actuatorfrcrange of joint '{name}' bounds each of its actuators");
            scene.draft.notices.warn(&places[first], what, "");
        }
        for one in scene.draft.actuators.iter_mut().filter(|a| on_it(a)) {
            let Transmission::Coordinate { gear, .. } = one.transmission else {
                continue;
            };
            if gear == 0.0 {
                continue;
            }
            let (a, b) = (low / gear, high / gear);
            let (a, b) = (a.min(b), a.max(b));
            // The actuator's own range is clamped first, as in MuJoCo, so that the result is never empty.
            let own = one.force_range.unwrap_or([a, b]);
            one.force_range = Some(own.map(|f| f.clamp(a, b)));
        }
    }
}
