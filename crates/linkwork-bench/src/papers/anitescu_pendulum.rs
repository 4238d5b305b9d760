//! [Anitescu §5, Fig. 2]: a pendulum at a step of 0.1 s, with and without stabilisation. Joints only, so
//! that a step is one linear system.

use super::anitescu::{GRAVITY, Trace, build, largest, metres, settings, solved_note};
use super::{Context, Experiment, Finding, Verdict};
use crate::error::BenchError;
use crate::plot::{Axis, Plot, Style};
use crate::table::Table;
use linkwork::joints::Distance;
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::model::{BodyDef, JointDef, Model, ModelBuilder};
use linkwork::{ClosureSettings, Settings, State};
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "anitescu-pendulum",
    source: "Anitescu & Hart 2004, section 5, Fig. 2",
    claim: "A pendulum in steps of 0.1 s for 100 s: without stabilisation its length drifts off; with it, the \
            error stays bounded and even decreases, for one linear system per step.",
    criterion: "Largest length error in each tenth of the run: without stabilisation it grows from every tenth \
                to the next and ends at least 10 times the largest ever seen with stabilisation; with \
                stabilisation it falls from every tenth to the next; with our closure of the joints it never \
                exceeds 1e-9 m.",
    run: Some(run),
};

/// Step h, s, and number of steps [Anitescu §5].
const STEP: f64 = 0.1;
const STEPS: usize = 1000;
/// Length of the pendulum, m; not in the paper.
const LENGTH: f64 = 1.0;
/// Pieces of the run that are compared.
const PIECES: usize = 10;

fn run(_: &Context) -> Result<Finding, BenchError> {
    let model = pendulum()?;
    let follow = |settings| Trace::run(&model, settings, STEPS, error);
    let free = follow(settings(STEP, 0.0))?;
    let stabilised = follow(settings(STEP, 1.0))?;
    let closed = follow(closing())?;
    let named = [
        ("without stabilisation", "drifts off", &free),
        (
            "stabilised as in the paper",
            "bounded, decreases",
            &stabilised,
        ),
        ("closed nonlinearly (ours)", "not tried", &closed),
    ];
    Ok(Finding {
        tables: vec![table(&model, &named)],
        plots: vec![plot(&named)],
        notes: vec![
            "The paper gives neither length, mass nor start: a point mass on a massless rod of 1 m, let go at \
             rest from the horizontal, 9.81 m/s². Fig. 2 is a picture without numbers in its text; its claims \
             are in the table."
                .to_owned(),
            "With the paper's method the swing dies (last column), and the error with it: it is of the order of (h v)², as \
             the paper proves. Closing the joints at the end of the step keeps the length, and the energy is 0.7 J \
             from the start's after 100 s."
                .to_owned(),
            solved_note(free.unsolved + stabilised.unsolved + closed.unsolved, 3 * STEPS),
        ],
        verdict: judge(&pieces(&free), &pieces(&stabilised), &pieces(&closed)),
    })
}

/// A point mass on a massless rod, horizontal at the start.
pub(super) fn pendulum() -> Result<Arc<Model>, BenchError> {
    let mut b = ModelBuilder::new();
    b.gravity(-GRAVITY * Vec3::z());
    // The rod acts at the centre: the ball never turns and its radius does not matter.
    let ball = MassProperties::solid_sphere(1.0, 0.05);
    let bob = b.add_body(BodyDef::new("bob", ball).at(LENGTH, 0.0, 0.0));
    let rod = JointDef::new("rod", Distance { length: LENGTH }, None, bob);
    b.add_joint(rod.frames(Pose::identity(), Pose::identity()));
    build(b)
}

/// |Θ|, m.
pub(super) fn error(state: &State) -> f64 {
    (state.poses[0].position.norm() - LENGTH).abs()
}

/// The simulator's own method: joints are closed at the end of every step, and steps in which they would do work are
/// halved.
fn closing() -> Settings {
    let mut own = settings(STEP, 1.0);
    own.closure = ClosureSettings::default();
    own.failure = Settings::default().failure;
    own
}

/// Largest |Θ| in every piece of the run, m.
fn pieces(trace: &Trace) -> Vec<f64> {
    let piece = STEP * STEPS as f64 / PIECES as f64;
    let from = |i: usize| piece * i as f64;
    (0..PIECES)
        .map(|i| largest(&trace.infeasibility, from(i), from(i + 1)))
        .collect()
}

fn judge(free: &[f64], stabilised: &[f64], closed: &[f64]) -> Verdict {
    let last = free[PIECES - 1];
    let checks = [
        (
            free.is_sorted_by(|a, b| a < b),
            "the unstabilised error does not grow throughout",
        ),
        (
            last >= 10.0 * stabilised[0],
            "the unstabilised error ends below 10 times the stabilised",
        ),
        (
            stabilised.is_sorted_by(|a, b| a > b),
            "the stabilised error does not fall throughout",
        ),
        (
            closed.iter().all(|e| *e <= 1e-9),
            "closure leaves more than 1e-9 m",
        ),
    ];
    let failed: Vec<&str> = checks.iter().filter(|c| !c.0).map(|c| c.1).collect();
    match failed.is_empty() {
        true => Verdict::Agree,
        false => Verdict::Disagree(format!("{}; see the table", failed.join("; "))),
    }
}

fn table(model: &Model, named: &[(&str, &str, &Trace)]) -> Table {
    let mut table = Table::new(
        "Largest error of the length of 1 m, and energy at the end (0 J at the start, −9.8 J hanging at rest)",
        &[
            "method",
            "paper",
            "0-10 s, m",
            "40-50 s, m",
            "90-100 s, m",
            "energy, J",
        ],
    );
    for (name, paper, trace) in named {
        let errors = pieces(trace);
        let end = &trace.end;
        let energy = kinetic_energy(model, end) + potential_energy(model, end);
        let mut cells = vec![(*name).to_owned(), (*paper).to_owned()];
        cells.extend([0, 4, 9].map(|i| metres(errors[i])));
        cells.push(format!("{energy:.1}"));
        table.row(cells);
    }
    table
}

fn plot(named: &[(&str, &str, &Trace)]) -> Plot {
    let plot = Plot::new(
        "Error of the pendulum's length",
        "Below is better. The upper line is the pendulum growing longer; the middle one is the paper's method, \
         an error that comes and goes with the speed and fades with the swing; the lowest is the tolerance of \
         our closure.",
        Axis::linear("time, s"),
        Axis::log("|length − 1 m|, m"),
    );
    named.iter().fold(plot, |plot, (name, _, trace)| {
        plot.with(*name, Style::Line, trace.infeasibility.clone())
    })
}
