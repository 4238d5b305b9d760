//! What is on the disc is no model: missing, a folder, too long, bytes at random.

use crate::case::{Case, Entry};
use linkwork_import::Fault::*;
use linkwork_import::{MAX_FILE_BYTES, MAX_TEXT_BYTES};

const MODELS: [&str; 6] = [
    "m.xml",
    "m.mjcf",
    "m.urdf",
    "m.sdf",
    "m.linkwork.toml",
    "m.linkwork.json",
];
const MESHES: [&str; 7] = [
    "m.stl", "m.obj", "m.ply", "m.msh", "m.dae", "m.gltf", "m.glb",
];

/// Bytes that are no format's, and no UTF-8.
fn garbage() -> Vec<u8> {
    let mut state = 7u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let mut bytes = vec![0xff, 0xc0];
    bytes.extend((0..1000).map(|_| next()));
    bytes
}

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::new("no known ending", "m.usd", "x", Unsupported).says(&[".urdf"]),
        Case::new("an ending that is near", "m.urd", "x", Unsupported),
        Case::new("no ending", "model", "x", Unsupported),
    ];
    for file in MODELS {
        let mut missing = Case::new("missing", file, "", Unreadable);
        missing.files.clear();
        cases.push(missing);
        let folder = Case::new("a folder", file, "", Unreadable);
        cases.push(folder.with_entry(file, Entry::Folder));
        let long = Case::new("too long", file, "", TooLarge);
        cases.push(long.with_entry(file, Entry::Sparse(MAX_TEXT_BYTES + 1)));
        cases.push(Case::new("bytes at random", file, garbage(), Syntax));
    }
    for file in MESHES {
        let robot = format!(
            "<robot name='r'>\n<link name='a'><collision><geometry><mesh filename='{file}'/></geometry>\
             </collision></link></robot>"
        );
        // An OBJ has no header: lines with an unknown first word are ignored.
        let fault = if file == "m.obj" { Mechanism } else { Syntax };
        let mut random = Case::new("bytes at random", "r.urdf", &robot, fault)
            .with(file, garbage())
            .names(file);
        random.name = format!("{file}, bytes at random");
        let mut long = Case::new("too long", "r.urdf", &robot, TooLarge).at_line(2);
        long = long.with_entry(file, Entry::Sparse(MAX_FILE_BYTES + 1));
        long.name = format!("{file}, too long");
        let mut folder = Case::new("a folder", "r.urdf", &robot, Unreadable).at_line(2);
        folder = folder.with_entry(file, Entry::Folder);
        folder.name = format!("{file}, a folder");
        cases.extend([random, long, folder]);
    }
    cases
}
