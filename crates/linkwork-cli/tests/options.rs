//! Options of the command: options without effect are refused, names are suggested, help and completions are complete.

mod support;

use support::{Folder, json, linkwork, stderr, stdout};

fn refused(args: &[&str], reasons: &[&str]) {
    let output = linkwork(args);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    for reason in reasons {
        assert!(said.contains(reason), "{args:?}: {said}");
    }
}

fn example() -> String {
    let folder = env!("CARGO_MANIFEST_DIR");
    format!("{folder}/../../examples/fourbar_slider.linkwork.toml")
}

#[test]
fn options_without_effect_are_refused() {
    refused(
        &["run", "pendulum", "--soft"],
        &["--soft is for model files"],
    );
    refused(
        &["run", "pendulum", "--key", "home"],
        &["--key is for model files"],
    );
    refused(&["run", "pendulum", "--speed", "2"], &["--speed", "--view"]);
    refused(&["run", "pendulum", "--paused"], &["--paused", "--view"]);
    refused(
        &["run", &example(), "--floating"],
        &["--floating is for URDF"],
    );
    refused(&["run", &example(), "--soft"], &["--soft is for MJCF"]);
    for option in [
        &["--package", "a=b"][..],
        &["--decompose"],
        &["--no-visuals"],
    ] {
        let file = example();
        let args = [&["check", &file], option].concat();
        refused(&args, &[option[0], "SDF files"]);
    }
    refused(
        &["run", "pendulum", "--reduced"],
        &["--reduced has no effect with solver condensed"],
    );
    refused(
        &["run", "pendulum", "--solver", "sap", "--operator", "dense"],
        &["--operator has no effect with solver sap"],
    );
    refused(
        &["run", &example(), "--set", "n=3"],
        &["--set is for built-in scenes"],
    );
    refused(&["run", "pendulum", "--record-every", "2"], &["--record"]);
    let folder = Folder::new();
    let recording = folder.file("run.lwrec");
    json(&["run", "pendulum", "--time", "0.01", "--record", &recording]);
    let html = folder.file("a.html");
    for option in [
        ["--dt", "0.1"],
        ["--set", "n=1"],
        ["--ctrl", "a=1"],
        ["--key", "home"],
    ] {
        let args = [&["export", &recording, "--html", &html], &option[..]].concat();
        refused(&args, &[option[0], "cannot be changed"]);
    }
    refused(
        &["view", &recording, "--speed", "2"],
        &["--speed is for simulations"],
    );
}

