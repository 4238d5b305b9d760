//! Torsional and rolling friction: a spinning or rolling body stops when and where the law says, and stays there.

use linkwork::math::{MassProperties, Twist, Vec3};
use linkwork::model::{
    BodyDef, Combine, Compliance, Geometry, Material, Model, ModelBuilder, ShapeDef,
};
use linkwork::{Control, Settings, Simulator};
use linkwork_solve::{
    ContactModel, ImpulseSet, Problem, Solution, SolverSettings, Status, all_solvers, residuals,
};
use std::sync::Arc;

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;

fn material(friction: f64, torsional: f64, rolling: f64) -> Material {
    Material {
        friction,
        torsional_friction: torsional,
        rolling_friction: rolling,
        friction_combine: Combine::Max,
        ..Material::default()
    }
}

/// A sphere with this mass on a floor, with the slope of gravity (rad).
fn sphere(mass: MassProperties, surface: Material, slope: f64, twist: Twist) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    b.gravity(G * Vec3::new(slope.sin(), 0.0, -slope.cos()));
    let floor = material(0.0, 0.0, 0.0);
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(floor));
    let body = BodyDef::new("ball", mass)
        .at(0.0, 0.0, RADIUS)
        .twist(twist.linear, twist.angular);
    let body = b.add_body(body);
    let shape = ShapeDef::new(Geometry::Sphere { radius: RADIUS });
    b.add_shape(body, shape.material(surface));
    b.build().unwrap()
}

fn start(model: Arc<Model>) -> Simulator {
    let mut settings = Settings::default();
    settings.solve.tolerance = 1e-10;
    Simulator::new(model, settings).unwrap()
}

/// Step until `speed` is no more than `slow`, at most 20 s; the time at which it came to 0 while it fell evenly, s.
/// Velocities are those of the middle of a step.
fn time_to_stop(simulator: &mut Simulator, speed: impl Fn(&Twist) -> f64, slow: f64) -> f64 {
    let control = Control::new(simulator.model());
    let dt = simulator.settings().dt;
    let (mut last, mut fall) = (speed(&simulator.state().twists[0]), 0.0);
    for _ in 0..(20.0 / dt) as usize {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged, "{:?}", report.residuals);
        let now = speed(&simulator.state().twists[0]);
        if now <= slow {
            return simulator.state().time - 1.5 * dt + dt * last / fall;
        }
        (fall, last) = (last - now, now);
    }
    panic!("still at {last} after 20 s");
}

#[test]
fn a_spinning_disc_stops_at_the_analytic_time() {
    // I ω̇ = −μ_τ m g, for any friction coefficient, including 0.
    let disc = MassProperties::solid_cylinder(2.0, 0.3, 0.02);
    let inertia = disc.inertia[(2, 2)];
    for (friction, torsional, rolling) in [(0.6, 0.02, 0.0), (0.6, 0.02, 1e-3), (0.0, 0.02, 0.0)] {
        let spin = Twist::new(Vec3::zeros(), Vec3::new(0.0, 0.0, 5.0));
        let surface = material(friction, torsional, rolling);
        let mut simulator = start(sphere(disc, surface, 0.0, spin));
        let wanted = inertia * 5.0 / (torsional * 2.0 * G);
        let time = time_to_stop(&mut simulator, |u| u.angular.norm(), 1e-9);
        let error = (time - wanted) / wanted;
        println!("μ {friction}, μ_τ {torsional}: {time} s, wanted {wanted}, {error:.1e}");
        assert!(error.abs() < 1e-3);
        let control = Control::new(simulator.model());
        for _ in 0..100 {
            simulator.step(&control).unwrap();
            assert!(simulator.state().twists[0].angular.norm() < 1e-8);
        }
    }
}

#[test]
fn the_moment_of_a_contact_is_reported() {
    let spin = Twist::new(Vec3::zeros(), Vec3::new(0.0, 0.0, 5.0));
    let ball = MassProperties::solid_sphere(2.0, RADIUS);
    let mut simulator = start(sphere(ball, material(0.6, 0.02, 0.003), 0.0, spin));
    let control = Control::new(simulator.model());
    for _ in 0..3 {
        simulator.step(&control).unwrap();
    }
    let force = simulator.contact_forces()[0];
    let dt = simulator.settings().dt;
    let moment = force.moment / dt;
    assert!((moment.z + 0.02 * 2.0 * G).abs() < 1e-6, "{moment}");
    assert!(moment.xy().norm() < 1e-9 && (force.impulse.z / dt - 2.0 * G).abs() < 1e-6);
}

