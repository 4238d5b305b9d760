//! Frames against the simulator they show.

mod common;

use common::Frame;
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{
    Anchor, BodyDef, BodyId, JointId, ModelBuilder, Tendon, TendonId, Waypoint, WrapForm,
};
use linkwork::{Run, Settings, Simulator, StepReport};
use linkwork_record::StepRecord;
use linkwork_scenes::scene;
use linkwork_view::frame::{Stamp, encode};
use linkwork_view::scalars::SCALARS;

/// A scene after some steps.
fn after(name: &str, set: &[(&str, f64)], steps: u64) -> (Run, StepReport) {
    let mut run = Run::of(scene(name, set).unwrap()).unwrap();
    let mut report = None;
    for _ in 0..steps {
        report = Some(run.step().unwrap());
    }
    (run, report.unwrap())
}

fn frame_of(run: &Run, step: u64, report: Option<&StepReport>, stamp: Stamp) -> Frame {
    let record = StepRecord::of(&run.moment(step, report));
    Frame::decode(&encode(run.simulator().model(), &record, stamp))
}

fn scalar(frame: &Frame, name: &str) -> f64 {
    frame.scalars[SCALARS.iter().position(|s| s.name() == name).unwrap()]
}

fn close(have: f32, want: f64) {
    assert!(
        (f64::from(have) - want).abs() <= 1e-6 * want.abs().max(1e-3),
        "{have} {want}"
    );
}

#[test]
fn scalars_are_those_of_the_protocol() {
    let names: Vec<&str> = SCALARS.iter().map(|s| s.name()).collect();
    let documented = "time, step, energy, kinetic, residual, residual_velocity, closure_linear, \
        closure_angular, limit_violation, penetration, iterations, factorizations, closure_passes, rows, \
        contacts, status, outcome, step_time, applied_work, closure_error";
    assert_eq!(names.join(", "), documented);
}

#[test]
fn a_mechanism_is_shown_as_it_is() {
    let (run, report) = after("fourbar_fixed", &[("drive", 1.0)], 200);
    let stamp = Stamp {
        index: 7,
        paused: true,
        ..Stamp::default()
    };
    let frame = frame_of(&run, 200, Some(&report), stamp);
    assert_eq!((frame.index, frame.flags), (7, 1));
    let (model, simulator) = (run.simulator().model(), run.simulator());
    // Velocities are those at the time of the poses.
    let state = &simulator.synchronised(run.control()).unwrap();
    assert_eq!(scalar(&frame, "time"), state.time);
    assert_eq!(scalar(&frame, "step"), 200.0);
    assert_eq!(scalar(&frame, "closure_linear"), report.closure_linear);
    assert_eq!(scalar(&frame, "status"), 0.0);
    assert_eq!(scalar(&frame, "rows"), report.rows as f64);
    assert_eq!(frame.coordinates, state.coordinates);
    let rates: Vec<f64> = (0..model.joints().len())
        .flat_map(|j| state.joint_velocities(model, JointId(j as u32)))
        .collect();
    assert_eq!(frame.rates, rates);
    assert!(
        (frame.rates[0] - 6.0).abs() < 0.5,
        "the crank turns at {}",
        frame.rates[0]
    );

    let efforts = simulator.coordinate_efforts();
    assert_eq!(
        frame.efforts[..6],
        [
            efforts[0].drive,
            efforts[0].limit,
            efforts[0].friction,
            efforts[0].passive,
            efforts[0].coupling,
            run.control().forces[0]
        ]
    );
    assert!(frame.efforts[0] != 0.0);
    for reaction in simulator.joint_reactions() {
        let own = &frame.joints[8 * reaction.joint.index()..][..8];
        (0..3).for_each(|i| close(own[i], reaction.force[i]));
        (0..3).for_each(|i| close(own[3 + i], reaction.torque[i]));
        let [linear, angular] = state.joint_residual(model, reaction.joint);
        assert_eq!((own[6], own[7]), (linear as f32, angular as f32));
    }
    for (b, pose) in state.poses.iter().enumerate() {
        let own = &frame.poses[7 * b..][..7];
        (0..3).for_each(|i| close(own[i], pose.position[i]));
        let q = pose.rotation;
        assert_eq!(own[3..], [q.i as f32, q.j as f32, q.k as f32, q.w as f32]);
        let net = simulator.net_force(BodyId(b as u32));
        (0..3).for_each(|i| close(frame.net[6 * b + i], net.force[i]));
    }
}

