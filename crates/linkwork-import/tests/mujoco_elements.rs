//! Balls with a range, muscles and mocap bodies compared with the `mujoco` package. Needs PyPI; prints a message and
//! passes without it.

mod common;

use linkwork::model::{JointId, Model};
use linkwork::sensors::LastStep;
use linkwork::{Control, Settings, Simulator};
use linkwork_import::{Options, load};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A thigh on a ball with a range, hanging with damping, and a shank whose weight turns it beyond.
const BALLS: &str = "<mujoco><compiler angle='degree'/><worldbody>\
    <body name='a' pos='0 0 1'><joint name='b' type='ball' range='0 40' damping='.5'/>\
    <geom type='capsule' fromto='0 0 0 .4 .1 .2' size='.03'/>\
    <body name='c' pos='.4 .1 .2'><joint type='ball' range='0 25' damping='.5'/>\
    <geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/></body></body></worldbody></mujoco>";

/// A muscle on a hinge by its scale, one along a cord by its force, one with smoothed dynamics and other curves.
const MUSCLES: &str = "<mujoco><option gravity='0 0 -2'/><worldbody>\
    <site name='anchor' pos='.05 0 1.2'/><body name='upper' pos='0 0 1'>\
    <joint name='s' axis='0 1 0' damping='.3' armature='.01'/>\
    <geom type='capsule' fromto='0 0 0 0 0 -.4' size='.03'/><site name='on' pos='.04 0 -.2'/>\
    <body name='lower' pos='0 0 -.4'><joint name='e' axis='0 1 0' damping='.3' armature='.01'/>\
    <geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02'/><site name='end' pos='.03 0 -.1'/></body>\
    </body></worldbody>\
    <tendon><spatial name='cord'><site site='anchor'/><site site='on'/><site site='end'/></spatial></tendon>\
    <actuator><muscle name='m' joint='s' lengthrange='-1.5 1.5' scale='20'/>\
    <muscle name='t' tendon='cord' lengthrange='.4 .9' force='30' range='.6 1.3'/>\
    <muscle name='f' joint='e' gear='-2' lengthrange='-3 2' force='4' tausmooth='.4' timeconst='.02 .07' \
     lmin='.4' lmax='1.7' vmax='1.1' fpmax='1.5' fvmax='1.4'/></actuator></mujoco>";

/// A load that a soft weld connects to a mocap body.
const MOCAP: &str = "<mujoco><worldbody><body name='hand' mocap='true' pos='0 0 1'/>\
    <body name='load' pos='.2 0 1'><freejoint/><geom type='box' size='.1 .05 .02' mass='.5'/></body></worldbody>\
    <equality><weld body1='hand' body2='load'/></equality></mujoco>";

/// Every kind of sensor of limits, energies, volumes, cameras and distances.
const SENSORS: &str = "<mujoco><compiler angle='radian'/><worldbody>\
    <body name='still' pos='.3 .2 2'><geom name='ball' size='.15' mass='5'/></body>\
    <geom name='floor' type='plane' size='2 2 1' pos='0 0 -1'/>\
    <site name='room' type='capsule' size='.25 .3' pos='.2 0 .9' euler='.3 .2 .1'/>\
    <site name='box' type='box' size='.3 .2 .25' pos='0 .05 .8' euler='.1 .5 .1'/>\
    <site name='tube' type='cylinder' size='.3 .4' pos='.2 .1 1' euler='.5 0 .1'/>\
    <site name='egg' type='ellipsoid' size='.3 .4 .2' pos='.2 .1 1' euler='.5 0 .1'/>\
    <body name='a' pos='0 0 .2'><joint name='b' type='ball' range='0 .4'/><geom size='.1' mass='2'/>\
    <body name='c' pos='0 0 .6'><joint name='h' axis='0 1 0' range='-.2 .1' armature='.3' stiffness='2' springref='.1'/>\
    <geom name='rod' type='capsule' size='.05 .2' pos='.2 0 0' mass='3'/><site name='s' pos='.1 0 .1'/>\
    <camera name='k' pos='0 -2 .3' xyaxes='1 .1 0 0 .1 1' fovy='60' resolution='640 480'/></body></body></worldbody>\
    <tendon><fixed name='t' range='-.1 .2' armature='.2'><joint joint='h' coef='-1.5'/></fixed></tendon>\
    <sensor><jointlimitpos name='1' joint='b'/><jointlimitvel name='2' joint='b'/><jointlimitpos name='3' joint='h'/>\
    <jointlimitvel name='4' joint='h'/><tendonlimitpos name='5' tendon='t'/><tendonlimitvel name='6' tendon='t'/>\
    <e_potential name='7'/><e_kinetic name='8'/><camprojection name='9' site='room' camera='k'/>\
    <framepos name='10' objtype='camera' objname='k'/><frameangvel name='11' objtype='camera' objname='k'/>\
    <insidesite name='12' site='room' objtype='geom' objname='rod'/><insidesite name='13' site='box' objtype='xbody' objname='c'/>\
    <insidesite name='14' site='tube' objtype='body' objname='c'/><insidesite name='15' site='egg' objtype='site' objname='s'/>\
    <distance name='16' geom1='rod' geom2='ball' cutoff='5'/><normal name='17' geom1='rod' geom2='ball' cutoff='5'/>\
    <fromto name='18' geom1='ball' geom2='rod' cutoff='5'/><distance name='19' geom1='floor' geom2='rod' cutoff='5'/>\
    <distance name='20' body1='a' body2='still' cutoff='5'/><fromto name='21' geom1='rod' geom2='ball' cutoff='.5'/>\
    <jointlimitfrc name='22' joint='h'/></sensor></mujoco>";

