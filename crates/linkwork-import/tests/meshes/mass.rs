//! Volume, centre and inertia.

use crate::support::{aside, loaded, tells};
use crate::{shapes, writers};
use linkwork::math::{Mat3, Vec3, principal_moments};
use linkwork_import::Fault;
use linkwork_import::mesh::{InertiaMode, Mesh, MeshMass};

fn weigh(mesh: &Mesh, mode: InertiaMode) -> MeshMass {
    let (place, mut notices) = aside();
    let mass = mesh.mass(mode, &place, &mut notices).unwrap();
    assert!(notices.all().is_empty(), "{notices:?}");
    mass
}

/// Largest difference relative to the size of the compared value.
fn difference(a: &MeshMass, b: &MeshMass) -> f64 {
    let volume = (a.volume / b.volume - 1.0).abs();
    let centre = (a.centre - b.centre).norm() / b.volume.cbrt();
    let inertia = (a.inertia - b.inertia).norm() / b.inertia.norm();
    volume.max(centre).max(inertia)
}

fn moved(mesh: &Mesh, by: Vec3) -> Mesh {
    Mesh {
        vertices: mesh.vertices.iter().map(|v| v + by).collect(),
        triangles: mesh.triangles.clone(),
        ..Mesh::default()
    }
}

#[test]
fn box_and_tetrahedron_have_their_closed_forms() {
    let [x, y, z] = [0.5, 0.25, 2.0];
    let volume = x * y * z;
    let whole = MeshMass {
        volume,
        centre: Vec3::new(x, y, z) / 2.0,
        inertia: Mat3::from_diagonal(&Vec3::new(y * y + z * z, x * x + z * z, x * x + y * y))
            * (volume / 12.0),
    };
    let corner = MeshMass {
        volume: 1.0 / 6.0,
        centre: Vec3::repeat(0.25),
        // ∫x² = 1/60 and ∫xy = 1/120 about the corner, less the volume at the centre.
        inertia: Mat3::from_diagonal_element(2.0 / 60.0 - 2.0 / 96.0)
            + (Mat3::from_element(1.0) - Mat3::identity()) * (1.0 / 96.0 - 1.0 / 120.0),
    };
    let cases = [
        (shapes::cuboid([x, y, z]), whole),
        (shapes::tetrahedron(), corner),
    ];
    for (mesh, expected) in cases {
        for mode in [InertiaMode::Exact, InertiaMode::Legacy, InertiaMode::Convex] {
            let found = weigh(&mesh, mode);
            assert!(difference(&found, &expected) < 1e-14, "{mode:?} {found:?}");
        }
        // A kilometre from the origin, with the digits that are left there.
        let far = moved(&mesh, Vec3::new(1024.0, -2048.0, 512.0));
        let found = weigh(&far, InertiaMode::Exact);
        assert!((found.volume / expected.volume - 1.0).abs() < 1e-12);
        let drift = (found.inertia - expected.inertia).norm() / expected.inertia.norm();
        assert!(drift < 1e-12, "{drift:e}");
    }
}

#[test]
fn a_shell_has_the_closed_form_of_its_faces() {
    // A cube of edge 2.
    let shell = weigh(&shapes::cuboid([2.0; 3]), InertiaMode::Shell);
    // Plates across the axis: 2·4·(4 + 4)/12; along it: 4·(4·4/12 + 4·1).
    let moment = 2.0 * 4.0 * 8.0 / 12.0 + 4.0 * (4.0 * 4.0 / 12.0 + 4.0);
    let expected = MeshMass {
        volume: 24.0,
        centre: Vec3::repeat(1.0),
        inertia: Mat3::from_diagonal_element(moment),
    };
    assert!(difference(&shell, &expected) < 1e-14, "{shell:?}");
}

#[test]
fn every_format_weighs_the_same() {
    for (shape, mesh) in shapes::all() {
        for mode in [
            InertiaMode::Exact,
            InertiaMode::Legacy,
            InertiaMode::Convex,
            InertiaMode::Shell,
        ] {
            let expected = weigh(&mesh, mode);
            for (name, bytes) in writers::all(&mesh) {
                let found = weigh(&loaded(name, bytes), mode);
                let off = difference(&found, &expected);
                assert!(off < 1e-12, "{shape} {name} {mode:?}: {off:e}");
            }
        }
    }
}

#[test]
fn an_angle_is_heavier_in_the_modes_that_fill_it() {
    let angle = shapes::angle();
    let volume = |mode| weigh(&angle, mode).volume;
    assert!((volume(InertiaMode::Exact) - 0.4375).abs() < 1e-15);
    // The hull adds the triangle between the arms' ends: 1.5 · 1.5 / 2 · 0.25.
    assert!((volume(InertiaMode::Convex) - 0.71875).abs() < 1e-15);
    assert!(volume(InertiaMode::Legacy) > 0.5);
}

