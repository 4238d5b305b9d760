//! Performance profiles [Dolan & Moré 2002]: ρ_s(τ) is the share of problems that solver s solves
//! within τ times the time of the fastest solver of that problem.

use super::outcome::Outcome;
use super::summary::Summary;
use crate::args::SolveArgs;
use crate::figure::{COLOURS, FONT, prepare_font};
use plotters::coord::Shift;
use plotters::element::{DashedPathElement, DynElement, IntoDynElement};
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

const SIZE: (u32, u32) = (1100, 640);
const LEGEND_WIDTH: u32 = 260;
/// Dash and gap, pixels, none for a whole line; the next when the colours are used up.
const DASHES: [Option<(u32, u32)>; 4] = [None, Some((9, 4)), Some((2, 4)), Some((18, 8))];

/// A solver's profile.
struct Curve {
    solver: &'static str,
    /// Colour and dash: the same for a solver at any rank.
    style: usize,
    /// Ratios to the fastest of the problems it solves, rising.
    ratios: Vec<f64>,
}

/// Draw the profile of all solvers to `path`.
pub fn draw(
    path: &Path,
    args: &SolveArgs,
    outcomes: &[Outcome],
    summaries: &[Summary],
) -> Result<(), Box<dyn Error>> {
    let problems = summaries.first().map_or(0, |s| s.problems);
    let goal = if args.absolute {
        "N s and m/s"
    } else {
        "of |q|"
    };
    let title = format!(
        "Performance profile: {problems} problems, tolerance {:e} {goal}",
        args.tolerance
    );
    picture(path, &title, &curves(outcomes, summaries), problems)
}

fn picture(
    path: &Path,
    title: &str,
    curves: &[Curve],
    problems: usize,
) -> Result<(), Box<dyn Error>> {
    let ratios = curves.iter().flat_map(|c| &c.ratios);
    let end = 1.3 * ratios.fold(10.0f64, |a, r| a.max(*r));
    prepare_font();
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, legend) = root.split_horizontally(SIZE.0 - LEGEND_WIDTH);
    let mut chart = ChartBuilder::on(&left)
        .caption(title, (FONT, 20))
        .margin(12)
        .x_label_area_size(48)
        .y_label_area_size(60)
        .build_cartesian_2d((1.0..end).log_scale(), 0.0..1.02)?;
    chart
        .configure_mesh()
        .x_desc("τ: time relative to the fastest solver of the problem and its contact law")
        .y_desc("fraction of problems solved within τ")
        .axis_desc_style((FONT, 16))
        .label_style((FONT, 14))
        .x_label_formatter(&|x| crate::table::number(*x))
        .y_label_formatter(&|y| format!("{y:.1}"))
        .y_max_light_lines(1)
        .light_line_style(RGBColor(240, 240, 240))
        .bold_line_style(RGBColor(215, 215, 215))
        .draw()?;
    // The best last, on top.
    for curve in curves.iter().rev() {
        chart.draw_series([stroke(steps(curve, problems, end), curve.style)])?;
    }
    draw_legend(&legend, curves, problems)?;
    root.present()?;
    Ok(())
}

/// Curves of the solvers, the one that solves most first.
fn curves(outcomes: &[Outcome], summaries: &[Summary]) -> Vec<Curve> {
    let solved_time = |o: &Outcome| o.effort.filter(|_| o.solved).map(|e| e.wall_ms);
    let law = |solver: &str| {
        let found = summaries.iter().find(|s| s.solver == solver);
        found.map(|s| s.law)
    };
    // Solvers of the same law only: answers under another law solve another problem.
    let fastest = |problem: &str, of: &'static str| {
        let same = outcomes.iter().filter(|o| o.problem == problem);
        same.filter(|o| law(o.solver) == Some(of))
            .filter_map(solved_time)
            .fold(f64::INFINITY, f64::min)
    };
    let mut curves: Vec<Curve> = summaries
        .iter()
        .enumerate()
        .map(|(style, s)| {
            let mine = outcomes.iter().filter(|o| o.solver == s.solver);
            let mut ratios: Vec<f64> = mine
                .filter_map(|o| solved_time(o).map(|t| t / fastest(&o.problem, s.law)))
                .collect();
            ratios.sort_by(f64::total_cmp);
            Curve {
                solver: s.solver,
                style,
                ratios,
            }
        })
        .collect();
    curves.sort_by_key(|c| std::cmp::Reverse(c.ratios.len()));
    curves
}

/// The corners of the step function ρ(τ) from τ = 1 to `end`.
fn steps(curve: &Curve, problems: usize, end: f64) -> Vec<(f64, f64)> {
    let share = |n: usize| n as f64 / problems.max(1) as f64;
    let wins = curve.ratios.iter().filter(|r| **r <= 1.0).count();
    let mut corners = vec![(1.0, share(wins))];
    for (n, &ratio) in curve.ratios.iter().enumerate().skip(wins) {
        corners.push((ratio, share(n)));
        corners.push((ratio, share(n + 1)));
    }
    corners.push((end, share(curve.ratios.len())));
    corners
}

