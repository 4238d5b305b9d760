//! The same mesh written in every format.

use linkwork_import::mesh::Mesh;
use std::fmt::Write;

/// A file of each kind: name and bytes.
pub fn all(mesh: &Mesh) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("binary.stl", stl_binary(mesh)),
        ("text.STL", stl_text(mesh).into()),
        ("mesh.obj", obj(mesh, false).into()),
        ("negative.OBJ", obj(mesh, true).into()),
        ("mesh.dae", dae(mesh).into()),
        ("text.ply", ply_text(mesh).into()),
        ("little.ply", ply_binary(mesh, false)),
        ("big.ply", ply_binary(mesh, true)),
        ("mesh.msh", msh(mesh)),
        ("mesh.glb", glb(mesh)),
        ("mesh.gltf", gltf_inline(mesh).into()),
    ]
}

fn corners(mesh: &Mesh) -> impl Iterator<Item = [[f32; 3]; 3]> {
    let at = |i: u32| <[f64; 3]>::from(mesh.vertices[i as usize]).map(|x| x as f32);
    mesh.triangles.iter().map(move |t| t.map(at))
}

fn floats(mesh: &Mesh) -> Vec<u8> {
    let numbers = mesh.vertices.iter().flat_map(|v| [v.x, v.y, v.z]);
    numbers.flat_map(|x| (x as f32).to_le_bytes()).collect()
}

fn indices(mesh: &Mesh) -> Vec<u8> {
    mesh.triangles
        .iter()
        .flatten()
        .flat_map(|i| i.to_le_bytes())
        .collect()
}

pub fn stl_binary(mesh: &Mesh) -> Vec<u8> {
    // The word with which text begins, as many programs write it.
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for triangle in corners(mesh) {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0x12, 0x34]);
    }
    bytes
}

pub fn stl_text(mesh: &Mesh) -> String {
    let mut text = "solid a part \n".to_owned();
    for triangle in &mesh.triangles {
        text += " facet normal nan 0 0\n  outer loop\n";
        for v in triangle.map(|i| mesh.vertices[i as usize]) {
            writeln!(text, "   vertex {} {} {:e}", v.x, v.y, v.z).unwrap();
        }
        text += "  endloop\n endfacet\n";
    }
    text + "endsolid a part\n"
}

pub fn obj(mesh: &Mesh, negative: bool) -> String {
    let mut text = "# a part\r\nmtllib none.mtl\no part\n".to_owned();
    for v in &mesh.vertices {
        writeln!(text, "v {} {} {} 1 0.5 0", v.x, v.y, v.z).unwrap();
    }
    text += "vn 0 0 1\nvt 0 0\ng one\ns off\n";
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|i| {
            let back = i64::from(i) - mesh.vertices.len() as i64;
            if negative { back } else { i64::from(i) + 1 }
        });
        writeln!(text, "f {a}/1/1 {b}//1 {c}").unwrap();
    }
    text
}

fn ply_header(mesh: &Mesh, format: &str) -> String {
    // An element in front, a property between the coordinates, a list behind them.
    format!(
        "ply\nformat {format} 1.0\ncomment a part\nelement camera 1\nproperty short zoom\n\
         element vertex {}\nproperty float z\nproperty uchar red\nproperty float32 x\n\
         property float y\nproperty list uchar double extra\nelement face {}\n\
         property list uint8 uint vertex_indices\nproperty int flags\nend_header\n",
        mesh.vertices.len(),
        mesh.triangles.len()
    )
}

fn ply_text(mesh: &Mesh) -> String {
    let mut text = ply_header(mesh, "ascii") + "7\n";
    for v in &mesh.vertices {
        writeln!(text, "{} 255 {} {} 2 0.5 0.5", v.z, v.x, v.y).unwrap();
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "3 {a} {b} {c} -1").unwrap();
    }
    text
}

fn ply_binary(mesh: &Mesh, big: bool) -> Vec<u8> {
    let format = if big {
        "binary_big_endian"
    } else {
        "binary_little_endian"
    };
    let mut bytes: Vec<u8> = ply_header(mesh, format).into();
    let mut put = |mut value: Vec<u8>| {
        if big {
            value.reverse();
        }
        bytes.extend(value);
    };
    put(7i16.to_le_bytes().into());
    for v in &mesh.vertices {
        put((v.z as f32).to_le_bytes().into());
        put(vec![255]);
        put((v.x as f32).to_le_bytes().into());
        put((v.y as f32).to_le_bytes().into());
        put(vec![1]);
        put(0.5f64.to_le_bytes().into());
    }
    for triangle in &mesh.triangles {
        put(vec![3]);
        triangle.iter().for_each(|i| put(i.to_le_bytes().into()));
        put((-1i32).to_le_bytes().into());
    }
    bytes
}

