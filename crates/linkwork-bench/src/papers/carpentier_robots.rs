//! `carpentier-robots`: [Carpentier Fig. 4 bottom and Fig. 5] on the contact problems of Talos, Solo, a hand with cubes
//! and the wall.

use super::carpentier_engines::passive;
use super::robots::{Robot, SHADOW_HAND, SOLO, TALOS, beside};
use super::{Context, Experiment, Finding, Verdict};
use crate::error::BenchError;
use crate::stats::mean;
use crate::table::Table;
use crate::trial::{Effort, Trial};
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, Geometry, Model, ModelBuilder, ShapeDef};
use linkwork::{Control, Settings, Simulator};
use linkwork_scenes::scene;
use linkwork_solve::condense::{Condensation, is_reducible};
use linkwork_solve::{ImpulseSets, Operator, Problem, SparseSym, solver_entry};
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "carpentier-robots",
    source: "Carpentier 2024, Fig. 4 (bottom row) and Fig. 5",
    claim: "On the contact problems of a falling Talos ADMM reaches 1e-9 where projected Gauss-Seidel loops. On a wall of cubes, Talos, a \
            hand with cubes and a quadruped it takes a similar time throughout, much less than Gauss-Seidel where inertia is \
            coupled (wall, Talos, hand).",
    criterion: "Problems of each system's motion with contacts, in the coordinates of the mechanism (joints eliminated), each solver by its own stopping \
                test: (1) with at most 20 000 iterations `carpentier/admm` meets eq. 43 at 1e-9 on every problem of Talos, `tsounis/pgs-ncp` its eq. \
                156–158 on at most half; (2) at 1e-4 and 1000 iterations `carpentier/admm` meets its test on at least as many problems of every \
                system as `tsounis/pgs-ncp`; (3) its mean iterations differ by at most a factor of 10 between the systems.",
    run: Some(run),
};

/// Solvers; the criterion uses the first two. The paper's SCS solves the CCP, like clarabel.
const SOLVERS: [&str; 5] = [
    "carpentier/admm",
    "tsounis/pgs-ncp",
    "clarabel",
    "admm-ncp-sa",
    "condensed",
];
/// Wall time of a solve, s.
const LIMIT: f64 = 20.0;

/// Puts a robot in its surroundings.
type Place = fn(Arc<Model>) -> Result<Arc<Model>, String>;

/// A system with problems of its motion.
struct System {
    name: &'static str,
    problems: Vec<Problem>,
}

/// A solver on the problems of a system.
struct Outcome {
    system: &'static str,
    solver: &'static str,
    tolerance: f64,
    problems: usize,
    /// Those that end by the solver's own test; for Linkwork's own solvers that is the recomputed residual.
    met: usize,
    /// Those whose recomputed residual meets the tolerance.
    solved: usize,
    /// Contacts, mean.
    contacts: f64,
    iterations: f64,
    ms: f64,
}

fn run(ctx: &Context) -> Result<Finding, BenchError> {
    let count = if ctx.quick { 4 } else { 12 };
    let mut notes = Vec::new();
    let mut systems = vec![System {
        name: "wall",
        problems: take(
            scene("wall", &[])?.model,
            if ctx.quick { 0.05 } else { 0.3 },
            count,
        )?,
    }];
    let made: [(Robot, Place, f64); 3] = [
        (TALOS, Ok, 0.8),
        (SHADOW_HAND, with_cubes, 0.5),
        (SOLO, on_slope, 0.5),
    ];
    for (robot, place, time) in made {
        match robot.model().and_then(place) {
            // The paper's problems have neither limits nor friction of joints.
            Ok(model) => systems.push(System {
                name: robot.name,
                problems: take(passive(&model)?, time, count)?,
            }),
            Err(why) => notes.push(format!("{} was left out: {why}", robot.name)),
        }
    }
    ctx.progress
        .stage(EXPERIMENT.name, systems.len() * SOLVERS.len(), 0);
    let mut outcomes = Vec::new();
    for system in &systems {
        for solver in SOLVERS {
            ctx.progress.job(&format!("{}, {solver}", system.name));
            outcomes.push(Outcome::of(system, solver, 1e-4, 1000)?);
            if system.name == TALOS.name {
                outcomes.push(Outcome::of(system, solver, 1e-9, 20_000)?);
            }
            ctx.progress.done();
        }
    }
    notes.push(
        "The paper's problems have contact rows only, in the coordinates of a tree; so here joints are eliminated first. Motions are Linkwork's own, without control: Talos falls from standing, four cubes fall on an open Shadow \
         hand (the paper has an Allegro hand), Solo lands on a slope of 0.3 rad (the paper's walks by predictive control). The residual is recomputed; \
         the printed solvers stop on their own tests."
            .to_owned(),
    );
    let verdict = if systems.len() == 4 {
        judge(&outcomes)
    } else {
        Verdict::Skipped(notes[0].clone())
    };
    Ok(Finding {
        tables: vec![table(&outcomes)],
        plots: Vec::new(),
        notes,
        verdict,
    })
}

