//! Shapes of bodies.

use super::{Parts, PyBuilder, pose};
use crate::arrays::{any_shape, vector};
use crate::errors::value;
use crate::model::Key;
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Geometry, Material, ShapeDef};
use pyo3::prelude::*;
use std::sync::Arc;

struct ShapeArgs<'a, 'py> {
    position: Option<&'a Bound<'py, PyAny>>,
    orientation: Option<&'a Bound<'py, PyAny>>,
    friction: f64,
    restitution: f64,
    name: Option<String>,
    colour: Option<&'a Bound<'py, PyAny>>,
}

impl<'a, 'py> ShapeArgs<'a, 'py> {
    fn new(
        position: Option<&'a Bound<'py, PyAny>>,
        orientation: Option<&'a Bound<'py, PyAny>>,
        friction: f64,
        restitution: f64,
        name: Option<String>,
        colour: Option<&'a Bound<'py, PyAny>>,
    ) -> Self {
        Self {
            position,
            orientation,
            friction,
            restitution,
            name,
            colour,
        }
    }
}

impl Parts {
    fn add_shape(
        &mut self,
        body: Option<&Key>,
        geometry: Geometry,
        how: &ShapeArgs<'_, '_>,
    ) -> PyResult<usize> {
        let body = body.map(|b| self.body(b)).transpose()?;
        let mut material = Material::with_friction(how.friction);
        material.restitution = how.restitution;
        let mut shape = ShapeDef::new(geometry)
            .pose(pose(how.position, how.orientation)?)
            .material(material);
        if let Some(name) = &how.name {
            shape = shape.name(name);
        }
        if let Some(colour) = &how.colour {
            let (c, shape_of) = any_shape(colour, "colour")?;
            let c = match shape_of.as_slice() {
                [3] => [c[0], c[1], c[2], 1.0],
                [4] => [c[0], c[1], c[2], c[3]],
                _ => {
                    return Err(value(
                        "colour must be red, green, blue and perhaps opacity, 0 to 1",
                    ));
                }
            };
            shape = shape.colour(c);
        }
        Ok(self.builder.add_shape(body, shape).index())
    }
}

#[pymethods]
impl PyBuilder {
    /// add_box(body, half_extents, position=None, orientation=None, friction=0.5, restitution=0, name=None,
    /// colour=None): a box on a body (None: the world), in the body frame. Returns the index of the shape.
    #[pyo3(signature = (body, half_extents, position=None, orientation=None, friction=0.5, restitution=0.0, name=None, colour=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn add_box(
        &self,
        body: Option<Key>,
        half_extents: &Bound<'_, PyAny>,
        position: Option<&Bound<'_, PyAny>>,
        orientation: Option<&Bound<'_, PyAny>>,
        friction: f64,
        restitution: f64,
        name: Option<String>,
        colour: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let half_extents = vector(half_extents, "half_extents")?;
        let how = ShapeArgs::new(position, orientation, friction, restitution, name, colour);
        self.parts()
            .add_shape(body.as_ref(), Geometry::Box { half_extents }, &how)
    }

    /// add_sphere(body, radius, position=None, friction=0.5, restitution=0, name=None, colour=None).
    #[pyo3(signature = (body, radius, position=None, friction=0.5, restitution=0.0, name=None, colour=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn add_sphere(
        &self,
        body: Option<Key>,
        radius: f64,
        position: Option<&Bound<'_, PyAny>>,
        friction: f64,
        restitution: f64,
        name: Option<String>,
        colour: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let how = ShapeArgs::new(position, None, friction, restitution, name, colour);
        self.parts()
            .add_shape(body.as_ref(), Geometry::Sphere { radius }, &how)
    }

    /// add_capsule(body, radius, half_length, position=None, orientation=None, friction=0.5, restitution=0, name=None,
    /// colour=None): all points within radius of a segment along z.
    #[pyo3(signature = (body, radius, half_length, position=None, orientation=None, friction=0.5, restitution=0.0, name=None, colour=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn add_capsule(
        &self,
        body: Option<Key>,
        radius: f64,
        half_length: f64,
        position: Option<&Bound<'_, PyAny>>,
        orientation: Option<&Bound<'_, PyAny>>,
        friction: f64,
        restitution: f64,
        name: Option<String>,
        colour: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let how = ShapeArgs::new(position, orientation, friction, restitution, name, colour);
        let geometry = Geometry::Capsule {
            radius,
            half_length,
        };
        self.parts().add_shape(body.as_ref(), geometry, &how)
    }

    /// add_cylinder(body, radius, half_length, position=None, orientation=None, friction=0.5, restitution=0, name=None,
    /// colour=None): a cylinder along z.
    #[pyo3(signature = (body, radius, half_length, position=None, orientation=None, friction=0.5, restitution=0.0, name=None, colour=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn add_cylinder(
        &self,
        body: Option<Key>,
        radius: f64,
        half_length: f64,
        position: Option<&Bound<'_, PyAny>>,
        orientation: Option<&Bound<'_, PyAny>>,
        friction: f64,
        restitution: f64,
        name: Option<String>,
        colour: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let how = ShapeArgs::new(position, orientation, friction, restitution, name, colour);
        let geometry = Geometry::Cylinder {
            radius,
            half_length,
        };
        self.parts().add_shape(body.as_ref(), geometry, &how)
    }

    /// add_hull(body, points, position=None, orientation=None, friction=0.5, restitution=0, name=None, colour=None):
    /// the convex hull of points (n, 3), m.
    #[pyo3(signature = (body, points, position=None, orientation=None, friction=0.5, restitution=0.0, name=None, colour=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn add_hull(
        &self,
        body: Option<Key>,
        points: &Bound<'_, PyAny>,
        position: Option<&Bound<'_, PyAny>>,
        orientation: Option<&Bound<'_, PyAny>>,
        friction: f64,
        restitution: f64,
        name: Option<String>,
        colour: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let (numbers, shape) = any_shape(points, "points")?;
        if shape.len() != 2 || shape[1] != 3 {
            return Err(value(format!(
                "points has shape {shape:?}; it must have (n, 3)"
            )));
        }
        let points = numbers
            .chunks_exact(3)
            .map(Vec3::from_column_slice)
            .collect();
        let how = ShapeArgs::new(position, orientation, friction, restitution, name, colour);
        let geometry = Geometry::ConvexHull {
            points: Arc::new(points),
        };
        self.parts().add_shape(body.as_ref(), geometry, &how)
    }

    /// add_ground(height=0, friction=0.5, restitution=0): everything below z = height, m.
    #[pyo3(signature = (height=0.0, friction=0.5, restitution=0.0))]
    fn add_ground(&self, height: f64, friction: f64, restitution: f64) -> PyResult<usize> {
        if !height.is_finite() {
            return Err(value(format!("height is {height}; it must be finite")));
        }
        let mut material = Material::with_friction(friction);
        material.restitution = restitution;
        let shape = ShapeDef::new(Geometry::HalfSpace)
            .pose(Pose::at(0.0, 0.0, height))
            .material(material);
        Ok(self.parts().builder.add_shape(None, shape).index())
    }
}
