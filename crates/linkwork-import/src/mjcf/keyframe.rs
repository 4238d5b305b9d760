//! Keyframes: stored states.

mod layout;

use super::names::Kind;
use super::scene::{JointKind, Scene};
use crate::draft::DraftKeyframe;
use crate::xml::Element;
use crate::{Fault, ImportError};
use layout::Layout;
use linkwork::math::{Pose, Quat, Twist, Vec3, left_jacobian_inverse, log};
use nalgebra::Quaternion;
use std::collections::BTreeMap;

/// Maximum total length of the keyframes of attached models: each has a state of the whole model.
const MAX_NUMBERS: usize = 4_000_000;

/// Reads all keyframes: those of the main file, then those of each attached file, with the rest in the home pose.
pub(super) fn read(scene: &mut Scene<'_>) -> Result<(), ImportError> {
    let documents = scene.documents;
    let mut orders = BTreeMap::new();
    let mut numbers = 0;
    for instance in 0..scene.instances.len() {
        let scope = scene.instances[instance].clone();
        let document = &documents[scope.document];
        // What attaches a part of its own file has its keyframes already.
        let again = instance > 0 && scope.document == documents.len() - 1;
        let Some(first) = document.section("keyframe").next().filter(|_| !again) else {
            continue;
        };
        if instance > 0 && !orders.contains_key(&scope.document) {
            orders.insert(scope.document, layout::order(document)?);
        }
        let layout = match orders.get(&scope.document) {
            None => Some(Layout::whole(scene)),
            Some(None) => None,
            Some(Some(order)) => {
                let count = document.section("keyframe").count();
                numbers += order.len() + count * (scene.joints.len() + scene.control_count);
                let fits = numbers <= MAX_NUMBERS;
                fits.then(|| Layout::attached(scene, instance, order))
            }
        };
        let Some(layout) = layout else {
            let what = "keyframes of an attached model that has copies or attachments of its own, or is \
                        attached too often, are left out";
            scene.draft.notices.ignored(&first.place, what);
            continue;
        };
        for e in document.section("keyframe") {
            let number = scene.draft.keyframes.len();
            let fallback = format!("{}key_{number}", scope.prefix);
            let name = scene
                .names
                .enter(Kind::Keyframe, e, &scope, number, &fallback)?;
            let made = keyframe(scene, e, name, &layout)?;
            scene.draft.keyframes.push(made);
        }
    }
    Ok(())
}

fn keyframe(
    scene: &mut Scene<'_>,
    e: &Element,
    name: String,
    layout: &Layout,
) -> Result<DraftKeyframe, ImportError> {
    let mut key = DraftKeyframe::default();
    key.state.name = name;
    key.state.time = e.number("time")?.unwrap_or(0.0);
    let slots = &layout.joints;
    let q = values(scene, e, "qpos", slots.iter().map(|s| s.positions).sum())?;
    let v = values(scene, e, "qvel", slots.iter().map(|s| s.velocities).sum())?;
    let mut state = State::home(scene);
    let (mut at_q, mut at_v, mut zero_turns) = (0, 0, 0);
    for slot in slots {
        let (from_q, from_v) = (at_q, at_v);
        (at_q, at_v) = (at_q + slot.positions, at_v + slot.velocities);
        let Some(i) = slot.joint else { continue };
        let kind = scene.joints[i].kind;
        // Values missing at the end of a list are those of the home pose at rest, as in MuJoCo.
        if let Some(q) = q.as_ref().and_then(|q| q.get(from_q..at_q)) {
            zero_turns += usize::from(state.place(i, kind, q));
        }
        if let Some(v) = v.as_ref().and_then(|v| v.get(from_v..at_v)) {
            state.speed(i, kind, v);
        }
    }
    if let (1.., Some(a)) = (zero_turns, e.attribute("qpos")) {
        let what = format!("{zero_turns} zero quaternion(s) in qpos are taken as no rotation");
        scene
            .draft
            .notices
            .warn(&a.place, what, "give unit quaternions");
    }
    state.store(scene, v.is_some(), &mut key);
    key.state.controls = controls(scene, e, layout)?;
    mocaps(scene, e, layout, &mut key)?;
    key.state.activations = activations(scene, e, layout)?;
    if let Some(a) = e.attribute("plastic") {
        let what = "plastic of keyframes has no effect";
        scene.draft.notices.ignored(&a.place, what);
    }
    Ok(key)
}

