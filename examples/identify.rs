//! Identify a friction coefficient and a link length from a recording, with the derivatives of steps.
//!
//! `cargo run --release --example identify`
//!
//! A pendulum swings and a crate slides over the floor. The recording has the data of an encoder and a camera: the angle of the one, the position of
//! the other. The same motion is simulated with guessed parameters, and Gauss-Newton corrects the guess: the derivative of each state with respect to the parameters
//! is carried from step to step, S⁺ = A S + B with A and B of `Simulator::step_gradient`.

use linkwork::gradient::Parameter;
use linkwork::math::{MassProperties, Pose, Vec3, exp, log};
use linkwork::model::*;
use linkwork::{Control, Run, Settings, Simulator, State};
use linkwork_record::{RecordOptions, Recorder, Recording, Source};
use nalgebra::{DMatrix, DVector, Matrix2, Vector2};
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Number of recorded steps, of 1 ms; the crate slides in all of them.
const STEPS: u64 = 200;
/// Friction coefficient and length, m: true values and first guess.
const TRUE: [f64; 2] = [0.35, 0.62];
const GUESS: [f64; 2] = [0.2, 0.5];

const PENDULUM: usize = 0;
const CRATE: usize = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::temp_dir().join(format!("identify-{}.lwrec", std::process::id()));
    record(&file)?;
    let found = identify(&file, true);
    std::fs::remove_file(&file)?;
    let [friction, length] = found?;
    println!("friction {friction:.9}, length {length:.9} m");
    Ok(())
}

/// The mechanism with a friction coefficient and a distance from hinge to centre of mass.
fn model([friction, length]: [f64; 2]) -> Result<Arc<Model>, ModelError> {
    // A little compliance determines how the corners of the crate share its weight.
    let surface = Material {
        compliance: Compliance::Physical {
            stiffness: 5e4,
            dissipation_time: 0.02,
        },
        ..Material::with_friction(friction)
    };
    let mut b = ModelBuilder::new();
    let bob = MassProperties::principal(1.2, Vec3::new(0.03, 0.03, 0.002));
    let start = exp(&Vec3::new(0.0, 0.8, 0.0));
    let hinge = Vec3::new(0.0, 2.0, 1.5);
    let place = Pose::new(hinge + start * Vec3::new(0.0, 0.0, -length), start);
    let bob = b.add_body(BodyDef::new("pendulum", bob).pose(place));
    let joint = JointDef::revolute("hinge", None, bob);
    b.add_joint(joint.anchor(hinge.x, hinge.y, hinge.z).axis(0.0, 1.0, 0.0));
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(surface));
    let half = Vec3::new(0.2, 0.15, 0.1);
    let weight = MassProperties::solid_box(4.0, half);
    let depth = 4.0 * 9.81 / (4.0 * 5e4);
    let body = BodyDef::new("crate", weight).at(0.0, 0.0, half.z - depth);
    let body = b.add_body(body.twist(Vec3::new(2.0, 0.0, 0.0), Vec3::zeros()));
    let shape = ShapeDef::new(Geometry::Box { half_extents: half });
    b.add_shape(body, shape.material(surface));
    b.build()
}

/// Simulate the true mechanism and record it.
fn record(file: &Path) -> Result<(), Box<dyn Error>> {
    let model = model(TRUE)?;
    let settings = Settings::default();
    let mut recorder = Recorder::create(
        file,
        RecordOptions::default(),
        &model,
        &settings,
        &Source::default(),
    )?;
    let mut failed = None;
    Run::new(Simulator::new(model, settings)?, None).steps(STEPS, |moment| {
        match recorder.step(moment) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    recorder.finish()?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}

/// Measured values of a state: the angle of the pendulum, rad, and the position of the crate, m.
fn seen(state: &State) -> Vector2<f64> {
    let angle = log(&state.poses[PENDULUM].rotation).y;
    Vector2::new(angle, state.poses[CRATE].position.x)
}

/// The parameters whose motion is the recorded one.
fn identify(file: &Path, tell: bool) -> Result<[f64; 2], Box<dyn Error>> {
    let recording = Recording::open(file)?;
    let mut numbers = GUESS;
    for iteration in 0..20 {
        let (mut normal, mut right) = (Matrix2::zeros(), Vector2::zeros());
        let mut worst = 0.0_f64;
        follow(numbers, |step, state, slopes| {
            let difference = seen(&recording.step(step)?.state) - seen(state);
            worst = worst.max(difference.amax());
            // Rotation of the pendulum about y, crate along x: rows of the tangent coordinates.
            let rows = [6 * PENDULUM + 4, 6 * CRATE];
            let slopes = Matrix2::from_fn(|i, j| slopes[(rows[i], j)]);
            normal += slopes.transpose() * slopes;
            right += slopes.transpose() * difference;
            Ok(())
        })?;
        let change = normal.try_inverse().ok_or("the motion does not tell")? * right;
        if tell {
            println!(
                "{iteration}: friction {:.6}, length {:.6} m, off by {worst:.1e}",
                numbers[0], numbers[1]
            );
        }
        numbers = [numbers[0] + change[0], numbers[1] + change[1]];
        if change.amax() < 1e-10 {
            return Ok(numbers);
        }
    }
    Err("no numbers were found; begin nearer to them".into())
}

/// Simulates with these parameters; `visit` gets each step, its state, and the derivative of the state with respect to them.
fn follow(
    numbers: [f64; 2],
    mut visit: impl FnMut(usize, &State, &DMatrix<f64>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let model = model(numbers)?;
    let control = Control::new(&model);
    let parameters = [
        Parameter::Friction(ShapeId(0), ShapeId(1)),
        Parameter::Anchor {
            joint: JointId(0),
            follower: true,
            axis: 2,
        },
    ];
    let mut simulator = Simulator::new(model, Settings::default())?;
    // The pendulum starts at the measured angle: a longer one has its centre further from the hinge.
    let mut slopes = DMatrix::zeros(24, 2);
    let turned = simulator.state().poses[PENDULUM].rotation * Vec3::new(0.0, 0.0, -1.0);
    slopes
        .view_mut((6 * PENDULUM, 1), (3, 1))
        .copy_from(&DVector::from_column_slice(turned.as_slice()));
    for step in 1..=STEPS as usize {
        let gradient = simulator.step_gradient(&control, &parameters)?;
        slopes = gradient.state * slopes + gradient.parameters;
        visit(step, simulator.state(), &slopes)?;
    }
    Ok(())
}

#[test]
fn the_numbers_of_a_recording_are_found() {
    let file = std::env::temp_dir().join(format!("identify-test-{}.lwrec", std::process::id()));
    record(&file).unwrap();
    let found = identify(&file, false);
    std::fs::remove_file(&file).unwrap();
    for (found, wanted) in found.unwrap().iter().zip(TRUE) {
        assert!((found - wanted).abs() < 1e-8, "{found} {wanted}");
    }
}
