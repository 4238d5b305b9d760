//! Names of numbers that a script may use.

use linkwork::State;
use linkwork::model::{BodyId, JointId, Model};
use linkwork_import::suggest;

/// A number that a script may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// The time, s.
    Time,
    /// A constant.
    Constant(f64),
    /// A variable of the script.
    Variable(usize),
    /// A component of a sensor's value.
    Sensor(usize, usize),
    /// A joint coordinate, by its place in the state.
    Coordinate(usize),
    /// Its rate.
    Rate(JointId, usize),
    /// An entry of [`BODY`].
    Body(BodyId, usize),
}

/// Numbers of a body behind its name.
const BODY: [&str; 9] = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"];

/// All names with their values, those with precedence first.
pub fn all(model: &Model) -> Vec<(String, Number)> {
    let mut all = vec![
        ("t".to_owned(), Number::Time),
        ("pi".to_owned(), Number::Constant(std::f64::consts::PI)),
    ];
    for (i, sensor) in model.sensors().iter().enumerate() {
        for (k, name) in sensor.value_names().into_iter().enumerate() {
            all.push((format!("sensor {name}"), Number::Sensor(i, k)));
            all.push((name, Number::Sensor(i, k)));
        }
    }
    for (j, joint) in model.joints().iter().enumerate() {
        for (c, (coordinate, _)) in joint.kind.coordinates().iter().enumerate() {
            let name = format!("{}.{coordinate}", joint.name);
            let at = joint.first_coordinate + c;
            all.push((name.clone(), Number::Coordinate(at)));
            all.push((format!("{name}.rate"), Number::Rate(JointId(j as u32), c)));
        }
    }
    for (b, body) in model.bodies().iter().enumerate() {
        for (i, component) in BODY.iter().enumerate() {
            let number = Number::Body(BodyId(b as u32), i);
            all.push((format!("{}.{component}", body.name), number));
        }
    }
    all
}

/// Meaning of a name, among those of the model and the variables of a script.
pub fn find(
    all: &[(String, Number)],
    variables: &[String],
    model: &Model,
    name: &str,
) -> Result<Number, String> {
    if let Some(i) = variables.iter().position(|v| v == name) {
        return Ok(Number::Variable(i));
    }
    let Some((_, number)) = all.iter().find(|(n, _)| n == name) else {
        let known = all.iter().map(|(n, _)| n).chain(variables);
        let near = suggest::nearest(name, known.map(String::as_str));
        let remedy = match near {
            Some(near) => format!("did you mean '{near}'?"),
            None => "name t, a sensor, a coordinate such as 'hinge.angle' or 'hinge.angle.rate', a body's 'rod.x', or a variable defined above with let; quote names with '-' or spaces".to_owned(),
        };
        return Err(format!("there is no '{name}'; {remedy}"));
    };
    if let Number::Sensor(i, _) = number
        && model.sensors()[*i].needs_step()
    {
        return Err(format!(
            "sensor '{name}' reads accelerations or forces, which are known only after the step; a script can use time and state"
        ));
    }
    Ok(*number)
}

impl Number {
    /// Its value; `values` are those of the sensors that were read, `variables` those of the script.
    pub fn value(
        &self,
        model: &Model,
        state: &State,
        sensors: &mut dyn FnMut(usize) -> Vec<f64>,
        variables: &[f64],
    ) -> f64 {
        match *self {
            Number::Time => state.time,
            Number::Constant(x) => x,
            Number::Variable(i) => variables[i],
            Number::Sensor(i, k) => sensors(i)[k],
            Number::Coordinate(i) => state.coordinates[i],
            Number::Rate(joint, c) => state.joint_velocities(model, joint)[c],
            Number::Body(body, i) => {
                let (pose, twist) = (&state.poses[body.index()], &state.twists[body.index()]);
                match i {
                    0..3 => pose.position[i],
                    3..6 => twist.linear[i - 3],
                    _ => twist.angular[i - 6],
                }
            }
        }
    }
}
