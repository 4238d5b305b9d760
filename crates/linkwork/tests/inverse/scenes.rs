//! Every built-in scene.

use crate::support::{Ran, torque_error};
use linkwork::Run;
use linkwork::inverse::InverseSettings;
use linkwork::scenes::{all_scenes, scene};

#[test]
fn explore() {
    for entry in all_scenes() {
        let name = entry.name;
        let set: &[(&str, f64)] = match name {
            "heap" => &[("n", 20.0)],
            _ => &[],
        };
        let Ok(s) = scene(name, set) else { println!("{name}: params"); continue };
        let t0 = std::time::Instant::now();
        let mut run = Run::of(s).unwrap();
        let ran = Ran::of(&mut run, 300, 29);
        let t1 = t0.elapsed();
        for near in [false, true] {
            let found = ran.invert(InverseSettings::default(), near);
            let worst = found.iter().fold(0.0, |m: f64, f| m.max(f.unexplained));
            let err = ran.acted.iter().zip(&found).fold(0.0, |m: f64, (a, f)| m.max(torque_error(a, f, false)));
            let all = ran.acted.iter().zip(&found).fold(0.0, |m: f64, (a, f)| m.max(torque_error(a, f, true)));
            let det: usize = found.iter().map(|f| f.determined.iter().filter(|d| **d).count()).sum::<usize>() / found.len().max(1);
            let bad = found.iter().filter(|f| !f.status.is_solved()).count();
            let app = found.iter().fold(0.0, |m: f64, f| m.max(f.contact_approach));
            println!("{name} near={near} n={} unexplained={worst:.1e} torque={err:.1e} all={all:.1e} determined={det}/{} bad={bad} approach={app:.1e} t={:?}/{:?}", found.len(), ran.model.coordinate_count(), t1, t0.elapsed()-t1);
        }
    }
}
