//! Scripted motion: targets of servos as functions of time.

use super::rig::Side;
use super::rods::Linked;
use linkwork::Control;
use linkwork::model::{JointId, Model};

/// A time (s) and the target angle (rad) of a servo at that time.
pub(crate) type Key = (f64, f64);

/// Angles of one servo; eased from key to key, from 0 at the start and held after the last. Several
/// tracks of one servo add up.
struct Track {
    joint: JointId,
    keys: Vec<Key>,
}

/// What all servos of a figure are asked to do.
#[derive(Default)]
pub(crate) struct Motion {
    tracks: Vec<Track>,
}

impl Motion {
    /// Nothing but holding still.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Move a servo through keys in the order of time.
    pub(crate) fn track(&mut self, joint: JointId, keys: &[Key]) -> &mut Self {
        self.scaled(joint, 1.0, keys)
    }

    /// Move all servos of a linkage, by keys of its driver.
    pub(crate) fn linked(&mut self, linked: &Linked, keys: &[Key]) -> &mut Self {
        for (hinge, ratio) in linked.hinges() {
            self.scaled(hinge, ratio, keys);
        }
        self
    }

    /// The same with all angles times a factor, e.g. the sign of a side.
    pub(crate) fn scaled(&mut self, joint: JointId, factor: f64, keys: &[Key]) -> &mut Self {
        let keys = keys.iter().map(|&(t, q)| (t, factor * q)).collect();
        self.tracks.push(Track { joint, keys });
        self
    }

    /// Set the targets of the present moment.
    pub(crate) fn apply(&self, model: &Model, time: f64, control: &mut Control) {
        for track in &self.tracks {
            control.target(model, track.joint, 0.0);
            control.velocity_target(model, track.joint, 0.0);
        }
        for track in &self.tracks {
            let at = model.joint(track.joint).first_coordinate;
            let (angle, speed) = eased(&track.keys, time);
            control.targets[at] += angle;
            control.velocity_targets[at] += speed;
        }
    }
}

/// Angle and speed at a time: cubic from key to key, at rest in each.
fn eased(keys: &[Key], time: f64) -> (f64, f64) {
    let next = keys.partition_point(|k| k.0 <= time);
    let from = if next == 0 {
        (0.0, 0.0)
    } else {
        keys[next - 1]
    };
    let Some(&to) = keys.get(next) else {
        return (from.1, 0.0);
    };
    let span = to.0 - from.0;
    let s = (time - from.0) / span;
    let rise = to.1 - from.1;
    (
        from.1 + rise * s * s * (3.0 - 2.0 * s),
        rise * 6.0 * s * (1.0 - s) / span,
    )
}

/// Keys that go `n` times to `high` and back to `low`, a period (s) each, from time `start`.
pub(crate) fn wave(start: f64, period: f64, n: usize, low: f64, high: f64) -> Vec<Key> {
    let turn = |k: usize| {
        (
            start + 0.5 * period * k as f64,
            if k.is_multiple_of(2) { low } else { high },
        )
    };
    (0..=2 * n).map(turn).collect()
}

/// Keys of arms that take turns: one is raised to `up` while the other rests at `rest`.
pub(crate) fn in_turn(side: Side, up: f64, rest: f64) -> Vec<Key> {
    let late = if side == Side::Left { 0.0 } else { 2.4 };
    let mut keys = vec![(0.1, 0.0)];
    for start in [0.3 + late, 5.1 + late] {
        keys.extend([
            (start, 0.0),
            (start + 0.8, up),
            (start + 1.6, up),
            (start + 2.3, rest),
        ]);
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::eased;

    #[test]
    fn keys_are_met_at_rest_and_the_speed_is_the_slope() {
        let keys = [(1.0, 0.5), (2.0, -0.5)];
        assert_eq!(eased(&keys, 0.0), (0.0, 0.0));
        assert_eq!(eased(&keys, 1.0), (0.5, 0.0));
        assert_eq!(eased(&keys, 9.0), (-0.5, 0.0));
        for t in [0.3, 0.9, 1.2, 1.7] {
            let slope = (eased(&keys, t + 1e-6).0 - eased(&keys, t - 1e-6).0) / 2e-6;
            assert!((slope - eased(&keys, t).1).abs() < 1e-8);
        }
    }
}
