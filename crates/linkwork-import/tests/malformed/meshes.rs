//! Meshes named by a URDF; `tests/meshes` has many more, loaded by themselves.

use crate::case::Case;
use linkwork_import::Fault::{self, *};

/// A tetrahedron as STL text.
pub fn text_stl() -> String {
    let corners = ["0 0 0", "1 0 0", "0 1 0", "0 0 1"];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let facet = |f: [usize; 3]| {
        let loop_: String = f.map(|i| format!("vertex {}\n", corners[i])).concat();
        format!("facet normal 0 0 0\nouter loop\n{loop_}endloop\nendfacet\n")
    };
    format!("solid t\n{}endsolid t\n", faces.map(facet).concat())
}

fn robot(file: &str) -> String {
    format!(
        "<robot name='r'>\n<link name='a'><collision><geometry><mesh filename='{file}'/></geometry>\
         </collision></link></robot>"
    )
}

/// A robot with a mesh of these bytes.
fn mesh(name: &str, file: &'static str, bytes: impl AsRef<[u8]>, fault: Fault) -> Case {
    let mut case = Case::new(name, "r.urdf", robot(file), fault)
        .with(file, bytes)
        .names(file);
    case.name = format!("{file}, {name}");
    case
}

/// Words of four bytes, lowest first.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

pub fn cases() -> Vec<Case> {
    let many = u32::MAX;
    let stl = [vec![0; 80], words(&[many]), vec![0; 50]].concat();
    let ply = |kind: &str, vertices: &str, faces: &str| {
        format!(
            "ply\nformat {kind} 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\n\
             property float z\nelement face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
        )
    };
    let glb = |json: &str, length: u32| {
        let head = words(&[0x4654_6c67, 2, 20 + json.len() as u32, length, 0x4e4f_534a]);
        [head, json.into()].concat()
    };
    let claims = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\
        \"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\
        \"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4294967295,\"type\":\"VEC3\"}],\
        \"bufferViews\":[{\"buffer\":0,\"byteLength\":51539607540}],\
        \"buffers\":[{\"byteLength\":51539607540,\"uri\":\"data:;base64,AAAA\"}]}";
    let bomb = "<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;'>]>\n<COLLADA>&c;</COLLADA>";
    let mut cases = vec![
        mesh("2^32-1 triangles", "m.stl", stl, Syntax),
        mesh(
            "2^32-1 vertices",
            "m.ply",
            ply("binary_little_endian", "4294967295", "1"),
            Syntax,
        ),
        mesh(
            "2^32-1 faces",
            "m.ply",
            ply("ascii", "0", "4294967295"),
            Syntax,
        ),
        mesh(
            "2^31-1 vertices",
            "m.msh",
            words(&[i32::MAX as u32; 4]),
            Syntax,
        ),
        mesh("2^32-1 faces", "m.msh", words(&[0, 0, 0, many]), Syntax),
        mesh("2^32-1 bytes", "m.glb", glb("{}", many), Syntax),
        mesh(
            "2^32-1 positions",
            "m.glb",
            glb(claims, claims.len() as u32),
            Syntax,
        ),
        mesh(
            "cut off",
            "m.stl",
            [vec![0; 80], words(&[2]), vec![0; 70]].concat(),
            Syntax,
        ),
        mesh("text cut off", "m.stl", &text_stl()[..100], Syntax),
        mesh(
            "NaN in text",
            "m.stl",
            text_stl().replacen("1 0 0", "nan 0 0", 1),
            BadValue,
        )
        .at_line(6),
        mesh(
            "an index of nothing",
            "m.obj",
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n",
            BadValue,
        )
        .at_line(4),
        mesh("entities", "m.dae", bomb, Unsupported),
        mesh("no geometry", "m.dae", "<COLLADA/>", Mechanism),
        mesh("nested deep", "m.gltf", "[".repeat(100_000), Syntax),
        mesh(
            "many empty nodes",
            "m.gltf",
            format!(
                "{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{}{{}}]}}",
                "{},".repeat(4_000_000)
            ),
            TooLarge,
        ),
    ];
    for file in [
        "e.stl", "e.obj", "e.ply", "e.msh", "e.dae", "e.gltf", "e.glb",
    ] {
        // An OBJ has no header, so an empty one is an empty mesh.
        let fault = if file == "e.obj" { Mechanism } else { Syntax };
        cases.push(mesh("empty", file, "", fault));
    }
    cases
}
