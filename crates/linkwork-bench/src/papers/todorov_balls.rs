//! [Todorov §IV]'s simulation: balls of different radii in a cube, one contact problem per step, solved from the
//! assumption that all contacts stick.

use super::balls::{Arena, Ball, Wall, advance};
use linkwork::math::Vec3;
use linkwork_solve::solvers::{Implicit, ImplicitSettings, Start};
use linkwork_solve::{Solution, Solver, SolverSettings, Status};
use std::f64::consts::PI;

/// His step, s.
pub(super) const STEP: f64 = 0.005;
/// Density of the balls, kg/m³; not in the paper.
const DENSITY: f64 = 1000.0;
/// Least and greatest radius, m; not in the paper.
const RADII: (f64, f64) = (0.08, 0.16);
/// Gaps below this count as touching, m: balls that were put in touch touch in spite of round-off.
pub(super) const TOUCH: f64 = 1e-9;

/// The published method: it starts from sticking and ends in a local minimum if it reaches one. The paper does not
/// state where it stops.
pub(super) fn solver(tolerance: f64, max_iterations: usize) -> Implicit {
    Implicit::new(ImplicitSettings {
        common: SolverSettings {
            tolerance,
            max_iterations,
        },
        restarts: 0,
        start: Start::Stick,
        ..ImplicitSettings::default()
    })
}

/// A cube with one corner at the origin and the given edge, m. Only touching pairs are contacts, and b = 0.
pub(super) fn cube(edge: f64, friction: f64) -> Arena {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let walls = axes.into_iter().flat_map(|axis| {
        let (near, far) = (Vec3::zeros(), edge * axis);
        [(near, axis), (far, -axis)].map(|(point, normal)| Wall { point, normal })
    });
    Arena {
        walls: walls.collect(),
        gravity: 9.81,
        friction,
        dt: STEP,
        reach: TOUCH,
        gain: 0.0,
    }
}

/// A solid ball at rest.
pub(super) fn ball(radius: f64, centre: Vec3) -> Ball {
    let mass = DENSITY * 4.0 / 3.0 * PI * radius.powi(3);
    Ball {
        radius,
        mass,
        inertia: 0.4 * mass * radius * radius,
        centre,
        velocity: Vec3::zeros(),
        spin: Vec3::zeros(),
    }
}

/// `count` balls at random places in the cube of the given edge (m), clear of each other, with random
/// velocities up to 1 m/s along each axis.
pub(super) fn scattered(seed: u64, count: usize, edge: f64) -> Vec<Ball> {
    let mut random = Random::new(seed);
    let mut balls: Vec<Ball> = Vec::new();
    while balls.len() < count {
        let share = 0.5 * (random.symmetric() + 1.0);
        let radius = RADII.0 + (RADII.1 - RADII.0) * share;
        let half = 0.5 * edge;
        let centre = random.vector() * (half - radius) + Vec3::repeat(half);
        let clear = |b: &Ball| (b.centre - centre).norm() > b.radius + radius;
        if balls.iter().all(clear) {
            let velocity = random.vector();
            balls.push(Ball {
                velocity,
                ..ball(radius, centre)
            });
        }
    }
    balls
}

/// What the solver did in a run.
#[derive(Default)]
pub(super) struct Run {
    /// Iterations of every step with a contact, and the result of its solve.
    pub solves: Vec<(usize, Status)>,
    /// Newton points accepted, all steps.
    pub newton: usize,
    /// Points accepted, all steps.
    pub accepted: usize,
    /// Contacts, all steps.
    pub contacts: usize,
}

impl Run {
    /// Takes `steps` steps with the balls. The last iterate is applied, solved or not, as in the paper.
    pub(super) fn of(
        arena: &Arena,
        balls: &mut [Ball],
        solver: &mut Implicit,
        steps: usize,
    ) -> Self {
        let mut run = Self::default();
        for _ in 0..steps {
            let problem = arena.problem(balls);
            let mut x = Solution::default();
            let report = solver.solve(&problem, &mut x, &mut ());
            if !problem.sets.is_empty() {
                run.solves.push((report.iterations, report.status));
            }
            run.contacts += problem.sets.len();
            run.newton += solver.steps().newton;
            run.accepted += solver.steps().total();
            advance(balls, &x.u_plus, arena.dt);
        }
        run
    }

    /// Median of the iterations of the solves that ended as asked; 0 where none did.
    pub(super) fn median_iterations(&self, ended: impl Fn(Status) -> bool) -> f64 {
        let solves = self.solves.iter().filter(|solve| ended(solve.1));
        let mut sorted: Vec<usize> = solves.map(|solve| solve.0).collect();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).map_or(0.0, |&n| n as f64)
    }

    /// How many solves ended so.
    pub(super) fn count(&self, status: Status) -> usize {
        self.solves.iter().filter(|solve| solve.1 == status).count()
    }
}

/// Marsaglia's xorshift64*: small, and the same numbers on every machine.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // Small seeds differ in few bits: let them spread.
        for _ in 0..8 {
            random.symmetric();
        }
        random
    }

    /// Uniform in [−1, 1].
    fn symmetric(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        2.0 * bits as f64 / (1u64 << 53) as f64 - 1.0
    }

    /// Uniform in the cube [−1, 1]³.
    fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.symmetric())
    }
}
