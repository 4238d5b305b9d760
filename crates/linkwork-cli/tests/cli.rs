//! The `linkwork` command as its users meet it.

mod support;

use serde_json::Value;
use std::io::Read;
use std::process::{Command, Stdio};
use support::{Folder, json, linkwork, stderr, stdout};

#[test]
fn json_has_every_key_and_its_numbers_are_finite() {
    let run = json(&[
        "run",
        "box_on_plane",
        "--set",
        "height=0.1",
        "--time",
        "0.5",
    ]);
    let texts = ["scene", "solver", "state_hash", "arithmetic"];
    let numbers = "dt tolerance steps sim_time wall_s cpu_s steps_per_s steps_per_cpu_s bodies joints \
        rows contacts_mean contacts_max iterations_mean iterations_max factorizations solves_failed \
        residual_max residual_velocity_max residual_unit_max closure_max_m closure_max_rad \
        penetration_max_m penetration_end_m limit_violation_max energy_start energy_end energy_drift \
        kinetic_end";
    for key in texts {
        assert!(run[key].is_string(), "{key}: {}", run[key]);
    }
    for key in numbers.split_whitespace() {
        assert!(run[key].is_number(), "{key}: {}", run[key]);
    }
    // The box stands on the world, which takes its momentum.
    for key in ["momentum_drift", "angular_momentum_drift"] {
        assert_eq!(run.get(key), Some(&Value::Null), "{key}");
    }
    assert_eq!(run["steps"], 500);
    assert_eq!(run["solves_failed"], 0);
    assert_eq!(run["parameters"]["height"], 0.1);
    assert_eq!(run["warnings"], Value::Array(vec![]));
    // Energy is at the time of the poses at the start and at mid-step afterwards: the first half kick, of a
    // box of 1 kg, is m (g dt)²/8 between them.
    let number = |key: &str| run[key].as_f64().unwrap();
    let between = -(9.81 * number("dt")).powi(2) / 8.0;
    let drift = number("energy_drift") * number("energy_scale");
    assert!((drift - between).abs() < 1e-9, "{drift} {between}");
}

#[test]
fn momentum_is_given_in_free_flight() {
    let run = json(&["run", "box_on_plane", "--set", "height=50", "--time", "1"]);
    assert!(run["momentum_drift"].as_f64().unwrap() < 1e-12);
    assert!(run["angular_momentum_drift"].as_f64().unwrap() < 1e-12);
}

#[test]
fn runs_and_thread_counts_give_the_same_bits() {
    let args = ["run", "box_on_plane", "--set", "speed=2", "--time", "0.5"];
    let first = json(&args);
    let second = json(&args);
    let threads = json(&[&args[..], &["--threads", "2"]].concat());
    assert_eq!(first["state_hash"], second["state_hash"]);
    assert_eq!(first["state_hash"], threads["state_hash"]);
    assert_eq!(threads["threads"], 2);
    let other = json(&["run", "box_on_plane", "--time", "0.5"]);
    assert_ne!(first["state_hash"], other["state_hash"]);
}

