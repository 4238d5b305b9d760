//! The animatronic systems of the benchmark suite: their size is that of the benchmark's table, they move
//! as their linkages were designed to, and their scripts reach stops, self-contact and the ground.

use linkwork::math::Vec3;
use linkwork::mobility::mobility;
use linkwork::model::{JointId, Model, ShapeId};
use linkwork::rows::RowSource;
use linkwork::{Moment, Run, RunSummary};
use linkwork_scenes::scene;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The counts of a system in the benchmark's table, and the degrees of freedom of its linkages.
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
    /// Driven coordinates; more than the freedom where linkages have several servos.
    actuated: usize,
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
        actuated: 23,
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
        actuated: 24,
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
        actuated: 22,
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
        actuated: 20,
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
        let axes = model.joints().iter().flat_map(|j| &j.axes);
        let driven = axes.filter(|axis| axis.drive.is_some()).count();
        assert_eq!(driven, system.actuated, "{name}");
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
fn watch(name: &str, set: &[(&str, f64)], time: f64, mut see: impl FnMut(&Moment)) -> Met {
    let mut run = Run::of(scene(name, set).unwrap()).unwrap();
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
            // The last row of a block: a stop's own, or a contact's normal.
            if simulator.solution().lambda[sets.range(k).end - 1] == 0.0 {
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
}

/// That no contact, a single one and several at once occurred.
fn assert_varied(name: &str, met: &Met) {
    let seen = &met.contacts;
    assert!(seen.contains(&0) && seen.contains(&1), "{name}: {seen:?}");
    assert!(seen.iter().any(|&n| n > 2), "{name}: {seen:?}");
}

#[test]
fn the_bear_talks_blinks_and_touches_itself() {
    let met = watch("figure22", &[], 3.3, |_| {});
    assert_sound("figure22", &met);
    assert_varied("figure22", &met);
    assert!(met.touched("head", "jaw"), "{:?}", met.pairs);
    assert!(met.touched("torso", "forearm"), "{:?}", met.pairs);
    for stop in ["jaw", "nod", "left lid", "left shoulder raise"] {
        assert!(met.stops.contains(stop), "{stop}: {:?}", met.stops);
    }
}

#[test]
fn the_horned_figure_meets_its_stops_and_its_hips() {
    let met = watch("figure38", &[], 2.0, |_| {});
    assert_sound("figure38", &met);
    assert_varied("figure38", &met);
    assert!(met.touched("head", "jaw"), "{:?}", met.pairs);
    assert!(met.touched("base", "fingers"), "{:?}", met.pairs);
    assert!(met.touched("fingers", "thumb"), "{:?}", met.pairs);
    for stop in ["left shoulder raise", "left brow", "left lid"] {
        assert!(met.stops.contains(stop), "{stop}: {:?}", met.stops);
    }
}

#[test]
fn the_figure_of_54_bodies_closes_its_13_loops_in_every_step() {
    let met = watch("figure54", &[], 1.5, |_| {});
    assert_sound("figure54", &met);
    assert_varied("figure54", &met);
    assert!(met.touched("head", "jaw"), "{:?}", met.pairs);
    assert!(met.touched("base", "thumb"), "{:?}", met.pairs);
    for stop in ["left shoulder raise", "left eye", "left lid"] {
        assert!(met.stops.contains(stop), "{stop}: {:?}", met.stops);
    }
}

/// Dropped onto both feet, it shifts its weight, steps with the left foot and stays upright.
#[test]
fn the_walker_lands_and_takes_a_step() {
    let mut up = f64::INFINITY;
    let mut lifted = 0.0f64;
    let met = watch("walker31", &[], 2.6, |moment| {
        let (model, state) = (moment.simulator.model(), moment.simulator.state());
        let pose = |name| state.poses[model.body_named(name).unwrap().index()];
        up = up.min((pose("pelvis").rotation * Vec3::z()).z);
        // The drop is excluded.
        if state.time > 0.5 {
            lifted = lifted.max(pose("left foot").position.z - pose("right foot").position.z);
        }
    });
    assert_sound("walker31", &met);
    assert!(met.contacts.contains(&0) && met.contacts.contains(&8));
    assert!(met.touched("ground", "left foot") && met.touched("ground", "right foot"));
    assert!(met.stops.contains("jaw"), "{:?}", met.stops);
    assert!(up > 0.99, "it tilts: {up}");
    assert!(lifted > 0.03, "it does not step: {lifted} m");
}

/// The parallelograms carry the direction of the hip to the ankle for any angles of hip and knee: up to the allowed
/// opening of the four joints of each of the two (four times dt times the tolerance), over their levers of 6 cm.
#[test]
fn the_parallel_links_keep_the_feet_level_with_the_hips() {
    let allowed = 2.0 * 4.0 * (4.0 * 1e-3 * 1e-7) / 0.06;
    watch("walker31", &[], 1.8, |moment| {
        let (model, state) = (moment.simulator.model(), moment.simulator.state());
        let turn = |name| state.poses[model.body_named(name).unwrap().index()].rotation;
        let between = turn("left hip").inverse() * turn("left ankle");
        let angle = 2.0 * between.imag().norm();
        assert!(angle < allowed, "{angle:e} rad");
    });
}
