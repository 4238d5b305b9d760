//! Masses and inertias that are possible but probably not intended.

use crate::table::number;
use linkwork::math::{Pose, Vec3, principal_moments};
use linkwork::model::{Body, BodyId, Geometry, Model};
use serde::Serialize;

/// A body whose mass properties look wrong.
#[derive(Serialize)]
pub struct OddInertia {
    /// The body.
    pub body: String,
    /// What is odd, and what to do.
    pub what: String,
}

/// Masses below this are slips of units, kg.
const LEAST_MASS: f64 = 1e-6;
/// Radii of gyration beyond this multiple of the extent of the shapes are impossible.
const TOO_LARGE: f64 = 3.0;
/// Radii of gyration below this share of the extent of the shapes are probably not intended.
const TOO_SMALL: f64 = 1.0 / 30.0;

/// Every odd body, once for each oddity.
pub fn odd(model: &Model) -> Vec<OddInertia> {
    let bodies = model.bodies().iter().enumerate();
    let odd = bodies.flat_map(|(i, body)| {
        let reach = reach(model, BodyId(i as u32));
        oddities(body, reach).into_iter().map(|what| OddInertia {
            body: body.name.clone(),
            what,
        })
    });
    odd.collect()
}

fn oddities(body: &Body, reach: Option<f64>) -> Vec<String> {
    let mut odd = Vec::new();
    if body.mass < LEAST_MASS {
        let mass = number(body.mass);
        odd.push(format!("its mass is {mass} kg; check the units"));
    }
    let moments = principal_moments(&body.inertia);
    let (sum, largest) = (moments[0] + moments[1], moments[2]);
    if largest > sum {
        let over = number(largest / sum - 1.0);
        odd.push(format!(
            "its largest moment exceeds the sum of the others by a share of {over}, which no body has; give more digits"
        ));
    } else if moments[0] < 1e-6 * largest {
        odd.push(
            "it is a line without thickness to its inertia; give it the moment about its length"
                .to_owned(),
        );
    }
    let gyration = (largest / body.mass).sqrt();
    if let Some(reach) = reach {
        let (g, r) = (number(gyration), number(reach));
        if gyration > TOO_LARGE * reach {
            odd.push(format!(
                "its radius of gyration is {g} m, but its shapes reach only {r} m; check the units of the inertia, and that it is about the centre of mass"
            ));
        } else if gyration < TOO_SMALL * reach {
            odd.push(format!(
                "its radius of gyration is {g} m, though its shapes reach {r} m; check the units of the inertia"
            ));
        }
    }
    odd
}

/// Distance of the farthest point of a body's shapes from its centre of mass, m; `None` without shapes.
fn reach(model: &Model, id: BodyId) -> Option<f64> {
    let own = model.shapes().iter().filter(|s| s.body == Some(id));
    own.map(|s| farthest(&s.geometry, &s.local))
        .reduce(f64::max)
}

/// Distance of the farthest point of a shape, bounded above for round ones, m.
fn farthest(geometry: &Geometry, pose: &Pose) -> f64 {
    let centre = pose.position.norm();
    let of_points = |points: &[Vec3]| {
        let far = points.iter().map(|p| pose.transform_point(p).norm());
        far.fold(0.0, f64::max)
    };
    match geometry {
        Geometry::HalfSpace => f64::INFINITY,
        Geometry::Sphere { radius } => centre + radius,
        Geometry::Box { half_extents } => centre + half_extents.norm(),
        Geometry::Capsule {
            radius,
            half_length,
        } => centre + radius + half_length,
        Geometry::Cylinder {
            radius,
            half_length,
        }
        | Geometry::Cone {
            radius,
            half_length,
        } => centre + radius.hypot(*half_length),
        Geometry::Ellipsoid { radii } => centre + radii.amax(),
        Geometry::ConvexHull { points } => of_points(points),
        Geometry::TriangleMesh { vertices, .. } => of_points(vertices),
        Geometry::HeightField { size, .. } => centre + size[0].hypot(size[1]),
    }
}
