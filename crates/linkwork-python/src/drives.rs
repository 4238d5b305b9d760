//! An actuator for every drive that no actuator of the file pulls on, so that all are controlled by name.

use linkwork::actuators::{Actuator, Transmission};
use linkwork::model::{Axis, JointId, Model, ModelData, TendonId};

/// Add them to the data of a model; returns the controls at which all actuators start: those given, and for the drives
/// of positions where the mechanism is.
pub fn add_actuators(model: &Model, data: &mut ModelData, given: &[f64]) -> Vec<f64> {
    let mut controls: Vec<f64> = (0..model.actuators().len())
        .map(|i| given.get(i).copied().unwrap_or(0.0))
        .collect();
    let start = model.initial_state();
    for (j, joint) in model.joints().iter().enumerate() {
        for (coordinate, axis) in joint.axes.iter().enumerate() {
            let transmission = Transmission::Coordinate {
                joint: JointId(j as u32),
                coordinate,
                gear: 1.0,
            };
            let at = start.coordinates[joint.first_coordinate + coordinate];
            let name = model.labels()[j][coordinate].clone();
            add(data, &mut controls, (name, axis), transmission, at);
        }
    }
    for (t, tendon) in model.tendons().iter().enumerate() {
        let id = TendonId(t as u32);
        let transmission = Transmission::Tendon {
            tendon: id,
            gear: 1.0,
        };
        let length = start.tendon_length(model, id);
        let named = (tendon.name.clone(), &tendon.axis);
        add(data, &mut controls, named, transmission, length);
    }
    controls
}

fn add(
    data: &mut ModelData,
    controls: &mut Vec<f64>,
    (name, axis): (String, &Axis),
    transmission: Transmission,
    at: f64,
) {
    // A rigid drive has a target without a force (`Simulator.set_target`, `place`).
    let Some(drive) = axis.drive.filter(|d| !d.is_rigid()) else {
        return;
    };
    let pulls = |a: &Actuator| same_place(&a.transmission, &transmission);
    if data.actuators.iter().any(pulls) {
        return;
    }
    let (k, d) = (drive.stiffness, drive.damping);
    // The control is the target: k q_d, or d w_d where there is no stiffness.
    let (gain, start) = if k > 0.0 { (k, at) } else { (d, 0.0) };
    if gain <= 0.0 {
        return;
    }
    let taken = data.actuators.iter().any(|a| a.name == name);
    let name = if taken {
        format!("{name} (drive)")
    } else {
        name
    };
    data.actuators.push(Actuator {
        gain,
        bias: [0.0, -k, -d],
        ..Actuator::on(name, transmission)
    });
    controls.push(start);
}

fn same_place(a: &Transmission, b: &Transmission) -> bool {
    match (a, b) {
        (
            Transmission::Coordinate {
                joint: i,
                coordinate: c,
                ..
            },
            Transmission::Coordinate {
                joint: j,
                coordinate: d,
                ..
            },
        ) => i == j && c == d,
        (Transmission::Tendon { tendon: s, .. }, Transmission::Tendon { tendon: t, .. }) => s == t,
        _ => false,
    }
}
