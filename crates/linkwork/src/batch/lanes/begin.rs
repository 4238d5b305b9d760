//! The start of a step: joints, J, M, free motion, K and biases.

use super::bodies::{along, kicked, mobility};
use super::group::Group;
use super::joints::{free, locked, residual};
use super::math::{Pose, add_scaled, congruent, join, matrix, product, transform};
use super::place::Place;
use super::predict::{expect, expected};
use super::program::{Law, Program};
use super::rotation::turn;
use super::step::{add_six, sigma};
use crate::closure::rounding;
use linkwork_solve::{Arithmetic, Wide};

/// The joints at the present poses, and C there.
#[inline(always)]
pub(super) fn arrange<A: Arithmetic>(program: &Program, group: &mut Group) {
    for (j, joint) in program.joints.iter().enumerate() {
        let base = joint.base.map_or(&Pose::IDENTITY, |b| &group.poses[b]);
        let follower = &group.poses[joint.follower];
        group.places[j] = Place::new::<A>([base, follower], &group.frames[j]);
        let turns = &group.coordinates[joint.coordinates.clone()];
        let start = &mut group.start[joint.rows.clone()];
        residual::<A>(&joint.kind, &group.places[j], turns, start);
    }
}

/// J, M, free motion and K.
#[inline(always)]
pub(super) fn begin<A: Arithmetic>(program: &Program, group: &mut Group) {
    let dt = program.settings.dt;
    group.kick = 0.5 * (group.lag + Wide::all(dt));
    let kick = group.kick;
    group.factors.clear();
    for (moving, wrench) in group.moving.iter_mut().zip(&group.wrenches) {
        moving.wrench = *wrench;
    }
    for (j, joint) in program.joints.iter().enumerate() {
        let place = &group.places[j];
        let turns = &group.coordinates[joint.coordinates.clone()];
        let rows = joint.rows.clone();
        if let Some(part) = joint.part {
            let (base, follower) = (&mut group.base[rows.clone()], &mut group.follower[rows]);
            locked::<A>(&joint.kind, place, turns, base, follower);
            let at = usize::from(joint.base.is_some());
            group.factors.set_rows(part, at, follower);
            if at == 1 {
                group.factors.set_rows(part, 0, base);
            }
            for r in 0..joint.rows.len() {
                group.factors.set_compliance(part, r, Wide::ZERO);
            }
        }
        group.rounding[j] = Wide::all(rounding(1.0)) * place.reach::<A>();
        let forces = &group.forces[joint.coordinates.clone()];
        let pushed = forces.iter().any(|f| *f != Wide::ZERO);
        if !joint.acts && !pushed {
            continue;
        }
        let [base, follower] = &mut group.free;
        free::<A>(&joint.kind, place, turns, base, follower);
        for (c, force) in forces.iter().enumerate() {
            if pushed {
                let wrench = &mut group.moving[joint.follower].wrench;
                add_six::<A>(wrench, *force, &follower[c]);
                if let Some(body) = joint.base {
                    add_six::<A>(&mut group.moving[body].wrench, *force, &base[c]);
                }
            }
        }
        if joint.acts {
            for (rows, rub) in group.rubbing.iter_mut().zip(&program.rubs) {
                if rub.joint == j {
                    *rows = [base[rub.own], follower[rub.own]];
                }
            }
            for single in program.singles.iter().filter(|s| s.joint == j) {
                group.base[single.row] = base[single.own];
                group.follower[single.row] = follower[single.own];
                let at = usize::from(joint.base.is_some());
                let rows = &group.follower[single.row..single.row + 1];
                group.factors.set_rows(single.part, at, rows);
                if at == 1 {
                    let rows = &group.base[single.row..single.row + 1];
                    group.factors.set_rows(single.part, 0, rows);
                }
            }
        }
    }
    for (b, moving) in group.moving.iter_mut().enumerate() {
        let body = &group.bodies[b];
        let twist = &group.twists[b];
        let matrix = matrix(&group.poses[b].rotation);
        moving.matrix = matrix;
        moving.inertia = congruent::<A>(&matrix, &body.inertia);
        moving.inverse = congruent::<A>(&matrix, &body.inverse);
        let [fx, fy, fz, tx, ty, tz] = moving.wrench;
        let (force, torque) = ([fx, fy, fz], [tx, ty, tz]);
        let push = add_scaled::<A>(&body.gravity, body.inverse_mass, &force);
        let linear = add_scaled::<A>(&[twist[0], twist[1], twist[2]], kick, &push);
        let spin = [twist[3], twist[4], twist[5]];
        let momentum = add_scaled::<A>(&transform::<A>(&moving.inertia, &spin), kick, &torque);
        moving.momentum = momentum;
        let angular = if program.isotropic[b] {
            add_scaled::<A>(&spin, kick * body.inverse[0][0], &torque)
        } else {
            moving.axes = product::<A>(&matrix, &body.principal);
            turn::<A>(&body.moments, &moving.axes, &momentum, dt)
        };
        moving.free = join(&linear, &angular);
        group.factors.set_body(b, body.mass, &moving.inertia);
    }
    rule::<A>(program, group);
}

