//! The robots of the benchmark suite: the sizes of its table, and that their motion contains the situations required
//! for samples.

use linkwork::Scene;
use linkwork::{Moment, Run, Simulator};
use linkwork_scenes::scene;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Name, bodies, joints, locked rows and mass ratio.
const TABLE: [(&str, usize, usize, usize, f64); 4] = [
    ("arm7", 8, 8, 41, 19.54),
    ("quadruped", 13, 12, 60, 29.07),
    ("biped14", 15, 14, 70, 42.49),
    ("humanoid20", 21, 20, 100, 321.39),
];

fn build(name: &str) -> Scene {
    scene(name, &[]).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn the_robots_have_the_sizes_of_the_benchmark_table() {
    for (name, bodies, joints, rows, ratio) in TABLE {
        let model = build(name).model;
        assert_eq!(model.bodies().len(), bodies, "{name}");
        assert_eq!(model.joints().len(), joints, "{name}");
        assert_eq!(model.locked_rows(), rows, "{name}");
        let off = (model.mass_ratio() - ratio).abs();
        assert!(off < 1e-9, "{name}: {}", model.mass_ratio());
    }
}

#[test]
fn the_robots_start_assembled_within_their_stops_and_without_overlap() {
    for (name, ..) in TABLE {
        let scene = build(name);
        let model = scene.model.clone();
        let mut sim = Simulator::new(scene.model, scene.settings).unwrap();
        for (i, joint) in model.joints().iter().enumerate() {
            let id = model.joint_named(&joint.name).unwrap();
            let [linear, angular] = sim.state().joint_residual(&model, id);
            assert!(linear.max(angular) <= 1e-12, "{name}: joint {i}");
            for (axis, &q) in joint
                .axes
                .iter()
                .zip(sim.state().joint_coordinates(&model, id))
            {
                let limits = axis.limits.expect("every hinge has stops");
                assert!(
                    (limits.min..=limits.max).contains(&q),
                    "{name}: {}",
                    joint.name
                );
            }
        }
        let overlap = sim.detect_contacts().iter().find(|c| c.gap < 0.0);
        assert!(overlap.is_none(), "{name}: {overlap:?}");
    }
}

/// What a run came across.
#[derive(Debug, Default)]
struct Seen {
    /// Steps by their number of contacts: none, one, two to four, more.
    contacts: [usize; 4],
    /// Steps with a contact between two bodies of the robot.
    own: usize,
    /// Joints that were at a stop.
    stops: BTreeSet<String>,
    /// Solves that did not converge.
    failed: u64,
}

/// Run for `time` (s), looking at every tenth step.
fn watch(name: &str, time: f64) -> Seen {
    let mut run = Run::of(build(name)).unwrap();
    let mut seen = Seen::default();
    let mut probe = {
        let scene = build(name);
        Simulator::new(scene.model, scene.settings).unwrap()
    };
    let summary = run.time(time, |moment| {
        if moment.step % 10 == 0 {
            seen.look(moment, &mut probe);
        }
        ControlFlow::Continue(())
    });
    assert!(summary.error.is_none(), "{name}: {:?}", summary.error);
    seen.failed = summary.solves_failed;
    seen
}

impl Seen {
    fn look(&mut self, moment: &Moment, probe: &mut Simulator) {
        let (model, state) = (moment.simulator.model(), moment.simulator.state());
        for joint in model.joints() {
            for (c, axis) in joint.axes.iter().enumerate() {
                let q = state.coordinates[joint.first_coordinate + c];
                let at_stop = |l: &linkwork::model::Limits| (q - l.min).min(l.max - q) < 1e-6;
                if axis.limits.as_ref().is_some_and(at_stop) {
                    self.stops.insert(joint.name.clone());
                }
            }
        }
        probe.set_state(state.clone()).unwrap();
        let contacts = probe.detect_contacts();
        let class = match contacts.len() {
            0 => 0,
            1 => 1,
            2..=4 => 2,
            _ => 3,
        };
        self.contacts[class] += 1;
        let own = contacts
            .iter()
            .any(|c| c.body_a.is_some() && c.body_b.is_some());
        self.own += usize::from(own);
    }

    /// Whether the solves went well and every kind of contact but perhaps a single one was met.
    fn check(&self, name: &str) {
        assert_eq!(self.failed, 0, "{name}: {self:?}");
        let [air, single, few, many] = self.contacts;
        assert!(air > 0 && single + few > 0 && many > 0, "{name}: {self:?}");
        assert!(self.own > 0, "{name}: {self:?}");
        assert!(!self.stops.is_empty(), "{name}: {self:?}");
    }
}

#[test]
fn the_arm_meets_stops_table_and_itself() {
    let seen = watch("arm7", 6.2);
    seen.check("arm7");
    for stop in ["shoulder_turn", "fore_turn", "flange_turn", "elbow"] {
        assert!(seen.stops.contains(stop), "{stop}: {seen:?}");
    }
}

#[test]
fn the_dog_trots_leaps_and_lies_down() {
    watch("quadruped", 8.4).check("quadruped");
}

#[test]
fn the_droid_steps_falls_and_kicks() {
    watch("biped14", 7.9).check("biped14");
}

#[test]
fn the_humanoid_lands_squats_claps_and_steps() {
    watch("humanoid20", 4.2).check("humanoid20");
}