/// Round bodies overlapping the floor and each other, with contact sensors for all selections, reductions and values.
/// (For a box deep in the floor MuJoCo uses the first four corners, Linkwork those of the lowest face.)
const CONTACTS: &str = "<mujoco><worldbody><geom name='floor' type='plane' size='3 3 1'/>\
    <site name='room' type='box' size='.6 .3 .4' pos='.1 .05 .1'/>\
    <body name='a' pos='0 0 .2'><freejoint/><geom name='ball' size='.25' mass='1'/>\
    <body name='b' pos='.4 0 0'><joint axis='0 1 0'/><geom name='rod' type='capsule' size='.1 .2' mass='1'/></body></body>\
    <body name='c' pos='.1 .3 .25'><freejoint/><geom name='egg' size='.3' mass='1'/></body>\
    <body name='d' pos='-.4 -.3 .1'><freejoint/><geom name='pea' size='.15' mass='1'/></body>\
    </worldbody><sensor>\
    <contact name='1' geom1='ball' geom2='floor' data='found dist pos normal tangent'/>\
    <contact name='2' geom1='ball' geom2='egg' data='found dist pos normal tangent'/>\
    <contact name='3' geom2='ball' geom1='egg' data='found dist pos normal tangent'/>\
    <contact name='4' body1='b' data='found dist pos normal' reduce='mindist' num='2'/>\
    <contact name='5' subtree1='a' body2='c' data='found dist pos normal' reduce='mindist'/>\
    <contact name='6' site='room' data='found dist normal' reduce='mindist' num='3'/>\
    <contact name='7' body2='world' data='found'/>\
    <contact name='8' geom1='floor' geom2='rod' data='found dist pos' reduce='mindist' num='2'/>\
    <contact name='9' data='found dist' reduce='mindist'/>\
    <contact name='10' geom1='egg' geom2='floor' data='found pos' num='2'/></sensor></mujoco>";

/// A double pendulum that swings freely with load cells, and a box that comes to rest on the floor.
const FORCES: &str = "<mujoco><option integrator='RK4'/><worldbody><geom type='plane' size='3 3 1'/>\
    <body name='a' pos='0 0 2' euler='0 50 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.4' size='.03'/>\
    <site name='top'/><body name='b' pos='0 0 -.4' euler='0 40 0'><joint axis='0 1 0'/>\
    <geom type='capsule' fromto='0 0 0 0 0 -.3' size='.04'/><site name='mid'/><site name='tip' pos='.02 0 -.3' euler='10 20 30'/>\
    </body></body><body name='box' pos='2 0 .11'><freejoint/><geom type='box' size='.1 .15 .1' mass='1.5'/>\
    <site name='pad' type='box' size='.2 .2 .2'/></body></worldbody>\
    <sensor><force name='force top' site='top'/><torque name='torque top' site='top'/><force name='force mid' site='mid'/>\
    <torque name='torque mid' site='mid'/><accelerometer name='acceleration' site='tip'/>\
    <frameangacc name='spin' objtype='site' objname='tip'/><touch name='touch' site='pad'/>\
    <contact name='contacts' body1='box' data='found force torque pos' reduce='netforce'/></sensor></mujoco>";

#[derive(Deserialize)]
struct Facts {
    states: Vec<AtState>,
    moved: Ran,
    rest: Ran,
}

#[derive(Deserialize)]
struct AtState {
    turns: Vec<f64>,
    controls: Vec<f64>,
    activations: Vec<f64>,
    forces: Vec<f64>,
    rates: Vec<f64>,
    sensors: BTreeMap<String, Vec<f64>>,
}

#[derive(Deserialize)]
struct Ran {
    qpos: Vec<f64>,
    act: Vec<f64>,
    turns: Vec<f64>,
    xpos: Vec<[f64; 3]>,
    forces: BTreeMap<String, Vec<f64>>,
}

