//! A model with other masses, friction, gains or lengths.

use crate::assemble::{AssembleError, AssembleSettings, Targets, assemble};
use crate::math::Vec3;
use crate::model::{BodyId, Geometry, Model, ModelData, ModelError, Waypoint};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Factors on numbers of a model; an empty list leaves them as they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// On mass and inertia of each body.
    pub masses: Vec<f64>,
    /// On the friction coefficients of all surfaces and pairs.
    pub friction: Option<f64>,
    /// On stiffness and damping of the drive of each joint coordinate. Effort limits stay.
    pub gains: Vec<f64>,
    /// On the lengths of each body: where its joints, shapes and tendons are relative to its centre of mass, and how
    /// large its shapes are. Its mass stays, its inertia grows with the square. The mechanism is assembled again from
    /// its initial state.
    pub lengths: Vec<f64>,
}

/// Why a variation is impossible.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VariationError {
    /// Another number of factors than the model has elements.
    #[error("variation.{what} has {have} factors, the model needs {want} (or none)")]
    Length {
        /// The field.
        what: &'static str,
        /// How many it has.
        have: usize,
        /// How many the model needs.
        want: usize,
    },
    /// A factor that is not positive.
    #[error("variation.{what}[{index}] is {value}; it must be positive and finite")]
    Factor {
        /// The field.
        what: &'static str,
        /// The entry.
        index: usize,
        /// The factor.
        value: f64,
    },
    /// The model with these numbers is not valid.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// With these lengths its loops do not close.
    #[error("with these lengths {0}; choose factors nearer to 1")]
    Open(#[from] AssembleError),
}

impl Variation {
    /// The varied model, which shares the plans of `model`.
    pub fn apply(&self, model: &Arc<Model>) -> Result<Arc<Model>, VariationError> {
        self.check(model)?;
        if *self == Self::default() {
            return Ok(model.clone());
        }
        let mut data = model.data().clone();
        for (body, factor) in data.bodies.iter_mut().zip(&self.masses) {
            body.mass *= factor;
            body.inertia *= *factor;
        }
        if let Some(factor) = self.friction {
            rub(&mut data, factor);
        }
        if !self.gains.is_empty() {
            let axes = data.joints.iter_mut().flat_map(|j| &mut j.axes);
            for (axis, factor) in axes.zip(&self.gains) {
                if let Some(drive) = &mut axis.drive {
                    drive.stiffness *= factor;
                    drive.damping *= factor;
                }
            }
        }
        if self.lengths.iter().any(|f| *f != 1.0) {
            stretch(&mut data, &self.lengths);
            let open = data.clone().build()?;
            let start = open.initial_state();
            let closed = assemble(
                &open,
                &start,
                &Targets::none(),
                &AssembleSettings::default(),
            )?;
            for (body, pose) in data.bodies.iter_mut().zip(&closed.state.poses) {
                body.pose = *pose;
            }
            data.initial_coordinates = closed.state.coordinates;
        }
        Ok(data.build()?.with_plans_of(model))
    }

    fn check(&self, model: &Model) -> Result<(), VariationError> {
        let bodies = model.bodies().len();
        let lists = [
            ("masses", &self.masses[..], bodies),
            ("friction", self.friction.as_slice(), 1),
            ("gains", &self.gains[..], model.coordinate_count()),
            ("lengths", &self.lengths[..], bodies),
        ];
        for (what, list, want) in lists {
            let have = list.len();
            if have != 0 && have != want {
                return Err(VariationError::Length { what, have, want });
            }
            // Surfaces may be without friction.
            let fine = |f: f64| f.is_finite() && (f > 0.0 || (what == "friction" && f == 0.0));
            if let Some(index) = list.iter().position(|f| !fine(*f)) {
                let value = list[index];
                return Err(VariationError::Factor { what, index, value });
            }
        }
        Ok(())
    }
}

fn rub(data: &mut ModelData, factor: f64) {
    for shape in &mut data.shapes {
        let m = &mut shape.material;
        m.friction *= factor;
        m.torsional_friction *= factor;
        m.rolling_friction *= factor;
    }
    for pair in &mut data.pairs {
        let s = &mut pair.surface;
        s.friction *= factor;
        s.torsional_friction *= factor;
        s.rolling_friction *= factor;
    }
}

fn stretch(data: &mut ModelData, lengths: &[f64]) {
    for (body, s) in data.bodies.iter_mut().zip(lengths) {
        body.inertia *= s * s;
        body.com *= *s;
    }
    for joint in &mut data.joints {
        if let Some(base) = joint.base {
            joint.frame_base.position *= lengths[base.index()];
        }
        joint.frame_follower.position *= lengths[joint.follower.index()];
    }
    for shape in &mut data.shapes {
        if let Some(body) = shape.body {
            let s = lengths[body.index()];
            shape.local.position *= s;
            shape.geometry = scaled(&shape.geometry, s);
        }
    }
    let waypoints = data.tendons.iter_mut().flat_map(|t| &mut t.path);
    for waypoint in waypoints {
        stretch_waypoint(waypoint, lengths);
    }
}

fn scaled(geometry: &Geometry, s: f64) -> Geometry {
    let points = |list: &Arc<Vec<Vec3>>| Arc::new(list.iter().map(|p| p * s).collect());
    match geometry {
        Geometry::HalfSpace => Geometry::HalfSpace,
        Geometry::Sphere { radius } => Geometry::Sphere { radius: radius * s },
        Geometry::Box { half_extents } => Geometry::Box {
            half_extents: half_extents * s,
        },
        Geometry::Capsule {
            radius,
            half_length,
        } => Geometry::Capsule {
            radius: radius * s,
            half_length: half_length * s,
        },
        Geometry::Cylinder {
            radius,
            half_length,
        } => Geometry::Cylinder {
            radius: radius * s,
            half_length: half_length * s,
        },
        Geometry::Cone {
            radius,
            half_length,
        } => Geometry::Cone {
            radius: radius * s,
            half_length: half_length * s,
        },
        Geometry::Ellipsoid { radii } => Geometry::Ellipsoid { radii: radii * s },
        Geometry::ConvexHull { points: list } => Geometry::ConvexHull {
            points: points(list),
        },
        Geometry::TriangleMesh {
            vertices,
            triangles,
        } => Geometry::TriangleMesh {
            vertices: points(vertices),
            triangles: triangles.clone(),
        },
        Geometry::HeightField {
            nx,
            ny,
            heights,
            size,
        } => Geometry::HeightField {
            nx: *nx,
            ny: *ny,
            heights: Arc::new(heights.iter().map(|h| h * s).collect()),
            size: size.map(|x| x * s),
        },
    }
}

fn stretch_waypoint(waypoint: &mut Waypoint, lengths: &[f64]) {
    let of = |body: Option<BodyId>| body.map_or(1.0, |b| lengths[b.index()]);
    match waypoint {
        Waypoint::Point(anchor) => anchor.point *= of(anchor.body),
        Waypoint::Wrap {
            body,
            pose,
            radius,
            side,
            ..
        } => {
            pose.position *= of(*body);
            *radius *= of(*body);
            if let Some(side) = side {
                side.point *= of(side.body);
            }
        }
        Waypoint::Pulley { .. } => {}
    }
}
