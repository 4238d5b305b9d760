//! Every registered solver on problems with known answers, and on FCLIB: its reported status is correct, its answer is
//! the known one, and its success rate is as high as expected.

mod body_graphs;
mod known;
#[path = "../../../tests/missing.rs"]
mod missing;

use known::contact::{Mode, one_contacts};
use known::table::Table;
use known::trial::attempt;
use known::*;
use linkwork_solve::*;
use missing::missing;
use nalgebra::Vector3;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

const TOLERANCES: [f64; 3] = [1e-4, 1e-6, 1e-8];
const MODELS: [ContactModel; 2] = [ContactModel::Ncp, ContactModel::Ccp];

/// Problems of each kind.
const SEEDS: u64 = 20;

/// A solve may take this long, on however busy a machine; only a solver out of control does. What is
/// solved is decided by iterations, which are the same everywhere.
const LIMIT: Duration = Duration::from_secs(60);

/// Shares of problems solved.
struct Shares {
    /// Of the single contacts.
    contact: f64,
    /// Of the known answers where D + R is regular, or all rows are free.
    regular: f64,
    /// Of the known answers where D is rank-deficient and contacts are hard.
    redundant: f64,
}

/// The share that a solver must solve to 1e-8 with its [`settings`], slightly below the measured one.
fn least(solver: &str) -> Shares {
    let (contact, regular, redundant) = match solver {
        "condensed" | "condensed-ccp" | "hybrid" | "newton" | "clarabel" | "direct" => {
            (1.0, 1.0, 1.0)
        }
        // Hard and redundant contacts, which it once refused, take it more passes than it has iterations.
        "sap" => (1.0, 1.0, 0.8),
        "nbgs" | "pgs-ccp" | "raisim-ds" | "prox" => (1.0, 1.0, 0.8),
        "implicit" | "lcp" => (1.0, 1.0, 0.8),
        // Normal in turn with friction or the De Saxcé shift: a fixed point that need not contract
        // where friction and coupling are strong.
        "pgs-ncp" | "pgs-ccp-ds" => (0.9, 1.0, 0.8),
        // One regular problem of 80 ends at 1e-8 or stalls at 7e-8, as round-off has it: Clarabel's own accuracy.
        "clarabel-ncp" => (0.9, 0.98, 0.65),
        // Some redundant problems take ADMM more than 3000 iterations.
        "admm-ccp" => (1.0, 1.0, 0.5),
        "admm-ncp-osqp" | "admm-ncp-la" => (0.98, 0.95, 0.55),
        "admm-ncp-sa" => (0.98, 0.95, 0.6),
        // Nor does a fixed penalty suit every problem.
        "admm-ncp-fp" => (0.95, 0.9, 0.7),
        // Least energy is Coulomb's law only without coupling of normal and tangents.
        "raisim" => (0.5, 0.45, 0.2),
        // Stops where the objective settles, short of 1e-8.
        "raisim-ds-es" => (1.0, 0.25, 0.0),
        new => panic!("say what share {new} solves"),
    };
    Shares {
        contact,
        regular,
        redundant,
    }
}

/// A solver without supported problems has no share.
fn assert_share(entry: &SolverEntry, share: Option<f64>, least: f64) {
    let enough = share.is_none_or(|share| share >= least);
    assert!(
        enough,
        "{} solves {share:?} of them, not {least}",
        entry.name
    );
}

fn settings(entry: &SolverEntry, tolerance: f64) -> SolverSettings {
    SolverSettings {
        tolerance,
        max_iterations: match entry.name {
            // One of these factorises the whole problem.
            "clarabel" | "clarabel-ncp" => 600,
            _ => 3000,
        },
    }
}

fn model_of(entry: &SolverEntry) -> ContactModel {
    (entry.build)(SolverSettings::default()).model()
}

#[test]
fn one_contact_is_answered_as_computed_by_hand() {
    let mut table = Table::default();
    let mut modes = BTreeMap::new();
    for (contact, problem) in one_contacts() {
        let answers = MODELS.map(|model| contact.answers(model));
        assert_eq!(answers[1].len(), 1, "the convex law has one answer");
        for (found, model) in answers.iter().zip(MODELS) {
            assert!(!found.is_empty(), "{model:?} has an answer");
            let several = if found.len() > 1 {
                ", one of several"
            } else {
                ""
            };
            for (mode, _) in found {
                *modes
                    .entry(format!("{model:?} {mode:?}{several}"))
                    .or_insert(0) += 1;
            }
        }
        for entry in all_solvers() {
            for tolerance in TOLERANCES {
                let Some(trial) = attempt(entry, &problem, settings(entry, tolerance), LIMIT)
                else {
                    continue;
                };
                table.add(entry.name, format!("{tolerance:e}"), trial.converged());
                if !trial.converged() || tolerance > 1e-8 {
                    continue;
                }
                let lambda = Vector3::from_column_slice(&trial.x.lambda);
                let answers = &answers[usize::from(trial.model == ContactModel::Ccp)];
                // Errors as velocities, so that heavy and light bodies are alike.
                let error =
                    |(_, known): &(Mode, Vector3<f64>)| (contact.d * (lambda - known)).amax();
                let error = answers.iter().map(error).fold(f64::INFINITY, f64::min);
                assert!(
                    error < 1e-6,
                    "{}: {lambda} is none of {answers:?}",
                    entry.name
                );
            }
        }
    }
    println!("{modes:#?}");
    for mode in ["Open", "Stick", "Slip"] {
        for model in MODELS {
            let met = modes.get(&format!("{model:?} {mode}"));
            assert!(met.is_some_and(|n| *n >= 5), "{model:?} {mode} is tested");
        }
    }
    let columns = TOLERANCES.map(|t| format!("{t:e}"));
    table.print("one contact", &columns);
    for entry in all_solvers() {
        let share = table.share(entry.name, &columns[2..]);
        assert_share(entry, share, least(entry.name).contact);
    }
}

