//! Meshes and height fields.

use crate::random::Random;
use crate::rest::check_rest;
use crate::scene::{cuboid, flat_field, flat_mesh, on_world};
use linkwork::math::{Pose, Vec3};
use linkwork::model::Geometry;
use std::sync::Arc;

#[test]
fn a_box_on_a_fine_mesh_has_vertical_normals_wherever_it_is() {
    let mut random = Random(17);
    for ground in [flat_mesh(40, 4.0), flat_field(41, 41, 4.0)] {
        for _ in 0..50 {
            let depth = random.between(-2e-2, 5e-4);
            let (x, y) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
            let pose = Pose::at(x, y, 0.1 + depth).rotated(Vec3::z() * random.between(0.0, 3.0));
            let contacts = on_world(&ground, &cuboid(0.3, 0.2, 0.1), pose);
            assert_eq!(contacts.len(), 4);
            for c in &contacts {
                assert!((c.normal - Vec3::z()).norm() < 1e-12, "{:?}", c.normal);
                assert!((c.gap - depth).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn spheres_and_capsules_roll_over_flat_edges_without_a_bump() {
    for ground in [flat_mesh(8, 4.0), flat_field(9, 9, 4.0)] {
        for k in 0..200 {
            let x = -1.0 + 0.0101 * f64::from(k);
            let ball = Geometry::Sphere { radius: 0.2 };
            let c = on_world(&ground, &ball, Pose::at(x, 0.37 * x, 0.199));
            assert_eq!(c.len(), 1, "{x}: {c:?}");
            assert!((c[0].normal - Vec3::z()).norm() < 1e-12);
            assert!((c[0].gap + 0.001).abs() < 1e-12);
        }
        let capsule = Geometry::Capsule {
            radius: 0.1,
            half_length: 0.3,
        };
        let lying = Pose::at(0.03, 0.01, 0.1).rotated(Vec3::x() * std::f64::consts::FRAC_PI_2);
        check_rest(&ground, &capsule, lying, 2);
    }
}

#[test]
fn bodies_rest_on_ridges_and_in_valleys() {
    let heights = |middle: f64| Geometry::HeightField {
        nx: 3,
        ny: 2,
        heights: Arc::new(vec![0.0, 0.0, middle, middle, 0.0, 0.0]),
        size: [2.0, 2.0],
    };
    // A ball in a valley with slopes of 45 degrees touches both sides.
    let r = 0.2;
    let rest = Pose::at(0.0, 0.1, -1.0 + r * 2.0_f64.sqrt());
    let c = on_world(&heights(-1.0), &Geometry::Sphere { radius: r }, rest);
    assert_eq!(c.len(), 2, "{c:#?}");
    for c in &c {
        assert!(c.gap.abs() < 1e-9);
        assert!((c.normal.x.abs() - 0.5_f64.sqrt()).abs() < 1e-9);
    }
    // A box balanced on a ridge.
    let on_top = Pose::at(0.05, 0.0, 1.3);
    let c = on_world(&heights(1.0), &cuboid(0.3, 0.3, 0.3), on_top);
    assert_eq!(c.len(), 2, "{c:#?}");
    for c in &c {
        assert!((c.normal - Vec3::z()).norm() < 1e-9 && c.gap.abs() < 1e-9);
        assert!(c.point.x.abs() < 1e-9 && (c.point.y.abs() - 0.3).abs() < 1e-9);
    }
    // A ball and an ellipsoid on the ridge.
    for g in [
        Geometry::Sphere { radius: 0.2 },
        Geometry::Ellipsoid {
            radii: Vec3::new(0.2, 0.3, 0.2),
        },
    ] {
        let c = on_world(&heights(1.0), &g, Pose::at(0.0, 0.0, 1.2));
        assert_eq!(c.len(), 1, "{c:#?}");
        assert!((c[0].normal - Vec3::z()).norm() < 1e-6, "{c:#?}");
        assert!(c[0].gap.abs() < 1e-7, "{c:#?}");
    }
    // Sunk below the ground, a body is still pushed up.
    let ball = Geometry::Sphere { radius: 0.2 };
    let c = on_world(&flat_field(3, 3, 4.0), &ball, Pose::at(0.3, 0.2, -0.5));
    assert_eq!(c.len(), 1);
    assert!((c[0].gap + 0.7).abs() < 1e-12 && c[0].normal.z > 0.999);
}

#[test]
fn a_closed_mesh_bears_like_the_box_it_outlines() {
    let vertices: Vec<Vec3> = (0..8)
        .map(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 1 { 0.5 } else { -0.5 }))
        .collect();
    let quads: [[u32; 4]; 6] = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let triangles: Vec<[u32; 3]> = quads
        .iter()
        .flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]])
        .collect();
    let mesh = Geometry::TriangleMesh {
        vertices: Arc::new(vertices),
        triangles: Arc::new(triangles),
    };
    let g = cuboid(0.3, 0.3, 0.3);
    for x in [0.0, 0.1, 0.35] {
        for z in [0.8, 0.7999, 0.8005] {
            let c = on_world(&mesh, &g, Pose::at(x, 0.05, z));
            assert!((4..=8).contains(&c.len()), "{c:#?}");
            for c in &c {
                assert!((c.normal - Vec3::z()).norm() < 1e-9, "{:?}", c.normal);
                assert!((c.gap - (z - 0.8)).abs() < 1e-9);
            }
        }
    }
    // The mesh itself can move: on a plane and on another mesh.
    let c = on_world(&Geometry::HalfSpace, &mesh, Pose::at(0.0, 0.0, 0.5));
    assert_eq!(c.len(), 4);
    let c = on_world(&flat_mesh(4, 4.0), &mesh, Pose::at(0.1, 0.2, 0.4999));
    assert!((4..=8).contains(&c.len()), "{c:#?}");
    assert!(c.iter().all(|c| c.normal.z > 0.999_999));
}
