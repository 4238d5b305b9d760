//! Injected faults: a step reports them correctly, and a run continues as if nothing had happened.

mod mechanisms;

use linkwork::math::{MassProperties, Vec3};
use linkwork::model::{BodyDef, JointDef, ModelBuilder};
use linkwork::{Control, FailurePolicy, Outcome, Run, Settings, Simulator, StepError, joints};
use linkwork_scenes::scene;
use linkwork_solve::Status;
use mechanisms::{add_four_bar, at, residual};

/// One iteration of a method that needs many: every policy reports its action, and `converged` is never reported above
/// the tolerance.
#[test]
fn one_iteration_is_told_by_every_policy() {
    for failure in [
        FailurePolicy::Accept,
        FailurePolicy::Substep { depth: 2 },
        FailurePolicy::Hold,
        FailurePolicy::Error,
    ] {
        let mut scene = scene("nunchuk", &[]).unwrap();
        scene.settings.solver = "admm-ncp-sa".to_owned();
        scene.settings.solve.max_iterations = 1;
        scene.settings.failure = failure;
        let tolerance = scene.settings.solve.tolerance;
        let mut run = Run::of(scene).unwrap();
        let (mut failed, mut refused) = (0, 0);
        for _ in 0..1000 {
            let before = run.simulator().state().clone();
            match run.step() {
                Ok(report) => {
                    let met = report.residuals.meets(tolerance);
                    assert!(met || report.status != Status::Converged, "{failure:?}");
                    failed += usize::from(report.status != Status::Converged);
                    assert!(failure != FailurePolicy::Error || report.status == Status::Converged);
                    if failure == FailurePolicy::Hold && report.status != Status::Converged {
                        assert_eq!(report.outcome, Outcome::Held);
                        assert_eq!(run.simulator().state().poses, before.poses);
                    }
                }
                Err(error) => {
                    assert_eq!(failure, FailurePolicy::Error);
                    assert!(matches!(error, StepError::NotConverged { .. }), "{error}");
                    assert_eq!(*run.simulator().state(), before);
                    refused += 1;
                }
            }
            assert!(run.simulator().state().is_finite(), "{failure:?}");
        }
        println!("{failure:?}: {failed} steps failed, {refused} refused");
        assert!(
            failed + refused > 100,
            "{failure:?}: one iteration was enough"
        );
    }
}

/// A control with a NaN now and then is refused, and the run is that of one that never had it, to the bit.
#[test]
fn a_nan_in_the_control_leaves_no_trace() {
    let start = || Run::of(scene("fourbar_free", &[]).unwrap()).unwrap();
    let (mut run, mut spoilt) = (start(), start());
    for step in 0..600 {
        let control = Control::new(run.simulator().model());
        run.simulator_mut().step(&control).unwrap();
        if step % 7 == 0 {
            let mut bad = control.clone();
            bad.wrenches[step % 3].torque.y = [f64::NAN, f64::INFINITY][step % 2];
            let refused = spoilt.simulator_mut().step(&bad);
            assert!(matches!(refused, Err(StepError::Misfit(_))), "{refused:?}");
        }
        spoilt.simulator_mut().step(&control).unwrap();
        let [a, b] = [&run, &spoilt].map(|r| r.simulator().state().hash());
        assert_eq!(a, b, "step {step}");
    }
}

/// Mechanisms that start in a singular pose with a velocity: all numbers are finite, and joints are closed or the step
/// is reported as failed.
#[test]
fn singular_poses_end_closed_or_told() {
    let mut cases = Vec::new();
    // A four-bar with all links on a line: it can move either way, and two rows are dependent.
    let mut b = ModelBuilder::new();
    add_four_bar(
        &mut b,
        "",
        [at(0.0, 0.0), at(1.0, 0.0), at(3.0, 0.0), at(2.0, 0.0)],
    );
    cases.push(("flat four-bar", b.build().unwrap()));
    // A gimbal at lock: two of its axes are one.
    let mut b = ModelBuilder::new();
    let mass = MassProperties::solid_box(1.0, Vec3::new(0.1, 0.2, 0.3));
    let top = b.add_body(BodyDef::new("top", mass).at(0.3, 0.0, 0.0));
    let gimbal = joints::by_name("gimbal").unwrap();
    let lock = [0.0, std::f64::consts::FRAC_PI_2, 0.0];
    b.add_joint(JointDef::of("gimbal", gimbal, None, top).coordinates(&lock));
    cases.push(("locked gimbal", b.build().unwrap()));
    // A slider at its dead centre, the crank along the rod.
    let mut b = ModelBuilder::new();
    let bar = |x: f64| {
        BodyDef::new(
            format!("bar{x}"),
            MassProperties::solid_box(1.0, Vec3::new(0.5, 0.05, 0.05)),
        )
        .at(x, 0.0, 0.0)
    };
    let (crank, rod) = (b.add_body(bar(0.5)), b.add_body(bar(1.5)));
    b.add_joint(JointDef::revolute("A", None, crank).axis(0.0, 1.0, 0.0));
    b.add_joint(
        JointDef::revolute("B", crank, rod)
            .anchor(1.0, 0.0, 0.0)
            .axis(0.0, 1.0, 0.0),
    );
    let guide = joints::by_name("point_on_line").unwrap();
    b.add_joint(
        JointDef::of("C", guide, None, rod)
            .anchor(2.0, 0.0, 0.0)
            .axis(1.0, 0.0, 0.0),
    );
    cases.push(("slider at dead centre", b.build().unwrap()));
    for (what, model) in cases {
        for dt in [1e-4, 1e-3, 1e-2] {
            let settings = Settings::with(|s| s.dt = dt);
            let mut sim = Simulator::new(model.clone(), settings).unwrap();
            let mut control = Control::new(&model);
            let (mut failed, mut open) = (0, 0.0_f64);
            for step in 0..1000 {
                let push = 5.0 * (0.02 * step as f64).sin();
                for wrench in &mut control.wrenches {
                    wrench.torque = Vec3::new(0.0, push, 0.1 * push);
                }
                let report = sim.step(&control).unwrap();
                assert!(sim.state().is_finite(), "{what}");
                let told = report.status != Status::Converged;
                failed += usize::from(told);
                let gap = residual(&model, sim.state());
                assert!(
                    told || gap <= 1e-6,
                    "{what}, dt {dt}: open by {gap} and not told"
                );
                open = open.max(gap);
            }
            println!("{what}, dt {dt}: {failed} of 1000 steps failed, open by {open:.1e}");
        }
    }
}
