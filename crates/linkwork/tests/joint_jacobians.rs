//! Every joint type against finite differences, its own placement and the conservation laws.
//! The types come from `joints::all()`: a new one is covered as soon as it is registered.

use linkwork::joints::{
    self, Distance, Gimbal, JointType, MAX_COORDINATES, MAX_ROWS, Placement, Relative, Row, Screw,
    Unit,
};
use linkwork::math::{Pose, Quat, Vec3, exp};
use std::collections::HashSet;
use std::f64::consts::{FRAC_PI_2, PI};

/// Random poses per joint type and kind of pose.
const SAMPLES: usize = 1000;
/// Step of the central differences, m and rad: truncation ~1e-10, round-off ~1e-10.
const STEP: f64 = 1e-5;
/// Allowed error of a derivative relative to max(1, |row|).
const TOLERANCE: f64 = 1e-6;

/// Marsaglia's xorshift64*: small, and the same numbers on every machine.
struct Random(u64);

impl Random {
    /// Uniform in [−bound, bound].
    fn symmetric(&mut self, bound: f64) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        bound * (2.0 * bits as f64 / (1u64 << 53) as f64 - 1.0)
    }

    /// Uniform in the ball of the given radius.
    fn ball(&mut self, radius: f64) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.symmetric(radius));
            if v.norm() <= radius {
                return v;
            }
        }
    }

    /// A pose of any orientation within 2 m.
    fn pose(&mut self) -> Pose {
        Pose::new(self.ball(2.0), exp(&self.ball(3.1)))
    }
}

/// Coordinates over the joint's range: by default ±2 m and several turns, so a type with a smaller
/// range has to be named here.
fn random_coordinates(joint: &dyn JointType, random: &mut Random) -> Vec<f64> {
    let mut q: Vec<f64> = joint
        .coordinates()
        .iter()
        .map(|(_, unit)| match unit {
            Unit::Length => random.symmetric(2.0),
            Unit::Angle => random.symmetric(25.0),
        })
        .collect();
    match joint.name() {
        "spherical" => q.copy_from_slice(random.ball(3.1).as_slice()),
        "free" => q[3..].copy_from_slice(random.ball(3.1).as_slice()),
        // Away from gimbal lock, on either side of it.
        "gimbal" => q[1] = random.symmetric(1.5) + PI * random.symmetric(4.0).round(),
        _ => {}
    }
    q
}

/// All rows of a joint: locked, then coordinates.
fn rows(joint: &dyn JointType, rel: &Relative, turns: &[f64]) -> Vec<Row> {
    let locked = joint.locked().len();
    let mut rows = vec![Row::ZERO; locked + joint.coordinates().len()];
    let (constraint, coordinates) = rows.split_at_mut(locked);
    joint.constrain(rel, turns, constraint);
    joint.measure(rel, turns, coordinates);
    rows
}

/// The coordinates of a placement, near `turns`.
fn measured(joint: &dyn JointType, rel: &Relative, turns: &[f64]) -> Vec<f64> {
    let mut q = vec![Row::ZERO; joint.coordinates().len()];
    joint.measure(rel, turns, &mut q);
    q.iter().map(|row| row.value).collect()
}

/// A placement with C = 0 and the coordinates it was made from, or one moved off by up to 1 m, 1 rad.
fn random_relative(joint: &dyn JointType, on: bool, random: &mut Random) -> (Relative, Vec<f64>) {
    let q = random_coordinates(joint, random);
    let mut rel = joint.place(&q);
    if on {
        return (rel, q);
    }
    rel.d += random.ball(1.0);
    rel.rotation = exp(&random.ball(1.0)) * rel.rotation;
    let q = measured(joint, &rel, &q);
    (rel, q)
}

/// Moves by a small translation and rotation given as six numbers.
fn retract(position: &Vec3, rotation: &Quat, axis: usize, step: f64) -> (Vec3, Quat) {
    let unit = Vec3::ith(axis % 3, step);
    if axis < 3 {
        (position + unit, *rotation)
    } else {
        (*position, exp(&unit) * rotation)
    }
}

/// Runs `check` with on- and off-manifold placements of every joint type.
fn for_every_placement(mut check: impl FnMut(&dyn JointType, Relative, &[f64], &mut Random)) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for joint in joints::all() {
        for i in 0..2 * SAMPLES {
            let (rel, q) = random_relative(&*joint, i % 2 == 0, &mut random);
            check(&*joint, rel, &q, &mut random);
        }
    }
}

/// Compares column `axis` of the rows' derivatives with central differences of `value`.
fn compare(
    joint: &dyn JointType,
    axis: usize,
    derivatives: impl Iterator<Item = (f64, f64)>,
    value: impl Fn(f64) -> Vec<Row>,
) {
    let (ahead, behind) = (value(STEP), value(-STEP));
    for (i, (derivative, norm)) in derivatives.enumerate() {
        let difference = (ahead[i].value - behind[i].value) / (2.0 * STEP);
        let error = (difference - derivative).abs() / norm.max(1.0);
        assert!(
            error <= TOLERANCE,
            "{} row {i} axis {axis}: {derivative} but differences give {difference}",
            joint.name()
        );
    }
}

