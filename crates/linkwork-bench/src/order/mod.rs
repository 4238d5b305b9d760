//! Measurements of integrators: the order of their errors on smooth motion and on motion with contact, and the energy
//! of long runs.

pub mod cylinder;
mod drift;

pub use drift::{Drift, drift};

use crate::error::BenchError;
use crate::table::Table;
use cylinder::Cylinder;
use linkwork::math::Vec3;
use linkwork::{Control, Integrator, Simulator};
use linkwork_scenes::scene;

/// Number of step sizes of a fit.
pub const SIZES: usize = 4;

/// A motion whose error is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// The four-bar swings from rest for a second: loops, no contact. Its reference is semi-implicit Euler, extrapolated.
    FourBar,
    /// The cylinder on a spring for 5 s, with the given friction coefficient: with 0 it slides freely, with 1 it rolls,
    /// with 0.2 it does both alternately. Its reference is exact.
    Cylinder(f64),
}

impl Motion {
    /// All that are measured.
    pub const ALL: [Self; 4] = [
        Self::FourBar,
        Self::Cylinder(0.0),
        Self::Cylinder(1.0),
        Self::Cylinder(0.2),
    ];

    /// In words.
    pub fn name(self) -> String {
        match self {
            Self::FourBar => "four-bar".to_owned(),
            Self::Cylinder(mu) => format!(
                "cylinder, μ = {mu}{}",
                match mu {
                    0.0 => " (frictionless)",
                    1.0 => " (rolls)",
                    _ => " (slides and rolls)",
                }
            ),
        }
    }

    /// Step sizes, s. With those of the others, implicit Euler has damped the cylinder's motion away.
    pub fn steps(self, integrator: Integrator) -> [f64; SIZES] {
        match self {
            Self::Cylinder(_) if integrator != Integrator::IMPLICIT => [2e-2, 1e-2, 5e-3, 2.5e-3],
            _ => [2e-3, 1e-3, 5e-4, 2.5e-4],
        }
    }

    /// Position error at each of the step sizes, m.
    pub fn errors(self, integrator: Integrator) -> Result<[f64; SIZES], BenchError> {
        let exact = match self {
            Self::FourBar => {
                let fine = [2.5e-4, 1.25e-4].map(|dt| swing(Integrator::SemiImplicitEuler, dt));
                let [a, b] = fine;
                let (a, b) = (a?, b?);
                a.iter().zip(&b).map(|(a, b)| (4.0 * b - a) / 3.0).collect()
            }
            Self::Cylinder(_) => Vec::new(),
        };
        let mut errors = [0.0; SIZES];
        for (error, dt) in errors.iter_mut().zip(self.steps(integrator)) {
            *error = match self {
                Self::FourBar => {
                    let found = swing(integrator, dt)?;
                    let off = found.iter().zip(&exact).map(|(a, b)| (a - b).norm());
                    off.fold(0.0, f64::max)
                }
                Self::Cylinder(mu) => Cylinder::new(mu, integrator, dt)?.error(5.0)?,
            };
        }
        Ok(errors)
    }
}

/// Centres of the four-bar's links after a second, m.
fn swing(integrator: Integrator, dt: f64) -> Result<Vec<Vec3>, BenchError> {
    let mut scene = scene("fourbar_fixed", &[("angle", 2.0)])?;
    scene.settings.integrator = integrator;
    scene.settings.dt = dt;
    let control = Control::new(&scene.model);
    let mut simulator = Simulator::new(scene.model, scene.settings)?;
    for _ in 0..(1.0 / dt).round() as usize {
        simulator.step(&control)?;
    }
    Ok(simulator.state().poses.iter().map(|p| p.position).collect())
}

/// Slope of log(error) over log(step size) by least squares.
pub fn order(steps: &[f64], errors: &[f64]) -> f64 {
    let points = || steps.iter().zip(errors).map(|(x, y)| (x.ln(), y.ln()));
    let n = steps.len() as f64;
    let (x, y) = points().fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let covariance: f64 = points().map(|p| (p.0 - x) * (p.1 - y)).sum();
    covariance / points().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

/// Errors and orders of the integrators on all motions. Combinations that cannot be run (joints with explicit Euler)
/// are reported as such.
pub fn orders(integrators: &[Integrator]) -> Table {
    let mut table = Table::new(
        "Position errors over four step sizes, and the order fitted",
        &[
            "motion",
            "integrator",
            "largest dt, s",
            "error, m",
            "dt/2",
            "dt/4",
            "dt/8",
            "order",
        ],
    );
    for motion in Motion::ALL {
        for integrator in integrators {
            let steps = motion.steps(*integrator);
            let mut cells = vec![
                motion.name(),
                integrator.to_string(),
                format!("{}", steps[0]),
            ];
            match motion.errors(*integrator) {
                Ok(errors) => {
                    cells.extend(errors.iter().map(|e| format!("{e:.2e}")));
                    cells.push(format!("{:.2}", order(&steps, &errors)));
                }
                Err(error) => cells.push(error.to_string()),
            }
            table.row(cells);
        }
    }
    table
}
