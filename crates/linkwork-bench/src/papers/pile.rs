//! The clutter of [Castro §VI-C]: four columns of spheres and boxes dropped into a container or onto the ground.

use crate::error::BenchError;
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, Compliance, Geometry, Material, Model, ModelBuilder, ShapeDef};
use linkwork::{Settings, Simulator};
use linkwork_scenes::{HEAP_HALF_WIDTH, SceneError, heap_body};
use linkwork_solve::SolverSettings;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// Step size, s.
pub(super) const DT: f64 = 0.01;
/// Friction coefficient of all surfaces.
pub(super) const FRICTION: f64 = 1.0;
/// Gravity, m/s².
pub(super) const GRAVITY: f64 = 9.81;

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
        let mut settings = Settings::with(|s| {
            s.dt = DT;
            s.solver = "sap".to_owned();
            s.solve = SolverSettings {
                tolerance,
                max_iterations: 300,
            };
        });
        settings.contact.stiction = self.slip;
        Ok(Simulator::new(self.model()?, settings)?)
    }

    fn model(&self) -> Result<Arc<Model>, BenchError> {
        let material = Material {
            // So stiff that the near-rigid floor of eq. 29 is active.
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
            plane(Pose::at(-HEAP_HALF_WIDTH, 0.0, 0.0).rotated(Vec3::new(0.0, FRAC_PI_2, 0.0)));
            plane(Pose::at(HEAP_HALF_WIDTH, 0.0, 0.0).rotated(Vec3::new(0.0, -FRAC_PI_2, 0.0)));
            plane(Pose::at(0.0, -HEAP_HALF_WIDTH, 0.0).rotated(Vec3::new(-FRAC_PI_2, 0.0, 0.0)));
            plane(Pose::at(0.0, HEAP_HALF_WIDTH, 0.0).rotated(Vec3::new(FRAC_PI_2, 0.0, 0.0)));
        }
        for i in 0..self.bodies {
            let (mass, geometry, pose) = heap_body(i);
            let mass = match geometry {
                Geometry::Sphere { radius } => MassProperties::solid_sphere(mass, radius),
                Geometry::Box { half_extents } => MassProperties::solid_box(mass, half_extents),
                _ => unreachable!("a heap is of balls and boxes"),
            };
            let body = b.add_body(BodyDef::new(format!("body{i}"), mass).pose(pose));
            b.add_shape(body, ShapeDef::new(geometry).material(material));
        }
        Ok(b.build().map_err(SceneError::from)?)
    }
}
