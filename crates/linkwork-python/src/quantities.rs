//! What is read of worlds as one array, by name.

use crate::arrays::{pose_numbers, twist_numbers};
use crate::errors::value;
use crate::simulator::rates;
use crate::worlds::{contact_forces, read};
use linkwork::batch::World;
use linkwork::model::Model;
use pyo3::PyResult;

/// A quantity of a world.
pub struct Quantity {
    name: &'static str,
    /// Its shape in one world.
    shape: fn(&Model) -> Vec<usize>,
    /// Put it down, in row-major order.
    put: fn(&World, &Model, &mut [f64]),
}

const QUANTITIES: [Quantity; 7] = [
    Quantity {
        name: "poses",
        shape: |model| vec![model.bodies().len(), 7],
        put: |world, _, out| {
            for (out, pose) in out.chunks_exact_mut(7).zip(&world.state().poses) {
                out.copy_from_slice(&pose_numbers(pose));
            }
        },
    },
    Quantity {
        name: "twists",
        shape: |model| vec![model.bodies().len(), 6],
        put: |world, _, out| {
            for (out, twist) in out.chunks_exact_mut(6).zip(&world.state().twists) {
                out.copy_from_slice(&twist_numbers(twist));
            }
        },
    },
    Quantity {
        name: "coordinates",
        shape: |model| vec![model.coordinate_count()],
        put: |world, _, out| out.copy_from_slice(&world.state().coordinates),
    },
    Quantity {
        name: "velocities",
        shape: |model| vec![model.coordinate_count()],
        put: |world, model, out| out.copy_from_slice(&rates(world.state(), model)),
    },
    Quantity {
        name: "contact_forces",
        shape: |model| vec![model.bodies().len(), 3],
        put: |world, model, out| out.copy_from_slice(&contact_forces(world, model)),
    },
    Quantity {
        name: "sensors",
        shape: |model| vec![model.sensors().iter().map(|s| s.components().len()).sum()],
        put: |world, model, out| out.copy_from_slice(&read(world, model)),
    },
    Quantity {
        name: "masses",
        shape: |model| vec![model.bodies().len()],
        put: |world, _, out| {
            for (out, body) in out.iter_mut().zip(world.model().bodies()) {
                *out = body.mass;
            }
        },
    },
];

impl Quantity {
    /// The quantity of this name.
    pub fn find(name: &str) -> PyResult<&'static Self> {
        let found = QUANTITIES.iter().find(|q| q.name == name);
        found.ok_or_else(|| {
            let names = QUANTITIES.map(|q| q.name).join(", ");
            value(format!(
                "there is no quantity '{name}'; choose one of: {names}"
            ))
        })
    }

    /// Its shape in a batch of `n` worlds.
    pub fn shape(&self, n: usize, model: &Model) -> Vec<usize> {
        let mut shape = (self.shape)(model);
        shape.insert(0, n);
        shape
    }

    /// Its values in all worlds, one after the other.
    pub fn gather(&self, worlds: &[World], model: &Model, out: &mut Vec<f64>) {
        let width = (self.shape)(model).iter().product();
        out.resize(width * worlds.len(), 0.0);
        if width > 0 {
            for (world, out) in worlds.iter().zip(out.chunks_exact_mut(width)) {
                (self.put)(world, model, out);
            }
        }
    }
}