/// The laws λ = p − a v⁺ of single rows.
#[inline(always)]
fn rule<A: Arithmetic>(program: &Program, group: &mut Group) {
    let dt = program.settings.dt;
    let (kick, past) = (group.kick, group.kick + group.kick - Wide::all(dt));
    for (s, single) in program.singles.iter().enumerate() {
        let joint = &program.joints[single.joint];
        let q = group.coordinates[single.coordinate];
        let gains = group.gains[s];
        let (drag, push) = match single.law {
            Law::Passive(stores) => {
                let stiff = 0.25 * gains.stiffness;
                let drag = gains.armature + stiff * Wide::all(dt * dt) + kick * gains.damping;
                let mut push = kick * gains.stiffness * (gains.rest - q);
                if let Some(at) = stores {
                    let mut before =
                        along::<A>(&group.follower[single.row], &group.twists[joint.follower]);
                    if let Some(body) = joint.base {
                        before += along::<A>(&group.base[single.row], &group.twists[body]);
                    }
                    let before =
                        Wide::ZERO.where_less(group.last.rated, group.last.rates[at], before);
                    group.gains[s].before = before;
                    push += (gains.armature + stiff * past * past) * before;
                }
                (drag, push)
            }
            Law::Drive => {
                let drag = kick * gains.damping + kick * Wide::all(dt) * gains.stiffness;
                let target = gains.stiffness * (group.targets[single.coordinate] - q);
                let rate = gains.damping * group.velocity_targets[single.coordinate];
                (drag, kick * target + kick * rate)
            }
        };
        let bias = -(push / drag);
        group.gains[s].bias = bias;
        let compliance = Wide::ONE / drag;
        group.compliance[single.row] = compliance;
        group.factors.set_compliance(single.part, 0, compliance);
    }
}

/// Biases, with the expected hidden velocities, weights, and σ without impulses.
#[inline(always)]
pub(super) fn aim<A: Arithmetic>(program: &Program, group: &mut Group) {
    let dt = program.settings.dt;
    expect(program, group);
    for (j, joint) in program.joints.iter().enumerate() {
        for (i, row) in joint.rows.clone().enumerate() {
            let c = group.start[row];
            let round = if i < joint.lengths {
                group.rounding[j]
            } else {
                Wide::all(rounding(1.0))
            };
            let known = round.where_less(c.abs(), c * Wide::all(1.0 / dt), Wide::ZERO);
            group.bias[row] = known + expected(group, row);
        }
    }
    for (single, gains) in program.singles.iter().zip(&group.gains) {
        group.bias[single.row] = match single.law {
            Law::Passive(Some(at)) => gains.bias + expected(group, program.locked + at),
            _ => gains.bias,
        };
    }
    for (part, weight) in group.weights.iter_mut().enumerate() {
        let block = &program.blocks[part];
        let mut trace = Wide::ZERO;
        for row in block.rows.clone() {
            let (bodies, moving) = (&group.bodies, &group.moving);
            let (b, j) = (block.follower, &group.follower[row]);
            trace += mobility::<A>(j, bodies[b].inverse_mass, &moving[b].inverse);
            if let Some(b) = block.base {
                let j = &group.base[row];
                trace += mobility::<A>(j, bodies[b].inverse_mass, &moving[b].inverse);
            }
            trace += group.compliance[row];
        }
        *weight = trace * Wide::all(1.0 / block.rows.len() as f64);
    }
    group.trace.lambda.fill(Wide::ZERO);
    for (body, moving) in group.bodies.iter().zip(&mut group.moving) {
        moving.plus = if program.keeps() {
            kicked::<A>(
                &moving.free,
                &moving.touch,
                body.inverse_mass,
                &moving.inverse,
            )
        } else {
            moving.free
        };
    }
    sigma::<A>(program, group);
}
