//! Model files on the command line: run, check, fix, convert, record and resume.

mod support;

use serde_json::Value;
use support::{Folder, json, linkwork, stderr, stdout};

fn example() -> String {
    let folder = env!("CARGO_MANIFEST_DIR");
    format!("{folder}/../../examples/fourbar_slider.linkwork.toml")
}

/// The example with its rod pushed out of its pins.
fn open(folder: &Folder) -> String {
    let text = std::fs::read_to_string(example()).unwrap();
    // Frames in each body, which need not meet; the slider's pin is 1 cm further out.
    let exact = text.replace(
        "anchor = [0.9, 0.0, 0.0]\n\n# ---",
        "in_base = { position = [0.2928427124746190, 0.0, 0.0] }\nin_follower = {}\n\n# ---",
    );
    assert_ne!(text, exact);
    let file = folder.file("open.linkwork.toml");
    std::fs::write(&file, exact).unwrap();
    file
}

#[test]
fn a_file_runs_with_its_own_step_and_its_loops_stay_closed() {
    let run = json(&["run", &example(), "--key", "running", "--time", "0.5"]);
    assert_eq!(run["dt"], 0.001);
    assert_eq!(run["scene"], "fourbar_slider.linkwork.toml");
    assert_eq!(run["solves_failed"], 0);
    assert!(run["closure_max_m"].as_f64().unwrap() < 1e-8, "{run}");
    let driven = json(&["run", &example(), "--actuate", "0.5", "--time", "0.5"]);
    assert_ne!(run["state_hash"], driven["state_hash"]);
    let finer = json(&["run", &example(), "--dt", "0.0005", "--time", "0.1"]);
    assert_eq!(finer["steps"], 200);
}

/// A ball at rest on the floor, weighed by touch, and its acceleration.
#[test]
fn sensors_of_the_file_are_columns_of_the_trajectory() {
    let folder = Folder::new();
    let (file, csv) = (folder.file("ball.xml"), folder.file("run.csv"));
    let text = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='ball' pos='0 0 .1'>\
                <freejoint/><geom size='.1' mass='2'/><site name='s' size='.2'/></body></worldbody><sensor>\
                <touch name='weight' site='s'/><accelerometer name='imu' site='s'/><clock name='time'/>\
                </sensor></mujoco>";
    std::fs::write(&file, text).unwrap();
    let run = ["run", &file, "--time", "0.1", "--out", &csv];
    let output = linkwork(&run);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = std::fs::read_to_string(&csv).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(',').collect()).collect();
    let of = |head: &str, line: usize| {
        let column = lines[0].iter().position(|h| *h == head);
        let column = column.unwrap_or_else(|| panic!("no {head}: {:?}", lines[0]));
        lines[line][column].parse::<f64>().unwrap()
    };
    let last = lines.len() - 1;
    assert!(
        of("sensor weight (N)", 1).is_nan(),
        "nothing was solved yet"
    );
    assert!((of("sensor weight (N)", last) - 19.62).abs() < 1e-4);
    assert!((of("sensor imu.z (m/s²)", last) - 9.81).abs() < 1e-4);
    // The column is rounded to 10 digits.
    assert!((of("sensor time (s)", last) - of("time (s)", last)).abs() < 1e-12);
}

/// A pendulum whose motor may give ten times what carries it.
const PENDULUM: &str = r#"<robot name="pendulum">
  <link name="base"/>
  <link name="rod">
    <inertial>
      <origin xyz="0.5 0 0"/><mass value="1"/>
      <inertia ixx="0.01" iyy="0.08" izz="0.08" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="50" velocity="10"/>
  </joint>
</robot>"#;

/// The servo in the place of the motor holds the rod against its weight and leads it by 0.3 rad to either side.
#[test]
fn tracked_motors_follow_a_sine() {
    let folder = Folder::new();
    let (file, csv) = (folder.file("pendulum.urdf"), folder.file("run.csv"));
    std::fs::write(&file, PENDULUM).unwrap();
    let run = ["run", &file, "--track", "0.3", "--time", "5", "--out", &csv];
    let output = linkwork(&run);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = std::fs::read_to_string(&csv).unwrap();
    let mut lines = text.lines();
    let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = heads.iter().position(|h| h.starts_with("rod.z"));
    let column = column.unwrap_or_else(|| panic!("{heads:?}"));
    let heights = lines.map(|l| l.split(',').nth(column).unwrap().parse::<f64>().unwrap());
    let heights: Vec<f64> = heights.collect();
    let highest = heights.iter().copied().fold(f64::MIN, f64::max);
    let lowest = heights.iter().copied().fold(f64::MAX, f64::min);
    // The centre of mass is half a metre out; its weight costs the servo 2 mrad.
    let reach = 0.5 * 0.3f64.sin();
    assert!((highest - reach).abs() < 2e-3, "{highest} for {reach}");
    assert!((lowest + reach).abs() < 2e-3, "{lowest} for -{reach}");
}

