//! Cassie in SDF: native loops, gearboxes, rotors, limits that exclude home, knee springs that are trusses.

mod common;

use common::{models, told};
use linkwork::mobility::mobility;
use linkwork::model::Model;
use linkwork::{Control, Settings, Simulator};
use linkwork_import::{Imported, Options, load};
use linkwork_solve::Status;
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Largest opening of a joint after any step, m and rad.
const CLOSED: f64 = 1e-8;

fn cassie(models: &Path, file: &str) -> Imported {
    let options = Options::with(|s| {
        s.assets = Some(models.to_owned());
        s.visuals = false;
    });
    let path = models.join("cassie_description/robots").join(file);
    load(&path, &options).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn cassie_loads_with_its_loops_and_gearboxes() {
    let Some(models) = models() else { return };
    // Links, joints of the tree, closures, gearboxes and fixed trusses, sum of joint degrees of freedom without the
    // floating base (gearboxes count 5), mobility, rank and rows of closures, gearboxes and fixed joints.
    let cases = [
        ("cassie.sdf", 35, 34, 6, [10, 2], 98, 16, (28, 38)),
        ("cassie_v2.sdf", 23, 22, 4, [0, 0], 34, 18, (10, 12)),
    ];
    for (file, links, tree, closures, [gearboxes, held], freedoms, mobile, (rank, rows)) in cases {
        let read = cassie(&models, file);
        let m = &read.model;
        let found = (read.counts.links, read.counts.joints, read.counts.closures);
        assert_eq!(found, (links, tree, closures), "{file}");
        assert_eq!(m.couplings().len(), gearboxes + held, "{file}");
        let coordinates: usize = m.joints().iter().map(|j| j.axes.len()).sum();
        assert_eq!(coordinates + 5 * gearboxes, freedoms, "{file}");
        assert_eq!(
            read.counts.degrees_of_freedom,
            6 + tree_freedom(&read),
            "{file}"
        );
        let closed = m.closed(&m.initial_state()).unwrap();
        let ([linear, angular], _) = m.openness(&closed.state);
        assert!(
            linear.max(angular) <= 1e-9,
            "{file}: {linear:e} {angular:e}"
        );
        let report = mobility(m, &closed.state);
        let carried: usize = m
            .tree()
            .iter()
            .map(|j| m.joint(*j).kind.locked().len())
            .sum();
        assert_eq!(
            (report.rank - carried, report.rows - carried),
            (rank, rows),
            "{file}"
        );
        assert_eq!(report.degrees_of_freedom, mobile, "{file}");
    }
}

fn tree_freedom(read: &Imported) -> usize {
    let m = &read.model;
    m.tree().iter().map(|j| m.joint(*j).axes.len()).sum()
}

#[test]
fn cassie_starts_within_its_limits_and_home_stays_what_the_file_says() {
    let Some(models) = models() else { return };
    for file in ["cassie.sdf", "cassie_v2.sdf"] {
        let read = cassie(&models, file);
        let m = &read.model;
        let home = m.initial_state();
        assert!(home.coordinates.iter().all(|q| q.abs() < 1e-12), "{file}");
        let start = m.closed(&home).unwrap();
        // Cranks and feet of both legs, which go the same way.
        assert_eq!(start.outside.len(), 4, "{file}");
        for outside in &start.outside {
            let name = &m.joint(outside.joint).name;
            assert!(outside.by <= 0.0, "{file} {name}: {outside:?}");
            assert!((-0.66..-0.6109).contains(&outside.to), "{file} {name}");
        }
        // Unrelated coordinates do not change.
        for (moved, body) in start.moved.iter().zip(m.bodies()) {
            let of_foot = ["foot", "plantar"].iter().any(|p| body.name.contains(p));
            let far = moved.distance.max(moved.angle);
            assert!(of_foot || far < 1e-9, "{file} {}: {far:e}", body.name);
        }
    }
}

#[test]
fn what_the_files_rounding_spoils_is_told() {
    let Some(models) = models() else { return };
    let full = cassie(&models, "cassie.sdf");
    assert!(told(&full, "make a truss at its dead point"));
    let plain = cassie(&models, "cassie_v2.sdf");
    assert!(told(
        &plain,
        "'right-tarsus-crank-joint' and 'right-foot-op', in one loop, differ by"
    ));
}

#[test]
fn cassie_falls_and_moves_with_closed_loops() {
    let Some(models) = models() else { return };
    for file in ["cassie.sdf", "cassie_v2.sdf"] {
        let model = cassie(&models, file).model;
        for torque in [0.0, 0.05] {
            run(&model, file, torque);
        }
    }
}

/// Simulate from the closed start with motors that turn by sines of `torque` N m, for LINKWORK_LOOP_SECONDS or
/// a little.
fn run(model: &Arc<Model>, file: &str, torque: f64) {
    let settings = Settings::default();
    let seconds = std::env::var("LINKWORK_LOOP_SECONDS").ok();
    let seconds: f64 = seconds.and_then(|s| s.parse().ok()).unwrap_or(0.2);
    let steps = (seconds / settings.dt).round() as usize;
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let start = model.closed(simulator.state()).unwrap().state;
    simulator.set_state(start).unwrap();
    let mut control = Control::new(model);
    let (mut failed, mut open) = (Vec::new(), [0.0f64; 2]);
    let began = Instant::now();
    for step in 0..steps {
        let state = simulator.state();
        let wave = |i: usize| torque * (TAU * (0.5 + 0.1 * i as f64) * state.time).sin();
        let torques: Vec<f64> = (0..model.actuators().len()).map(wave).collect();
        model.actuate(&torques, state, &mut control);
        let report = simulator.step(&control).unwrap();
        if report.status != Status::Converged {
            failed.push(step);
        }
        open[0] = open[0].max(report.closure_linear);
        open[1] = open[1].max(report.closure_angular);
    }
    println!(
        "| {file} | {torque} N m | {steps} | {} | {:.1e} m, {:.1e} rad | {:.1} s |",
        failed.len(),
        open[0],
        open[1],
        began.elapsed().as_secs_f64()
    );
    assert!(open[0].max(open[1]) <= CLOSED, "{file}: {open:?}");
    assert!(failed.is_empty(), "{file}: steps {failed:?}");
}