/// The activations of actuators that are carried, in their order.
fn activations(
    scene: &mut Scene<'_>,
    e: &Element,
    layout: &Layout,
) -> Result<Vec<f64>, ImportError> {
    let Some(a) = e.attribute("act") else {
        return Ok(Vec::new());
    };
    let Some(all) = scene.activations.clone().filter(|_| layout.is_whole) else {
        let what = "act of keyframes is left out: of attached models, and where actuators have several activations";
        scene.draft.notices.ignored(&a.place, what);
        return Ok(Vec::new());
    };
    let given = values(scene, e, "act", all.len())?.unwrap_or_default();
    let mut activations = vec![0.0; scene.draft.actuators.len()];
    for (id, value) in all.iter().zip(given) {
        if let Some(id) = id {
            activations[id.index()] = value;
        }
    }
    Ok(activations)
}

/// Poses of the mocap bodies; those not given are in the home pose.
fn mocaps(
    scene: &mut Scene<'_>,
    e: &Element,
    layout: &Layout,
    key: &mut DraftKeyframe,
) -> Result<(), ImportError> {
    if !layout.is_whole {
        for name in ["mpos", "mquat"] {
            if let Some(a) = e.attribute(name) {
                let what = format!("{name} of keyframes of attached models has no effect");
                scene.draft.notices.ignored(&a.place, what);
            }
        }
        return Ok(());
    }
    let count = scene.mocaps.len();
    let places = values(scene, e, "mpos", 3 * count)?.unwrap_or_default();
    let turns = values(scene, e, "mquat", 4 * count)?.unwrap_or_default();
    for (i, &(joint, link)) in scene.mocaps.iter().enumerate() {
        let home = scene.draft.links[link.0].pose;
        let place = places.get(3 * i..3 * i + 3);
        let place = place.map_or(home.position, Vec3::from_column_slice);
        let turn = turns.get(4 * i..4 * i + 4).and_then(turn);
        let turn = log(&turn.unwrap_or(home.rotation));
        let coordinates = place.iter().chain(turn.iter()).copied().collect();
        key.state.joints.push((joint, coordinates));
    }
    Ok(())
}

/// A list of at most `count` numbers; a shorter one causes a notice.
fn values(
    scene: &mut Scene<'_>,
    e: &Element,
    name: &str,
    count: usize,
) -> Result<Option<Vec<f64>>, ImportError> {
    let (Some(values), Some(a)) = (e.numbers(name)?, e.attribute(name)) else {
        return Ok(None);
    };
    let what = format!(
        "{name} has {} numbers, the model needs {count}",
        values.len()
    );
    let remedy = "give one for every coordinate, in the order of the joints";
    if values.len() > count {
        return Err(ImportError::new(&a.place, Fault::BadValue, what, remedy));
    }
    if values.len() < count {
        let what = format!("{what}: the rest is in the home pose and at rest");
        scene.draft.notices.warn(&a.place, what, remedy);
    }
    Ok(Some(values))
}

/// The controls of actuators that are carried.
fn controls(scene: &mut Scene<'_>, e: &Element, layout: &Layout) -> Result<Vec<f64>, ImportError> {
    let Some(a) = e.attribute("ctrl") else {
        return Ok(Vec::new());
    };
    let Some(carried) = scene.controls.clone() else {
        let what = "ctrl of keyframes is left out: some actuators have several controls";
        scene.draft.notices.ignored(&a.place, what);
        return Ok(Vec::new());
    };
    let given = values(scene, e, "ctrl", layout.control_count)?.unwrap_or_default();
    let given = |control: &usize| {
        let at = layout.controls.get(control)?;
        given.get(*at).copied()
    };
    Ok(carried.iter().map(|c| given(c).unwrap_or(0.0)).collect())
}

