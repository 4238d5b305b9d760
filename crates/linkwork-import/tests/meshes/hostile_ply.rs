//! Broken and hostile PLY files.

use crate::hostile::check;
use linkwork_import::Fault::{self, BadValue, Missing, Syntax, TooLarge, Unsupported};

#[test]
fn ply() {
    let head = |format: &str, count: &str, rest: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex {count}\nproperty float x\nproperty float y\n\
             property float z\n{rest}end_header\n"
        )
        .into_bytes()
    };
    let faces = "element face 1\nproperty list uchar int vertex_indices\n";
    let join = |head: Vec<u8>, body: &[u8]| [head, body.to_vec()].concat();
    let little = "binary_little_endian";
    let triangle = [0u8; 36];
    let face = |list: &[u8]| join(head(little, "3", faces), &[&triangle, list].concat());
    let floats = "element face 1\nproperty list float float vertex_indices\n";
    check(
        "x.ply",
        &[
            ("empty", vec![], Syntax),
            ("no end", "ply\nformat ascii 1.0\n".into(), Syntax),
            ("no format", "ply\nend_header\n".into(), Missing),
            (
                "another format",
                head("binary_middle_endian", "0", ""),
                Unsupported,
            ),
            ("2^32-1 vertices", head(little, "4294967295", ""), Syntax),
            (
                "2^64-1 vertices",
                head(little, "18446744073709551615", ""),
                Syntax,
            ),
            (
                "2^64 vertices",
                head(little, "18446744073709551616", ""),
                BadValue,
            ),
            ("-1 vertices", head(little, "-1", ""), BadValue),
            (
                "many vertices of text",
                join(head("ascii", "4294967295", ""), b"1 2 3\n"),
                Syntax,
            ),
            (
                "many of nothing",
                head(little, "0", "element x 18446744073709551615\n"),
                Fault::Mechanism,
            ),
            (
                "faces of nothing",
                head(little, "0", "element face 18446744073709551615\n"),
                TooLarge,
            ),
            (
                "vertices of nothing",
                "ply\nformat ascii 1.0\nelement vertex 99999999999\nend_header\n".into(),
                TooLarge,
            ),
            ("a list cut off", face(&[200, 0, 0, 0]), Syntax),
            (
                "a negative index",
                face(&[3, 0, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255]),
                BadValue,
            ),
            (
                "an index too high",
                face(&[3, 0, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0]),
                BadValue,
            ),
            (
                "NaN items",
                join(
                    head(little, "3", floats),
                    &[&triangle[..], &[255; 16]].concat(),
                ),
                BadValue,
            ),
            ("NaN", join(head(little, "1", ""), &[255; 12]), BadValue),
            (
                "a text cut off",
                join(head("ascii", "1", ""), b"1 2"),
                Syntax,
            ),
            (
                "a million lines",
                format!("ply\n{}", "comment\n".repeat(1_000_000)).into(),
                TooLarge,
            ),
            (
                "a property of nothing",
                "ply\nformat ascii 1.0\nproperty int x\n".into(),
                Syntax,
            ),
            (
                "an unknown type",
                head("ascii", "1", "property long w\n"),
                Syntax,
            ),
        ],
    );
}
