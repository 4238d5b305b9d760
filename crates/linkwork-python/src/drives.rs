//! An actuator for every drive that no actuator of the file pulls on, so that all are controlled by name.

use linkwork::model::{Axis, JointId, TendonId};
use linkwork_import::Mechanism;
use linkwork_import::mechanism::{Actuator, Transmission};

/// Add them; returns the controls at which all actuators start: those given, and for the drives of positions where the
/// mechanism is.
pub fn add_actuators(mechanism: &mut Mechanism, given: &[f64]) -> Vec<f64> {
    let mut controls: Vec<f64> = (0..mechanism.actuators.len())
        .map(|i| given.get(i).copied().unwrap_or(0.0))
        .collect();
    let model = mechanism.model.clone();
    let start = model.initial_state();
    for (j, joint) in model.joints().iter().enumerate() {
        for (coordinate, axis) in joint.axes.iter().enumerate() {
            let transmission = Transmission::Coordinate {
                joint: JointId(j as u32),
                coordinate,
                gear: 1.0,
            };
            let at = start.coordinates[joint.first_coordinate + coordinate];
            let name = mechanism.labels[j][coordinate].clone();
            add(mechanism, &mut controls, (name, axis), transmission, at);
        }
    }
    for (t, tendon) in model.tendons().iter().enumerate() {
        let transmission = Transmission::Tendon {
            tendon: t,
            gear: 1.0,
        };
        let length = start.tendon_length(&model, TendonId(t as u32));
        let named = (tendon.name.clone(), &tendon.axis);
        add(mechanism, &mut controls, named, transmission, length);
    }
    controls
}

fn add(
    mechanism: &mut Mechanism,
    controls: &mut Vec<f64>,
    (name, axis): (String, &Axis),
    transmission: Transmission,
    at: f64,
) {
    let Some(drive) = axis.drive else { return };
    let pulls = |a: &Actuator| same_place(&a.transmission, &transmission);
    if mechanism.actuators.iter().any(pulls) {
        return;
    }
    let (k, d) = (drive.stiffness, drive.damping);
    // The control is the target: k q_d, or d w_d where there is no stiffness.
    let (gain, start) = if k > 0.0 { (k, at) } else { (d, 0.0) };
    if gain <= 0.0 {
        return;
    }
    let taken = mechanism.actuators.iter().any(|a| a.name == name);
    mechanism.actuators.push(Actuator {
        name: if taken {
            format!("{name} (drive)")
        } else {
            name
        },
        transmission,
        gain,
        bias: [0.0, -k, -d],
        dynamics: None,
        control_range: None,
        force_range: None,
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