/// Two bodies, each with a joint frame, such that the joint frames are placed as `rel`.
fn random_bodies(rel: &Relative, random: &mut Random) -> [Pose; 4] {
    let (base, frame_base, frame_follower) = (random.pose(), random.pose(), random.pose());
    let follower = base
        .compose(&frame_base)
        .compose(&rel.as_pose())
        .compose(&frame_follower.inverse());
    [base, frame_base, follower, frame_follower]
}

/// Both kinds of rows together equal those computed separately; the values alone are the same, from any start of the
/// search for the coordinates.
#[test]
fn rows_at_once_and_values_alone_are_the_same() {
    for_every_placement(|joint, rel, q, random| {
        let (locked, free) = (joint.locked().len(), q.len());
        let mut at_once = vec![Row::ZERO; locked + free];
        let (constraint, coordinates) = at_once.split_at_mut(locked);
        let settled = joint.rows(&rel, q, constraint, coordinates);
        assert_eq!(at_once, rows(joint, &rel, q), "{}", joint.name());
        if settled {
            let found: Vec<f64> = at_once[locked..].iter().map(|row| row.value).collect();
            let again = rows(joint, &rel, &found);
            assert_eq!(at_once, again, "{} settles", joint.name());
        }
        let mut guess: Vec<f64> = q.iter().map(|q| q + random.symmetric(0.01)).collect();
        let mut values = vec![0.0; locked];
        joint.residual(&rel, q, &mut guess, &mut values);
        for (value, row) in values.iter().zip(&at_once) {
            let error = (value - row.value).abs();
            assert!(error < 1e-12 * (1.0 + row.value.abs()), "{}", joint.name());
        }
        if joint.searches() {
            for (found, row) in guess.iter().zip(&at_once[locked..]) {
                assert!((found - row.value).abs() < 1e-11, "{}", joint.name());
            }
        }
    });
}

#[test]
fn rows_have_exact_derivatives_in_the_base_frame() {
    for_every_placement(|joint, rel, q, _| {
        let exact = rows(joint, &rel, q);
        for axis in 0..6 {
            let derivatives = exact.iter().map(|row| {
                let part = if axis < 3 { row.linear } else { row.angular };
                (part[axis % 3], row.linear.norm().hypot(row.angular.norm()))
            });
            compare(joint, axis, derivatives, |step| {
                let (d, rotation) = retract(&rel.d, &rel.rotation, axis, step);
                rows(joint, &Relative { d, rotation }, q)
            });
        }
    });
}

#[test]
fn body_jacobians_are_exact_for_any_two_bodies() {
    for_every_placement(|joint, rel, q, random| {
        let bodies = random_bodies(&rel, random);
        let place = |b: &[Pose; 4]| Placement::new(&b[0], &b[1], &b[2], &b[3]);
        let placement = place(&bodies);
        let exact: Vec<[f64; 12]> = rows(joint, &placement.relative, q)
            .iter()
            .map(|row| {
                let (base, follower) = placement.jacobian(row);
                std::array::from_fn(|i| if i < 6 { base[i] } else { follower[i - 6] })
            })
            .collect();
        for axis in 0..12 {
            let derivatives = exact
                .iter()
                .map(|j| (j[axis], j.iter().map(|x| x * x).sum::<f64>().sqrt()));
            compare(joint, axis, derivatives, |step| {
                let mut moved = bodies;
                let body = &mut moved[2 * (axis / 6)];
                (body.position, body.rotation) =
                    retract(&body.position, &body.rotation, axis % 6, step);
                rows(joint, &place(&moved).relative, q)
            });
        }
    });
}

#[test]
fn equal_and_opposite_wrenches_conserve_momentum() {
    for_every_placement(|joint, rel, q, random| {
        let [base, frame_base, follower, frame_follower] = random_bodies(&rel, random);
        let placement = Placement::new(&base, &frame_base, &follower, &frame_follower);
        for row in rows(joint, &placement.relative, q) {
            let (b, f) = placement.jacobian(&row);
            let force = |w: &[f64; 6]| Vec3::new(w[0], w[1], w[2]);
            let moment =
                |w: &[f64; 6], at: &Vec3| at.cross(&force(w)) + Vec3::new(w[3], w[4], w[5]);
            let total = moment(&b, &base.position) + moment(&f, &follower.position);
            let scale = row.linear.norm().hypot(row.angular.norm()).max(1.0);
            assert!((force(&b) + force(&f)).norm() <= 1e-12 * scale);
            assert!(total.norm() <= 1e-12 * scale, "{}: {total}", joint.name());
        }
    });
}

