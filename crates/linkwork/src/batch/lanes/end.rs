//! The end of a step: where it leads, whether it is fine, and what is remembered of it.

use super::energy::{accept, measure};
use super::group::{Group, REMEMBERED, RING};
use super::joints::{coordinates, residual};
use super::math::{
    Pose, add, add_scaled, dot, exp, join, matrix, multiply, normalise, scale, sub, transform,
    transform_back,
};
use super::place::Place;
use super::program::{Law, Program};
use super::rotation::turn;
use crate::closure::{closing_tolerance, rounding};
use linkwork_solve::{Arithmetic, WIDE, Wide};

/// Where u⁺ leads: poses, joints and C at the end. Returned is the largest ratio of what is open to its tolerance.
#[inline(always)]
pub(super) fn evaluate<A: Arithmetic>(program: &Program, group: &mut Group) -> Wide {
    let dt = program.settings.dt;
    let step = Wide::all(dt);
    for (b, moving) in group.moving.iter_mut().enumerate() {
        let u = &moving.plus;
        let angular = [u[3], u[4], u[5]];
        let spin = if program.isotropic[b] {
            angular
        } else {
            let free = [moving.free[3], moving.free[4], moving.free[5]];
            let change = transform::<A>(&moving.inertia, &sub(&angular, &free));
            moving.after = add(&moving.momentum, &change);
            turn::<A>(&group.bodies[b].moments, &moving.axes, &moving.after, dt)
        };
        let pose = &group.poses[b];
        let turned = multiply::<A>(&exp::<A>(&scale(step, &spin)), &pose.rotation);
        group.end_poses[b] = Pose {
            position: add_scaled::<A>(&pose.position, step, &[u[0], u[1], u[2]]),
            rotation: normalise::<A>(&turned),
        };
    }
    let tolerance = closing_tolerance(&program.settings, dt);
    let angles = Wide::all(tolerance.max(rounding(1.0)));
    let mut open = Wide::ZERO;
    group.closure = [Wide::ZERO; 2];
    for (j, joint) in program.joints.iter().enumerate() {
        let base = joint.base.map_or(&Pose::IDENTITY, |b| &group.end_poses[b]);
        let follower = &group.end_poses[joint.follower];
        let place = Place::new::<A>([base, follower], &group.frames[j]);
        let turns = &group.coordinates[joint.coordinates.clone()];
        let end = &mut group.end[joint.rows.clone()];
        residual::<A>(&joint.kind, &place, turns, end);
        let mut worst = [Wide::ZERO; 2];
        for (i, c) in end.iter().enumerate() {
            worst[usize::from(i >= joint.lengths)].raise(c.abs());
        }
        open.raise(worst[0] / group.rounding[j].max(Wide::all(tolerance)));
        open.raise(worst[1] / angles);
        group.closure[0].raise(worst[0]);
        group.closure[1].raise(worst[1]);
        if joint.stores {
            let out = &mut group.end_coordinates[joint.coordinates.clone()];
            coordinates::<A>(&joint.kind, &place, turns, out);
        }
        group.end_places[j] = place;
    }
    for (single, gains) in program.singles.iter().zip(&group.gains) {
        if let Law::Passive(Some(at)) = single.law {
            let c = single.coordinate;
            let path = group.end_coordinates[c] - group.coordinates[c];
            let hidden = path / step - group.rate[single.row];
            let change = step * (hidden - (group.bias[single.row] - gains.bias)).abs();
            open.raise(change / angles);
            group.end_hidden[at] = hidden;
        }
    }
    open
}

