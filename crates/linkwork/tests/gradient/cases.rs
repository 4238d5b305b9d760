//! Mechanisms, and random states of them.

use crate::compare::Random;
use linkwork::assemble::{project_velocities, set_joint_coordinates};
use linkwork::gradient::Parameter;
use linkwork::math::{MassProperties, Pose, Vec3, exp};
use linkwork::model::*;
use linkwork::{Control, FailurePolicy, Settings, State};
use linkwork_scenes::scene;
use std::sync::Arc;

/// Draws a state and a control.
type Draw = fn(&Arc<Model>, &mut Random) -> (State, Control);
/// Draws a direction in the tangent space of the states.
type DrawDirection = fn(&Arc<Model>, &State, &mut Random) -> Vec<f64>;

pub struct Case {
    pub model: Arc<Model>,
    pub settings: Settings,
    pub parameters: Vec<Parameter>,
    pub draw: Draw,
    pub direction: DrawDirection,
    /// A point is smooth if no block is nearer than this to doing something else, m/s or rad/s. Velocities of rigid contacts change
    /// by the stride over dt.
    pub smooth: f64,
}

pub fn case(name: &str) -> Case {
    let mut settings = Settings::with(|s| s.failure = FailurePolicy::Accept);
    settings.solve.tolerance = 1e-12;
    settings.closure.tolerance = 1e-13;
    // Directions that open joints close them within the step, which takes work.
    settings.closure.energy = 1e9;
    let (model, parameters, draw, direction): (_, _, Draw, DrawDirection) = match name {
        "pendulum" => (pendulum(), pendulum_parameters(), draw_pendulum, anywhere),
        "four-bar" => (
            four_bar(),
            four_bar_parameters(),
            draw_four_bar,
            along_joints,
        ),
        "box" => (cube(), surface_parameters(), draw_cube, anywhere),
        "ball" => (ball(), surface_parameters(), draw_ball, anywhere),
        "leg" => (leg(), leg_parameters(), draw_leg, along_joints),
        other => panic!("no case {other}"),
    };
    Case {
        smooth: if name == "leg" { 2e-2 } else { 1e-3 },
        model,
        settings,
        parameters,
        draw,
        direction,
    }
}

/// Two links on skew hinges, with drives, a spring, a damper and an armature.
fn pendulum() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let mass = |m: f64| MassProperties::principal(m, m * Vec3::new(0.02, 0.05, 0.06));
    let upper = b.add_body(BodyDef::new("upper", mass(2.0)).at(0.0, 0.0, -0.3));
    let lower = b.add_body(BodyDef::new("lower", mass(1.0)).at(0.0, 0.0, -0.8));
    let hinge = JointDef::revolute("shoulder", None, upper).axis(0.0, 0.96, 0.28);
    b.add_joint(hinge.drive(40.0, 3.0).armature(0.03));
    let hinge = JointDef::revolute("elbow", upper, lower);
    let hinge = hinge.anchor(0.0, 0.0, -0.6).axis(0.8, 0.6, 0.0);
    b.add_joint(hinge.spring(5.0, 0.4, 0.2));
    b.build().unwrap()
}

fn pendulum_parameters() -> Vec<Parameter> {
    let anchor = |joint, follower, axis| Parameter::Anchor {
        joint: JointId(joint),
        follower,
        axis,
    };
    let mut all = vec![
        Parameter::Force(1),
        Parameter::Target(0),
        Parameter::VelocityTarget(0),
        Parameter::Mass(BodyId(0)),
        Parameter::Mass(BodyId(1)),
    ];
    all.extend((0..6).map(|c| Parameter::Wrench(BodyId(1), c)));
    for axis in 0..3 {
        all.extend([
            anchor(0, true, axis),
            anchor(1, false, axis),
            anchor(1, true, axis),
        ]);
    }
    all
}

/// Joints at random angles, with velocities that they allow.
fn hung(model: &Arc<Model>, random: &mut Random, angle: f64, speed: f64) -> State {
    let mut state = model.initial_state();
    for (i, joint) in model.joints().iter().enumerate() {
        let q: Vec<f64> = joint.axes.iter().map(|_| angle * random.next()).collect();
        set_joint_coordinates(model, &mut state, JointId(i as u32), &q).unwrap();
    }
    for twist in &mut state.twists {
        (twist.linear, twist.angular) = (speed * random.vector(), 3.0 * speed * random.vector());
    }
    state = project_velocities(model, &state).state;
    state
}

fn draw_pendulum(model: &Arc<Model>, random: &mut Random) -> (State, Control) {
    let state = hung(model, random, 1.5, 1.0);
    (state, pushed(model, random))
}

