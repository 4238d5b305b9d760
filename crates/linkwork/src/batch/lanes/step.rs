//! One step of eight worlds: the algorithm of [`crate::step`] for models whose rows are contacts, and equations that never change.
//!
//! Every operation of a lane depends on that lane only. A lane whose step the scalar step has to take (not closed after [`PASSES`], above the
//! tolerance after [`ROUNDS`], a drive or a coordinate at its limit, contacts that bounce or are not solved at once, joints that do too much work, a coordinate
//! that jumps, numbers out of range) is told by its own numbers, in whatever company it is.

use super::begin::{aim, arrange, begin};
use super::bodies::{along, kicked};
use super::contacts;
use super::end::{arrive, evaluate};
use super::group::{Group, Moving};
use super::math::Six;
use super::program::{Law, Program};
use linkwork_solve::{Arithmetic, Routine, WIDE, Wide, run_wide};

/// Rounds of a solve at most: the first is nearly exact, others refine what round-off left.
const ROUNDS: usize = 3;
/// Closure passes at most.
const PASSES: usize = 6;

/// A part of the step, compiled for the processor at hand.
macro_rules! routine {
    ($name:ident, $function:ident $(::<$arithmetic:ident>)?, $out:ty) => {
        struct $name<'a>(&'a Program, &'a mut Group);

        impl Routine for $name<'_> {
            type Output = $out;

            #[inline(always)]
            fn run<A: Arithmetic>(self) -> $out {
                $function$(::<$arithmetic>)?(self.0, self.1)
            }
        }
    };
}

routine!(Arrange, arrange::<A>, ());
routine!(Begin, begin::<A>, ());
routine!(Aim, aim::<A>, ());
routine!(Ask, ask, ());
routine!(Correct, correct, ());
routine!(Respond, respond::<A>, Wide);
routine!(Evaluate, evaluate::<A>, Wide);
routine!(Arrive, arrive::<A>, [bool; WIDE]);

/// Place the joints of worlds that were loaded.
pub(super) fn place(program: &Program, group: &mut Group) {
    run_wide(Arrange(program, group));
}

/// Take a step in the lanes that are `here`; those in which it was taken. The others have to be loaded again.
pub(super) fn step(program: &Program, group: &mut Group, here: [bool; WIDE]) -> [bool; WIDE] {
    let tolerance = Wide::all(program.settings.solve.tolerance);
    std::mem::swap(&mut group.trace.lambda, &mut group.last.lambda);
    std::mem::swap(&mut group.trace.rates, &mut group.last.rates);
    group.last.newest = group.trace.newest;
    group.last.held = group.trace.held;
    group.last.rated = group.trace.rated;
    group.last.books = group.trace.books;
    run_wide(Begin(program, group));
    group.factors.factor();
    if program.keeps() {
        contacts::pose(program, group);
    }
    run_wide(Aim(program, group));
    let here = Wide(here.map(|here| if here { 1.0 } else { 0.0 }));
    let (mut going, mut open) = (here, Wide::ONE);
    if program.keeps() {
        contacts::judge(group);
    }
    for pass in 0..=PASSES {
        solve(program, group, going, tolerance);
        open = run_wide(Evaluate(program, group));
        going = Wide::ONE.where_less(open, here, Wide::ZERO);
        if going == Wide::ZERO || pass == PASSES {
            break;
        }
        group.going = going;
        run_wide(Correct(program, group));
    }
    let mut fits = [true; WIDE];
    if program.keeps() {
        fits = contacts::end(program, group);
    }
    let fine = run_wide(Arrive(program, group));
    let taken = std::array::from_fn(|i| fine[i] && fits[i] && open.0[i] <= 1.0);
    // A NaN would stay where K is empty.
    if !group.speed.all_less(Wide::all(f64::INFINITY)) {
        group.factors.wipe();
    }
    taken
}

/// Solve for the σ at hand in the lanes that are `going`.
fn solve(program: &Program, group: &mut Group, mut going: Wide, tolerance: Wide) {
    for _ in 0..ROUNDS {
        group.going = going;
        run_wide(Ask(program, group));
        group.factors.forward();
        if program.keeps() {
            contacts::solve(program, group, going);
        }
        group.factors.backward();
        let mut size = run_wide(Respond(program, group));
        if program.keeps() {
            group.touch_residual = contacts::judge(group);
            size.raise(group.touch_residual);
        }
        going = tolerance.where_less(size, going, Wide::ZERO);
        if going == Wide::ZERO {
            return;
        }
    }
}

