//! Elements of the page for a model file: sliders for its actuators, buttons for its stored states.

use crate::import::Robot;
use crate::instruments::Instruments;
use crate::pilot::reaches;
use linkwork::State;
use linkwork::actuators::{Actuator, Transmission};
use linkwork::joints::Unit;
use linkwork::model::Model;
use linkwork_view::live::{ActuatorInfo, Desk, Overrides};
use std::sync::Arc;

/// The desk of a robot whose script looks at `overrides`.
pub fn desk(robot: Robot, overrides: Overrides, signals: Arc<Instruments>) -> Desk {
    let reaches = reaches(&robot.model);
    let actuators = robot.model.actuators().iter().zip(reaches);
    let model = &robot.model;
    let actuators = actuators.map(|(a, reach)| info(a, reach, model)).collect();
    let keyframes = robot.model.keyframes().iter();
    Desk {
        actuators,
        controls: robot.pilot.controls(&robot.model).to_vec(),
        overrides,
        keyframes: keyframes.map(|k| k.name.clone()).collect(),
        find: Box::new(move |index| keyframe(&robot.model, index)),
        signals,
    }
}

/// An actuator for the page; `reach` is the range of its slider if its control has no range.
fn info(actuator: &Actuator, reach: f64, model: &Model) -> ActuatorInfo {
    let servo = actuator.is_servo();
    let (kind, coordinate) = match actuator.transmission {
        Transmission::Coordinate {
            joint, coordinate, ..
        } => {
            let at = model.joint(joint).first_coordinate + coordinate;
            (
                if servo { "servo" } else { "motor" },
                Some((joint, coordinate, at)),
            )
        }
        Transmission::Tendon { .. } => ("tendon", None),
        Transmission::Frame { .. } => ("frame", None),
        Transmission::Adhesion { .. } => ("adhesion", None),
    };
    // Only for these is the unit of the control known: a force, or a position of the coordinate.
    let plain = matches!(
        actuator.transmission,
        Transmission::Coordinate { gear: 1.0, .. }
    );
    let angle =
        coordinate.map(|(joint, c, _)| model.joint(joint).kind.coordinates()[c].1 == Unit::Angle);
    let unit = match (plain, servo, angle) {
        (true, false, Some(true)) if actuator.gain == 1.0 => "N m",
        (true, false, Some(false)) if actuator.gain == 1.0 => "N",
        (true, true, Some(angle)) if actuator.gain == -actuator.bias[1] => {
            if angle {
                "rad"
            } else {
                "m"
            }
        }
        _ => "",
    };
    ActuatorInfo {
        name: actuator.name.clone(),
        kind,
        range: actuator.control_range.unwrap_or([-reach, reach]),
        unit,
        coordinate: coordinate.map(|(.., at)| at),
    }
}

/// A stored state with its loops closed, and its controls.
fn keyframe(model: &Model, index: usize) -> Result<(State, Vec<f64>), String> {
    let keyframe = &model.keyframes()[index];
    let closed = model.closed(&model.keyframe_state(keyframe));
    let closed = closed.map_err(|e| format!("its loops do not close: {e}"))?;
    Ok((closed.state, keyframe.controls.clone()))
}
