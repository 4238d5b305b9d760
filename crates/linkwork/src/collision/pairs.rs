//! Which routine handles which pair of forms.

use super::convex::Scratch;
use super::cover::Covers;
use super::half_space::{self, Plane};
use super::manifold::Manifold;
use super::prepare::Form;
use super::reduce;
use super::seams::Seam;
use super::solid::{Core, Placed};
use super::surface_pair::{self, Near, PlacedSurface};
use super::{box_box, capsule, convex, ellipsoid, sphere, symmetric};
use crate::math::{Mat3, Vec3};

/// Working memory for one pair after another.
#[derive(Default)]
pub struct PairScratch {
    /// Points of the present pair.
    pub points: Manifold,
    /// Room for the points of pads.
    pub sampled: Manifold,
    /// An axis from A to B along which the pair may be separated, or zero; after the search one along which it is.
    pub axis: Vec3,
    scratch: Scratch,
    near: Near,
    reduce: reduce::Scratch,
    faces: Vec<(f64, Vec3)>,
}

/// A form at a placement; positions are relative to a point near the pair.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The form.
    pub form: &'a Form,
    /// Orientation.
    pub rotation: Mat3,
    /// Position, m.
    pub position: Vec3,
    /// Whether neighbours cover a place of it, if it has any.
    pub covers: Option<&'a Covers<'a>>,
}

impl PairScratch {
    /// Find the points of A and B closer than `reach` (m).
    pub fn collide(&mut self, a: &Side, b: &Side, reach: f64) {
        self.points.clear();
        // Each kind of pair is written for one order of the two.
        if rank(a.form) <= rank(b.form) {
            self.ordered(a, b, reach);
        } else {
            self.axis = -self.axis;
            self.ordered(b, a, reach);
            self.axis = -self.axis;
            for c in &mut self.points {
                *c = c.flipped();
            }
        }
    }

    /// Replace points on faces that neighbours of side `k` cover.
    pub fn leave_seam(&mut self, k: usize, seam: &Seam) {
        let flip = |points: &mut Manifold| {
            if k == 1 {
                points.iter_mut().for_each(|c| *c = c.flipped());
            }
        };
        flip(&mut self.points);
        seam.leave(&mut self.scratch, &mut self.faces, &mut self.points);
        flip(&mut self.points);
    }

    /// Keeps the few points that carry the load, of those closer than `reach` (m), in the order of their keys.
    pub fn reduce(&mut self, a: &Form, b: &Form, size: f64, reach: f64) {
        let surface = |f: &Form| matches!(f, Form::Surface(_));
        let is_box = |f: &Form| matches!(f, Form::Solid(s) if matches!(s.core, Core::Box { .. }));
        if surface(a) || surface(b) {
            reduce::surface(&mut self.points, size, reach, &mut self.reduce);
        } else if is_box(a) && is_box(b) {
            reduce::boxes(&mut self.points, size, &mut self.reduce);
        } else {
            reduce::convex(&mut self.points, size);
        }
    }

    fn ordered(&mut self, a: &Side, b: &Side, reach: f64) {
        let Self {
            points: out,
            axis,
            scratch,
            near,
            ..
        } = self;
        match (a.form, b.form) {
            (Form::HalfSpace, Form::Solid(solid)) => {
                let patch = &mut scratch.patches[0];
                half_space::solid(&plane(a), &b.placed(solid), reach, patch, out);
            }
            (Form::HalfSpace, Form::Surface(surface)) => {
                half_space::surface(&plane(a), surface, &b.rotation, &b.position, reach, out);
            }
            (Form::Surface(surface), Form::Solid(solid)) => {
                let a = a.surface(surface);
                surface_pair::solid(&a, &b.placed(solid), reach, scratch, near, out);
            }
            (Form::Surface(p), Form::Surface(q)) => {
                let (a, b) = (a.surface(p), b.surface(q));
                surface_pair::surface(&a, &b, reach, scratch, near, out);
            }
            (Form::Solid(p), Form::Solid(q)) => {
                solids(&a.placed(p), &b.placed(q), reach, axis, scratch, out);
            }
            // Half spaces belong to the world and never collide with each other; visual shapes do not collide; other
            // orders are sorted out before.
            _ => {}
        }
    }
}

/// Position of a form in the order the routines expect.
fn rank(form: &Form) -> usize {
    match form {
        Form::HalfSpace => 0,
        Form::Surface(_) => 1,
        Form::Solid(solid) => match solid.core {
            Core::Ellipsoid { .. } => 2,
            Core::Point => 3,
            Core::Segment { .. } => 4,
            Core::Box { .. } => 5,
            _ => 6,
        },
        Form::VisualOnly(..) => 7,
    }
}

fn solids(
    a: &Placed,
    b: &Placed,
    reach: f64,
    axis: &mut Vec3,
    scratch: &mut Scratch,
    out: &mut Manifold,
) {
    match (&a.solid.core, &b.solid.core) {
        (Core::Ellipsoid { radii }, Core::Point) => ellipsoid::sphere(a, b, radii, reach, out),
        (Core::Point, Core::Point) => sphere::balls(
            &a.position,
            &b.position,
            [a.solid.rounding, b.solid.rounding],
            [0, 0],
            reach,
            out,
        ),
        (Core::Point, Core::Segment { half }) => sphere::capsule(a, b, *half, reach, out),
        (Core::Point, Core::Box { half }) => sphere::cuboid(a, b, half, reach, out),
        (Core::Point, Core::Cylinder { radius, half }) => {
            sphere::frustum(a, b, [*radius, *radius], *half, reach, out);
        }
        (Core::Point, Core::Cone { radius, half }) => {
            sphere::frustum(a, b, [*radius, 0.0], *half, reach, out);
        }
        (Core::Segment { half: p }, Core::Segment { half: q }) => {
            capsule::collide(a, b, [*p, *q], reach, out);
        }
        (Core::Box { half: p }, Core::Box { half: q }) => {
            box_box::collide(a, b, [p, q], reach, scratch, out);
        }
        (Core::Segment { .. }, Core::Box { .. }) => {
            symmetric::collide::<1, 0, 4, 0>(a, b, reach, scratch, out);
        }
        (Core::Segment { .. }, Core::Cylinder { .. }) => {
            symmetric::collide::<1, 0, 2, 1>(a, b, reach, scratch, out);
        }
        (Core::Box { .. }, Core::Cylinder { .. }) => {
            symmetric::collide::<3, 0, 4, 1>(a, b, reach, scratch, out);
        }
        (Core::Cylinder { .. }, Core::Cylinder { .. }) => {
            symmetric::collide::<1, 1, 2, 2>(a, b, reach, scratch, out);
        }
        (Core::Hull(_) | Core::Box { .. }, Core::Hull(_) | Core::Box { .. }) => {
            convex::collide_polyhedra(a, b, reach, axis, scratch, out);
        }
        _ => convex::collide(a, b, reach, scratch, out),
    }
}

fn plane(side: &Side) -> Plane {
    let n: Vec3 = side.rotation.column(2).into();
    Plane {
        n,
        offset: n.dot(&side.position),
    }
}

impl<'a> Side<'a> {
    /// A solid here.
    pub fn placed(&self, solid: &'a super::solid::Solid) -> Placed<'a> {
        Placed {
            solid,
            rotation: self.rotation,
            position: self.position,
        }
    }

    /// A surface here.
    pub fn surface(&self, surface: &'a super::surface::Surface) -> PlacedSurface<'a> {
        PlacedSurface {
            surface,
            rotation: self.rotation,
            position: self.position,
            covers: self.covers,
        }
    }
}