/// Coordinates and rates by joint of the file.
struct State {
    places: Vec<Pose>,
    coordinates: Vec<Vec<f64>>,
    twists: Vec<Twist>,
    rates: Vec<Vec<f64>>,
}

impl State {
    fn home(scene: &Scene<'_>) -> Self {
        let n = scene.joints.len();
        let places = scene.joints.iter().map(|j| match j.kind {
            JointKind::Free(link) => scene.draft.links[link.0].pose,
            _ => Pose::identity(),
        });
        let coordinates = scene.joints.iter().map(|j| match j.kind {
            JointKind::Free(_) => Vec::new(),
            JointKind::Ball(..) => vec![0.0; 3],
            JointKind::Scalar(..) => vec![j.home],
        });
        let rates = scene.joints.iter().map(|j| match j.kind {
            JointKind::Free(_) => Vec::new(),
            JointKind::Ball(..) => vec![0.0; 3],
            JointKind::Scalar(..) => vec![0.0],
        });
        Self {
            places: places.collect(),
            coordinates: coordinates.collect(),
            twists: vec![Twist::zero(); n],
            rates: rates.collect(),
        }
    }

    /// Returns whether there was a zero quaternion.
    fn place(&mut self, i: usize, kind: JointKind, q: &[f64]) -> bool {
        match kind {
            JointKind::Free(_) => {
                let turn = turn(&q[3..]);
                let position = Vec3::new(q[0], q[1], q[2]);
                self.places[i] = Pose::new(position, turn.unwrap_or_default());
                turn.is_none()
            }
            JointKind::Ball(..) => {
                let turn = turn(q);
                let v = log(&turn.unwrap_or_default());
                self.coordinates[i] = vec![v.x, v.y, v.z];
                turn.is_none()
            }
            JointKind::Scalar(..) => {
                self.coordinates[i] = q.to_vec();
                false
            }
        }
    }

    /// Angular velocities of free and ball joints are along the body's own axes.
    fn speed(&mut self, i: usize, kind: JointKind, v: &[f64]) {
        match kind {
            JointKind::Free(_) => {
                let spin = self.places[i].rotation * Vec3::new(v[3], v[4], v[5]);
                self.twists[i] = Twist::new(Vec3::new(v[0], v[1], v[2]), spin);
            }
            JointKind::Ball(..) => {
                let theta = Vec3::from_column_slice(&self.coordinates[i]);
                let spin = linkwork::math::exp(&theta) * Vec3::new(v[0], v[1], v[2]);
                let rate = left_jacobian_inverse(&theta) * spin;
                self.rates[i] = vec![rate.x, rate.y, rate.z];
            }
            JointKind::Scalar(..) => self.rates[i] = v.to_vec(),
        }
    }

    /// By joint of the draft, in which several of the file may be one.
    fn store(self, scene: &Scene<'_>, moving: bool, key: &mut DraftKeyframe) {
        for (i, joint) in scene.joints.iter().enumerate() {
            match joint.kind {
                JointKind::Free(link) => key.links.push((link, self.places[i], self.twists[i])),
                JointKind::Ball(id, first) | JointKind::Scalar(id, first) => {
                    if first == 0 {
                        key.state.joints.push((id, Vec::new()));
                        if moving {
                            key.state.rates.push((id, Vec::new()));
                        }
                    }
                    if let Some((_, all)) = key.state.joints.last_mut() {
                        all.extend(&self.coordinates[i]);
                    }
                    if let Some((_, all)) = key.state.rates.last_mut() {
                        all.extend(&self.rates[i]);
                    }
                }
            }
        }
    }
}

fn turn(q: &[f64]) -> Option<Quat> {
    let q = Quaternion::new(q[0], q[1], q[2], q[3]);
    (q.norm() > 1e-14).then(|| Quat::from_quaternion(q))
}
