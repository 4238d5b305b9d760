//! Closed-loop runs.

mod support;

use linkwork_bench::{
    Quiet, SimulateOptions, Simulation, read_lines, simulate, solvers_named, systems_named,
};
use support::Scratch;

fn options(solvers: &[&str], systems: &[&str], limit_s: f64) -> SimulateOptions {
    let owned = |names: &[&str]| names.iter().map(|&s| s.to_owned()).collect::<Vec<_>>();
    SimulateOptions {
        solvers: solvers_named(&owned(solvers), &[]).expect("solvers"),
        systems: systems_named(&owned(systems)).expect("systems"),
        time_s: 0.3,
        tolerance: 1e-6,
        limit_s,
        deadline: None,
    }
}

#[test]
fn a_good_solver_keeps_a_loop_closed_and_one_that_is_refused_says_why() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    let options = options(
        &["hybrid", "direct"],
        &["boxes_fixed", "fourbar_fixed"],
        60.0,
    );
    let tally = simulate(&folder, &options, &Quiet).unwrap();
    assert_eq!((tally.done, tally.earlier, tally.left), (4, 0, 0));
    let runs: Vec<Simulation> = read_lines(&folder.simulations()).unwrap();
    let of = |solver: &str, system: &str| {
        let mut found = runs.iter();
        found.find(|r| r.solver == solver && r.system == system)
    };
    for system in ["boxes_fixed", "fourbar_fixed"] {
        let run = of("hybrid", system).unwrap();
        assert_eq!((run.steps, run.steps_done, run.failures), (300, 300, 0));
        assert_eq!(run.ended, "");
        assert!(run.closure_max <= 1e-8 && run.residual_max <= 1e-6);
        assert!(run.r_pen_max >= run.closure_max && run.r_pen_max >= run.penetration_max);
        assert!(run.phases_s.iter().sum::<f64>() <= run.wall_s);
        assert!(run.course.len() <= 200 && run.course.len() >= 100);
        assert!(run.course.iter().all(|c| c.1 <= run.r_pen_max));
    }
    // Both solvers give the driven four-bar the same energies.
    let [energies, others] = ["hybrid", "direct"].map(|solver| {
        let run = of(solver, "fourbar_fixed").unwrap();
        assert_eq!(run.ended, "");
        &run.course
    });
    assert_eq!(energies.len(), others.len());
    for (a, b) in energies.iter().zip(others) {
        assert!((a.2 - b.2).abs() <= 1e-6 * a.2.abs(), "{a:?} {b:?}");
    }

    let refused = of("direct", "boxes_fixed").unwrap();
    assert!(refused.ended.starts_with("refused: "), "{}", refused.ended);
    assert!(refused.ended.contains("contacts") && refused.steps_done < refused.steps);
}

#[test]
fn runs_are_not_repeated_but_for_those_that_another_limit_ended() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    let run = |limit_s| {
        let options = options(&["hybrid"], &["nunchuk"], limit_s);
        simulate(&folder, &options, &Quiet).unwrap().done
    };
    assert_eq!((run(1e-9), run(1e-9)), (1, 0));
    let runs: Vec<Simulation> = read_lines(&folder.simulations()).unwrap();
    assert_eq!(
        (runs[0].ended.as_str(), runs[0].steps_done),
        ("time limit of 0.000000001 s", 0)
    );
    assert_eq!((run(60.0), run(60.0), run(30.0)), (1, 0, 0));
}
