//! Folders to work in, and samples to work on.
#![allow(dead_code)]

#[path = "../../../../tests/folder.rs"]
mod folder;

use linkwork_bench::{Folder, Quiet, SampleInfo, SampleOptions, sample, systems_named};

/// A folder of its own, removed in the end.
pub struct Scratch(folder::Folder);

impl Scratch {
    pub fn new() -> Self {
        Self(folder::Folder::new())
    }

    pub fn folder(&self) -> Folder {
        Folder::create(self.0.path()).expect("a folder")
    }
}

pub fn options(systems: &[&str], time_s: f64, most: usize) -> SampleOptions {
    let names: Vec<String> = systems.iter().map(|&s| s.to_owned()).collect();
    SampleOptions {
        systems: systems_named(&names).expect("systems of the suite"),
        time_s,
        most,
        reuse: false,
    }
}

/// Take samples.
pub fn sampled(folder: &Folder, systems: &[&str], time_s: f64, most: usize) -> Vec<SampleInfo> {
    sample(folder, &options(systems, time_s, most), &Quiet).expect("they run")
}
