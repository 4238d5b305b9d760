//! Errors in an SDF are reported with position and remedy.

mod common;

use common::work::within;
use common::{Folder, import};
use linkwork_import::{Fault, ImportError, Options, load};

fn refused(text: &str) -> ImportError {
    match import("m.sdf", text, &Options::default()) {
        Err(e) => e,
        Ok(_) => panic!("accepted: {text}"),
    }
}

fn model(inner: &str) -> String {
    format!("<sdf version=\"1.9\"><model name=\"m\">\n{inner}</model></sdf>")
}

/// Two links and a joint between them.
fn joint(kind: &str, inner: &str) -> String {
    let links = "<link name=\"a\"/><link name=\"b\"/>";
    model(&format!(
        "{links}<joint name=\"j\" type=\"{kind}\"><parent>a</parent><child>b</child>{inner}</joint>"
    ))
}

fn shape(form: &str) -> String {
    model(&format!(
        "<link name=\"a\"><collision name=\"c\"><geometry>{form}</geometry></collision></link>"
    ))
}

#[test]
fn faults_are_told_apart_and_have_remedies() {
    let link = |inner: &str| model(&format!("<link name=\"a\">{inner}</link>"));
    let frames = "<frame name=\"f\"><pose relative_to=\"g\"/></frame>\
        <frame name=\"g\"><pose relative_to=\"f\"/></frame>";
    let gear = "<gearbox_ratio>2</gearbox_ratio><gearbox_reference_body>a</gearbox_reference_body>";
    let slanted = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>1 1 0</xyz></axis2>";
    let include = |uri: &str| model(&format!("<include><uri>{uri}</uri></include>"));
    let cases = [
        ("<robot/>".to_owned(), Fault::UnknownElement, "<sdf version"),
        ("<sdf/>".to_owned(), Fault::Missing, "version"),
        (
            "<sdf version=\"1.2\"/>".to_owned(),
            Fault::Unsupported,
            "1.6",
        ),
        (
            "<sdf version=\"2.0\"/>".to_owned(),
            Fault::Unsupported,
            "1.6",
        ),
        (model(""), Fault::Missing, "<link>"),
        (model("<link/>"), Fault::Missing, "name"),
        (
            model("<link name=\"a\"/><link name=\"a\"/>"),
            Fault::Duplicate,
            "names",
        ),
        (
            link("<pose>1 2 3</pose>"),
            Fault::BadValue,
            "roll pitch yaw",
        ),
        (
            link("<pose>1 2 3 0 0 nan</pose>"),
            Fault::BadValue,
            "numbers",
        ),
        (
            link("<pose relative_to=\"x\"/>"),
            Fault::Unresolved,
            "did you mean 'a'",
        ),
        (
            link("<pose relative_to=\"f\"/>").replace("</model>", &format!("{frames}</model>")),
            Fault::Cycle,
            "cycle",
        ),
        (
            link("<inertial><mass>-1</mass></inertial>"),
            Fault::BadValue,
            "positive",
        ),
        (
            link("<inertial auto=\"true\"/>"),
            Fault::Unsupported,
            "mass properties",
        ),
        (
            link("<inertial><inertia><ixx>0</ixx></inertia></inertial>"),
            Fault::Mechanism,
            "shape",
        ),
        (
            joint("revolut", ""),
            Fault::BadValue,
            "did you mean 'revolute'",
        ),
        (
            joint("revolute", "<axis><xyz>0 0 0</xyz></axis>"),
            Fault::BadValue,
            "not zero",
        ),
        (
            joint(
                "revolute",
                "<axis><limit><lower>1</lower><upper>0</upper></limit></axis>",
            ),
            Fault::BadValue,
            "exchange",
        ),
        (
            joint(
                "revolute",
                "<axis><xyz expressed_in=\"q\">0 0 1</xyz></axis>",
            ),
            Fault::Unresolved,
            "did you mean",
        ),
        (
            joint("revolute", "").replace("<parent>a", "<parent>b"),
            Fault::BadValue,
            "two different",
        ),
        (
            joint("revolute", "").replace("<child>b", "<child>world"),
            Fault::Unsupported,
            "its parent",
        ),
        (
            joint("revolute", "").replace("<child>b</child>", ""),
            Fault::Missing,
            "<child>",
        ),
        (joint("universal", slanted), Fault::BadValue, "revolute2"),
        (
            joint("screw", "<thread_pitch>0</thread_pitch>"),
            Fault::BadValue,
            "screw_thread_pitch",
        ),
        (joint("gearbox", ""), Fault::Missing, "gearbox_ratio"),
        (
            joint("gearbox", gear),
            Fault::Mechanism,
            "gearbox_reference_body",
        ),
        (
            shape("<box><size>1 -1 1</size></box>"),
            Fault::BadValue,
            "positive",
        ),
        (shape("<plane/>"), Fault::Unsupported, "static"),
        (shape("<heightmap/>"), Fault::Unsupported, "box"),
        (
            shape("<mesh><uri>../x.stl</uri></mesh>"),
            Fault::Escape,
            "wider root",
        ),
        (
            shape("<mesh><uri>model://p/x.stl</uri></mesh>"),
            Fault::Unreadable,
            "--package",
        ),
        (shape("<mesh/>"), Fault::Missing, "<uri>"),
        (include("model://sun"), Fault::Unreadable, "--package"),
        (
            include("https://fuel.gazebosim.org/x"),
            Fault::Unsupported,
            "download",
        ),
    ];
    for (text, fault, remedy) in cases {
        let e = refused(&text);
        assert_eq!(e.fault, fault, "{text}: {e}");
        assert!(e.remedy.contains(remedy), "{text}: {e}");
        assert!(e.place.line > 0, "{text}: {e}");
    }
}

#[test]
fn files_that_include_themselves_are_refused_in_time() {
    let folder = Folder::new();
    let include = "<include><uri>m.sdf</uri></include>";
    for count in [1, 3] {
        let file = folder.write("m.sdf", model(&include.repeat(count)));
        let read = within(2.0, "a circle", || load(&file, &Options::default()));
        let e = read.err().expect("a circle");
        assert_eq!(e.fault, Fault::Cycle, "{e}");
    }
}

#[test]
fn frames_within_frames_take_no_more_time_than_there_are_frames() {
    // Each model is placed by a frame of the one before; without memory the walk doubles every time.
    let mut inner = "<link name=\"l\"/>".to_owned();
    for i in 0..40 {
        let frames = "<frame name=\"g\"><pose relative_to=\"f\"/></frame><frame name=\"f\"/>";
        inner = format!(
            "<model name=\"m{i}\" placement_frame=\"g\"><pose relative_to=\"e\"/>{inner}{frames}</model>\
            <frame name=\"e\"/><frame name=\"g\"><pose relative_to=\"m{i}::g\"/></frame>"
        );
        inner = format!("<model name=\"n{i}\">{inner}</model>");
    }
    let text = format!("<sdf version=\"1.9\">{inner}</sdf>");
    // 40 doublings would take years.
    let read = within(5.0, "frames", || {
        import("m.sdf", &text, &Options::default())
    });
    assert_eq!(read.unwrap_or_else(|e| panic!("{e}")).counts.links, 1);
}
