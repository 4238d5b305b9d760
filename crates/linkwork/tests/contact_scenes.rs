//! Scenes of many contacts: energy that must not grow, bodies that must come to rest and must not leave.

use linkwork::math::Vec3;
use linkwork::metrics::kinetic_energy;
use linkwork::model::ShapeId;
use linkwork::rows::RowSource;
use linkwork::{Run, StepReport};
use linkwork_scenes::scene;
use linkwork_solve::Status;

/// Gravity of all scenes, m/s².
const G: f64 = 9.81;

/// A run that is watched.
struct Watched {
    run: Run,
    steps: u64,
    /// Total energy at the start, J.
    start: f64,
    /// Total energy after the last step, and the most that a step has added to it, J.
    energy: f64,
    gained: f64,
    failed: usize,
}

impl Watched {
    fn new(name: &str, set: &[(&str, f64)]) -> Self {
        let run = Run::of(scene(name, set).unwrap()).unwrap();
        let start = run.moment(0, None).energy;
        Self {
            run,
            start,
            energy: start,
            steps: 0,
            gained: 0.0,
            failed: 0,
        }
    }

    fn step(&mut self) -> StepReport {
        let report = self.run.step().unwrap();
        self.steps += 1;
        self.failed += usize::from(report.status != Status::Converged);
        let energy = self.run.moment(self.steps, Some(&report)).energy;
        self.gained = self.gained.max(energy - self.energy);
        self.energy = energy;
        report
    }

    fn time(&mut self, seconds: f64) {
        for _ in 0..self.run.steps_in(seconds) {
            self.step();
        }
    }

    fn kinetic(&self) -> f64 {
        kinetic_energy(self.run.simulator().model(), self.run.simulator().state())
    }

    fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        let poses = &self.run.simulator().state().poses;
        poses.iter().map(|p| p.position)
    }

    /// Weight of all bodies, N.
    fn weight(&self) -> f64 {
        let bodies = self.run.simulator().model().bodies();
        G * bodies.iter().map(|b| b.mass).sum::<f64>()
    }

    /// Force that the floor, the only shape of the world, carried in the last step, N.
    fn carried(&self) -> f64 {
        let simulator = self.run.simulator();
        let (sets, lambda) = (&simulator.problem().sets, &simulator.solution().lambda);
        let shapes = simulator.model().shapes();
        let world = |s: ShapeId| shapes[s.index()].body.is_none();
        let mut sum = 0.0;
        for (k, source) in simulator.row_sources().iter().enumerate() {
            if let RowSource::Contact(key) = source
                && (world(key.shape_a) || world(key.shape_b))
            {
                // Rows are (t₁, t₂, n).
                sum += lambda[sets.range(k).end - 1];
            }
        }
        sum / simulator.settings().dt
    }

    /// Kinetic energy (J) and deepest overlap (m) now, after every solve converged and no step gave energy.
    fn settled(&mut self, name: &str) -> (f64, f64) {
        let (kinetic, gained, failed) = (self.kinetic(), self.gained, self.failed);
        let contacts = self.run.simulator_mut().detect_contacts().iter();
        let penetration = contacts.fold(0.0f64, |p, c| p.max(-c.gap));
        println!(
            "{name}: {kinetic:.1e} J, gained {gained:.1e} J, penetration {penetration:.1e} m, {failed} solves failed"
        );
        assert_eq!(failed, 0);
        // An impact may leave overlap, as contacts are linear over a step, and what pushes it apart gives energy:
        // to the heaviest body no more than that of the greatest speed at which this is done.
        let (model, settings) = (
            self.run.simulator().model(),
            self.run.simulator().settings(),
        );
        let heaviest = model.bodies().iter().fold(0.0, |m: f64, b| m.max(b.mass));
        let most = 0.5 * heaviest * settings.stabilization.max_depenetration_speed.powi(2);
        assert!(gained <= most, "{gained:e} J, not above {most:e}");
        // A standing scene may rise by the micrometre that defines rest.
        let risen = (self.energy - self.start) / self.weight();
        assert!(risen <= 1e-6, "{risen:e} m");
        (kinetic, penetration)
    }
}

