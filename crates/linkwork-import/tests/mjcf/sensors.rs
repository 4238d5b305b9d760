//! Sensors of accelerations and forces, against statics, free fall and circular motion.

use crate::{import, near};
use linkwork::sensors::{LastStep, Sensor};
use linkwork::{Run, Settings, Simulator};
use linkwork_import::Imported;
use std::ops::ControlFlow;

const G: f64 = 9.81;

/// Values of all sensors after some steps of `dt` (s).
fn after(made: &Imported, steps: u64, dt: f64) -> Vec<Vec<f64>> {
    let model = &made.model;
    let settings = Settings::with(|s| s.dt = dt);
    let simulator = Simulator::new(model.clone(), settings).unwrap();
    let mut values = Vec::new();
    Run::new(simulator, None).steps(steps, |moment| {
        if moment.step == steps {
            let (state, _) = moment.synchronised();
            let last = LastStep::of(moment);
            let read = |s: &Sensor| model.read(s, &state, last.as_ref()).unwrap();
            values = model.sensors().iter().map(read).collect();
        }
        ControlFlow::Continue(())
    });
    values
}

fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    let apart = apart.fold(0.0, f64::max);
    assert!(
        found.len() == expected.len() && apart <= tolerance,
        "{found:?} {expected:?}"
    );
}

#[test]
fn an_accelerometer_reads_g_at_rest_and_nothing_in_free_fall() {
    // The first box stands on the floor, the second falls; x of its site points up.
    let made = import(
        "accelerometer",
        "<worldbody><geom type='plane' size='1 1 1'/>\
         <body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/>\
         <site name='rest' euler='0 -90 0'/></body>\
         <body pos='3 0 9'><freejoint/><geom type='box' size='.1 .2 .3'/><site name='fall' pos='.1 .1 .1'/></body>\
         </worldbody><sensor><accelerometer site='rest'/><framelinacc objtype='site' objname='rest'/>\
         <accelerometer site='fall'/></sensor>",
    );
    let values = after(&made, 20, 1e-3);
    close(&values[0], &[G, 0.0, 0.0], 1e-6);
    close(&values[1], &[0.0, 0.0, G], 1e-6);
    close(&values[2], &[0.0; 3], 1e-10);
}

#[test]
fn circular_motion_pulls_towards_the_axis() {
    let made = import(
        "centripetal",
        "<option gravity='0 0 0'/><worldbody><body><joint name='j' axis='0 0 1'/>\
         <geom type='box' size='.5 .1 .1' pos='.5 0 0'/><site name='s' pos='.8 0 0'/></body></worldbody>\
         <keyframe><key name='spin' qvel='3'/></keyframe>\
         <sensor><accelerometer site='s'/><frameangacc objtype='site' objname='s'/></sensor>",
    );
    let spinning = {
        let mechanism = &made.model;
        let state = mechanism.keyframe_state(&mechanism.keyframes()[0]);
        mechanism.starting(&state).unwrap()
    };
    let made = Imported {
        model: spinning,
        ..made
    };
    let values = after(&made, 100, 1e-3);
    // ω² r, up to the order of (ω dt)².
    close(&values[0], &[-9.0 * 0.8, 0.0, 0.0], 2e-5);
    close(&values[1], &[0.0; 3], 1e-6);
}

#[test]
fn a_cantilever_loads_its_root_with_weight_and_moment() {
    // Two links without joints: parts of the world here, but the cell is between them.
    let made = import(
        "cantilever",
        "<worldbody><body name='wall'><geom size='.1' mass='7'/><body name='beam' pos='1 0 0'>\
         <site name='root' euler='0 0 90'/>\
         <geom type='box' size='.5 .1 .1' pos='.5 0 0' mass='2'/><body pos='1 0 0'><geom size='.1' mass='3'/></body>\
         </body></body><body pos='9 0 0'><freejoint/><geom size='.1'/></body></worldbody>\
         <sensor><force site='root'/><torque site='root'/></sensor>",
    );
    let values = after(&made, 3, 1e-3);
    close(&values[0], &[0.0, 0.0, 5.0 * G], 1e-12);
    // −r × m g about −y of the world, which is −x of the site.
    let moment = G * (2.0 * 0.5 + 3.0 * 1.0);
    close(&values[1], &[-moment, 0.0, 0.0], 1e-9);
}

