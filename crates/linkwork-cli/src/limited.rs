//! Joint coordinates that are outside their limits in a file, and their values at the start of a run.

use crate::table::number;
use linkwork::assemble::ClosedStart;
use linkwork::assemble::Outside;
use linkwork::joints::Unit;
use linkwork::model::Model;
use serde::Serialize;
use std::fmt;

/// A coordinate that was outside its limits.
#[derive(Serialize)]
pub struct Limited {
    /// Its name in the file.
    pub name: String,
    /// Value in the file, m or rad.
    pub from: f64,
    /// Value at the start, m or rad.
    pub to: f64,
    /// "m" or "rad".
    pub unit: &'static str,
    /// Violation at the start, m or rad; 0 if it is inside.
    pub still_outside: f64,
}

impl Limited {
    /// All of a start.
    pub fn all(model: &Model, start: &ClosedStart) -> Vec<Self> {
        let one = |o: &Outside| {
            let (label, unit) = model.joint(o.joint).kind.coordinates()[o.coordinate];
            let given = model.labels()[o.joint.index()].get(o.coordinate);
            let own = || format!("{}.{label}", model.joint(o.joint).name);
            Self {
                name: given.cloned().unwrap_or_else(own),
                from: o.from,
                to: o.to,
                unit: if unit == Unit::Angle { "rad" } else { "m" },
                still_outside: o.by.max(0.0),
            }
        };
        start.outside.iter().map(one).collect()
    }
}

impl fmt::Display for Limited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Home is 0 except for round-off.
        let tidy = |q: f64| number(if q.abs() < 1e-9 { 0.0 } else { q });
        let (name, from, to, unit) = (&self.name, tidy(self.from), tidy(self.to), self.unit);
        if self.still_outside > 0.0 {
            let by = number(self.still_outside);
            return write!(
                f,
                "{name} starts at {to} {unit}, still {by} {unit} outside: its loop does not allow it inside, so runs ignore this limit"
            );
        }
        write!(f, "{name} is moved from {from} to {to} {unit}")
    }
}
