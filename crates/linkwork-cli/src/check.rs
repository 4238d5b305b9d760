//! `linkwork check`: examines a scene or a model file before it is run.

mod assembly;
mod conditioning;
mod file;
mod findings;
mod inertia;
mod stage;
mod start;
mod subject;

use crate::args::CheckArgs;
use crate::failure::{Failure, usage};
use crate::table::{count, heading, line, number, with_unit};
use conditioning::Conditioning;
use file::FileFindings;
use findings::Mobility;
use inertia::OddInertia;
use linkwork::model::{Model, ShapeId};
use linkwork::{Control, FailurePolicy, Simulator, State};
use serde::Serialize;
use stage::Stage;
use start::Start;
use std::io::Write;
use subject::Subject;

/// What is found; fields are the keys of the JSON object.
#[derive(Serialize)]
struct Check {
    scene: String,
    parameters: std::collections::BTreeMap<String, f64>,
    /// What only files have.
    #[serde(flatten)]
    file: Option<FileFindings>,
    bodies: usize,
    joints: usize,
    couplings: usize,
    shapes: usize,
    coordinates: usize,
    mass_total_kg: f64,
    mass_ratio: f64,
    /// Longest side of the box around all bodies at the start, m; 0 without shapes.
    size_m: f64,
    inertias: Vec<OddInertia>,
    /// `None` where its singular values would take too long.
    mobility: Option<Mobility>,
    start: Start,
    /// `None` if the first step could not be taken or has too many rows.
    conditioning: Option<Conditioning>,
    /// The error of the first step, if it could not be taken.
    first_step_error: Option<String>,
    /// Residual of the first step's solve, N s and m/s, if it did not converge.
    first_step_residual: Option<f64>,
    /// What keeps it from being simulated.
    errors: Vec<String>,
    warnings: Vec<String>,
}

/// Iterations of the first step's solve. A run may take more, but a solve that needs them is worth a warning.
const MAX_ITERATIONS: usize = 300;

/// Examine a scene or a model file.
pub fn check(out: &mut dyn Write, args: &CheckArgs) -> Result<(), Failure> {
    let mut stage = Stage::start();
    let mut subject = Subject::of(args, &mut stage)?;
    let check = Check::of(&mut subject, &mut stage)?;
    drop(stage);
    if args.json {
        serde_json::to_writer(&mut *out, &check)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", subject.title)?;
        check.print(out)?;
    }
    if let Some(target) = &args.fix {
        subject.fix(out, target.as_deref(), args.json)?;
    }
    match check.errors.len() {
        0 => Ok(()),
        n => Err(Failure::Run(format!("{} in it", count(n as u64, "error")))),
    }
}

/// Longest side of the box around the shapes of all bodies, m.
fn size(model: &Model, state: &State) -> f64 {
    let of_bodies = model.shapes().iter().enumerate();
    let of_bodies = of_bodies.filter(|(_, s)| s.body.is_some());
    let mut bounds = of_bodies.map(|(i, _)| model.bounds(ShapeId(i as u32), &state.poses));
    let Some(first) = bounds.next() else {
        return 0.0;
    };
    let (low, high) = bounds.fold(first, |(a, b), (c, d)| (a.inf(&c), b.sup(&d)));
    (high - low).max()
}

impl Check {
    fn of(subject: &mut Subject, stage: &mut Stage) -> Result<Self, Failure> {
        let model = subject.model.clone();
        let mut settings = subject.settings.clone();
        // One solve is sufficient; repeating it in halves could take hundreds.
        settings.failure = FailurePolicy::Accept;
        settings.solve.max_iterations = settings.solve.max_iterations.min(MAX_ITERATIONS);
        stage.begin("contacts at the start");
        let mut simulator = Simulator::new(model.clone(), settings).map_err(usage)?;
        let start = Start::of(&mut simulator);
        stage.begin("mobility");
        let mobility = Mobility::of(&model, simulator.state());

        // The rows of the first step are those of the run's first solve.
        let mut control = Control::new(&model);
        if let Some(script) = &mut subject.script {
            script(&model, simulator.state(), &mut control);
        }
        stage.begin("first step");
        let step = simulator.step(&control);
        stage.begin("condition of the first step");
        let conditioning = match step {
            Ok(_) => Conditioning::of(simulator.problem()),
            Err(_) => None,
        };
        let unsolved = match &step {
            Ok(report) if !report.status.is_solved() => Some(report.residuals.scaled()),
            _ => None,
        };
        let mut check = Check {
            scene: subject.source.scene.clone(),
            parameters: subject.source.parameters.clone(),
            file: subject.findings.take(),
            bodies: model.bodies().len(),
            joints: model.joints().len(),
            couplings: model.couplings().len(),
            shapes: model.shapes().len(),
            coordinates: model.coordinate_count(),
            mass_total_kg: model.bodies().iter().map(|b| b.mass).sum(),
            mass_ratio: model.mass_ratio(),
            size_m: size(&model, simulator.state()),
            inertias: inertia::odd(&model),
            mobility,
            start,
            conditioning,
            first_step_error: step.err().map(|e| e.to_string()),
            first_step_residual: unsolved,
            errors: Vec::new(),
            warnings: Vec::new(),
        };
        check.errors = findings::errors(&check);
        check.warnings = findings::warnings(&check);
        Ok(check)
    }

    fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        if let Some(file) = &self.file {
            file.print_counts(out)?;
        }
        let counts = [
            (self.bodies, "body"),
            (self.joints, "joint"),
            (self.couplings, "coupling"),
            (self.coordinates, "joint coordinate"),
            (self.shapes, "shape"),
        ];
        let texts: Vec<_> = counts.iter().map(|&(n, t)| count(n as u64, t)).collect();
        line(out, "model", &texts.join(", "))?;
        if let Some(file) = &self.file {
            file.around.print_counts(out)?;
        }
        let (mass, ratio) = (with_unit(self.mass_total_kg, "kg"), number(self.mass_ratio));
        let text = format!("{mass} in all, heaviest to lightest {ratio}");
        line(out, "mass", &text)?;
        if self.size_m > 0.0 {
            line(out, "size", &with_unit(self.size_m, "m"))?;
        }
        heading(out, "Mobility (joints and couplings)")?;
        match &self.mobility {
            Some(mobility) => mobility.print(out)?,
            None => line(out, "not computed", "too many rows in one mechanism")?,
        }
        if let Some(file) = &self.file {
            file.assembly.print(out)?;
            file.around.print(out)?;
        }
        self.start.print(out)?;
        heading(out, "First step")?;
        match (&self.conditioning, &self.first_step_error) {
            (Some(conditioning), _) => conditioning.print(out)?,
            (None, Some(error)) => line(out, "not taken", error)?,
            (None, None) => line(out, "condition of D", "not computed: too many rows")?,
        }
        if let Some(file) = &self.file {
            file.print_notices(out)?;
        }
        writeln!(out)?;
        if self.warnings.is_empty() && self.errors.is_empty() {
            writeln!(out, "nothing to warn of")?;
        }
        for error in &self.errors {
            writeln!(out, "error: {error}")?;
        }
        for warning in &self.warnings {
            writeln!(out, "warning: {warning}")?;
        }
        Ok(())
    }
}
