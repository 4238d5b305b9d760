//! Numbers that make no sense are refused with an error that names them.

use linkwork::math::{MassProperties, Quat, Vec3, Wrench};
use linkwork::model::*;
use linkwork::*;
use std::sync::Arc;

fn driven_hinge() -> (Arc<Model>, JointId) {
    let mut b = ModelBuilder::new();
    let ball = MassProperties::solid_sphere(1.0, 0.1);
    let body = b.add_body(BodyDef::new("bob", ball).at(0.3, 0.0, 0.0));
    let hinge = JointDef::revolute("hinge", None, body).axis(0.0, 1.0, 0.0);
    let hinge = b.add_joint(hinge.drive(100.0, 1.0));
    let tendon = Tendon::new("cord", &[(hinge, 0, 1.0)]);
    b.add_tendon(tendon.drive(1.0, 0.1));
    (b.build().unwrap(), hinge)
}

#[test]
fn every_number_of_a_control_must_be_finite() {
    let (model, _) = driven_hinge();
    let mut sim = Simulator::new(model.clone(), Settings::default()).unwrap();
    let before = sim.state().clone();
    type Spoil = fn(&mut Control, f64);
    let spoils: [(&str, Spoil); 7] = [
        ("targets[0] of joint 'hinge'", |c, x| c.targets[0] = x),
        ("velocity_targets[0] of joint 'hinge'", |c, x| {
            c.velocity_targets[0] = x;
        }),
        ("forces[0] of joint 'hinge'", |c, x| c.forces[0] = x),
        ("tendon_targets[0] of tendon 'cord'", |c, x| {
            c.tendon_targets[0] = x;
        }),
        ("tendon_velocity_targets[0] of tendon 'cord'", |c, x| {
            c.tendon_velocity_targets[0] = x;
        }),
        ("tendon_forces[0] of tendon 'cord'", |c, x| {
            c.tendon_forces[0] = x;
        }),
        ("wrenches[0] of body 'bob'", |c, x| {
            c.wrenches[0] = Wrench::new(Vec3::zeros(), Vec3::new(0.0, x, 0.0));
        }),
    ];
    for (name, spoil) in spoils {
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut control = Control::new(&model);
            spoil(&mut control, x);
            let error = sim.step(&control).unwrap_err();
            let expected = StepError::Misfit(control.check(&model).unwrap_err());
            assert_eq!(error.to_string(), expected.to_string());
            assert!(error.to_string().contains(name), "{error}");
            assert!(sim.synchronised(&control).is_err());
            assert_eq!(*sim.state(), before);
        }
    }
}

#[test]
fn every_number_of_a_state_must_be_finite_and_quaternions_rotations() {
    let (model, _) = driven_hinge();
    let mut sim = Simulator::new(model.clone(), Settings::default()).unwrap();
    type Spoil = fn(&mut State, f64);
    let spoils: [(&str, Spoil); 5] = [
        ("the time", |s, x| s.time = x),
        ("joint 'hinge'", |s, x| s.coordinates[0] = x),
        ("body 'bob'", |s, x| s.poses[0].position.y = x),
        ("body 'bob'", |s, x| s.twists[0].angular.z = x),
        ("body 'bob'", |s, x| {
            let q = quaternion(x, 0.0);
            s.poses[0].rotation = q;
        }),
    ];
    for (name, spoil) in spoils {
        for x in [f64::NAN, f64::INFINITY] {
            let mut state = model.initial_state();
            spoil(&mut state, x);
            let error = sim.set_state(state).unwrap_err();
            assert!(matches!(error, SetupError::NotFinite { .. }), "{error}");
            assert!(error.to_string().contains(name), "{error}");
        }
    }
    for norm in [2.0, 0.5, 0.0, 1.0 + 1e-5] {
        let mut state = model.initial_state();
        state.poses[0].rotation = quaternion(norm, 0.0);
        let error = sim.set_state(state).unwrap_err();
        assert!(matches!(error, SetupError::Quaternion { .. }), "{error}");
        assert!(error.to_string().contains("'bob'"), "{error}");
    }
    sim.set_state(model.initial_state()).unwrap();
}

