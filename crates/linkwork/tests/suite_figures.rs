//! The animatronic systems of the benchmark suite: their size is that of the benchmark's table, they move
//! as their linkages were designed to, and their scripts reach stops, self-contact and the ground.

use linkwork::math::Vec3;
use linkwork::mobility::mobility;
use linkwork::model::{JointId, Model, ShapeId};
use linkwork::rows::RowSource;
use linkwork::scenes::scene;
use linkwork::{Run, RunSummary};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What the benchmark's table says of a system, and the freedom its linkages leave it.
struct System {
    name: &'static str,
    fixed: bool,
    bodies: usize,
    joints: usize,
    rows: usize,
    loops: usize,
    mass_ratio: &'static str,
    /// Joints of each type: fixed, revolute, universal, spherical.
    types: [usize; 4],
    /// Degrees of freedom, and loops that are planar, with three redundant rows each.
    freedom: usize,
    planar: usize,
}

const SYSTEMS: [System; 4] = [
    System {
        name: "figure22",
        fixed: true,
        bodies: 22,
        joints: 24,
        rows: 121,
        loops: 2,
        mass_ratio: "90.67",
        types: [1, 23, 0, 0],
        // Waist, neck, nod, jaw, eyes, 2 lids, 2 ears, 8 of the arms.
        freedom: 17,
        planar: 2,
    },
    System {
        name: "walker31",
        fixed: false,
        bodies: 31,
        joints: 36,
        rows: 180,
        loops: 6,
        mass_ratio: "99.55",
        types: [0, 36, 0, 0],
        // 6 of the pelvis, waist, neck, nod, jaw, 6 of the arms, 4 of each leg.
        freedom: 24,
        planar: 6,
    },
    System {
        name: "figure38",
        fixed: true,
        bodies: 38,
        joints: 45,
        rows: 214,
        loops: 7,
        mass_ratio: "1012.54",
        types: [1, 36, 4, 4],
        // Waist, 3 of the neck, jaw, eyes, brows, 2 lids, 2 ears, 8 of the arms, 4 of the fingers.
        freedom: 23,
        planar: 3,
    },
    System {
        name: "figure54",
        fixed: true,
        bodies: 54,
        joints: 67,
        rows: 304,
        loops: 13,
        mass_ratio: "25544.44",
        types: [1, 50, 0, 16],
        // 2 of the waist, 3 of the neck, jaw, eyes, brows, 2 lids, visor, 2 pauldrons, 8 of the arms, 6 of
        // the fingers; and 8 rods may turn about themselves.
        freedom: 35,
        planar: 5,
    },
];

fn model(system: &System) -> std::sync::Arc<Model> {
    scene(system.name, &[]).unwrap().model
}

/// Joints beyond a spanning tree of the bodies and, where something is bolted to it, the world.
fn loops(model: &Model) -> usize {
    let world = model.bodies().len();
    let mut group: Vec<usize> = (0..=world).collect();
    let mut beyond = 0;
    for joint in model.joints() {
        let a = group[joint.base.map_or(world, |b| b.index())];
        let b = group[joint.follower.index()];
        if a == b {
            beyond += 1;
        }
        group.iter_mut().filter(|g| **g == b).for_each(|g| *g = a);
    }
    beyond
}

#[test]
fn the_figures_have_the_sizes_of_the_benchmark_table() {
    for system in &SYSTEMS {
        let (model, name) = (model(system), system.name);
        assert_eq!(model.bodies().len(), system.bodies, "{name}");
        assert_eq!(model.joints().len(), system.joints, "{name}");
        assert_eq!(model.locked_rows(), system.rows, "{name}");
        assert_eq!(loops(&model), system.loops, "{name}");
        let ratio = format!("{:.2}", model.mass_ratio());
        assert_eq!(ratio, system.mass_ratio, "{name}");
        let types = ["fixed", "revolute", "universal", "spherical"];
        let count = |kind| {
            model
                .joints()
                .iter()
                .filter(|j| j.kind.name() == kind)
                .count()
        };
        assert_eq!(types.map(count), system.types, "{name}");
        let bolted = model.joints().iter().any(|j| j.base.is_none());
        assert_eq!(bolted, system.fixed, "{name}");
    }
}

