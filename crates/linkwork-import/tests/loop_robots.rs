//! Third-party robots with loops: they close, have the known rank, and move with closed loops and without a failed
//! solve, passive and driven.
//!
//! LINKWORK_LOOP_SECONDS sets the length of the runs; each prints its results.

mod common;

use linkwork::actuators::{Actuator, Transmission};
use linkwork::math::Vec3;
use linkwork::mobility::mobility;
use linkwork::model::{BodyId, Model};
use linkwork::{Control, FailurePolicy, Outcome, Settings, Simulator, State};
use linkwork_import::{Imported, Options, load};
use linkwork_solve::Status;
use std::f64::consts::TAU;
use std::path::Path;
use std::time::Instant;

/// Largest opening of a joint after any step, m and rad.
const CLOSED: f64 = 1e-8;

/// A robot: its file, the stored state to start from, whether its root floats, and rank and rows of closures
/// and couplings where it starts.
struct Robot {
    file: &'static str,
    key: Option<&'static str>,
    floating: bool,
    rank: (usize, usize),
}

const fn robot(file: &'static str, rank: (usize, usize)) -> Robot {
    Robot {
        file,
        key: None,
        floating: false,
        rank,
    }
}

/// Axes of Cassie's plantar loops are parallel, so one of three rows is redundant: MuJoCo has two singular values of
/// 1e-16 in the home pose, and in the stored state once its loops are closed. The manifest's 12 of 12 is MuJoCo's count
/// in the stored state itself, with these loops open by 1.5 mm.
const CASSIE: Robot = Robot {
    key: Some("home"),
    ..robot("agility_cassie/cassie.xml", (10, 12))
};
const GRIPPER: Robot = robot("robotiq_2f85/2f85.xml", (5, 7));
const SOFT_FOOT: Robot = robot("iit_softfoot/softfoot.xml", (55, 60));
const DELTA: Robot = robot("epr_robot_delta/robot.urdf", (9, 18));
const DISNEY: Robot = Robot {
    floating: true,
    ..robot("epr_disney_robot/robot.urdf", (36, 36))
};
const DIGIT: Robot = Robot {
    floating: true,
    ..robot("epr_digit_like_2legs/robot.urdf", (36, 36))
};
const FOUR_BAR: Robot = robot("genesis_four_bar/four_bar_linkage.xml", (2, 3));
const WELDED: Robot = robot("genesis_four_bar/four_bar_linkage_weld.xml", (3, 6));

