//! The tables of the report as CSV [RFC 4180]: a header, commas, cells in quotes where they need them. Times
//! in seconds; a number that is not finite is an empty cell.

use super::data::{Data, Tally, fastest};
use super::table_two::{Check, Counts};
use crate::class::Class;
use crate::results::{Score, Simulation};
use crate::speed::{PARTS, Speed};

/// Names and contents of all files.
pub fn files(data: &Data, checks: &[Check]) -> [(&'static str, String); 5] {
    [
        ("scores.csv", scores(data)),
        ("simulations.csv", simulations(data)),
        (SPEED, speeds(&data.speeds)),
        ("classes.csv", classes(data)),
        ("systems.csv", systems(data, checks)),
    ]
}

/// The file of [`speeds`].
pub const SPEED: &str = "speed.csv";

/// Every measured scene, one line per part of its run.
pub fn speeds(records: &[Speed]) -> String {
    let head = "name,scene,n,bodies,joint_rows,dt,solver,tolerance,commit,processor,unix_s,repeats,failed,\
                residual_max,closure_max,penetration_rest,steps_per_cpu_s,rate_least,rate_most,part,steps,step_us,\
                collision_us,rows_us,solve_us,closure_us,integrate_us,iterations,factorizations,closure_passes,\
                contacts,instructions";
    let row = |s: &Speed, at: usize| {
        let part = s.part(at)?;
        let mut cells = vec![
            s.name.clone(),
            s.scene.clone(),
            s.size().map_or(String::new(), number),
            s.bodies.to_string(),
            s.joint_rows.to_string(),
            number(s.dt),
            s.solver.clone(),
            number(s.tolerance),
            s.machine.commit.clone(),
            s.machine.processor.clone(),
            s.machine.unix_s.to_string(),
            s.repeats.to_string(),
            s.failed.to_string(),
        ];
        let whole = [
            s.residual_max,
            s.closure_max,
            s.penetration_rest,
            s.steps_per_cpu_s,
            s.rate_least,
            s.rate_most,
        ];
        cells.extend(whole.map(number));
        cells.extend([PARTS[at].to_owned(), part.steps.to_string()]);
        let measured = [
            part.iterations,
            part.factorizations,
            part.closure_passes,
            part.contacts,
            part.instructions.unwrap_or(f64::NAN),
        ];
        let times = [part.step_us].into_iter().chain(part.phases_us);
        cells.extend(times.chain(measured).map(number));
        Some(cells)
    };
    let rows = records
        .iter()
        .flat_map(|s| (0..PARTS.len()).filter_map(move |at| row(s, at)));
    file(head, rows)
}

/// Every score, at any tolerance.
fn scores(data: &Data) -> String {
    let head = "problem,system,class,solver,start,tolerance,limit_s,claimed,solved,false_convergence,residual,\
                residual_ncp,r_dual,r_ncp,r_nat,e_m,e_mu,own_test,wall_s,iterations,factorizations,bodies,rows,contacts";
    let row = |s: &Score| {
        let mut cells = vec![
            s.problem.clone(),
            s.system.clone(),
            s.class.map_or(String::new(), |c| c.name().to_owned()),
            s.solver.clone(),
            s.start.name().to_owned(),
            number(s.tolerance),
            number(s.limit_s),
            s.claimed.clone(),
            s.solved.to_string(),
            s.false_convergence.to_string(),
            number(s.residual),
            number(s.residual_ncp),
        ];
        let measures = s.measures.map_or([f64::NAN; 5], |m| {
            [m.r_dual, m.r_ncp, m.r_nat, m.e_m, m.e_mu]
        });
        cells.extend(measures.map(number));
        cells.push(s.own_test.map_or(String::new(), |held| held.to_string()));
        cells.push(number(s.wall_s));
        let counts = [s.iterations, s.factorizations, s.bodies, s.rows, s.contacts];
        cells.extend(counts.map(|n| n.to_string()));
        cells
    };
    file(head, data.scores.iter().map(row))
}

/// Every closed-loop run, without its course.
fn simulations(data: &Data) -> String {
    let head = "system,solver,tolerance,dt,steps,steps_done,ended,failures,r_pen_max,closure_max,penetration_max,\
                limit_max,residual_max,energy_drift,iterations_mean,wall_s,collision_s,rows_s,solve_s,closure_s,\
                integrate_s";
    let row = |s: &Simulation| {
        let mut cells = vec![
            s.system.clone(),
            s.solver.clone(),
            number(s.tolerance),
            number(s.dt),
            s.steps.to_string(),
            s.steps_done.to_string(),
            s.ended.clone(),
            s.failures.to_string(),
        ];
        let measured = [
            s.r_pen_max,
            s.closure_max,
            s.penetration_max,
            s.limit_max,
            s.residual_max,
            s.energy_drift,
            s.iterations_mean,
            s.wall_s,
        ];
        cells.extend(measured.into_iter().chain(s.phases_s).map(number));
        cells
    };
    file(head, data.simulations.iter().map(row))
}

/// Solver, class and start: solved problems, and their times.
fn classes(data: &Data) -> String {
    let head = "solver,law,class,start,problems,refused,tried,solved,solved_share,false_convergences,\
                exact_law_met,median_wall_s,median_ratio_to_fastest";
    let suite = data.suite();
    let keys = suite.solvers(&data.solvers);
    let mut rows = Vec::new();
    for (_, group) in data.solvers.by_law(&keys) {
        let names: Vec<&str> = group
            .iter()
            .map(|k| data.solvers[*k].name.as_str())
            .collect();
        let in_group = suite
            .scores
            .iter()
            .copied()
            .filter(|s| names.contains(&s.solver.as_str()));
        let best = fastest(in_group);
        for (key, class) in group.iter().flat_map(|k| Class::ALL.map(|c| (*k, c))) {
            let solver = &data.solvers[key];
            for start in suite.starts() {
                let scores = suite.scores.iter().copied().filter(|s| {
                    s.solver == solver.name && s.class == Some(class) && s.start == start
                });
                let tally = Tally::of(scores, &best);
                let optional = |x: Option<f64>| x.map_or(String::new(), number);
                rows.push(vec![
                    solver.name.clone(),
                    solver.law_name().to_owned(),
                    class.name().to_owned(),
                    start.name().to_owned(),
                    tally.problems.to_string(),
                    tally.refused.to_string(),
                    tally.tried().to_string(),
                    tally.solved.to_string(),
                    number(tally.share()),
                    tally.false_claims.to_string(),
                    tally.exact.to_string(),
                    optional(tally.time()),
                    optional(tally.ratio()),
                ]);
            }
        }
    }
    file(head, rows.into_iter())
}

/// The systems, the paper's numbers and ours.
fn systems(data: &Data, checks: &[Check]) -> String {
    let head = "system,paper_name,category,base,samples,bodies_paper,bodies,joints_paper,joints,rows_paper,rows,\
                loops_paper,loops,mass_ratio_paper,mass_ratio,actuated_paper,actuated,table_ii";
    let row = |check: &Check| {
        let system = check.system;
        let samples = data
            .samples
            .iter()
            .filter(|s| s.system == system.name)
            .count();
        let mut cells = vec![
            system.name.to_owned(),
            system.paper.to_owned(),
            system.category.name().to_owned(),
            if system.fixed { "fixed" } else { "free" }.to_owned(),
            samples.to_string(),
        ];
        let found = check.found.as_ref().and_then(|f| f.as_ref().ok());
        let counts = |c: &Counts| [c.bodies, c.joints, c.rows, c.loops].map(|n| n.to_string());
        let wanted = Counts::wanted(system);
        let ours = found.map_or_else(Default::default, counts);
        cells.extend(
            counts(&wanted)
                .into_iter()
                .zip(ours)
                .flat_map(|(a, b)| [a, b]),
        );
        cells.push(number(wanted.mass_ratio));
        cells.push(found.map_or(String::new(), |c| number(c.mass_ratio)));
        cells.push(wanted.actuated.to_string());
        cells.push(found.map_or(String::new(), |c| c.actuated.to_string()));
        cells.push(check.verdict().to_owned());
        cells
    };
    file(head, checks.iter().map(row))
}

fn file(head: &str, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("{head}\n");
    for row in rows {
        let cells: Vec<String> = row.into_iter().map(quoted).collect();
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

fn quoted(cell: String) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

/// All digits that are needed to read back the same number.
fn number(x: f64) -> String {
    if !x.is_finite() {
        return String::new();
    }
    let size = x.abs();
    if size != 0.0 && !(1e-4..1e9).contains(&size) {
        format!("{x:e}")
    } else {
        x.to_string()
    }
}
