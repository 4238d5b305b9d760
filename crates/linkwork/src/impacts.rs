//! Impacts one after the other ([`Impacts::Sequential`](crate::Impacts)).
//!
//! Before a step, contacts that would close in it and approach separate with their restitution, while all others are
//! ignored. The resulting velocities determine the approaching contacts of the next stage, until none approaches faster
//! than the threshold. Joints and armatures take part with J u⁺ = 0; forces have no time to act. Each stage is Newton's
//! law on the approaching contacts, which for ε = 1 without friction is a reflection in the metric of M and conserves
//! the energy. The step itself stops the remaining approach velocities.

use crate::collision::ContactPoint;
use crate::control::Control;
use crate::integrate::free_motion;
use crate::integrator::Plan;
use crate::math::Vec3;
use crate::model::{BodyId, Model};
use crate::rows::{Inputs, rebound};
use crate::simulator::Simulator;
use crate::synchronise::set_twists;
use std::sync::{Mutex, PoisonError};

/// Maximum number of stages per contact; the rest is left to the step. Impacts travel through a row of n bodies in n
/// stages, and at ε = 0.5 travel back and forth about ten times before they are slower than the threshold.
const STAGES: usize = 30;

impl Simulator {
    /// Lets the detected contacts bounce one after the other over a step of `dt` (s); returns the work of the contacts,
    /// J.
    pub(crate) fn bounce_in_turn(&mut self, control: &Control, dt: f64) -> f64 {
        let model = self.model.clone();
        let bouncing = |c: &ContactPoint| restitution(&model, c) > 0.0;
        if !self.contacts.iter().any(bouncing) {
            return 0.0;
        }
        let kept = self.reader.get_mut();
        let kept = kept.unwrap_or_else(PoisonError::into_inner).take();
        let mut reader = kept.unwrap_or_else(|| self.make_reader());
        let mut work = 0.0;
        let mut leave = Vec::new();
        for _ in 0..STAGES * self.contacts.len() {
            reader.contacts.clear();
            leave.clear();
            for contact in &self.contacts {
                if let Some(speed) = self.leaves(contact, dt) {
                    reader.contacts.push(*contact);
                    leave.push(speed);
                }
            }
            // Contacts that do not bounce are left to the step, but transmit impacts.
            if !reader.contacts.iter().any(bouncing) {
                break;
            }
            let (state, settings) = (self.stage.at(&self.state), &self.settings);
            let rows = &mut reader.rows;
            rows.begin(&model, state, dt);
            reader.wrenches.clear();
            reader
                .wrenches
                .resize(model.bodies().len(), [Vec3::zeros(); 2]);
            free_motion(
                rows,
                &model,
                state,
                (0.0, 0.0),
                settings.gyroscopic,
                &reader.wrenches,
            );
            // No gravity either.
            rows.let_free_be_before();
            let inputs = Inputs {
                model: &model,
                state,
                control,
                settings,
                contacts: &reader.contacts,
                carried: &self.carried,
                released: &self.released,
                plan: &Plan::impact(dt),
            };
            rows.assemble_impacts(&inputs, &leave);
            reader.solution.lambda.clear();
            let (problem, x) = (&rows.problem, &mut reader.solution);
            if reader.solver.supports(problem).is_err() {
                break;
            }
            let solve = reader.solver.solve(problem, x, &mut ());
            if !solve.status.is_solved() {
                break;
            }
            let mass = rows.bodies().0;
            let (before, after) = (&rows.u_minus, &x.u_plus);
            work += 0.5 * (mass.product(after, after) - mass.product(before, before));
            work += self.kick_between(before, after);
            if !self.carried.is_empty() {
                for (last, g) in self.carried.iter_mut().zip(&rows.geared) {
                    last.rate = rows.rate_after(g, x);
                }
            }
            set_twists(self.stage.at_mut(&mut self.state), x);
        }
        self.reader = Mutex::new(Some(reader));
        work
    }

    /// The normal velocity with which a contact separates, before forces act, if it closes in the step.
    fn leaves(&self, contact: &ContactPoint, dt: f64) -> Option<f64> {
        let state = self.stage.at(&self.state);
        let velocity = |body: Option<BodyId>| {
            body.map_or(Vec3::zeros(), |body| {
                let arm = contact.point - state.poses[body.index()].position;
                state.twists[body.index()].at(&arm)
            })
        };
        let falls = |body: Option<BodyId>| {
            body.map_or(Vec3::zeros(), |body| {
                self.model.gravity() * self.model.bodies()[body.index()].gravity_scale
            })
        };
        let along = |a: Vec3, b: Vec3| contact.normal.dot(&(b - a));
        let before = along(velocity(contact.body_a), velocity(contact.body_b));
        let a = -along(falls(contact.body_a), falls(contact.body_b));
        let settings = &self.settings.contact;
        let free = before - self.kick * a;
        if before >= -settings.restitution_threshold
            || contact.gap + self.stage.plan.span * free > 0.0
        {
            return None;
        }
        let a = a.max(0.0);
        let after = rebound(
            contact.gap,
            before,
            restitution(&self.model, contact),
            a,
            dt,
        );
        Some(after.max(0.0) + self.kick * a)
    }

    /// Additional work of the gravity kick at the velocities after an impact compared with those before, J: it is
    /// accounted for as if impact and kick were one.
    fn kick_between(&self, before: &[f64], after: &[f64]) -> f64 {
        let gravity = self.model.gravity();
        let bodies = self.model.bodies().iter().enumerate();
        let power = bodies.map(|(i, body)| {
            let change = |k: usize| after[6 * i + k] - before[6 * i + k];
            let change = Vec3::new(change(0), change(1), change(2));
            body.mass * body.gravity_scale * gravity.dot(&change)
        });
        0.5 * self.kick * power.sum::<f64>()
    }
}

fn restitution(model: &Model, contact: &ContactPoint) -> f64 {
    let key = &contact.key;
    model.surface(key.shape_a, key.shape_b).restitution
}