#[test]
fn a_load_cell_within_a_body_carries_what_is_beyond_it() {
    // A slide falls freely with the beam on it: the force is zero. Driven up at 4 g, everything weighs 4 g more.
    let cell = |force: f64| {
        let inside = "<worldbody><body name='sled'><joint name='j' type='slide' axis='0 0 1'/>\
             <geom size='.1' mass='1'/><body name='beam' pos='1 0 0'><site name='root'/><geom size='.1' mass='2' \
             pos='.5 0 0'/></body></body></worldbody><sensor><force site='root'/><torque site='root'/>\
             <jointactuatorfrc joint='j'/></sensor>";
        let made = import("cell", inside);
        let mechanism = &made.model;
        let simulator = Simulator::new(mechanism.clone(), Settings::default()).unwrap();
        let mut run = Run::new(simulator, None);
        run.control_mut().forces[0] = force;
        let mut values = Vec::new();
        run.steps(5, |moment| {
            let state = moment.simulator.state();
            if let Some(last) = LastStep::of(moment) {
                let read = |s: &Sensor| mechanism.read(s, state, Some(&last)).unwrap();
                values = mechanism.sensors().iter().map(read).collect();
            }
            ControlFlow::Continue(())
        });
        values
    };
    let falling = cell(0.0);
    close(&falling[0], &[0.0; 3], 1e-9);
    close(&falling[1], &[0.0; 3], 1e-9);
    let driven = cell(15.0 * G);
    close(&driven[0], &[0.0, 0.0, 2.0 * 5.0 * G], 1e-9);
    close(&driven[1], &[0.0, -0.5 * 2.0 * 5.0 * G, 0.0], 1e-9);
    close(&driven[2], &[15.0 * G], 1e-9);
}

#[test]
fn what_loops_and_contacts_carry_is_not_in_the_cell() {
    // Held by a loop's joint, the slide has no force; standing on the floor neither.
    let made = import(
        "bypass",
        "<worldbody><geom type='plane' size='1 1 1'/>\
         <body name='held' pos='0 0 5'><joint type='slide' axis='0 0 1'/><geom size='.1' mass='2'/><site name='a'/></body>\
         <body name='stands' pos='2 0 .1'><joint type='slide' axis='0 0 1'/><geom size='.1' mass='3'/><site name='b'/></body>\
         <body name='hangs' pos='4 0 5'><joint type='slide' axis='1 0 0'/><geom size='.1' mass='4'/><site name='c'/></body>\
         </worldbody><equality><connect body1='held' anchor='0 0 0'/></equality>\
         <sensor><force site='a'/><force site='b'/><force site='c'/></sensor>",
    );
    let values = after(&made, 20, 1e-3);
    close(&values[0], &[0.0; 3], 1e-6);
    close(&values[1], &[0.0; 3], 1e-6);
    close(&values[2], &[0.0, 0.0, 4.0 * G], 1e-6);
}

#[test]
fn touch_adds_the_normal_forces_in_its_volume() {
    // A box of 2 kg on its four corners; its volumes are all, the half x > 0, none (beside, and above: the ray from a
    // contact leads away from the body, so a volume inside the box that it leaves behind counts nothing).
    let made = import(
        "touch",
        "<worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/>\
         <geom type='box' size='.2 .2 .1' mass='2'/>\
         <site name='all' type='box' size='.3 .3 .05' pos='0 0 -.1'/>\
         <site name='half' type='box' size='.15 .3 .05' pos='.2 0 -.1'/>\
         <site name='ray' type='box' size='.3 .3 .05' pos='0 0 -.5'/>\
         <site name='above' type='box' size='.3 .3 .02' pos='0 0 .1'/></body></worldbody>\
         <sensor><touch site='all'/><touch site='half'/><touch site='ray'/><touch site='above'/>\
         <touch site='all' cutoff='3'/></sensor>",
    );
    let values = after(&made, 50, 1e-3);
    close(&values[0], &[2.0 * G], 1e-5);
    close(&values[1], &[G], 1e-5);
    close(&values[2], &[2.0 * G], 1e-5);
    close(&values[3], &[0.0], 0.0);
    close(&values[4], &[3.0], 0.0);
}

#[test]
fn frames_are_seen_from_others_and_fields_along_their_axes() {
    let made = import(
        "seen",
        "<option magnetic='1 2 3'/><worldbody><body name='a' pos='1 0 0' euler='0 0 90'><freejoint/>\
         <geom size='.1'/><site name='sa'/></body><body name='b' pos='1 2 0'><freejoint/><geom size='.1'/>\
         <site name='sb'/></body></worldbody><sensor><framepos objtype='site' objname='sb' reftype='site' refname='sa'/>\
         <framexaxis objtype='xbody' objname='b' reftype='xbody' refname='a'/>\
         <framelinvel objtype='site' objname='sb' reftype='site' refname='sa'/>\
         <frameangvel objtype='site' objname='sb' reftype='site' refname='sa'/>\
         <magnetometer site='sa'/><subtreelinvel body='b'/><subtreeangmom body='b'/></sensor>",
    );
    let mechanism = &made.model;
    let mut state = mechanism.initial_state();
    state.twists[0].angular.z = 2.0;
    state.twists[1].linear.x = 1.0;
    state.twists[1].angular.z = 5.0;
    let read = |i: usize| {
        mechanism
            .read(&mechanism.sensors()[i], &state, None)
            .unwrap()
    };
    // From a, whose x points along y of the world: b is 2 m ahead.
    assert!(near(&read(0), &[2.0, 0.0, 0.0]), "{:?}", read(0));
    assert!(near(&read(1), &[0.0, -1.0, 0.0]));
    // The point of a's frame at b moves with 2 rad/s · 2 m against x of the world.
    assert!(near(&read(2), &[0.0, -5.0, 0.0]), "{:?}", read(2));
    assert!(near(&read(3), &[0.0, 0.0, 3.0]));
    assert!(near(&read(4), &[2.0, -1.0, 3.0]), "{:?}", read(4));
    assert!(near(&read(5), &[1.0, 0.0, 0.0]));
    let inertia = 0.4 * mechanism.bodies()[1].mass * 0.01;
    assert!(near(&read(6), &[0.0, 0.0, 5.0 * inertia]));
}

