//! Every built-in scene: its parts, a consistent start, and a run.

use linkwork::Scene;
use linkwork::joints::{MAX_ROWS, Row};
use linkwork::math::Twist;
use linkwork::model::Model;
use linkwork::{Control, Simulator, metrics};
use linkwork_scenes::{SceneError, all_scenes, scene};

/// A scene being run with its script.
struct Run {
    sim: Simulator,
    control: Control,
    script: Option<linkwork::Script>,
    /// Largest joint residual so far, m or rad.
    closure: f64,
}

impl Run {
    fn new(scene: Scene) -> Self {
        Self {
            control: Control::new(&scene.model),
            sim: Simulator::new(scene.model, scene.settings).unwrap(),
            script: scene.script,
            closure: 0.0,
        }
    }

    fn steps(&mut self, n: usize) -> Result<(), linkwork::StepError> {
        for _ in 0..n {
            let model = self.sim.model().clone();
            if let Some(script) = &mut self.script {
                script(&model, self.sim.state(), &mut self.control);
            }
            let report = self.sim.step(&self.control)?;
            let residual = report.closure_linear.max(report.closure_angular);
            self.closure = self.closure.max(residual);
        }
        Ok(())
    }

    fn angle(&self, joint: &str) -> f64 {
        let model = self.sim.model();
        let joint = model.joint_named(joint).unwrap();
        self.sim.state().joint_coordinates(model, joint)[0]
    }

    fn kinetic_energy(&self) -> f64 {
        metrics::kinetic_energy(self.sim.model(), self.sim.state())
    }
}

fn build(name: &str, set: &[(&str, f64)]) -> Scene {
    scene(name, set).unwrap_or_else(|e| panic!("{name} {set:?}: {e}"))
}

/// Values other than the defaults that take a scene through another of its branches.
fn variants() -> Vec<(&'static str, Vec<(&'static str, f64)>)> {
    let defaults = all_scenes().iter().map(|e| (e.name, vec![]));
    let others = [
        ("nunchuk", vec![("gravity", 0.0)]),
        ("fourbar_fixed", vec![("drive", 1.0)]),
        ("fourbar_fixed", vec![("stop", 0.3)]),
        ("fourbar_free", vec![("gravity", 0.0)]),
        (
            "pendulum",
            vec![("n", 8.0), ("friction", 0.1), ("damping", 0.1)],
        ),
        ("coupled_fourbars", vec![("n", 16.0)]),
        ("spinning_top", vec![("steady", 0.0)]),
        ("stack", vec![("n", 1.0)]),
        ("clutter", vec![("n", 7.0)]),
    ];
    defaults.chain(others).collect()
}

fn speed(jacobian: &[f64; 6], twist: &Twist) -> f64 {
    let u = twist.linear.iter().chain(twist.angular.iter());
    jacobian.iter().zip(u).map(|(j, u)| j * u).sum()
}

/// Largest residual and largest velocity of all locked rows at the start.
fn initial_errors(model: &Model) -> (f64, f64) {
    let state = model.initial_state();
    let (mut residual, mut velocity) = (0.0f64, 0.0f64);
    for joint in model.joints() {
        let place = state.placement(joint);
        let mut rows = [Row::ZERO; MAX_ROWS];
        let rows = &mut rows[..joint.kind.locked().len()];
        let turns = &state.coordinates[joint.first_coordinate..];
        joint.kind.constrain(&place.relative, turns, rows);
        for row in rows {
            let (base, follower) = place.jacobian(row);
            let of_base = joint
                .base
                .map_or(0.0, |b| speed(&base, &state.twists[b.index()]));
            let rate = of_base + speed(&follower, &state.twists[joint.follower.index()]);
            residual = residual.max(row.value.abs());
            velocity = velocity.max(rate.abs());
        }
    }
    for coupling in model.couplings() {
        let (mut value, mut rate) = (-coupling.offset, 0.0);
        for t in &coupling.terms {
            value += t.factor * state.joint_coordinates(model, t.joint)[t.coordinate];
            rate += t.factor * state.joint_velocities(model, t.joint)[t.coordinate];
        }
        residual = residual.max(value.abs());
        velocity = velocity.max(rate.abs());
    }
    (residual, velocity)
}

