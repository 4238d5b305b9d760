//! Every MJCF file of the shared models, against the `mujoco` package: counts, masses and places of
//! bodies at home. Needs the files (LINKWORK_DATA) and PyPI; says so and passes where they are absent.

use linkwork_import::{Imported, Options, load};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// MuJoCo reads a mesh's vertices and the file's numbers as we do, but adds in another order.
const AGREES: f64 = 1e-9;

#[derive(Deserialize)]
struct Facts {
    file: PathBuf,
    error: Option<String>,
    #[serde(default)]
    deformable: usize,
    #[serde(default)]
    mass: f64,
    #[serde(default)]
    joints: usize,
    #[serde(default)]
    freedoms: usize,
    #[serde(default)]
    bodies: Vec<Body>,
}

#[derive(Deserialize)]
struct Body {
    name: String,
    mass: f64,
    position: [f64; 3],
}

#[test]
fn files_that_mujoco_loads_agree_with_it() {
    let Some(folder) = models() else { return };
    let Some(python) = python() else { return };
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let all = facts(&python, &files);
    assert_eq!(all.len(), files.len());
    let (mut loaded, mut refused, mut wrong) = (0, 0, Vec::new());
    for facts in all.iter().filter(|f| f.deformable == 0) {
        let options = Options {
            assets: Some(folder.clone()),
            ..Options::default()
        };
        let short = facts.file.strip_prefix(&folder).unwrap_or(&facts.file);
        match (load(&facts.file, &options), &facts.error) {
            (Ok(ours), None) => {
                loaded += 1;
                wrong
                    .extend(differences(&ours, facts).map(|d| format!("{}: {d}", short.display())));
            }
            (Err(e), None) => {
                refused += 1;
                println!("refused: {e}");
            }
            (Ok(_), Some(theirs)) => wrong.push(format!("{}: MuJoCo: {theirs}", short.display())),
            (Err(_), Some(_)) => {}
        }
    }
    println!("{loaded} files load, {refused} are refused");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(loaded as f64 >= 0.95 * (loaded + refused) as f64);
}

/// What of an import is not as MuJoCo has it.
fn differences(ours: &Imported, theirs: &Facts) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    let counts = &ours.counts;
    let links = &ours.mechanism.links;
    let state = ours.mechanism.model.initial_state();
    let near = |a: f64, b: f64| (a - b).abs() <= AGREES * b.abs().max(1.0);
    if !near(counts.mass, theirs.mass) {
        found.push(format!("mass {} for {}", counts.mass, theirs.mass));
    }
    for (what, a, b) in [
        ("joints", counts.joints, theirs.joints),
        ("freedoms", counts.degrees_of_freedom, theirs.freedoms),
    ] {
        if a != b {
            found.push(format!("{a} {what} for {b}"));
        }
    }
    // With fusestatic MuJoCo drops bodies; those it keeps are compared by name.
    let fused = links.len() != theirs.bodies.len();
    let text = std::fs::read_to_string(&theirs.file).unwrap_or_default();
    if fused && !text.contains("fusestatic=\"true\"") {
        let (a, b) = (links.len(), theirs.bodies.len());
        found.push(format!("{a} bodies for {b}"));
        return found.into_iter();
    }
    for (i, body) in theirs.bodies.iter().enumerate() {
        let link = if body.name.is_empty() {
            links.get(i)
        } else {
            ours.mechanism.link(&body.name)
        };
        let Some(link) = link else {
            found.push(format!("no body '{}'", body.name));
            continue;
        };
        let at = link.frame.pose(&state).position;
        let apart = (0..3)
            .map(|k| (at[k] - body.position[k]).abs())
            .fold(0.0, f64::max);
        if apart > AGREES {
            found.push(format!("body {i} '{}' is {apart:e} m away", body.name));
        }
        if !fused && !near(link.mass, body.mass) {
            found.push(format!(
                "body {i} '{}' has {} kg for {}",
                body.name, link.mass, body.mass
            ));
        }
    }
    found.into_iter()
}

/// The folder of models, if it is on this machine; else says so.
fn models() -> Option<PathBuf> {
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
fn python() -> Option<PathBuf> {
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
            .args(["-m", "pip", "install", "-q", "mujoco"])
            .output();
        if !(made.is_ok() && pip.is_ok_and(|o| o.status.success()) && works(&python)) {
            println!("skipped: mujoco cannot be installed from PyPI here");
            return None;
        }
    }
    Some(python)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "xml") {
            files.push(path);
        }
    }
}

fn facts(python: &Path, files: &[PathBuf]) -> Vec<Facts> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mujoco_facts.py");
    let run = Command::new(python)
        .arg(script)
        .args(files)
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
