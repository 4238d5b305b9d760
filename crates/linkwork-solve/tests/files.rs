//! Problems as files: bit exact, and typed errors for invalid ones.

mod body_graphs;

use body_graphs::*;
use linkwork_solve::*;
use std::path::PathBuf;

/// A file of this test run that is removed with it.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let name = format!("linkwork-{}-{name}.json", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_problem_on_bodies_reads_back_bit_for_bit() {
    let file = Temporary::new("bodies");
    for seed in 0..10 {
        let mut problem = mixed(seed, 6).problem();
        // Numbers that a short decimal would not bring back.
        problem.v_bias[0] = f64::MIN_POSITIVE;
        problem.v_bias[1] = -0.0;
        problem.v_bias[2] = 0.1 + 0.2;
        problem.compliance[0] = 5e-324;
        problem.save(&file.0).unwrap();
        let read = Problem::load(&file.0).unwrap();
        assert_eq!(read, problem);
        assert_eq!(bits(&read), bits(&problem));
    }
}

fn bits(problem: &Problem) -> Vec<u64> {
    let Operator::Bodies { u_free, .. } = &problem.operator else {
        panic!("a problem on bodies");
    };
    let (j, d) = dense(problem);
    let all = problem.v_bias.iter().chain(&problem.compliance);
    all.chain(u_free)
        .chain(j.iter())
        .chain(d.iter())
        .map(|x| x.to_bits())
        .collect()
}

#[test]
fn a_problem_on_d_reads_back_equal() {
    let file = Temporary::new("delassus");
    let (matrix, _) = SparseSym::from_triplets(3, &[(0, 0, 1.0 / 3.0), (1, 1, 2.0), (2, 2, 3.0)]);
    let mut problem = Problem::for_bodies(1e-3);
    problem.operator = Operator::Delassus {
        matrix,
        v_free: vec![0.1, 0.2, -0.3],
    };
    problem.v_bias = vec![0.0; 3];
    problem.compliance = vec![0.0; 3];
    problem.sets.push(ImpulseSet::Coulomb { mu: 0.7 });
    problem.save(&file.0).unwrap();
    assert_eq!(Problem::load(&file.0).unwrap(), problem);
}

#[test]
fn a_solved_file_gives_the_same_answer_as_the_problem() {
    let file = Temporary::new("answer");
    let problem = mixed(3, 5).problem();
    problem.save(&file.0).unwrap();
    let solve = |problem: &Problem| {
        let mut solver = solver_by_name(DEFAULT_SOLVER, SolverSettings::default()).unwrap();
        let mut x = Solution::default();
        solver.solve(problem, &mut x, &mut ());
        x
    };
    assert_eq!(solve(&problem), solve(&Problem::load(&file.0).unwrap()));
}

#[test]
fn a_missing_file_is_an_io_error() {
    let file = Temporary::new("missing");
    assert!(matches!(Problem::load(&file.0), Err(FileError::Io { .. })));
}

#[test]
fn a_corrupted_file_is_a_syntax_error() {
    let file = Temporary::new("corrupted");
    mixed(1, 4).problem().save(&file.0).unwrap();
    let text = std::fs::read_to_string(&file.0).unwrap();
    let broken = [
        text[..text.len() / 2].to_owned(),
        text.replacen(':', ";", 1),
        text.replacen("\"dt\"", "\"td\"", 1),
        String::new(),
        "not a problem".to_owned(),
    ];
    for broken in broken {
        std::fs::write(&file.0, broken).unwrap();
        let error = Problem::load(&file.0).unwrap_err();
        assert!(matches!(error, FileError::Syntax { .. }), "{error}");
        assert!(error.to_string().contains("Problem::save"), "{error}");
    }
}

#[test]
fn parts_that_do_not_fit_are_an_inconsistency() {
    let file = Temporary::new("inconsistent");
    let spoil: [fn(&mut Problem); 4] = [
        |p| p.v_bias.truncate(1),
        |p| p.compliance.push(0.0),
        |p| p.compliance[0] = -1.0,
        |p| p.sets.push(ImpulseSet::NonNegative),
    ];
    for spoil in spoil {
        let mut problem = mixed(2, 4).problem();
        spoil(&mut problem);
        problem.save(&file.0).unwrap();
        let error = Problem::load(&file.0).unwrap_err();
        assert!(matches!(error, FileError::Inconsistent { .. }), "{error}");
    }
}

