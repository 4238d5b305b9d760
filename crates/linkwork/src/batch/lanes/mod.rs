//! Worlds stepped eight at a time, one per lane of a vector of the processor (structure of arrays).
//!
//! For models whose rows are joints, drives, springs, dampers and armatures, equations that never change, and dry friction and contacts ([`Program::of`]). Steps in which a
//! coordinate is at a limit are taken by the world's simulator. The step is that of
//! [`crate::step`], with the same elimination plan, closed to the same tolerances and judged by the same books, but not with the same bits: sums are taken in
//! another order. What a world does depends on its own numbers only, and not on its lane or the worlds beside it. A step that lanes cannot settle is taken
//! by the world's [`Simulator`](crate::Simulator) from its state and memory.
//!
//! | file | concept |
//! |---|---|
//! | `program` | which models, and the layout of their rows |
//! | `group` | the numbers of eight worlds, and the way in and out |
//! | `step`, `begin`, `end` | one step: its algorithm, start and end |
//! | `joints`, `others`, `place` | formulas of joints; types without one, lane by lane; where joints are |
//! | `bodies`, `rotation`, `math` | formulas of velocities, turning bodies and vectors |
//! | `contacts` | contacts and dry friction, world by world |
//! | `predict` | hidden velocities from those of the last steps |
//! | `energy` | what a step does to the energy |

mod begin;
mod bodies;
mod contacts;
mod end;
mod energy;
mod group;
mod joints;
mod math;
mod others;
mod place;
mod predict;
mod program;
mod rotation;
mod step;

pub(super) use program::Program;

use super::world::World;
use crate::control::Control;
use crate::state::State;
use group::Group;
use linkwork_solve::WIDE;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

/// Number of worlds of a group.
pub(super) const WORLDS: usize = WIDE;

/// The lanes of a batch: the program, and room for groups that no thread uses just now.
pub(super) struct Stepper {
    pub program: Program,
    spare: Mutex<Vec<Box<Group>>>,
}

impl Stepper {
    pub fn new(program: Program) -> Self {
        Self {
            program,
            spare: Mutex::new(Vec::new()),
        }
    }

