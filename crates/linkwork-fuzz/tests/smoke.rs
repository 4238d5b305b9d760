//! Every reader on its seeds and some damaged copies.

use linkwork_fuzz::{TARGETS, campaign};

#[test]
fn seeds_are_read() {
    for target in TARGETS {
        let name = format!("linkwork-seeds-{}-{}", std::process::id(), target.name);
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let found = campaign(target, 0, 1, &folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.read, found.runs, "{}", target.name);
    }
}

#[test]
fn no_reader_panics_on_damaged_input() {
    for target in TARGETS {
        let name = format!("linkwork-smoke-{}-{}", std::process::id(), target.name);
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let found = campaign(target, 1000, 7, &folder);
        let said: Vec<_> = found.panics.iter().map(|(_, said)| said).collect();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(said.is_empty(), "{}: {said:?}", target.name);
    }
}
