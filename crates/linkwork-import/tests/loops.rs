//! Loops of a URDF from its second file.

mod common;

use common::{Folder, models, told};
use linkwork::assemble::{AssembleSettings, Targets, assemble};
use linkwork::math::Vec3;
use linkwork::mobility::mobility;
use linkwork_import::{Fault, ImportError, Imported, Options, load};

/// A square of three moving bars of 1 m; the fourth is part of the world. Its last corner is open.
fn square() -> String {
    let bar = |name: &str| {
        format!(
            r#"<link name="{name}"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.01"
            iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
        )
    };
    let joint = |name: &str, parent: &str, child: &str, x: f64, turn: f64| {
        format!(
            r#"<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>
            <origin xyz="{x} 0 0" rpy="0 0 {turn}"/><axis xyz="0 0 1"/></joint>"#
        )
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    format!(
        r#"<robot name="r">{}{}{}{}{}{}{}</robot>"#,
        bar("base"),
        bar("one"),
        bar("two"),
        bar("three"),
        joint("a", "base", "one", 0.0, quarter),
        joint("b", "one", "two", 1.0, -quarter),
        joint("c", "two", "three", 1.0, -quarter + 0.1)
    )
}

fn with_loops(name: &str, yaml: &str) -> Result<Imported, ImportError> {
    let folder = Folder::new();
    folder.write(name, yaml);
    load(&folder.write("robot.urdf", square()), &Options::default())
}

#[test]
fn closures_close_and_leave_the_freedom_of_a_four_bar() {
    for (kind, redundant) in [("revolute", 3), ("spherical", 1), ("universal", 2)] {
        let yaml = format!(
            "# last corner\nclosures:\n  - name: corner\n    type: {kind}\n    \
             a: {{link: base, xyz: [1, 0, 0]}}\n    b: {{link: three, xyz: [1, 0, 0]}}\n"
        );
        let read = with_loops("robot.loops.yaml", &yaml).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((read.counts.joints, read.counts.closures), (3, 1));
        let model = &read.model;
        let guess = model.initial_state();
        let settings = AssembleSettings::default();
        let closed = assemble(model, &guess, &Targets::none(), &settings).unwrap();
        assert!(closed.residual < 1e-10);
        let report = mobility(model, &closed.state);
        assert_eq!(
            (report.degrees_of_freedom, report.redundant_rows),
            (1, redundant),
            "{kind}"
        );
    }
}

#[test]
fn joints_are_retyped_motors_chosen_and_the_root_freed() {
    let yaml = "joints: {b: spherical, c: universal-zx}\nmotors: [a]\nfloating: true\n";
    let read = with_loops("robot.loops.yaml", yaml).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(read.counts.degrees_of_freedom, 6 + 1 + 3 + 2);
    let motors = &read.model.actuators();
    assert_eq!((motors.len(), motors[0].name.as_str()), (1, "a"));
    // The first axis of the cross is z of the joint frame, fixed in the base.
    let model = &read.model;
    let cross = &model.joints()[2];
    assert_eq!((cross.name.as_str(), cross.kind.name()), ("c", "universal"));
    let z = cross.frame_base.rotation * Vec3::x();
    assert!((z - Vec3::z()).norm() < 1e-15);
}

#[test]
fn the_lists_of_example_parallel_robots_are_read() {
    let yaml = "closed_loop: [['three', 'a']]\ntype: ['3d']\nname_mot: ['a']\n\
                joint_name: ['b', 'nobody']\njoint_type: ['UJOINT_XY', 'SPHERICAL']\n";
    let read = with_loops("robot.yaml", yaml).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        (read.counts.degrees_of_freedom, read.counts.closures),
        (4, 1)
    );
    assert_eq!(read.model.actuators().len(), 1);
    assert!(told(&read, "there is no joint 'nobody'"));
    let closure = read.model.joints().last().unwrap();
    assert_eq!(closure.kind.name(), "spherical");
    // A YAML file of another tool is left alone.
    let other = with_loops("robot.yaml", "frame_id: map\nrates: [1, 2]\n").unwrap();
    assert_eq!(other.counts.closures, 0);
}

#[test]
fn what_is_wrong_with_a_loops_file_is_told_with_its_line() {
    let closure = |text: &str| format!("closures:\n  - {text}\n");
    let cases = [
        (closure("{type: hinge, a: one, b: two}"), Fault::BadValue, 2),
        (closure("{type: fixed, a: one}"), Fault::Missing, 2),
        (
            closure("{type: fixed, a: one, b: nobody}"),
            Fault::Unresolved,
            2,
        ),
        (
            closure("{type: fixed, a: one, b: {xyz: [0, 0, 0]}}"),
            Fault::Missing,
            2,
        ),
        (
            closure("{type: fixed, a: one, b: {link: two, xyz: [0, 0]}}"),
            Fault::BadValue,
            2,
        ),
        (
            "joints:\n  nobody: fixed\n".to_owned(),
            Fault::Unresolved,
            2,
        ),
        ("joints:\n  b: sperical\n".to_owned(), Fault::BadValue, 2),
        ("motors: [nobody]\n".to_owned(), Fault::Unresolved, 1),
        ("closure: []\n".to_owned(), Fault::UnknownAttribute, 1),
        ("floating: perhaps\n".to_owned(), Fault::BadValue, 1),
    ];
    for (yaml, fault, line) in cases {
        let e = with_loops("robot.loops.yaml", &yaml).err().expect(&yaml);
        assert_eq!((e.fault, e.place.line), (fault, line), "{yaml}: {e}");
        assert!(e.place.file.ends_with("robot.loops.yaml"), "{e}");
    }
}

#[test]
fn parallel_robots_assemble_with_the_rank_that_is_known() {
    let Some(models) = models() else { return };
    // Degrees of freedom of the tree, mobility without a floating root, rank and rows of the closures, and the open gap
    // in the home pose (m), as in the manifest.
    let cases = [
        ("epr_robot_delta", false, 14, 5, (9, 18), 3.0e-2),
        ("epr_disney_robot", true, 56, 14, (36, 36), 3.9e-7),
        ("epr_digit_like_2legs", true, 54, 12, (36, 36), 1.9e-1),
    ];
    for (name, floating, freedom, mobile, (rank, rows), gap) in cases {
        let options = Options::with(|s| {
            s.visuals = false;
            s.floating = floating;
        });
        let read = load(&models.join(name).join("robot.urdf"), &options).unwrap();
        assert_eq!(read.counts.degrees_of_freedom, freedom, "{name}");
        let m = &read.model;
        let guess = m.initial_state();
        let closures = m.joints().iter().skip(m.tree().len());
        let open = closures.map(|j| guess.placement(j).relative.as_pose().position.norm());
        let open = open.fold(0.0, f64::max);
        assert!((open / gap - 1.0).abs() < 0.05, "{name}: {open:e}");
        let settings = AssembleSettings::default();
        let closed = assemble(m, &guess, &Targets::none(), &settings).unwrap();
        assert!(closed.residual <= 1e-9, "{name}: {:e}", closed.residual);
        let report = mobility(m, &closed.state);
        let tree = m.tree().iter().map(|j| m.joint(*j).kind.locked().len());
        let tree: usize = tree.sum();
        assert_eq!(
            (report.rank - tree, report.rows - tree),
            (rank, rows),
            "{name}"
        );
        let base = if floating { 6 } else { 0 };
        assert_eq!(report.degrees_of_freedom, mobile + base, "{name}");
    }
}
