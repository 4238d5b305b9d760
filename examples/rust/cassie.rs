//! Load Cassie, command its motors by name, read its sensors, record, and draw the contact forces of its feet.
//! `cargo run --release --package linkwork-examples --example cassie -- agility_cassie/scene.xml`

use linkwork::{Control, Settings, Simulator};
use linkwork_import::{Options, load};
use linkwork_record::{RecordOptions, Recorder, Recording, Source, StepRecord};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("name the file of a Cassie")?;
    let robot = load(file.as_ref(), &Options::default())?.model;
    // Start in the first stored state, with loops closed, and hold its coordinates.
    let stored = robot.keyframes().first().ok_or("no stored state")?;
    let closed = robot.closed(&robot.keyframe_state(stored))?;
    let model = robot.started(&closed)?;
    let mut simulator = Simulator::new(model.clone(), Settings::default())?;
    let (options, settings) = (RecordOptions::default(), simulator.settings());
    let file = "cassie.lwrec".as_ref();
    let mut recorder = Recorder::create(file, options, &model, settings, &Source::default())?;
    let mut control = Control::new(&model);
    for step in 1..=1000 {
        let mut controls = vec![0.0; model.actuators().len()];
        // Servos that hold the initial coordinates, N m/rad before the gear.
        for (name, gain) in [("hip-roll", 16.0), ("hip-pitch", 40.0), ("knee", 40.0)] {
            for motor in [format!("left-{name}"), format!("right-{name}")] {
                let (joint, c) = model.coordinate_named(&motor).ok_or("no such joint")?;
                let [home, now] = [&closed.state, simulator.state()]
                    .map(|state| state.joint_coordinates(&model, joint)[c]);
                let rate = simulator.state().joint_velocities(&model, joint)[c];
                let id = model.actuator_named(&motor).ok_or("no such motor")?;
                controls[id.index()] = gain * (home - now) - 0.005 * gain * rate;
            }
        }
        let report = simulator.step_actuated(&controls, &mut control)?;
        let record = StepRecord::of_step(&simulator, &control, &report);
        recorder.record(&StepRecord { step, ..record })?;
        if step % 250 == 0 {
            let read = |name: &str| simulator.sense(name, &control).unwrap_or_default();
            let turned = read("pelvis-orientation");
            let felt = read("pelvis-linear-acceleration");
            println!("{step} ms: pelvis at {turned:.3?}, feels {felt:.2?} m/s²");
        }
    }
    recorder.finish()?;
    // Contact forces are available by name, as for `linkwork plot`.
    let recording = Recording::open(file)?;
    let feet = ["left-foot.contact_force", "right-foot.contact_force"];
    let feet = [recording.quantity(feet[0])?, recording.quantity(feet[1])?];
    let forces = recording.series(&feet)?;
    for i in (0..recording.len()).step_by(50) {
        let (left, right) = (forces[0][i], forces[1][i]);
        let bar = "#".repeat(((left + right) / 10.0) as usize);
        println!(
            "{:.2} s {left:5.0} N {right:5.0} N {bar}",
            recording.times()[i]
        );
    }
    Ok(())
}
