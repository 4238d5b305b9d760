//! Hulls, parts and exact triangles.

use crate::shapes;
use crate::support::{aside, loaded, tells};
use linkwork::collision::convex_hull;
use linkwork::math::Vec3;
use linkwork::model::Geometry;
use linkwork_import::Fault;
use linkwork_import::mesh::{HULL_CORNERS, Mesh, decompose, exact, hull, thin};
use std::f64::consts::PI;

fn points(geometry: &Geometry) -> &[Vec3] {
    match geometry {
        Geometry::ConvexHull { points } => points,
        other => panic!("not a hull: {other:?}"),
    }
}

fn volume(geometry: &Geometry) -> f64 {
    convex_hull("part", points(geometry)).unwrap().volume()
}

/// A ball of radius 1 with corners on circles of latitude.
fn ball(circles: usize) -> Mesh {
    let mut text = String::new();
    for i in 0..circles {
        for j in 0..2 * circles {
            let (a, b) = (
                PI * (i as f64 + 0.5) / circles as f64,
                PI * j as f64 / circles as f64,
            );
            let [x, y, z] = [a.sin() * b.cos(), a.sin() * b.sin(), a.cos()];
            text += &format!("v {x} {y} {z}\n");
        }
    }
    loaded("ball.obj", text)
}

#[test]
fn a_hull_keeps_only_its_corners_and_tells_of_hollows() {
    let (place, mut notices) = aside();
    let cube = hull(
        &shapes::cuboid([1.0; 3]),
        HULL_CORNERS,
        &place,
        &mut notices,
    )
    .unwrap();
    assert_eq!(points(&cube).len(), 8);
    assert!(notices.all().is_empty());
    let angle = hull(&shapes::angle(), HULL_CORNERS, &place, &mut notices).unwrap();
    // The inner corner of the L is inside.
    assert_eq!(points(&angle).len(), 10);
    assert!(
        tells(&notices, "7.187e-1 m³") && tells(&notices, "4.375e-1 m³"),
        "{notices:?}"
    );
    assert!(notices.all()[0].remedy.contains("--decompose"));
}

#[test]
fn fewer_corners_cost_what_is_reported() {
    let (place, _) = aside();
    let ball = ball(40);
    let whole = convex_hull("ball", &ball.vertices).unwrap();
    assert_eq!(whole.vertices.len(), 3200);
    let mut last = f64::INFINITY;
    for corners in [16, 64, 256] {
        let few = thin(&whole, corners, &place).unwrap();
        assert!(few.vertices.len() <= corners);
        let kept = convex_hull("few", &few.vertices).unwrap().volume();
        assert!((1.0 - kept / whole.volume() - few.loss).abs() < 1e-12);
        // The height of the hull in any direction is short by at most the depth.
        for v in &ball.vertices {
            let height = few
                .vertices
                .iter()
                .map(|p| p.dot(v))
                .fold(f64::MIN, f64::max);
            assert!(
                1.0 - height <= few.depth * 1.05 + 1e-12,
                "{} {}",
                1.0 - height,
                few.depth
            );
        }
        assert!(few.depth < last);
        last = few.depth;
        // Within twice the depth of the best cover of a sphere by caps, 2.42/corners.
        assert!(
            few.depth < 4.84 / corners as f64,
            "{corners}: {}",
            few.depth
        );
    }
}

#[test]
fn flat_and_line_like_meshes_are_refused() {
    let (place, mut notices) = aside();
    let flat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv .3 .4 0\nf 1 2 3\nf 2 4 3\nf 1 2 5\n";
    // Flat except for the rounding of single precision, tilted.
    let tilted = "v 0 0 0\nv 1 0 .1\nv 0 1 .7\nv 1 1 .8\nv .3 .4 .31\nf 1 2 3\nf 2 4 3\nf 1 2 5\n";
    for text in [flat, tilted] {
        let mesh = loaded("flat.obj", text);
        let error = hull(&mesh, HULL_CORNERS, &place, &mut notices).unwrap_err();
        assert_eq!(error.fault, Fault::Mechanism);
        assert!(decompose(&mesh, 4, HULL_CORNERS, &place).is_err());
    }
    let line = crate::support::refused("line.obj", "v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n");
    assert!(line.what.contains("has an area"));
    let line = crate::support::refused("line.obj", "v 0 0 0\nv 1 1 1\nv 2 2 2\nv 3 3 3\n");
    assert_eq!(line.fault, Fault::Mechanism);
}

#[test]
fn parts_of_an_angle_and_a_torus_fill_them_nearly() {
    let (place, _) = aside();
    for (mesh, parts, excess) in [(shapes::angle(), 2, 0.05), (shapes::torus(), 12, 0.10)] {
        let found = decompose(&mesh, parts, HULL_CORNERS, &place).unwrap();
        assert!(found.len() <= parts);
        let sum: f64 = found.iter().map(volume).sum();
        let over = sum / mesh.volume() - 1.0;
        assert!(
            (-0.02..excess).contains(&over),
            "{} parts, {over}",
            found.len()
        );
        assert_eq!(
            found,
            decompose(&mesh, parts, HULL_CORNERS, &place).unwrap()
        );
    }
}

#[test]
fn what_is_convex_is_not_taken_apart() {
    let (place, _) = aside();
    let cube = shapes::cuboid([1.0, 2.0, 3.0]);
    let parts = decompose(&cube, 8, HULL_CORNERS, &place).unwrap();
    assert_eq!(parts.len(), 1);
    assert!((volume(&parts[0]) - 6.0).abs() < 1e-12);
    for parts in [0, 1000] {
        let error = decompose(&cube, parts, HULL_CORNERS, &place).unwrap_err();
        assert_eq!(error.fault, Fault::BadValue);
    }
}

#[test]
fn exact_triangles_are_those_of_the_mesh() {
    let mesh = shapes::torus();
    let Geometry::TriangleMesh {
        vertices,
        triangles,
    } = exact(&mesh)
    else {
        panic!("not a triangle mesh");
    };
    assert_eq!((&*vertices, &*triangles), (&mesh.vertices, &mesh.triangles));
}
