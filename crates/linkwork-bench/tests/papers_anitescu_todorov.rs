//! The experiments of Anitescu and Hart and of Todorov in quick mode. Where a few lines can, the curves are
//! computed a second time, in the plane and without the simulator.

mod ellipse;

use ellipse::{Rule, overlaps};
use linkwork_bench::papers::{Context, Finding, Verdict, experiment};
use linkwork_bench::{Plot, Quiet};

/// Runs it, and checks what holds for every finding: tables are filled, numbers finite.
fn run(name: &str) -> Finding {
    let experiment = experiment(name).unwrap();
    let context = Context {
        quick: true,
        fclib: None,
        progress: &Quiet,
    };
    let finding = experiment.run.unwrap()(&context).unwrap();
    assert!(!finding.tables.is_empty() && !finding.plots.is_empty());
    assert!(experiment.criterion.contains(|c: char| c.is_ascii_digit()));
    for table in &finding.tables {
        println!("{}", table.text());
        assert!(!table.rows.is_empty());
        for cell in table.rows.iter().flatten() {
            assert!(!cell.contains("NaN") && !cell.contains("inf"), "{cell}");
        }
    }
    for plot in &finding.plots {
        for series in &plot.series {
            assert!(!series.points.is_empty());
            let finite = |&(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
            assert!(series.points.iter().all(finite), "{}", series.name);
        }
    }
    finding
}

/// The values of the series whose name begins so.
fn series(plot: &Plot, name: &str) -> Vec<f64> {
    let found = plot.series.iter().find(|s| s.name.starts_with(name));
    found.unwrap().points.iter().map(|p| p.1).collect()
}

/// Greatest difference of two curves of the same length.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}

/// [Anitescu eq. 5.60] for a point on a circle, in closed form.
fn pendulum_errors(gain: f64) -> Vec<f64> {
    let h = 0.1;
    let (mut x, mut z, mut vx, mut vz) = (1.0_f64, 0.0_f64, 0.0, 0.0);
    let mut errors = vec![0.0];
    for _ in 0..1000 {
        let length = x.hypot(z);
        let (nx, nz) = (x / length, z / length);
        vz -= h * 9.81;
        let change = -gain * (length - 1.0) / h - (nx * vx + nz * vz);
        (vx, vz) = (vx + change * nx, vz + change * nz);
        (x, z) = (x + h * vx, z + h * vz);
        errors.push((x.hypot(z) - 1.0).abs());
    }
    errors
}

#[test]
fn pendulum_follows_the_recursion_of_the_paper() {
    let finding = run("anitescu-pendulum");
    assert_eq!(finding.verdict, Verdict::Agree);
    let plot = &finding.plots[0];
    for (name, gain) in [("without", 0.0), ("stabilised", 1.0)] {
        let apart = apart(&series(plot, name), &pendulum_errors(gain));
        assert!(apart < 1e-6, "{name}: {apart:e} m from the recursion");
    }
}

#[test]
fn ellipse_follows_a_rolling_ellipse_in_the_plane() {
    let finding = run("anitescu-ellipse");
    assert_eq!(finding.verdict, Verdict::Agree);
    let plot = &finding.plots[0];
    for (name, gain) in [("without", 0.0), ("stabilised", 1.0)] {
        let apart = apart(&series(plot, name), &overlaps(Rule::Foreseeing(gain)));
        assert!(apart < 1e-6, "{name}: {apart:e} m from the plane");
    }
}

/// The experiment's note on the paper's own active set.
#[test]
fn ellipse_drifts_deeper_by_the_papers_own_rule() {
    let last = |rule| {
        overlaps(rule)[300..]
            .iter()
            .fold(0.0, |a: f64, o| a.max(*o))
    };
    let (free, stabilised) = (last(Rule::Near(0.0)), last(Rule::Near(1.0)));
    assert!((free - 0.76).abs() < 0.005, "{free}");
    assert!(
        (free / stabilised - 305.0).abs() < 1.0,
        "{}",
        free / stabilised
    );
}

#[test]
fn disks_all_land_and_collisions_are_foreseen() {
    let finding = run("anitescu-disks");
    assert_eq!(finding.verdict, Verdict::Agree);
    let plot = &finding.plots[0];
    let free = series(plot, "paper's reach of 0.3 m, not");
    let stabilised = series(plot, "paper's reach of 0.3 m, stab");
    assert!(stabilised.iter().sum::<f64>() < 0.1 * free.iter().sum::<f64>());
    for name in ["reach of 1 m", "our simulator, not", "our simulator, stab"] {
        assert!(series(plot, name).iter().all(|overlap| *overlap < 1e-6));
    }
}

#[test]
fn five_balls_fall_freely_and_stop_in_one_step() {
    let finding = run("todorov-drop");
    assert_eq!(finding.verdict, Verdict::Agree);
    for ball in &finding.plots[0].series {
        let heights: Vec<f64> = ball.points.iter().map(|p| p.1).collect();
        let falls = heights.windows(2).map(|pair| pair[0] - pair[1]);
        let falls: Vec<f64> = falls.collect();
        let stop = falls.iter().position(|fall| fall.abs() < 1e-9).unwrap();
        // Before, each step falls h² g further than the one before it; after, nothing moves.
        for pair in falls[..stop].windows(2) {
            assert!((pair[1] - pair[0] - 0.005 * 0.005 * 9.81).abs() < 1e-9);
        }
        assert!(falls[stop..].iter().all(|fall| fall.abs() < 1e-9));
        // h² g k (k + 1)/2 passes 30 cm at k = 49; from the height after that step none falls on.
        assert_eq!(stop + 1, 49, "{}", ball.name);
    }
}

#[test]
fn newton_points_and_iterations_are_of_the_papers_order_where_boxes_are_not_crowded() {
    let finding = run("todorov-table1");
    let rows = &finding.tables[0].rows;
    assert_eq!(rows.len(), 12);
    let number = |row: &[String], column: usize| row[column].parse::<f64>().unwrap();
    for row in rows {
        assert!((1.0..=50.0).contains(&number(row, 3)), "iterations");
        assert!((30.0..=100.0).contains(&number(row, 5)), "Newton points");
    }
    for row in &rows[..8] {
        let ratio = number(row, 3) / number(row, 4);
        assert!((0.5..=2.0).contains(&ratio), "{}: {ratio}", row[0]);
    }
}
