//! What is read and written.

use serde::{Deserialize, Serialize};

/// A scene and how it is run. Lengths in m, masses in kg, times in s; quaternions have w first.
#[derive(Deserialize)]
pub struct Scene {
    pub dt: f64,
    pub steps: usize,
    pub repeats: usize,
    /// Steps after which poses are told.
    pub samples: Vec<usize>,
    pub stiff: bool,
    pub bodies: Vec<Body>,
    /// Shapes of the world.
    pub world: Vec<Shape>,
    pub joints: Vec<Joint>,
}

/// A body; its frame is at its centre of mass.
#[derive(Deserialize)]
pub struct Body {
    pub mass: f64,
    /// Principal moments, and the orientation of their axes in the body.
    pub inertia: [f64; 3],
    pub axes: [f64; 4],
    /// Position, orientation.
    pub pose: [f64; 7],
    /// Linear and angular velocity.
    pub twist: [f64; 6],
    pub shapes: Vec<Shape>,
}

/// A shape in the frame of its body.
#[derive(Deserialize)]
pub struct Shape {
    #[serde(flatten)]
    pub form: Form,
    pub pose: [f64; 7],
    pub friction: f64,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Form {
    Plane,
    Sphere { radius: f64 },
    Box { half: [f64; 3] },
    Capsule { radius: f64, half: f64 },
    Cylinder { radius: f64, half: f64 },
}

/// Two points that stay together, about an axis of both bodies if there is one. `None` is the world.
#[derive(Deserialize)]
pub struct Joint {
    pub a: Option<usize>,
    pub b: usize,
    pub anchor_a: [f64; 3],
    pub anchor_b: [f64; 3],
    pub axis: Option<[f64; 3]>,
}

/// What came out.
#[derive(Serialize)]
pub struct Answer {
    /// Steps a CPU second of every run.
    pub rates: Vec<f64>,
    /// Poses of all bodies at the samples.
    pub poses: Vec<Vec<[f64; 7]>>,
    /// Widest gap of a joint, m.
    pub closure_m: f64,
}
