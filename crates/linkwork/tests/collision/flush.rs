//! Polyhedra that touch or lie flush, as hulls and as meshes: no overlap is invented.
//!
//! Every pose is made so that the two are `gap` apart along a known normal, a face of one of them or any direction. A
//! shift by the gap along that normal frees them, so no depth above -gap is true.

use crate::random::Random;
use crate::reference::separation;
use crate::scene::{REST, deepest, shape};
use linkwork::collision::{CollisionWorld, ContactPoint, convex_hull};
use linkwork::math::{Pose, Quat, Twist, Vec3, exp, rotation_between};
use linkwork::model::Geometry;
use std::f64::consts::TAU;
use std::sync::Arc;

/// A convex polyhedron, and outward normals of its larger faces.
struct Solid {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<Vec3>,
}

impl Solid {
    fn new(points: &[Vec3]) -> Self {
        let hull = convex_hull("solid", points).unwrap();
        let normals = hull.triangles.iter().filter_map(|t| {
            let [a, b, c] = t.map(|i| hull.vertices[i as usize]);
            (b - a).cross(&(c - a)).try_normalize(1e-5)
        });
        Self {
            normals: normals.collect(),
            points: hull.vertices,
            triangles: hull.triangles,
        }
    }

    fn hull(&self) -> Geometry {
        Geometry::ConvexHull {
            points: Arc::new(self.points.clone()),
        }
    }

    fn mesh(&self) -> Geometry {
        Geometry::TriangleMesh {
            vertices: Arc::new(self.points.clone()),
            triangles: Arc::new(self.triangles.clone()),
        }
    }

    /// With a dent in the first triangle, towards the mean of all corners: that is inside, the origin need not be.
    fn dented(&self) -> Geometry {
        let (mut vertices, mut triangles) = (self.points.clone(), self.triangles.clone());
        let [a, b, c] = triangles[0];
        let middle = [a, b, c].map(|i| vertices[i as usize]).iter().sum::<Vec3>() / 3.0;
        let centre = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
        let new = vertices.len() as u32;
        vertices.push(middle * 0.9 + centre * 0.1);
        triangles.splice(0..1, [[a, b, new], [b, c, new], [c, a, new]]);
        Geometry::TriangleMesh {
            vertices: Arc::new(vertices),
            triangles: Arc::new(triangles),
        }
    }

    /// Of the corners that are highest along `d`, one.
    fn highest(&self, rotation: &Quat, d: &Vec3) -> Vec3 {
        let all = self.points.iter().map(|p| rotation * p);
        all.max_by(|p, q| p.dot(d).total_cmp(&q.dot(d))).unwrap()
    }
}

/// Prisms and frusta with up to 80 sides, hulls of up to 64 corners, in single precision as in mesh files.
fn solid(random: &mut Random) -> Solid {
    let single = |p: Vec3| p.map(|x| f64::from(x as f32));
    let points: Vec<Vec3> = if random.unit() < 0.6 {
        let n = 3 + (random.unit() * 78.0) as usize;
        let (r, h) = (random.between(0.03, 0.2), random.between(0.02, 0.2));
        let top = if random.unit() < 0.7 {
            1.0
        } else {
            random.between(0.3, 1.0)
        };
        (0..2 * n)
            .map(|k| {
                let (s, c) = (TAU * (k / 2) as f64 / n as f64).sin_cos();
                let r = if k % 2 == 0 { r } else { r * top };
                single(Vec3::new(r * c, r * s, if k % 2 == 0 { -h } else { h }))
            })
            .collect()
    } else {
        let radii = Vec3::from_fn(|_, _| random.between(0.03, 0.2));
        let n = 8 + (random.unit() * 57.0) as usize;
        (0..n)
            .map(|_| single(random.direction().component_mul(&radii)))
            .collect()
    };
    Solid::new(&points)
}

/// How B lies on A.
fn pose(a: &Solid, b: &Solid, random: &mut Random) -> (Pose, f64) {
    let gap = match (random.unit() * 4.0) as usize {
        0 => 0.0,
        1 => random.between(-1e-7, 1e-7),
        2 => random.between(-1e-4, 1e-4),
        _ => random.between(-5e-3, 1e-3),
    };
    let pick = |normals: &[Vec3], random: &mut Random| {
        normals[(random.unit() * normals.len() as f64) as usize]
    };
    let n = if random.unit() < 0.8 {
        pick(&a.normals, random)
    } else {
        random.direction()
    };
    let mut rotation = if random.unit() < 0.8 {
        rotation_between(&pick(&b.normals, random), &-n)
    } else {
        random.rotation()
    };
    rotation = match (random.unit() * 3.0) as usize {
        // As it comes; about the normal; tilted by little.
        0 => rotation,
        1 => exp(&(n * random.between(0.0, TAU))) * rotation,
        _ => exp(&(random.direction() * random.between(0.0, 1e-4))) * rotation,
    };
    let identity = Quat::identity();
    let (p, q) = (a.highest(&identity, &n), b.highest(&rotation, &-n));
    // Corner on corner, one over the other, or anywhere near.
    let flat = |v: Vec3| v - n * n.dot(&v);
    let aside = match (random.unit() * 3.0) as usize {
        0 => flat(p - q),
        1 => Vec3::zeros(),
        _ => flat(random.direction() * random.between(0.0, 0.1)),
    };
    let position = aside + n * (n.dot(&(p - q)) + gap);
    (Pose::new(position, rotation), gap)
}

