//! Controls from the command line, and their appearance in CSV, recordings, plots and resumed runs.

mod support;

use support::{Folder, json, linkwork, stderr, stdout};

/// A sledge of 2 kg on a rail with a motor of gear 3 and bounded control, and a wheel with a servo.
const MODEL: &str = "<mujoco><option gravity='0 0 0'/><worldbody>\
    <body name='sledge'><joint name='rail' type='slide' axis='1 0 0'/><geom size='.1' mass='2'/></body>\
    <body name='wheel' pos='0 1 0'><joint name='axle' axis='0 0 1'/><geom type='cylinder' size='.1 .1' mass='2'/></body>\
    </worldbody><actuator><motor name='push' joint='rail' gear='3' ctrllimited='true' ctrlrange='-5 5'/>\
    <position name='turn-it' joint='axle' kp='100' kv='10'/></actuator>\
    <sensor><jointpos name='where' joint='rail'/><jointvel name='how_fast' joint='rail'/>\
    <actuatorfrc name='pushing' actuator='push'/><framepos name='at' objtype='body' objname='sledge'/></sensor>\
    <keyframe><key name='half' qpos='.5 0' ctrl='1 .25'/></keyframe></mujoco>";

struct Table(Vec<Vec<String>>);

impl Table {
    fn of(file: &str) -> Self {
        let text = std::fs::read_to_string(file).unwrap();
        let row = |l: &str| l.split(',').map(str::to_owned).collect();
        Self(text.lines().map(row).collect())
    }

    fn column(&self, head: &str) -> Vec<f64> {
        let column = self.0[0].iter().position(|h| h == head);
        let column = column.unwrap_or_else(|| panic!("no {head}: {:?}", self.0[0]));
        self.0[1..]
            .iter()
            .map(|r| r[column].parse().unwrap())
            .collect()
    }

    fn last(&self, head: &str) -> f64 {
        *self.column(head).last().unwrap()
    }
}

fn model(folder: &Folder) -> String {
    let file = folder.file("model.xml");
    std::fs::write(&file, MODEL).unwrap();
    file
}

