//! Balls of different radii in a box under gravity [Todorov §IV]: the simulation that his Table 1 was
//! measured on, one contact problem a step.

// Every test file compiles this module and uses its own part of it.
#![allow(dead_code)]

use crate::body_graphs::Random;
use linkwork_solve::*;
use nalgebra::Vector3;

type V3 = Vector3<f64>;

/// Values that the paper does not state are chosen here; the others are cited.
#[derive(Clone, Copy, Debug)]
pub struct Box {
    /// Edge of the cube, m; not in the paper. With it the number of contacts can be made his.
    pub edge: f64,
    /// Least and greatest radius, m; not in the paper.
    pub radii: (f64, f64),
    /// Friction coefficient.
    pub mu: f64,
    /// Step, s: 0.005 in the paper.
    pub dt: f64,
}

/// The state: balls of 1000 kg/m³ with linear and angular velocities.
pub struct Balls {
    world: Box,
    radii: Vec<f64>,
    places: Vec<V3>,
    /// 6 values a ball.
    u: Vec<f64>,
}

impl Balls {
    /// `count` balls at random places without overlap and with random velocities up to 1 m/s.
    pub fn new(seed: u64, count: usize, world: Box) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.symmetric();
        }
        let (least, greatest) = world.radii;
        let mut balls = Self {
            world,
            radii: Vec::new(),
            places: Vec::new(),
            u: Vec::new(),
        };
        while balls.radii.len() < count {
            let share = 0.5 * (random.symmetric() + 1.0);
            let r = least + (greatest - least) * share;
            let half = 0.5 * world.edge;
            let place = random.vector() * (half - r) + V3::repeat(half);
            let clear = |(p, s): (&V3, &f64)| (p - place).norm() > s + r;
            if balls.places.iter().zip(&balls.radii).all(clear) {
                balls.radii.push(r);
                balls.places.push(place);
                let velocity = random.vector();
                balls.u.extend(velocity.iter().chain(&[0.0; 3]));
            }
        }
        balls
    }

    /// The problem of the next step: a contact wherever ball and wall or two balls touch, b = 0.
    pub fn problem(&self) -> Problem {
        let mut problem = Problem::for_bodies(self.world.dt);
        let mut mass = BlockDiag6::new();
        let mut u_free = self.u.clone();
        for (b, r) in self.radii.iter().enumerate() {
            let m = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
            let i = 0.4 * m * r * r;
            let diagonal = |d: f64| [d, 0., 0., 0., d, 0., 0., 0., d];
            mass.push_rigid(m, &diagonal(i), &diagonal(1.0 / i));
            u_free[6 * b + 2] -= 9.81 * self.world.dt;
        }
        let mut jacobian = BlockCsr6::new(self.radii.len());
        let mut contact = |a: Option<usize>, b: usize, normal: V3| {
            let t1 = normal.cross(&if normal.x.abs() < 0.7 {
                V3::x()
            } else {
                V3::y()
            });
            let t1 = t1.normalize();
            let axes = [t1, normal.cross(&t1), normal];
            let rows = |body: usize, sign: f64| {
                // From the centre to the contact: against the normal on b, along it on a.
                let arm = -sign * self.radii[body] * normal;
                axes.map(|d| {
                    let t = arm.cross(&d) * sign;
                    [sign * d.x, sign * d.y, sign * d.z, t.x, t.y, t.z]
                })
            };
            jacobian.push_block(3);
            if let Some(a) = a {
                jacobian.push_entry(a, &rows(a, -1.0));
            }
            jacobian.push_entry(b, &rows(b, 1.0));
            problem.sets.push(ImpulseSet::Coulomb { mu: self.world.mu });
        };
        for (b, (place, &r)) in self.places.iter().zip(&self.radii).enumerate() {
            for axis in 0..3 {
                for (distance, sign) in [(place[axis], 1.0), (self.world.edge - place[axis], -1.0)]
                {
                    if distance < r {
                        let mut normal = V3::zeros();
                        normal[axis] = sign;
                        contact(None, b, normal);
                    }
                }
            }
            for a in 0..b {
                let between = place - self.places[a];
                if between.norm() < r + self.radii[a] {
                    contact(Some(a), b, between.normalize());
                }
            }
        }
        let rows = problem.sets.rows();
        problem.operator = Operator::Bodies {
            mass,
            jacobian,
            u_free,
        };
        problem.v_bias = vec![0.0; rows];
        problem.compliance = vec![0.0; rows];
        problem
    }

    /// Go on with the velocities after the step.
    pub fn advance(&mut self, u_plus: &[f64]) {
        self.u.copy_from_slice(u_plus);
        for (b, place) in self.places.iter_mut().enumerate() {
            *place += self.world.dt * V3::new(self.u[6 * b], self.u[6 * b + 1], self.u[6 * b + 2]);
        }
    }
}