    /// Let those of up to eight worlds that ride get in.
    pub fn board(&self, worlds: &[World], max_speed: f64) -> Ride<'_> {
        let found = self.spare().pop();
        let mut ride = Ride {
            program: &self.program,
            group: found.unwrap_or_else(|| Box::new(Group::new(&self.program))),
            riding: [false; WIDE],
            moved: [false; WIDE],
            fits: [false; WIDE],
            max_speed,
        };
        ride.board(worlds);
        ride
    }

    /// The end of a ride: the worlds have what they remember.
    pub fn arrive(&self, mut ride: Ride<'_>, worlds: &mut [World]) {
        ride.leave(worlds);
        self.spare().push(ride.group);
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Box<Group>>> {
        // Groups are complete between steps, also where a script panicked.
        self.spare.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// Worlds on their way.
pub(super) struct Ride<'a> {
    program: &'a Program,
    group: Box<Group>,
    /// Lanes with a world that is not set aside.
    riding: [bool; WIDE],
    /// Lanes whose world has moved here since it was loaded: what it remembers is in the group.
    moved: [bool; WIDE],
    /// Lanes whose control fits the model and is finite.
    fits: [bool; WIDE],
    max_speed: f64,
}

impl Ride<'_> {
    /// Take the steps numbered `range` of `steps` in the worlds, the first of which has the index `first`.
    pub fn advance(
        &mut self,
        (first, worlds): (usize, &mut [World]),
        range: Range<u32>,
        steps: u32,
        drive: Option<&impl Fn(usize, &State, &mut Control)>,
    ) {
        for step in range {
            self.step(first, worlds, (step == 0, step + 1 == steps), drive);
        }
    }

    fn board(&mut self, worlds: &[World]) {
        for (lane, world) in worlds.iter().enumerate() {
            self.riding[lane] = world.rides() && world.set_aside().is_none();
        }
        let Some(some) = self.riding.iter().position(|rides| *rides) else {
            return;
        };
        for lane in 0..WIDE {
            // Empty lanes repeat a world, so that they have numbers.
            let from = if self.riding[lane] { lane } else { some };
            self.group
                .load_model(self.program, lane, worlds[from].model());
            self.load(lane, &worlds[from]);
            // Judged before every step.
            self.group.load_control(lane, worlds[from].control());
        }
        step::place(self.program, &mut self.group);
    }

    fn load(&mut self, lane: usize, world: &World) {
        let passenger = world.passenger();
        self.group
            .load(self.program, lane, &passenger.state, &passenger.memory);
        self.moved[lane] = false;
    }

    fn step(
        &mut self,
        first: usize,
        worlds: &mut [World],
        (begins, ends): (bool, bool),
        drive: Option<&impl Fn(usize, &State, &mut Control)>,
    ) {
        if self.riding == [false; WIDE] {
            return;
        }
        let mut here = self.riding;
        for (lane, world) in worlds.iter_mut().enumerate() {
            if !self.riding[lane] {
                continue;
            }
            if let Some(drive) = drive {
                world.drive(|state, control| drive(first + lane, state, control));
            }
            if begins || drive.is_some() {
                self.fits[lane] = self.group.load_control(lane, world.control());
            }
            here[lane] = world.goes_whole() && self.fits[lane];
            if here[lane] && ends {
                self.settle(lane, world);
                world.note_departure();
            }
        }
        if self.program.keeps() {
            self.find_contacts(worlds, here);
        }
        let taken = if here == [false; WIDE] {
            here
        } else {
            step::step(self.program, &mut self.group, here)
        };
        let mut alone = false;
        for (lane, world) in worlds.iter_mut().enumerate() {
            if !self.riding[lane] {
                continue;
            }
            let group = &*self.group;
            let fast = group.speed.0[lane] > self.max_speed * self.max_speed;
            if here[lane] && taken[lane] && !fast {
                if drive.is_some() {
                    group.store_state(lane, false, &mut world.passenger_mut().state);
                }
                let closure = group.closure.map(|c| c.0[lane]);
                world.arrive(self.program.settings.dt, group.residual.0[lane], closure);
                self.moved[lane] = true;
                continue;
            }
            alone = true;
            if self.moved[lane] {
                // As it was before the step that was not taken here, if one was tried.
                let tried = here != [false; WIDE];
                let passenger = world.passenger_mut();
                group.store_memory(self.program, lane, tried, &mut passenger.memory);
                group.store_state(lane, tried, &mut passenger.state);
            }
            world.step_alone(self.max_speed);
            self.riding[lane] = world.set_aside().is_none();
            self.load(lane, world);
        }
        if alone {
            step::place(self.program, &mut self.group);
        }
    }

    /// Find the contacts of the worlds that step here.
    fn find_contacts(&mut self, worlds: &mut [World], here: [bool; WIDE]) {
        let mut contacts = std::mem::take(&mut self.group.contacts);
        for (lane, own) in contacts.iter_mut().enumerate() {
            match worlds.get_mut(lane) {
                Some(world) if here[lane] => {
                    own.find(lane, &self.group, self.program, world);
                }
                _ => own.clear(),
            }
        }
        self.group.contacts = contacts;
    }

    /// Let a world have what it remembers.
    fn settle(&mut self, lane: usize, world: &mut World) {
        if self.moved[lane] {
            let passenger = world.passenger_mut();
            let group = &*self.group;
            group.store_memory(self.program, lane, false, &mut passenger.memory);
            group.store_state(lane, false, &mut passenger.state);
        }
    }

    fn leave(&mut self, worlds: &mut [World]) {
        for (lane, world) in worlds.iter_mut().enumerate() {
            self.settle(lane, world);
        }
    }
}
