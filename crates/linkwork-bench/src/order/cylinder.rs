//! The cylinder on a spring that rolls on a compliant floor [Castro §VI-B], and its exact motion.

use crate::error::BenchError;
use linkwork::joints::Planar;
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::model::{
    BodyDef, Compliance, Geometry, JointDef, Material, ModelBuilder, ShapeDef, Spring,
};
use linkwork::{Control, Integrator, Settings, Simulator};
use std::f64::consts::FRAC_PI_2;

/// Radius, m.
const RADIUS: f64 = 0.05;
/// Mass, kg.
const MASS: f64 = 0.5;
/// Stiffness of the spring, N/m.
const SPRING: f64 = 100.0;
/// Stretch at which it is released, m.
const START: f64 = 0.1;
/// Stiffness of the contact, N/m, and its dissipation time, s.
const FLOOR: (f64, f64) = (1e4, 0.02);
/// Gravity, m/s².
const GRAVITY: f64 = 9.81;

/// The cylinder in a simulator.
pub struct Cylinder {
    simulator: Simulator,
    control: Control,
    friction: f64,
    /// Energy of gravity at the start, J, which is excluded.
    rest: f64,
}

impl Cylinder {
    /// Released at rest with the contact loaded by its weight.
    pub fn new(friction: f64, integrator: Integrator, dt: f64) -> Result<Self, BenchError> {
        let mut b = ModelBuilder::new();
        b.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        let floor = Material {
            friction,
            ..Material::default()
        };
        b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(floor));
        // About its axis, y, the inertia of a solid cylinder; about the others it does not turn.
        let spin = 0.5 * MASS * RADIUS * RADIUS;
        let mass = MassProperties::principal(MASS, Vec3::new(1.0, spin, 1.0));
        // Friction acts in the middle of the overlap, which is to be as far from the centre as the cylinder's radius.
        let overlap = MASS * GRAVITY / (2.0 * FLOOR.0);
        let radius = RADIUS + 0.5 * overlap;
        let pose = Pose::at(START, 0.0, radius - overlap);
        let body = b.add_body(BodyDef::new("cylinder", mass).pose(pose));
        let material = Material {
            friction,
            compliance: Compliance::Physical {
                stiffness: FLOOR.0,
                dissipation_time: FLOOR.1,
            },
            ..Material::default()
        };
        // The ends of the line on which a cylinder lies.
        for y in [-0.05, 0.05] {
            let shape = ShapeDef::new(Geometry::Sphere { radius });
            b.add_shape(body, shape.pose(Pose::at(0.0, y, 0.0)).material(material));
        }
        let across = Pose::identity().rotated(Vec3::new(-FRAC_PI_2, 0.0, 0.0));
        // At the centre, z of the joint along y of the world, its x along x.
        let plane = JointDef::new("plane", Planar, None, body).frame(pose.compose(&across));
        // Its coordinates are 0 at the start.
        b.add_joint(plane.with(0, |axis| {
            axis.spring = Spring {
                stiffness: SPRING,
                rest: -START,
                ..Spring::default()
            };
        }));
        let model = b.build().map_err(|error| BenchError::Missing {
            what: format!("the cylinder cannot be built: {error}"),
            remedy: "this is a mistake in the benchmark".to_owned(),
        })?;
        let settings = Settings::with(|s| {
            s.dt = dt;
            s.integrator = integrator;
        });
        let simulator = Simulator::new(model.clone(), settings)?;
        let rest = potential_energy(&model, simulator.state()) - 0.5 * SPRING * START * START;
        Ok(Self {
            control: Control::new(&model),
            simulator,
            friction,
            rest,
        })
    }

    /// Take a step.
    pub fn step(&mut self) -> Result<(), BenchError> {
        self.simulator.step(&self.control)?;
        Ok(())
    }

    /// Mechanical energy over that at the start.
    pub fn energy(&self) -> Result<f64, BenchError> {
        let now = self.simulator.synchronised(&self.control)?;
        let model = self.simulator.model();
        let energy = kinetic_energy(model, &now) + potential_energy(model, &now) - self.rest;
        Ok(energy / (0.5 * SPRING * START * START))
    }

    /// Share of the energy that the regularised friction of Castro §V leaves after rolling for a time (s). Each end of
    /// the line carries half of the friction force k x/3 and slips at R_t λ: d ln E/dt = −½ R_t dt k/9.
    pub fn left_after(&self, time: f64) -> f64 {
        let problem = self.simulator.problem();
        let slip = problem.compliance.iter().rev().nth(1).copied();
        let dt = self.simulator.settings().dt;
        (-0.5 * slip.unwrap_or(0.0) * dt * SPRING / 9.0 * time).exp()
    }

    /// e_q, the root mean square of the position error over a time (s) from the start, m.
    pub fn error(mut self, time: f64) -> Result<f64, BenchError> {
        let dt = self.simulator.settings().dt;
        let steps = (time / dt).round() as usize;
        let mut exact = Exact::new(self.friction);
        let mut sum = 0.0;
        for _ in 0..steps {
            self.step()?;
            exact.advance(dt);
            let off = self.simulator.state().poses[0].position.x - exact.x;
            sum += off * off;
        }
        Ok((sum / steps as f64).sqrt())
    }
}