/// Run for half a second with these options; the trajectory.
fn run(folder: &Folder, options: &[&str]) -> Table {
    let (file, csv) = (model(folder), folder.file("run.csv"));
    let fixed = ["run", &file, "--time", "0.5", "--out", &csv];
    let output = linkwork(&[&fixed, options].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    Table::of(&csv)
}

fn refused(options: &[&str], reason: &str) {
    let folder = Folder::new();
    let file = model(&folder);
    let output = linkwork(&[&["run", &file, "--time", "0.01"], options].concat());
    assert_eq!(output.status.code(), Some(2), "{options:?}");
    let said = stderr(&output);
    assert!(said.contains(reason), "{options:?}: {said}");
}

/// ½ a t² with a = gear · control / mass.
#[test]
fn a_constant_control_is_a_constant_force() {
    let folder = Folder::new();
    let table = run(&folder, &["--ctrl", "push=2", "--ctrl", "turn-it=0.3"]);
    let expected = 0.5 * (3.0 * 2.0 / 2.0) * 0.25;
    let found = table.last("sensor where (m)");
    assert!((found - expected).abs() < 1e-3 * expected, "{found}");
    assert!((table.last("sensor how_fast (m/s)") - 1.5).abs() < 1e-3);
    assert_eq!(table.last("control push"), 2.0);
    assert_eq!(table.last("sensor pushing (N)"), 2.0);
    assert!((table.last("sensor at.x (m)") - found).abs() < 1e-12);
    assert!(
        table.column("control push")[0].is_nan(),
        "no step was taken yet"
    );
    // The force of a motor, gear included, is no drive effort.
    let efforts = "rail.z.effort,rail.z.applied_effort";
    let forces = run(&folder, &["--ctrl", "push=2", "--columns", efforts]);
    assert_eq!(forces.last("rail.z.effort (N)"), 0.0);
    assert_eq!(forces.last("rail.z.applied_effort (N)"), 6.0);
    let cut = run(&folder, &["--ctrl", "push=50"]);
    assert_eq!(cut.last("control push"), 5.0, "clamped to its range");
    let stored = run(&folder, &["--key", "half", "--ctrl", "push=0"]);
    assert_eq!(
        stored.last("control turn-it"),
        0.25,
        "that of the stored state"
    );
    assert!((stored.last("sensor where (m)") - 0.5).abs() < 1e-12);
}

#[test]
fn a_table_is_followed_on_straight_lines_or_in_steps() {
    let folder = Folder::new();
    let controls = folder.file("controls.csv");
    std::fs::write(&controls, "time,push\n0,0\n0.5,4\n").unwrap();
    let table = run(&folder, &["--ctrl-table", &controls]);
    // a = 12 t, so v = 6 t².
    assert!((table.last("sensor how_fast (m/s)") - 1.5).abs() < 5e-3);
    let held = run(&folder, &["--ctrl-table", &controls, "--ctrl-hold"]);
    assert_eq!(held.last("sensor how_fast (m/s)"), 0.0);
    // A trajectory can be a table again.
    std::fs::write(&controls, "time (s),control push\n0,0\n0.5,4\n").unwrap();
    let again = run(&folder, &["--ctrl-table", &controls]);
    let head = "sensor how_fast (m/s)";
    assert_eq!(again.last(head), table.last(head));
}

/// A spring and damper by script: x = e^(−ζωt)(…) with ω = 10 rad/s, from 0.5 m.
#[test]
fn a_script_closes_a_loop_over_sensors() {
    let folder = Folder::new();
    let script = folder.file("spring.txt");
    let text = "# a spring of 200 N/m and a damper on 2 kg\nlet gear = 3\n\
                push = (-200 * where - 8 * rail.x.rate) / gear  # N\n\"turn-it\" = 0.1 * sin(2 * pi * t)\n";
    std::fs::write(&script, text.replace("rail.x.rate", "how_fast")).unwrap();
    // Its force would be cut at 5: start close by.
    let near = MODEL.replace("qpos='.5 0'", "qpos='.05 0'");
    let (file, csv) = (folder.file("near.xml"), folder.file("run.csv"));
    std::fs::write(&file, near).unwrap();
    let (dt, key) = ("0.0001", "half");
    let args = [
        "run", &file, "--time", "0.5", "--out", &csv, "--script", &script,
    ];
    let output = linkwork(&[&args[..], &["--dt", dt, "--key", key]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let table = Table::of(&csv);
    let (w, z) = (10.0_f64, 0.2_f64);
    let (d, t) = (w * (1.0 - z * z).sqrt(), 0.5);
    let exact = 0.05 * (-z * w * t).exp() * ((d * t).cos() + z * w / d * (d * t).sin());
    let found = table.last("sensor where (m)");
    assert!((found - exact).abs() < 2e-5, "{found} {exact}");
    let turned = table.column("control turn-it");
    let half = turned.len() / 4;
    let expected = 0.1 * (2.0 * std::f64::consts::PI * 1e-4 * (half - 1) as f64).sin();
    assert!((turned[half] - expected).abs() < 1e-9);
}

#[test]
fn wrong_names_and_lines_are_refused_with_what_to_write() {
    refused(&["--ctrl", "pusch=1"], "did you mean 'push'?");
    refused(&["--ctrl", "push"], "name=value");
    refused(
        &["--ctrl", "push=1", "--ctrl", "push=2"],
        "set twice by --ctrl",
    );
    refused(&["--ctrl-table", "/nowhere.csv"], "cannot read");
    refused(&["--ctrl-hold"], "--ctrl-table");
    let folder = Folder::new();
    let cases = [
        (
            "push = 1\npush = 2\n",
            "line 2: actuator 'push' is set twice",
        ),
        ("pull = 1\n", "line 1: there is no actuator 'pull'"),
        ("push = wher\n", "did you mean 'where'?"),
        ("push = pushing\n", "known only after the step"),
        ("push = (1\n", "line 1: a ')' is missing"),
        ("turn-it = 1\n", "quote names"),
        ("push 1\n", "NAME = EXPRESSION"),
        ("let x = y\n", "line 1: there is no 'y'"),
        ("push = turn-it\n", "quote names with '-'"),
    ];
    for (text, reason) in cases {
        let script = folder.file("script.txt");
        std::fs::write(&script, text).unwrap();
        refused(&["--script", &script], reason);
    }
    let script = folder.file("script.txt");
    std::fs::write(&script, "push = 1").unwrap();
    refused(
        &["--script", &script, "--ctrl", "push=1"],
        "by --ctrl and by --script",
    );
    let scene = linkwork(&["run", "fourbar_fixed", "--ctrl", "A=1"]);
    assert_eq!(scene.status.code(), Some(2));
    assert!(stderr(&scene).contains("--ctrl is for model files"));
    // 1/0 is no control.
    std::fs::write(&script, "push = 1 / (t > 0.004) ").unwrap();
    let file = model(&folder);
    let run = linkwork(&["run", &file, "--time", "0.01", "--script", &script]);
    assert_eq!(run.status.code(), Some(1));
    let told = stderr(&run);
    for part in ["script, line 1: 'push' is inf at 0", "joint 'rail' is NaN"] {
        assert!(told.contains(part), "{told}");
    }
    // Values are not converted, so other units than SI are refused.
    let table = folder.file("controls.csv");
    std::fs::write(&table, "time (ms),push\n0,0\n500,4\n").unwrap();
    refused(&["--ctrl-table", &table], "times must be in s");
    std::fs::write(&table, "time,turn-it (deg)\n0,0\n1,4\n").unwrap();
    refused(&["--ctrl-table", &table], "is in deg");
}

/// The control inputs of a run are in its recording: it continues with the same bits, and its controls and sensors can
/// be plotted.
#[test]
fn recordings_have_controls_and_sensors_and_what_set_them() {
    let folder = Folder::new();
    let (file, script) = (model(&folder), folder.file("script.txt"));
    std::fs::write(&script, "push = cos(5 * t) - where").unwrap();
    let controls = folder.file("controls.csv");
    std::fs::write(&controls, "time,turn-it\n0,0\n1,1\n").unwrap();
    let (whole, part) = (folder.file("whole.lwrec"), folder.file("part.lwrec"));
    let drive = ["--script", &script, "--ctrl-table", &controls];
    let csv = folder.file("run.csv");
    let all = [
        "run", &file, "--time", "0.4", "--record", &whole, "--out", &csv,
    ];
    let all = json(&[&all[..], &drive].concat());
    json(
        &[
            &["run", &file, "--time", "0.2", "--record", &part][..],
            &drive,
        ]
        .concat(),
    );
    let on = json(&["resume", &part, "--time", "0.2"]);
    assert_eq!(on["state_hash"], all["state_hash"]);

    let names = stdout(&linkwork(&["record", "quantities", &whole]));
    for name in [
        "control push",
        "sensor where",
        "sensor at.z",
        "sledge.contact_force",
    ] {
        assert!(
            names.lines().any(|l| l.starts_with(name)),
            "{name}: {names}"
        );
    }
    // The same columns and numbers as the run wrote itself.
    let again = stdout(&linkwork(&["record", "csv", &whole]));
    assert_eq!(again, std::fs::read_to_string(&csv).unwrap());
    let chosen = stdout(&linkwork(&[
        "record",
        "csv",
        &whole,
        "--y",
        "where,control push",
    ]));
    assert!(
        chosen.starts_with("time (s),sensor where (m),control push\n"),
        "{chosen}"
    );
    let plot = folder.file("plot.svg");
    let drawn = linkwork(&["plot", &whole, "--y", "where,push,pushing", "--out", &plot]);
    assert!(drawn.status.success(), "{}", stderr(&drawn));
    let svg = std::fs::read_to_string(&plot).unwrap();
    assert!(svg.contains("sensor where") && svg.contains("control push"));
    let unknown = linkwork(&["plot", &whole, "--y", "wehre", "--out", &plot]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("where"), "{}", stderr(&unknown));
}

#[test]
fn check_lists_actuators_sensors_and_stored_states() {
    let folder = Folder::new();
    let file = model(&folder);
    let text = stdout(&linkwork(&["check", &file]));
    assert!(
        text.contains("2 actuators, 4 sensors, 1 stored state"),
        "{text}"
    );
    assert!(
        text.contains("motor               push, control -5 to 5"),
        "{text}"
    );
    assert!(text.contains("servo               turn-it"), "{text}");
    assert!(
        text.contains("sensor              at .x .y .z, m"),
        "{text}"
    );
    assert!(text.contains("stored state        half"), "{text}");
    let check = json(&["check", &file]);
    assert_eq!(check["actuators"][0]["name"], "push");
    assert_eq!(check["sensors"][3]["components"][2], "z");
    assert_eq!(check["keyframes"][0], "half");
}

/// A URDF has no actuators: every joint of one coordinate gets a motor once it is to be driven.
#[test]
fn joints_of_a_urdf_are_driven_by_their_names() {
    let folder = Folder::new();
    let file = folder.file("wheel.urdf");
    let text = r#"<robot name="wheel"><link name="base"/><link name="disc"><inertial><mass value="1"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="axle" type="continuous"><parent link="base"/><child link="disc"/><axis xyz="0 0 1"/></joint></robot>"#;
    std::fs::write(&file, text).unwrap();
    let csv = folder.file("run.csv");
    let run = [
        "run", &file, "--time", "1", "--ctrl", "axle=2", "--out", &csv,
    ];
    let output = linkwork(&run);
    assert!(output.status.success(), "{}", stderr(&output));
    // ½ (τ/I) t² with τ = 2 N m, I = 0.2 kg m².
    let angle = Table::of(&csv).last("axle.angle (rad)");
    assert!((angle - 5.0).abs() < 1e-2, "{angle}");
}

/// A mocap body gets its pose by name: constant, from a table, and from a script.
#[test]
fn targets_of_mocap_bodies_are_told_like_controls() {
    let folder = Folder::new();
    let (file, csv) = (folder.file("hand.xml"), folder.file("hand.csv"));
    let text = "<mujoco><worldbody><body name='hand' mocap='true' pos='0 0 1'><site name='s'/></body></worldbody>\
        <sensor><framepos name='at' objtype='site' objname='s'/></sensor></mujoco>";
    std::fs::write(&file, text).unwrap();
    let table = folder.file("way.csv");
    std::fs::write(&table, "time,hand:z\n0,1\n1,3\n").unwrap();
    let script = folder.file("way.txt");
    std::fs::write(&script, "\"hand:y\" = 2 * t\n").unwrap();
    let fixed = [
        "run", &file, "--time", "0.5", "--dt", "0.001", "--out", &csv,
    ];
    let told = [
        "--ctrl",
        "hand:x=0.25",
        "--ctrl-table",
        &table,
        "--script",
        &script,
    ];
    let output = linkwork(&[&fixed[..], &told[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let rows = Table::of(&csv);
    // Targets of the start of a step are reached at its end.
    for (axis, expected) in [("x", 0.25), ("y", 2.0 * 0.499), ("z", 1.0 + 2.0 * 0.499)] {
        let at = rows.last(&format!("sensor at.{axis} (m)"));
        assert!((at - expected).abs() < 1e-9, "{axis}: {at}");
    }
}
