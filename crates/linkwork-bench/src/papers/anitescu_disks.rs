//! [Anitescu §6, Fig. 5-6]: a pile of 21 disks collapses on a table between slanted walls. Disks are round, so the
//! linearised contact never errs inwards. Overlap comes from collisions that are not in the active set, which contains
//! only bodies nearer than ε̂ = 0.3, however fast they approach.

mod pile;

use super::anitescu::{
    ACTIVE, GRAVITY, Lamina, Trace, build, largest, metres, settings, solved_note,
};
use super::balls::{Ball, advance};
use super::{Context, Experiment, Finding, Verdict};
use crate::error::BenchError;
use crate::plot::{Axis, Plot, Style};
use crate::table::Table;
use linkwork::State;
use linkwork::math::Vec3;
use linkwork::model::{Geometry, Material, ModelBuilder, ShapeDef};
use linkwork_solve::{DEFAULT_SOLVER, Solution, SolverSettings, Status, solver_by_name};
use pile::{FRICTION, HALF_TABLE, RADIUS, STEP, WIDE, arena, disk, pile, walls};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "anitescu-disks",
    source: "Anitescu & Hart 2004, section 6, Fig. 5-6",
    claim: "21 disks of radius 3, piled 6 wide on a table between slanted walls, friction 0.2, steps of 0.05 s for \
            20 s. The stabilised method has less overlap than the unstabilised and consistently corrects \
            incidental large overlap; at the end all disks lie on the table, apart from each other.",
    criterion: "With the paper's active set (gaps below 0.3 m) and stabilisation: the mean overlap is at most a tenth \
                of that without; overlaps above 1 cm occur, and each is gone within 3 steps; in the last 5 s it is at \
                most 1e-6 m; at the end all 21 disks are within 1 mm of the table; by `anitescu/lcp` too, but for the spells above 1 cm. In our simulator, which \
                foresees collisions, the overlap never exceeds 1e-6 m and all disks end on the table.",
    run: Some(run),
};

/// Number of steps [Anitescu §6].
const STEPS: usize = 400;
/// An overlap worth correcting, m.
const LARGE: f64 = 0.01;

/// A run of one method.
struct Outcome {
    name: &'static str,
    paper: &'static str,
    /// (t, I), s and m.
    overlap: Vec<(f64, f64)>,
    /// Disks on the table at the end.
    landed: usize,
    /// Steps whose solve did not converge.
    unsolved: usize,
}

fn run(_: &Context) -> Result<Finding, BenchError> {
    let outcomes = [
        papers_own(
            (
                "paper's reach of 0.3 m, not stabilised",
                "larger, persistent",
            ),
            0.0,
            ACTIVE,
        )?,
        papers_own(
            ("paper's reach of 0.3 m, stabilised", "smaller, corrected"),
            1.0,
            ACTIVE,
        )?,
        papers_own(("reach of 1 m, stabilised", "not tried"), 1.0, 1.0)?,
        by_solver(
            "anitescu/lcp",
            (
                "the paper's LCP, reach of 0.3 m, stabilised",
                "smaller, corrected",
            ),
            1.0,
            ACTIVE,
        )?,
        simulated("our simulator, not stabilised", 0.0)?,
        simulated("our simulator, stabilised", 1.0)?,
    ];
    Ok(Finding {
        tables: vec![table(&outcomes)],
        plots: vec![plot(&outcomes)],
        notes: vec![
            format!(
                "Table of {:.0} m and walls at 45° are ours; the paper does not give them. The pile is left 2 cm \
                 loose and every disk is moved sideways by up to 1 cm: put exactly in place it falls in mirror \
                 symmetry, and two disks stay balanced on a third at the end.",
                2.0 * HALF_TABLE
            ),
            "A disk's distance is convex in the positions, so motion allowed by the linearised contact cannot make \
             disks overlap. The overlap is from collisions that the paper's active set misses: just beyond 0.3 m at \
             the start of a step, in touch at its end. With a reach of 1 m there is none (third row), nor in our \
             simulator, which takes into account what the speed can close within the step."
                .to_owned(),
            "The largest overlap of a single step is not smaller with stabilisation here: one pair 0.301 m apart \
             closes at 10.9 m/s and is missed by a millimetre. It is the mean that stabilisation lowers."
                .to_owned(),
            "The paper has hardly any overlap at the end in both methods. Without stabilisation ours keeps what a \
             disk had when it missed the table: the contact is linear, so the overlap stays as it is. Disks also \
             come to rest above the table then: Δ = 0 stops them within the reach of it."
                .to_owned(),
            solved_note(outcomes.iter().map(|o| o.unsolved).sum(), 6 * STEPS),
        ],
        verdict: judge(&outcomes),
    })
}

/// [Anitescu eq. 2.10] with gaps below `reach` (m) in the active set and Δ multiplied by `gain`.
fn papers_own(
    names: (&'static str, &'static str),
    gain: f64,
    reach: f64,
) -> Result<Outcome, BenchError> {
    by_solver(DEFAULT_SOLVER, names, gain, reach)
}