#[test]
fn the_primitives_have_the_sizes_of_the_benchmark_table() {
    let table = [
        ("box_on_plane", 1, 0, 0, 1.0),
        ("boxes_fixed", 2, 1, 6, 1000.0),
        ("nunchuk", 3, 2, 6, 1.0),
        ("fourbar_fixed", 4, 5, 26, 1.0),
        ("fourbar_free", 4, 4, 20, 1.0),
    ];
    for (name, bodies, joints, rows, ratio) in table {
        let model = build(name, &[]).model;
        assert_eq!(model.bodies().len(), bodies, "{name}");
        assert_eq!(model.joints().len(), joints, "{name}");
        assert_eq!(model.locked_rows(), rows, "{name}");
        assert_eq!(model.mass_ratio(), ratio, "{name}");
    }
}

#[test]
fn every_scene_starts_on_its_joints_and_tangent_to_them() {
    for (name, set) in variants() {
        let (residual, velocity) = initial_errors(&build(name, &set).model);
        assert!(residual <= 1e-12, "{name} {set:?}: residual {residual:e}");
        assert!(velocity <= 1e-9, "{name} {set:?}: velocity {velocity:e}");
    }
}

#[test]
fn every_body_is_visible() {
    for (name, set) in variants() {
        let model = build(name, &set).model;
        for (i, body) in model.bodies().iter().enumerate() {
            let seen = model
                .shapes()
                .iter()
                .any(|s| s.body.is_some_and(|b| b.index() == i));
            assert!(seen, "{name}: {}", body.name);
        }
    }
}

#[test]
fn every_scene_runs_closed() {
    for (name, set) in variants() {
        let mut run = Run::new(build(name, &set));
        run.steps(200)
            .unwrap_or_else(|e| panic!("{name} {set:?}: {e}"));
        let settings = run.sim.settings();
        // What a solve within its tolerance leaves open in a step, where that is more.
        let left = f64::max(1e-9, 1.001 * settings.dt * settings.solve.tolerance);
        assert!(run.closure <= left, "{name} {set:?}: {:e}", run.closure);
    }
}

#[test]
fn wrong_names_and_values_are_refused_by_type() {
    let refusal = |name, set: &[(&str, f64)]| scene(name, set).err().unwrap();
    assert!(matches!(
        refusal("fivebar", &[]),
        SceneError::UnknownScene { .. }
    ));
    assert!(matches!(
        refusal("ball", &[("colour", 1.0)]),
        SceneError::UnknownParam { scene: "ball", .. }
    ));
    for value in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            refusal("ball", &[("height", value)]),
            SceneError::OutOfRange { name: "height", .. }
        ));
    }
}

#[test]
fn the_driven_crank_turns_fully_at_its_speed() {
    let mut run = Run::new(build("fourbar_fixed", &[("drive", 1.0), ("speed", 6.0)]));
    run.steps(2000).unwrap();
    let turned = run.angle("A");
    assert!((turned - 12.0).abs() < 0.2, "{turned}");
}

#[test]
fn the_passive_fourbar_keeps_its_branch_and_its_energy() {
    let mut run = Run::new(build("fourbar_fixed", &[]));
    let energy = |run: &Run| {
        run.kinetic_energy() + metrics::potential_energy(run.sim.model(), run.sim.state())
    };
    let (start, mut least, mut most) = (energy(&run), f64::MAX, f64::MIN);
    let (mut drift, mut fastest) = (0.0f64, 0.0f64);
    for _ in 0..5000 {
        run.steps(1).unwrap();
        let c = run.angle("C");
        (least, most) = (least.min(c), most.max(c));
        drift = drift.max((energy(&run) - start).abs());
        fastest = fastest.max(run.kinetic_energy());
    }
    // The transmission angle spans 64° over a full turn of the crank and cannot leave that span.
    assert!(most - least <= 1.12, "{least} {most}");
    assert!(fastest > 1.0, "it hardly moves: {fastest} J");
    assert!(drift < 0.02 * fastest, "{drift} of {fastest} J");
}

#[test]
fn the_steady_top_keeps_its_tilt() {
    let mut run = Run::new(build("spinning_top", &[("tilt", 0.4)]));
    for _ in 0..2000 {
        run.steps(1).unwrap();
        let axis = run.sim.state().poses[0].rotation * linkwork::math::Vec3::z();
        let tilt = axis.z.acos();
        assert!((tilt - 0.4).abs() < 2e-3, "{tilt}");
    }
}

#[test]
fn clutter_stays_in_its_box_and_comes_to_rest() {
    let mut run = Run::new(build("clutter", &[("n", 12.0)]));
    run.steps(1000).unwrap();
    let energy = run.kinetic_energy();
    assert!(energy <= 1e-3, "{energy} J");
    for pose in &run.sim.state().poses {
        let p = pose.position;
        assert!(p.z > 0.0 && p.x.abs().max(p.y.abs()) < 0.16, "{p}");
    }
}