/// The same solid on itself: all rims coincide.
fn on_itself(a: &Solid, random: &mut Random) -> (Pose, f64) {
    let n = a.normals[(random.unit() * a.normals.len() as f64) as usize];
    let high = a.highest(&Quat::identity(), &n);
    let spin = if random.unit() < 0.5 {
        0.0
    } else {
        random.between(0.0, TAU)
    };
    let rotation = exp(&(n * spin));
    let down = a.highest(&rotation, &-n);
    (Pose::new(n * n.dot(&(high - down)), rotation), 0.0)
}

/// What is found too much or not at all.
struct Tally {
    wrong: usize,
    worst: f64,
    text: String,
}

impl Tally {
    const fn new() -> Self {
        Self {
            wrong: 0,
            worst: 0.0,
            text: String::new(),
        }
    }

    fn note(&mut self, error: f64, text: impl Fn() -> String) {
        if error > 1e-6 {
            self.wrong += 1;
        }
        if error > self.worst {
            (self.worst, self.text) = (error, text());
        }
    }

    fn check(&self, what: &str) {
        println!(
            "{what}: {} wrong, by {:e} at most: {}",
            self.wrong, self.worst, self.text
        );
        assert_eq!(self.wrong, 0, "{what}: by {:e}: {}", self.worst, self.text);
    }
}

/// Poses per pair of solids: to prepare the shapes takes as long as fifty of them.
const POSES: usize = 32;

/// B on A, with A as a hull, as a mesh and as a mesh with a dent.
struct Grounds([CollisionWorld; 3]);

impl Grounds {
    fn new(a: &Solid, b: &Solid) -> Self {
        Self([a.hull(), a.mesh(), a.dented()].map(|ground| {
            let shapes = [shape(None, ground), shape(Some(0), b.hull())];
            CollisionWorld::new(&shapes, &[]).unwrap()
        }))
    }

    /// The deepest contact on each.
    fn deepest(&mut self, pose: Pose) -> [Option<ContactPoint>; 3] {
        self.0.each_mut().map(|world| {
            let mut contacts = Vec::new();
            world.detect(&[pose], &[Twist::zero()], &REST, None, &mut contacts);
            deepest(&contacts).copied()
        })
    }
}

/// `LINKWORK_FLUSH_POSES=100000` for a long run.
#[test]
fn polyhedra_that_touch_are_not_told_to_overlap() {
    let count: usize = std::env::var("LINKWORK_FLUSH_POSES").map_or(1000, |n| n.parse().unwrap());
    let mut random = Random(2024);
    let [mut of_hulls, mut of_meshes, mut of_dented, mut missed] = [const { Tally::new() }; 4];
    let mut last = solid(&mut random);
    for first in (0..count).step_by(POSES) {
        let (a, b) = (last, solid(&mut random));
        let (mut on_other, mut on_own) = (Grounds::new(&a, &b), Grounds::new(&a, &a));
        for k in first..count.min(first + POSES) {
            let same = k % 4 == 0;
            let (pose, gap) = if same {
                on_itself(&a, &mut random)
            } else {
                pose(&a, &b, &mut random)
            };
            let (grounds, b) = match same {
                true => (&mut on_own, &a),
                false => (&mut on_other, &b),
            };
            let [hull, mesh, dented] = grounds.deepest(pose);
            let text = || {
                format!(
                    "pose {k}: {} and {} corners, gap {gap:e}, hull {:?}, mesh {:?}",
                    a.points.len(),
                    b.points.len(),
                    hull.map(|c| (c.gap, c.normal)),
                    mesh.map(|c| (c.gap, c.normal))
                )
            };
            let allowed = (-gap).max(0.0);
            let depth = hull.map_or(0.0, |c| -c.gap);
            of_hulls.note(depth - allowed, text);
            // A shift along the normal found for the hull frees the mesh too.
            let solids = [a.hull(), b.hull()];
            let frees =
                |n: &Vec3| -separation((&solids[0], &Pose::identity()), (&solids[1], &pose), n);
            let most = hull.map_or(allowed, |c| frees(&c.normal).clamp(0.0, allowed));
            of_meshes.note(mesh.map_or(0.0, |c| -c.gap) - most, text);
            of_dented.note(dented.map_or(0.0, |c| -c.gap) - most, text);
            if mesh.is_none() {
                missed.note(depth, text);
            }
        }
        last = b;
    }
    of_hulls.check("hulls");
    of_meshes.check("hull on mesh");
    of_dented.check("hull on dented mesh");
    missed.check("hull on mesh, missed");
}
