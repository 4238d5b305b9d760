//! How fast a coordinate with armature moved over the last step.
//!
//! An armature opposes the change of its coordinate's rate from the last step, q̇₋, to this one, q̇₊, the
//! means over each. In terms of the twists of a step that are q̇₊ = J u⁺ + ½ dt b and
//! q̇₋ = J (u⁻ − ½ dt g) − ½ dt b: b = J̇ u bends the path of the coordinate at constant twists, and g is the
//! free change of the angular velocities, by which the twists of a state under the midpoint rule are ahead of
//! the turn that led to it. So the row asks for −I_a (J u⁺ − v) with v = q̇₋ − ½ dt b. At a start with half a
//! kick q̇₋ is J u⁻ itself. Without b and g a hinge that is turned about another axis, and most coordinates of
//! joints with several, would feel accelerations that are not there.

use super::{Along, Inputs, Rows};
use crate::joints::{MAX_COORDINATES, Placement, RelativeMotion, Row};
use crate::math::{Mat3, Pose, Twist, Vec3, exp};
use crate::model::{Joint, JointId};
use crate::settings::Gyroscopic;
use crate::state::rate;

/// Displacement (m or rad) of the difference quotient that gives b: its errors, of order 1e-8 and 1e-12 of
/// b, are both small.
const DISPLACEMENT: f64 = 1e-4;

/// Find b of all joints with armature on a coordinate or on a tendon over it, and g of all bodies.
pub(super) fn prepare(rows: &mut Rows, inputs: &Inputs) {
    let layout = inputs.model.layout();
    let armatures = &layout.armatures;
    if armatures.is_empty() && layout.bent_paths.is_empty() {
        return;
    }
    rows.bend_paths(inputs.model, inputs.state, &layout.bent_paths);
    for id in armatures {
        let joint = inputs.model.joint(*id);
        let k = &mut rows.kinematics[id.index()];
        k.bend = bend(inputs, joint, &k.place);
    }
    let mut changes = std::mem::take(&mut rows.free_changes);
    changes.clear();
    let bodies = inputs.state.twists.iter().enumerate();
    changes.extend(bodies.map(|(b, twist)| free_change(rows, inputs, b, &twist.angular)));
    rows.free_changes = changes;
}

/// The velocity v that the armature of a coordinate or tendon starts from.
pub(super) fn velocity(rows: &Rows, inputs: &Inputs, along: Along) -> f64 {
    let late = inputs.kick - 0.5 * inputs.dt;
    let correction = |(joint, c, factor): (JointId, usize, f64)| {
        let bend = inputs.kick * rows.kinematics[joint.index()].bend[c];
        let ahead = late * free_rate(rows, inputs, joint, c);
        factor * (bend + ahead)
    };
    let correction = match along {
        Along::Coordinate(joint, c) => correction((joint, c, 1.0)),
        Along::Tendon(_) => {
            let terms: f64 = along.terms(inputs.model).map(correction).sum();
            let path = rows.path(along).map_or(0.0, |path| {
                let g = |b: usize| Twist::new(Vec3::zeros(), rows.free_changes[b]);
                inputs.kick * path.bend + late * path.rate(g)
            });
            terms + path
        }
    };
    rows.velocity(inputs.model, along) - correction
}

/// b = J̇ u of every coordinate: in closed form if the type has one, else by the rates a little later and
/// earlier on the way of constant twists.
fn bend(inputs: &Inputs, joint: &Joint, place: &Placement) -> [f64; MAX_COORDINATES] {
    let twist = |body: usize| inputs.state.twists[body];
    let base = joint.base.map_or(Twist::zero(), |b| twist(b.index()));
    let follower = twist(joint.follower.index());
    let motion = RelativeMotion {
        place,
        base: &base,
        follower: &follower,
    };
    let end = joint.first_coordinate + joint.axes.len();
    let turns = &inputs.state.coordinates[joint.first_coordinate..end];
    if let Some(bend) = joint.kind.bend(&place.relative, turns, &motion) {
        return bend;
    }
    let speeds = [base.linear, base.angular, follower.linear, follower.angular];
    let fastest = speeds.iter().map(Vec3::norm).fold(0.0, f64::max);
    let mut bend = [0.0; MAX_COORDINATES];
    if fastest == 0.0 {
        return bend;
    }
    let h = DISPLACEMENT / fastest;
    let (later, earlier) = (
        rates_after(inputs, joint, (&base, &follower), h),
        rates_after(inputs, joint, (&base, &follower), -h),
    );
    for ((bend, later), earlier) in bend.iter_mut().zip(later).zip(earlier) {
        *bend = (later - earlier) / (2.0 * h);
    }
    bend
}

/// Rates of a joint's coordinates after moving its bodies with their twists for `h` s.
fn rates_after(
    inputs: &Inputs,
    joint: &Joint,
    (base, follower): (&Twist, &Twist),
    h: f64,
) -> [f64; MAX_COORDINATES] {
    let state = inputs.state;
    let moved = |pose: &Pose, twist: &Twist| {
        let turn = exp(&(h * twist.angular));
        Pose::new(pose.position + h * twist.linear, turn * pose.rotation)
    };
    let world = Pose::identity();
    let place = Placement::new(
        &joint
            .base
            .map_or(world, |b| moved(&state.poses[b.index()], base)),
        &joint.frame_base,
        &moved(&state.poses[joint.follower.index()], follower),
        &joint.frame_follower,
    );
    let n = joint.axes.len();
    let turns = &state.coordinates[joint.first_coordinate..joint.first_coordinate + n];
    let mut rows = [Row::ZERO; MAX_COORDINATES];
    joint.kind.measure(&place.relative, turns, &mut rows[..n]);
    rows.map(|row| {
        let (jb, jf) = place.jacobian(&row);
        rate(&jb, base) + rate(&jf, follower)
    })
}

/// g = −I⁻¹ (ω × I ω) of a body where the twists of the state have it, rad/s².
fn free_change(rows: &Rows, inputs: &Inputs, body: usize, spin: &Vec3) -> Vec3 {
    if inputs.settings.gyroscopic != Gyroscopic::Midpoint {
        return Vec3::zeros();
    }
    let mass = rows.bodies().0;
    let inertia = Mat3::from_row_slice(mass.inertia(body));
    let inverse = Mat3::from_row_slice(mass.inverse_inertia(body));
    -inverse * spin.cross(&(inertia * spin))
}

/// J g of a coordinate.
fn free_rate(rows: &Rows, inputs: &Inputs, joint: JointId, c: usize) -> f64 {
    let [jb, jf] = rows.coordinate_jacobian(joint, c);
    let along = |j: &[f64; 6], body: usize| {
        let g = &rows.free_changes[body];
        j[3] * g.x + j[4] * g.y + j[5] * g.z
    };
    let joint = inputs.model.joint(joint);
    let base = joint.base.map_or(0.0, |b| along(jb, b.index()));
    base + along(jf, joint.follower.index())
}