#[test]
fn a_damaged_matrix_or_set_is_an_inconsistency() {
    let file = Temporary::new("damaged");
    let (matrix, _) = SparseSym::from_triplets(1, &[(0, 0, 2.0)]);
    let problem = Problem {
        dt: 1e-3,
        operator: Operator::Delassus {
            matrix,
            v_free: vec![-1.0],
        },
        v_bias: vec![0.0],
        compliance: vec![0.0],
        sets: {
            let mut sets = ImpulseSets::new();
            sets.push(ImpulseSet::NonNegative);
            sets
        },
    };
    problem.save(&file.0).unwrap();
    let text = std::fs::read_to_string(&file.0).unwrap();
    for (from, to) in [
        ("\"columns\":[0]", "\"columns\":[7]"),
        ("\"columns\":[0]", "\"columns\":[0,0]"),
        ("\"starts\":[0,1]", "\"starts\":[0,9]"),
        ("\"starts\":[0]", "\"starts\":[3]"),
        ("\"rows\":1", "\"rows\":2"),
        ("\"NonNegative\"", "{\"Coulomb\":{\"mu\":-1.0}}"),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        std::fs::write(&file.0, text.replacen(from, to, 1)).unwrap();
        let error = Problem::load(&file.0).unwrap_err();
        assert!(matches!(error, FileError::Inconsistent { .. }), "{error}");
    }
}

#[test]
fn a_file_with_any_byte_changed_never_panics() {
    let file = Temporary::new("bytes");
    tree(1, 2).problem().save(&file.0).unwrap();
    let text = std::fs::read(&file.0).unwrap();
    let mut random = Random(5);
    for _ in 0..400 {
        let mut broken = text.clone();
        let at = random.below(broken.len());
        broken[at] = b"0123456789-.e,[]{}\":x"[random.below(21)];
        std::fs::write(&file.0, &broken).unwrap();
        if let Ok(problem) = Problem::load(&file.0) {
            // What loads can be solved without a panic.
            let mut solver = solver_by_name(DEFAULT_SOLVER, SolverSettings::default()).unwrap();
            solver.solve(&problem, &mut Solution::default(), &mut ());
        }
    }
}

/// Files written before there was a key are of the first format.
#[test]
fn a_problem_without_a_format_reads_as_the_first_and_a_later_one_is_refused_by_name() {
    let file = Temporary::new("format");
    let problem = mixed(3, 4).problem();
    problem.save(&file.0).unwrap();
    let text = std::fs::read_to_string(&file.0).unwrap();
    let key = format!("\"linkwork_problem\":{PROBLEM_FORMAT},");
    assert!(text.contains(&key));
    std::fs::write(&file.0, text.replace(&key, "")).unwrap();
    assert_eq!(Problem::load(&file.0).unwrap(), problem);
    let later = text
        .replace(&key, "\"linkwork_problem\":7,")
        .replace("\"v_bias\"", "\"v_other\"");
    std::fs::write(&file.0, later).unwrap();
    let refused = Problem::load(&file.0).unwrap_err();
    assert!(
        matches!(refused, FileError::Format { have: 7, .. }),
        "{refused}"
    );
}

/// Step 800 of `nunchuk`, written by version 0.1.0 before there was a key.
#[test]
fn the_sample_of_the_first_format_reads() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");
    let problem = Problem::load(&PathBuf::from(folder).join("format1.json")).unwrap();
    assert_eq!((problem.rows(), problem.bodies()), (18, 3));
}

#[test]
fn a_file_that_is_too_large_and_one_that_is_none_are_refused_before_they_are_read() {
    let file = Temporary::new("large");
    let large = std::fs::File::create(&file.0).unwrap();
    // A hole: it takes no room on the disk.
    large.set_len(MAX_PROBLEM_BYTES + 1).unwrap();
    assert!(matches!(
        Problem::load(&file.0),
        Err(FileError::TooLarge { .. })
    ));
    let refused = fclib::read(&file.0).unwrap_err();
    assert!(
        matches!(refused, fclib::FclibError::TooLarge { .. }),
        "{refused}"
    );
    let folder = Problem::load(&std::env::temp_dir()).unwrap_err();
    assert!(matches!(folder, FileError::Io { .. }), "{folder}");
}

/// Found by fuzzing: `push_entry` adds values given twice for a body; a file could contain them in two entries.
#[test]
fn a_block_that_names_a_body_twice_is_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");
    let text = std::fs::read_to_string(PathBuf::from(folder).join("format1.json")).unwrap();
    let twice = text.replacen("\"body\":1", "\"body\":0", 1);
    assert_ne!(twice, text);
    let file = Temporary::new("twice");
    std::fs::write(&file.0, twice).unwrap();
    let refused = Problem::load(&file.0).unwrap_err().to_string();
    assert!(refused.contains("a body twice"), "{refused}");
}

/// Found by fuzzing: a file contains the starts of the entries of each block.
#[test]
fn entries_that_belong_to_no_block_are_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");
    let text = std::fs::read_to_string(PathBuf::from(folder).join("format1.json")).unwrap();
    let skipped = text.replacen("\"entry_starts\":[0,", "\"entry_starts\":[2,", 1);
    assert_ne!(skipped, text);
    let file = Temporary::new("skipped");
    std::fs::write(&file.0, skipped).unwrap();
    let refused = Problem::load(&file.0).unwrap_err().to_string();
    assert!(refused.contains("jacobian block 0"), "{refused}");
}