/// MuJoCo's values for a file, the model without states, soft, and the model with the random states.
fn both(name: &str, text: &str) -> Option<(Facts, Arc<Model>, Arc<Model>)> {
    let python = common::python::mujoco()?;
    let scratch = common::Folder::new();
    let file: PathBuf = scratch.path().join(format!("{name}.xml"));
    let states = scratch.path().join(format!("states_of_{name}.xml"));
    std::fs::write(&file, text).expect("written");
    let argument = format!("{}:{}", file.display(), states.display());
    let facts = common::python::run(&python, "mujoco_elements.py", &[argument]);
    let mut facts: Vec<Facts> = serde_json::from_value(facts).expect("facts");
    let options = Options::with(|s| s.soft = true);
    let plain = load(&file, &options).expect("it loads").model;
    let random = load(&states, &options).expect("it loads").model;
    Some((facts.remove(0), plain, random))
}

fn turns(model: &Model, state: &linkwork::State) -> Vec<f64> {
    let joints = model.joints().iter().enumerate();
    let turn = |(i, joint): (usize, &linkwork::model::Joint)| {
        joint.turn(state.joint_coordinates(model, JointId(i as u32)))
    };
    joints.filter_map(turn).collect()
}

fn apart(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    let pairs = ours.iter().zip(theirs);
    pairs.fold(0.0, |a: f64, (x, y)| a.max((x - y).abs()))
}

/// Run for `time` with all controls at 0.7.
fn run(model: &Arc<Model>, control: &mut Control, dt: f64, time: f64) -> Simulator {
    let settings = Settings::with(|s| s.dt = dt);
    let mut simulator = Simulator::new(model.clone(), settings).expect("settings");
    let controls = vec![0.7; model.actuators().len()];
    for _ in 0..(time / dt).round() as usize {
        simulator.step_actuated(&controls, control).expect("a step");
    }
    simulator
}

#[test]
fn balls_turn_as_far_as_in_mujoco() {
    let Some((facts, plain, random)) = both("balls", BALLS) else {
        return;
    };
    let mut worst = 0.0_f64;
    for (keyframe, theirs) in random.keyframes().iter().zip(&facts.states) {
        let state = random.keyframe_state(keyframe);
        worst = worst.max(apart(&turns(&random, &state), &theirs.turns));
    }
    assert!(worst < 1e-12, "{worst:e}");
    let simulator = run(&plain, &mut Control::new(&plain), 1e-3, 20.0);
    let rest = turns(&plain, simulator.state());
    let off = apart(&rest, &facts.rest.turns);
    println!("angles at 100 states: {worst:e} rad; at rest {rest:?}: {off:e} rad");
    assert!(rest[0] > 40f64.to_radians() && rest[1] > 25f64.to_radians());
    assert!(off < 1e-5, "{rest:?} for {:?}", facts.rest.turns);
}

#[test]
fn muscles_pull_as_in_mujoco() {
    let Some((facts, plain, random)) = both("muscles", MUSCLES) else {
        return;
    };
    let (mut worst, mut rates) = (0.0_f64, 0.0_f64);
    for (keyframe, theirs) in random.keyframes().iter().zip(&facts.states) {
        let state = random.keyframe_state(keyframe);
        for (i, actuator) in random.actuators().iter().enumerate() {
            // One at a time: forces of two on one coordinate add.
            let mut activations = vec![0.0; 3];
            activations[i] = theirs.activations[i];
            let pulls = |activations: &[f64]| {
                let mut control = Control::new(&random);
                random.actuate(activations, &state, &mut control);
                match &actuator.transmission {
                    linkwork::actuators::Transmission::Tendon { tendon, gear } => {
                        control.tendon_forces[tendon.index()] / gear
                    }
                    linkwork::actuators::Transmission::Coordinate {
                        joint,
                        coordinate,
                        gear,
                    } => control.forces[random.joint(*joint).first_coordinate + coordinate] / gear,
                    _ => panic!("muscles pull on joints and tendons"),
                }
            };
            worst = worst.max((pulls(&activations) - theirs.forces[i]).abs());
            let dynamics = actuator.dynamics.expect("muscles lag");
            let (a, u) = (theirs.activations[i], theirs.controls[i]);
            let lag = dynamics.muscle.expect("as muscles do");
            let tau = lag.time_constant(a, u, dynamics.time_constant.expect("given"));
            let rate = (u.clamp(0.0, 1.0) - a) / tau;
            rates = rates.max((rate - theirs.rates[i]).abs());
        }
    }
    println!("forces at 100 states: {worst:e} N; rates of activation: {rates:e} 1/s");
    assert!(worst < 1e-9, "{worst:e}");
    assert!(rates < 1e-9, "{rates:e}");

    // MuJoCo steps both by Euler's method: the difference is of first order in the step.
    let mut control = Control::new(&plain);
    let simulator = run(&plain, &mut control, 1e-4, 0.5);
    let off = apart(&simulator.state().coordinates, &facts.moved.qpos);
    let activations = &control.memory[1..4];
    let lag = apart(activations, &facts.moved.act);
    println!("after 0.5 s at 0.1 ms: {off:e} rad, activations {lag:e}");
    assert!(off < 1e-3 && lag < 1e-3, "{off:e}, {lag:e}");
}