#[test]
fn the_figures_start_assembled_and_clear_of_contact() {
    for system in &SYSTEMS {
        let scene = scene(system.name, &[]).unwrap();
        let state = scene.model.initial_state();
        for j in 0..scene.model.joints().len() {
            let [linear, angular] = state.joint_residual(&scene.model, joint_id(&scene.model, j));
            assert!(linear.max(angular) <= 1e-10, "{}: joint {j}", system.name);
        }
        let mut run = Run::of(scene).unwrap();
        let contacts = run.simulator_mut().detect_contacts().len();
        assert_eq!(contacts, 0, "{}", system.name);
    }
}

fn joint_id(model: &Model, index: usize) -> JointId {
    model.joint_named(&model.joints()[index].name).unwrap()
}

#[test]
fn the_linkages_leave_the_freedom_they_were_designed_for() {
    for system in &SYSTEMS {
        let model = model(system);
        let report = mobility(&model, &model.initial_state());
        assert_eq!(report.degrees_of_freedom, system.freedom, "{}", system.name);
        assert_eq!(report.redundant_rows, 3 * system.planar, "{}", system.name);
    }
}

/// What a run met.
struct Met {
    summary: RunSummary,
    /// Joints whose stops carried load.
    stops: BTreeSet<String>,
    /// Pairs of bodies that touched; the world is "ground".
    pairs: BTreeSet<(String, String)>,
    /// Numbers of contact points that occurred.
    contacts: BTreeSet<usize>,
}

impl Met {
    fn touched(&self, a: &str, b: &str) -> bool {
        let is = |name: &String, part: &str| name.ends_with(part);
        let pair =
            |p: &(String, String)| (is(&p.0, a) && is(&p.1, b)) || (is(&p.0, b) && is(&p.1, a));
        self.pairs.iter().any(pair)
    }
}

/// Run a scene for a time (s) and watch it.
fn watch(name: &str, time: f64, mut see: impl FnMut(&linkwork::Moment)) -> Met {
    let mut run = Run::of(scene(name, &[]).unwrap()).unwrap();
    let model = run.simulator().model().clone();
    let body = |shape: ShapeId| match model.shapes()[shape.index()].body {
        Some(b) => model.body(b).name.clone(),
        None => "ground".to_owned(),
    };
    let mut stops = BTreeSet::new();
    let mut pairs = BTreeSet::new();
    let mut contacts = BTreeSet::new();
    let summary = run.time(time, |moment| {
        see(moment);
        let Some(report) = moment.report else {
            return ControlFlow::Continue(());
        };
        let simulator = moment.simulator;
        contacts.insert(report.contacts);
        let sets = &simulator.problem().sets;
        for (k, source) in simulator.row_sources().iter().enumerate() {
            // The first row of a block: a stop's own, or a contact's normal.
            if simulator.solution().lambda[sets.range(k).start] == 0.0 {
                continue;
            }
            match source {
                RowSource::Limit { joint, .. } => {
                    stops.insert(model.joint(*joint).name.clone());
                }
                RowSource::Contact(key) => {
                    pairs.insert((body(key.shape_a), body(key.shape_b)));
                }
                _ => {}
            }
        }
        ControlFlow::Continue(())
    });
    Met {
        summary,
        stops,
        pairs,
        contacts,
    }
}

fn assert_sound(name: &str, met: &Met) {
    let s = &met.summary;
    assert!(s.error.is_none(), "{name}: {:?}", s.error);
    assert_eq!(s.solves_failed, 0, "{name}: {:?}", s.status);
    let worst = s.residual_max.max(s.residual_velocity_max);
    assert!(worst <= 1e-6, "{name}: residual {worst:e}");
    let open = s.closure_max_m.max(s.closure_max_rad);
    assert!(open <= 1e-8, "{name}: open by {open:e}");
    // No contact, a single one, several.
    assert!(met.contacts.contains(&0), "{name}: {:?}", met.contacts);
    assert!(met.contacts.contains(&1), "{name}: {:?}", met.contacts);
    assert!(
        met.contacts.iter().any(|&n| n > 3),
        "{name}: {:?}",
        met.contacts
    );
}
