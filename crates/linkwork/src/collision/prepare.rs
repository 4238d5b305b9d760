//! Shapes of the model made ready for detection.

use super::enclose::check_indices;
use super::error::CollisionError;
use super::hull::Hull;
use super::pad::Pad;
use super::solid::{Core, Solid};
use super::surface::Surface;
use crate::math::{Mat3, Pose, Vec3};
use crate::model::{CollisionGroup, Compliance, Geometry, Shape};
use std::sync::Arc;

/// How a shape takes part in detection.
#[derive(Clone)]
pub enum Form {
    /// The half space z ≤ 0.
    HalfSpace,
    /// A convex solid.
    Solid(Solid),
    /// A mesh that is not convex, or a height field.
    Surface(Arc<Surface>),
    /// Many points without collisions; only the box around them is kept (lowest, highest corner).
    VisualOnly(Vec3, Vec3),
}

/// A shape ready for detection.
#[derive(Clone)]
pub struct Prepared {
    /// Its form.
    pub form: Form,
    /// Index of its body; `None` is the world.
    pub body: Option<usize>,
    /// Pose relative to the body.
    pub local: Pose,
    /// What it collides with.
    pub group: CollisionGroup,
    /// Largest distance of a point from the shape's origin, m.
    pub size: f64,
    /// Its samples, if its area of contact is sampled.
    pub pad: Option<Arc<Pad>>,
    /// Centre and half the lengths of the box around it, shape frame, m.
    bounds: (Vec3, Vec3),
}

impl Prepared {
    /// Checks and prepares a shape, which is only visual unless it collides.
    pub fn new(shape: &Shape, touches: bool) -> Result<Self, CollisionError> {
        if !shape.local.is_finite() {
            return Err(not_finite(shape, "its pose"));
        }
        if shape.geometry == Geometry::HalfSpace && shape.body.is_some() {
            return Err(CollisionError::MovingHalfSpace {
                shape: shape.name.clone(),
            });
        }
        let form = match seen(shape, touches)? {
            Some(form) => form,
            None => form(shape)?,
        };
        let (size, bounds) = match &form {
            Form::VisualOnly(lo, hi) => {
                let far = lo.abs().sup(&hi.abs()).norm();
                (far, ((lo + hi) * 0.5, (hi - lo) * 0.5))
            }
            Form::HalfSpace => (0.0, (Vec3::zeros(), Vec3::repeat(f64::INFINITY))),
            Form::Solid(solid) => {
                let far = |d: Vec3| solid.core.support(&d) + d * solid.rounding;
                let hi = Vec3::new(far(Vec3::x()).x, far(Vec3::y()).y, far(Vec3::z()).z);
                let lo = Vec3::new(far(-Vec3::x()).x, far(-Vec3::y()).y, far(-Vec3::z()).z);
                (solid.size, ((lo + hi) * 0.5, (hi - lo) * 0.5))
            }
            Form::Surface(surface) => {
                let v = &surface.vertices;
                let mut lo = v.iter().fold(v[0], |m, x| m.inf(x));
                let hi = v.iter().fold(v[0], |m, x| m.sup(x));
                let size = v.iter().map(|x| x.norm()).fold(0.0, f64::max);
                if surface.solid_below {
                    // Bodies that sank into the ground must still be found.
                    lo.z -= size;
                }
                (size, ((lo + hi) * 0.5, (hi - lo) * 0.5))
            }
        };
        let pad = match shape.material.compliance {
            Compliance::Pad { spacing, .. } if touches => Some(pad(shape, &form, size, spacing)?),
            _ => None,
        };
        Ok(Self {
            pad,
            form,
            body: shape.body.map(|b| b.index()),
            local: shape.local,
            group: shape.group,
            size,
            bounds,
        })
    }

    /// Maximum distance of the box around the shape from its origin along an axis, in any orientation, m.
    pub fn farthest(&self) -> f64 {
        match &self.form {
            // Their boxes are tight, so that a point of the solid lies on every side.
            Form::Solid(Solid {
                core: Core::Point | Core::Segment { .. } | Core::Box { .. } | Core::Cylinder { .. },
                ..
            }) => self.size,
            _ => self.bounds.0.norm() + self.bounds.1.norm(),
        }
    }

