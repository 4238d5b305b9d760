//! Hashes of scenes that must not change unnoticed: bits of joints, contacts and threads, for each arithmetic.
//!
//! Sines and cosines are those of the system's mathematical library, whose last digits may differ between systems. A
//! change of the numbers on purpose changes this table with it: the test prints the new lines.

mod support;

use std::collections::BTreeSet;
use std::process::Command;

/// Scene and arguments, steps, hash with plain arithmetic, hash with AVX2 and fused products.
const GOLDEN: [(&str, &str, &str, &str); 10] = [
    (
        "fourbar_fixed",
        "1000",
        "5ec7fd1854f64013",
        "5f683606ab897297",
    ),
    (
        "fourbar_free",
        "700",
        "0bdd02a56cf1ec3c",
        "c44e0dbc4db8dfa3",
    ),
    (
        "coupled_fourbars --set n=8",
        "500",
        "1d85a44fc6098b08",
        "39c575b3894952e9",
    ),
    (
        "slider_crank",
        "1000",
        "ba2842a574a7bc21",
        "d616cad56a5609c5",
    ),
    (
        "pendulum --set n=5 --set friction=0.2",
        "1000",
        "81828796d96d73c7",
        "b766f5ab7a00a5ea",
    ),
    ("nunchuk", "800", "ce9b9adf0b0b0827", "96a251937107c5f5"),
    ("humanoid20", "300", "d794d24b9c096f41", "8fbe982a37982096"),
    ("walker31", "300", "e57a38119fd54383", "ff1cc5b2914490a2"),
    ("stack", "100", "cd1c347044731af0", "f00b4752c9ffdd29"),
    (
        "heap --set n=60 --threads 2",
        "400",
        "10c0bf67331a594d",
        "808a4316234ca617",
    ),
];

fn hash(scene: &str, steps: &str, arithmetic: &str) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_linkwork"))
        .arg("hash")
        .args(scene.split(' '))
        .args(["--steps", steps])
        .env("LINKWORK_ARITHMETIC", arithmetic)
        .output()
        .expect("the command starts");
    assert!(output.status.success(), "{}", support::stderr(&output));
    let text = support::stdout(&output);
    let field = |name: &str| {
        let mut words = text.split_whitespace();
        let value = words.find_map(|w| w.strip_prefix(name)).expect("a field");
        value.to_owned()
    };
    (field("state="), field("arithmetic="))
}

#[test]
fn scenes_end_in_the_bits_that_they_always_did() {
    let mut wrong = Vec::new();
    for (scene, steps, plain, fused) in GOLDEN {
        let (seen_plain, name) = hash(scene, steps, "plain");
        assert_eq!(name, "plain");
        let (seen_fused, name) = hash(scene, steps, "");
        let fused_here = name != "plain";
        if seen_plain != plain || (fused_here && seen_fused != fused) {
            wrong.push(format!(
                "    (\"{scene}\", \"{steps}\", \"{seen_plain}\", \"{seen_fused}\"),"
            ));
        }
    }
    assert!(wrong.is_empty(), "other bits:\n{}", wrong.join("\n"));
}

/// Every scene on 1, 2, 3 and 8 threads, once; `LINKWORK_GOLDEN_RUNS=3` for more.
#[test]
fn neither_threads_nor_another_run_change_a_hash() {
    let runs = std::env::var("LINKWORK_GOLDEN_RUNS").map_or(1, |n| n.parse().unwrap());
    for (scene, steps, ..) in GOLDEN {
        let scene = scene.split(" --threads").next().unwrap();
        let mut seen = BTreeSet::new();
        for threads in [1, 2, 3, 8] {
            for _ in 0..runs {
                seen.insert(hash(&format!("{scene} --threads {threads}"), steps, "").0);
            }
        }
        println!("{scene}: {seen:?}");
        assert_eq!(seen.len(), 1, "{scene}: {seen:?}");
    }
}
