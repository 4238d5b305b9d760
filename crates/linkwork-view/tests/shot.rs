//! Pictures by a headless Chromium, where there is one.

#[path = "../../../tests/missing.rs"]
mod missing;

use linkwork::Run;
use linkwork_record::StepRecord;
use linkwork_scenes::scene;
use linkwork_view::clip::Clip;
use linkwork_view::hello::{Hello, Mode};
use linkwork_view::page;
use linkwork_view::shot::{Shot, ShotError, shoot};
use missing::missing;
use std::path::PathBuf;

fn out(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("linkwork-{name}-{}.png", std::process::id()))
}

/// Width and height from the PNG's header.
fn size_of(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let word = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (word(16), word(20))
}

#[test]
fn a_picture_is_taken_of_what_is_shown() {
    let Ok(page) = page() else {
        missing("there is no page in this build");
        return;
    };
    let mut run = Run::of(scene("fourbar_fixed", &[]).unwrap()).unwrap();
    let mut clip = Clip::new(50.0);
    for step in 0..10 {
        let report = run.step().unwrap();
        let record = StepRecord::of(&run.moment(step, Some(&report)));
        clip.push(run.simulator().model(), &record).unwrap();
    }
    let simulator = run.simulator();
    let hello = Hello::new(
        Mode::Embedded,
        "four-bar",
        simulator.model(),
        simulator.settings(),
    );
    let shot = Shot {
        size: (400, 300),
        parameters: vec![("panels".to_owned(), "0".to_owned())],
    };
    let file = out("picture");
    match shoot(&clip.embed(page, hello.clone()), &shot, &file) {
        Err(ShotError::NoBrowser(_)) => {
            missing("there is no Chromium");
            return;
        }
        result => result.unwrap(),
    }
    let png = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(size_of(&png), (400, 300));
    assert!(png.len() > 3000, "{} bytes are an empty picture", png.len());

    // Chromium itself takes none of so small a window.
    let small = Shot {
        size: (64, 48),
        ..shot.clone()
    };
    shoot(&clip.embed(page, hello.clone()), &small, &file).unwrap();
    assert_eq!(size_of(&std::fs::read(&file).unwrap()), (64, 48));
    std::fs::remove_file(&file).unwrap();

    // A page that reports an error is not waited for.
    let broken = "<script>window.linkwork = { ready: false, errors: ['out of ink'] }</script>";
    let error = shoot(broken, &shot, &file).unwrap_err().to_string();
    assert!(error.contains("out of ink"), "{error}");
    assert!(!file.exists());
}
