//! `linkwork check`: what can be said of a scene before it is run.

mod conditioning;
mod findings;
mod start;

use crate::args::CheckArgs;
use crate::failure::{Failure, usage};
use crate::scene;
use crate::table::{count, heading, line, number, with_unit};
use conditioning::Conditioning;
use findings::Mobility;
use linkwork::{Control, Simulator};
use serde::Serialize;
use start::Start;
use std::io::Write;

/// What is found; fields are the keys of the JSON object.
#[derive(Serialize)]
struct Check<'a> {
    scene: &'a str,
    parameters: std::collections::BTreeMap<String, f64>,
    bodies: usize,
    joints: usize,
    couplings: usize,
    shapes: usize,
    coordinates: usize,
    mass_total_kg: f64,
    mass_ratio: f64,
    mobility: Mobility,
    start: Start,
    /// `None` if the first step could not be taken or has too many rows.
    conditioning: Option<Conditioning>,
    /// What is wrong with the first step, if it could not be taken.
    first_step_error: Option<String>,
    warnings: Vec<String>,
}

/// Examine a scene.
pub fn check(out: &mut dyn Write, args: &CheckArgs) -> Result<(), Failure> {
    let mut scene = scene::build(&args.scene)?;
    let model = scene.model.clone();
    let mut simulator = Simulator::new(scene.model, scene.settings).map_err(usage)?;
    let start = Start::of(&mut simulator);
    let mobility = Mobility::of(&model, simulator.state());

    // The rows of the first step are those the solver will meet.
    let mut control = Control::new(&model);
    if let Some(script) = &mut scene.script {
        script(&model, simulator.state(), &mut control);
    }
    let step = simulator.step(&control);
    let conditioning = match step {
        Ok(_) => Conditioning::of(simulator.problem()),
        Err(_) => None,
    };
    let mut check = Check {
        scene: &args.scene.scene,
        parameters: scene::source(&args.scene).parameters,
        bodies: model.bodies().len(),
        joints: model.joints().len(),
        couplings: model.couplings().len(),
        shapes: model.shapes().len(),
        coordinates: model.coordinate_count(),
        mass_total_kg: model.bodies().iter().map(|b| b.mass).sum(),
        mass_ratio: model.mass_ratio(),
        mobility,
        start,
        conditioning,
        first_step_error: step.err().map(|e| e.to_string()),
        warnings: Vec::new(),
    };
    check.warnings = findings::warnings(&check);
    if args.json {
        serde_json::to_writer(&mut *out, &check)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}{}", args.scene.scene, scene::set_text(&args.scene))?;
        check.print(out)?;
    }
    Ok(())
}

impl Check<'_> {
    fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let counts = [
            (self.bodies, "body"),
            (self.joints, "joint"),
            (self.couplings, "coupling"),
            (self.coordinates, "joint coordinate"),
            (self.shapes, "shape"),
        ];
        let texts: Vec<_> = counts.iter().map(|&(n, t)| count(n as u64, t)).collect();
        line(out, "model", &texts.join(", "))?;
        let (mass, ratio) = (with_unit(self.mass_total_kg, "kg"), number(self.mass_ratio));
        let text = format!("{mass} in all, heaviest to lightest {ratio}");
        line(out, "mass", &text)?;
        self.mobility.print(out)?;
        self.start.print(out)?;
        heading(out, "First step")?;
        match (&self.conditioning, &self.first_step_error) {
            (Some(conditioning), _) => conditioning.print(out)?,
            (None, Some(error)) => line(out, "not taken", error)?,
            (None, None) => line(out, "condition of D", "not computed: too many rows")?,
        }
        writeln!(out)?;
        if self.warnings.is_empty() {
            writeln!(out, "nothing to warn of")?;
        }
        for warning in &self.warnings {
            writeln!(out, "warning: {warning}")?;
        }
        Ok(())
    }
}