/// A box at rest sticks with its weight on its corners; one that slides slips, with the friction's share.
/// A cord from the ceiling over a peg to a weight: one straight piece, an arc, another straight piece.
#[test]
fn paths_of_tendons_are_drawn_as_segments() {
    let mut b = ModelBuilder::new();
    let ball = MassProperties::solid_sphere(1.0, 0.1).with_com(Vec3::new(0.0, 0.0, -0.3));
    let ball = b.add_body(BodyDef::new("ball", ball).at(1.0, 0.0, -1.0));
    let peg = Waypoint::Wrap {
        body: None,
        pose: Pose::at(0.5, 0.0, 0.5),
        form: WrapForm::Sphere,
        radius: 0.5,
        side: Some(Anchor::new(None, Vec3::new(0.5, 0.0, 5.0))),
    };
    let ends = [
        (None, Vec3::new(-1.0, 0.0, 0.0)),
        (Some(ball), Vec3::zeros()),
    ];
    let [from, to] = ends.map(|(body, at)| Waypoint::Point(Anchor::new(body, at)));
    b.add_tendon(Tendon::spatial("cord", [from, peg, to]));
    let model = b.build().unwrap();
    let simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let run = Run::new(simulator, None);
    let frame = frame_of(&run, 0, None, Stamp::default());
    let points: Vec<Vec3> = frame
        .cords
        .chunks_exact(3)
        .map(|p| Vec3::new(p[0].into(), p[1].into(), p[2].into()))
        .collect();
    let length: f64 = points.chunks_exact(2).map(|s| (s[1] - s[0]).norm()).sum();
    let exact = run.simulator().state().tendon_length(&model, TendonId(0));
    // Chords of an arc of up to 0.2 rad each.
    assert!(length < exact && length > exact - 2e-3, "{length} {exact}");
    assert_eq!(points[0], Vec3::new(-1.0, 0.0, 0.0));
    assert!((points[points.len() - 1] - Vec3::new(1.0, 0.0, -1.0)).norm() < 1e-6);
    for joint in points[1..points.len() - 1].chunks_exact(2) {
        assert_eq!(joint[0], joint[1], "the line is unbroken");
    }
}

#[test]
fn contacts_stick_slip_and_carry_the_weight() {
    for (speed, kind) in [(0.0, 1.0), (5.0, 2.0)] {
        let set = [("speed", speed), ("friction", 0.4), ("height", 0.0)];
        let (run, report) = after("box_on_plane", &set, 50);
        let frame = frame_of(&run, 50, Some(&report), Stamp::default());
        let model = run.simulator().model();
        let weight = 9.81 * model.bodies()[0].mass;
        assert_eq!(frame.contacts.len(), 12 * report.contacts);
        let contacts: Vec<&[f32]> = frame.contacts.chunks(12).collect();
        let lift: f32 = contacts.iter().map(|c| c[8].abs()).sum();
        assert!(
            (f64::from(lift) / weight - 1.0).abs() < 1e-3,
            "{lift} N against {weight} N"
        );
        for (contact, shapes) in contacts.iter().zip(frame.shapes.chunks(2)) {
            assert_eq!(contact[11], kind, "at speed {speed}");
            assert_eq!(contact[10], 0.4);
            assert!(contact[5].abs() > 0.999 && contact[9].abs() < 1e-3);
            let bodies: Vec<_> = shapes
                .iter()
                .map(|&s| model.shapes()[s as usize].body)
                .collect();
            assert!(bodies.contains(&None) && bodies.contains(&Some(BodyId(0))));
            if speed > 0.0 {
                let friction = contact[6].hypot(contact[7]) / contact[8].abs();
                assert!((friction - 0.4).abs() < 1e-3, "{friction}");
            }
        }
    }
}

#[test]
fn without_friction_a_contact_slips_and_without_load_it_is_open() {
    let (run, report) = after("box_on_plane", &[("friction", 0.0), ("height", 0.0)], 20);
    let frame = frame_of(&run, 20, Some(&report), Stamp::default());
    assert!(frame.contacts.chunks(12).count() > 0);
    assert!(frame.contacts.chunks(12).all(|c| c[11] == 2.0));
    // Nearly touching: within the margin, but without force.
    let (run, report) = after("box_on_plane", &[("height", 1e-3)], 1);
    let frame = frame_of(&run, 1, Some(&report), Stamp::default());
    assert!(
        frame
            .contacts
            .chunks(12)
            .all(|c| c[11] == 0.0 && c[9] > 0.0)
    );
}

#[test]
fn the_start_has_no_step_to_tell_of() {
    let run = Run::of(scene("nunchuk", &[]).unwrap()).unwrap();
    let frame = frame_of(
        &run,
        0,
        None,
        Stamp {
            jumped: true,
            ..Stamp::default()
        },
    );
    assert_eq!(frame.flags, 2);
    assert_eq!(scalar(&frame, "status"), -1.0);
    assert!(scalar(&frame, "residual").is_nan() && scalar(&frame, "iterations").is_nan());
    assert!(scalar(&frame, "energy").is_finite());
    assert!(frame.joints.iter().all(|x| x.abs() < 1e-9));
}

#[test]
fn the_force_of_a_pull_is_at_the_end() {
    let (run, report) = after("fourbar_fixed", &[], 10);
    let record = StepRecord::of(&run.moment(10, Some(&report)));
    let encoded = |pull| {
        let stamp = Stamp {
            pull,
            ..Stamp::default()
        };
        encode(run.simulator().model(), &record, stamp)
    };
    let (without, with) = (encoded(None), encoded(Some(Vec3::new(1.0, -2.0, 0.5))));
    assert_eq!(with.len(), without.len() + 12);
    assert_eq!((without[28], with[28]), (0, 32));
    let numbers = with[without.len()..].chunks(4);
    let force: Vec<f32> = numbers
        .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
        .collect();
    assert_eq!(force, [1.0, -2.0, 0.5]);
}