#[test]
fn sliding_and_spinning_share_one_ellipsoid() {
    // With I/m = (μ_τ/μ)², both speeds fall in proportion: |p|, p = (μ v, μ_τ ω), falls at μ² g. A large inertia about
    // the other axes keeps the body from tipping.
    let (mu, torsional) = (0.4, 0.06);
    let inertia = 2.0 * (torsional / mu) * (torsional / mu);
    let mass = MassProperties::principal(2.0, Vec3::new(1e7, 1e7, inertia));
    for (v, w) in [(1.0, 0.0), (0.8, 4.0), (0.1, 9.0)] {
        let twist = Twist::new(Vec3::new(v, 0.0, 0.0), Vec3::new(0.0, 0.0, w));
        let mut simulator = start(sphere(mass, material(mu, torsional, 0.0), 0.0, twist));
        let wanted = (mu * v).hypot(torsional * w) / (mu * mu * G);
        let time = time_to_stop(
            &mut simulator,
            |u| u.linear.norm().max(u.angular.z.abs()),
            1e-6,
        );
        // Half of the way at v falling evenly.
        let x = simulator.state().poses[0].position.x;
        println!(
            "v {v}, ω {w}: {time} s of {wanted}, {x} m of {}",
            0.5 * v * wanted
        );
        assert!((time - wanted).abs() < 1e-3 * wanted);
        assert!((x - 0.5 * v * wanted).abs() < 1e-3 * v * wanted);
    }
}

#[test]
fn a_rolling_ball_stops_after_the_analytic_distance() {
    // v̇ = −F/m, ω̇ = (F r − M)/I. Dissipation is greatest where F/M = (μ/μ_ρ)² (v − ω r)/ω: the ball creeps with
    // v = (1 + κ) ω r. With q = (μ_ρ/(μ r))² and f = F r/M = κ/q both speeds fall in proportion where
    // f = (1 + κ)/(1.4 + κ), and (F/μ)² + (M/μ_ρ)² = N².
    let ball = MassProperties::solid_sphere(3.0, RADIUS);
    for (mu, rolling, speed) in [(0.8, 5e-3, 1.0), (0.3, 5e-3, 1.0), (1.0, 1e-3, 0.5)] {
        let q = (rolling / (mu * RADIUS)) * (rolling / (mu * RADIUS));
        let creep = (0..50).fold(0.0, |k: f64, _| q * (1.0 + k) / (1.4 + k));
        let f = (1.0 + creep) / (1.4 + creep);
        let moment = rolling * G / (1.0 + q * f * f).sqrt();
        let deceleration = f * moment / RADIUS;
        let wanted = speed * speed / (2.0 * deceleration);
        let spin = speed / (RADIUS * (1.0 + creep));
        let twist = Twist::new(Vec3::new(speed, 0.0, 0.0), Vec3::new(0.0, spin, 0.0));
        let mut simulator = start(sphere(ball, material(mu, 0.0, rolling), 0.0, twist));
        time_to_stop(&mut simulator, |u| u.linear.norm(), 1e-9);
        let distance = simulator.state().poses[0].position.x;
        let error = (distance - wanted) / wanted;
        println!("μ {mu}, μ_ρ {rolling}: {distance} m, wanted {wanted}, {error:.1e}");
        assert!(error.abs() < 1e-3);
    }
}

#[test]
fn a_ball_holds_on_a_slope_up_to_the_angle_of_its_rolling_friction() {
    // At rest F = m g sin α and M = r F: (tan α)² (1/μ² + (r/μ_ρ)²) ≤ 1.
    let (mu, rolling) = (0.7, 0.01);
    let steepest = (1.0 / (mu * mu) + (RADIUS / rolling) * (RADIUS / rolling))
        .sqrt()
        .recip()
        .atan();
    let ball = MassProperties::solid_sphere(3.0, RADIUS);
    let run = |slope: f64| {
        let surface = material(mu, 0.002, rolling);
        let mut simulator = start(sphere(ball, surface, slope, Twist::zero()));
        let control = Control::new(simulator.model());
        for _ in 0..1000 {
            let report = simulator.step(&control).unwrap();
            assert_eq!(report.status, Status::Converged);
        }
        simulator.state().twists[0].linear.norm()
    };
    let (below, above) = (run(0.99 * steepest), run(1.01 * steepest));
    println!("steepest {steepest}: {below:e} m/s at 99 %, {above:e} m/s at 101 %");
    assert!(below < 1e-9 && above > 1e-3);
}

