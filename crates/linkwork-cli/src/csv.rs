//! The trajectory as a CSV file (RFC 4180): one row at the start and one after every step. Poses and
//! velocities are those of the centres of mass in the world frame, both at the time of the row.

use linkwork::joints::Unit;
use linkwork::model::Model;
use linkwork::plain_time;
use linkwork::{State, StepReport};
use std::io::{Result, Write};

const BODY: [(&str, &str); 13] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("qw", "1"),
    ("qx", "1"),
    ("qy", "1"),
    ("qz", "1"),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("wx", "rad/s"),
    ("wy", "rad/s"),
    ("wz", "rad/s"),
];

/// Values of a step's report. The overlap is that at its start.
const STEP: [&str; 8] = [
    "energy (J)",
    "residual (N s)",
    "residual (m/s)",
    "closure (m)",
    "closure (rad)",
    "penetration at step start (m)",
    "iterations",
    "contacts",
];

/// Writes the file.
pub struct Trajectory<W: Write> {
    out: W,
}

impl<W: Write> Trajectory<W> {
    /// Write the header to `out`; `signals` are columns after all others.
    pub fn new(mut out: W, model: &Model, signals: &[String]) -> Result<Self> {
        write!(out, "time (s)")?;
        for body in model.bodies() {
            for (quantity, unit) in BODY {
                let name = &body.name;
                write!(out, ",{}", quoted(&format!("{name}.{quantity} ({unit})")))?;
            }
        }
        for joint in model.joints() {
            for (coordinate, unit) in joint.kind.coordinates() {
                let unit = match unit {
                    Unit::Length => "m",
                    Unit::Angle => "rad",
                };
                let name = &joint.name;
                let shared = model.bodies().iter().any(|b| b.name == *name);
                let joint = if shared { "joint " } else { "" };
                let column = format!("{joint}{name}.{coordinate} ({unit})");
                write!(out, ",{}", quoted(&column))?;
            }
        }
        for name in STEP {
            write!(out, ",{name}")?;
        }
        for name in signals {
            write!(out, ",{}", quoted(name))?;
        }
        writeln!(out)?;
        Ok(Self { out })
    }

    /// Writes a row: a state, its energy (J), the report of the step that led to it, and the values of the signals. At
    /// the start there is no step, and its values are NaN.
    pub fn row(
        &mut self,
        state: &State,
        energy: f64,
        report: Option<&StepReport>,
        sensed: &[f64],
    ) -> Result<()> {
        let out = &mut self.out;
        // The shortest text that reads back to the same bits, except for the time, which is a sum of steps.
        write!(out, "{:?}", plain_time(state.time))?;
        for (pose, twist) in state.poses.iter().zip(&state.twists) {
            let q = &pose.rotation;
            let quaternion = [q.w, q.i, q.j, q.k];
            let values = pose.position.iter().chain(&quaternion);
            for x in values
                .chain(twist.linear.iter())
                .chain(twist.angular.iter())
            {
                write!(out, ",{x:?}")?;
            }
        }
        for q in &state.coordinates {
            write!(out, ",{q:?}")?;
        }
        write!(out, ",{:?}", energy)?;
        match report {
            Some(r) => {
                let (residuals, linear, angular) =
                    (&r.residuals, r.closure_linear, r.closure_angular);
                let (impulse, velocity) = (residuals.natural_scaled, residuals.natural_velocity);
                write!(
                    out,
                    ",{impulse:?},{velocity:?},{linear:?},{angular:?},{:?},{},{}",
                    r.penetration, r.iterations, r.contacts
                )?;
            }
            None => write!(out, "{}", ",NaN".repeat(STEP.len() - 1))?,
        }
        for x in sensed {
            write!(out, ",{x:?}")?;
        }
        writeln!(out)
    }

    /// Writes buffered data.
    pub fn finish(mut self) -> Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// A field, in quotes if its text needs them.
pub fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork::joints::Cartesian;
    use linkwork::math::MassProperties;
    use linkwork::model::{BodyDef, JointDef, ModelBuilder};
    use linkwork::{Run, Settings, Simulator};
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    #[test]
    fn names_are_quoted_and_rows_are_as_wide_as_the_header() {
        let mut b = ModelBuilder::new();
        b.add_body(BodyDef::new(
            "a \"big\" one",
            MassProperties::solid_sphere(1.0, 0.1),
        ));
        let model = b.build().unwrap();
        let mut csv = Trajectory::new(Vec::new(), &model, &[]).unwrap();
        let simulator = Simulator::new(model, Settings::default()).unwrap();
        Run::new(simulator, None).steps(2, |moment| {
            let state = moment.simulator.state();
            csv.row(state, moment.energy, moment.report, &[]).unwrap();
            ControlFlow::Continue(())
        });
        let text = String::from_utf8(csv.finish().unwrap()).unwrap();
        let lines: Vec<&str> = text.split_terminator("\n").collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[0].starts_with("time (s),\"a \"\"big\"\" one.x (m)\","));
        for line in &lines {
            assert_eq!(line.split(',').count(), 1 + 13 + 8);
        }
    }

    #[test]
    fn no_two_columns_have_one_name_where_body_and_joint_share_theirs() {
        let mut b = ModelBuilder::new();
        let arm = b.add_body(BodyDef::new("arm", MassProperties::solid_sphere(1.0, 0.1)));
        b.add_joint(JointDef::of("arm", Arc::new(Cartesian), None, arm));
        let model = b.build().unwrap();
        let csv = Trajectory::new(Vec::new(), &model, &[]).unwrap();
        let text = String::from_utf8(csv.finish().unwrap()).unwrap();
        let columns: Vec<&str> = text.trim_end().split(',').collect();
        let different: BTreeSet<&&str> = columns.iter().collect();
        assert_eq!(columns.len(), different.len(), "{text}");
        assert!(columns.contains(&"joint arm.x (m)"));
    }
}