#[test]
fn what_does_not_fit_a_file_is_refused() {
    for (args, part) in [
        (vec!["--set", "n=1"], "--set is for built-in scenes"),
        (vec!["--key", "walking"], "choose one of running"),
        (vec!["--actuate", "2"], "between 0 and 1"),
        (
            vec!["--actuate", "1", "--track", "1"],
            "cannot be used with",
        ),
        (vec!["--package", "robot"], "NAME=DIR"),
    ] {
        let output = linkwork(&[vec!["run", &example()], args].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
    let output = linkwork(&["run", "nowhere.linkwork.toml"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let output = linkwork(&["run", "robot.step"]);
    assert!(
        stderr(&output).contains("no known format"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_doctor_finds_one_degree_of_freedom_and_the_redundant_rows() {
    let check = json(&["check", &example()]);
    assert_eq!(check["file"]["links"], 5);
    assert_eq!(check["file"]["closures"], 2);
    // 30 velocities, 33 rows of which a planar mechanism needs 29.
    assert_eq!(check["mobility"]["degrees_of_freedom"], 1);
    assert_eq!(check["mobility"]["rows"], 33);
    assert_eq!(check["mobility"]["redundant_rows"], 4);
    assert_eq!(check["errors"], Value::Array(vec![]));
    let text = stdout(&linkwork(&["check", &example()]));
    assert!(
        text.contains("Loops") && text.contains("open as given"),
        "{text}"
    );
}

#[test]
fn open_loops_are_told_assembled_and_fixed() {
    let folder = Folder::new();
    let file = open(&folder);
    let check = json(&["check", &file]);
    let given = check["assembly"]["given_m"].as_f64().unwrap();
    assert!((given - 0.01).abs() < 1e-6, "{given}");
    assert_eq!(check["assembly"]["worst"], "slider_pin");
    assert!(check["assembly"]["closed"][0].as_f64().unwrap() < 1e-9);
    assert!(!check["assembly"]["moved"].as_array().unwrap().is_empty());
    assert!(!check["warnings"].as_array().unwrap().is_empty());

    let output = linkwork(&["run", &file, "--time", "0.05"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("joints were open by 0.01 m"),
        "{}",
        stderr(&output)
    );

    let output = linkwork(&["check", &file, "--fix"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let fixed = folder.file("open.fixed.linkwork.toml");
    let check = json(&["check", &fixed]);
    assert!(check["assembly"]["given_m"].as_f64().unwrap() < 1e-9);
    assert_eq!(check["assembly"]["moved"], Value::Array(vec![]));
}

#[test]
fn coordinates_outside_their_limits_are_told_moved_and_fixed() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(example()).unwrap();
    let outside = text.replace("limits = { min = -0.6,", "limits = { min = 0.05,");
    assert_ne!(text, outside);
    let file = folder.file("outside.linkwork.toml");
    std::fs::write(&file, outside).unwrap();
    let check = json(&["check", &file]);
    let limited = &check["assembly"]["limited"][0];
    assert_eq!(limited["name"], "slide");
    assert_eq!(limited["still_outside"], 0.0);
    assert!(limited["to"].as_f64().unwrap() > 0.05, "{limited}");
    assert_eq!(check["start"]["limits_violated"], Value::Array(vec![]));
    let warnings = check["warnings"].to_string();
    assert!(
        warnings.contains("slide is moved from 0 to") && !warnings.contains("loops are open"),
        "{warnings}"
    );

    let output = linkwork(&["run", &file, "--time", "0.05"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("limits: slide is moved from 0 to"),
        "{}",
        stderr(&output)
    );

    let output = linkwork(&["check", &file, "--fix"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let fixed = folder.file("outside.fixed.linkwork.toml");
    let check = json(&["check", &fixed]);
    assert_eq!(check["assembly"]["limited"], Value::Array(vec![]));
    assert_eq!(check["assembly"]["moved"], Value::Array(vec![]));
}

#[test]
fn loops_that_cannot_close_are_an_error() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(example()).unwrap();
    // A rod that reaches neither end of its way.
    let short = text.replace(
        "anchor = [0.9, 0.0, 0.0]\n\n# ---",
        "in_base = { position = [3.0, 0.0, 0.0] }\nin_follower = { position = [0, 2, 0] }\n\n# ---",
    );
    let file = folder.file("broken.linkwork.toml");
    std::fs::write(&file, short).unwrap();
    let output = linkwork(&["check", &file, "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let check: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let errors = check["errors"].as_array().unwrap();
    assert!(
        errors[0].as_str().unwrap().contains("cannot be assembled"),
        "{errors:?}"
    );
    let output = linkwork(&["run", &file, "--time", "0.1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("linkwork check"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn odd_inertias_and_overlaps_are_told() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(example()).unwrap();
    let odd = text
        .replace("inertia = [1e-3, 1e-3, 1e-3]", "inertia = [1.0, 1.0, 1.0]")
        .replace("position = [1.3, 0.0, 0.0]", "position = [0.98, 0.0, 0.0]");
    let file = folder.file("odd.linkwork.toml");
    std::fs::write(&file, odd).unwrap();
    let check = json(&["check", &file]);
    let warnings = check["warnings"].to_string();
    assert!(
        warnings.contains("body 'slider': its radius of gyration"),
        "{warnings}"
    );
    assert!(
        warnings.contains("'slider_block' and 'stop' start 0.02 m inside"),
        "{warnings}"
    );
}

#[test]
fn a_converted_file_is_the_same_mechanism() {
    let folder = Folder::new();
    let (toml, jsonf) = (
        folder.file("a.linkwork.toml"),
        folder.file("a.linkwork.json"),
    );
    let run = |file: &str| json(&["run", file, "--key", "running", "--time", "0.1"]);
    for (from, to) in [(&example(), &jsonf), (&jsonf, &toml)] {
        let output = linkwork(&["convert", from, to]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(run(to)["state_hash"], run(&example())["state_hash"]);
    }
    let again = folder.file("b.linkwork.toml");
    assert!(linkwork(&["convert", &toml, &again]).status.success());
    let read = |file: &str| std::fs::read_to_string(file).unwrap();
    assert_eq!(read(&toml), read(&again));
    let output = linkwork(&["convert", &toml, "a.step"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_converted_scene_is_the_same_mechanism() {
    let folder = Folder::new();
    let file = folder.file("stack.linkwork.json");
    let output = linkwork(&["convert", "stack", &file, "--set", "n=3"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let scene = json(&["run", "stack", "--set", "n=3", "--time", "0.05"]);
    let converted = json(&["run", &file, "--time", "0.05"]);
    assert_eq!(scene["state_hash"], converted["state_hash"]);
}

#[test]
fn a_driven_run_of_a_file_is_resumed_without_the_file() {
    let folder = Folder::new();
    let file = folder.file("copy.linkwork.toml");
    std::fs::copy(example(), &file).unwrap();
    let (half, whole) = (folder.file("half.lwrec"), folder.file("whole.lwchk"));
    let driven = |time: &str, what: &str, to: &str| {
        json(&["run", &file, "--actuate", "0.6", "--time", time, what, to])
    };
    driven("0.1", "--record", &half);
    let whole = driven("0.2", "--checkpoint", &whole);
    std::fs::remove_file(&file).unwrap();
    let resumed = json(&["resume", &half, "--time", "0.1"]);
    assert_eq!(resumed["state_hash"], whole["state_hash"]);
}

/// A chain of 200 hinges is too large for singular values; the other results are reported quickly.
#[test]
fn a_check_of_a_long_chain_is_partial() {
    let folder = Folder::new();
    let file = folder.file("chain.xml");
    let body = |i: usize| {
        format!(
            "<body name='b{i}' pos='.1 0 0'><joint axis='0 1 0'/><geom type='capsule' size='.01' \
             fromto='0 0 0 .1 0 0' contype='0' conaffinity='0'/>"
        )
    };
    let bodies: String = (0..200).map(body).collect();
    let text = format!(
        "<mujoco><worldbody>{bodies}{}</worldbody></mujoco>",
        "</body>".repeat(200)
    );
    std::fs::write(&file, text).unwrap();
    let check = json(&["check", &file]);
    assert_eq!(check["bodies"], 200);
    assert_eq!(check["mobility"], Value::Null);
    assert_eq!(check["conditioning"], Value::Null);
    assert_eq!(
        check["first_step_residual"],
        Value::Null,
        "the first step is solved"
    );
    let text = stdout(&linkwork(&["check", &file]));
    assert!(text.contains("too many rows in one mechanism"), "{text}");
}

/// Omitted elements are reported by name, without --notices.
#[test]
fn a_tendon_that_is_left_out_is_told_by_name() {
    let folder = Folder::new();
    let file = folder.file("arm.xml");
    let text = "<mujoco><worldbody><site name='a'/><body><joint name='j'/><geom size='.1'/><site name='b'/>\
                <site name='c' pos='1 0 0'/></body>\
                </worldbody><tendon><spatial name='cord'><site site='b'/><site site='c'/></spatial></tendon>\
                <actuator><motor name='winch' tendon='cord'/></actuator></mujoco>";
    std::fs::write(&file, text).unwrap();
    let run = linkwork(&["run", &file, "--time", "0.01"]);
    let told = stderr(&run);
    assert!(told.contains("tendon 'cord' is left out"), "{told}");
    assert!(told.contains("actuator 'winch' is left out"), "{told}");
}