/// Two roundings of the same step: another hash, and the same motion.
#[test]
fn plain_arithmetic_can_be_asked_for() {
    let args = ["run", "fourbar_fixed", "--time", "0.2", "--json"];
    let run = |plain: bool| -> Value {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linkwork"));
        if plain {
            command.env("LINKWORK_ARITHMETIC", "plain");
        }
        let output = command.args(args).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (own, plain) = (run(false), run(true));
    assert_eq!(plain["arithmetic"], "plain");
    let kinetic = |run: &Value| run["kinetic_end"].as_f64().unwrap();
    let change = kinetic(&own) / kinetic(&plain) - 1.0;
    assert!(change.abs() < 1e-9, "{change:e}");
    let same = own["state_hash"] == plain["state_hash"];
    assert_eq!(same, own["arithmetic"] == "plain");
}

#[test]
fn options_reach_the_run() {
    let run = json(&[
        "run",
        "box_on_plane",
        "--time",
        "0.1",
        "--dt",
        "0.01",
        "--solver",
        "admm-ccp",
        "--tolerance",
        "1e-6",
        "--max-iterations",
        "77",
        "--policy",
        "hold",
    ]);
    assert_eq!(run["steps"], 10);
    assert_eq!(run["dt"], 0.01);
    assert_eq!(run["solver"], "admm-ccp");
    assert_eq!(run["tolerance"], 1e-6);
    assert_eq!(run["max_iterations"], 77);
    assert_eq!(run["policy"], "hold");
}

#[test]
fn bad_questions_exit_with_2_and_say_why() {
    let box_with = |rest: &[&'static str]| [&["run", "box_on_plane"], rest].concat();
    let cases = [
        (vec!["run", "no_such_scene"], "box_on_plane"),
        (vec!["check", "no_such_scene"], "box_on_plane"),
        (box_with(&["--set", "colour=1"]), "friction"),
        (box_with(&["--set", "friction"]), "name=value"),
        (box_with(&["--set", "friction=slippery"]), "slippery"),
        (box_with(&["--set", "friction=nan"]), "nan"),
        (box_with(&["--set", "friction=-1"]), "[0, 10]"),
        (box_with(&["--dt", "0"]), "positive"),
        (box_with(&["--dt=-1e-3"]), "positive"),
        (box_with(&["--dt", "inf"]), "finite"),
        (box_with(&["--time", "0"]), "positive"),
        (box_with(&["--time", "1e300"]), "shorten --time"),
        (box_with(&["--dt", "1e-300"]), "lengthen --dt"),
        (box_with(&["--dt", "20"]), "longer than the run"),
        (box_with(&["--tolerance", "-1"]), "positive"),
        (box_with(&["--max-iterations", "0"]), "max-iterations"),
        (box_with(&["--threads", "0"]), "threads"),
        (box_with(&["--solver", "oracle"]), "admm-ncp-sa"),
        (box_with(&["--policy", "pray"]), "accept"),
        (
            box_with(&["--time", "1", "--out", "/no/such/folder/t.csv"]),
            "/no/such/folder",
        ),
        (vec!["frobnicate"], "frobnicate"),
    ];
    for (args, reason) in cases {
        let output = linkwork(&args);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(reason), "{args:?}: {message}");
        assert!(!message.contains("panicked"), "{args:?}: {message}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn a_failed_solve_exits_with_1_only_under_policy_error() {
    // No iterate of floating-point numbers has so small a residual.
    let hopeless = [
        "run",
        "box_on_plane",
        "--set",
        "speed=1",
        "--time",
        "0.1",
        "--tolerance",
        "1e-300",
        "--max-iterations",
        "3",
        "--json",
        "--policy",
    ];
    let strict = linkwork(&[&hopeless[..], &["error"]].concat());
    assert_eq!(strict.status.code(), Some(1));
    let message = stderr(&strict);
    assert!(
        message.contains("t = ") && message.contains("tolerance"),
        "{message}"
    );
    // Times have no digits of a sum of steps.
    let time = message
        .split("t = ")
        .nth(1)
        .and_then(|t| t.split(' ').next());
    assert!(time.is_some_and(|t| t.len() < 8), "{message}");
    let report: Value = serde_json::from_str(&stdout(&strict)).expect("one JSON object");
    assert_eq!(report["solves_failed"], 1);
    assert!(report["error"].is_string());

    let accepting = linkwork(&[&hopeless[..], &["accept"]].concat());
    assert_eq!(accepting.status.code(), Some(0));
    let report: Value = serde_json::from_str(&stdout(&accepting)).expect("one JSON object");
    assert!(report["solves_failed"].as_u64().unwrap() > 50);
    assert_eq!(report["warnings"].as_array().map(Vec::len), Some(1));
}

/// An integrator that damps: all solves converge, and the energy is wrong all the same.
#[test]
fn energy_that_is_unaccounted_for_is_told_whatever_the_solves_say() {
    let swing = "run pendulum --time 2 --policy accept --dt 0.01 --integrator";
    let run = |integrator: &str| {
        let args: Vec<&str> = swing.split(' ').chain([integrator]).collect();
        (json(&args), stdout(&linkwork(&args)))
    };
    let (report, text) = run("implicit");
    assert_eq!(report["solves_failed"], 0);
    let drift = report["energy_drift"].as_f64().unwrap().abs();
    assert!(drift > 0.01, "{drift}");
    assert_eq!(report["energy_accounted"], false);
    let warned = |w: &Value| w.as_str().unwrap().contains("unaccounted for");
    assert!(report["warnings"].as_array().unwrap().iter().any(warned));
    assert!(text.contains("do not trust the motion"), "{text}");
    // Not a terminal: no colours.
    assert!(!text.contains('\x1b'), "{text}");

    let (report, text) = run("semi-implicit-euler");
    assert!(report["energy_drift"].as_f64().unwrap().abs() <= 0.01);
    assert_eq!(report["energy_accounted"], true);
    assert!(!text.contains("do not trust"), "{text}");
}

#[test]
fn the_wrong_solver_is_named() {
    let args = [
        "run",
        "box_on_plane",
        "--set",
        "speed=1",
        "--solver",
        "direct",
        "--time",
        "0.1",
    ];
    let output = linkwork(&args);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("direct"), "{}", stderr(&output));
}

#[test]
fn csv_has_a_row_a_step_and_one_for_the_start() {
    let folder = Folder::new();
    let file = folder.file("run.csv");
    let run = json(&[
        "run",
        "box_on_plane",
        "--set",
        "height=0.01",
        "--time",
        "0.2",
        "--out",
        &file,
    ]);
    let text = std::fs::read_to_string(&file).expect("the file is there");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    assert_eq!(header[0], "time (s)");
    assert!(header.contains(&"box.z (m)") && header.contains(&"energy (J)"));
    let rows: Vec<Vec<f64>> = lines
        .map(|l| l.split(',').map(|x| x.parse().expect("a number")).collect())
        .collect();
    assert_eq!(rows.len() as u64, run["steps"].as_u64().unwrap() + 1);
    assert!(rows.iter().all(|r| r.len() == header.len()));
    let energy = header.iter().position(|h| *h == "energy (J)").unwrap();
    assert_eq!(rows[0][energy], run["energy_start"].as_f64().unwrap());
    assert_eq!(rows[200][energy], run["energy_end"].as_f64().unwrap());
    assert!(rows[1..].iter().flatten().all(|x| x.is_finite()));
}

#[test]
fn a_pipe_shows_no_progress_and_may_be_closed() {
    let output = linkwork(&["run", "box_on_plane", "--time", "0.5"]);
    assert!(output.status.success());
    assert_eq!(stderr(&output), "");
    let text = stdout(&output);
    assert!(
        text.contains("all 500 converged") && !text.contains('\x1b'),
        "{text}"
    );

    for args in [
        &["scenes"][..],
        &["solvers"],
        &["run", "box_on_plane", "--time", "0.1"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_linkwork"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        drop(child.stdout.take());
        let mut message = String::new();
        let mut errors = child.stderr.take().expect("piped");
        errors.read_to_string(&mut message).expect("UTF-8");
        assert_eq!(message, "", "{args:?}");
        assert!(child.wait().expect("it ends").success(), "{args:?}");
    }
}

#[test]
fn lists_name_everything() {
    let scenes = stdout(&linkwork(&["scenes"]));
    assert!(scenes.contains("box_on_plane") && scenes.contains("friction coefficient"));
    let solvers = stdout(&linkwork(&["solvers"]));
    assert!(solvers.contains("admm-ncp-sa") && solvers.contains("direct"));
    assert!(json(&["scenes"]).as_array().is_some_and(|a| !a.is_empty()));
    assert!(json(&["solvers"]).as_array().is_some_and(|a| !a.is_empty()));
}

#[test]
fn check_tells_what_there_is() {
    let check = json(&["check", "box_on_plane"]);
    assert_eq!(check["bodies"], 1);
    assert_eq!(check["mass_ratio"], 1.0);
    assert_eq!(check["mobility"]["degrees_of_freedom"], 6);
    assert_eq!(check["start"]["contacts"], 4);
    assert_eq!(check["conditioning"]["rows"], 12);
    assert_eq!(check["conditioning"]["rank"], 6);
    assert_eq!(check["warnings"], Value::Array(vec![]));
    let text = stdout(&linkwork(&["check", "box_on_plane"]));
    assert!(text.contains("degrees of freedom") && text.contains("nothing to warn of"));
}

/// Settings of the method reach the run, and settings without effect are refused.
#[test]
fn options_of_the_method_change_the_run() {
    let run = |more: &[&str]| {
        let mut args = vec!["fourbar_fixed", "--time", "0.2"];
        args.extend(more);
        let args = [&["run"], &args[..]].concat();
        json(&args)
    };
    let closure = |report: &Value| report["closure_max_m"].as_f64().unwrap();
    let closed = closure(&run(&[]));
    let open = closure(&run(&["--closure", "off", "--alpha", "0"]));
    assert!(closed < 1e-10 && open > 1e-6, "{closed} {open}");
    let fed_back = closure(&run(&["--closure", "off", "--alpha", "0.5"]));
    assert!(fed_back < 0.5 * open, "{fed_back} {open}");
    let rough = closure(&run(&["--closure-tolerance", "1e-7"]));
    assert!(rough > closed && rough <= 1e-7, "{rough}");

    let refused = |more: &[&str], remedy: &str| {
        let args = [&["run", "fourbar_fixed"], more].concat();
        let output = linkwork(&args);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(remedy), "{text}");
    };
    refused(&["--alpha", "0.5"], "--closure off");
    refused(
        &["--closure", "off", "--closure-passes", "3"],
        "leave them out",
    );
    refused(&["--gamma", "2"], "stabilization.contacts");

    // One problem, two factorisations: the same motion to round-off, not the same bits.
    let energy = |operator: &str| {
        let report = run(&["--solver", "direct", "--operator", operator]);
        report["energy_end"].as_f64().unwrap()
    };
    let (a, b) = (energy("dense"), energy("body-graph"));
    assert!((a - b).abs() <= 1e-9 * a.abs(), "{a} {b}");
}