/// Judge the step, and move with it; the lanes in which it is fine.
#[inline(always)]
pub(super) fn arrive<A: Arithmetic>(program: &Program, group: &mut Group) -> [bool; WIDE] {
    let settings = &program.settings;
    let dt = settings.dt;
    let energies = measure::<A>(program, group);
    // Where joints are closed their biases are −J u⁺ by definition: what is left of σ is round-off.
    let mut largest = group.touch_residual;
    let mut within = Wide::ONE;
    for (part, block) in program.blocks.iter().enumerate() {
        let mut own = Wide::ZERO;
        for row in block.rows.clone() {
            let left = if part < program.hard {
                group.rate[row] + (group.bias[row] - group.sigma[row])
            } else {
                group.sigma[row]
            };
            own.raise(left.abs());
        }
        largest.raise(own);
        largest.raise(own / group.weights[part]);
    }
    group.residual = largest;
    for (single, gains) in program.singles.iter().zip(&group.gains) {
        if single.law == Law::Drive {
            let bound = group.kick * gains.limit;
            let lambda = group.trace.lambda[single.row].abs();
            within = lambda.where_less(bound, within, Wide::ZERO);
        }
    }
    let mut fine = accept(program, group, &energies);
    for (lane, fine) in fine.iter_mut().enumerate() {
        *fine &= largest.0[lane] <= settings.solve.tolerance;
    }
    remember(program, group);
    group.speed = Wide::ZERO;
    for (b, moving) in group.moving.iter().enumerate() {
        let u = &moving.plus;
        let angular = if program.isotropic[b] {
            [u[3], u[4], u[5]]
        } else {
            let matrix = matrix(&group.end_poses[b].rotation);
            let own = transform_back::<A>(&matrix, &moving.after);
            transform::<A>(&matrix, &transform::<A>(&group.bodies[b].inverse, &own))
        };
        let linear = [u[0], u[1], u[2]];
        group.speed.raise(dot::<A>(&linear, &linear));
        group.speed.raise(dot::<A>(&angular, &angular));
        group.end_twists[b] = join(&linear, &angular);
    }
    for (joint, place) in program.joints.iter().zip(&group.end_places) {
        let range = joint.coordinates.clone();
        if !joint.stores {
            let turns = &group.coordinates[range.clone()];
            coordinates::<A>(&joint.kind, place, turns, &mut group.end_coordinates[range]);
        }
    }
    for (limited, [least, most]) in program.limited.iter().zip(&group.limits) {
        // A limit that is not reached within the step has no impulse.
        for q in [&group.coordinates, &group.end_coordinates] {
            let q = q[limited.coordinate];
            within = least.where_less(q, q.where_less(*most, within, Wide::ZERO), Wide::ZERO);
        }
    }
    for (lane, fine) in fine.iter_mut().enumerate() {
        *fine &= within.0[lane] == 1.0;
    }
    std::mem::swap(&mut group.poses, &mut group.end_poses);
    std::mem::swap(&mut group.twists, &mut group.end_twists);
    std::mem::swap(&mut group.places, &mut group.end_places);
    std::mem::swap(&mut group.coordinates, &mut group.end_coordinates);
    std::mem::swap(&mut group.start, &mut group.end);
    for (joint, place) in program.joints.iter().zip(&group.places) {
        // As a world that is loaded here finds it, with the coordinates found.
        if joint.is_other() {
            let turns = &group.coordinates[joint.coordinates.clone()];
            let start = &mut group.start[joint.rows.clone()];
            residual::<A>(&joint.kind, place, turns, start);
        }
    }
    group.lag = Wide::all(dt);
    for (lane, fine) in fine.iter_mut().enumerate() {
        // A NaN stays in the largest speed.
        *fine &= group.speed.0[lane].is_finite()
            && group.coordinates.iter().all(|q| q.0[lane].is_finite());
    }
    fine
}

/// Remember the hidden velocities found, and the rates of what stores energy.
#[inline(always)]
fn remember(program: &Program, group: &mut Group) {
    let dt = program.settings.dt;
    let n = program.hidden();
    group.trace.newest = (group.trace.newest + RING - 1) % RING;
    let at = group.trace.newest * n;
    for (j, joint) in program.joints.iter().enumerate() {
        for (i, row) in joint.rows.clone().enumerate() {
            let round = if i < joint.lengths {
                group.rounding[j]
            } else {
                Wide::all(rounding(1.0))
            };
            let path = group.end[row] - group.start[row] - Wide::all(dt) * group.rate[row];
            let hidden = path * Wide::all(1.0 / dt);
            group.hidden[at + row] = round.where_less(path.abs(), hidden, Wide::ZERO);
        }
    }
    for (i, hidden) in group.end_hidden.iter().enumerate() {
        group.hidden[at + program.locked + i] = *hidden;
    }
    for held in &mut group.trace.held {
        *held = (*held + 1).min(REMEMBERED);
    }
    group.trace.rated = Wide::ONE;
}
