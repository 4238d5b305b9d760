//! Every MJCF, URDF and SDF file of the shared models' manifest, and every XML file of MuJoCo's tests: it loads with
//! the counts of the manifest, or is refused for a reason listed here.
//!
//! Needs the files (LINKWORK_DATA); prints a message and passes without them.

mod common;

use linkwork_import::{Imported, Options, load, own};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Robots that the manifest counts with a floating root, which a URDF cannot express.
const FLOATING: [&str; 3] = ["epr_disney_robot", "epr_digit_like_2legs", "solo12_urdf"];

#[test]
fn every_file_of_the_manifest_loads_with_its_counts_or_is_refused_for_a_known_reason() {
    let Some(models) = common::models() else {
        return;
    };
    let text = std::fs::read_to_string(models.join("manifest.csv")).expect("a manifest");
    let rows = rows(&text);
    let mut files: BTreeMap<PathBuf, Option<&Row>> = BTreeMap::new();
    collect(&models.join("mujoco_tests"), &mut files);
    let listed = rows.iter().filter(|r| r["format"] != "USD");
    files.extend(listed.map(|r| (place(&models, r), Some(r))));
    let (mut robots, mut loaded, mut wrong) = ([0, 0], 0, Vec::new());
    for (file, row) in &files {
        let short = file
            .strip_prefix(&models)
            .unwrap_or(file)
            .display()
            .to_string();
        let options = Options::with(|s| {
            s.assets = Some(models.clone());
            s.floating = row.is_some_and(|r| FLOATING.contains(&r["name"].as_str()));
        });
        let robot = row.is_some_and(|r| r["format"] == "MJCF" && !r["name"].starts_with("mj:"));
        robots[0] += usize::from(robot);
        match load(file, &options) {
            Ok(import) => {
                loaded += 1;
                robots[1] += usize::from(robot);
                println!("loads: {short}");
                if refusal(&short).is_some() {
                    wrong.push(format!("{short} is listed as refused"));
                }
                wrong.extend(row.iter().flat_map(|r| differences(&short, &import, r)));
                wrong.extend(lost_in_writing(&short, &import));
            }
            Err(e) => {
                println!("refused: {e}");
                match refusal(&short) {
                    Some(reason) if e.to_string().contains(reason) => {}
                    _ => wrong.push(format!("{short}: {e}")),
                }
            }
        }
    }
    println!(
        "{loaded} of {} files load; robots in MJCF: {} of {}",
        files.len(),
        robots[1],
        robots[0]
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(robots[0] > 0 && 100 * robots[1] >= 95 * robots[0]);
}

/// Files that are refused, and the reason in the message.
const REFUSED: [(&str, &str); 2] = [
    // Meshes that MuJoCo generates from formulas of its own.
    (
        "mujoco_tests/model/surfacevel/carousel.xml",
        "is made by MuJoCo",
    ),
    (
        "mujoco_tests/test/user/testdata/makemesh.xml",
        "is made by MuJoCo",
    ),
];

fn refusal(file: &str) -> Option<&'static str> {
    let mut known = REFUSED.iter();
    known.find(|(f, _)| *f == file).map(|(_, reason)| *reason)
}

/// What the own format does not give back; the limits of its reader must take what its writer writes.
fn lost_in_writing(file: &str, import: &Imported) -> Option<String> {
    let folder = common::Folder::new();
    let written = folder.write("m.linkwork.toml", own::to_toml(&import.model));
    match load(&written, &Options::default()) {
        Ok(again) if again.model.shapes().len() == import.model.shapes().len() => None,
        Ok(_) => Some(format!("{file}: other shapes when written and read")),
        Err(e) => Some(format!("{file}: written and not read: {e}")),
    }
}

fn differences(file: &str, import: &Imported, row: &Row) -> Vec<String> {
    let [joints, dof] = as_the_manifest_counts(import, row);
    let pairs = [
        ("bodies", import.counts.links),
        ("joints", joints),
        ("dof", dof),
    ];
    let differing = pairs.iter().filter_map(|(column, ours)| {
        let given: usize = row[*column].parse().ok()?;
        (given != *ours).then(|| format!("{file}: {ours} {column} for {given}"))
    });
    differing.collect()
}

/// Joints and degrees of freedom. The manifest counts fixed joints of a URDF, which lump links here. Of an
/// SDF it counts all joints with all they leave free, those that close loops too and gearboxes (here
/// couplings) with five, and leaves the floating base out.
fn as_the_manifest_counts(import: &Imported, row: &Row) -> [usize; 2] {
    let (counts, model) = (&import.counts, &import.model);
    if row["format"] != "SDF" {
        let kinds = row["joint_types"].split_whitespace();
        let fixed = kinds.filter_map(|k| k.strip_prefix("fixed:")?.parse::<usize>().ok());
        let joints = counts.joints + fixed.sum::<usize>();
        return [joints, counts.degrees_of_freedom];
    }
    // A coupling of one coordinate holds a truss at its dead point: the file has no joint for it.
    let gears = model.couplings().iter().filter(|c| c.terms.len() > 1);
    let gearboxes = gears.count();
    let free = model.joints().iter().map(|j| 6 - j.kind.locked().len());
    [
        counts.joints + counts.closures + gearboxes,
        free.sum::<usize>() + 5 * gearboxes,
    ]
}

/// A line of the manifest by the names of its columns.
type Row<'a> = BTreeMap<&'a str, String>;

fn rows(text: &str) -> Vec<Row<'_>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    lines
        .map(|line| names.iter().copied().zip(cells(line)).collect())
        .collect()
}

/// The cells of a line, which may be quoted.
fn cells(line: &str) -> Vec<String> {
    let (mut all, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(String::new()),
            c => all.last_mut().expect("begins with one").push(c),
        }
    }
    all
}

/// The manifest's paths begin with the name of the set.
fn place(models: &Path, row: &Row) -> PathBuf {
    let path = &row["main_file"];
    models.join(path.strip_prefix("curated/").unwrap_or(path))
}

fn collect<'a>(folder: &Path, files: &mut BTreeMap<PathBuf, Option<&'a Row<'a>>>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "xml") {
            files.insert(path, None);
        }
    }
}
