//! What a step does to the energy of eight worlds: the books of [`crate::step`] and [`crate::work`], one world per lane.

use super::bodies::along;
use super::group::Group;
use super::math::{M3, Six, V3, dot, sub, transform};
use super::program::{Law, Program};
use crate::report::Work;
use crate::step::{Judge, Measure};
use linkwork_solve::{Arithmetic, WIDE, Wide};

/// Work and energies of a step, J.
pub(super) struct Energies {
    joints: Wide,
    drives: Wide,
    contacts: Wide,
    applied: Wide,
    before: Wide,
    free: Wide,
    solved: Wide,
    stores: Wide,
    slack: Wide,
    /// 0 in lanes that start at rest.
    motion: Wide,
}

/// Measure the step found.
#[inline(always)]
pub(super) fn measure<A: Arithmetic>(program: &Program, group: &mut Group) -> Energies {
    let zero = Wide::ZERO;
    let half = Wide::all(0.5);
    let mut e = Energies {
        joints: zero,
        drives: zero,
        contacts: zero,
        applied: zero,
        before: zero,
        free: zero,
        solved: zero,
        stores: zero,
        slack: zero,
        motion: zero,
    };
    for (b, moving) in group.moving.iter_mut().enumerate() {
        let (mass, twist) = (group.bodies[b].mass, &group.twists[b]);
        e.before += kinetic::<A>(mass, &moving.inertia, twist);
        e.free += kinetic::<A>(mass, &moving.inertia, &moving.free);
        e.solved += kinetic::<A>(mass, &moving.inertia, &moving.plus);
        let mut mean = [zero; 6];
        for i in 0..6 {
            mean[i] = half * (twist[i] + moving.plus[i]);
        }
        if !program.isotropic[b] {
            // The turn over the step is not I⁻¹ times the momentum.
            let spin = transform::<A>(&moving.inverse, &moving.momentum);
            let free: V3 = [moving.free[3], moving.free[4], moving.free[5]];
            let change = sub(&spin, &free);
            for i in 0..3 {
                mean[3 + i] = mean[3 + i].madd::<A>(half, change[i]);
            }
        }
        e.joints += along::<A>(&moving.impulse, &mean);
        e.contacts += along::<A>(&moving.touch, &mean);
        e.applied += group.kick * along::<A>(&moving.wrench, &mean);
        for u in twist {
            e.motion += u.abs();
        }
        moving.impulse = mean;
    }
    let mut impulses = zero;
    for lambda in &group.trace.lambda[..program.locked] {
        impulses += lambda.abs();
    }
    let dt = Wide::all(program.settings.dt);
    for (single, gains) in program.singles.iter().zip(&group.gains) {
        let joint = &program.joints[single.joint];
        let row = single.row;
        let mut mean = along::<A>(&group.follower[row], &group.moving[joint.follower].impulse);
        if let Some(b) = joint.base {
            mean += along::<A>(&group.base[row], &group.moving[b].impulse);
        }
        let lambda = group.trace.lambda[row];
        let mut done = lambda * mean;
        if let Law::Passive(Some(at)) = single.law {
            impulses += lambda.abs();
            let hidden = group.bias[row] - gains.bias;
            // Without an armature the row has no momentum of its own.
            let slipped = -gains.bias - group.compliance[row] * lambda;
            let after = zero.where_less(gains.armature, slipped, group.rate[row] + hidden);
            let before = gains.before;
            let rotor = half * gains.armature;
            let (rotor_before, rotor_after) = (rotor * before * before, rotor * after * after);
            e.before += rotor_before;
            e.free += rotor_before;
            e.solved += rotor_after;
            let mut start = along::<A>(&group.follower[row], &group.twists[joint.follower]);
            if let Some(b) = joint.base {
                start += along::<A>(&group.base[row], &group.twists[b]);
            }
            let end = mean + mean - start;
            let behind = group.kick + group.kick - dt;
            let stretch = group.coordinates[single.coordinate] - gains.rest;
            let from = stretch - half * behind * before;
            let to = stretch + half * dt * after;
            let last = -(half * gains.stiffness * behind * from);
            let next = -(half * gains.stiffness * dt * to);
            let change = gains.armature * (after - before);
            let gain = change * (half * (before + after) - mean)
                + last * (start - before)
                + next * (end - after);
            e.joints += gain;
            done -= gain;
            e.stores += rotor_before - rotor_after + last * before + next * after;
            group.trace.rates[at] = after;
        }
        e.drives += done;
    }
    let settings = &program.settings;
    let speed = settings.closure.tolerance / settings.dt;
    e.slack = impulses * Wide::all(settings.solve.tolerance.max(speed));
    e
}

/// ½ uᵀ M u.
#[inline(always)]
fn kinetic<A: Arithmetic>(mass: Wide, inertia: &M3, u: &Six) -> Wide {
    let (v, w) = ([u[0], u[1], u[2]], [u[3], u[4], u[5]]);
    let spin = transform::<A>(inertia, &w);
    Wide::all(0.5) * (mass * dot::<A>(&v, &v) + dot::<A>(&w, &spin))
}

/// Enter the step in the books; the lanes in which it is fine.
pub(super) fn accept(program: &Program, group: &mut Group, e: &Energies) -> [bool; WIDE] {
    std::array::from_fn(|i| {
        let judge = Judge {
            energy: program.settings.closure.energy,
            geared: program.geared > 0,
            standstill: group.standstill[i],
        };
        let work = Work {
            joints: e.joints.0[i],
            drives: e.drives.0[i],
            contacts: e.contacts.0[i],
            applied: e.applied.0[i],
            ..Work::default()
        };
        let measure = Measure {
            before: e.before.0[i],
            free: e.free.0[i],
            solved: e.solved.0[i],
            stores: e.stores.0[i],
            slack: e.slack.0[i],
        };
        judge.accept(
            &mut group.trace.books[i],
            &work,
            &measure,
            e.motion.0[i] == 0.0,
        )
    })
}
