//! `castro-grasp`: a bar held by soft pads turns while the grip is loose, and only then.

use super::{Context, Experiment, Finding, Verdict};
use crate::error::BenchError;
use crate::plot::{Axis, Plot, Style};
use crate::stats::mean;
use crate::table::Table;
use linkwork::math::Vec3;
use linkwork::{Control, Scene, Simulator};
use linkwork_scenes::scene;
use linkwork_solve::Status;

/// Period of the square wave and share of it with the high force, as the paper has them, s.
const PERIOD: f64 = 6.0;
const DUTY: f64 = 0.75;
/// Time after a change of the force until the bar counts as held again, s.
const SETTLE: f64 = 1.0;
/// Fastest creep of a held bar, rad/s.
const CREEP: f64 = 1e-6;
/// Least turn of a loose phase that is a turn, rad.
const TURN: f64 = 1e-2;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "castro-grasp",
    source: "Castro 2022, Fig. 16, 17",
    claim: "A gripper with compliant pads whose force follows a square wave (1 N and 16 N, period 6 s, 75 % high, dt 5 ms) lets the \
            held bar pitch in the phases of low force and holds it in the others; about 60 contacts while it slips and 160 while it sticks.",
    criterion: "Over five periods: (1) the bar turns by more than 0.01 rad in the low phases of the first three periods, always the same way; (2) from 1 s after the force has \
                risen until it falls, it turns at no more than 1e-6 rad/s on average, and by no more than 1e-4 of a turn of (1); (3) it is not dropped: its centre stays within 2 cm; (4) more contacts bear while it sticks than while it \
                slips; (5) no solve fails.",
    run: Some(run),
};

/// What is seen at a step.
struct Moment {
    time: f64,
    /// Pitch of the bar, positive where its head goes down, rad.
    pitch: f64,
    /// Samples that bear.
    contacts: usize,
    iterations: usize,
}

/// One phase of a period.
struct Phase {
    firm: bool,
    /// Turn in it, rad: in firm phases from where the bar has settled.
    turn: f64,
    /// Mean speed of that, rad/s.
    rate: f64,
    contacts: f64,
    iterations: f64,
}

fn run(ctx: &Context) -> Result<Finding, BenchError> {
    let periods = if ctx.quick { 2 } else { 5 };
    ctx.progress.stage(EXPERIMENT.name, 1, 0);
    ctx.progress.job("grasp");
    let held = Held::of(scene("grasp", &[])?, periods as f64 * PERIOD)?;
    ctx.progress.done();
    let phases = phases(&held.moments, periods);
    Ok(Finding {
        tables: vec![table(&phases, &held)],
        plots: vec![
            plot("Fig. 17: pitch of the bar", "pitch, rad", &held, |m| {
                m.pitch
            }),
            plot("Contacts that bear", "contacts", &held, |m| {
                m.contacts as f64
            }),
        ],
        notes: notes(&held),
        verdict: verdict(&phases, &held, periods),
    })
}

/// A run of the scene.
struct Held {
    moments: Vec<Moment>,
    /// Farthest that the bar's centre got from where it started, m.
    strayed: f64,
    failed: usize,
    dt: f64,
    /// Time that the steps took, s.
    wall: f64,
}

impl Held {
    fn of(mut scene: Scene, time: f64) -> Result<Self, BenchError> {
        let dt = scene.settings.dt;
        let model = scene.model.clone();
        let bar = model.bodies().iter().position(|b| b.name == "bar");
        let bar = bar.ok_or_else(|| BenchError::Missing {
            what: "the scene has no bar".to_owned(),
            remedy: "look at scenes/grasp.rs".to_owned(),
        })?;
        let mut simulator = Simulator::new(model.clone(), scene.settings.clone())?;
        let mut control = Control::new(&model);
        let start = simulator.state().poses[bar].position;
        let mut held = Self {
            moments: Vec::new(),
            strayed: 0.0,
            failed: 0,
            dt,
            wall: 0.0,
        };
        for _ in 0..(time / dt).round() as usize {
            if let Some(script) = &mut scene.script {
                script(&model, simulator.state(), &mut control);
            }
            let begin = std::time::Instant::now();
            let report = simulator.step(&control)?;
            held.wall += begin.elapsed().as_secs_f64();
            held.failed += usize::from(report.status != Status::Converged);
            let pose = &simulator.state().poses[bar];
            held.strayed = held.strayed.max((pose.position - start).norm());
            let ahead = pose.rotation * Vec3::x();
            let forces = simulator.contact_forces();
            held.moments.push(Moment {
                time: simulator.state().time,
                pitch: (-ahead.z).atan2(ahead.x.hypot(ahead.y)),
                contacts: forces.iter().filter(|c| c.impulse.norm() > 0.0).count(),
                iterations: report.iterations,
            });
        }
        Ok(held)
    }
}