/// How the contact moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Rolls,
    /// With this friction force, N.
    Slides(f64),
}

/// The exact motion on a rigid floor, piece by piece: with the velocity s of the contact point, m v̇ = −k x + F and ṡ =
/// v̇ + 2F/m; rolling requires F = k x/3.
struct Exact {
    x: f64,
    v: f64,
    s: f64,
    phase: Phase,
    limit: f64,
}

impl Exact {
    fn new(friction: f64) -> Self {
        let mut exact = Self {
            x: START,
            v: 0.0,
            s: 0.0,
            phase: Phase::Rolls,
            limit: friction * MASS * GRAVITY,
        };
        exact.choose();
        exact
    }

    /// The phase that begins where s = 0.
    fn choose(&mut self) {
        self.s = 0.0;
        let needed = SPRING * self.x / 3.0;
        self.phase = if needed.abs() <= self.limit {
            Phase::Rolls
        } else {
            Phase::Slides(self.limit.copysign(needed))
        };
    }

    /// x, v and s after a time in the present phase.
    fn after(&self, t: f64) -> [f64; 3] {
        let (mass, force) = match self.phase {
            Phase::Rolls => (1.5 * MASS, 0.0),
            Phase::Slides(force) => (MASS, force),
        };
        let (w, centre) = ((SPRING / mass).sqrt(), force / SPRING);
        let (sin, cos) = (w * t).sin_cos();
        let x = centre + (self.x - centre) * cos + self.v / w * sin;
        let v = self.v * cos - (self.x - centre) * w * sin;
        let s = match self.phase {
            Phase::Rolls => 0.0,
            Phase::Slides(force) => self.s + v - self.v + 2.0 * force / MASS * t,
        };
        [x, v, s]
    }

    /// Whether the present phase has ended by then: the friction limit is reached, or the contact point has stopped.
    fn ended(&self, t: f64) -> bool {
        let [x, _, s] = self.after(t);
        match self.phase {
            Phase::Rolls => (SPRING * x / 3.0).abs() > self.limit,
            // Friction is against s, which starts from 0.
            Phase::Slides(force) => force != 0.0 && s * force > 0.0,
        }
    }

    fn advance(&mut self, mut time: f64) {
        // Short compared with the period of 0.44 s: no phase starts and ends within.
        const LOOK: f64 = 1e-4;
        while time > 0.0 {
            let mut t = LOOK.min(time);
            let ended = self.ended(t);
            if ended {
                let mut low = 0.0;
                for _ in 0..60 {
                    let middle = 0.5 * (low + t);
                    if self.ended(middle) {
                        t = middle;
                    } else {
                        low = middle;
                    }
                }
            }
            [self.x, self.v, self.s] = self.after(t);
            if ended {
                self.choose();
            }
            time -= t;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_motion_swings_with_its_period_and_loses_energy_only_where_it_slides() {
        for (friction, mass) in [(0.0, MASS), (1.0, 1.5 * MASS)] {
            let mut exact = Exact::new(friction);
            exact.advance(std::f64::consts::TAU * (mass / SPRING).sqrt());
            assert!((exact.x - START).abs() < 1e-12 && exact.v.abs() < 1e-9);
        }
        let mut exact = Exact::new(0.2);
        let (mut rolled, mut slid) = (0, 0);
        let energy = |e: &Exact| {
            let spin = e.s - e.v;
            0.5 * (SPRING * e.x * e.x + MASS * e.v * e.v + 0.5 * MASS * spin * spin)
        };
        let mut last = energy(&exact);
        for _ in 0..5000 {
            let before = exact.phase;
            exact.advance(1e-3);
            let now = energy(&exact);
            if (before, exact.phase) == (Phase::Rolls, Phase::Rolls) {
                rolled += 1;
                assert!((now - last).abs() < 1e-12, "{}", now - last);
            } else {
                slid += 1;
                assert!(now < last + 1e-12);
            }
            last = now;
        }
        assert!(rolled > 500 && slid > 500, "{rolled} {slid}");
    }
}
