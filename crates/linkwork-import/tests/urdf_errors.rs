//! Errors in a URDF are reported with position and remedy.

mod common;

use common::work::in_proportion;
use common::{Folder, import};
use linkwork_import::{Fault, ImportError, Options, load};

const A: &str = r#"<link name="a"/>"#;
const B: &str = r#"<link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"#;

fn refused(inner: &str) -> ImportError {
    let text = format!("<robot name=\"r\">\n{inner}</robot>");
    match import("r.urdf", &text, &Options::default()) {
        Err(e) => e,
        Ok(_) => panic!("accepted: {inner}"),
    }
}

fn joint(kind: &str, inner: &str) -> String {
    format!(
        r#"{A}{B}<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{inner}</joint>"#
    )
}

fn with_inertial(mass: &str, moments: [&str; 3]) -> String {
    let [x, y, z] = moments;
    format!(
        r#"{A}<link name="b"><inertial><mass value="{mass}"/><inertia ixx="{x}" iyy="{y}"
        izz="{z}" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>"#
    )
}

#[test]
fn faults_are_told_apart_and_have_remedies() {
    let mesh = |uri: &str| {
        let shape =
            format!(r#"<collision><geometry><mesh filename="{uri}"/></geometry></collision>"#);
        format!(r#"<link name="a">{shape}</link>"#)
    };
    let shape = |form: &str| {
        format!(r#"<link name="a"><collision><geometry>{form}</geometry></collision></link>"#)
    };
    let two = |extra: &str| joint("continuous", "") + extra;
    let back = r#"<joint name="k" type="continuous"><parent link="b"/><child link="a"/></joint>"#;
    let cases = [
        (joint("revolute", ""), Fault::Missing, "make it continuous"),
        (joint("prismatic", ""), Fault::Missing, "add <limit"),
        (
            joint("revolut", ""),
            Fault::BadValue,
            "did you mean 'revolute'",
        ),
        (
            joint("continuous", r#"<axis xyz="0 0 0"/>"#),
            Fault::BadValue,
            "not zero",
        ),
        (
            joint("continuous", r#"<axis xyz="0 0"/>"#),
            Fault::BadValue,
            "3 number",
        ),
        (
            joint("continuous", r#"<axis xyz="0 NaN 1"/>"#),
            Fault::BadValue,
            "numbers",
        ),
        (
            joint("revolute", r#"<limit lower="2" upper="1"/>"#),
            Fault::BadValue,
            "exchange",
        ),
        (
            joint("revolute", r#"<limit lower="0" upper="1" effort="-1"/>"#),
            Fault::BadValue,
            "zero",
        ),
        (
            joint("continuous", r#"<dynamics damping="-1"/>"#),
            Fault::BadValue,
            "zero",
        ),
        (
            joint("continuous", r#"<mimic joint="x"/>"#),
            Fault::Unresolved,
            "did you mean",
        ),
        (
            joint("continuous", r#"<mimic joint="j"/>"#),
            Fault::Cycle,
            "cycle",
        ),
        (
            joint("continuous", r#"<origin xyz="1 2"/>"#),
            Fault::BadValue,
            "3 number",
        ),
        (two(r#"<link name="b"/>"#), Fault::Duplicate, "unique name"),
        (
            two(r#"<link name="c"/>"#),
            Fault::Mechanism,
            "join all but one",
        ),
        (two(back), Fault::Cycle, "remove the joint"),
        (
            two(&back.replace("\"a\"", "\"zebra\"")),
            Fault::Unresolved,
            "link",
        ),
        (String::new(), Fault::Missing, "add <link"),
        (r#"<link/>"#.to_owned(), Fault::Missing, "name"),
        (
            with_inertial("-1", ["1", "1", "1"]),
            Fault::BadValue,
            "zero or a positive",
        ),
        (
            with_inertial("1", ["0", "0", "0"]),
            Fault::Mechanism,
            "shape",
        ),
        (
            with_inertial("1", ["1", "1", "3"]),
            Fault::Mechanism,
            "units",
        ),
        (
            with_inertial("1", ["1", "1", "-1"]),
            Fault::Mechanism,
            "shape",
        ),
        (mesh("no.stl"), Fault::Unreadable, "--assets"),
        (mesh("../up.stl"), Fault::Escape, "wider root"),
        (mesh("/etc/passwd"), Fault::Escape, "wider root"),
        (mesh("package://p/no.stl"), Fault::Unreadable, "--package"),
        (mesh("http://x.org/a.stl"), Fault::Unsupported, "download"),
        (shape("<box size=\"1 0 1\"/>"), Fault::BadValue, "positive"),
        (
            shape("<shpere radius=\"1\"/>"),
            Fault::Unsupported,
            "did you mean",
        ),
        (shape(""), Fault::Missing, "box"),
    ];
    for (text, fault, remedy) in cases {
        let e = refused(&text);
        assert_eq!(e.fault, fault, "{text}: {e}");
        assert!(e.remedy.contains(remedy), "{text}: {e}");
    }
}

#[test]
fn an_impossible_inertia_is_told_at_its_link() {
    let e = refused(&with_inertial("1", ["1", "1", "3"]));
    assert_eq!(&*e.place.element, "robot 'r'/link 'b'");
    assert!(e.place.line > 0 && e.what.contains("triangle"), "{e}");
}

#[test]
fn two_parents_have_a_remedy() {
    let twice = r#"<joint name="k" type="continuous"><parent link="a"/><child link="b"/></joint>"#;
    let e = refused(&(joint("continuous", "") + twice));
    assert!(
        e.what.contains("two joints") && e.remedy.contains("loops.yaml"),
        "{e}"
    );
}

#[test]
fn a_circle_beside_the_root_is_found() {
    let ring = r#"<link name="c"/><link name="d"/>
        <joint name="k" type="fixed"><parent link="c"/><child link="d"/></joint>
        <joint name="l" type="fixed"><parent link="d"/><child link="c"/></joint>"#;
    let e = refused(&(joint("continuous", "") + ring));
    assert_eq!(e.fault, Fault::Cycle);
    assert!(e.what.contains("'c'"), "{e}");
}

#[test]
fn packages_are_found_given_or_missed() {
    let folder = Folder::new();
    let cube = "solid c\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
        endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 0 0 1\n\
        endloop\nendfacet\nendsolid c\n";
    folder.write("bot/meshes/m.stl", cube);
    let text = r#"<robot name="r"><link name="a"><collision><geometry>
        <mesh filename="package://bot/meshes/m.stl" scale="1 1 -2"/></geometry></collision></link></robot>"#;
    let beside = folder.write("r.urdf", text);
    let found = load(&beside, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found.model.shapes().len(), 1);
    let other = text.replace("package://bot", "package://other");
    let named = folder.write("s.urdf", &other);
    assert_eq!(
        load(&named, &Options::default()).err().unwrap().fault,
        Fault::Unreadable
    );
    let options =
        Options::with(|s| s.packages = vec![("other".to_owned(), folder.path().join("bot"))]);
    load(&named, &options).unwrap_or_else(|e| panic!("{e}"));
    // Below the file's folder only the end of the path matches, which causes a notice.
    let inside = folder.write("bot/urdf/r.urdf", &other);
    let options = Options::with(|s| s.assets = Some(folder.path().to_owned()));
    let guessed = load(&inside, &options).unwrap_or_else(|e| panic!("{e}"));
    assert!(common::told(&guessed, "is taken to be"));
    // A picture that is missing does not stop anything.
    let picture = text
        .replace("collision>", "visual>")
        .replace("m.stl", "n.stl");
    let seen = load(&folder.write("p.urdf", picture), &Options::default()).unwrap();
    assert!(common::told(&seen, "not shown"));
}

#[test]
fn large_files_take_work_in_proportion() {
    in_proportion("links", 2_500, load_chain);
}

fn load_chain(n: usize) {
    let links: String = (0..n).map(|i| format!("<link name=\"l{i}\"/>")).collect();
    let joints: String = (1..n)
        .map(|i| {
            let parent = i - 1;
            format!(
                "<joint name=\"j{i}\" type=\"fixed\"><parent link=\"l{parent}\"/>\
                 <child link=\"l{i}\"/></joint>"
            )
        })
        .collect();
    let text = format!("<robot name=\"r\">{links}{joints}</robot>");
    let read = import("r.urdf", &text, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(read.counts.links, n);
}
