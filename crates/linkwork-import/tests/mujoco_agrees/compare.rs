//! Differences between an import and what MuJoCo makes of the same file.

use crate::facts::Facts;
use linkwork_import::Imported;

/// MuJoCo reads a mesh's vertices and the file's numbers as we do, but adds in another order.
const AGREES: f64 = 1e-9;
/// Of the largest entry. MuJoCo keeps principal axes, computed to about this.
const INERTIA_AGREES: f64 = 1e-9;

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= AGREES * b.abs().max(1.0)
}

/// Counts, and mass and place of every body, that are not as MuJoCo has them.
pub fn bodies(ours: &Imported, theirs: &Facts) -> Vec<String> {
    let mut found = Vec::new();
    let counts = &ours.counts;
    let links = ours.model.links();
    let state = ours.model.initial_state();
    if !near(counts.mass, theirs.mass) {
        found.push(format!("mass {} for {}", counts.mass, theirs.mass));
    }
    for (what, a, b) in [
        ("joints", counts.joints, theirs.joints),
        ("freedoms", counts.degrees_of_freedom, theirs.freedoms),
    ] {
        if a != b {
            found.push(format!("{a} {what} for {b}"));
        }
    }
    // With fusestatic MuJoCo drops bodies; those it keeps are compared by name.
    let fused = links.len() != theirs.bodies.len();
    let text = std::fs::read_to_string(&theirs.file).unwrap_or_default();
    if fused && !text.contains("fusestatic=\"true\"") {
        let (a, b) = (links.len(), theirs.bodies.len());
        found.push(format!("{a} bodies for {b}"));
        return found;
    }
    for (i, body) in theirs.bodies.iter().enumerate() {
        let link = if body.name.is_empty() {
            links.get(i)
        } else {
            ours.model.link_named(&body.name)
        };
        let Some(link) = link else {
            found.push(format!("no body '{}'", body.name));
            continue;
        };
        let at = link.frame.pose(&state).position;
        if !(0..3).all(|k| near(at[k], body.position[k])) {
            found.push(format!("body {i} at {at:?} for {:?}", body.position));
        }
        if !fused && !near(link.mass, body.mass) {
            found.push(format!("body {i} has {} kg for {}", link.mass, body.mass));
        }
    }
    found
}

/// Rigid bodies whose mass, centre or inertia differ.
pub fn solids(ours: &Imported, theirs: &Facts) -> Vec<String> {
    let mut found = Vec::new();
    let model = &ours.model;
    if ours.model.links().len() != theirs.bodies.len() {
        return found;
    }
    for solid in &theirs.solids {
        let Some(id) = ours.model.links()[solid.body].frame.body else {
            found.push(format!("body {} does not move", solid.body));
            continue;
        };
        let body = model.body(id);
        let turn = body.pose.rotation.to_rotation_matrix();
        let inertia = turn * body.inertia * turn.transpose();
        let size = solid.inertia.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let apart = (0..9).map(|k| (inertia[(k / 3, k % 3)] - solid.inertia[k]).abs());
        let apart = apart.fold(0.0, f64::max) / size;
        let centred = (0..3).all(|k| near(body.pose.position[k], solid.centre[k]));
        if !near(body.mass, solid.mass) || !centred || apart > INERTIA_AGREES {
            let at = body.pose.position - linkwork::math::Vec3::from(solid.centre);
            found.push(format!(
                "body {}: mass {} for {}, centre {:e} m away, inertia {apart:e}",
                solid.body,
                body.mass,
                solid.mass,
                at.norm()
            ));
        }
    }
    found
}

/// Hinges and slides on which something else acts.
pub fn hinges(ours: &Imported, theirs: &Facts) -> Vec<String> {
    let model = &ours.model;
    let state = model.initial_state();
    let differing = theirs.hinges.iter().filter_map(|hinge| {
        let Some((id, c)) = model.coordinate_named(&hinge.name) else {
            return Some(format!("no joint '{}'", hinge.name));
        };
        let axis = &model.joint(id).axes[c];
        let home = state.joint_coordinates(model, id)[c];
        let range = axis.limits.map(|l| [l.min, l.max]);
        let pairs = [
            ("home", home, hinge.home),
            ("stiffness", axis.spring.stiffness, hinge.stiffness),
            ("rest", axis.spring.rest, hinge.rest),
            ("damping", axis.spring.damping, hinge.damping),
            ("friction", axis.friction, hinge.friction),
            (
                "armature",
                axis.armature,
                hinge.armature.unwrap_or(axis.armature),
            ),
            (
                "range",
                range.is_some().into(),
                hinge.range.is_some().into(),
            ),
            (
                "least",
                range.map_or(0.0, |r| r[0]),
                hinge.range.map_or(0.0, |r| r[0]),
            ),
            (
                "most",
                range.map_or(0.0, |r| r[1]),
                hinge.range.map_or(0.0, |r| r[1]),
            ),
        ];
        let wrong = pairs.iter().find(|(_, a, b)| !near(*a, *b));
        wrong.map(|(what, a, b)| format!("{what} of joint '{}': {a} for {b}", hinge.name))
    });
    differing.collect()
}

/// Actuators with another gain or bias; the import reports omitted ones. Muscles have curves (`mujoco_elements`).
pub fn actuators(ours: &Imported, theirs: &Facts) -> Vec<String> {
    let differing = theirs.actuators.iter().filter_map(|servo| {
        let mut all = ours.model.actuators().iter();
        let a = all.find(|a| a.name == servo.name && a.muscle.is_none())?;
        let same = near(a.gain, servo.gain) && (0..3).all(|k| near(a.bias[k], servo.bias[k]));
        (!same).then(|| {
            let (gain, bias) = (servo.gain, servo.bias);
            format!(
                "actuator '{}': {} {:?} for {gain} {bias:?}",
                a.name, a.gain, a.bias
            )
        })
    });
    differing.collect()
}

/// Keyframes in which a body is elsewhere or moves otherwise. MuJoCo has more of them: those of attached
/// models, and empty ones. What does not move here may be moved by `mpos` there.
pub fn keys(ours: &Imported, theirs: &Facts) -> Vec<String> {
    let model = &ours.model;
    let same_count = model.keyframes().len() == theirs.keys.len();
    let mut found = Vec::new();
    for (i, key) in model.keyframes().iter().enumerate() {
        let named = theirs.keys.iter().find(|k| k.name == key.name);
        let by_number = theirs
            .keys
            .get(i)
            .filter(|k| same_count && k.name.is_empty());
        let Some(theirs) = named.or(by_number) else {
            continue;
        };
        let state = model.keyframe_state(key);
        let bodies = theirs.positions.iter().zip(&theirs.velocities);
        let links = model.links().iter().zip(bodies);
        for (link, (position, velocity)) in links.filter(|(l, _)| l.frame.body.is_some()) {
            let at = link.frame.pose(&state).position;
            let twist = link.frame.twist(&state);
            let moves = [twist.linear.as_slice(), twist.angular.as_slice()].concat();
            let placed = (0..3).all(|k| near(at[k], position[k]));
            if !placed || !(0..6).all(|k| near(moves[k], velocity[k])) {
                found.push(format!(
                    "'{}' in keyframe '{}': {:?} {moves:?} for {position:?} {velocity:?}",
                    link.frame.name,
                    key.name,
                    at.as_slice()
                ));
            }
        }
    }
    found
}
