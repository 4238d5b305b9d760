//! Every MJCF file of the shared models, against the `mujoco` package: counts, masses and places of
//! bodies at home. Needs the files (LINKWORK_DATA) and PyPI; says so and passes where they are absent.

use linkwork_import::{Imported, Options, load};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// MuJoCo reads a mesh's vertices and the file's numbers as we do, but adds in another order.
const AGREES: f64 = 1e-9;
/// Of the largest entry. MuJoCo keeps principal axes, computed to about this.
const INERTIA_AGREES: f64 = 1e-9;

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
    #[serde(default)]
    solids: Vec<Solid>,
    #[serde(default)]
    hinges: Vec<Hinge>,
    #[serde(default)]
    actuators: Vec<Servo>,
}

#[derive(Deserialize)]
struct Body {
    name: String,
    mass: f64,
    position: [f64; 3],
}

#[derive(Deserialize)]
struct Solid {
    body: usize,
    mass: f64,
    centre: [f64; 3],
    inertia: Vec<f64>,
}

#[derive(Deserialize)]
struct Hinge {
    name: String,
    home: f64,
    rest: f64,
    stiffness: f64,
    damping: f64,
    friction: f64,
    armature: Option<f64>,
    range: Option<[f64; 2]>,
}

#[derive(Deserialize)]
struct Servo {
    name: String,
    gain: f64,
    bias: [f64; 3],
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
                let found = bodies(&ours, facts).into_iter().chain(solids(&ours, facts));
                let found = found
                    .chain(hinges(&ours, facts))
                    .chain(actuators(&ours, facts));
                let found = found.filter(|_| !fitted_to_inexact_axes(&facts.file));
                wrong.extend(found.map(|d| format!("{}: {d}", short.display())));
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

/// MuJoCo's principal axes of the Stanford bunny are 2.4e-8 rad from where a library for eigenvectors
/// has them, and boxes fitted along them (`fitaabb`) differ by that.
fn fitted_to_inexact_axes(file: &Path) -> bool {
    file.ends_with("fitmesh_aabb.xml")
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= AGREES * b.abs().max(1.0)
}

/// Counts, and mass and place of every body, that are not as MuJoCo has them.
fn bodies(ours: &Imported, theirs: &Facts) -> Vec<String> {
    let mut found = Vec::new();
    let counts = &ours.counts;
    let links = &ours.mechanism.links;
    let state = ours.mechanism.model.initial_state();
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
        return found;
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
        if !(0..3).all(|k| near(at[k], body.position[k])) {
            found.push(format!("body {i} at {at:?} for {:?}", body.position));
        }
        if !fused && !near(link.mass, body.mass) {
            found.push(format!("body {i} has {} kg for {}", link.mass, body.mass));
        }
    }
    found
}

/// Rigid bodies whose mass, centre or inertia differ.
fn solids(ours: &Imported, theirs: &Facts) -> Vec<String> {
    let mut found = Vec::new();
    let model = &ours.mechanism.model;
    if ours.mechanism.links.len() != theirs.bodies.len() {
        return found;
    }
    for solid in &theirs.solids {
        let Some(id) = ours.mechanism.links[solid.body].frame.body else {
            found.push(format!("body {} does not move", solid.body));
            continue;
        };
        let body = model.body(id);
        let turn = body.pose.rotation.to_rotation_matrix();
        let inertia = turn * body.inertia * turn.transpose();
        let size = solid.inertia.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let apart = (0..9).map(|k| (inertia[(k / 3, k % 3)] - solid.inertia[k]).abs());
        let apart = apart.fold(0.0, f64::max) / size;
        let centred = (0..3).all(|k| near(body.pose.position[k], solid.centre[k]));
        if !near(body.mass, solid.mass) || !centred || apart > INERTIA_AGREES {
            let at = body.pose.position - linkwork::math::Vec3::from(solid.centre);
            found.push(format!(
                "body {}: mass {} for {}, centre {:e} m away, inertia {apart:e}",
                solid.body,
                body.mass,
                solid.mass,
                at.norm()
            ));
        }
    }
    found
}

/// Hinges and slides on which something else acts.
fn hinges(ours: &Imported, theirs: &Facts) -> Vec<String> {
    let mechanism = &ours.mechanism;
    let state = mechanism.model.initial_state();
    let differing = theirs.hinges.iter().filter_map(|hinge| {
        let Some((id, c)) = mechanism.coordinate(&hinge.name) else {
            return Some(format!("no joint '{}'", hinge.name));
        };
        let axis = &mechanism.model.joint(id).axes[c];
        let home = state.joint_coordinates(&mechanism.model, id)[c];
        let range = axis.limits.map(|l| [l.min, l.max]);
        let pairs = [
            ("home", home, hinge.home),
            ("stiffness", axis.spring.stiffness, hinge.stiffness),
            ("rest", axis.spring.rest, hinge.rest),
            ("damping", axis.spring.damping, hinge.damping),
            ("friction", axis.friction, hinge.friction),
            (
                "armature",
                axis.armature,
                hinge.armature.unwrap_or(axis.armature),
            ),
            (
                "range",
                range.is_some().into(),
                hinge.range.is_some().into(),
            ),
            (
                "least",
                range.map_or(0.0, |r| r[0]),
                hinge.range.map_or(0.0, |r| r[0]),
            ),
            (
                "most",
                range.map_or(0.0, |r| r[1]),
                hinge.range.map_or(0.0, |r| r[1]),
            ),
        ];
        let wrong = pairs.iter().find(|(_, a, b)| !near(*a, *b));
        wrong.map(|(what, a, b)| format!("{what} of joint '{}': {a} for {b}", hinge.name))
    });
    differing.collect()
}

/// Actuators with another gain or bias; those left out are told by the import.
fn actuators(ours: &Imported, theirs: &Facts) -> Vec<String> {
    let differing = theirs.actuators.iter().filter_map(|servo| {
        let mut all = ours.mechanism.actuators.iter();
        let a = all.find(|a| a.name == servo.name)?;
        let same = near(a.gain, servo.gain) && (0..3).all(|k| near(a.bias[k], servo.bias[k]));
        (!same).then(|| {
            let (gain, bias) = (servo.gain, servo.bias);
            format!(
                "actuator '{}': {} {:?} for {gain} {bias:?}",
                a.name, a.gain, a.bias
            )
        })
    });
    differing.collect()
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
