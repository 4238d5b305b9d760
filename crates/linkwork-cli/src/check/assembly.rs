//! Closure and limits of a file's mechanism: errors as given, and the displacements to close it.

use crate::import::contradicting;
use crate::limited::Limited;
use crate::table::{heading, line, number};
use linkwork::State;
use linkwork::joints::Unit;
use linkwork::model::{Model, ModelError};
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;

/// How a mechanism closes.
#[derive(Serialize)]
pub struct Assembly {
    /// Largest translational residual of a joint as given, m.
    pub given_m: f64,
    /// Largest rotational residual as given, rad.
    pub given_rad: f64,
    /// The joint that is open most as given.
    pub worst: Option<String>,
    /// Largest residuals when closed, m and rad; `None` if it does not close.
    pub closed: Option<[f64; 2]>,
    /// A message about loops that contradict each other within the digits of the file.
    pub contradiction: Option<String>,
    /// Why it does not close.
    pub error: Option<String>,
    /// Coordinates outside their limits as given.
    pub limited: Vec<Limited>,
    /// Coordinates that move to close it within its limits, the farthest first.
    pub moved: Vec<MovedCoordinate>,
    /// Bodies that move though no joint coordinate does.
    pub moved_bodies: usize,
}

/// A joint coordinate that the assembly changes.
#[derive(Serialize)]
pub struct MovedCoordinate {
    /// Its name in the file.
    pub name: String,
    /// By how much, m or rad.
    pub by: f64,
    /// "m" or "rad".
    pub unit: &'static str,
}

/// Changes up to this, m or rad, are round-off.
const UNMOVED: f64 = 1e-9;
/// Maximum number of coordinates that are listed individually.
const MOST: usize = 12;

impl Assembly {
    /// Closes a mechanism from `given`; returns the one that runs, which starts at `given` if it does not close.
    pub fn of(model: &Model, given: &State) -> Result<(Self, Arc<Model>), ModelError> {
        let ([given_m, given_rad], worst) = model.openness(given);
        let worst = worst.filter(|_| given_m.max(given_rad) > UNMOVED);
        let mut assembly = Self {
            given_m,
            given_rad,
            worst: worst.map(|j| model.joint(j).name.clone()),
            closed: None,
            contradiction: None,
            error: None,
            limited: Vec::new(),
            moved: Vec::new(),
            moved_bodies: 0,
        };
        match model.closed(given) {
            Err(error) => {
                assembly.error = Some(error.to_string());
                Ok((assembly, model.starting(given)?))
            }
            Ok(closed) => {
                assembly.closed = Some(model.openness(&closed.state).0);
                let contradiction = closed.contradiction.as_ref();
                assembly.contradiction = contradiction.map(|c| contradicting(model, c));
                assembly.limited = Limited::all(model, &closed);
                assembly.moved = moved(model, given, &closed.state);
                let far = closed
                    .moved
                    .iter()
                    .filter(|m| m.distance.max(m.angle) > UNMOVED);
                assembly.moved_bodies = far.count();
                Ok((assembly, model.started(&closed)?))
            }
        }
    }

    /// Write it.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        heading(out, "Loops")?;
        let open = |[m, rad]: [f64; 2]| format!("{} m, {} rad", number(m), number(rad));
        let mut text = open([self.given_m, self.given_rad]);
        if let Some(worst) = &self.worst {
            text += &format!(", most at {worst}");
        }
        line(out, "open as given", &text)?;
        match (&self.closed, &self.error) {
            (Some(closed), _) => line(out, "when assembled", &open(*closed))?,
            (None, error) => line(out, "not assembled", error.as_deref().unwrap_or(""))?,
        }
        for moved in self.moved.iter().take(MOST) {
            let text = format!("{} by {} {}", moved.name, number(moved.by), moved.unit);
            line(out, "moved", &text)?;
        }
        if self.moved.len() > MOST {
            let more = self.moved.len() - MOST;
            line(out, "", &format!("and {more} more; --json lists them"))?;
        }
        Ok(())
    }
}

fn moved(model: &Model, from: &State, to: &State) -> Vec<MovedCoordinate> {
    let mut list = Vec::new();
    for (joint, labels) in model.joints().iter().zip(model.labels()) {
        for (c, (kind, unit)) in joint.kind.coordinates().iter().enumerate() {
            let at = joint.first_coordinate + c;
            let by = to.coordinates[at] - from.coordinates[at];
            if by.abs() > UNMOVED {
                let name = labels.get(c).cloned();
                list.push(MovedCoordinate {
                    name: name.unwrap_or_else(|| format!("{}.{kind}", joint.name)),
                    by,
                    unit: if *unit == Unit::Angle { "rad" } else { "m" },
                });
            }
        }
    }
    list.sort_by(|a, b| b.by.abs().total_cmp(&a.by.abs()));
    list
}
