//! Inputs of viewers in addition to the control of a run's script.

use crate::grab::Grab;
use linkwork::Script;
use linkwork::math::Wrench;
use linkwork::model::{BodyId, Drive, Joint, Model};
use linkwork::{Control, State};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum speed, m/s or rad/s, with which sliders and pointer move bodies with rigid drives, which follow any target
/// within a step.
const SPEED: f64 = 1.0;

/// Targets and the pull of the pointer, until they are withdrawn.
#[derive(Debug, Default)]
pub struct Overlay {
    /// Target of coordinates whose slider was moved, by index.
    targets: BTreeMap<usize, f64>,
    /// Present positions of rigid drives on the way to their targets, m or rad.
    on_the_way: BTreeMap<usize, f64>,
    /// Time of the last step, s.
    last: f64,
    /// The pull, if a body is held.
    pub grab: Option<Grab>,
    /// The wrench of the pulled body as set by the script, while the pull is added to it.
    covered: Option<(usize, Wrench)>,
}

impl Overlay {
    /// Sets a target, or returns why that is not possible.
    pub fn target(&mut self, model: &Model, coordinate: usize, value: f64) -> Result<(), String> {
        if coordinate >= model.coordinate_count() {
            let count = model.coordinate_count();
            return Err(format!(
                "there is no coordinate {coordinate}; the model has {count}"
            ));
        }
        if drive(model, coordinate).is_none() {
            return Err(format!("coordinate {coordinate} has no drive"));
        }
        self.targets.insert(coordinate, value);
        Ok(())
    }

    /// Forget everything.
    pub fn clear(&mut self) {
        self.targets.clear();
        self.on_the_way.clear();
        self.grab = None;
    }

    /// Put it over the control of the coming step.
    fn lay(&mut self, model: &Model, state: &State, control: &mut Control) {
        // After a jump in time there is no motion in this step.
        let passed = state.time - self.last;
        let most = SPEED
            * if (0.0..1.0).contains(&passed) {
                passed
            } else {
                0.0
            };
        self.last = state.time;
        self.carry(model, state, most);
        for (&coordinate, &value) in &self.targets {
            match drive(model, coordinate) {
                Some(drive) if drive.is_rigid() => {
                    let start = state.coordinates[coordinate];
                    let at = self.on_the_way.entry(coordinate).or_insert(start);
                    *at += (value - *at).clamp(-most, most);
                    control.targets[coordinate] = *at;
                }
                Some(drive) if drive.stiffness == 0.0 => {
                    control.velocity_targets[coordinate] = value
                }
                _ => control.targets[coordinate] = value,
            }
        }
        if let Some(grab) = &self.grab
            && moved_joint(model, grab.body).is_none()
        {
            let own = &mut control.wrenches[grab.body.index()];
            self.covered = Some((grab.body.index(), *own));
            let pull = grab.wrench(state);
            own.force += pull.force;
            own.torque += pull.torque;
        }
    }

    /// Moves a body that is moved from outside towards the pointer, by at most `most` (m) in this step.
    fn carry(&mut self, model: &Model, state: &State, most: f64) {
        let Some(grab) = &self.grab else { return };
        let Some(joint) = moved_joint(model, grab.body) else {
            return;
        };
        let pose = &state.poses[grab.body.index()];
        let way = grab.target - pose.transform_point(&grab.local);
        let way = way * (most / way.norm().max(most).max(f64::MIN_POSITIVE));
        let way = joint.frame_base.rotation.inverse() * way;
        for i in 0..3 {
            let coordinate = joint.first_coordinate + i;
            let to = state.coordinates[coordinate] + way[i];
            self.targets.insert(coordinate, to);
            self.on_the_way.insert(coordinate, to);
        }
    }

    /// Restores the wrench set by the script.
    pub fn lift(&mut self, control: &mut Control) {
        if let Some((body, wrench)) = self.covered.take() {
            control.wrenches[body] = wrench;
        }
    }
}

/// An overlay shared by the script of a run and the loop around the run.
#[derive(Clone, Default)]
pub struct SharedOverlay(Arc<Mutex<Overlay>>);

impl SharedOverlay {
    /// The overlay.
    pub fn lock(&self) -> MutexGuard<'_, Overlay> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The script, followed by the overlay.
    pub fn over(&self, mut script: Option<Script>) -> Script {
        let overlay = self.clone();
        Box::new(move |model, state, control| {
            if let Some(script) = &mut script {
                script(model, state, control);
            }
            overlay.lock().lay(model, state, control);
        })
    }
}

/// The targets of all coordinates: velocities for drives without stiffness.
pub fn shown_targets(model: &Model, control: &Control) -> Vec<f64> {
    let target = |c: usize| match drive(model, c) {
        Some(drive) if drive.stiffness == 0.0 => control.velocity_targets[c],
        _ => control.targets[c],
    };
    (0..model.coordinate_count()).map(target).collect()
}

/// The joint by which a body is moved from outside.
fn moved_joint(model: &Model, body: BodyId) -> Option<&Joint> {
    let mut joints = model.joints().iter();
    joints.find(|j| j.follower == body && j.is_moved())
}

fn drive(model: &Model, coordinate: usize) -> Option<Drive> {
    let mut joints = model.joints().iter();
    let joint = joints.rfind(|j| j.first_coordinate <= coordinate && !j.axes.is_empty())?;
    joint.axes.get(coordinate - joint.first_coordinate)?.drive
}