#[test]
fn near_names_are_suggested_and_wrong_endings_refused() {
    refused(&["run", "slider_crnk"], &["did you mean 'slider_crank'?"]);
    refused(&["check", "pendulm"], &["did you mean 'pendulum'?"]);
    let cases = [
        ("--out", "a.txt", ".csv"),
        ("--record", "a.csv", ".lwrec or .mcap"),
        ("--checkpoint", "a.lwrec", ".lwchk"),
        ("--replay", "a.json", ".lwrec"),
    ];
    for (option, name, ending) in cases {
        refused(&["run", "pendulum", option, name], &[option, ending]);
    }
    refused(
        &["shot", "pendulum", "--at", "1", "--out", "a.jpg"],
        &[".png"],
    );
    refused(&["export", "pendulum", "--html", "a.pdf"], &[".html"]);
    // Told before work is done for a file that cannot be written.
    for (option, name) in [("--checkpoint", "a.lwchk"), ("--replay", "a.lwrec")] {
        let file = format!("/nowhere/{name}");
        refused(
            &["run", "pendulum", option, &file],
            &["there is no folder '/nowhere'"],
        );
    }
    refused(
        &["run", "pendulum", "--set", "lenght=1"],
        &["did you mean 'length'?"],
    );
    for command in ["run", "solve"] {
        refused(
            &[command, "pendulum", "--solver", "condesed"],
            &["--solver", "did you mean 'condensed'?"],
        );
    }
    refused(
        &["bench", "paper", "castro-gras"],
        &["did you mean 'castro-grasp'?"],
    );
    // Without an ending it is taken as it is.
    let output = linkwork(&["run", "pendulum", "--time", "0.01", "--out", "/dev/null"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Settings apply to views as to runs: a page of steps of 10 ms has frames 10 ms apart.
#[test]
fn pages_are_simulated_with_the_settings_asked_for() {
    let folder = Folder::new();
    let html = folder.file("a.html");
    let args = [
        "export", "pendulum", "--time", "0.1", "--fps", "1000", "--dt", "0.01",
    ];
    let output = linkwork(&[&args[..], &["--html", &html]].concat());
    let said = stdout(&output);
    // Without the page there is nothing to test.
    if !output.status.success() {
        assert!(stderr(&output).contains("npm"), "{}", stderr(&output));
        return;
    }
    assert!(said.contains("11 frames"), "{said}");
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("\"dt\":0.01,"));
}

#[test]
fn help_has_headings_and_examples() {
    let help = stdout(&linkwork(&["run", "--help"]));
    let at = |text: &str| {
        help.find(text)
            .unwrap_or_else(|| panic!("no {text}: {help}"))
    };
    let (files, actuators) = (at("\nModel files:"), at("\nActuators of model files:"));
    let (simulation, output) = (at("\nSimulation:"), at("\nOutput:"));
    let (viewing, examples) = (at("\nViewing:"), at("\nExamples:"));
    assert!((files..actuators).contains(&at("--decompose")));
    assert!((actuators..simulation).contains(&at("--ctrl-table")));
    assert!((simulation..output).contains(&at("--tolerance")));
    assert!((output..viewing).contains(&at("--record-every")));
    assert!((viewing..examples).contains(&at("--speed")));
    for command in [
        "view", "export", "shot", "film", "resume", "plot", "solve", "check", "convert", "inverse",
        "replay", "hash", "campaign", "bench",
    ] {
        let help = stdout(&linkwork(&[command, "--help"]));
        assert!(
            help.contains("\nExamples:\n  linkwork "),
            "{command}: {help}"
        );
    }
}

/// Examples are commands that exist, with options that exist.
#[test]
fn completions_and_man_pages_know_every_command() {
    let script = stdout(&linkwork(&["completions", "bash"]));
    for word in ["--ctrl-table", "quantities", "fourbar", "--dump-every"] {
        assert_eq!(script.contains(word), word != "fourbar", "{word}");
    }
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        let output = linkwork(&["completions", shell]);
        assert!(
            output.status.success() && output.stdout.len() > 1000,
            "{shell}"
        );
    }
    refused(&["completions", "cmd"], &["bash"]);
    let folder = Folder::new();
    let pages = folder.file("man1");
    let said = stdout(&linkwork(&["man", &pages]));
    assert!(said.contains("pages"), "{said}");
    let page = std::fs::read_to_string(format!("{pages}/linkwork-run.1")).unwrap();
    assert!(page.contains("ctrl") && page.contains("Examples"));
    assert!(stdout(&linkwork(&["man"])).contains(".TH linkwork 1"));
}

#[test]
fn times_are_written_as_people_write_them() {
    let folder = Folder::new();
    let csv = folder.file("a.csv");
    json(&[
        "run", "pendulum", "--time", "0.3", "--dt", "0.01", "--out", &csv,
    ]);
    let text = std::fs::read_to_string(&csv).unwrap();
    let times: Vec<&str> = text
        .lines()
        .skip(1)
        .filter_map(|l| l.split(',').next())
        .collect();
    assert_eq!(times.len(), 31);
    assert!(times.iter().all(|t| t.len() <= 4), "{times:?}");
    assert_eq!(times[3], "0.03");
}

/// Lengths in mm interpreted as m.
#[test]
fn a_robot_as_tall_as_a_tower_is_doubted() {
    let folder = Folder::new();
    let file = folder.file("tower.xml");
    let of = |scale: f64| {
        let half = 0.25 * scale;
        let text = format!(
            "<mujoco><worldbody><body><joint/><geom type='box' size='{half} {half} {scale}'/></body></worldbody></mujoco>"
        );
        std::fs::write(&file, text).unwrap();
        json(&["check", &file])
    };
    let warned = |check: &serde_json::Value| {
        check["warnings"]
            .to_string()
            .contains("if its lengths are in mm")
    };
    let tower = of(250.0);
    assert!(warned(&tower), "{tower}");
    assert_eq!(tower["size_m"], 500.0);
    assert!(!warned(&of(0.25)));
    let text = stdout(&linkwork(&["check", &file]));
    assert!(text.contains("size                0.5 m"), "{text}");
}

/// Answers of Coulomb's law and of its relaxation are in tables of their own.
#[test]
fn solvers_of_two_laws_are_listed_apart() {
    let folder = Folder::new();
    let problems = folder.file("problems");
    let dump = ["--dump", &problems, "--dump-every", "50"];
    let run = [
        &["run", "box_on_plane", "--set", "speed=2", "--time", "0.2"],
        &dump[..],
    ]
    .concat();
    let output = linkwork(&run);
    assert!(output.status.success(), "{}", stderr(&output));
    let solvers = "condensed-ccp,newton,condensed";
    let text = stdout(&linkwork(&["solve", &problems, "--solver", solvers]));
    let part = |title: &str| {
        text.split(title)
            .nth(1)
            .unwrap_or_else(|| panic!("{text}"))
            .to_owned()
    };
    let coulomb = part("Solvers of Coulomb's law (NCP)");
    let relaxed = part("Solvers of its convex relaxation (CCP)");
    assert!(coulomb.contains("newton") && relaxed.contains("condensed-ccp"));
    assert!(!relaxed.contains("newton"));
    let report = json(&["solve", &problems, "--solver", solvers]);
    let laws: Vec<&str> = report["solvers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["law"].as_str().unwrap())
        .collect();
    assert_eq!(laws, ["ccp", "ncp", "ncp"]);
}

/// Options are listed under their heading, in every viewing command.
#[test]
fn options_of_pictures_stand_under_their_heading() {
    for command in ["shot", "film"] {
        let help = stdout(&linkwork(&[command, "--help"]));
        let at = |text: &str| help.find(text).unwrap_or_else(|| panic!("no {text}"));
        let picture = at("\nPicture:");
        assert!(at("--set <") < at("\nModel files:"), "{help}");
        for option in ["--size <", "--orthographic", "--show <"] {
            assert!(at(option) > picture, "{option}: {help}");
        }
    }
}

/// A box at rest: its contacts carry its weight, without lateral force.
#[test]
fn forces_can_be_columns_of_the_trajectory() {
    let folder = Folder::new();
    let csv = folder.file("forces.csv");
    let columns = "box.contact_x,box.contact_z,energy";
    let run = ["run", "box_on_plane", "--time", "0.05"];
    let out = ["--out", &csv, "--columns", columns];
    let output = linkwork(&[&run[..], &out].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = std::fs::read_to_string(&csv).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("time (s),box.contact_x (N),box.contact_z (N),energy (J)")
    );
    let last: Vec<f64> = lines
        .next_back()
        .unwrap()
        .split(',')
        .map(|x| x.parse().unwrap())
        .collect();
    assert_eq!(last[0], 0.05);
    assert!(
        last[1].abs() < 1e-9 && (last[2] - 9.81).abs() < 1e-9,
        "{last:?}"
    );

    refused(&[&run[..], &["--columns", "energy"]].concat(), &["--out"]);
    let wrong = ["--out", &csv, "--columns", "box.contact_w"];
    refused(
        &[&run[..], &wrong].concat(),
        &["box.contact_w", "box.contact_x"],
    );
}

#[test]
fn times_have_no_digits_of_a_sum() {
    let report = json(&["run", "pendulum", "--time", "0.35", "--dt", "0.01"]);
    assert_eq!(report["sim_time"], 0.35);
}

#[test]
fn films_that_cannot_be_made_are_refused() {
    let folder = Folder::new();
    let film = |out: &str, more: &[&str], reason: &str| {
        let path = folder.file(out);
        refused(
            &[&["film", "pendulum", "--out", &path], more].concat(),
            &[reason],
        );
        assert!(!std::path::Path::new(&path).exists());
    };
    film("a.avi", &[], "must end in .webm");
    film("a.webm", &["--size", "321x200"], "even width");
    film("a.mp4", &["--size", "320x201"], "even width");
    film("a.webm", &["--fps", "1000"], "at most 240");
    film("a.webm", &["--speed", "0"], "positive");
    film("a.webm", &["--from", "2", "--to", "1"], "--from 2");
    film("a.webm", &["--key", "home", "--time", "0.1"], "--key");
}
