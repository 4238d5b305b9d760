//! Broken and hostile glTF files.

use crate::support::{Folder, bounded, refused};
use crate::{shapes, writers};
use linkwork_import::Fault::{self, *};

#[test]
fn many_copies_of_a_large_mesh_are_refused() {
    let mesh = shapes::torus();
    let nodes: Vec<String> = (0..20_000).map(|_| r#"{"mesh": 0}"#.to_owned()).collect();
    let all: Vec<String> = (0..20_000).map(|k| k.to_string()).collect();
    let json = writers::gltf_document(&mesh, "", &nodes.join(",")).replace(
        r#""nodes": [0]"#,
        &format!(r#""nodes": [{}]"#, all.join(",")),
    );
    let bytes = writers::glb_of(&json, &writers::gltf_buffer(&mesh));
    assert_eq!(
        bounded("copies", || refused("x.glb", &bytes)).fault,
        TooLarge
    );
}

#[test]
fn gltf() {
    let mesh = shapes::tetrahedron();
    let good = writers::gltf_document(&mesh, "", r#"{"mesh": 0}"#);
    let with = |old: &str, new: &str| {
        assert!(good.contains(old), "{old}");
        good.replace(old, new)
    };
    let huge = "18446744073709551615";
    let cases: Vec<(&str, String, Fault)> = vec![
        ("empty", String::new(), Syntax),
        ("no JSON", "hello".to_owned(), Syntax),
        ("nested deep", "[".repeat(100_000), Syntax),
        ("version 1", with(r#""2.0""#, r#""1.0""#), Unsupported),
        (
            "compression",
            with(
                r#""scene": 0"#,
                r#""extensionsRequired": ["KHR_draco_mesh_compression"]"#,
            ),
            Unsupported,
        ),
        (
            "many items",
            with(r#""count": 4"#, &format!(r#""count": {huge}"#)),
            Syntax,
        ),
        (
            "items beyond",
            with(r#""count": 4"#, r#""count": 5"#),
            Syntax,
        ),
        (
            "negative count",
            with(r#""count": 4"#, r#""count": -4"#),
            Syntax,
        ),
        (
            "offset beyond",
            with(r#""byteOffset": 48"#, &format!(r#""byteOffset": {huge}"#)),
            Syntax,
        ),
        (
            "view beyond",
            with(r#""byteOffset": 48"#, r#""byteOffset": 49"#),
            Syntax,
        ),
        (
            "stride of nothing",
            with(
                r#""byteOffset": 48"#,
                r#""byteStride": 0, "byteOffset": 48"#,
            ),
            Syntax,
        ),
        (
            "large stride",
            with(
                r#""byteOffset": 48"#,
                &format!(r#""byteStride": {huge}, "byteOffset": 48"#),
            ),
            Syntax,
        ),
        (
            "large buffer",
            with(r#""byteLength": 96"#, &format!(r#""byteLength": {huge}"#)),
            Syntax,
        ),
        (
            "no such buffer",
            with(r#""buffer": 0"#, r#""buffer": 7"#),
            Unresolved,
        ),
        (
            "no such view",
            with(r#""bufferView": 0"#, r#""bufferView": 7"#),
            Unresolved,
        ),
        (
            "no such accessor",
            with(r#""POSITION": 0"#, r#""POSITION": 7"#),
            Unresolved,
        ),
        (
            "no such mesh",
            with(r#"{"mesh": 0}"#, r#"{"mesh": 7}"#),
            Unresolved,
        ),
        (
            "no such node",
            with(r#"{"nodes": [0]}"#, r#"{"nodes": [7]}"#),
            Unresolved,
        ),
        (
            "its own child",
            with(r#"{"mesh": 0}"#, r#"{"mesh": 0, "children": [0]}"#),
            Cycle,
        ),
        (
            "no rotation",
            with(r#"{"mesh": 0}"#, r#"{"mesh": 0, "rotation": [0, 0, 0, 0]}"#),
            BadValue,
        ),
        (
            "sparse",
            with(r#""count": 4"#, r#""count": 4, "sparse": {}"#),
            Unsupported,
        ),
        ("no data", with(r#""bufferView": 0,"#, ""), Unsupported),
        ("bytes for positions", with("5126", "5121"), Unsupported),
        ("floats for indices", with("5125", "5126"), BadValue),
        (
            "not a triangle",
            with(r#""count": 12"#, r#""count": 11"#),
            BadValue,
        ),
        (
            "points only",
            with(r#""indices": 1"#, r#""indices": 1, "mode": 0"#),
            Mechanism,
        ),
    ];
    for (what, json, fault) in cases {
        let bytes = writers::glb_of(&json, &writers::gltf_buffer(&mesh));
        let error = bounded(what, || refused("x.glb", &bytes));
        assert_eq!(error.fault, fault, "{what}: {error}");
    }
    let mut buffer = writers::gltf_buffer(&mesh);
    buffer[48..52].copy_from_slice(&[255; 4]);
    assert_eq!(
        refused("x.glb", writers::glb_of(&good, &buffer)).fault,
        BadValue
    );
}

#[test]
fn glb_containers() {
    let good = writers::glb(&shapes::tetrahedron());
    let with = |at: usize, new: [u8; 4]| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&new);
        bytes
    };
    let cases = [
        ("empty", vec![]),
        ("magic", with(0, *b"gLTF")),
        ("version", with(4, [1, 0, 0, 0])),
        ("length", with(8, [255; 4])),
        ("no length", with(8, [0; 4])),
        ("chunk length", with(12, [255; 4])),
        ("chunk kind", with(16, *b"BIN\0")),
        ("cut off", good[..good.len() - 1].to_vec()),
    ];
    for (what, bytes) in cases {
        let error = bounded(what, || refused("x.glb", &bytes));
        assert_eq!(error.fault, Syntax, "{what}: {error}");
    }
}

#[test]
fn buffers_outside_the_asset_root_are_not_read() {
    let mesh = shapes::tetrahedron();
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("root")).unwrap();
    folder.write("secret.bin", writers::gltf_buffer(&mesh));
    let root = folder.path().join("root");
    let absolute = folder.path().join("secret.bin").display().to_string();
    let mut uris = vec![
        ("../secret.bin", Escape),
        ("%2e%2e/secret.bin", Escape),
        ("a/../../secret.bin", Escape),
        (absolute.as_str(), Escape),
        ("file:///etc/passwd", Unsupported),
        ("https://example.org/a.bin", Unsupported),
        ("data:text/plain,hello", Unsupported),
        ("data:;base64,***", Syntax),
        ("missing.bin", Unreadable),
        (".", Unreadable),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.bin", root.join("link.bin")).unwrap();
        uris.push(("link.bin", Escape));
    }
    for (uri, fault) in uris {
        let json = writers::gltf_document(&mesh, &format!(r#", "uri": "{uri}""#), r#"{"mesh": 0}"#);
        std::fs::write(root.join("x.gltf"), json).unwrap();
        let assets = linkwork_import::Assets::below(&root).unwrap();
        let (place, mut notices) = crate::support::aside();
        let file = assets.find(assets.root(), "x.gltf", &place).unwrap();
        let error = linkwork_import::mesh::load(&assets, &file, &place, &mut notices).unwrap_err();
        assert_eq!(error.fault, fault, "{uri}: {error}");
    }
}
