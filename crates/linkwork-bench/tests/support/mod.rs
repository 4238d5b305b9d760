//! Folders to work in, and samples to work on.
#![allow(dead_code)]

use linkwork_bench::{Folder, Quiet, SampleInfo, SampleOptions, sample, systems_named};
use std::path::PathBuf;

/// A folder of its own, removed in the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let name = format!("linkwork-bench-{}-{name}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    pub fn folder(&self) -> Folder {
        Folder::create(&self.0).expect("a folder")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
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