impl Robot {
    fn read(&self, models: &Path) -> Imported {
        let options = Options::with(|s| {
            s.assets = Some(models.to_owned());
            s.visuals = false;
            s.floating = self.floating;
        });
        load(&models.join(self.file), &options).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Initial state, as in the file.
    fn given(&self, model: &Model) -> State {
        let Some(key) = self.key else {
            return model.initial_state();
        };
        let found = model.keyframes().iter().find(|k| k.name == key);
        let mut state = model.keyframe_state(found.expect(key));
        state.time = 0.0;
        state
    }

    /// Simulated from its closed start.
    fn run(&self, models: &Path, seconds: f64, drive: Drive) {
        let mut model = self.read(models).model;
        let start = model.closed(&self.given(&model)).unwrap().state;
        if let Drive::Servos(_) = drive {
            model = model.with_servos().unwrap();
        }
        let settings = Settings::with(|s| {
            // Dead points and jams may need shorter steps; a failure is one of the shortest of them too.
            s.failure = FailurePolicy::Substep { depth: 4 };
        });
        let steps = (longer().unwrap_or(seconds) / settings.dt).round() as usize;
        let mut simulator = Simulator::new(model.clone(), settings).unwrap();
        simulator.set_state(start.clone()).unwrap();
        let mut control = Control::new(&model);
        let (mut failed, mut open, mut most, mut repeated) = (Vec::new(), [0.0f64; 2], 0, 0);
        let began = Instant::now();
        for step in 0..steps {
            drive.set(&model, &start, simulator.state(), &mut control);
            let report = simulator.step(&control).unwrap();
            repeated += usize::from(matches!(report.outcome, Outcome::Substepped(_)));
            if report.status != Status::Converged {
                failed.push(step);
            }
            open[0] = open[0].max(report.closure_linear);
            open[1] = open[1].max(report.closure_angular);
            most = most.max(report.contacts);
        }
        println!(
            "| {} | {drive:?} | {steps} | {} | {repeated} | {:.1e} m, {:.1e} rad | {most} | {:.1} s |",
            self.file,
            failed.len(),
            open[0],
            open[1],
            began.elapsed().as_secs_f64()
        );
        assert!(simulator.state().is_finite());
        assert!(open[0].max(open[1]) <= CLOSED, "{}: {open:?}", self.file);
        assert!(failed.is_empty(), "{}: steps {failed:?}", self.file);
    }
}

/// Seconds to simulate instead of a test's own.
fn longer() -> Option<f64> {
    std::env::var("LINKWORK_LOOP_SECONDS").ok()?.parse().ok()
}

/// What drives a robot.
#[derive(Clone, Copy, Debug)]
enum Drive {
    /// Nothing; servos of the file hold.
    Nothing,
    /// Controls as sines about the middle of their ranges, of this share of them.
    Controls(f64),
    /// A servo in the place of every motor, as a sine of this amplitude, rad, about where it starts.
    Servos(f64),
}

impl Drive {
    fn set(self, model: &Model, start: &State, state: &State, control: &mut Control) {
        let wave = |i: usize| {
            let frequency = 0.2 + 0.3 * (0.618 * i as f64).fract();
            (TAU * frequency * state.time).sin()
        };
        let value = |(i, a): (usize, &Actuator)| match (self, &a.transmission) {
            (
                Drive::Servos(amplitude),
                Transmission::Coordinate {
                    joint, coordinate, ..
                },
            ) => {
                let at = model.joint(*joint).first_coordinate + coordinate;
                start.coordinates[at] + amplitude * wave(i)
            }
            (Drive::Controls(share), _) => {
                let force = a.force_range.unwrap_or([-1.0, 1.0]);
                let [low, high] = a.control_range.unwrap_or(force);
                (0.5 * (high - low) * share * wave(i)).clamp(low, high)
            }
            _ => 0.0,
        };
        let controls: Vec<f64> = model.actuators().iter().enumerate().map(value).collect();
        model.actuate(&controls, state, control);
    }
}

#[test]
fn loops_close_with_the_rank_that_is_known() {
    let Some(models) = common::models() else {
        return;
    };
    for robot in [
        CASSIE, GRIPPER, SOFT_FOOT, DELTA, DISNEY, DIGIT, FOUR_BAR, WELDED,
    ] {
        let model = robot.read(&models).model;
        let closed = model.closed(&robot.given(&model)).unwrap();
        let ([m, rad], _) = model.openness(&closed.state);
        assert!(m.max(rad) <= 1e-9, "{}: {m:e} m, {rad:e} rad", robot.file);
        assert_eq!(
            closure_rank(&model, &closed.state),
            robot.rank,
            "{}",
            robot.file
        );
    }
}

/// Rank and rows of closures and couplings, given that the tree holds.
fn closure_rank(model: &Model, state: &State) -> (usize, usize) {
    let report = mobility(model, state);
    let tree = model.tree().iter();
    let carried: usize = tree.map(|j| model.joint(*j).kind.locked().len()).sum();
    (report.rank - carried, report.rows - carried)
}

#[test]
fn robots_that_are_let_go_keep_their_loops_closed() {
    let Some(models) = common::models() else {
        return;
    };
    for (robot, seconds) in [
        (CASSIE, 1.0),
        (GRIPPER, 0.3),
        (DELTA, 0.3),
        (FOUR_BAR, 1.0),
        (WELDED, 1.0),
    ] {
        robot.run(&models, seconds, Drive::Nothing);
    }
}

#[test]
fn driven_robots_keep_their_loops_closed() {
    let Some(models) = common::models() else {
        return;
    };
    // The delta robot weighs 23 g, and its file allows its motors 1 N m, a hundred times what carries it: it is
    // led, not pushed.
    for (robot, seconds, drive) in [
        (CASSIE, 0.3, Drive::Controls(0.5)),
        (GRIPPER, 0.3, Drive::Controls(0.5)),
        (FOUR_BAR, 5.0, Drive::Controls(0.5)),
        (WELDED, 1.0, Drive::Servos(0.5)),
        (DELTA, 0.3, Drive::Servos(0.2)),
    ] {
        robot.run(&models, seconds, drive);
    }
}

#[test]
fn bipeds_with_parallel_legs_keep_their_loops_closed() {
    let Some(models) = common::models() else {
        return;
    };
    for (robot, drive) in [
        (DISNEY, Drive::Nothing),
        (DISNEY, Drive::Controls(0.5)),
        (DIGIT, Drive::Nothing),
        (DIGIT, Drive::Servos(0.2)),
    ] {
        robot.run(&models, 0.1, drive);
    }
}

#[test]
fn a_soft_foot_keeps_its_loops_closed() {
    let Some(models) = common::models() else {
        return;
    };
    SOFT_FOOT.run(&models, 0.1, Drive::Nothing);
    SOFT_FOOT.run(&models, 0.1, Drive::Servos(0.1));
}

/// The base of the gripper is a mesh of 34 000 triangles with thin walls; bodies that fall on it stay on it. The cord
/// that carries the box of the scene is cut.
#[test]
fn a_box_falls_on_the_gripper() {
    let Some(models) = common::models() else {
        return;
    };
    let model = robot("robotiq_2f85/scene.xml", (0, 0)).read(&models).model;
    let mut data = model.data().clone();
    let tendons = data.tendons.len();
    data.tendons.retain(|t| t.path.is_empty());
    assert_eq!(data.tendons.len(), tendons - 1, "one is a cord");
    let model = data.build().unwrap();
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let control = Control::new(&model);
    let mut touched = 0;
    for _ in 0..100 {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged);
        assert!(report.penetration < 1e-4, "{} m deep", report.penetration);
        touched += usize::from(report.contacts > 2);
    }
    assert!(touched > 5);
}