/// Hand over the σ that is to be taken off.
#[inline(always)]
fn ask(program: &Program, group: &mut Group) {
    group.factors.begin();
    for (part, block) in program.blocks.iter().enumerate() {
        for (r, row) in block.rows.clone().enumerate() {
            let sigma = Wide::ZERO.where_less(group.going, group.sigma[row], Wide::ZERO);
            group.factors.set_sigma(part, r, sigma);
        }
    }
}

/// Biases and σ of the next pass, in the lanes that are `going`: hidden velocities as they were found.
#[inline(always)]
fn correct(program: &Program, group: &mut Group) {
    let going = group.going;
    let rate = Wide::all(1.0 / program.settings.dt);
    for (row, end) in group.end.iter().enumerate() {
        let sigma = *end * rate;
        let bias = group.bias[row] + (sigma - group.sigma[row]);
        group.bias[row] = Wide::ZERO.where_less(going, bias, group.bias[row]);
        group.sigma[row] = Wide::ZERO.where_less(going, sigma, group.sigma[row]);
    }
    for (single, gains) in program.singles.iter().zip(&group.gains) {
        if let Law::Passive(Some(at)) = single.law {
            let bias = gains.bias + group.end_hidden[at];
            let sigma = group.sigma[single.row] + (bias - group.bias[single.row]);
            let (b, s) = (&mut group.bias[single.row], &mut group.sigma[single.row]);
            *b = Wide::ZERO.where_less(going, bias, *b);
            *s = Wide::ZERO.where_less(going, sigma, *s);
        }
    }
}

/// J u⁺ and σ = J u⁺ + v* + R λ of all rows.
#[inline(always)]
pub(super) fn sigma<A: Arithmetic>(program: &Program, group: &mut Group) {
    for block in &program.blocks {
        for row in block.rows.clone() {
            let mut rate = along::<A>(&group.follower[row], &group.moving[block.follower].plus);
            if let Some(body) = block.base {
                rate += along::<A>(&group.base[row], &group.moving[body].plus);
            }
            group.rate[row] = rate;
            let yields = group.compliance[row] * group.trace.lambda[row];
            group.sigma[row] = rate + group.bias[row] + yields;
        }
    }
}

/// Add the impulses found, and the velocities that they lead to; the largest scaled σ of rows that take part.
#[inline(always)]
fn respond<A: Arithmetic>(program: &Program, group: &mut Group) -> Wide {
    for moving in &mut group.moving {
        moving.impulse = [Wide::ZERO; 6];
    }
    for (part, block) in program.blocks.iter().enumerate() {
        if part == program.hard {
            // What follows is no part of the joints' impulse.
            for moving in &mut group.moving {
                moving.plus = moving.impulse;
            }
        }
        let (mut on_base, mut on_follower) = ([Wide::ZERO; 6], [Wide::ZERO; 6]);
        for (r, row) in block.rows.clone().enumerate() {
            group.trace.lambda[row] += group.factors.impulse(part, r);
            let lambda = group.trace.lambda[row];
            let (base, follower) = (&group.base[row], &group.follower[row]);
            add_six::<A>(&mut on_follower, lambda, follower);
            add_six::<A>(&mut on_base, lambda, base);
        }
        let single = part >= program.hard;
        add_impulse(&mut group.moving[block.follower], single, &on_follower);
        if let Some(body) = block.base {
            add_impulse(&mut group.moving[body], single, &on_base);
        }
    }
    let only_joints = program.hard == program.blocks.len();
    for (body, moving) in group.bodies.iter().zip(&mut group.moving) {
        let mut impulse = if only_joints {
            moving.impulse
        } else {
            moving.plus
        };
        for i in 0..6 {
            impulse[i] += moving.touch[i];
        }
        moving.plus = kicked::<A>(&moving.free, &impulse, body.inverse_mass, &moving.inverse);
    }
    sigma::<A>(program, group);
    let mut size = Wide::ZERO;
    for (part, block) in program.blocks.iter().enumerate() {
        let mut own = Wide::ZERO;
        for (r, row) in block.rows.clone().enumerate() {
            own.raise(group.sigma[row].abs() * group.factors.takes_part(part, r));
        }
        size.raise(own);
        size.raise(own / group.weights[part]);
    }
    size
}

/// sum ← sum + s x.
#[inline(always)]
pub(super) fn add_six<A: Arithmetic>(sum: &mut Six, s: Wide, x: &Six) {
    for i in 0..6 {
        sum[i] = sum[i].madd::<A>(s, x[i]);
    }
}

/// Add an impulse of a joint, or of a `single` row, to those of a body.
#[inline(always)]
fn add_impulse(moving: &mut Moving, single: bool, p: &Six) {
    let sum = if single {
        &mut moving.plus
    } else {
        &mut moving.impulse
    };
    for i in 0..6 {
        sum[i] += p[i];
    }
}
