//! Samples: the same every time, of every class, and measured right.

mod support;

use linkwork::mobility::mobility;
use linkwork::{Control, Simulator};
use linkwork_bench::{
    BenchError, Class, Facts, Quiet, SYSTEMS, System, load_index, load_samples, sample, system,
};
use linkwork_scenes::{all_scenes, scene};
use std::collections::BTreeSet;
use support::{Scratch, options, sampled};

/// Systems whose scenes there are.
fn present() -> impl Iterator<Item = &'static System> {
    let there = |s: &&System| all_scenes().iter().any(|scene| scene.name == s.name);
    SYSTEMS.iter().filter(there)
}

#[test]
fn every_system_has_the_counts_of_table_two() {
    for system in present() {
        let model = scene(system.name, &[]).unwrap().model;
        let (bodies, joints) = (model.bodies().len(), model.joints().len());
        assert_eq!(
            (bodies, joints),
            (system.bodies, system.joints),
            "{}",
            system.name
        );
        let locked: usize = model.joints().iter().map(|j| j.kind.locked().len()).sum();
        assert_eq!(locked, system.rows, "{}", system.name);
        // Euler: edges − nodes + 1 of a connected graph, the world a node if the system is bolted to it.
        let fixed = model.joints().iter().any(|j| j.base.is_none());
        assert_eq!(fixed, system.fixed, "{}", system.name);
        let loops = joints + usize::from(!fixed) - bodies;
        assert_eq!(loops, system.loops, "{}", system.name);
        let masses = || model.bodies().iter().map(|b| b.mass);
        let ratio = masses().fold(0.0, f64::max) / masses().fold(f64::INFINITY, f64::min);
        let error = (ratio - system.mass_ratio).abs();
        assert!(error <= 0.005, "{}: mass ratio {ratio}", system.name);
    }
}

#[test]
fn sampling_twice_gives_the_same_bytes() {
    let scratch = [Scratch::new(), Scratch::new()];
    let systems = ["nunchuk", "fourbar_free"];
    let bytes = scratch.each_ref().map(|scratch| {
        let folder = scratch.folder();
        let index = sampled(&folder, &systems, 0.6, 9);
        assert_eq!(index, load_index(&folder).unwrap());
        let files = ["nunchuk.jsonl.zst", "fourbar_free.jsonl.zst", "index.jsonl"];
        files.map(|f| std::fs::read(folder.samples().join(f)).expect("it is there"))
    });
    assert!(bytes[0] == bytes[1]);
}

#[test]
fn samples_read_back_to_the_bit_with_their_facts() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    let index = sampled(&folder, &["nunchuk"], 0.6, 9);
    let samples = load_samples(&folder, "nunchuk").unwrap();
    assert_eq!(samples.len(), index.len());
    assert!(!samples.is_empty() && samples.len() <= 9);

    // The run again, step by step: problem, warm start and facts are those of the step.
    let scene = scene("nunchuk", &[]).unwrap();
    let mut simulator = Simulator::new(scene.model, scene.settings).unwrap();
    let control = Control::new(simulator.model());
    let mut step = 0;
    for (sample, info) in samples.iter().zip(&index) {
        assert_eq!(&sample.info, info);
        while step < info.step {
            simulator.step(&control).unwrap();
            step += 1;
        }
        assert_eq!(simulator.state().time, info.time);
        assert!(*simulator.problem() == sample.problem);
        assert_eq!(simulator.warm_guess(), sample.guess);
        let facts = Facts::of(&sample.problem, simulator.row_sources()).unwrap();
        assert_eq!(facts, info.facts);
    }
}

/// The seven classes occur in the suite; its primitives alone have them all.
#[test]
fn every_class_occurs_in_the_suite() {
    let scratch = Scratch::new();
    let names = ["box_on_plane", "nunchuk", "fourbar_fixed", "fourbar_free"];
    let index = sampled(&scratch.folder(), &names, 10.0, 16);
    let found: BTreeSet<Class> = index.iter().map(|i| i.facts.class).collect();
    assert_eq!(found, BTreeSet::from(Class::ALL));
    for info in &index {
        let system = system(&info.system).unwrap();
        assert_eq!(info.facts.bodies, system.bodies);
        assert_eq!(info.facts.joint_rows, system.rows);
    }
}

/// Against the mobility report, which knows the mechanism and not the problem: another scaling of J, and
/// D from the joints alone.
#[test]
fn rank_and_condition_agree_with_the_mobility_of_the_mechanism() {
    for (name, rank) in [("fourbar_fixed", 23), ("fourbar_free", 17), ("nunchuk", 6)] {
        let scene = scene(name, &[]).unwrap();
        let mut simulator = Simulator::new(scene.model.clone(), scene.settings).unwrap();
        let start = simulator.state().clone();
        simulator.step(&Control::new(&scene.model)).unwrap();
        let facts = Facts::of(simulator.problem(), simulator.row_sources()).unwrap();
        let mobility = mobility(&scene.model, &start);
        assert_eq!(facts.contacts, 0, "{name} starts in the air");
        assert_eq!((facts.rank, facts.joint_rank), (rank, rank), "{name}");
        assert_eq!(mobility.rank, rank);
        let ratio = facts.condition / mobility.condition;
        assert!((ratio - 1.0).abs() < 1e-6, "{name}: {ratio}");
    }
}

#[test]
fn a_system_sampled_in_the_same_way_is_left_alone_and_one_that_is_not_is_sampled_again() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    sampled(&folder, &["nunchuk"], 0.1, 3);
    let file = folder.samples().join("nunchuk.jsonl.zst");
    std::fs::write(&file, "touched").unwrap();
    let mut again = options(&["nunchuk"], 0.1, 3);
    again.reuse = true;
    sample(&folder, &again, &Quiet).unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), b"touched");
    again.most = 4;
    sample(&folder, &again, &Quiet).unwrap();
    assert_ne!(std::fs::read(&file).unwrap(), b"touched");
}

#[test]
fn a_damaged_sample_file_is_refused_with_its_place() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    sampled(&folder, &["nunchuk"], 0.1, 3);
    let file = folder.samples().join("nunchuk.jsonl.zst");
    let text = zstd::encode_all(&b"{\"info\":1}\n"[..], 1).unwrap();
    std::fs::write(&file, text).unwrap();
    let error = load_samples(&folder, "nunchuk").unwrap_err();
    assert!(
        matches!(error, BenchError::Malformed { line: 1, .. }),
        "{error}"
    );
    std::fs::write(&file, "no compressed file").unwrap();
    assert!(load_samples(&folder, "nunchuk").is_err());
}