#[test]
fn a_load_hangs_on_a_mocap_body_as_in_mujoco() {
    let Some((facts, plain, _)) = both("mocap", MOCAP) else {
        return;
    };
    let mut control = Control::new(&plain);
    let hand = plain.body_named("hand").expect("it is there");
    let place = linkwork::math::Pose::at(0.1, 0.0, 1.05);
    control.place(&plain, hand, &place).expect("moved");
    let simulator = run(&plain, &mut control, 1e-3, 20.0);
    for (body, theirs) in ["hand", "load"].iter().zip(&facts.rest.xpos) {
        let id = plain.body_named(body).expect("it is there");
        let frame = plain.body_frame(simulator.state(), id);
        let off = apart(frame.position.as_slice(), theirs);
        println!("{body}: {off:e} m");
        assert!(off < 1e-6, "{body}: {} for {theirs:?}", frame.position);
    }
}

/// The largest difference of each sensor that reads the state, over random states, and whether its values moved.
fn at_states(facts: &Facts, random: &Model) -> (Vec<f64>, Vec<bool>) {
    let count = random.sensors().len();
    let (mut worst, mut moved) = (vec![0.0_f64; count], vec![false; count]);
    for (keyframe, theirs) in random.keyframes().iter().zip(&facts.states) {
        let state = random.keyframe_state(keyframe);
        for (i, sensor) in random.sensors().iter().enumerate() {
            if sensor.needs_step() {
                continue;
            }
            let values = random.read(sensor, &state, None).expect("of the state");
            let expected = &theirs.sensors[&sensor.name];
            worst[i] = worst[i].max(apart(&values, expected));
            moved[i] |= *expected != facts.states[0].sensors[&sensor.name];
        }
    }
    (worst, moved)
}

#[test]
fn sensors_read_what_they_read_in_mujoco() {
    let Some((facts, _, random)) = both("sensors", SENSORS) else {
        return;
    };
    assert_eq!(random.sensors().len(), 22, "all are carried");
    let (worst, moved) = at_states(&facts, &random);
    println!("{worst:?}");
    assert!(moved[..19].iter().all(|m| *m), "{moved:?}");
    let greatest = worst.iter().copied().fold(0.0, f64::max);
    assert!(greatest < 1e-9, "{worst:?}");
}

#[test]
fn contact_sensors_read_what_they_read_in_mujoco() {
    let Some((facts, _, random)) = both("contacts", CONTACTS) else {
        return;
    };
    assert_eq!(random.sensors().len(), 10, "all are carried");
    let (worst, moved) = at_states(&facts, &random);
    println!("{worst:?}");
    assert!(moved.iter().all(|m| *m), "{moved:?}");
    let greatest = worst.iter().copied().fold(0.0, f64::max);
    assert!(greatest < 1e-9, "{worst:?}");
}

/// Both tell forces and accelerations of the start of the last step. With 0.1 ms MuJoCo's fourth-order swing is exact beside ours, whose error,
/// and whose means over the step, are of second order; the pad of the box carries its weight.
#[test]
fn force_sensors_read_what_they_read_in_mujoco_in_passive_motion() {
    let Some((facts, plain, _)) = both("forces", FORCES) else {
        return;
    };
    let mut control = Control::new(&plain);
    let simulator = run(&plain, &mut control, 1e-4, 0.5);
    let last = LastStep::of_simulator(&simulator, &control).expect("after steps");
    assert_eq!(plain.sensors().len(), 8);
    for sensor in plain.sensors() {
        let ours = plain
            .read(sensor, simulator.state(), Some(&last))
            .expect("after steps");
        let theirs = &facts.moved.forces[&sensor.name];
        let size = theirs.iter().fold(1.0, |a: f64, x| a.max(x.abs()));
        let off = apart(&ours, theirs) / size;
        println!("{}: {off:e} of {size}", sensor.name);
        // The box has not come to rest after 0.5 s in the soft floor: its weight to a thousandth.
        let rests = ["touch", "contacts"].contains(&sensor.name.as_str());
        let bound = if rests { 1e-3 } else { 1e-4 };
        assert!(off < bound, "{}: {ours:?} for {theirs:?}", sensor.name);
    }
}