/// Nine rows of the delta robot are redundant and its bodies differ by 700 in mass: of the reactions only resultants
/// are unique, and these are what moves every body.
#[test]
fn reactions_of_the_delta_robot_carry_it() {
    let Some(models) = common::models() else {
        return;
    };
    let model = DELTA.read(&models).model;
    let start = model.closed(&DELTA.given(&model)).unwrap().state;
    let model = model.clone();
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    simulator.set_state(start).unwrap();
    for _ in 0..20 {
        let report = simulator.step(&Control::new(&model)).unwrap();
        assert_eq!(report.contacts, 0);
    }
    let weights = model.bodies().iter().map(|b| b.mass * model.gravity());
    let mut forces: Vec<Vec3> = weights.collect();
    for reaction in simulator.joint_reactions() {
        let joint = model.joint(reaction.joint);
        forces[joint.follower.index()] += reaction.force;
        if let Some(base) = joint.base {
            forces[base.index()] -= reaction.force;
        }
    }
    let largest = forces.iter().fold(0.0, |m: f64, f| m.max(f.norm()));
    for (i, force) in forces.iter().enumerate() {
        let net = simulator.net_force(BodyId(i as u32)).force;
        let apart = (force - net).norm();
        assert!(
            apart < 1e-6 * largest,
            "{}: {apart} of {largest} N",
            model.bodies()[i].name
        );
    }
}