fn quaternion(w: f64, x: f64) -> Quat {
    let mut q = Quat::identity().into_inner();
    (q.w, q.i) = (w, x);
    Quat::new_unchecked(q)
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let (model, _) = driven_hinge();
    type Spoil = fn(&mut Settings, f64);
    let spoils: [(&str, Spoil); 13] = [
        ("dt", |s, x| s.dt = x),
        ("solve.tolerance", |s, x| s.solve.tolerance = x),
        ("closure.tolerance", |s, x| s.closure.tolerance = x),
        ("closure.energy", |s, x| s.closure.energy = x),
        ("stabilization.joints", |s, x| s.stabilization.joints = x),
        ("stabilization.limits", |s, x| s.stabilization.limits = x),
        ("stabilization.contacts", |s, x| {
            s.stabilization.contacts = x
        }),
        ("stabilization.slop", |s, x| s.stabilization.slop = x),
        ("contact.margin", |s, x| s.contact.margin = x),
        ("contact.limit_margin", |s, x| s.contact.limit_margin = x),
        ("contact.restitution_threshold", |s, x| {
            s.contact.restitution_threshold = x;
        }),
        ("contact.near_rigid", |s, x| s.contact.near_rigid = x),
        ("contact.stiction", |s, x| s.contact.stiction = x),
    ];
    let refused = |name: &str, settings: Settings| {
        let error = Simulator::new(model.clone(), settings).err().unwrap();
        assert!(matches!(error, SetupError::Setting { .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
    };
    for (name, spoil) in spoils {
        for x in [f64::NAN, f64::INFINITY, -1.0] {
            let mut settings = Settings::default();
            spoil(&mut settings, x);
            refused(name, settings);
        }
    }
    type Edit = fn(&mut Settings);
    let spoils: [(&str, Edit); 5] = [
        ("stabilization.max_depenetration_speed", |s| {
            s.stabilization.max_depenetration_speed = f64::NAN;
        }),
        ("stabilization.max_depenetration_speed", |s| {
            s.stabilization.max_depenetration_speed = -1.0;
        }),
        ("solve.max_iterations", |s| s.solve.max_iterations = 0),
        ("closure.max_passes", |s| s.closure.max_passes = 0),
        ("failure.substep.depth", |s| {
            s.failure = FailurePolicy::Substep { depth: 21 };
        }),
    ];
    for (name, spoil) in spoils {
        let mut settings = Settings::default();
        spoil(&mut settings);
        refused(name, settings);
    }
}

#[test]
fn places_beyond_a_million_kilometres_are_refused_by_name() {
    let ball = MassProperties::solid_sphere(1.0, 0.1);
    let refused = |body: f64, anchor: f64| {
        let mut b = ModelBuilder::new();
        let id = b.add_body(BodyDef::new("ball", ball).at(body, 0.0, 0.0));
        b.add_joint(JointDef::revolute("hinge", None, id).anchor(anchor, 0.0, 0.0));
        b.build().map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(refused(0.9e9, 0.9e9), Ok(()));
    // Squares of 1e308 overflow, and the decompositions of `check` did not end.
    assert!(refused(2e9, 0.0).unwrap_err().contains("body 'ball'"));
    assert!(refused(0.0, 1e308).unwrap_err().contains("joint 'hinge'"));
}

#[test]
fn a_model_of_too_many_elements_is_refused() {
    let mut b = ModelBuilder::new();
    let ball = MassProperties::solid_sphere(1.0, 0.1);
    let body = b.add_body(BodyDef::new("bob", ball));
    for _ in 0..=MAX_ELEMENTS {
        b.exclude(body, body);
    }
    let refused = b.build().err().unwrap();
    assert!(
        matches!(&refused, ModelError::TooMany { kind: "exclusions", most, .. } if *most == MAX_ELEMENTS),
        "{refused}"
    );
}

#[test]
fn a_shape_of_too_many_parts_is_refused_before_it_is_made_ready() {
    let mut b = ModelBuilder::new();
    let (nx, ny) = (2, MAX_SHAPE_PARTS / 2 + 1);
    let heights = Arc::new(vec![0.0; nx * ny]);
    let size = [1.0, 1.0];
    let field = Geometry::HeightField {
        nx,
        ny,
        heights,
        size,
    };
    b.add_shape(None, ShapeDef::new(field).name("ground"));
    let refused = b.build().err().unwrap().to_string();
    assert!(
        refused.contains("shape 'ground' has") && refused.contains("samples"),
        "{refused}"
    );
}
