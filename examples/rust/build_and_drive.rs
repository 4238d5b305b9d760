//! A slider crank built in Rust: a loop, masses from shapes and a density, a motor and a sensor by name, reactions; then
//! another step size, and a copy of the simulator with other settings.

use linkwork::actuators::Actuator;
use linkwork::linkwork_solve::Status;
use linkwork::math::Vec3;
use linkwork::model::{BodyDef, Geometry, JointDef, ModelBuilder};
use linkwork::sensors::{Reading, Sensor};
use linkwork::{Control, Settings, Simulator};
use std::error::Error;

/// Steel, kg/m³.
const DENSITY: f64 = 7850.0;

fn main() -> Result<(), Box<dyn Error>> {
    // Crank 0.2 m, rod 0.6 m, piston; all in the plane y = 0. Boxes are given by half extents.
    let bar = |half: f64| Geometry::Box {
        half_extents: Vec3::new(half, 0.01, 0.01),
    };
    let mass = |form: Geometry| form.mass_properties(DENSITY).ok_or("no volume");
    let mut b = ModelBuilder::new();
    let crank = b.add_body(BodyDef::new("crank", mass(bar(0.1))?).at(0.1, 0.0, 0.0));
    let rod = b.add_body(BodyDef::new("rod", mass(bar(0.3))?).at(0.5, 0.0, 0.0));
    let piston = b.add_body(BodyDef::new("piston", mass(bar(0.03))?).at(0.8, 0.0, 0.0));
    let hinge = |j: JointDef, x: f64| j.anchor(x, 0.0, 0.0).axis(0.0, 1.0, 0.0);
    let shaft = b.add_joint(hinge(JointDef::revolute("shaft", None, crank), 0.0));
    b.add_joint(hinge(JointDef::revolute("pin", crank, rod), 0.2));
    b.add_joint(hinge(JointDef::revolute("wrist", rod, piston), 0.8));
    let rail = b.add_joint(
        JointDef::prismatic("rail", None, piston)
            .anchor(0.8, 0.0, 0.0)
            .axis(1.0, 0.0, 0.0),
    );
    // A velocity servo of 50 N m s/rad: its control is the velocity.
    b.add_actuator(Actuator::velocity("motor", shaft, 50.0));
    let reading = Reading::Position {
        joint: rail,
        coordinate: 0,
    };
    b.add_sensor(Sensor::new("stroke", reading));
    let model = b.build()?;

    // Half a turn per second.
    let mut simulator = Simulator::new(model.clone(), Settings::default())?;
    let mut control = Control::new(&model);
    let controls = model.controls(&[("motor", std::f64::consts::PI)])?;
    for _ in 0..1000 {
        let report = simulator.step_actuated(&controls, &mut control)?;
        assert!(report.status == Status::Converged && report.closure_linear < 1e-9);
    }
    let stroke = |s: &Simulator| s.sense("stroke", &control).map_or(f64::NAN, |v| v[0]);
    let at = stroke(&simulator);
    println!("after half a turn the piston is {at:.4} m from its start");

    // A copy with steps four times as long continues from the same state; the first is not affected.
    let mut coarse = simulator.clone();
    coarse.set_dt(4.0 * simulator.settings().dt)?;
    for step in 0..1000 {
        simulator.step(&control)?;
        if step % 4 == 0 {
            coarse.step(&control)?;
        }
    }
    let [fine, coarse] = [&simulator, &coarse].map(stroke);
    println!("after a whole turn: {fine:.6} m in steps of 1 ms, {coarse:.6} m in steps of 4 ms");
    for reaction in simulator.joint_reactions() {
        let name = &model.joint(reaction.joint).name;
        println!(
            "{name:6} bears {:8.3} N and {:7.3} N m",
            reaction.force.norm(),
            reaction.torque.norm()
        );
    }
    Ok(())
}
