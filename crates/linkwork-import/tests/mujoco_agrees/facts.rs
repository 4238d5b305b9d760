//! What MuJoCo makes of the files, and where both come from.

use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is installed; another version may count or weigh otherwise.
const VERSION: &str = "mujoco==4.0.0";

/// What MuJoCo has of a file.
#[derive(Deserialize)]
pub struct Facts {
    pub file: PathBuf,
    pub error: Option<String>,
    #[serde(default)]
    pub deformable: usize,
    #[serde(default)]
    pub mass: f64,
    #[serde(default)]
    pub joints: usize,
    #[serde(default)]
    pub freedoms: usize,
    #[serde(default)]
    pub bodies: Vec<Body>,
    #[serde(default)]
    pub solids: Vec<Solid>,
    #[serde(default)]
    pub hinges: Vec<Hinge>,
    #[serde(default)]
    pub actuators: Vec<Servo>,
    #[serde(default)]
    pub keys: Vec<Key>,
}

#[derive(Deserialize)]
pub struct Body {
    pub name: String,
    pub mass: f64,
    pub position: [f64; 3],
}

#[derive(Deserialize)]
pub struct Solid {
    pub body: usize,
    pub mass: f64,
    pub centre: [f64; 3],
    pub inertia: Vec<f64>,
}

#[derive(Deserialize)]
pub struct Hinge {
    pub name: String,
    pub home: f64,
    pub rest: f64,
    pub stiffness: f64,
    pub damping: f64,
    pub friction: f64,
    pub armature: Option<f64>,
    pub range: Option<[f64; 2]>,
}

#[derive(Deserialize)]
pub struct Servo {
    pub name: String,
    pub gain: f64,
    pub bias: [f64; 3],
}

#[derive(Deserialize)]
pub struct Key {
    pub name: String,
    pub positions: Vec<[f64; 3]>,
    pub velocities: Vec<[f64; 6]>,
}

/// The folder of models, if it is on this machine; else says so.
pub fn models() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let given = std::env::var_os("LINKWORK_DATA").map(PathBuf::from);
    let folders = [given, Some(above), Some("/work/shared/data".into())];
    let mut found = folders.into_iter().flatten().map(|f| f.join("models"));
    let found = found.find(|f| f.join("manifest.csv").is_file());
    if found.is_none() {
        println!("skipped: no folder of models; set LINKWORK_DATA to the one that has models/");
    }
    found?.canonicalize().ok()
}

/// A Python that has MuJoCo, installed once into a scratch environment; else says why not.
pub fn python() -> Option<PathBuf> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mujoco-env");
    let python = scratch.join("bin/python");
    let works = |program: &Path| {
        let run = Command::new(program).args(["-c", "import mujoco"]).output();
        run.is_ok_and(|o| o.status.success())
    };
    if !works(&python) {
        let made = Command::new("python3")
            .args(["-m", "venv"])
            .arg(&scratch)
            .output();
        let pip = Command::new(&python)
            .args(["-m", "pip", "install", "-q", VERSION])
            .output();
        if !(made.is_ok() && pip.is_ok_and(|o| o.status.success()) && works(&python)) {
            println!("skipped: mujoco cannot be installed from PyPI here");
            return None;
        }
    }
    Some(python)
}

pub fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "xml") {
            files.push(path);
        }
    }
}

pub fn facts(python: &Path, files: &[PathBuf]) -> Vec<Facts> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mujoco_facts.py");
    // MuJoCo writes its warnings to a file where it runs.
    let scratch = env!("CARGO_TARGET_TMPDIR");
    let mut command = Command::new(python);
    let run = command
        .arg(script)
        .args(files)
        .current_dir(scratch)
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    // MuJoCo prints warnings before; the facts are the last line.
    let text = String::from_utf8_lossy(&run.stdout);
    serde_json::from_str(text.lines().last().unwrap_or_default()).unwrap()
}
