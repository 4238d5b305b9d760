//! A parallelogram driven through its change points, where the closing rows become dependent within a step.

mod mechanisms;

use linkwork::math::Vec3;
use linkwork::metrics::kinetic_energy;
use linkwork::model::ModelBuilder;
use linkwork::{Control, FailurePolicy, Outcome, Settings, Simulator};
use linkwork_solve::Status;
use mechanisms::{add_four_bar, at, residual};

/// Step, s, and steps of each run.
const DT: f64 = 1e-3;
const STEPS: usize = 3000;

/// Two motors that disagree drive the cranks around; where all links lie on a line the reactions grow
/// beyond bounds, and a chord iteration from the start of the step leads away from the closed pose at its end.
#[test]
fn a_parallelogram_passes_its_change_points() {
    let mut b = ModelBuilder::new();
    let corners = [at(0.0, 0.0), at(0.0, 1.0), at(1.0, 1.0), at(1.0, 0.0)];
    let crank = add_four_bar(&mut b, "", corners);
    b.gravity(Vec3::zeros());
    let model = b.build().unwrap();
    let elbow = model.joint_named("B").unwrap();
    let settings = Settings::with(|s| {
        s.dt = DT;
        s.failure = FailurePolicy::Substep { depth: 4 };
    });
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let (mut worst, mut repeated, mut flat) = (0.0f64, 0, 0);
    let (mut work, mut turned_over, mut before) = (0.0, 0.0, 0.0);
    for i in 0..STEPS {
        let t = i as f64 * DT;
        let mut control = Control::new(&model);
        control.force(&model, crank, 150.0 * (1.1 * t).cos());
        control.force(&model, elbow, 60.0 * (1.7 * t).sin());
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged, "at {t} s");
        repeated += usize::from(matches!(report.outcome, Outcome::Substepped(_)));
        worst = worst.max(residual(&model, simulator.state()));
        // The sine of the angle between crank and ground changes its sign where they are in line.
        let angle = simulator.state().coordinates[model.joint(crank).first_coordinate];
        let side = angle.cos();
        flat += usize::from(side * before < 0.0);
        before = side;
        work += report.work.applied;
        turned_over += report.work.applied.abs();
    }
    let energy = kinetic_energy(&model, simulator.state());
    println!(
        "{flat} change points, {repeated} steps repeated, closure {worst:.1e}, {work} J of work, {energy} J"
    );
    assert!(flat > 20, "only {flat} change points");
    assert!(worst < 1e-9, "open by {worst}");
    assert!(repeated < flat);
    assert!(
        (work - energy).abs() < 1e-3 * turned_over,
        "{work} J of work made {energy} J"
    );
}
