//! How the threads of a batch share its worlds.
//!
//! A task is a group of worlds that step together. Where there are few tasks, each is taken in slices of steps, in turn: threads end at nearly the same time also where
//! the number of groups is no multiple of that of threads, and where one group is slower than others. What a world does depends on none of this.

use super::World;
use super::lanes::{Ride, Stepper};
use crate::control::Control;
use crate::state::State;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Slices for each thread, if there are fewer tasks.
pub(super) const SLICES: usize = 16;

/// What all tasks share.
pub(super) struct Tasks<'a, D> {
    pub lanes: Option<&'a Stepper>,
    pub steps: u32,
    pub max_speed: f64,
    pub drive: Option<&'a D>,
}

/// A group of worlds, and how far it is.
pub(super) struct Task<'a> {
    first: usize,
    worlds: &'a mut [World],
    /// Once it has begun, where there are lanes.
    ride: Option<Ride<'a>>,
    done: u32,
}

impl<'a> Task<'a> {
    /// The worlds of which the first has the index `first`.
    pub fn new(first: usize, worlds: &'a mut [World]) -> Self {
        Self {
            first,
            worlds,
            ride: None,
            done: 0,
        }
    }
}

/// Tasks that have not begun, then those that wait for their next slice.
pub(super) struct Queue<'a, F> {
    fresh: F,
    paused: VecDeque<Task<'a>>,
}

impl<'a, F: FnMut() -> Option<Task<'a>>> Queue<'a, F> {
    /// A queue of the tasks that `fresh` gives.
    pub fn new(fresh: F) -> Self {
        Self {
            fresh,
            paused: VecDeque::new(),
        }
    }

    fn next(&mut self) -> Option<Task<'a>> {
        (self.fresh)().or_else(|| self.paused.pop_front())
    }
}

impl<'a, D: Fn(usize, &State, &mut Control)> Tasks<'a, D> {
    /// Take slices of so many steps until none is left in the queue. A thread that goes before the others leaves them no more than one task each.
    pub fn work<F: FnMut() -> Option<Task<'a>>>(&self, queue: &Mutex<Queue<'a, F>>, slice: u32) {
        loop {
            let next = lock(queue).next();
            let Some(mut task) = next else {
                return;
            };
            self.advance(&mut task, slice);
            if task.done < self.steps {
                lock(queue).paused.push_back(task);
            }
        }
    }

    fn advance(&self, task: &mut Task<'a>, slice: u32) {
        let first = task.first;
        let end = task.done.saturating_add(slice).min(self.steps);
        let range = task.done..end;
        for (i, world) in (first..).zip(task.worlds.iter_mut()) {
            if !world.rides() {
                world.advance(range.len() as u32, self.max_speed, |state, control| {
                    if let Some(drive) = self.drive {
                        drive(i, state, control);
                    }
                });
            }
        }
        if let Some(lanes) = self.lanes {
            let worlds = &*task.worlds;
            let board = || lanes.board(worlds, self.max_speed);
            let mut ride = task.ride.take().unwrap_or_else(board);
            ride.advance((first, task.worlds), range, self.steps, self.drive);
            if end == self.steps {
                lanes.arrive(ride, task.worlds);
            } else {
                task.ride = Some(ride);
            }
        }
        task.done = end;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
