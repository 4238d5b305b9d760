//! Solids with known properties.

use linkwork::math::Vec3;
use linkwork_import::mesh::Mesh;
use std::f64::consts::TAU;

fn mesh(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Mesh {
    // Rounded to single precision, which is the content of the binary formats.
    let round = |x: f64| f64::from(x as f32);
    Mesh {
        vertices: vertices
            .into_iter()
            .map(|v| Vec3::from(v.map(round)))
            .collect(),
        triangles,
        ..Mesh::default()
    }
}

/// The prism over a polygon (counter-clockwise) from z = 0 to `height`, its caps cut into `caps`.
fn prism(outline: &[[f64; 2]], caps: &[[u32; 3]], height: f64) -> Mesh {
    let n = outline.len() as u32;
    let level = |z: f64| outline.iter().map(move |[x, y]| [*x, *y, z]);
    let vertices = level(0.0).chain(level(height)).collect();
    let sides = (0..n).flat_map(|i| {
        let j = (i + 1) % n;
        [[i, j, n + j], [i, n + j, n + i]]
    });
    let bottom = caps.iter().map(|&[a, b, c]| [a, c, b]);
    let top = caps.iter().map(|t| t.map(|i| i + n));
    mesh(vertices, sides.chain(bottom).chain(top).collect())
}

/// A box from the origin to `size`.
pub fn cuboid(size: [f64; 3]) -> Mesh {
    let [x, y, z] = size;
    let outline = [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]];
    prism(&outline, &[[0, 1, 2], [0, 2, 3]], z)
}

/// The corner of the unit cube at the origin.
pub fn tetrahedron() -> Mesh {
    let vertices = vec![[0.; 3], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    mesh(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

/// An L of arms 2 and width 0.5, 0.25 high: area 1.75, volume 0.4375.
pub fn angle() -> Mesh {
    let outline = [
        [0., 0.],
        [2., 0.],
        [2., 0.5],
        [0.5, 0.5],
        [0.5, 2.],
        [0., 2.],
    ];
    let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    prism(&outline, &caps, 0.25)
}

/// A torus about z of radii 1 and 0.3, of 32 x 16 quadrilaterals.
pub fn torus() -> Mesh {
    let (rings, sides) = (32, 16);
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..rings {
        for j in 0..sides {
            let (u, v) = (TAU * i as f64 / rings as f64, TAU * j as f64 / sides as f64);
            let r = 1.0 + 0.3 * v.cos();
            vertices.push([r * u.cos(), r * u.sin(), 0.3 * v.sin()]);
            let at = |i: u32, j: u32| (i % rings) * sides + j % sides;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh(vertices, triangles)
}

/// All of them, by name.
pub fn all() -> [(&'static str, Mesh); 4] {
    [
        ("box", cuboid([0.3, 0.2, 0.1])),
        ("tetrahedron", tetrahedron()),
        ("angle", angle()),
        ("torus", torus()),
    ]
}
