//! What is read of a simulator, or of the worlds of a batch, as one array, by name.

use crate::arrays::{pose_numbers, shaped, twist_numbers};
use crate::errors::value;
use crate::simulator::Sim;
use linkwork::batch::World;
use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::model::{JointId, Model};
use linkwork::reactions::Effort;
use linkwork::sensors::{LastStep, Sensor};
use linkwork::{Control, Simulator, State};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What is read.
pub trait Source {
    /// Its model, with variations of its own.
    fn model(&self) -> &Model;
    /// Where it is.
    fn state(&self) -> &State;
    /// Its simulator with the last step, which a world in lanes has to repeat.
    fn simulator(&self) -> &Simulator;
    /// What acts on it.
    fn control(&self) -> &Control;
}

impl Source for Sim {
    fn model(&self) -> &Model {
        &self.model
    }
    fn state(&self) -> &State {
        self.run.simulator().state()
    }
    fn simulator(&self) -> &Simulator {
        self.run.simulator()
    }
    fn control(&self) -> &Control {
        self.run.control()
    }
}

impl Source for World {
    fn model(&self) -> &Model {
        self.model()
    }
    fn state(&self) -> &State {
        self.state()
    }
    fn simulator(&self) -> &Simulator {
        self.simulator()
    }
    fn control(&self) -> &Control {
        self.control()
    }
}

/// A quantity.
pub struct Quantity {
    name: &'static str,
    /// Its shape, without the axis of worlds.
    shape: fn(&Model) -> Vec<usize>,
    /// Put it down, in row-major order.
    put: fn(&dyn Source, &mut [f64]),
    /// Whether it takes the last step to know it.
    steps: fn(&Model) -> bool,
}

fn never(_: &Model) -> bool {
    false
}

fn always(_: &Model) -> bool {
    true
}