    /// Centre and half the lengths of the box around the shape at a place, m.
    pub fn bounds(&self, rotation: &Mat3, position: &Vec3) -> (Vec3, Vec3) {
        let solid = match &self.form {
            Form::Solid(solid) => solid,
            _ => return self.turned_bounds(rotation, position),
        };
        let z = rotation.column(2);
        let half = match &solid.core {
            Core::Point => Vec3::zeros(),
            Core::Segment { half } => z.abs() * *half,
            Core::Cylinder { radius, half } => {
                z.map(|c| half * c.abs() + radius * (1.0 - c * c).max(0.0).sqrt())
            }
            Core::Ellipsoid { radii } => {
                Vec3::from_fn(|i, _| rotation.row(i).transpose().component_mul(radii).norm())
            }
            _ => return self.turned_bounds(rotation, position),
        };
        (*position, half.add_scalar(solid.rounding))
    }

    fn turned_bounds(&self, rotation: &Mat3, position: &Vec3) -> (Vec3, Vec3) {
        let (centre, half) = &self.bounds;
        // An infinite half length must not meet a zero of the rotation.
        let reach = if half.x.is_finite() {
            rotation.abs() * half
        } else {
            *half
        };
        (position + rotation * centre, reach)
    }
}

/// Visual meshes and hulls are not prepared, which takes long: robots have visual meshes of hundreds of thousands of
/// triangles.
fn seen(shape: &Shape, touches: bool) -> Result<Option<Form>, CollisionError> {
    let (Geometry::TriangleMesh {
        vertices: points, ..
    }
    | Geometry::ConvexHull { points }) = &shape.geometry
    else {
        return Ok(None);
    };
    if touches {
        return Ok(None);
    }
    let Some(first) = points.first() else {
        return Ok(None);
    };
    if !points.iter().all(|p| p.iter().all(|x| x.is_finite())) {
        return Err(not_finite(shape, "a vertex"));
    }
    let lo = points.iter().fold(*first, |m, x| m.inf(x));
    let hi = points.iter().fold(*first, |m, x| m.sup(x));
    Ok(Some(Form::VisualOnly(lo, hi)))
}

/// Samples finer than this share of the size of a shape would be hundreds of thousands.
const FINEST: f64 = 1.0 / 200.0;

fn pad(shape: &Shape, form: &Form, size: f64, spacing: f64) -> Result<Arc<Pad>, CollisionError> {
    if matches!(form, Form::HalfSpace) {
        return Err(CollisionError::EndlessPad {
            shape: shape.name.clone(),
        });
    }
    let least = FINEST * size;
    // A NaN fails this test too.
    if !(spacing >= least && spacing.is_finite()) {
        return Err(CollisionError::PadSpacing {
            shape: shape.name.clone(),
            spacing,
            least,
        });
    }
    Ok(Arc::new(Pad::new(form, spacing, size)))
}

fn not_finite(shape: &Shape, what: &'static str) -> CollisionError {
    CollisionError::NotFinite {
        shape: shape.name.clone(),
        what,
    }
}