/// Four cubes of 3 cm above the middle of the hand.
fn with_cubes(model: Arc<Model>) -> Result<Arc<Model>, String> {
    let poses = model.initial_state().poses;
    let n = poses.len().max(1) as f64;
    let middle = poses.iter().fold(Vec3::zeros(), |a, p| a + p.position) / n;
    let top = poses.iter().map(|p| p.position.z).fold(f64::MIN, f64::max);
    let half = Vec3::repeat(0.015);
    let mut b = ModelBuilder::new();
    for i in 0..4 {
        let mass = MassProperties::solid_box(0.05, half);
        let z = top + 0.04 + 0.035 * f64::from(i);
        let cube = b.add_body(BodyDef::new(format!("cube{i}"), mass).at(middle.x, middle.y, z));
        let shape = ShapeDef::new(Geometry::Box { half_extents: half });
        b.add_shape(cube, shape.name(format!("cube{i}")));
    }
    beside(&model, b)
}

/// A slope under the robot, which starts just above it.
fn on_slope(model: Arc<Model>) -> Result<Arc<Model>, String> {
    let poses = model.initial_state().poses;
    let low = poses.iter().map(|p| p.position.z).fold(f64::MAX, f64::min);
    let slope = Pose::at(0.0, 0.0, low - 0.2).rotated(0.3 * Vec3::y());
    let mut b = ModelBuilder::new();
    b.add_shape(
        None,
        ShapeDef::new(Geometry::HalfSpace).name("slope").pose(slope),
    );
    beside(&model, b)
}

/// The problem without its joints: D and v_f of the remaining rows, in the coordinates of the mechanism. `None` if the
/// joints cannot be eliminated.
fn on_mechanism(problem: &Problem) -> Option<Problem> {
    if !is_reducible(problem) {
        return Some(problem.clone());
    }
    let zero = vec![0.0; problem.rows()];
    let (mut sigma, mut felt) = (Vec::new(), Vec::new());
    problem.sigma(&zero, &mut sigma, &mut Vec::new());
    let mut joints = Condensation::default();
    joints.partition(problem, &zero);
    joints.factor(problem).ok()?;
    let mut part = Problem {
        sets: ImpulseSets::new(),
        compliance: Vec::new(),
        ..problem.clone()
    };
    let mut v_free = Vec::new();
    for (k, (set, rows)) in problem.sets.iter().enumerate() {
        if joints.is_kept(k) {
            joints.add_block(problem, k);
            part.sets.push(set);
            part.compliance
                .extend_from_slice(&problem.compliance[rows.clone()]);
            v_free.extend_from_slice(&sigma[rows]);
        }
    }
    joints.complete();
    joints.begin(problem, &sigma, &mut felt);
    for (v, felt) in v_free.iter_mut().zip(&felt) {
        *v += felt;
    }
    let n = v_free.len();
    let entries = joints.matrix().iter().enumerate();
    let entries: Vec<_> = entries.map(|(i, d)| (i / n, i % n, *d)).collect();
    part.v_bias = vec![0.0; n];
    part.operator = Operator::Delassus {
        matrix: SparseSym::from_triplets(n, &entries).0,
        v_free,
    };
    Some(part)
}

