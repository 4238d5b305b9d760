//! Balls and plane walls under the contact rules of the papers, which the simulator does not have: only gaps below a
//! fixed reach are contacts, however fast the approach is. Balls in a plane are discs.

use linkwork::math::{Vec3, tangent_basis};
use linkwork_solve::{BlockCsr6, BlockDiag6, ImpulseSet, Operator, Problem};

/// A ball, its inertia the same about every axis.
#[derive(Clone, Debug)]
pub(super) struct Ball {
    /// Radius, m.
    pub radius: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Moment of inertia, kg m².
    pub inertia: f64,
    /// Centre, m.
    pub centre: Vec3,
    /// Velocity of the centre, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub spin: Vec3,
}

/// The half space behind a plane.
#[derive(Clone, Debug)]
pub(super) struct Wall {
    /// A point of the plane, m.
    pub point: Vec3,
    /// Its normal, towards the balls.
    pub normal: Vec3,
}

/// Where balls are, and by which rules they touch.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    /// The walls.
    pub walls: Vec<Wall>,
    /// Gravity along −z, m/s².
    pub gravity: f64,
    /// Friction coefficient.
    pub friction: f64,
    /// Step h, s.
    pub dt: f64,
    /// Gaps φ below this are contacts, m.
    pub reach: f64,
    /// The contact law requires v_n + gain φ/h ≥ 0 for either sign of φ.
    pub gain: f64,
}

/// Two balls, or wall (`None`) and ball, that are near each other.
struct Near {
    a: Option<usize>,
    b: usize,
    /// From a to b.
    normal: Vec3,
    /// Gap φ, m.
    gap: f64,
}

impl Arena {
    /// The problem of the next step.
    pub(super) fn problem(&self, balls: &[Ball]) -> Problem {
        let mut problem = Problem::for_bodies(self.dt);
        let mut mass = BlockDiag6::new();
        let mut u_free = Vec::new();
        for ball in balls {
            let diagonal = |d: f64| [d, 0., 0., 0., d, 0., 0., 0., d];
            let (i, i_inverse) = (diagonal(ball.inertia), diagonal(1.0 / ball.inertia));
            mass.push_rigid(ball.mass, &i, &i_inverse);
            let fall = ball.velocity - self.gravity * self.dt * Vec3::z();
            u_free.extend(fall.iter().chain(ball.spin.iter()));
        }
        let mut jacobian = BlockCsr6::new(balls.len());
        for near in self.near(balls).iter().filter(|n| n.gap < self.reach) {
            let mu = self.friction;
            problem.sets.push(ImpulseSet::Coulomb { mu });
            jacobian.push_block(3);
            if let Some(a) = near.a {
                jacobian.push_entry(a, &rows(&balls[a], &near.normal, -1.0));
            }
            jacobian.push_entry(near.b, &rows(&balls[near.b], &near.normal, 1.0));
            let bias = self.gain * near.gap / self.dt;
            problem.v_bias.extend([0.0, 0.0, bias]);
        }
        problem.compliance = vec![0.0; problem.v_bias.len()];
        problem.operator = Operator::Bodies {
            mass,
            jacobian,
            u_free,
        };
        problem
    }

    /// I(q): the deepest overlap, m; 0 where there is none [Anitescu eq. 4.45].
    pub(super) fn infeasibility(&self, balls: &[Ball]) -> f64 {
        let near = self.near(balls);
        near.iter().fold(0.0, |most, near| most.max(-near.gap))
    }

    /// Every pair of balls, and every ball with every wall.
    fn near(&self, balls: &[Ball]) -> Vec<Near> {
        let mut all = Vec::new();
        for (b, ball) in balls.iter().enumerate() {
            all.extend(self.walls.iter().map(|wall| Near {
                a: None,
                b,
                normal: wall.normal,
                gap: (ball.centre - wall.point).dot(&wall.normal) - ball.radius,
            }));
            all.extend(balls[..b].iter().enumerate().map(|(a, other)| {
                let between = ball.centre - other.centre;
                Near {
                    a: Some(a),
                    b,
                    normal: between.normalize(),
                    gap: between.norm() - ball.radius - other.radius,
                }
            }));
        }
        all
    }
}

/// Rows (t₁, t₂, n) of a contact on a ball; `sign` is −1 for the ball the normal points away from.
fn rows(ball: &Ball, normal: &Vec3, sign: f64) -> [[f64; 6]; 3] {
    let (t1, t2) = tangent_basis(normal);
    let arm = -sign * ball.radius * normal;
    [t1, t2, *normal].map(|d| {
        let (d, m) = (sign * d, sign * arm.cross(&d));
        [d.x, d.y, d.z, m.x, m.y, m.z]
    })
}

/// Moves on for `dt` (s) with the velocities u⁺ after the step.
pub(super) fn advance(balls: &mut [Ball], u_plus: &[f64], dt: f64) {
    for (ball, u) in balls.iter_mut().zip(u_plus.chunks_exact(6)) {
        ball.velocity = Vec3::new(u[0], u[1], u[2]);
        ball.spin = Vec3::new(u[3], u[4], u[5]);
        ball.centre += dt * ball.velocity;
    }
}
