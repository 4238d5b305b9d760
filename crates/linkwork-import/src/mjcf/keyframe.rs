//! Keyframes: stored states of the main file.

use super::names::Kind;
use super::scene::{JointKind, Scene};
use crate::draft::DraftKeyframe;
use crate::xml::{Attribute, Element};
use crate::{Fault, ImportError};
use linkwork::math::{Pose, Quat, Twist, Vec3, left_jacobian_inverse, log};
use nalgebra::Quaternion;

/// Read all keyframes.
pub(super) fn read(scene: &mut Scene<'_>) -> Result<(), ImportError> {
    let whole = scene.scopes[0].clone();
    for (number, e) in scene.main().section("keyframe").enumerate() {
        let fallback = format!("key_{number}");
        let name = scene
            .names
            .enter(Kind::Keyframe, e, &whole, number, &fallback)?;
        let made = keyframe(scene, e, name)?;
        scene.draft.keyframes.push(made);
    }
    let others = scene.documents.iter().rev().skip(1);
    let lost = others.flat_map(|d| d.section("keyframe")).next();
    if let Some(e) = lost {
        let what = "keyframes of attached models are left out";
        scene.draft.notices.ignored(&e.place, what);
    }
    Ok(())
}

fn keyframe(
    scene: &mut Scene<'_>,
    e: &Element,
    name: String,
) -> Result<DraftKeyframe, ImportError> {
    let mut key = DraftKeyframe {
        name,
        time: e.number("time")?.unwrap_or(0.0),
        ..DraftKeyframe::default()
    };
    let width = |kind: JointKind, free: usize, ball: usize| match kind {
        JointKind::Free(_) => free,
        JointKind::Ball(..) => ball,
        JointKind::Scalar(..) => 1,
    };
    let count = |free, ball| -> usize {
        let joints = scene.joints.iter();
        joints.map(|j| width(j.kind, free, ball)).sum()
    };
    let q = values(e, "qpos", count(7, 4))?;
    let v = values(e, "qvel", count(6, 3))?;
    let mut state = State::home(scene);
    let (mut at_q, mut at_v) = (0, 0);
    for (i, joint) in scene.joints.iter().enumerate() {
        let (nq, nv) = (width(joint.kind, 7, 4), width(joint.kind, 6, 3));
        if let Some((q, a)) = &q {
            state.place(i, joint.kind, &q[at_q..at_q + nq], a)?;
        }
        if let Some((v, _)) = &v {
            state.speed(i, joint.kind, &v[at_v..at_v + nv]);
        }
        (at_q, at_v) = (at_q + nq, at_v + nv);
    }
    state.store(scene, v.is_some(), &mut key);
    key.controls = controls(scene, e)?;
    for name in ["mpos", "mquat", "act", "plastic"] {
        if let Some(a) = e.attribute(name) {
            let what = format!("{name} of keyframes has no effect");
            scene.draft.notices.ignored(&a.place, what);
        }
    }
    Ok(key)
}

type Listed<'e> = Option<(Vec<f64>, &'e Attribute)>;

fn values<'e>(e: &'e Element, name: &str, count: usize) -> Result<Listed<'e>, ImportError> {
    let (Some(values), Some(a)) = (e.numbers(name)?, e.attribute(name)) else {
        return Ok(None);
    };
    if values.len() != count {
        let what = format!(
            "{name} has {} numbers, the model needs {count}",
            values.len()
        );
        let remedy = "give one for every coordinate, in the order of the joints";
        return Err(ImportError::new(&a.place, Fault::BadValue, what, remedy));
    }
    Ok(Some((values, a)))
}

/// The controls of actuators that are carried.
fn controls(scene: &mut Scene<'_>, e: &Element) -> Result<Vec<f64>, ImportError> {
    let Some(a) = e.attribute("ctrl") else {
        return Ok(Vec::new());
    };
    let Some(carried) = &scene.controls else {
        let what = "ctrl of keyframes is left out: some actuators have several controls";
        scene.draft.notices.ignored(&a.place, what);
        return Ok(Vec::new());
    };
    let given = values(e, "ctrl", scene.control_count)?;
    let given = given.map(|g| g.0).unwrap_or_default();
    Ok(carried.iter().map(|i| given[*i]).collect())
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
        Self {
            places: places.collect(),
            coordinates: coordinates.collect(),
            twists: vec![Twist::zero(); n],
            rates: vec![Vec::new(); n],
        }
    }

    fn place(
        &mut self,
        i: usize,
        kind: JointKind,
        q: &[f64],
        from: &Attribute,
    ) -> Result<(), ImportError> {
        match kind {
            JointKind::Free(_) => {
                self.places[i] = Pose::new(Vec3::new(q[0], q[1], q[2]), turn(&q[3..], from)?);
            }
            JointKind::Ball(..) => {
                let v = log(&turn(q, from)?);
                self.coordinates[i] = vec![v.x, v.y, v.z];
            }
            JointKind::Scalar(..) => self.coordinates[i] = q.to_vec(),
        }
        Ok(())
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
                        key.joints.push((id, Vec::new()));
                        if moving {
                            key.rates.push((id, Vec::new()));
                        }
                    }
                    if let Some((_, all)) = key.joints.last_mut() {
                        all.extend(&self.coordinates[i]);
                    }
                    if let Some((_, all)) = key.rates.last_mut() {
                        all.extend(&self.rates[i]);
                    }
                }
            }
        }
    }
}

fn turn(q: &[f64], from: &Attribute) -> Result<Quat, ImportError> {
    let q = Quaternion::new(q[0], q[1], q[2], q[3]);
    if q.norm() < 1e-14 {
        return Err(from.bad("contains a zero quaternion", "give a unit quaternion"));
    }
    Ok(Quat::from_quaternion(q))
}