fn msh(mesh: &Mesh) -> Vec<u8> {
    let (v, f) = (mesh.vertices.len() as u32, mesh.triangles.len() as u32);
    let mut bytes: Vec<u8> = [v, v, v, f].iter().flat_map(|n| n.to_le_bytes()).collect();
    bytes.extend(floats(mesh));
    bytes.resize(bytes.len() + mesh.vertices.len() * (12 + 8), 0);
    bytes.extend(indices(mesh));
    bytes
}

pub fn dae(mesh: &Mesh) -> String {
    let numbers: Vec<String> = mesh
        .vertices
        .iter()
        .map(|v| format!("{} {} {}", v.x, v.y, v.z))
        .collect();
    let indices: Vec<String> = mesh
        .triangles
        .iter()
        .flatten()
        .map(|i| format!("{i} 0"))
        .collect();
    let geometry = format!(
        r##"<geometry id="part"><mesh>
        <source id="p"><float_array id="a" count="{0}">{1}</float_array><technique_common>
          <accessor source="#a" count="{0}" stride="3"/></technique_common></source>
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
        <triangles count="{2}"><input semantic="VERTEX" source="#v" offset="0"/>
          <input semantic="NORMAL" source="#p" offset="1"/><p>{3}</p></triangles></mesh></geometry>"##,
        mesh.vertices.len(),
        numbers.join("\n"),
        mesh.triangles.len(),
        indices.join(" ")
    );
    dae_scene(
        "",
        &geometry,
        r##"<node><instance_geometry url="#part"/></node>"##,
    )
}

/// A COLLADA file with given unit and axis, geometries and nodes.
pub fn dae_scene(asset: &str, geometries: &str, nodes: &str) -> String {
    format!(
        r##"<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"
        version="1.4.1"><asset>{asset}</asset><library_geometries>{geometries}</library_geometries>
        <library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#s"/></scene></COLLADA>"##
    )
}

/// A glTF document with one mesh; `uri` is the rest of its buffer, `nodes` the list of nodes.
pub fn gltf_document(mesh: &Mesh, uri: &str, nodes: &str) -> String {
    let (v, i) = (12 * mesh.vertices.len(), 12 * mesh.triangles.len());
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
        "nodes": [{nodes}], "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0, "NORMAL": 0}},
        "indices": 1}}]}}], "accessors": [
        {{"bufferView": 0, "componentType": 5126, "count": {}, "type": "VEC3"}},
        {{"bufferView": 1, "componentType": 5125, "count": {}, "type": "SCALAR"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": {v}}},
        {{"buffer": 0, "byteOffset": {v}, "byteLength": {i}}}],
        "buffers": [{{"byteLength": {}{uri}}}]}}"#,
        mesh.vertices.len(),
        3 * mesh.triangles.len(),
        v + i
    )
}

/// Positions and indices, as `gltf_document` refers to them.
pub fn gltf_buffer(mesh: &Mesh) -> Vec<u8> {
    [floats(mesh), indices(mesh)].concat()
}

fn gltf_inline(mesh: &Mesh) -> String {
    let uri = format!(
        r#", "uri": "data:application/octet-stream;base64,{}""#,
        base64(&gltf_buffer(mesh))
    );
    gltf_document(mesh, &uri, r#"{"mesh": 0}"#)
}

pub fn glb(mesh: &Mesh) -> Vec<u8> {
    glb_of(
        &gltf_document(mesh, "", r#"{"mesh": 0}"#),
        &gltf_buffer(mesh),
    )
}

pub fn glb_of(json: &str, buffer: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(((12 + 8 + json.len() + 8 + buffer.len()) as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json.as_slice()), (b"BIN\0", buffer)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

fn base64(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().fold(0u32, |b, c| b << 8 | u32::from(*c)) << (8 * (3 - chunk.len()));
        for k in 0..4 {
            let digit = digits[(bits >> (18 - 6 * k) & 63) as usize];
            text.push(if k <= chunk.len() { digit as char } else { '=' });
        }
    }
    text
}
