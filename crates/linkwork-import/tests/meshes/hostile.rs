//! Broken and hostile STL, OBJ and MSH files, and damage to files of every format.

use crate::support::{bounded, load, refused};
use crate::{shapes, writers};
use linkwork_import::Fault::{self, BadValue, Syntax, Unsupported};

/// Each must be refused with its fault, soon and in little memory.
pub fn check(name: &str, cases: &[(&str, Vec<u8>, Fault)]) {
    for (what, bytes, fault) in cases {
        let error = bounded(what, || refused(name, bytes));
        assert_eq!(error.fault, *fault, "{what}: {error}");
    }
}

fn with(mut bytes: Vec<u8>, at: usize, new: &[u8]) -> Vec<u8> {
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

#[test]
fn stl() {
    let good = writers::stl_binary(&shapes::torus());
    let text = writers::stl_text(&shapes::tetrahedron());
    let nan = f32::NAN.to_le_bytes();
    check(
        "x.stl",
        &[
            ("empty", vec![], Syntax),
            ("half a header", vec![7; 50], Syntax),
            (
                "2^32-1 triangles",
                with(good.clone(), 80, &[255; 4]),
                Syntax,
            ),
            (
                "2^32-1 triangles of nothing",
                [[0; 80].as_slice(), &[255; 4]].concat(),
                Syntax,
            ),
            ("cut off", good[..good.len() - 7].into(), Syntax),
            (
                "a coordinate that is NaN",
                with(good.clone(), 84 + 12, &nan),
                BadValue,
            ),
            (
                "an infinite coordinate",
                with(good, 84 + 20, &f32::INFINITY.to_le_bytes()),
                BadValue,
            ),
            (
                "text that ends early",
                text.as_bytes()[..text.len() / 2].into(),
                Syntax,
            ),
            (
                "NaN in text",
                text.replacen("vertex 0", "vertex nan", 1).into(),
                BadValue,
            ),
            (
                "1e999 in text",
                text.replacen("vertex 0", "vertex 1e999", 1).into(),
                BadValue,
            ),
            (
                "a word in text",
                text.replacen("vertex 0", "vertex zero", 1).into(),
                BadValue,
            ),
            (
                "a facet of four corners",
                text.replacen("endloop", "vertex 1 1 1\nendloop", 1).into(),
                Syntax,
            ),
            ("other words", "solid x\nfoo bar\n".into(), Syntax),
            (
                "nothing solid",
                "solid x\nendsolid x\n".into(),
                Fault::Mechanism,
            ),
        ],
    );
}

#[test]
fn a_fault_in_text_names_its_line() {
    let text = writers::stl_text(&shapes::tetrahedron()).replacen("vertex 0", "vertex nan", 1);
    assert_eq!(refused("x.stl", text).place.line, 4);
    assert_eq!(refused("x.obj", "v 0 0 0\n\nv 1 nan 0\n").place.line, 3);
    let ply = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
               property float z\nend_header\n0\n0 nan\n";
    assert_eq!(refused("x.ply", ply).place.line, 9);
}

#[test]
fn obj() {
    let vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let face = |f: &str| format!("{vertices}{f}\n").into_bytes();
    check(
        "x.obj",
        &[
            ("empty", vec![], Fault::Mechanism),
            ("vertex 0", face("f 0 1 2"), BadValue),
            ("a vertex too many", face("f 1 2 5"), BadValue),
            ("too far back", face("f -5 -2 -1"), BadValue),
            ("a huge index", face("f 1 2 99999999999999999999"), BadValue),
            ("2^32", face("f 1 2 4294967297"), BadValue),
            ("2^32-1", face("f 1 2 4294967295"), BadValue),
            (
                "a lowest index",
                face("f 1 2 -9223372036854775808"),
                BadValue,
            ),
            ("two corners", face("f 1 2"), BadValue),
            ("no number", face("f a b c"), BadValue),
            ("infinity", face("v inf 0 0"), BadValue),
            ("two coordinates", face("v 1 2"), BadValue),
            ("a line that goes on", face("f 1 2 \\\n3"), BadValue),
            ("far away", face("v 1e31 0 0\nf 1 2 5"), BadValue),
            (
                "bytes of anything",
                (0..=255).cycle().take(100_000).collect(),
                Fault::Mechanism,
            ),
        ],
    );
}

#[test]
fn msh() {
    let counts = |n: [i32; 4]| n.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let good = |indices: [u32; 3]| {
        let mut bytes = counts([3, 0, 0, 1]);
        bytes.extend(
            [0f32, 0., 0., 1., 0., 0., 0., 1., 0.]
                .iter()
                .flat_map(|x| x.to_le_bytes()),
        );
        bytes.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
        bytes
    };
    assert_eq!(load("x.msh", good([0, 1, 2])).0.unwrap().triangles.len(), 1);
    check(
        "x.msh",
        &[
            ("empty", vec![], Syntax),
            ("negative counts", counts([-1; 4]), Syntax),
            ("many vertices", counts([i32::MAX, 0, 0, 0]), Syntax),
            ("many faces", counts([0, 0, 0, i32::MAX]), Syntax),
            ("cut off", good([0, 1, 2])[..60].into(), Syntax),
            (
                "more than announced",
                [good([0, 1, 2]), vec![0]].concat(),
                Syntax,
            ),
            ("an index too high", good([0, 1, 3]), BadValue),
            ("a negative index", good([0, 1, u32::MAX]), BadValue),
            ("Gmsh", "$MeshFormat\n4.1 0 8\n".into(), Unsupported),
        ],
    );
}

/// Truncated anywhere and with bytes changed anywhere, a file is read or refused: no panic, no hang.
#[test]
fn damage_to_any_format_is_survived() {
    let mesh = shapes::angle();
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for (name, bytes) in writers::all(&mesh) {
        for k in 0..40 {
            let cut = bytes[..bytes.len() * k / 40].to_vec();
            let _ = bounded(name, || load(name, cut));
        }
        for _ in 0..150 {
            let mut changed = bytes.clone();
            for _ in 0..1 + random(4) {
                let at = random(changed.len());
                changed[at] = random(256) as u8;
            }
            let _ = bounded(name, || load(name, changed));
        }
    }
}