fn by_solver(
    solver: &str,
    (name, paper): (&'static str, &'static str),
    gain: f64,
    reach: f64,
) -> Result<Outcome, BenchError> {
    let arena = arena(gain, reach);
    let mut disks: Vec<Ball> = pile().into_iter().map(disk).collect();
    let mut solver = solver_by_name(solver, SolverSettings::default())?;
    let mut x = Solution::default();
    let mut unsolved = 0;
    let mut overlap = vec![(0.0, arena.infeasibility(&disks))];
    for step in 1..=STEPS {
        x.lambda.clear();
        let report = solver.solve(&arena.problem(&disks), &mut x, &mut ());
        unsolved += usize::from(report.status != Status::Converged);
        for u in x.u_plus.chunks_exact_mut(6) {
            // Nothing pushes out of the plane but round-off.
            (u[1], u[3], u[5]) = (0.0, 0.0, 0.0);
        }
        advance(&mut disks, &x.u_plus, STEP);
        overlap.push((STEP * step as f64, arena.infeasibility(&disks)));
    }
    let landed = landed(disks.iter().map(|d| d.centre));
    Ok(Outcome {
        name,
        paper,
        overlap,
        landed,
        unsolved,
    })
}

/// The same pile in the simulator, contacts stabilised by `gain`.
fn simulated(name: &'static str, gain: f64) -> Result<Outcome, BenchError> {
    let mut b = ModelBuilder::new();
    b.gravity(-GRAVITY * Vec3::z());
    for (name, pose) in ["table", "left wall", "right wall"].iter().zip(walls()) {
        let wall = ShapeDef::new(Geometry::HalfSpace).name(*name).pose(pose);
        b.add_shape(None, wall.material(Material::with_friction(FRICTION)));
    }
    for (i, centre) in pile().into_iter().enumerate() {
        let disk = Lamina {
            name: format!("disk{i}"),
            semi_axes: [RADIUS; 2],
            centre: [centre.x, centre.z],
            spin: 0.0,
            friction: FRICTION,
        };
        disk.add(&mut b);
    }
    let model = build(b)?;
    let arena = arena(gain, ACTIVE);
    let overlap = |state: &State| {
        let disks: Vec<Ball> = state.poses.iter().map(|p| disk(p.position)).collect();
        arena.infeasibility(&disks)
    };
    let trace = Trace::run(&model, settings(STEP, gain), STEPS, overlap)?;
    Ok(Outcome {
        name,
        paper: "not tried",
        landed: landed(trace.end.poses.iter().map(|p| p.position)),
        overlap: trace.infeasibility,
        unsolved: trace.unsolved,
    })
}

/// How many disks are within 1 mm of the table.
fn landed(centres: impl Iterator<Item = Vec3>) -> usize {
    centres.filter(|c| (c.z - RADIUS).abs() <= 1e-3).count()
}

impl Outcome {
    fn mean(&self) -> f64 {
        self.overlap.iter().map(|o| o.1).sum::<f64>() / self.overlap.len() as f64
    }

    fn largest(&self, from: f64, to: f64) -> f64 {
        largest(&self.overlap, from, to)
    }

    /// Most steps in a row with a large overlap.
    fn longest_large(&self) -> usize {
        let runs = self.overlap.chunk_by(|a, b| (a.1 > LARGE) == (b.1 > LARGE));
        let large = runs.filter(|run| run[0].1 > LARGE).map(<[_]>::len);
        large.max().unwrap_or(0)
    }
}

fn judge([free, stabilised, _, lemke, ours_free, ours]: &[Outcome; 6]) -> Verdict {
    let all = WIDE * (WIDE + 1) / 2;
    let foreseen = |o: &Outcome| o.largest(0.0, f64::INFINITY) <= 1e-6 && o.landed == all;
    let checks = [
        (
            stabilised.mean() <= 0.1 * free.mean(),
            "the mean overlap is not a tenth",
        ),
        (
            (1..=3).contains(&stabilised.longest_large()),
            "large overlap does not occur or is not corrected",
        ),
        (
            stabilised.largest(15.0, 20.0) <= 1e-6,
            "overlap is left in the last 5 s",
        ),
        (stabilised.landed == all, "not all disks are on the table"),
        (
            lemke.mean() <= 0.1 * free.mean()
                && lemke.largest(15.0, 20.0) <= 1e-6
                && lemke.landed == all,
            "by the paper's LCP overlap is not corrected or disks stay aloft",
        ),
        (
            foreseen(ours_free) && foreseen(ours),
            "our simulator lets disks overlap or stay aloft",
        ),
    ];
    let failed: Vec<&str> = checks.iter().filter(|c| !c.0).map(|c| c.1).collect();
    match failed.is_empty() {
        true => Verdict::Agree,
        false => Verdict::Disagree(format!("{}; see the table", failed.join("; "))),
    }
}

fn table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new(
        "Overlap over 20 s, the longest spell of more than 1 cm, and disks on the table at the end (paper: all 21)",
        &[
            "method",
            "paper",
            "mean, m",
            "largest, m",
            "last 5 s, m",
            "longest above 1 cm, steps",
            "on the table",
        ],
    );
    for o in outcomes {
        table.row([
            o.name.to_owned(),
            o.paper.to_owned(),
            metres(o.mean()),
            metres(o.largest(0.0, f64::INFINITY)),
            metres(o.largest(15.0, 20.0)),
            o.longest_large().to_string(),
            o.landed.to_string(),
        ]);
    }
    table
}

fn plot(outcomes: &[Outcome]) -> Plot {
    let plot = Plot::new(
        "Deepest overlap of 21 collapsing disks",
        "Below is better; where a line is missing there is no overlap. With the paper's active set collisions are \
         missed now and then: stabilisation takes the overlap away in a step or two, without it, it stays. Lines \
         near the bottom are round-off.",
        Axis::linear("time, s"),
        Axis::log("overlap, m"),
    );
    outcomes.iter().fold(plot, |plot, o| {
        plot.with(o.name, Style::Line, o.overlap.clone())
    })
}