fn form(shape: &Shape) -> Result<Form, CollisionError> {
    let positive = |what: &'static str, value: f64| {
        if value > 0.0 && value.is_finite() {
            Ok(value)
        } else {
            Err(CollisionError::BadLength {
                shape: shape.name.clone(),
                what,
                value,
            })
        }
    };
    let finite = |points: &[Vec3]| {
        if points.iter().all(|p| p.iter().all(|x| x.is_finite())) {
            Ok(())
        } else {
            Err(not_finite(shape, "a vertex"))
        }
    };
    let solid = |core: Core, rounding: f64, size: f64| {
        Form::Solid(Solid {
            core,
            rounding,
            size,
        })
    };
    Ok(match &shape.geometry {
        Geometry::HalfSpace => Form::HalfSpace,
        Geometry::Sphere { radius } => {
            let r = positive("the radius", *radius)?;
            solid(Core::Point, r, r)
        }
        Geometry::Box { half_extents } => {
            for h in half_extents.iter() {
                positive("a half extent", *h)?;
            }
            let half = *half_extents;
            solid(Core::Box { half }, 0.0, half.norm())
        }
        Geometry::Capsule {
            radius,
            half_length,
        } => {
            let r = positive("the radius", *radius)?;
            // A capsule without length is a ball.
            let half = if *half_length == 0.0 {
                0.0
            } else {
                positive("the half length", *half_length)?
            };
            solid(Core::Segment { half }, r, half + r)
        }
        Geometry::Cylinder {
            radius,
            half_length,
        } => {
            let radius = positive("the radius", *radius)?;
            let half = positive("the half length", *half_length)?;
            solid(Core::Cylinder { radius, half }, 0.0, radius.hypot(half))
        }
        Geometry::Cone {
            radius,
            half_length,
        } => {
            let radius = positive("the radius", *radius)?;
            let half = positive("the half length", *half_length)?;
            solid(Core::Cone { radius, half }, 0.0, radius.hypot(half))
        }
        Geometry::Ellipsoid { radii } => {
            for r in radii.iter() {
                positive("a semi-axis", *r)?;
            }
            solid(Core::Ellipsoid { radii: *radii }, 0.0, radii.max())
        }
        Geometry::ConvexHull { points } => {
            finite(points)?;
            let hull = Hull::new(points).ok_or_else(|| CollisionError::FlatHull {
                shape: shape.name.clone(),
                points: points.len(),
            })?;
            Form::Solid(polyhedron(hull))
        }
        Geometry::TriangleMesh {
            vertices,
            triangles,
        } => {
            finite(vertices)?;
            check_indices(&shape.name, vertices, triangles)?;
            surface(shape, vertices, triangles, false)?
        }
        Geometry::HeightField {
            nx,
            ny,
            heights,
            size,
        } => {
            let size = [
                positive("the size along x", size[0])?,
                positive("the size along y", size[1])?,
            ];
            if *nx < 2 || *ny < 2 || nx.checked_mul(*ny) != Some(heights.len()) {
                return Err(CollisionError::HeightFieldSize {
                    shape: shape.name.clone(),
                    nx: *nx,
                    ny: *ny,
                    heights: heights.len(),
                });
            }
            let (vertices, triangles) = grid(*nx, *ny, heights, size);
            finite(&vertices)?;
            surface(shape, &vertices, &triangles, true)?
        }
    })
}

fn surface(
    shape: &Shape,
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    solid_below: bool,
) -> Result<Form, CollisionError> {
    let surface =
        Surface::new(vertices, triangles, solid_below).ok_or_else(|| CollisionError::NoArea {
            shape: shape.name.clone(),
            triangles: triangles.len(),
        })?;
    // Convex solids have a depth; for single triangles it is only estimated.
    if surface.is_convex
        && let Some(hull) = Hull::new(vertices)
    {
        return Ok(Form::Solid(polyhedron(hull)));
    }
    Ok(Form::Surface(Arc::new(surface)))
}

fn polyhedron(hull: Hull) -> Solid {
    let size = hull.vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
    Solid {
        core: Core::Hull(Arc::new(hull)),
        rounding: 0.0,
        size,
    }
}

/// Corners and upward triangles of a height field, two to a cell.
fn grid(nx: usize, ny: usize, heights: &[f64], size: [f64; 2]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let at = |i: usize, j: usize| (i * ny + j) as u32;
    let mut vertices = Vec::with_capacity(nx * ny);
    let mut triangles = Vec::with_capacity(2 * (nx - 1) * (ny - 1));
    for i in 0..nx {
        for j in 0..ny {
            vertices.push(Vec3::new(
                size[0] * (i as f64 / (nx - 1) as f64 - 0.5),
                size[1] * (j as f64 / (ny - 1) as f64 - 0.5),
                heights[i * ny + j],
            ));
            if i + 1 < nx && j + 1 < ny {
                triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    (vertices, triangles)
}
