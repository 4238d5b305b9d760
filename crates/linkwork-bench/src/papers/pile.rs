//! The clutter of [Castro §VI-C]: four columns of spheres and boxes dropped into a container or onto the ground.

use crate::error::BenchError;
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, Compliance, Geometry, Material, Model, ModelBuilder, ShapeDef};
use linkwork::scenes::SceneError;
use linkwork::{Settings, Simulator};
use linkwork_solve::SolverSettings;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

/// Step size, s.
pub(super) const DT: f64 = 0.01;
/// Friction coefficient of all surfaces.
pub(super) const FRICTION: f64 = 1.0;
/// Gravity, m/s².
pub(super) const GRAVITY: f64 = 9.81;
/// Radius of the spheres and half the edge of the boxes, m.
const SIZE: f64 = 0.05;
/// Density, kg/m³.
const DENSITY: f64 = 1000.0;
/// Half the inner width of the container, m.
const HALF_WIDTH: f64 = 0.4;
/// Distance of the columns from the middle planes, m.
const COLUMN: f64 = 0.15;
/// Distance of the bodies of a column, m.
const SPACING: f64 = 0.15;

/// What is dropped, and onto what.
#[derive(Clone, Copy)]
pub(super) struct Pile {
    /// Number of bodies, a multiple of four.
    pub bodies: usize,
    /// Whether there are walls.
    pub walls: bool,
    /// σ of R_t = σ ‖D_kk‖_rms [Castro eq. 30].
    pub slip: f64,
}

impl Pile {
    /// "walls" or "no walls".
    pub fn place(&self) -> &'static str {
        if self.walls { "walls" } else { "no walls" }
    }

    /// A simulator with SAP to `tolerance` (N s and m/s).
    pub fn simulator(&self, tolerance: f64) -> Result<Simulator, BenchError> {
        let mut settings = Settings {
            dt: DT,
            solver: "sap".to_owned(),
            solve: SolverSettings {
                tolerance,
                max_iterations: 300,
            },
            ..Settings::default()
        };
        settings.contact.stiction = self.slip;
        Ok(Simulator::new(self.model()?, settings)?)
    }

    fn model(&self) -> Result<Arc<Model>, BenchError> {
        let material = Material {
            // So stiff that the near-rigid floor of eq. 29 decides.
            compliance: Compliance::Physical {
                stiffness: 1e12,
                dissipation_time: DT,
            },
            ..Material::with_friction(FRICTION)
        };
        let mut b = ModelBuilder::new();
        b.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        let mut plane = |pose| {
            let shape = ShapeDef::new(Geometry::HalfSpace).pose(pose);
            b.add_shape(None, shape.material(material));
        };
        plane(Pose::identity());
        if self.walls {
            // Turn the normal z to ±x and ±y, inwards.
            plane(Pose::at(-HALF_WIDTH, 0.0, 0.0).rotated(Vec3::new(0.0, FRAC_PI_2, 0.0)));
            plane(Pose::at(HALF_WIDTH, 0.0, 0.0).rotated(Vec3::new(0.0, -FRAC_PI_2, 0.0)));
            plane(Pose::at(0.0, -HALF_WIDTH, 0.0).rotated(Vec3::new(-FRAC_PI_2, 0.0, 0.0)));
            plane(Pose::at(0.0, HALF_WIDTH, 0.0).rotated(Vec3::new(FRAC_PI_2, 0.0, 0.0)));
        }
        let (ball, cube) = (SIZE.powi(3) * PI * 4.0 / 3.0, (2.0 * SIZE).powi(3));
        let ball = MassProperties::solid_sphere(DENSITY * ball, SIZE);
        let cube = MassProperties::solid_box(DENSITY * cube, Vec3::repeat(SIZE));
        for i in 0..self.bodies {
            let (mass, geometry) = if is_sphere(i) {
                (ball, Geometry::Sphere { radius: SIZE })
            } else {
                let half_extents = Vec3::repeat(SIZE);
                (cube, Geometry::Box { half_extents })
            };
            let body = b.add_body(BodyDef::new(format!("body{i}"), mass).pose(start(i)));
            b.add_shape(body, ShapeDef::new(geometry).material(material));
        }
        Ok(b.build().map_err(SceneError::from)?)
    }
}

/// "An arbitrary assortment": golden-ratio steps mix the kinds without a pattern.
fn is_sphere(i: usize) -> bool {
    scatter(i, 1) < 0.5
}

/// Where body i starts: four columns about the middle, each body a little off and turned its own way.
fn start(i: usize) -> Pose {
    let (column, level) = (i % 4, i / 4);
    let side = |bit: usize| if column & bit == 0 { -1.0 } else { 1.0 };
    let off = |salt| 0.02 * (scatter(i, salt) - 0.5);
    let turn = |salt| PI * (scatter(i, salt) - 0.5);
    Pose::at(
        side(1) * COLUMN + off(2),
        side(2) * COLUMN + off(3),
        2.0 * SIZE + SPACING * level as f64,
    )
    .rotated(Vec3::new(turn(4), turn(5), turn(6)))
}

/// A number in [0, 1), different for every i and salt, spread evenly (Weyl sequence).
fn scatter(i: usize, salt: usize) -> f64 {
    // Irrational steps: the fractional parts of the square roots of small numbers without squares.
    let step = [2.0f64, 3.0, 5.0, 7.0, 11.0, 13.0][salt % 6].sqrt();
    ((i + 1) as f64 * step + 0.37 * salt as f64).fract()
}