/// A line in the `k`-th style.
fn stroke<'b, C: Clone + 'static>(
    points: Vec<C>,
    k: usize,
) -> DynElement<'static, SVGBackend<'b>, C> {
    let style = COLOURS[k % COLOURS.len()].stroke_width(2);
    match DASHES[k / COLOURS.len() % DASHES.len()] {
        None => PathElement::new(points, style).into_dyn(),
        Some((dash, gap)) => DashedPathElement::new(points, dash, gap, style).into_dyn(),
    }
}

/// Names with their lines and how many problems they solve, down the side.
fn draw_legend(
    area: &DrawingArea<SVGBackend, Shift>,
    curves: &[Curve],
    problems: usize,
) -> Result<(), Box<dyn Error>> {
    let spacing = (560 / curves.len().max(1) as i32).clamp(12, 26);
    let font = (FONT, (spacing - 6).clamp(9, 15));
    area.draw(&Text::new(
        format!("solved of {problems}"),
        (52, 18),
        (FONT, 15),
    ))?;
    for (k, curve) in curves.iter().enumerate() {
        let y = 50 + spacing * k as i32;
        area.draw(&stroke(vec![(8, y), (44, y)], curve.style))?;
        let text = format!("{:>3}  {}", curve.ratios.len(), curve.solver);
        area.draw(&Text::new(text, (52, y - spacing / 3), font))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_bench::Effort;
    use linkwork_solve::Measures;

    fn outcome(problem: &str, solver: &'static str, wall_ms: f64, solved: bool) -> Outcome {
        Outcome {
            problem: problem.to_owned(),
            solver,
            tolerance: 1e-6,
            claimed: "converged",
            solved,
            effort: Some(Effort {
                residual_scaled: 0.0,
                residual_rel: 0.0,
                residual_unit: 0.0,
                residual_ncp: 0.0,
                measures: Measures {
                    r_dual: 0.0,
                    r_ncp: 0.0,
                    r_nat: 0.0,
                    e_m: 0.0,
                    e_mu: 0.0,
                },
                own_test: None,
                iterations: 1,
                factorizations: 0,
                wall_ms,
            }),
            rows: 3,
            contacts: 1,
            reason: None,
        }
    }

    /// Two problems: `quick` is fastest on the one it solves, `sure` solves both, five times slower.
    #[test]
    fn a_profile_counts_what_is_solved_within_the_ratio() {
        let outcomes = [
            outcome("a", "quick", 2.0, true),
            outcome("a", "sure", 10.0, true),
            outcome("b", "quick", 1.0, false),
            outcome("b", "sure", 30.0, true),
        ];
        let summaries = ["quick", "sure"].map(|s| Summary::named(s, "ncp", &outcomes, false));
        let curves = curves(&outcomes, &summaries);
        let found: Vec<_> = curves.iter().map(|c| (c.solver, &c.ratios[..])).collect();
        assert_eq!(found, [("sure", &[1.0, 5.0][..]), ("quick", &[1.0][..])]);
        // A solver of another law is not compared with these, however fast it is.
        let mut more = outcomes.to_vec();
        more.push(outcome("a", "relaxed", 0.1, true));
        let [quick, sure] = &summaries;
        let relaxed = Summary::named("relaxed", "ccp", &more, false);
        let same = |s: &Summary| Summary::named(s.solver, "ncp", &more, false);
        let three = super::curves(&more, &[same(quick), same(sure), relaxed]);
        assert_eq!(three[0].ratios, [1.0, 5.0]);
        assert!(three.iter().all(|c| c.ratios.contains(&1.0)));
        let corners = [(1.0, 0.5), (5.0, 0.5), (5.0, 1.0), (10.0, 1.0)];
        assert_eq!(steps(&curves[0], 2, 10.0), corners);
        assert_eq!(steps(&curves[1], 2, 10.0), [(1.0, 0.5), (10.0, 0.5)]);
    }

    #[test]
    fn thirty_solvers_have_their_own_lines_and_names() {
        let styles: std::collections::BTreeSet<_> = (0..28)
            .map(|k| (k % COLOURS.len(), k / COLOURS.len() % DASHES.len()))
            .collect();
        assert_eq!(styles.len(), 28);
        let names = "a bb ccc dddd eeeee f-f g-gg hh-h ii-ii long-name-of-a-solver";
        let curves: Vec<Curve> = names
            .split(' ')
            .cycle()
            .take(30)
            .enumerate()
            .map(|(k, solver)| Curve {
                solver,
                style: k,
                ratios: (k..30).map(|i| 1.0 + (i * (k + 3)) as f64).collect(),
            })
            .collect();
        let path = std::env::temp_dir().join(format!("linkwork-{}.svg", std::process::id()));
        picture(&path, "thirty", &curves, 30).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(text.matches("long-name-of-a-solver").count(), 3);
        assert!(text.contains("thirty") && text.contains("</svg>"));
    }
}
