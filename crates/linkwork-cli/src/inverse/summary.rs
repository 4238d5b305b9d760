//! Statistics of the forces of a whole recording.

use super::columns::{contact_force, coordinate_names};
use crate::args::InverseArgs;
use crate::failure::Failure;
use crate::table::{count, heading, line, number, thousands, with_unit};
use linkwork::inverse::{Actuated, FEASIBLE, Forces};
use linkwork::model::Model;
use linkwork_record::{Gap, StepRecord};
use serde_json::json;
use std::io::Write;

/// Coordinates listed one by one at most.
const LISTED: usize = 40;

/// The worst and the largest of all steps.
pub struct Summary {
    names: Vec<String>,
    bodies: Vec<String>,
    /// Whether each coordinate was solved for, its largest torque with its time, and how often its torque was not
    /// unique.
    asked: Vec<bool>,
    torques: Vec<(f64, f64)>,
    open: Vec<usize>,
    steps: usize,
    gaps: [usize; 3],
    infeasible: usize,
    unsolved: usize,
    /// Largest share unexplained, with its time.
    unexplained: (f64, f64),
    /// Largest residual force and torque: size, body, time.
    residual: [(f64, usize, f64); 2],
    contact: f64,
    approach: f64,
    joint_error: [f64; 2],
}

impl Summary {
    /// An empty one.
    pub fn new(model: &Model, actuated: &Actuated) -> Self {
        let names = coordinate_names(model);
        let mut asked = Vec::new();
        for joint in model.joints() {
            for (c, axis) in joint.axes.iter().enumerate() {
                let drive = axis.drive;
                let drive = drive.is_some_and(|d| d.stiffness != 0.0 || d.damping != 0.0);
                asked.push(match actuated {
                    Actuated::Drives => drive,
                    Actuated::All => !joint.kind.locked().is_empty(),
                    Actuated::Coordinates(list) => list.contains(&(joint.first_coordinate + c)),
                });
            }
        }
        Self {
            torques: vec![(0.0, 0.0); names.len()],
            open: vec![0; names.len()],
            names,
            asked,
            bodies: model.bodies().iter().map(|b| b.name.clone()).collect(),
            steps: 0,
            gaps: [0; 3],
            infeasible: 0,
            unsolved: 0,
            unexplained: (0.0, 0.0),
            residual: [(0.0, 0, 0.0); 2],
            contact: 0.0,
            approach: 0.0,
            joint_error: [0.0; 2],
        }
    }

    /// Add a recorded step.
    pub fn add(&mut self, record: &StepRecord, found: Result<Forces, Gap>) {
        let found = match found {
            Ok(found) => found,
            Err(gap) => {
                let place = match gap {
                    Gap::First | Gap::Last => 0,
                    Gap::Substepped => 1,
                    Gap::Held => 2,
                };
                self.gaps[place] += 1;
                return;
            }
        };
        let time = record.state.time;
        self.steps += 1;
        self.infeasible += usize::from(!found.is_feasible());
        self.unsolved += usize::from(!found.status.is_solved());
        for (i, torque) in found.torques().enumerate() {
            if torque.abs() > self.torques[i].0.abs() {
                self.torques[i] = (torque, time);
            }
            self.open[i] += usize::from(!found.determined[i]);
        }
        if found.unexplained > self.unexplained.0 {
            self.unexplained = (found.unexplained, time);
        }
        for (most, (body, size)) in self
            .residual
            .iter_mut()
            .zip(found.worst().unwrap_or_default())
        {
            if size > most.0 {
                *most = (size, body, time);
            }
        }
        self.contact = self.contact.max(contact_force(&found));
        self.approach = self.approach.max(found.contact_approach);
        for (most, error) in self.joint_error.iter_mut().zip(found.joint_error) {
            *most = most.max(error);
        }
    }