/// Mass and principal moments by MuJoCo 4.0.0 (density 1) of the same vertices and faces, which it holds
/// in single precision, in the order exact, legacy, convex, shell.
#[test]
fn agrees_with_mujoco() {
    for (mesh, expected) in [
        (shapes::angle(), MUJOCO_ANGLE),
        (shapes::torus(), MUJOCO_TORUS),
    ] {
        let modes = [
            InertiaMode::Exact,
            InertiaMode::Legacy,
            InertiaMode::Convex,
            InertiaMode::Shell,
        ];
        for (mode, [mass, moments @ ..]) in modes.into_iter().zip(expected) {
            let found = weigh(&mesh, mode);
            let mut principal: [f64; 3] = principal_moments(&found.inertia).into();
            principal.sort_by(|a, b| b.total_cmp(a));
            assert!(
                (found.volume / mass - 1.0).abs() < 1e-9,
                "{mode:?} {}",
                found.volume
            );
            for (p, m) in principal.iter().zip(moments) {
                assert!((p - m).abs() < 1e-9 * moments[0], "{mode:?} {principal:?}");
            }
        }
    }
}

const MUJOCO_ANGLE: [[f64; 4]; 4] = [
    [
        0.4374999999999999,
        0.295014880952381,
        0.2301432291666667,
        0.06942894345238099,
    ],
    [
        0.5404376208897484,
        0.32815161019998346,
        0.2536258739321405,
        0.07972638806507056,
    ],
    [
        0.71875,
        0.4007019927536232,
        0.28434244791666674,
        0.12384652400362318,
    ],
    [
        5.5,
        4.151988636363636,
        3.2213541666666656,
        1.060842803030303,
    ],
];
const MUJOCO_TORUS: [[f64; 4]; 4] = [
    [
        1.7201165115637616,
        1.8215363324869571,
        0.9484887697004041,
        0.9484887697004035,
    ],
    [
        2.804402645070715,
        2.1890615430284206,
        1.1478305054979037,
        1.1478305054979037,
    ],
    [
        2.8410205518304026,
        2.167181386969918,
        1.1605326975656618,
        1.160532697565661,
    ],
    [
        11.720407471694067,
        13.1793707640181,
        7.103117152340157,
        7.1031171523401495,
    ],
];

#[test]
fn scaling_multiplies_moments_and_mirrors_keep_looking_outwards() {
    let (place, _) = aside();
    let mesh = shapes::angle();
    let plain = weigh(&mesh, InertiaMode::Exact);
    for factors in [[2., 2., 2.], [-2., 2., 2.], [-2., -2., 2.], [-2., -2., -2.]] {
        let factors = Vec3::from(factors);
        let scaled = weigh(&mesh.scaled(factors, &place).unwrap(), InertiaMode::Exact);
        let signs = Mat3::from_diagonal(&factors.map(f64::signum));
        let expected = MeshMass {
            volume: plain.volume * 8.0,
            centre: plain.centre.component_mul(&factors),
            inertia: signs * plain.inertia * signs * 32.0,
        };
        assert!(difference(&scaled, &expected) < 1e-14, "{factors}");
    }
    for bad in [
        [0.0, 1.0, 1.0],
        [f64::NAN, 1.0, 1.0],
        [1.0, f64::INFINITY, 1.0],
        [1e308, 1.0, 1.0],
    ] {
        let error = mesh.scaled(Vec3::from(bad), &place).unwrap_err();
        assert_eq!(error.fault, Fault::BadValue);
    }
}

#[test]
fn inverted_open_and_flat_surfaces_are_told() {
    let (place, mut notices) = aside();
    let mut inverted = shapes::angle();
    inverted.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let found = inverted
        .mass(InertiaMode::Exact, &place, &mut notices)
        .unwrap();
    assert!(tells(&notices, "face inwards"));
    assert!(difference(&found, &weigh(&shapes::angle(), InertiaMode::Exact)) < 1e-14);

    let mut open = shapes::cuboid([1.0; 3]);
    open.triangles.pop();
    assert!(!open.closed());
    open.mass(InertiaMode::Exact, &place, &mut notices).unwrap();
    assert!(tells(&notices, "not closed"));

    let flat = loaded(
        "flat.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n",
    );
    for mode in [InertiaMode::Exact, InertiaMode::Legacy, InertiaMode::Convex] {
        let error = flat.mass(mode, &place, &mut notices).unwrap_err();
        assert_eq!(error.fault, Fault::Mechanism);
    }
    let shell = flat.mass(InertiaMode::Shell, &place, &mut notices).unwrap();
    assert!((shell.volume - 1.0).abs() < 1e-15);
}