#[test]
fn sensors_of_actuators_read_what_they_pull_on_and_how_hard() {
    // A servo k (u − l) with l = 3 q on a hinge without gravity that is held at 0.2 rad by nothing else; a motor on a
    // slider; two motors on one joint, of which only the sum is known.
    let made = import(
        "actuator_sensors",
        "<option gravity='0 0 0'/><worldbody><body><joint name='h' axis='0 0 1'/><geom size='.1' pos='.5 0 0'/></body>\
         <body pos='0 9 0'><joint name='s' type='slide' axis='1 0 0'/><geom size='.1'/></body>\
         <body pos='0 -9 0'><joint name='d'/><geom size='.1' pos='.5 0 0'/></body></worldbody>\
         <actuator><position name='p' joint='h' kp='7' gear='3'/><motor name='m' joint='s' gear='4'/>\
         <motor name='one' joint='d'/><motor name='two' joint='d'/></actuator>\
         <keyframe><key name='k' qpos='.2 .5 0' qvel='.3 .6 0'/></keyframe><sensor>\
         <actuatorpos actuator='p'/><actuatorvel actuator='p'/><actuatorpos actuator='m'/><actuatorvel actuator='m'/>\
         <actuatorfrc actuator='p'/><actuatorfrc actuator='m'/><actuatorfrc actuator='one'/></sensor>",
    );
    let mechanism = &made.model;
    assert_eq!(mechanism.sensors().len(), 6);
    let notices = made.notices.all().iter();
    let left_out = |n: &String| n.contains("1 sensor(s) of kind <actuatorfrc>");
    assert!(notices.map(|n| n.to_string()).any(|n| left_out(&n)));
    let state = mechanism.keyframe_state(&mechanism.keyframes()[0]);
    let read = |i: usize| mechanism.read(&mechanism.sensors()[i], &state, None);
    let places = [0, 1, 2, 3].map(|i| read(i).unwrap()[0]);
    assert!(near(&places, &[0.6, 0.9, 2.0, 2.4]), "{places:?}");
    assert_eq!(read(4), None, "only a step tells");
    let units: Vec<_> = mechanism
        .sensors()
        .iter()
        .map(|s| s.units(mechanism)[0])
        .collect();
    assert_eq!(units, ["rad", "rad/s", "m", "m/s", "N m", "N"]);

    let settings = Settings::with(|s| s.dt = 1e-5);
    let mut simulator = Simulator::new(mechanism.clone(), settings).unwrap();
    simulator.set_state(state.clone()).unwrap();
    let mut control = linkwork::Control::new(mechanism);
    mechanism.actuate(&[1.5, -2.0, 0.0, 0.0], &state, &mut control);
    simulator.step(&control).unwrap();
    let last = LastStep::of_simulator(&simulator, &control).unwrap();
    let force = |i: usize| {
        let values = mechanism.read(&mechanism.sensors()[i], simulator.state(), Some(&last));
        values.unwrap()[0]
    };
    // 7 (1.5 − 0.6), up to what the servo moves within the step.
    assert!((force(4) - 7.0 * 0.9).abs() < 1e-3, "{}", force(4));
    assert_eq!(force(5), -2.0);
}

#[test]
fn balls_and_ranges_are_read_from_the_state() {
    // A ball joint turned by a quarter about z and spinning about its own x; a site that looks down at the floor from 2 m,
    // past its own body, and one that looks up at nothing.
    let made = import(
        "balls_and_ranges",
        "<worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 2'><joint name='b' type='ball'/>\
         <geom size='.1'/><site name='down' euler='180 0 0'/><site name='up'/></body></worldbody>\
         <sensor><ballquat joint='b'/><ballangvel joint='b'/><rangefinder site='down'/><rangefinder site='up'/>\
         <rangefinder site='down' cutoff='1.5'/></sensor>\
         <keyframe><key qpos='.7071067811865476 0 0 .7071067811865476' qvel='2 0 0'/></keyframe>",
    );
    let mechanism = &made.model;
    let state = mechanism.keyframe_state(&mechanism.keyframes()[0]);
    let read = |i: usize| {
        mechanism
            .read(&mechanism.sensors()[i], &state, None)
            .unwrap()
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!(near(&read(0), &[half, 0.0, 0.0, half]), "{:?}", read(0));
    assert!(near(&read(1), &[2.0, 0.0, 0.0]), "{:?}", read(1));
    assert!(near(&read(2), &[2.0]), "{:?}", read(2));
    assert!(near(&read(3), &[-1.0]), "{:?}", read(3));
    assert!(near(&read(4), &[1.5]), "{:?}", read(4));
}
