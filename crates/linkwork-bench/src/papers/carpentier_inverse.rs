//! `carpentier-inverse`: the torques that slide the end of an arm on a rigid wall.

mod arm;
mod printed;

use super::{Context, Experiment, Finding, Verdict};
use crate::error::BenchError;
use crate::plot::{Axis, Plot, Style};
use crate::table::Table;
use arm::Slide;
use linkwork_solve::ContactModel;
use printed::impulses;

/// Proximal iterations that are followed.
const ITERATIONS: usize = 100;
/// Precision of [Carpentier §V-D], there N s.
const PRECISION: f64 = 1e-6;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "carpentier-inverse",
    source: "Carpentier 2024, Alg. 2, Fig. 8",
    claim: "For an arm whose end slides on a rigid wall, inverse dynamics with the NCP needs one proximal iteration, while with the \
            convex relaxation contact and joint torques diverge; the forces found are those of forward dynamics.",
    criterion: "At every step that slides: (1) Alg. 2 as printed, ρ = 1e-8, changes the impulse by less than 1e-6 N s after its first \
                iteration; (2) without De Saxcé's shift the impulse after 100 iterations is at least 5 times that after 10; \
                (3) our torques and contact forces are those of the forward run within 1e-6 of the largest; (4) a forward step \
                with the torques found for another pressing force makes the same motion, within 1e-8 m/s and rad/s, and that \
                force within 1e-6 of it.",
    run: Some(run),
};

fn run(ctx: &Context) -> Result<Finding, BenchError> {
    let steps = if ctx.quick { 300 } else { 2000 };
    ctx.progress.stage(EXPERIMENT.name, 1, 0);
    ctx.progress.job("an arm slides on a wall");
    let slide = Slide::of(steps)?;
    ctx.progress.done();
    let followed = |model| -> Vec<Vec<f64>> {
        let each = slide.steps.iter();
        each.map(|s| impulses(s.friction, &s.velocity, s.pressing, model, ITERATIONS))
            .collect()
    };
    let (exact, convex) = (followed(ContactModel::Ncp), followed(ContactModel::Ccp));
    let worst = Worst::of(&slide, &exact, &convex);
    Ok(Finding {
        tables: vec![worst.table(slide.steps.len())],
        plots: vec![forces(&slide), growth(&exact, &convex)],
        notes: vec![format!(
            "An arm with the lengths and masses of a UR5 (its inertias are those of rods), drives that press its round end on a wall and \
             swing it sideways, {steps} steps of 1 ms; the paper gives neither posture, speed nor friction. A sliding contact between rigid \
             bodies does not determine its normal force: with six actuators any pressing force is possible, and Alg. 2 keeps the part \
             of its start that the law allows. (1) and (2) start it at a pressing force of 10 N, (3) ours at the recorded forces, (4) at 20 N."
        )],
        verdict: worst.verdict(),
    })
}

/// The worst of all steps.
struct Worst {
    steps: usize,
    /// Change of the second iteration, N s.
    second: f64,
    /// Least growth from iteration 10 to the last without the shift.
    growth: f64,
    torque: f64,
    contact: f64,
    motion: f64,
    pressed: f64,
}

impl Worst {
    fn of(slide: &Slide, exact: &[Vec<f64>], convex: &[Vec<f64>]) -> Self {
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, linkwork_solve::larger);
        Self {
            steps: slide.steps.len(),
            second: most(&mut exact.iter().map(|l| (l[1] - l[0]).abs())),
            growth: convex
                .iter()
                .map(|l| l[ITERATIONS - 1] / l[9])
                .fold(f64::INFINITY, f64::min),
            torque: most(&mut slide.steps.iter().map(|s| s.torque_error)) / slide.largest_torque,
            contact: most(&mut slide.steps.iter().map(|s| s.contact_error)) / slide.largest_contact,
            motion: most(&mut slide.steps.iter().map(|s| s.motion_error)),
            pressed: most(&mut slide.steps.iter().map(|s| s.pressed_error)),
        }
    }

    fn verdict(&self) -> Verdict {
        // Written so that a NaN does not pass.
        Verdict::of(&[
            (self.steps > 0, "the end does not slide".to_owned()),
            (
                self.second <= PRECISION,
                format!("(1) changes by {:.1e}", self.second),
            ),
            (
                self.growth >= 5.0,
                format!("(2) grows by {:.1} only", self.growth),
            ),
            (
                self.torque <= PRECISION && self.contact <= PRECISION,
                format!("(3) off by {:.1e}, {:.1e}", self.torque, self.contact),
            ),
            (
                self.motion <= 1e-8 && self.pressed <= PRECISION,
                format!("(4) off by {:.1e}, {:.1e}", self.motion, self.pressed),
            ),
        ])
    }

    fn table(&self, steps: usize) -> Table {
        let title = format!("Fig. 8: worst of {steps} sliding steps");
        let mut table = Table::new(title, &["what", "paper", "ours"]);
        let rows = [
            (
                "change of the impulse after iteration 1, NCP, N s",
                "below 1e-6",
                format!("{:.1e}", self.second),
            ),
            (
                "impulse after 100 iterations over that after 10, CCP",
                "diverges",
                format!("{:.1}", self.growth),
            ),
            (
                "torques against forward dynamics",
                "consistent",
                format!("{:.1e}", self.torque),
            ),
            (
                "contact forces against forward dynamics",
                "consistent",
                format!("{:.1e}", self.contact),
            ),
            (
                "motion by the torques of another pressing force, m/s",
                "not tried",
                format!("{:.1e}", self.motion),
            ),
            (
                "that force in the forward step",
                "not tried",
                format!("{:.1e}", self.pressed),
            ),
        ];
        for (what, paper, ours) in rows {
            table.row([what.to_owned(), paper.to_owned(), ours]);
        }
        table
    }
}

fn forces(slide: &Slide) -> Plot {
    let of = |what: fn(&arm::Step) -> f64| slide.steps.iter().map(|s| (s.time, what(s))).collect();
    Plot::new(
        "Fig. 8, bottom: contact forces",
        "Found by inverse dynamics and acting in the forward run: lines on each other.",
        Axis::linear("time, s"),
        Axis::linear("force, N"),
    )
    .with("normal, inverse", Style::Line, of(|s| s.found[1]))
    .with("normal, forward", Style::Line, of(|s| s.acted[1]))
    .with("tangential, inverse", Style::Line, of(|s| s.found[0]))
    .with("tangential, forward", Style::Line, of(|s| s.acted[0]))
}

fn growth(exact: &[Vec<f64>], convex: &[Vec<f64>]) -> Plot {
    let of = |all: &[Vec<f64>]| {
        let first = all.first().into_iter().flatten();
        (1..).map(f64::from).zip(first.copied()).collect()
    };
    Plot::new(
        "Fig. 8, top right: proximal iterations",
        "Size of the contact impulse at the first sliding step: constant with De Saxcé's shift, growing without.",
        Axis::linear("iteration"),
        Axis::log("impulse, N s"),
    )
    .with("NCP", Style::Line, of(exact))
    .with("CCP", Style::Line, of(convex))
}
