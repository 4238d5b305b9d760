//! The readers of damaged bytes.

use crate::seeds;
use linkwork::math::Twist;
use linkwork::mobility::mobility_within;
use linkwork::model::Model;
use linkwork::{Control, FailurePolicy, Settings, Simulator};
use linkwork_import::{Assets, Notices, Options, Place};
use linkwork_solve::solvers::all_solvers;
use linkwork_solve::{Problem, Solution, SolverSettings, Status, fclib};
use std::path::Path;
use std::sync::Arc;

/// One reader.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// How the name of its file ends.
    pub file: &'static str,
    /// Valid inputs, written with the help of a folder.
    pub seeds: fn(&Path) -> Vec<Vec<u8>>,
    /// Read the file, which has the bytes; whether that went well.
    pub run: fn(&Path, &[u8]) -> bool,
}

pub(crate) const fn target(
    name: &'static str,
    file: &'static str,
    seeds: fn(&Path) -> Vec<Vec<u8>>,
    run: fn(&Path, &[u8]) -> bool,
) -> Target {
    Target {
        name,
        file,
        seeds,
        run,
    }
}

/// All of them.
pub const TARGETS: &[Target] = &[
    target("mjcf", "robot.xml", seeds::mjcf, model),
    target("urdf", "robot.urdf", seeds::urdf, model),
    target("sdf", "robot.sdf", seeds::sdf, model),
    target("toml", "robot.linkwork.toml", seeds::toml, model),
    target("json", "robot.linkwork.json", seeds::json, model),
    target("yaml", "robot.loops.yaml", seeds::yaml, loops),
    target("stl", "part.stl", seeds::stl, mesh),
    target("obj", "part.obj", seeds::obj, mesh),
    target("ply", "part.ply", seeds::ply, mesh),
    target("dae", "part.dae", seeds::dae, mesh),
    target("gltf", "part.gltf", seeds::gltf, mesh),
    target("glb", "part.glb", seeds::glb, mesh),
    target("msh", "part.msh", seeds::msh, mesh),
    target("fclib", "problem.hdf5", seeds::fclib, problem_of_fclib),
    target("problem", "problem.json", seeds::problem, solve),
    target("recording", "run.lwrec", seeds::recording, recording),
    target("checkpoint", "run.lwck", seeds::checkpoint, checkpoint),
    target("viewer", "message.json", seeds::viewer, viewer),
];

fn model(file: &Path, _: &[u8]) -> bool {
    let Ok(imported) = linkwork_import::load(file, &Options::default()) else {
        return false;
    };
    examine(&imported.model);
    true
}

/// What commands do with a model that was read: count its degrees of freedom, and take two steps of little work.
fn examine(model: &Arc<Model>) {
    let _ = mobility_within(model, &model.initial_state(), 1e6);
    let mut settings = Settings::with(|s| s.failure = FailurePolicy::Accept);
    settings.solve.max_iterations = 20;
    if let Ok(mut simulator) = Simulator::new(model.clone(), settings) {
        for _ in 0..2 {
            if simulator.step(&Control::new(model)).is_err() {
                return;
            }
        }
        let finite = |t: &Twist| t.linear.iter().chain(&t.angular).all(|v| v.is_finite());
        assert!(
            simulator.state().twists.iter().all(finite),
            "a step ends with NaN"
        );
    }
}

/// A loops file for a valid robot.
fn loops(file: &Path, _: &[u8]) -> bool {
    let robot = file.with_file_name("robot.urdf");
    if !robot.exists() {
        std::fs::write(&robot, seeds::ROBOT).expect("a scratch folder that can be written to");
    }
    linkwork_import::load(&robot, &Options::default()).is_ok()
}

fn mesh(file: &Path, _: &[u8]) -> bool {
    let folder = file.parent().expect("a file in the scratch folder");
    let assets = Assets::below(folder).expect("the scratch folder");
    let place = Place::file(file);
    let mut notices = Notices::default();
    linkwork_import::mesh::load(&assets, file, &place, &mut notices).is_ok()
}

fn problem_of_fclib(file: &Path, _: &[u8]) -> bool {
    fclib::read(file).is_ok()
}

/// Every solver on the problem: none may panic, and what one calls converged has no NaN.
fn solve(file: &Path, _: &[u8]) -> bool {
    let Ok(problem) = Problem::load(file) else {
        return false;
    };
    for entry in all_solvers() {
        let settings = SolverSettings {
            max_iterations: 30,
            ..SolverSettings::default()
        };
        let mut solver = entry.make(settings, false);
        if solver.supports(&problem).is_err() {
            continue;
        }
        let mut x = Solution::default();
        let report = solver.solve(&problem, &mut x, &mut ());
        if report.status == Status::Converged {
            let finite = x.lambda.iter().chain(&x.u_plus).all(|v| v.is_finite());
            assert!(finite, "{} calls NaN converged", entry.name);
        }
    }
    true
}

fn recording(file: &Path, _: &[u8]) -> bool {
    let Ok(recording) = linkwork_record::Recording::open(file) else {
        return false;
    };
    (0..recording.len().min(20)).all(|i| recording.step(i).is_ok())
}

fn checkpoint(file: &Path, _: &[u8]) -> bool {
    linkwork_record::load_checkpoint(file, None).is_ok()
}

fn viewer(_: &Path, bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes);
    text.is_ok_and(|text| linkwork_view::command::Command::parse(text).is_ok())
}
