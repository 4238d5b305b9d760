//! What MuJoCo makes of the files.

use serde::Deserialize;
use std::path::{Path, PathBuf};

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
    let files: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    let all = crate::common::python::run(python, "mujoco_facts.py", &files);
    serde_json::from_value(all).expect("facts of every file")
}