/// Random targets, forces and wrenches.
fn pushed(model: &Arc<Model>, random: &mut Random) -> Control {
    let mut control = Control::new(model);
    for list in [
        &mut control.targets,
        &mut control.velocity_targets,
        &mut control.forces,
    ] {
        list.iter_mut().for_each(|x| *x += random.next());
    }
    for wrench in &mut control.wrenches {
        (wrench.force, wrench.torque) = (random.vector(), 0.1 * random.vector());
    }
    control
}

/// Any direction: joints may open, and close again at the end of the step.
fn anywhere(model: &Arc<Model>, _: &State, random: &mut Random) -> Vec<f64> {
    (0..12 * model.bodies().len())
        .map(|_| random.next())
        .collect()
}

/// Poses that move as the joints allow, since redundant ones cannot be closed from elsewhere; any twists.
fn along_joints(model: &Arc<Model>, state: &State, random: &mut Random) -> Vec<f64> {
    let mut moving = state.clone();
    for twist in &mut moving.twists {
        (twist.linear, twist.angular) = (random.vector(), random.vector());
    }
    moving = project_velocities(model, &moving).state;
    let mut direction = Vec::new();
    for twist in &moving.twists {
        direction.extend(twist.linear.iter().chain(twist.angular.iter()));
    }
    direction.extend((0..direction.len()).map(|_| random.next()));
    direction
}

fn four_bar() -> Arc<Model> {
    scene("fourbar_fixed", &[("drive", 1.0)]).unwrap().model
}

fn four_bar_parameters() -> Vec<Parameter> {
    let model = four_bar();
    let mut all = vec![
        Parameter::Force(1),
        Parameter::VelocityTarget(0),
        Parameter::Mass(BodyId(1)),
        Parameter::Mass(BodyId(2)),
    ];
    // Lengths of the bars, in the plane of the mechanism.
    for (i, joint) in model.joints().iter().enumerate() {
        if joint.axes.len() == 1 {
            all.push(Parameter::Anchor {
                joint: JointId(i as u32),
                follower: true,
                axis: 0,
            });
        }
    }
    all
}

fn draw_four_bar(model: &Arc<Model>, random: &mut Random) -> (State, Control) {
    let mut state = model.initial_state();
    let crank = model.joint_named("A").unwrap();
    let angle = state.joint_coordinates(model, crank)[0] + 0.4 * random.next();
    set_joint_coordinates(model, &mut state, crank, &[angle]).unwrap();
    for twist in &mut state.twists {
        (twist.linear, twist.angular) = (2.0 * random.vector(), 5.0 * random.vector());
    }
    state = project_velocities(model, &state).state;
    let mut control = Control::new(model);
    control.velocity_targets[0] = 5.0 * random.next();
    control.forces[1] = random.next();
    (state, control)
}

fn surface_parameters() -> Vec<Parameter> {
    let (floor, shape) = (ShapeId(0), ShapeId(1));
    let mut all = vec![
        Parameter::Friction(floor, shape),
        Parameter::Compliance(floor, shape),
        Parameter::Mass(BodyId(0)),
    ];
    all.extend((0..6).map(|c| Parameter::Wrench(BodyId(0), c)));
    all
}

/// A box on a stiff floor; on a rigid one its four corners would share the load in many ways.
fn cube() -> Arc<Model> {
    let half = Vec3::new(0.2, 0.15, 0.1);
    let mass = MassProperties::solid_box(1.0, half);
    on_floor(stiff(2e4), mass, Geometry::Box { half_extents: half })
}

fn stiff(stiffness: f64) -> Material {
    Material {
        compliance: Compliance::Physical {
            stiffness,
            dissipation_time: 0.02,
        },
        ..Material::with_friction(0.4)
    }
}

fn on_floor(material: Material, mass: MassProperties, geometry: Geometry) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(material));
    let body = b.add_body(BodyDef::new("body", mass).at(0.0, 0.0, 0.2));
    b.add_shape(body, ShapeDef::new(geometry).material(material));
    b.build().unwrap()
}

/// A box that lies flat, anywhere and turned about the vertical, and slides, spins or sticks.
fn draw_cube(model: &Arc<Model>, random: &mut Random) -> (State, Control) {
    let mut state = model.initial_state();
    let turn = exp(&Vec3::new(0.0, 0.0, 3.0 * random.next()));
    // Two to four times as deep as at rest.
    let depth = 3.7e-4 + 1.2e-4 * random.next();
    let place = Vec3::new(random.next(), random.next(), 0.1 - depth);
    state.poses[0] = Pose::new(place, turn);
    // Every third one is at rest, and held by friction.
    if random.next() > -0.33 {
        let spin = 2.0 * random.next();
        state.twists[0].linear = Vec3::new(random.next(), random.next(), 0.0);
        state.twists[0].angular = Vec3::new(0.0, 0.0, spin);
    }
    let mut control = Control::new(model);
    control.wrenches[0].force = random.vector();
    (state, control)
}