#[test]
fn placed_joints_are_closed_and_measure_what_was_asked() {
    let mut random = Random(7);
    for joint in joints::all() {
        for _ in 0..SAMPLES {
            let (rel, q) = random_relative(&*joint, true, &mut random);
            let all = rows(&*joint, &rel, &q);
            let (locked, coordinates) = all.split_at(joint.locked().len());
            for row in locked {
                assert!(row.value.abs() <= 1e-14, "{} {}", joint.name(), row.value);
            }
            for (row, expected) in coordinates.iter().zip(&q) {
                // Near gimbal lock (cos b ≥ 0.07 here) round-off grows by 1/cos b.
                let error = (row.value - expected).abs();
                assert!(error <= 1e-12, "{} {expected} {error}", joint.name());
            }
        }
    }
}

#[test]
fn names_and_labels_keep_their_promises() {
    let mut names = HashSet::new();
    for joint in joints::all() {
        assert!(names.insert(joint.name()), "{} twice", joint.name());
        assert!(joint.locked().len() <= MAX_ROWS);
        assert!(joint.coordinates().len() <= MAX_COORDINATES);
        assert_eq!(joint.validate(), Ok(()));
        for labels in [joint.locked(), joint.coordinates()] {
            let unique: HashSet<_> = labels.iter().map(|(name, _)| name).collect();
            assert_eq!(unique.len(), labels.len(), "{}", joint.name());
        }
    }
    assert!(joints::by_name("revolute").is_some());
    assert!(joints::by_name("screw").is_none());
}

/// The table of math.md §3; coordinates are the remaining motions, where they are measured.
#[test]
fn row_counts_are_the_documented_ones() {
    let expected = [
        ("fixed", 6, 0),
        ("revolute", 5, 1),
        ("prismatic", 5, 1),
        ("cylindrical", 4, 2),
        ("universal", 4, 2),
        ("spherical", 3, 3),
        ("gimbal", 3, 3),
        ("planar", 3, 3),
        ("cartesian", 3, 3),
        ("free", 0, 6),
        ("point_on_line", 2, 1),
        ("point_on_plane", 1, 2),
        ("screw", 5, 1),
        ("distance", 1, 0),
        ("chain", 3, 3),
    ];
    for joint in joints::all() {
        let counts = (
            joint.name(),
            joint.locked().len(),
            joint.coordinates().len(),
        );
        assert!(expected.contains(&counts), "{counts:?}");
    }
    assert_eq!(joints::all().len(), expected.len());
}

#[test]
fn gimbal_lock_gives_finite_and_consistent_angles() {
    for b in [FRAC_PI_2, -FRAC_PI_2, FRAC_PI_2 - 1e-12, 1e-7 - FRAC_PI_2] {
        for (a, c) in [(0.0, 0.0), (0.4, -1.1), (9.0, 14.0)] {
            let rel = Gimbal.place(&[a, b, c]);
            let all = rows(&Gimbal, &rel, &[a, b, c]);
            for row in &all {
                let finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
                assert!(row.value.is_finite() && finite(&row.linear) && finite(&row.angular));
            }
            // Whatever the last outer angle was, the three angles describe the same rotation.
            let again = Gimbal.place(&measured(&Gimbal, &rel, &[a + 0.3, b, c]));
            let error = again.rotation.angle_to(&rel.rotation);
            assert!(error <= 2e-9, "{a} {b} {c}: {error}");
        }
    }
}

/// Rings that turn on pass gimbal lock without a jump, and come back to where they were.
#[test]
fn the_rings_of_a_gimbal_go_on_through_gimbal_lock() {
    let mut q = vec![0.2, 0.0, -0.4];
    for i in (0..2000).chain((0..2000).rev()) {
        let asked = [0.2, 5e-3 * f64::from(i), -0.4];
        q = measured(&Gimbal, &Gimbal.place(&asked), &q);
        for (found, asked) in q.iter().zip(asked) {
            assert!((found - asked).abs() < 1e-9, "{asked}: {q:?}");
        }
    }
}

#[test]
fn coincident_anchors_of_a_rod_have_a_direction() {
    let mut row = [Row::ZERO];
    Distance { length: 0.5 }.constrain(&Relative::identity(), &[], &mut row);
    assert_eq!((row[0].value, row[0].linear), (-0.5, Vec3::z()));
}

#[test]
fn bad_parameters_are_refused_with_a_remedy() {
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Distance { length }.validate().is_err());
    }
    for pitch in [f64::NAN, f64::INFINITY] {
        assert!(Screw { pitch }.validate().unwrap_err().contains("finite"));
    }
    assert!(Screw { pitch: -0.01 }.validate().is_ok());
}

/// The parameters of a type are its fields: a type constructed from their values is the same.
#[test]
fn every_type_is_made_of_its_parameters() {
    for kind in joints::all() {
        let named = kind.parameters().into_iter();
        let named: Vec<_> = named.map(|(n, value)| (n.to_owned(), value)).collect();
        let again = joints::of(kind.name(), named.clone()).unwrap();
        assert_eq!(format!("{kind:?}"), format!("{again:?}"));
        let mut more = named.clone();
        more.push(("stray".to_owned(), joints::Parameter::Number(1.0)));
        assert!(joints::of(kind.name(), more).is_err(), "{}", kind.name());
        if !named.is_empty() {
            assert!(joints::of(kind.name(), Vec::new()).is_err());
        }
    }
}
