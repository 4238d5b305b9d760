//! Legs with a knee, and where a foot goes when it steps.
//!
//! In the drawing a leg hangs straight down. Hinges turn about +y: a positive angle takes the leg from
//! down (−z) to the back (−x).

use std::f64::consts::{PI, TAU};

/// Two segments and the way the knee bends.
#[derive(Clone, Copy)]
pub(crate) struct Leg {
    /// Hip to knee, m.
    pub thigh: f64,
    /// Knee to ankle or foot, m.
    pub shin: f64,
    /// Sign of the knee's angle: +1 as a human's, −1 as a bird's ankle.
    pub bend: f64,
}

impl Leg {
    /// Angles of hip and knee (rad) that put the end of the leg at (x, z) from the hip, m; the nearest
    /// within reach.
    pub(crate) fn reach(&self, x: f64, z: f64) -> (f64, f64) {
        let (a, b) = (self.thigh, self.shin);
        let cosine = (x * x + z * z - a * a - b * b) / (2.0 * a * b);
        let knee = self.bend * cosine.clamp(-1.0, 1.0).acos();
        // The end of a leg with the hip at zero is at −b sin(knee), −a − b cos(knee).
        let straight = (b * knee.sin()).atan2(a + b * knee.cos());
        ((-x).atan2(-z) - straight, knee)
    }
}

/// A periodic step: the foot stands and moves back, then swings forward in the air.
#[derive(Clone, Copy)]
pub(crate) struct Gait {
    /// Steps a second of one foot, 1/s.
    pub frequency: f64,
    /// Share of the time a foot stands.
    pub duty: f64,
    /// Height of a swing, m.
    pub lift: f64,
}

impl Gait {
    /// Where the foot is about its neutral place, ahead and above (m), at `time` (s) and walking with
    /// `speed` (m/s); `offset` is the share of a period it is ahead.
    pub(crate) fn foot(&self, time: f64, offset: f64, speed: f64) -> (f64, f64) {
        let phase = (time * self.frequency + offset).rem_euclid(1.0);
        let stride = speed * self.duty / self.frequency;
        if phase < self.duty {
            return (stride * (0.5 - phase / self.duty), 0.0);
        }
        let swing = (phase - self.duty) / (1.0 - self.duty);
        let ahead = -0.5 * stride * (PI * swing).cos();
        (ahead, 0.5 * self.lift * (1.0 - (TAU * swing).cos()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leg_reaches_where_it_is_sent() {
        for bend in [-1.0, 1.0] {
            let leg = Leg {
                thigh: 0.3,
                shin: 0.2,
                bend,
            };
            for (x, z) in [(0.0, -0.4), (0.15, -0.3), (-0.2, -0.35)] {
                let (hip, knee) = leg.reach(x, z);
                let end = [
                    -0.3 * hip.sin() - 0.2 * (hip + knee).sin(),
                    -0.3 * hip.cos() - 0.2 * (hip + knee).cos(),
                ];
                assert!((end[0] - x).abs().max((end[1] - z).abs()) < 1e-12);
                assert!(knee * bend > 0.0);
            }
        }
    }

    #[test]
    fn a_foot_does_not_jump() {
        let gait = Gait {
            frequency: 2.0,
            duty: 0.6,
            lift: 0.05,
        };
        let mut last = gait.foot(0.0, 0.3, 0.4);
        for i in 1..=1000 {
            let next = gait.foot(1e-3 * f64::from(i), 0.3, 0.4);
            let moved = (next.0 - last.0).hypot(next.1 - last.1);
            assert!(moved < 2e-3, "{moved}");
            last = next;
        }
    }
}