/// A ball on a compliant floor.
fn ball() -> Arc<Model> {
    let mass = MassProperties::solid_sphere(1.5, 0.2);
    on_floor(stiff(3e3), mass, Geometry::Sphere { radius: 0.2 })
}

/// In the air, sinking in, rolling or sliding.
fn draw_ball(model: &Arc<Model>, random: &mut Random) -> (State, Control) {
    let mut state = model.initial_state();
    let height = 0.2 - 1.5e-3 + 2e-3 * random.next();
    state.poses[0] = Pose::new(
        Vec3::new(random.next(), random.next(), height),
        exp(&random.vector()),
    );
    let v = Vec3::new(random.next(), random.next(), 0.3 * random.next());
    let rolling = Vec3::new(-v.y, v.x, 0.0) / 0.2;
    // Half of them roll, more or less; the others slide.
    let spin = match random.next() > 0.0 {
        true => rolling + 1e-3 * random.vector(),
        false => 5.0 * random.vector(),
    };
    (state.twists[0].linear, state.twists[0].angular) = (v, spin);
    (state, pushed(model, random))
}

/// A body on a vertical rail with a driven leg of two links, whose round foot stands on a rigid floor.
fn leg() -> Arc<Model> {
    let rough = Material::with_friction(0.6);
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(rough));
    let mass = |m: f64| MassProperties::principal(m, m * Vec3::new(0.02, 0.018, 0.01));
    let (hip, knee) = (0.63, 0.33);
    let trunk = b.add_body(BodyDef::new("trunk", mass(5.0)).at(0.0, 0.0, hip));
    let thigh = b.add_body(BodyDef::new("thigh", mass(1.0)).at(0.0, 0.0, 0.5 * (hip + knee)));
    let shank = b.add_body(BodyDef::new("shank", mass(0.6)).at(0.0, 0.0, 0.5 * knee));
    b.add_joint(JointDef::prismatic("rail", None, trunk).axis(0.0, 0.0, 1.0));
    let hinge = |name, base, body, z| {
        let joint: JointDef = JointDef::revolute(name, base, body);
        joint.anchor(0.0, 0.0, z).axis(0.0, 1.0, 0.0)
    };
    b.add_joint(hinge("hip", Some(trunk), thigh, hip).drive(200.0, 4.0));
    b.add_joint(
        hinge("knee", Some(thigh), shank, knee)
            .drive(200.0, 4.0)
            .effort_limit(20.0),
    );
    let foot = ShapeDef::new(Geometry::Sphere { radius: 0.03 });
    let foot = foot.pose(Pose::at(0.0, 0.0, 0.03 - 0.5 * knee));
    b.add_shape(shank, foot.material(rough));
    b.build().unwrap()
}

fn leg_parameters() -> Vec<Parameter> {
    let mut all = vec![
        Parameter::Friction(ShapeId(0), ShapeId(1)),
        Parameter::Target(1),
        Parameter::Target(2),
        Parameter::Force(1),
        Parameter::Mass(BodyId(0)),
        Parameter::Mass(BodyId(2)),
    ];
    for axis in [0, 2] {
        all.push(Parameter::Anchor {
            joint: JointId(2),
            follower: true,
            axis,
        });
    }
    all
}

/// The leg bent, its foot on the floor or just above it.
fn draw_leg(model: &Arc<Model>, random: &mut Random) -> (State, Control) {
    let mut state = model.initial_state();
    let angles = [0.4 * random.next(), 0.6 * random.next()];
    for (name, q) in ["hip", "knee"].into_iter().zip(angles) {
        let joint = model.joint_named(name).unwrap();
        set_joint_coordinates(model, &mut state, joint, &[q]).unwrap();
    }
    // Down to the floor, most of them.
    let foot = state.poses[2].transform_point(&Vec3::new(0.0, 0.0, 0.03 - 0.5 * 0.33));
    let gap = if random.next() > 0.6 { 5e-4 } else { 0.0 };
    for pose in &mut state.poses {
        pose.position.z -= foot.z - 0.03 - gap;
    }
    state.update_coordinates(model);
    if random.next() > -0.4 {
        for twist in &mut state.twists {
            (twist.linear, twist.angular) = (0.5 * random.vector(), random.vector());
        }
        state = project_velocities(model, &state).state;
    }
    let mut control = Control::new(model);
    control.targets[1] = angles[0] + 0.2 * random.next();
    control.targets[2] = angles[1] + 0.2 * random.next();
    control.forces[1] = random.next();
    (state, control)
}