/// `count` problems with contacts, spread over `time` s of motion without control.
fn take(model: Arc<Model>, time: f64, count: usize) -> Result<Vec<Problem>, BenchError> {
    let settings = Settings::default();
    let steps = (time / settings.dt).round() as usize;
    let mut simulator = Simulator::new(model.clone(), settings)?;
    let control = Control::new(&model);
    let mut found: Vec<Problem> = Vec::new();
    for _ in 0..steps {
        simulator.step(&control)?;
        if simulator.problem().sets.contacts() > 0 {
            found.extend(on_mechanism(simulator.problem()));
        }
    }
    let last = found.len().saturating_sub(1);
    let chosen = (0..count.min(found.len())).map(|i| i * last / (count.max(2) - 1));
    Ok(chosen.map(|i| found[i].clone()).collect())
}

impl Outcome {
    fn of(
        system: &System,
        solver: &'static str,
        tolerance: f64,
        limit: usize,
    ) -> Result<Self, BenchError> {
        let entry = solver_entry(solver)?;
        let trial = Trial::new(tolerance, true, LIMIT, limit);
        let judged = system.problems.iter().map(|p| trial.run(p, &[], entry));
        let judged: Vec<_> = judged.collect();
        let efforts: Vec<Effort> = judged.iter().filter_map(|j| j.effort).collect();
        let contacts = system.problems.iter().map(|p| p.sets.contacts() as f64);
        let contacts: Vec<f64> = contacts.collect();
        let iterations: Vec<f64> = efforts.iter().map(|e| e.iterations as f64).collect();
        let ms: Vec<f64> = efforts.iter().map(|e| e.wall_ms).collect();
        Ok(Self {
            system: system.name,
            solver,
            tolerance,
            problems: system.problems.len(),
            met: judged
                .iter()
                .filter(|j| j.effort.and_then(|e| e.own_test).unwrap_or(j.solved))
                .count(),
            solved: judged.iter().filter(|j| j.solved).count(),
            contacts: mean(&contacts),
            iterations: mean(&iterations),
            ms: mean(&ms),
        })
    }
}

fn judge(outcomes: &[Outcome]) -> Verdict {
    let of = |solver: &str, fine: bool| {
        let mine = outcomes
            .iter()
            .filter(move |o| (o.tolerance < 1e-5) == fine);
        let solver = solver.to_owned();
        mine.filter(move |o| o.solver == solver)
    };
    let talos = |solver: &str| {
        of(solver, true)
            .next()
            .map_or((0, 0), |o| (o.met, o.problems))
    };
    let (admm, all) = talos(SOLVERS[0]);
    let (pgs, _) = talos(SOLVERS[1]);
    let mut checks = vec![(
        admm == all && 2 * pgs <= all,
        format!(
            "(1) of {all} problems of Talos ADMM meets its test on {admm}, Gauss-Seidel on {pgs}"
        ),
    )];
    for (a, p) in of(SOLVERS[0], false).zip(of(SOLVERS[1], false)) {
        checks.push((
            a.met >= p.met,
            format!(
                "(2) {}: ADMM meets its test on {}, Gauss-Seidel on {} of {}",
                a.system, a.met, p.met, a.problems
            ),
        ));
    }
    let iterations: Vec<f64> = of(SOLVERS[0], false).map(|o| o.iterations).collect();
    let most = iterations.iter().copied().fold(0.0, f64::max);
    let least = iterations.iter().copied().fold(f64::MAX, f64::min);
    checks.push((
        most <= 10.0 * least,
        format!("(3) mean iterations of ADMM from {least:.1} to {most:.1}"),
    ));
    Verdict::of(&checks)
}

fn table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new(
        "Fig. 4 bottom (tolerance 1e-9) and Fig. 5 (1e-4): problems that end by the solver's own test, and whose recomputed residual meets the tolerance",
        &[
            "system",
            "solver",
            "tolerance",
            "contacts, mean",
            "own test",
            "recomputed",
            "iterations, mean",
            "time, mean ms",
        ],
    );
    for o in outcomes {
        table.row([
            o.system.to_owned(),
            o.solver.to_owned(),
            format!("{:.0e}", o.tolerance),
            format!("{:.0}", o.contacts),
            format!("{} of {}", o.met, o.problems),
            o.solved.to_string(),
            format!("{:.0}", o.iterations),
            format!("{:.2}", o.ms),
        ]);
    }
    table
}
