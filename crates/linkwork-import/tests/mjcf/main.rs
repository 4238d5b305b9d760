//! Small MJCF models, a feature family a file; numbers from MuJoCo's documentation or from MuJoCo.

mod activation;
mod actuators;
mod adhesion;
mod backlash;
mod bodies;
mod constraints;
mod expansion;
mod fluid;
mod jam;
mod joints;
mod pairs;
mod paths;
mod paths_in_space;
mod pictures;
mod refusals;
mod sensors;
mod shapes;
mod soft_contacts;
mod softness;
mod state;
#[path = "../common/work.rs"]
#[allow(dead_code, reason = "every test program uses its part")]
mod work;

use linkwork_import::{Fault, ImportError, Imported, Options, Severity, load};
use std::path::PathBuf;

/// A scratch folder with files in it; gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("mjcf-{name}"));
        std::fs::create_dir_all(&path).unwrap();
        for (file, text) in files {
            std::fs::write(path.join(file), text).unwrap();
        }
        Self(path)
    }

    fn load(&self, file: &str) -> Result<Imported, ImportError> {
        load(&self.0.join(file), &Options::default())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is overwritten by the next run.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn try_import(name: &str, inside: &str) -> Result<Imported, ImportError> {
    let text = format!("<mujoco>{inside}</mujoco>");
    Folder::new(name, &[("model.xml", &text)]).load("model.xml")
}

/// Import the contents of a `<mujoco>`; `name` is the test's.
fn import(name: &str, inside: &str) -> Imported {
    try_import(name, inside).unwrap_or_else(|e| panic!("{e}"))
}

/// Import with softness honoured, at a step of 1 ms.
fn soft(name: &str, inside: &str) -> Imported {
    let text = format!("<mujoco><option timestep='.001'/>{inside}</mujoco>");
    let folder = Folder::new(name, &[("m.xml", &text)]);
    let options = Options::with(|s| s.soft = true);
    load(&folder.0.join("m.xml"), &options).unwrap_or_else(|e| panic!("{e}"))
}

/// The error of contents that must be refused.
fn refused(name: &str, inside: &str) -> ImportError {
    match try_import(name, inside) {
        Ok(_) => panic!("{name} was not refused"),
        Err(e) => e,
    }
}

/// Whether some notice of this severity contains the text.
fn told(import: &Imported, severity: Severity, text: &str) -> bool {
    let mut all = import.notices.all().iter();
    all.any(|n| n.severity == severity && n.what.contains(text))
}

/// Where a link is in the home pose, m.
fn position(import: &Imported, link: &str) -> [f64; 3] {
    let state = import.model.initial_state();
    let link = import.model.link_named(link).expect("the link is there");
    link.frame.pose(&state).position.into()
}

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
}

/// A body on a hinge `j`, with more inside it.
fn hinged(inside: &str) -> String {
    format!(
        "<worldbody><body name='b'><joint name='j'/><geom size='.1'/>{inside}</body></worldbody>"
    )
}

#[test]
fn an_error_tells_file_line_element_and_what_was_meant() {
    let e = refused("place", "\n<worldbody>\n <geom sise='.1'/></worldbody>");
    assert_eq!(e.fault, Fault::UnknownAttribute);
    assert_eq!(e.place.line, 3);
    assert!(e.place.element.ends_with("worldbody/geom"), "{}", e.place);
    assert!(e.remedy.contains("'size'"), "{}", e.remedy);
}