/// Solvers of one law agree because each is held to the same answer: on σ, on the velocities of the
/// bodies and, where D + R is regular, on λ.
#[test]
fn known_answers_are_found() {
    let mut worst = 0.0f64;
    let mut tables = [(); 3].map(|()| Table::default());
    for (kind, seed) in Kind::ALL
        .into_iter()
        .flat_map(|k| (0..SEEDS).map(move |s| (k, s)))
    {
        let known = MODELS.map(|model| known(seed, kind, model));
        for (known, model) in known.iter().zip(MODELS) {
            let x = Solution {
                lambda: known.lambda.clone(),
                ..Solution::default()
            };
            let residuals = residuals(&known.problem, &x, model);
            assert!(residuals.meets(1e-10), "{kind:?} {seed}: {residuals:?}");
        }
        for entry in all_solvers() {
            let known = &known[usize::from(model_of(entry) == ContactModel::Ccp)];
            for (tolerance, table) in TOLERANCES.into_iter().zip(&mut tables) {
                let (problem, settings) = (&known.problem, settings(entry, tolerance));
                let Some(trial) = attempt(entry, problem, settings, LIMIT) else {
                    continue;
                };
                table.add(entry.name, format!("{kind:?}"), trial.converged());
                if trial.converged() && tolerance <= 1e-8 {
                    let error = known.error(&trial.x, kind);
                    assert!(error < 1e-5, "{} {kind:?} {seed}: {error:e}", entry.name);
                    worst = worst.max(error);
                }
            }
        }
    }
    println!("largest error at 1e-8: {worst:.1e} m/s");
    let columns = Kind::ALL.map(|kind| format!("{kind:?}"));
    for (table, tolerance) in tables.iter().zip(TOLERANCES) {
        table.print(&format!("known {tolerance:e}"), &columns);
    }
    let is_redundant = |column: &String| *column == format!("{:?}", Kind::Redundant);
    let (redundant, regular) = columns.into_iter().partition::<Vec<_>, _>(is_redundant);
    for entry in all_solvers() {
        let (name, least) = (entry.name, least(entry.name));
        assert_share(entry, tables[2].share(name, &regular), least.regular);
        assert_share(entry, tables[2].share(name, &redundant), least.redundant);
    }
}

/// FCLIB problems of at most 250 rows, of as many origins as there are.
const FCLIB: [&str; 14] = [
    "OneContact/FrictionContact3D_1c",
    "Rover/Rover1039",
    "Rover/Rover4144",
    "Rover/Rover11035",
    "Confeti/Confeti-ex13-4contact-Fc3D-SBM",
    "Cubes_H8/LMGC_GFC3D-i00501-4-00000",
    "TwoRods_FEM/GFC3D_TwoRods1",
    "Spheres/NESpheres_10_1",
    "BoxesStack_regen/BoxesStack-s1-i00243-8-75",
    "Chain_regen/Chain-s1-i00400-13-100",
    "Arch_regen/Arch-s1-i00400-17-80",
    "OneObject/OneObject-i1028-138",
    "Capsules_regen/Capsules-s1-i00059-30-760",
    "100_PR_PerioBox/LMGC_100_PR_PerioBox-i00361-60-03000",
];

/// The FCLIB files, which are not part of the project: beside it, or in the folder LINKWORK_DATA.
fn fclib_folder() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("LINKWORK_DATA").map_or_else(|| beside.into(), PathBuf::from);
    data.join("fclib")
}

/// Problems in their own units, so that tolerances are relative.
#[test]
fn nothing_false_is_claimed_on_fclib_and_the_hybrid_solves_it() {
    let folder = fclib_folder();
    if !folder.is_dir() {
        missing(&format!(
            "no FCLIB problems at {}; set LINKWORK_DATA",
            folder.display()
        ));
        return;
    }
    let mut table = Table::default();
    for name in FCLIB {
        let read = fclib::read(&folder.join(format!("{name}.hdf5"))).unwrap();
        let (problem, _) = read.problem.normalised();
        for entry in all_solvers() {
            for tolerance in TOLERANCES {
                let limit = Duration::from_millis(500);
                if let Some(trial) = attempt(entry, &problem, settings(entry, tolerance), limit) {
                    table.add(entry.name, format!("{tolerance:e}"), trial.converged());
                }
            }
        }
        let hybrid = all_solvers().iter().find(|e| e.name == "hybrid").unwrap();
        let trial = attempt(hybrid, &problem, settings(hybrid, 1e-9), LIMIT).unwrap();
        let relative = relative_residual(&problem, &trial.x.lambda, trial.model);
        println!("{name}: hybrid {relative:.1e}");
        assert!(
            relative <= 1e-8,
            "{name}: {} {relative:e}",
            trial.report.status
        );
    }
    let columns = TOLERANCES.map(|t| format!("{t:e}"));
    table.print("FCLIB", &columns);
}
