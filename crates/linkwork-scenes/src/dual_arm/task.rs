//! The task of the two arms, stage by stage: a state machine that depends on state and time.
//!
//! The stage and its start time are stored in [`Control::memory`], so that a resumed run continues in it.

use super::super::robot::{ramp, track};
use super::reach::Angles;
use super::robot::{Bend, FINGER_GAIN, FINGER_TORQUE, Robot};
use linkwork::Control;
use linkwork::State;
use linkwork::math::{Pose, Vec3};
use linkwork::model::Model;

/// Parts that a straight way of the hand is divided in.
const PARTS: usize = 16;
/// Time in which a hand opens or closes, s.
const GRIP_TIME: f64 = 0.8;
/// Maximum time for which a stage waits for its result, s.
const PATIENCE: f64 = 2.0;

/// When a stage is over, once its ways have been gone.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Until {
    /// At once.
    Arrived,
    /// After so many seconds more.
    Rested(f64),
    /// When these hands are in contact with the object they hold.
    Held([bool; 2]),
    /// On the way already, when this hand is kept from going on.
    Blocked(usize),
}

/// What each arm does in a stage.
pub(super) struct Stage {
    paths: [Vec<Angles>; 2],
    grips: [[Bend; 2]; 2],
    duration: f64,
    until: Until,
}

/// Stages as they are planned, with where the arms then are.
pub(super) struct Task {
    pub stages: Vec<Stage>,
    robots: [Robot; 2],
    at: [Angles; 2],
    hands: [Pose; 2],
    grips: [Bend; 2],
}

/// How far behind its target a hand is that something blocks, m.
const BLOCKED: f64 = 0.003;
/// Share of its motors' torque with which a finger that holds something bends.
const FIRM: f64 = 0.5;

impl Task {
    /// From these angles on.
    pub fn new(robots: [Robot; 2], at: [Angles; 2], grips: [Bend; 2]) -> Self {
        let hands = [0, 1].map(|i| robots[i].chain.hand(&at[i]));
        Self {
            stages: Vec::new(),
            robots,
            at,
            hands,
            grips,
        }
    }

    /// Move the hands straight to these poses (`None`: stay) within `duration` (s).
    pub fn go(&mut self, duration: f64, goals: [Option<Pose>; 2], until: Until) {
        let paths = [0, 1].map(|i| {
            let Some(goal) = goals[i] else {
                return vec![self.at[i]];
            };
            let chain = &self.robots[i].chain;
            let path = chain.path(&self.hands[i], &goal, &self.at[i], PARTS);
            self.hands[i] = goal;
            self.at[i] = path[PARTS];
            path
        });
        let grips = self.grips.map(|g| [g, g]);
        self.stages.push(Stage {
            paths,
            grips,
            duration,
            until,
        });
    }

    /// Bend the fingers of the hands (`None`: as they are).
    pub fn grip(&mut self, bends: [Option<Bend>; 2], until: Until) {
        let grips = [0, 1].map(|i| [self.grips[i], bends[i].unwrap_or(self.grips[i])]);
        self.grips = grips.map(|g| g[1]);
        self.stages.push(Stage {
            paths: self.at.map(|q| vec![q]),
            grips,
            duration: GRIP_TIME,
            until,
        });
    }

    /// Where hand `i` will be.
    pub fn hand(&self, i: usize) -> Pose {
        self.hands[i]
    }

    /// Control of a step.
    pub fn act(&self, model: &Model, state: &State, control: &mut Control) {
        if control.memory.is_empty() {
            control.memory = vec![0.0, state.time];
        }
        let (mut number, mut since) = (control.memory[0] as usize, control.memory[1]);
        if self.is_over(number, state.time - since, model, state, control)
            && number + 1 < self.stages.len()
        {
            (number, since) = (number + 1, state.time);
            control.memory = vec![number as f64, since];
        }
        let stage = &self.stages[number];
        for (i, robot) in self.robots.iter().enumerate() {
            let angles = |t: f64| along(&stage.paths[i], ramp(t, since, since + stage.duration));
            track(model, control, &robot.arm, state.time, angles);
            let [from, to] = stage.grips[i];
            let share = ramp(state.time, since, since + GRIP_TIME);
            for finger in &robot.fingers {
                for (k, joint) in finger.iter().enumerate() {
                    control.target(model, *joint, from[k] + share * (to[k] - from[k]));
                }
            }
            carry_own_weight(robot, model, state, control);
        }
    }

    fn is_over(
        &self,
        number: usize,
        spent: f64,
        model: &Model,
        state: &State,
        control: &Control,
    ) -> bool {
        let stage = &self.stages[number];
        let late = spent > stage.duration + PATIENCE;
        let arrived = spent >= stage.duration;
        match stage.until {
            Until::Arrived => arrived,
            Until::Rested(time) => spent >= stage.duration + time,
            Until::Held(hands) => {
                let firm = |i: usize| !hands[i] || holds(&self.robots[i], model, state, control);
                arrived && ((0..2).all(firm) || late)
            }
            Until::Blocked(i) => arrived || is_behind(&self.robots[i], model, state, control),
        }
    }
}

/// Angles at the share `s` of a path.
fn along(path: &[Angles], s: f64) -> Angles {
    let at = s * (path.len() - 1) as f64;
    let k = (at as usize).min(path.len().saturating_sub(2));
    let (from, to) = (path[k], path[(k + 1).min(path.len() - 1)]);
    std::array::from_fn(|i| from[i] + (at - k as f64) * (to[i] - from[i]))
}

/// Whether thumb and two fingers press on something.
fn holds(robot: &Robot, model: &Model, state: &State, control: &Control) -> bool {
    let presses = |finger: &[linkwork::model::JointId; 4]| {
        finger[1..].iter().any(|joint| {
            let k = model.joints()[joint.index()].first_coordinate;
            FINGER_GAIN * (control.targets[k] - state.coordinates[k]) > FIRM * FINGER_TORQUE
        })
    };
    let [index, middle, ring, thumb] = &robot.fingers;
    presses(thumb)
        && [index, middle, ring]
            .into_iter()
            .filter(|f| presses(f))
            .count()
            >= 2
}

/// Whether the hand is higher than it is sent.
fn is_behind(robot: &Robot, model: &Model, state: &State, control: &Control) -> bool {
    let of = |values: &[f64]| -> Angles {
        robot
            .arm
            .map(|j| values[model.joints()[j.index()].first_coordinate])
    };
    let height = |q: &Angles| robot.chain.hand(q).position.z;
    height(&of(&state.coordinates)) - height(&of(&control.targets)) > BLOCKED
}

/// Torques of the arm's motors that carry arm and hand.
fn carry_own_weight(robot: &Robot, model: &Model, state: &State, control: &mut Control) {
    let gravity = model.gravity();
    for (i, joint) in robot.arm.iter().enumerate() {
        let definition = &model.joints()[joint.index()];
        let link = &state.poses[definition.follower.index()];
        let frame = link.compose(&definition.frame_follower);
        let axis = frame.rotation * Vec3::z();
        let mut torque = 0.0;
        for body in &robot.links[i..] {
            let arm = state.poses[body.index()].position - frame.position;
            torque -= axis.dot(&arm.cross(&(model.bodies()[body.index()].mass * gravity)));
        }
        control.force(model, *joint, torque);
    }
}
