//! Targets over time.

use linkwork::Control;
use linkwork::math::{Vec3, Wrench};
use linkwork::model::{BodyId, JointId, Model};

/// Half the time over which the speed of a target is measured, s.
const HALF_STEP: f64 = 5e-4;

/// From 0 at `from` to 1 at `to`, at rest at both ends (least jerk, Flash & Hogan 1985).
pub(crate) fn ramp(time: f64, from: f64, to: f64) -> f64 {
    let u = ((time - from) / (to - from)).clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// Poses passed at given times (s, ascending), resting at each; before the first and after the last
/// it stays there.
pub(crate) fn pass<const N: usize>(keys: &[(f64, [f64; N])], time: f64) -> [f64; N] {
    let next = keys.partition_point(|(at, _)| *at <= time);
    let (Some(before), Some(after)) = (next.checked_sub(1), keys.get(next)) else {
        return keys.get(next).or(keys.last()).map_or([0.0; N], |k| k.1);
    };
    let (from, start) = keys[before];
    let (to, end) = *after;
    let share = ramp(time, from, to);
    std::array::from_fn(|i| start[i] + share * (end[i] - start[i]))
}

/// Aim the drives of `joints` at the angles (rad) that `targets` gives for a time, with their speeds.
pub(crate) fn track<const N: usize>(
    model: &Model,
    control: &mut Control,
    joints: &[JointId; N],
    time: f64,
    targets: impl Fn(f64) -> [f64; N],
) {
    let (before, after) = (targets(time - HALF_STEP), targets(time + HALF_STEP));
    for (i, &joint) in joints.iter().enumerate() {
        let rate = (after[i] - before[i]) / (2.0 * HALF_STEP);
        control.target(model, joint, 0.5 * (before[i] + after[i]));
        control.velocity_target(model, joint, rate);
    }
}

/// A force on a body for a while.
#[derive(Clone, Copy)]
pub(crate) struct Push {
    /// The body.
    pub body: BodyId,
    /// When it begins and ends, s.
    pub span: (f64, f64),
    /// Force at the centre of mass, N.
    pub force: Vec3,
}

impl Push {
    /// Push if it is time, and let go otherwise.
    pub(crate) fn apply(&self, control: &mut Control, time: f64) {
        let on = (self.span.0..self.span.1).contains(&time);
        let force = if on { self.force } else { Vec3::zeros() };
        let torque = Vec3::zeros();
        control.wrench(self.body, Wrench { force, torque });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_passed_and_kept_at_the_ends() {
        let keys = [(1.0, [2.0]), (3.0, [4.0])];
        let at = |t| pass(&keys, t)[0];
        assert_eq!(
            [at(0.0), at(1.0), at(2.0), at(3.0), at(9.0)],
            [2.0, 2.0, 3.0, 4.0, 4.0]
        );
    }
}
