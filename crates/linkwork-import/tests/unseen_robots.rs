//! Robots of others, from files as they are.

mod common;

use common::robots;
use linkwork::{Control, Settings, Simulator};
use linkwork_import::{Options, load};
use linkwork_solve::Status;

/// Every scene loads, and 20 steps of 1 ms from its closed start converge with the joints closed.
#[test]
fn unseen_robots_load_and_move() {
    let Some(robots) = robots() else {
        return;
    };
    for name in ["booster_t1", "kinova_gen3", "robotis_op3", "trossen_wxai"] {
        let file = robots.join(name).join("scene.xml");
        let made = load(&file, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let model = &made.model;
        let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
        let control = Control::new(model);
        for step in 0..20 {
            let report = simulator.step(&control).unwrap();
            assert_eq!(report.status, Status::Converged, "{name}, step {step}");
            let open = report.closure_linear;
            assert!(open < 1e-9, "{name}, step {step}: open by {open:e} m");
        }
    }
}