#[test]
fn a_heap_settles_in_its_bin() {
    let mut w = Watched::new("heap", &[("n", 40.0)]);
    w.time(8.0);
    let (kinetic, penetration) = w.settled("heap");
    // Balls continue to roll, since nothing resists rolling: a small part of the energy of the fall.
    assert!(kinetic <= 1e-4 * (w.start - w.energy) && penetration <= 1e-6);
    for p in w.positions() {
        assert!(p.x.abs().max(p.y.abs()) < 0.4 && p.z > 0.04, "{p}");
    }
}

#[test]
fn a_bowl_keeps_what_falls_into_it() {
    let mut w = Watched::new("bowl", &[("n", 24.0)]);
    w.time(4.0);
    let (kinetic, penetration) = w.settled("bowl");
    assert!(kinetic <= 1e-3 && penetration <= 1e-6);
    for p in w.positions() {
        let from_centre = (p - Vec3::new(0.0, 0.0, 0.52)).norm();
        assert!(from_centre < 0.5 && p.z < 0.4, "{p}");
    }
}

#[test]
fn a_pyramid_stands_with_its_weight_on_the_floor() {
    let mut w = Watched::new("pyramid", &[("rows", 8.0)]);
    let from: Vec<Vec3> = w.positions().collect();
    w.time(2.0);
    let (kinetic, penetration) = w.settled("pyramid");
    let moved = from.iter().zip(w.positions()).map(|(a, b)| (a - b).norm());
    let drift = moved.fold(0.0, f64::max);
    assert!(kinetic <= 1e-9 && penetration <= 1e-6 && drift <= 1e-6);
    let excess = w.carried() / w.weight() - 1.0;
    assert!(excess.abs() <= 1e-6, "{excess:e}");
}

#[test]
fn dominoes_fall_one_after_the_other_at_a_steady_rate() {
    const N: usize = 24;
    let mut w = Watched::new("dominoes", &[("n", N as f64)]);
    let mut fell = [f64::NAN; N];
    for _ in 0..2500 {
        w.step();
        let state = w.run.simulator().state();
        for (at, pose) in fell.iter_mut().zip(&state.poses) {
            let upright = (pose.rotation * Vec3::z()).z;
            if at.is_nan() && upright < 0.3f64.cos() {
                *at = state.time;
            }
        }
    }
    let (kinetic, penetration) = w.settled("dominoes");
    assert!(kinetic <= 1e-9 && penetration <= 1e-6);
    // Far from the first the wave looks the same at every domino.
    let gaps: Vec<f64> = fell.windows(2).skip(10).map(|w| w[1] - w[0]).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let steady = gaps.iter().all(|g| (g - mean).abs() <= 0.1 * mean);
    assert!(steady, "{fell:?}");
    // The last one lies flat; the others lean on their neighbours.
    let last = w.positions().last().unwrap().z;
    assert!((last - 0.006).abs() <= 1e-6, "{last}");
}

#[test]
fn a_wall_stops_the_ball_and_its_outer_columns_stand() {
    let mut w = Watched::new("wall", &[]);
    let from: Vec<Vec3> = w.positions().collect();
    w.time(1.0);
    let (_, penetration) = w.settled("wall");
    assert!(penetration <= 1e-9);
    let to: Vec<Vec3> = w.positions().collect();
    for (i, (a, b)) in from.iter().zip(&to).enumerate().take(15) {
        let moved = (a - b).norm();
        // Three columns; the outer ones have no contacts with others.
        let most = if i % 3 == 1 { 0.1 } else { 1e-9 };
        assert!(moved <= most, "cube {i}: {moved:e} m");
    }
    // 11 t stand above 1 t of ball, which lands in front of them.
    assert!(
        to[15].x < -0.3 && (to[15].z - 0.2).abs() < 1e-6,
        "{}",
        to[15]
    );
}
