//! `/linkwork/state`: poses, velocities and coordinates.

use super::{Channel, MessageError, StepChannel, expect, vec3};
use crate::cdr::{Decoder, Encoder};
use crate::step::StepRecord;
use linkwork::State;
use linkwork::math::{Pose, Quat, Twist, Vec3, Wrench};
use linkwork::model::Model;
use nalgebra::Quaternion;

pub(super) const CHANNEL: StepChannel = StepChannel {
    channel: Channel::ros2("/linkwork/state", "linkwork_msgs/msg/State", SCHEMA),
    encode,
};

const SCHEMA: &str = "\
# State of the bodies after a step. SI units and radians, world frame; bodies and joint coordinates in
# the order of the attachment model.json.
uint64 step            # steps since the start of the run
float64 time           # s
float64 dt             # s, length of the (last sub-)step that led here
float64[] poses        # 7 per body: centre of mass x y z (m), rotation qx qy qz qw
float64[] twists       # 6 a body: velocity of the centre of mass (m/s), angular velocity (rad/s)
float64[] coordinates  # joint coordinates (m, rad), angles over whole turns
float64[] net_forces   # 6 a body: rate of change of momentum (N), and about the centre of mass (N m)
float64[] signals      # controls and values of sensors, named in the entry 'signals' of the metadata
";

/// What this channel holds of a step.
pub(super) struct StateMessage {
    pub step: u64,
    pub dt: f64,
    pub state: State,
    pub net_forces: Vec<Wrench>,
    pub signals: Vec<f64>,
}

fn encode(record: &StepRecord, out: &mut Vec<u8>) {
    let state = &record.state;
    let mut e = Encoder::new(out);
    e.u64(record.step);
    e.f64(state.time);
    e.f64(record.dt);
    e.numbers(state.poses.iter().map(|p| {
        let ([x, y, z], [qx, qy, qz, qw]) = (p.position.into(), p.rotation.coords.into());
        [x, y, z, qx, qy, qz, qw]
    }));
    e.numbers(state.twists.iter().map(|t| join(&t.linear, &t.angular)));
    e.numbers(state.coordinates.iter().map(|q| [*q]));
    let forces = record.net_forces.iter();
    e.numbers(forces.map(|w| join(&w.force, &w.torque)));
    e.numbers(record.signals.iter().map(|x| [*x]));
}

/// Two vectors one after the other.
fn join(a: &Vec3, b: &Vec3) -> [f64; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}

pub(super) fn decode(message: &[u8], model: &Model) -> Result<StateMessage, MessageError> {
    let bodies = model.bodies().len();
    let mut d = Decoder::new(message)?;
    let (step, time, dt) = (d.u64()?, d.f64()?, d.f64()?);
    let poses = expect("poses", d.numbers()?, 7 * bodies)?;
    let twists = expect("twists", d.numbers()?, 6 * bodies)?;
    let coordinates = expect("coordinates", d.numbers()?, model.coordinate_count())?;
    let forces = expect("net_forces", d.numbers()?, 6 * bodies)?;
    // Recordings from versions without signals end here.
    let signals = if d.is_at_end() {
        Vec::new()
    } else {
        d.numbers()?
    };
    let pose = |x: &[f64]| {
        let quaternion = Quaternion::new(x[6], x[3], x[4], x[5]);
        // Unchanged: normalising again would change the last bits.
        Pose::new(vec3(x), Quat::new_unchecked(quaternion))
    };
    Ok(StateMessage {
        step,
        dt,
        state: State {
            time,
            poses: poses.chunks_exact(7).map(pose).collect(),
            twists: twists
                .chunks_exact(6)
                .map(|x| Twist::new(vec3(x), vec3(&x[3..])))
                .collect(),
            coordinates,
        },
        net_forces: forces
            .chunks_exact(6)
            .map(|x| Wrench::new(vec3(x), vec3(&x[3..])))
            .collect(),
        signals,
    })
}
