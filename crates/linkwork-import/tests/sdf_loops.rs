//! Loops of SDF files that rounding spoils: axes that are nearly parallel, trusses at their dead point.

mod common;

use common::sdf::{joint, link, model, read};
use common::told;
use linkwork::assemble::{AssembleSettings, Targets, assemble};
use linkwork::{Control, Settings, Simulator};
use linkwork_import::Imported;
use linkwork_solve::Status;

/// A parallelogram in the plane y = 0 on a link of the world, the axis of its last hinge turned by `off` rad.
fn parallelogram(off: f64) -> Imported {
    let axis = |z: f64| format!("<axis><xyz>0 1 {z}</xyz></axis>");
    let straight = axis(0.0);
    let links = [
        link("crank", "0 0 0 0 0 0"),
        link("rod", "0 0 1 0 0 0"),
        link("rocker", "2 0 0 0 0 0"),
    ];
    let joints = [
        joint("a", "revolute", "world", "crank", &straight),
        joint("b", "revolute", "crank", "rod", &straight),
        joint("d", "revolute", "world", "rocker", &straight),
        joint(
            "c",
            "revolute",
            "rod",
            "rocker",
            &format!("<pose>0 0 1 0 0 0</pose>{}", axis(off)),
        ),
    ];
    read(&model("1.7", &(links.concat() + &joints.concat())))
}

#[test]
fn axes_that_are_parallel_but_for_rounding_let_a_loop_move() {
    let settings = AssembleSettings::default();
    let turned = |read: &Imported| {
        let m = &read.model;
        let (a, c) = m.coordinate_named("a").unwrap();
        let targets = Targets::none().hard(a, c, 0.5);
        assemble(m, &m.initial_state(), &targets, &settings)
    };
    let rounded = parallelogram(7e-8);
    assert!(told(
        &rounded,
        "'a' and 'c', in one loop, differ by 7.0e-8 rad"
    ));
    assert!(turned(&rounded).unwrap().residual <= 1e-10);
    let exact = parallelogram(0.0);
    assert!(!told(&exact, "differ by"));
    turned(&exact).unwrap();
    // What is meant is kept, and does not move.
    let oblique = parallelogram(1e-4);
    assert!(!told(&oblique, "differ by"));
    assert!(turned(&oblique).is_err());
}

/// A shin on a spring and a rod, hinged 0.1 m apart on the world, with a slide along `slide` between them.
fn truss(rod: &str, slide: &str) -> Imported {
    let axis = |xyz: &str, inner: &str| format!("<axis><xyz>{xyz}</xyz>{inner}</axis>");
    let spring = "<dynamics><damping>0.1</damping><spring_stiffness>100</spring_stiffness>\
        <spring_reference>0.2</spring_reference></dynamics>";
    let parts = [
        link("shin", "0 0 0 0 0 0"),
        link("rod", rod),
        joint("knee", "revolute", "world", "shin", &axis("0 1 0", spring)),
        joint("pin", "revolute", "world", "rod", &axis("0 1 0", "")),
        joint("leaf", "prismatic", "shin", "rod", &axis(slide, "")),
    ];
    read(&model("1.7", &parts.concat()))
}

#[test]
fn a_truss_at_its_dead_point_is_held_and_stays() {
    // Two roundings of 4 · 10⁻⁵ and none.
    for slide in ["0 0 1", "4e-5 0 1", "-4e-5 0 -1"] {
        let read = truss("0.1 0 0 0 0 0", slide);
        assert!(told(&read, "'knee', 'pin' and 'leaf' make a truss"));
        let m = &read.model;
        assert_eq!(m.couplings().len(), 1);
        // The spring pulls with 20 N m.
        let mut simulator = Simulator::new(m.clone(), Settings::default()).unwrap();
        let control = Control::new(m);
        for _ in 0..200 {
            let report = simulator.step(&control).unwrap();
            assert_eq!(report.status, Status::Converged, "{slide}");
        }
        let open = m.openness(simulator.state()).0;
        assert!(open[0].max(open[1]) <= 1e-9, "{slide}: {open:?}");
        let moved = simulator.state().coordinates.iter();
        assert!(moved.fold(0.0, |a: f64, q| a.max(q.abs())) < 1e-9);
    }
}

#[test]
fn what_rows_hold_or_what_can_move_is_not_held() {
    // A slide along the line of the hinges, one at an angle, and hinges on one axis.
    for (rod, slide) in [
        ("0.1 0 0 0 0 0", "1 0 0"),
        ("0.1 0 0 0 0 0", "0.3 0 1"),
        ("0.1 0 0 0 0 0", "0 1 0"),
        ("0 0.1 0 0 0 0", "0 0 1"),
    ] {
        let read = truss(rod, slide);
        assert!(!told(&read, "truss"), "{slide}");
        assert!(read.model.couplings().is_empty(), "{slide}");
    }
}