    /// One JSON object.
    pub fn json(&self, out: &mut dyn Write, args: &InverseArgs) -> Result<(), Failure> {
        let body = |(size, body, time): (f64, usize, f64)| json!({"size": size, "body": self.bodies.get(body), "time": time});
        let torques: Vec<_> = (0..self.names.len())
            .filter(|i| self.asked[*i])
            .map(|i| {
                let (torque, time) = self.torques[i];
                json!({"coordinate": self.names[i], "largest": torque, "time": time,
                       "steps_not_unique": self.open[i]})
            })
            .collect();
        let object = json!({
            "file": args.recording,
            "steps": self.steps,
            "steps_at_ends": self.gaps[0],
            "steps_substepped": self.gaps[1],
            "steps_held": self.gaps[2],
            "steps_infeasible": self.infeasible,
            "steps_unsolved": self.unsolved,
            "unexplained": self.unexplained.0,
            "unexplained_time": self.unexplained.1,
            "residual_force": body(self.residual[0]),
            "residual_torque": body(self.residual[1]),
            "contact_force": self.contact,
            "contact_approach": self.approach,
            "joint_error": {"m": self.joint_error[0], "rad": self.joint_error[1]},
            "torques": torques,
            "csv": args.csv,
        });
        serde_json::to_writer(&mut *out, &object)?;
        Ok(writeln!(out)?)
    }

    /// The summary as text.
    pub fn text(&self, out: &mut dyn Write, args: &InverseArgs) -> std::io::Result<()> {
        writeln!(out, "{}", args.recording.display())?;
        line(
            out,
            "inverted",
            &format!("{} steps", thousands(self.steps as u64)),
        )?;
        self.left_out(out)?;
        let status = match (self.infeasible, self.unsolved) {
            (0, _) => format!("all explained to {}", number(FEASIBLE)),
            (n, 0) => format!("{} infeasible", count(n as u64, "step")),
            (n, bad) => format!(
                "{} infeasible, of {bad} the contacts were not solved",
                count(n as u64, "step")
            ),
        };
        line(out, "motion", &status)?;

        heading(out, "Torques (largest of all steps)")?;
        let asked: Vec<usize> = (0..self.names.len()).filter(|i| self.asked[*i]).collect();
        if asked.is_empty() {
            let none =
                "none requested: the model has no drives; try --actuated all, or names of joints";
            line(out, "actuated", none)?;
        }
        let named = |i: usize| self.names[i].split_once(" (").unwrap_or_default();
        let width = asked.iter().map(|i| named(*i).0.chars().count()).max();
        let width = width.unwrap_or(0).max(18);
        for &i in asked.iter().take(LISTED) {
            let (torque, time) = self.torques[i];
            let (name, unit) = named(i);
            let unit = unit.trim_end_matches(')');
            let mut text = format!("{} at {} s", with_unit(torque, unit), number(time));
            if self.open[i] > 0 {
                let open = thousands(self.open[i] as u64);
                text += &format!("; in {open} steps not the only one possible");
            }
            writeln!(out, "  {name:<width$}  {text}")?;
        }
        if asked.len() > LISTED {
            line(out, "", &format!("and {} more", asked.len() - LISTED))?;
        }

        heading(out, "Unexplained (worst)")?;
        let (share, time) = self.unexplained;
        let text = format!("{} of all that acts, at {} s", number(share), number(time));
        line(out, "share", &text)?;
        for ((size, body, time), (label, unit)) in self
            .residual
            .into_iter()
            .zip([("residual force", "N"), ("residual torque", "N m")])
        {
            if let (true, Some(body)) = (size > 0.0, self.bodies.get(body)) {
                let text = format!("{} on {body} at {} s", with_unit(size, unit), number(time));
                line(out, label, &text)?;
            }
        }
        if self.contact > 0.0 {
            line(out, "contact forces", &with_unit(self.contact, "N"))?;
            line(out, "contact law broken", &with_unit(self.approach, "m/s"))?;
        }
        let [m, rad] = self.joint_error;
        let joints = format!("{}, {}", with_unit(m, "m"), with_unit(rad, "rad"));
        line(out, "joints open by", &joints)?;
        if let Some(path) = &args.csv {
            writeln!(out, "\n{}", path.display())?;
        }
        Ok(())
    }

    fn left_out(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let reasons = [
            "at the ends, without a neighbour",
            "next to substepped steps",
            "next to steps that were held",
        ];
        for (n, why) in self.gaps.into_iter().zip(reasons) {
            if n > 0 {
                let steps = count(n as u64, "step");
                line(out, "left out", &format!("{steps} {why}"))?;
            }
        }
        Ok(())
    }
}
