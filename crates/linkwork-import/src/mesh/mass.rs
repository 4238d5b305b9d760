//! Volume, centre and inertia of a mesh.
//!
//! A solid is divided into tetrahedra between its triangles and a point p. With the signed volume V = (a − p)·((b − p)
//! × (c − p))/6 of each, the sums are those of the solid for any p, if the surface is closed. p is the centroid of the
//! surface, and then the centre of mass itself, so that a mesh far from its origin loses no digits. For a tetrahedron
//! with corners 0, a, b, c the second moment ∫ x xᵀ dV is V/20 (2 (aaᵀ + bbᵀ + ccᵀ) + Σ over pairs (abᵀ + baᵀ)); for a
//! triangle of area A it is the same with A/12.
//!
//! The modes are those of MuJoCo's mesh attribute `inertia`, as defined by its compiler (`user_mesh.cc`, versions 3.3
//! to 4.0): `Legacy` uses |V| instead of V, both about the centroid of the surface, for the centre of mass, and about
//! that centre, for volume and inertia. It is the default of MuJoCo and exact for convex and star-shaped solids only.
//! MuJoCo rounds coordinates to single precision when reading ([`Mesh::rounded`]) and then computes in double
//! precision.

use super::Mesh;
use super::collide::hull_of;
use crate::{Fault, ImportError, Notices, Place};
use linkwork::math::{Mat3, Vec3};

/// Volume relative to area^1.5 below which a solid counts as empty.
const EMPTY: f64 = 1e-12;

/// What the mass of a mesh fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InertiaMode {
    /// The solid that the surface encloses.
    #[default]
    Exact,
    /// As `Exact`, with every tetrahedron counted as positive: MuJoCo's default.
    Legacy,
    /// The convex hull.
    Convex,
    /// The surface itself; density is then per area.
    Shell,
}

/// Mass properties at a density of 1 (kg/m³; of a shell kg/m²).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshMass {
    /// Volume, m³; of a shell its area, m².
    pub volume: f64,
    /// Centre of mass, m.
    pub centre: Vec3,
    /// Inertia about the centre of mass along the axes of the mesh, m⁵; of a shell m⁴.
    pub inertia: Mat3,
}

impl Mesh {
    /// Area of the surface, m², and its centroid, m.
    pub fn surface(&self) -> (f64, Vec3) {
        // Moments about a vertex, which is near the surface.
        let origin = self.vertices.first().copied().unwrap_or_default();
        let (mut area, mut moment) = (0.0, Vec3::zeros());
        for triangle in &self.triangles {
            let [a, b, c] = self.corners(triangle).map(|v| v - origin);
            let part = (b - a).cross(&(c - a)).norm() / 2.0;
            area += part;
            moment += part * (a + b + c) / 3.0;
        }
        (area, origin + moment / area)
    }

    /// Volume within the surface, m³; negative if it is inside out.
    pub fn volume(&self) -> f64 {
        self.first_moments(&self.surface().1, |v| v).0
    }

    /// Mass properties. A surface that is open or inside out causes a notice.
    pub fn mass(
        &self,
        mode: InertiaMode,
        place: &Place,
        notices: &mut Notices,
    ) -> Result<MeshMass, ImportError> {
        match mode {
            InertiaMode::Exact => {
                if !self.closed() {
                    let what = "the surface of the mesh is not closed: its volume is uncertain";
                    let remedy = "close it, give mass and inertia, or take inertia=\"convex\"";
                    notices.warn(place, what, remedy);
                }
                self.solid(|v| v, place, notices)
            }
            InertiaMode::Legacy => self.solid(f64::abs, place, notices),
            InertiaMode::Convex => {
                let hull = Mesh::from(hull_of(&self.vertices, place)?);
                hull.solid(|v| v, place, notices)
            }
            InertiaMode::Shell => {
                let (area, centre) = self.surface();
                let weigh = |[a, b, c]: [Vec3; 3]| (b - a).cross(&(c - a)).norm() / 2.0;
                let (_, second) = self.second_moments(&centre, 12.0, weigh);
                Ok(MeshMass {
                    volume: area,
                    centre,
                    inertia: inertia(&second),
                })
            }
        }
    }

    /// Sums over tetrahedra, with their volumes weighted by `count`.
    fn solid(
        &self,
        count: impl Fn(f64) -> f64,
        place: &Place,
        notices: &mut Notices,
    ) -> Result<MeshMass, ImportError> {
        let (area, middle) = self.surface();
        let (first, moment) = self.first_moments(&middle, &count);
        // Written so that a NaN counts as empty.
        let encloses = first.abs() > EMPTY * area.powf(1.5);
        if !encloses {
            let what = format!("the mesh encloses no volume ({first:e} m³)");
            let remedy = "give mass and inertia, or take inertia=\"shell\"";
            return Err(ImportError::new(place, Fault::Mechanism, what, remedy));
        }
        let centre = middle + moment / first;
        let weigh = |[a, b, c]: [Vec3; 3]| count(a.dot(&b.cross(&c)) / 6.0);
        let (volume, second) = self.second_moments(&centre, 20.0, weigh);
        if volume < 0.0 {
            let what = format!("the triangles of the mesh face inwards (volume {volume:e} m³)");
            let remedy = "reversed for mass properties; flip the normals in the mesh";
            notices.warn(place, what, remedy);
        }
        Ok(MeshMass {
            volume: volume.abs(),
            centre,
            inertia: inertia(&second) * volume.signum(),
        })
    }

    /// Volume and first moment about `origin`.
    fn first_moments(&self, origin: &Vec3, count: impl Fn(f64) -> f64) -> (f64, Vec3) {
        let (mut volume, mut moment) = (0.0, Vec3::zeros());
        for triangle in &self.triangles {
            let [a, b, c] = self.corners(triangle).map(|v| v - origin);
            let part = count(a.dot(&b.cross(&c)) / 6.0);
            volume += part;
            moment += part * (a + b + c) / 4.0;
        }
        (volume, moment)
    }

    /// Sum of the weights of all triangles, and second moment about `origin`.
    fn second_moments(
        &self,
        origin: &Vec3,
        divisor: f64,
        weigh: impl Fn([Vec3; 3]) -> f64,
    ) -> (f64, Mat3) {
        let (mut total, mut second) = (0.0, Mat3::zeros());
        for triangle in &self.triangles {
            let corners = self.corners(triangle).map(|v| v - origin);
            let weight = weigh(corners);
            let [a, b, c] = corners;
            // aaᵀ + bbᵀ + ccᵀ + ssᵀ with s = a + b + c is the sum in the brackets above.
            let s = a + b + c;
            let sum = a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose();
            total += weight;
            second += sum * (weight / divisor);
        }
        (total, second)
    }
}

/// Inertia from the second moment.
fn inertia(second: &Mat3) -> Mat3 {
    Mat3::identity() * second.trace() - second
}
