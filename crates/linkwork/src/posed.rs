//! The unsolved problem of a step from any state, for analyses outside of steps.

use crate::adhesion::add_adhesions;
use crate::collision::{CollisionWorld, ContactPoint, DetectSettings};
use crate::control::Control;
use crate::integrate::{applied_wrenches, free_momenta, free_motion};
use crate::integrator::Plan;
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::{Carried, Inputs, RowSource, Rows};
use crate::settings::Settings;
use crate::state::State;

/// Rows, free motion and contacts of a step.
pub(crate) struct Posed {
    collision: CollisionWorld,
    pub contacts: Vec<ContactPoint>,
    pub rows: Rows,
    /// Wrenches that are applied to each body, N and N m.
    pub wrenches: Vec<[Vec3; 2]>,
    /// Angular momenta after the free kick, kg m²/s.
    pub momenta: Vec<Vec3>,
    /// The step in numbers; one of the staggered scheme.
    pub plan: Plan,
}

/// From where and how a step goes.
#[derive(Clone, Copy)]
pub(crate) struct Departure<'a> {
    pub model: &'a Model,
    /// With the twists of mid-step, as a simulator has them.
    pub state: &'a State,
    pub control: &'a Control,
    pub settings: &'a Settings,
    /// As in [`Inputs`].
    pub carried: &'a [Carried],
    pub released: &'a [RowSource],
    pub dt: f64,
    pub kick: f64,
}

impl Posed {
    /// For steps of `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            collision: model.collision().clone(),
            contacts: Vec::new(),
            rows: Rows::default(),
            wrenches: Vec::new(),
            momenta: Vec::new(),
            plan: Plan::default(),
        }
    }

    /// Sets up the step like [`Simulator::step`](crate::Simulator::step).
    pub fn pose(&mut self, from: &Departure) {
        let Departure {
            model,
            state,
            control,
            settings,
            carried,
            released,
            dt,
            kick,
        } = *from;
        let detect = DetectSettings {
            margin: settings.contact.margin,
            dt,
        };
        self.plan = Plan::staggered(dt, kick);
        let (contacts, rows) = (&mut self.contacts, &mut self.rows);
        self.collision
            .detect(&state.poses, &state.twists, &detect, None, contacts);
        rows.begin(model, state, dt);
        applied_wrenches(rows, model, control, &mut self.wrenches);
        add_adhesions(&control.adhesions, contacts, state, &mut self.wrenches);
        let (spans, gyroscopic) = ((dt, kick), settings.gyroscopic);
        free_motion(rows, model, state, spans, gyroscopic, &self.wrenches);
        free_momenta(rows, state, &self.wrenches, kick, &mut self.momenta);
        rows.assemble(&Inputs {
            model,
            state,
            control,
            settings,
            contacts,
            carried,
            released,
            plan: &self.plan,
        });
    }
}