const QUANTITIES: [Quantity; 9] = [
    Quantity {
        name: "poses",
        shape: |model| vec![model.bodies().len(), 7],
        put: |of, out| {
            for (out, pose) in out.chunks_exact_mut(7).zip(&of.state().poses) {
                out.copy_from_slice(&pose_numbers(pose));
            }
        },
        steps: never,
    },
    Quantity {
        name: "twists",
        shape: |model| vec![model.bodies().len(), 6],
        put: |of, out| {
            for (out, twist) in out.chunks_exact_mut(6).zip(&of.state().twists) {
                out.copy_from_slice(&twist_numbers(twist));
            }
        },
        steps: never,
    },
    Quantity {
        name: "coordinates",
        shape: |model| vec![model.coordinate_count()],
        put: |of, out| out.copy_from_slice(&of.state().coordinates),
        steps: never,
    },
    Quantity {
        name: "velocities",
        shape: |model| vec![model.coordinate_count()],
        put: velocities,
        steps: never,
    },
    Quantity {
        name: "reactions",
        shape: |model| vec![model.joints().len(), 6],
        put: reactions,
        steps: always,
    },
    Quantity {
        name: "contact_forces",
        shape: |model| vec![model.bodies().len(), 3],
        put: contact_forces,
        steps: always,
    },
    Quantity {
        name: "sensors",
        shape: |model| vec![model.sensors().iter().map(|s| s.components().len()).sum()],
        put: |of, out| {
            let values = sensors(of).flat_map(|(_, values)| values);
            out.iter_mut().zip(values).for_each(|(out, x)| *out = x);
        },
        steps: feels,
    },
    Quantity {
        name: "masses",
        shape: |model| vec![model.bodies().len()],
        put: |of, out| {
            for (out, body) in out.iter_mut().zip(of.model().bodies()) {
                *out = body.mass;
            }
        },
        steps: never,
    },
    Quantity {
        name: "energy",
        shape: |_| Vec::new(),
        put: |of, out| out[0] = energy(of),
        steps: always,
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

    /// Its shape in a simulator of this model.
    pub fn shape(&self, model: &Model) -> Vec<usize> {
        (self.shape)(model)
    }

    /// Its shape in a batch of `n` worlds.
    pub fn shape_of(&self, n: usize, model: &Model) -> Vec<usize> {
        let mut shape = self.shape(model);
        shape.insert(0, n);
        shape
    }

    /// Its values.
    pub fn read(&self, of: &dyn Source) -> Vec<f64> {
        let mut out = vec![0.0; self.shape(of.model()).iter().product()];
        (self.put)(of, &mut out);
        out
    }

    /// Its values in all worlds, one after the other.
    pub fn gather(&self, batch: &mut linkwork::Batch, out: &mut Vec<f64>) {
        let model = &*batch.model().clone();
        let width = self.shape(model).iter().product::<usize>();
        out.resize(width * batch.worlds().len(), 0.0);
        if (self.steps)(model) {
            batch.gather(width, out, |world, out| (self.put)(world, out));
        } else if width > 0 {
            for (world, out) in batch.worlds().iter().zip(out.chunks_exact_mut(width)) {
                (self.put)(world, out);
            }
        }
    }
}

/// Rates of all joint coordinates.
fn velocities(of: &dyn Source, out: &mut [f64]) {
    let joints = 0..of.model().joints().len() as u32;
    let rates = joints.flat_map(|j| of.state().joint_velocities(of.model(), JointId(j)));
    out.iter_mut()
        .zip(rates)
        .for_each(|(out, rate)| *out = rate);
}

/// Force and torque on the follower of each joint; zero for those that lock nothing.
fn reactions(of: &dyn Source, out: &mut [f64]) {
    out.fill(0.0);
    for r in of.simulator().joint_reactions() {
        let out = &mut out[6 * r.joint.index()..][..6];
        out[..3].copy_from_slice(r.force.as_slice());
        out[3..].copy_from_slice(r.torque.as_slice());
    }
}

/// The sum of the contact forces on each body in the last step.
fn contact_forces(of: &dyn Source, out: &mut [f64]) {
    out.fill(0.0);
    let kick = of.simulator().kick();
    for c in of.simulator().each_contact_force() {
        for (body, sign) in [(c.contact.body_a, -1.0), (c.contact.body_b, 1.0)] {
            if let Some(b) = body {
                for (s, x) in out[3 * b.index()..].iter_mut().zip(c.impulse.iter()) {
                    *s += sign * x / kick;
                }
            }
        }
    }
}

/// Whether there are sensors of forces or accelerations.
fn feels(model: &Model) -> bool {
    model.sensors().iter().any(Sensor::needs_step)
}

/// Readings of all sensors by name; NaN where only a step could tell.
pub fn sensors(of: &dyn Source) -> impl Iterator<Item = (&str, Vec<f64>)> {
    let model = of.model();
    let last = feels(model).then(|| LastStep::of_simulator(of.simulator(), of.control()));
    let last = last.flatten();
    model.sensors().iter().map(move |sensor| {
        let values = model.read(sensor, of.state(), last.as_ref());
        let values = values.unwrap_or_else(|| vec![f64::NAN; sensor.components().len()]);
        (sensor.name.as_str(), values)
    })
}

/// Energy with the velocities at the time of the poses, or of mid-step where these are not available.
fn energy(of: &dyn Source) -> f64 {
    let simulator = of.simulator();
    let state = simulator.synchronised(of.control());
    let state = state.as_ref().unwrap_or(simulator.state());
    kinetic_energy(of.model(), state) + potential_energy(of.model(), state)
}

/// A part of an effort, N or N m.
type Part = fn(&Effort) -> f64;

/// What makes forces along joint coordinates, and what it made in the last step.
const EFFORTS: [(&str, Part); 5] = [
    ("drive", |e| e.drive),
    ("limit", |e| e.limit),
    ("friction", |e| e.friction),
    ("passive", |e| e.passive),
    ("coupling", |e| e.coupling),
];

/// Numbers of efforts of each coordinate.
pub const PARTS: usize = EFFORTS.len();

/// All efforts of a source, coordinate by coordinate, those of each in the order of [`EFFORTS`].
pub fn efforts(of: &dyn Source, out: &mut [f64]) {
    out.fill(0.0);
    let efforts = of.simulator().coordinate_efforts();
    for (out, effort) in out.chunks_exact_mut(PARTS).zip(&efforts) {
        for (out, (_, part)) in out.iter_mut().zip(EFFORTS) {
            *out = part(effort);
        }
    }
}

/// Efforts by what made them, as arrays of a shape.
pub fn by_cause<'py>(
    py: Python<'py>,
    all: &[f64],
    shape: &[usize],
) -> PyResult<Bound<'py, PyDict>> {
    let d = PyDict::new(py);
    for (k, (name, _)) in EFFORTS.iter().enumerate() {
        let part = all.iter().skip(k).step_by(PARTS).copied();
        d.set_item(name, shaped(py, part.collect(), shape)?)?;
    }
    Ok(d)
}
