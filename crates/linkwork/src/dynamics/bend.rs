//! J̇u: the acceleration of the values of joint rows at constant twists.
//!
//! A joint's value is a function of the placement (d, R) with rate l·v + t·w, v and w the relative motion along the
//! base's joint axes. Its acceleration at constant twists is
//!
//! J̇u = l·v̇ + t·ẇ + l̇·v + ṫ·w,
//!
//! with v̇ and ẇ from [`joints::RelativeMotion`]. The first two terms are exact. l̇ and ṫ, the change of the row itself
//! with (d, R), vanish for hinges and slides on C = 0. Locked rows have no closed form, so they are sixth-order central
//! differences, along d and along R separately because their scales differ. Their errors are about 1e-13 |u|², except
//! for placements within 0.1 rad of a coordinate's singularity (gimbal lock), where they grow as (1e-3 rad divided by
//! the distance)⁶.

use crate::joints::{self, JointType, MAX_COORDINATES, MAX_ROWS, Placement, Relative, Row};
use crate::math::{Twist, Vec3, exp};

/// Step of a difference, rad, or relative to the distance between the anchors: truncation of order 1e-18, round-off of
/// order 1e-13.
const REACH: f64 = 1e-3;
/// Minimum distance of the anchors that is used as a scale, m; a smaller one, as for a slide at zero, does not
/// characterise the joint.
const LEAST_DISTANCE: f64 = 1e-3;
/// Sixth-order central difference: weights of f(k h) − f(−k h) over h, k = 1, 2, 3.
const WEIGHTS: [f64; 3] = [45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0];

/// J̇u of a joint's locked rows and of its coordinates; m/s², rad/s².
pub(crate) struct Bend {
    pub locked: [f64; MAX_ROWS],
    pub coordinates: [f64; MAX_COORDINATES],
}

impl Bend {
    /// For a joint at `place` with the last known coordinates `turns`, whose bodies move with the twists `base` and
    /// `follower`.
    pub fn of(
        kind: &dyn JointType,
        place: &Placement,
        turns: &[f64],
        (base, follower): (&Twist, &Twist),
    ) -> Self {
        let motion = RelativeMotion::of(place, base, follower);
        let rel = &place.relative;
        let (locked, free) = (kind.locked().len(), kind.coordinates().len());
        Self {
            locked: motion.bend(rel, locked, |rel, rows| kind.constrain(rel, turns, rows)),
            coordinates: motion.bend(rel, free, |rel, rows| kind.measure(rel, turns, rows)),
        }
    }
}

/// Motion of the follower's joint frame in the base's, and its change at constant twists.
struct RelativeMotion {
    v: Vec3,
    w: Vec3,
    v_rate: Vec3,
    w_rate: Vec3,
}

impl RelativeMotion {
    fn of(place: &Placement, base: &Twist, follower: &Twist) -> Self {
        let motion = joints::RelativeMotion {
            place,
            base,
            follower,
        };
        Self {
            v: motion.linear(),
            w: motion.angular(),
            v_rate: motion.linear_rate(),
            w_rate: motion.angular_rate(),
        }
    }