fn phases(moments: &[Moment], periods: usize) -> Vec<Phase> {
    let mut phases = Vec::new();
    for k in 0..periods {
        let start = k as f64 * PERIOD;
        let fall = start + DUTY * PERIOD;
        for (firm, from, to) in [
            (true, start + SETTLE, fall),
            (false, fall, start + PERIOD + SETTLE),
        ] {
            let within = || moments.iter().filter(|m| m.time > from && m.time <= to);
            let (Some(first), Some(last)) = (within().next(), within().next_back()) else {
                continue;
            };
            let turn = last.pitch - first.pitch;
            // While it still turns.
            let loose = || within().filter(|m| firm || m.time <= start + PERIOD);
            phases.push(Phase {
                firm,
                turn,
                rate: turn / (last.time - first.time),
                contacts: mean(&loose().map(|m| m.contacts as f64).collect::<Vec<_>>()),
                iterations: mean(&loose().map(|m| m.iterations as f64).collect::<Vec<_>>()),
            });
        }
    }
    phases
}

fn verdict(phases: &[Phase], held: &Held, periods: usize) -> Verdict {
    let of = |firm: bool| phases.iter().filter(move |p| p.firm == firm);
    let turns: Vec<f64> = of(false).take(3).map(|p| p.turn).collect();
    let turned = turns.len() == periods.min(3) && turns.iter().all(|t| *t > TURN);
    let least = turns.iter().copied().fold(f64::INFINITY, f64::min);
    // Comparisons that a NaN fails.
    let holds = |p: &Phase| p.rate.abs() <= CREEP && p.turn.abs() <= 1e-4 * least;
    let fastest = of(true).map(|p| p.rate.abs()).fold(0.0, f64::max);
    let contacts = |firm: bool| mean(&of(firm).map(|p| p.contacts).collect::<Vec<_>>());
    Verdict::of(&[
        (turned, format!("(1) low phases turn it by {turns:.3?} rad")),
        (
            of(true).all(holds),
            format!("(2) held, it turns at up to {fastest:.1e} rad/s"),
        ),
        (
            held.strayed < 0.02,
            format!("(3) it strayed by {:.1e} m", held.strayed),
        ),
        (
            contacts(true) > contacts(false),
            format!(
                "(4) {:.0} contacts stick and {:.0} slip",
                contacts(true),
                contacts(false)
            ),
        ),
        (
            held.failed == 0,
            format!("(5) {} solves failed", held.failed),
        ),
    ])
}

fn table(phases: &[Phase], held: &Held) -> Table {
    let title = format!(
        "Fig. 17 (paper: the bar pitches in the low phases; about 60 contacts slip, 160 stick; 0.62 iterations per step), {} steps failed",
        held.failed
    );
    let mut table = Table::new(
        title,
        &[
            "phase",
            "turn, rad",
            "mean rate, rad/s",
            "contacts",
            "iterations per step",
        ],
    );
    for (i, p) in phases.iter().enumerate() {
        let force = if p.firm { "16 N" } else { "1 N" };
        table.row([
            format!("{}, {force}", i / 2 + 1),
            format!("{:.2e}", p.turn),
            format!("{:.1e}", p.rate),
            format!("{:.0}", p.contacts),
            format!("{:.2}", p.iterations),
        ]);
    }
    table
}

fn plot(title: &str, y: &str, held: &Held, of: fn(&Moment) -> f64) -> Plot {
    let caption = "The force is high for 4.5 s and low for 1.5 s, again and again.";
    let points = held.moments.iter().step_by(4).map(|m| (m.time, of(m)));
    Plot::new(title, caption, Axis::linear("time, s"), Axis::linear(y)).with(
        "ours",
        Style::Line,
        points.collect(),
    )
}

fn notes(held: &Held) -> Vec<String> {
    let simulated = held.moments.len() as f64 * held.dt;
    vec![
        "The scene `grasp`: force, period, share and step are the paper's; gripper, pads (elastic foundation on ellipsoids, samples 4 mm apart) and bar are ours, since the          models of the paper are not in its text. The bar is held beside its centre of mass so that it is close to balance at 1 N and turns slowly; the solver is the default, with Coulomb's law. A firm          phase counts from 1 s after the force has risen; what the bar turns until then belongs to the loose phase before."
            .to_owned(),
        format!("{simulated:.0} s in {:.1} s of computing, {:.1} x real time.", held.wall, simulated / held.wall),
    ]
}