/// Balls with all frictions thrown into a corner of balls: the problems of some steps.
fn heap(compliance: Compliance) -> Vec<Problem> {
    let mut b = ModelBuilder::new();
    let surface = Material {
        compliance,
        ..material(0.5, 0.01, 2e-3)
    };
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(surface));
    for i in 0..6 {
        let at = [
            0.11 * f64::from(i % 3),
            0.05 * f64::from(i),
            0.1 + 0.21 * f64::from(i / 2),
        ];
        let body = BodyDef::new(
            format!("ball {i}"),
            MassProperties::solid_sphere(1.0, RADIUS),
        )
        .at(at[0], at[1], at[2])
        .twist(
            Vec3::new(0.4, -0.3, -1.0),
            Vec3::new(3.0, f64::from(i), -9.0),
        );
        let body = b.add_body(body);
        b.add_shape(
            body,
            ShapeDef::new(Geometry::Sphere { radius: RADIUS }).material(surface),
        );
    }
    let mut simulator = start(b.build().unwrap());
    let control = Control::new(simulator.model());
    let mut problems = Vec::new();
    for i in 0..600 {
        let report = simulator.step(&control).unwrap();
        assert_eq!(
            report.status,
            Status::Converged,
            "step {i}: {:?}",
            report.residuals
        );
        if i % 60 == 59 {
            problems.push(simulator.problem().clone());
        }
    }
    problems
}

#[test]
fn solvers_of_different_families_agree() {
    let mut compared = 0;
    for problem in heap(Compliance::Rigid) {
        assert!(
            problem
                .sets
                .iter()
                .all(|(set, _)| matches!(set, ImpulseSet::CoulombMoment { rows: 6, .. }))
        );
        let mut answers = Vec::new();
        for entry in all_solvers() {
            let mut solver = (entry.build)(SolverSettings {
                tolerance: 1e-10,
                max_iterations: 20_000,
            });
            let independent = ["condensed", "newton", "admm-ncp-sa", "clarabel-ncp"];
            if !independent.contains(&entry.name) {
                continue;
            }
            let mut x = Solution::default();
            let report = solver.solve(&problem, &mut x, &mut ());
            let grade = residuals(&problem, &x, ContactModel::Ncp);
            println!("{}: {:?} {:.1e}", entry.name, report.status, grade.scaled());
            if report.status == Status::Converged {
                assert!(grade.meets(1e-10));
                answers.push((entry.name, x));
            }
        }
        let own = answers.iter().find(|(name, _)| *name == "condensed");
        let own = own.expect("the default solver solves it").1.clone();
        for (name, other) in answers.iter().filter(|(name, _)| *name != "condensed") {
            let pairs = own.u_plus.iter().zip(&other.u_plus);
            let apart = pairs.fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(apart < 1e-5, "{name}: {apart:e}");
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn soft_contacts_take_moments_too() {
    let soft = Compliance::Physical {
        stiffness: 1e5,
        dissipation_time: 0.01,
    };
    assert!(!heap(soft).is_empty());
    assert!(!heap(Compliance::Impedance(Default::default())).is_empty());
}

#[test]
fn moments_between_two_bodies_conserve_angular_momentum() {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let surface = material(0.5, 0.02, 0.01);
    for (x, v, w) in [(0.0, 1.0, 20.0), (0.21, -0.5, -3.0)] {
        let mass = MassProperties::solid_sphere(1.0 + x, RADIUS);
        let body = BodyDef::new(format!("at {x}"), mass)
            .at(x, 0.03 * x, 0.0)
            .twist(Vec3::new(v, 0.1, 0.0), Vec3::new(w, 1.0, -w));
        let body = b.add_body(body);
        b.add_shape(
            body,
            ShapeDef::new(Geometry::Sphere { radius: RADIUS }).material(surface),
        );
    }
    let mut simulator = start(b.build().unwrap());
    let momentum = |s: &Simulator| {
        let parts = s
            .model()
            .bodies()
            .iter()
            .zip(&s.state().poses)
            .zip(&s.state().twists);
        parts.fold(Vec3::zeros(), |sum, ((body, pose), twist)| {
            sum + body.mass * pose.position.cross(&twist.linear) + body.inertia * twist.angular
        })
    };
    let (before, control) = (momentum(&simulator), Control::new(simulator.model()));
    let mut turned = 0.0f64;
    for _ in 0..40 {
        simulator.step(&control).unwrap();
        let moments = simulator.contact_forces();
        turned = moments.iter().fold(turned, |m, f| m.max(f.moment.norm()));
    }
    assert!(turned > 1e-4, "{turned}");
    assert!((momentum(&simulator) - before).norm() < 1e-12);
}