    /// J̇u of the first `count` rows returned by `evaluate` at a placement.
    fn bend(
        &self,
        rel: &Relative,
        count: usize,
        evaluate: impl Fn(&Relative, &mut [Row]),
    ) -> [f64; 6] {
        let rates = |rel: &Relative, v: &Vec3, w: &Vec3| {
            let mut rows = [Row::ZERO; 6];
            evaluate(rel, &mut rows[..count]);
            rows.map(|row| row.linear.dot(v) + row.angular.dot(w))
        };
        let mut bend = rates(rel, &self.v_rate, &self.w_rate);
        let mut add = |speed: f64, moved: &dyn Fn(f64) -> Relative| {
            for (k, weight) in (1..).zip(WEIGHTS) {
                let reach = f64::from(k) * REACH;
                let later = rates(&moved(reach), &self.v, &self.w);
                let earlier = rates(&moved(-reach), &self.v, &self.w);
                for (bend, (later, earlier)) in bend.iter_mut().zip(later.iter().zip(earlier)) {
                    *bend += weight * (speed / REACH) * (later - earlier);
                }
            }
        };
        let scale = rel.d.norm().max(LEAST_DISTANCE);
        let (slide, turn) = (self.v.norm(), self.w.norm());
        if slide > 0.0 {
            let shifted = |reach: f64| Relative {
                d: rel.d + (reach * scale / slide) * self.v,
                ..*rel
            };
            add(slide / scale, &shifted);
        }
        if turn > 0.0 {
            let turned = |reach: f64| Relative {
                rotation: exp(&((reach / turn) * self.w)) * rel.rotation,
                ..*rel
            };
            add(turn, &turned);
        }
        bend
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joints::{Distance, Revolute};
    use crate::math::Pose;
    use crate::state::rate;

    /// A number in [−1, 1] that follows from `i` alone.
    fn scattered(i: usize) -> f64 {
        (1000.0 * (i as f64 + 0.5).sin()).sin()
    }

    fn vector(i: usize) -> Vec3 {
        Vec3::new(scattered(i), scattered(i + 1), scattered(i + 2))
    }

    fn after(pose: &Pose, twist: &Twist, h: f64) -> Pose {
        let turn = exp(&(h * twist.angular));
        Pose::new(pose.position + h * twist.linear, turn * pose.rotation)
    }

    #[test]
    fn bends_are_rates_of_the_rates_at_constant_twists_for_every_type() {
        for (k, kind) in joints::all().iter().enumerate() {
            for sample in 0..20 {
                let i = 100 * k + 1000 * sample;
                let pose = |i| Pose::new(vector(i), exp(&vector(i + 3)));
                let (base, frame_base, frame_follower) = (pose(i), pose(i + 10), pose(i + 20));
                let twist = |i| Twist::new(2.0 * vector(i), 3.0 * vector(i + 3));
                let (base_twist, follower_twist) = (twist(i + 30), twist(i + 40));
                let count = kind.coordinates().len();
                let turns: Vec<f64> = (0..count).map(|c| scattered(i + 50 + c)).collect();
                let joint = base.compose(&frame_base);
                let follower = joint
                    .compose(&kind.place(&turns).as_pose())
                    .compose(&frame_follower.inverse());
                let placed = |h: f64| {
                    let base = after(&base, &base_twist, h);
                    let follower = after(&follower, &follower_twist, h);
                    Placement::new(&base, &frame_base, &follower, &frame_follower)
                };
                let rates = |h: f64| {
                    let place = placed(h);
                    let locked = kind.locked().len();
                    let mut rows = [Row::ZERO; MAX_ROWS + MAX_COORDINATES];
                    let (first, second) = rows.split_at_mut(MAX_ROWS);
                    kind.constrain(&place.relative, &turns, &mut first[..locked]);
                    kind.measure(&place.relative, &turns, &mut second[..count]);
                    rows.map(|row| {
                        let (jb, jf) = place.jacobian(&row);
                        rate(&jb, &base_twist) + rate(&jf, &follower_twist)
                    })
                };
                let h = 2e-4;
                let mut expected = [0.0; 12];
                for (n, weight) in (1..).zip(WEIGHTS) {
                    let (later, earlier) = (rates(f64::from(n) * h), rates(f64::from(-n) * h));
                    for (e, (later, earlier)) in expected.iter_mut().zip(later.iter().zip(earlier))
                    {
                        *e += weight * (later - earlier) / h;
                    }
                }
                let twists = (&base_twist, &follower_twist);
                let bend = Bend::of(&**kind, &placed(0.0), &turns, twists);
                let found = bend.locked.iter().chain(&bend.coordinates);
                for (found, expected) in found.zip(expected) {
                    let apart = (found - expected).abs() / (1.0 + expected.abs());
                    assert!(apart < 2e-10, "{}: {found} {expected}", kind.name());
                }
            }
        }
    }

    #[test]
    fn a_rod_and_a_hinge_bend_as_their_closed_forms() {
        let place = |x: f64| {
            let follower = Pose::at(x, 0.0, 0.0);
            let none = Pose::identity();
            Placement::new(&none, &none, &follower, &none)
        };
        let still = Twist::zero();
        // |d|‥ = (v² − (n·v)²)/|d| at constant v.
        let moving = Twist::new(Vec3::new(3.0, 2.0, -1.0), Vec3::new(0.4, 0.5, 0.6));
        let rod = Distance { length: 0.25 };
        let bend = Bend::of(&rod, &place(0.25), &[], (&still, &moving));
        assert!((bend.locked[0] - 5.0 / 0.25).abs() < 1e-11);
        // A body that spins about its hinge at the lever arm r: its anchor accelerates by ω² r.
        let arm = Pose::at(-0.5, 0.0, 0.0);
        let place = Placement::new(
            &Pose::identity(),
            &Pose::identity(),
            &Pose::at(0.5, 0.0, 0.0),
            &arm,
        );
        let spin = Twist::new(Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.0, 0.0, 4.0));
        let bend = Bend::of(&Revolute, &place, &[0.0], (&still, &spin));
        let expected = [8.0, 0.0, 0.0, 0.0, 0.0];
        for (found, expected) in bend.locked.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-14);
        }
        assert_eq!(bend.coordinates[0], 0.0);
    }
}
