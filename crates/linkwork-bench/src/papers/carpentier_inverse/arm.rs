//! An arm that slides its round end on a wall: forward, back, and forward again.

use super::super::anitescu::build;
use crate::error::BenchError;
use linkwork::inverse::{Before, Inverse, InverseSettings};
use linkwork::math::{MassProperties, Pose, Twist, Vec3, exp};
use linkwork::model::{
    BodyDef, Geometry, JointDef, JointId, Material, Model, ModelBuilder, ShapeDef,
};
use linkwork::reactions::ContactForce;
use linkwork::rows::RowSource;
use linkwork::{Control, Settings, Simulator, State};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

const FRICTION: f64 = 0.4;
/// Radius of the end, m.
const TIP: f64 = 0.03;
/// Slower contacts are not counted as sliding, m/s.
const SLIDING: f64 = 1e-3;
/// Pressing forces, N: the start of Alg. 2, and the other requested force.
const PRESSING: [f64; 2] = [10.0, 20.0];
/// Damping of drives that exert a torque, N m s/rad. A force of the control would turn the bodies before the contact is
/// solved, which differs from a drive's at second order in the step.
const MOTOR: f64 = 1.0;
/// Ends of the links in the plane x, z of the posture, m, and their masses, kg: the lengths and masses of a UR5. The wrist has three.
const LINKS: [([f64; 2], f64); 6] = [
    ([0.0, 0.089], 3.7),
    ([0.2125, 0.457], 8.393),
    ([0.552, 0.261], 2.33),
    ([0.661, 0.261], 1.219),
    ([0.756, 0.261], 1.219),
    ([0.838, 0.261], 0.188),
];
/// Axes of the joints at the start of each link.
const AXES: [[f64; 3]; 6] = [
    [0.0, 0.0, 1.0],
    [0.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 0.0],
];

/// A step in which the end slides.
pub(super) struct Step {
    pub time: f64,
    pub friction: f64,
    /// Velocity of the contact (t₁, t₂, n), m/s.
    pub velocity: [f64; 3],
    /// Impulse at which Alg. 2 starts, N s.
    pub pressing: f64,
    /// Tangential and normal force, N.
    pub found: [f64; 2],
    pub acted: [f64; 2],
    /// Largest difference of a torque, N m, and of the contact force, N, from the forward run.
    pub torque_error: f64,
    pub contact_error: f64,
    /// Largest difference of a velocity, m/s or rad/s, of the motion made by the torques of the other pressing force, and the relative
    /// one of that force.
    pub motion_error: f64,
    pub pressed_error: f64,
}

/// A run.
pub(super) struct Slide {
    pub steps: Vec<Step>,
    pub largest_torque: f64,
    pub largest_contact: f64,
}

impl Slide {
    /// Run `steps` steps and invert those that slide.
    pub fn of(steps: usize) -> Result<Self, BenchError> {
        let mut settings = Settings::default();
        // The closure tolerance of joints corresponds to a velocity of 1e-8 m/s, and to more for short links: (4)
        // compares two forward steps.
        settings.closure.tolerance = 1e-14;
        settings.solve.tolerance = 1e-12;
        let (driven, bare) = (arm(true)?, arm(false)?);
        let mut simulator = Simulator::new(driven.clone(), settings.clone())?;
        let mut reference = Simulator::new(driven.clone(), settings.clone())?;
        let mut again = Simulator::new(bare.clone(), settings.clone())?;
        let mut inverse = Inverse::new(driven, &settings, InverseSettings::default())?;
        let mut freely = Inverse::new(bare, &settings, InverseSettings::default())?;
        let mut control = Control::new(simulator.model());
        let start = control.targets.clone();
        let mut states: Vec<State> = Vec::new();
        let mut slide = Self {
            steps: Vec::new(),
            largest_torque: 0.0,
            largest_contact: 0.0,
        };
        for i in 0..=steps {
            states.push(simulator.state().clone());
            let time = simulator.state().time;
            // Pressed into the wall, and moved back and forth along it.
            control.targets[0] = start[0] + 0.25 * (3.0 * time).sin();
            control.targets[1] = start[1] + 0.12;
            let kept = simulator.synchronised(&control)?;
            simulator.step(&control)?;
            let Some(velocity) = sliding(&simulator) else {
                continue;
            };
            if i < 2 || i % 5 != 0 {
                continue;
            }
            let acted = simulator.contact_forces();
            inverse.set_near(&acted);
            let (before, here) = (&states[i - 1], &states[i]);
            let found = inverse.forces(Before::State(before), here, simulator.state())?;
            let mut torque_error = 0.0_f64;
            for (acted, found) in simulator.coordinate_efforts().iter().zip(found.torques()) {
                slide.largest_torque = slide.largest_torque.max(acted.drive.abs());
                torque_error = torque_error.max((acted.drive - found).abs());
            }
            let dt = settings.dt;
            let (want, have) = (force(&acted, dt), force(&found.contacts, dt));
            slide.largest_contact = slide.largest_contact.max(want[1].hypot(want[0]));
            let pair = [&mut reference, &mut again];
            let other = another(&mut freely, pair, &kept, &control)?;
            slide.steps.push(Step {
                time,
                friction: FRICTION,
                velocity,
                pressing: dt * PRESSING[0],
                torque_error,
                contact_error: (want[0] - have[0]).hypot(want[1] - have[1]),
                found: have,
                acted: want,
                motion_error: other[0],
                pressed_error: other[1],
            });
        }
        Ok(slide)
    }
}

/// The motion of the drives from `start`, repeated with the torques of the other pressing force: the error of its
/// velocities, m/s or rad/s, and the relative error of the force.
fn another(
    inverse: &mut Inverse,
    [reference, bare]: [&mut Simulator; 2],
    start: &State,
    control: &Control,
) -> Result<[f64; 2], BenchError> {
    reference.set_state(start.clone())?;
    reference.step(control)?;
    let end = reference.state();
    let mut near = reference.contact_forces();
    for contact in &mut near {
        // The first kick is half a one.
        let duration = 0.5 * reference.settings().dt;
        contact.impulse = PRESSING[1] * duration * contact.contact.normal;
    }
    inverse.set_near(&near);
    let pressed = inverse.forces(Before::Start, start, end)?;
    let mut torques = Control::new(bare.model());
    // A motor exerts its damping times its velocity error in J u⁺, with J at the start of the step.
    let mut moving = start.clone();
    let u_plus = reference.solution().u_plus.chunks_exact(6);
    for (twist, u) in moving.twists.iter_mut().zip(u_plus) {
        *twist = Twist::new(Vec3::new(u[0], u[1], u[2]), Vec3::new(u[3], u[4], u[5]));
    }
    for (i, torque) in pressed.torques().enumerate() {
        let rate = moving.joint_velocities(bare.model(), JointId(i as u32))[0];
        torques.velocity_targets[i] = rate + torque / MOTOR;
    }
    bare.set_state(start.clone())?;
    bare.step(&torques)?;
    let twists = bare.state().twists.iter().zip(&end.twists);
    let motion = twists.fold(0.0, |m: f64, (a, b)| {
        let turn = (a.angular - b.angular).amax();
        m.max((a.linear - b.linear).amax()).max(turn)
    });
    let [want, have] = [&pressed.contacts, &bare.contact_forces()].map(|c| force(c, 1.0));
    let error = (want[0] - have[0]).hypot(want[1] - have[1]) / want[1].hypot(want[0]);
    Ok([motion, error])
}

/// Velocity (t₁, t₂, n) of the contact in the last step, m/s, if it slides under load.
fn sliding(simulator: &Simulator) -> Option<[f64; 3]> {
    let sources = simulator.row_sources().iter();
    let block = sources
        .enumerate()
        .find(|(_, source)| matches!(source, RowSource::Contact(_)))?
        .0;
    let rows = simulator.problem().sets.range(block);
    let (lambda, sigma) = (&simulator.solution().lambda, &simulator.solution().sigma);
    // Its normal component is the error within the tolerance, and 0 in the reference of the paper: divided by ρ it
    // would be an impulse.
    let velocity = [sigma[rows.start], sigma[rows.start + 1], 0.0];
    let slides = lambda[rows.end - 1] > 0.0 && velocity[0].hypot(velocity[1]) > SLIDING;
    slides.then_some(velocity)
}

/// Size of the tangential and of the normal force over `duration` (s), N.
fn force(contacts: &[ContactForce], duration: f64) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for c in contacts {
        let normal = c.impulse.dot(&c.contact.normal);
        sum[0] += (c.impulse - normal * c.contact.normal).norm() / duration;
        sum[1] += normal / duration;
    }
    sum
}

/// The arm, with servos or with motors that give a torque, its end at the wall.
fn arm(driven: bool) -> Result<Arc<Model>, BenchError> {
    let material = Material::with_friction(FRICTION);
    let mut b = ModelBuilder::new();
    let mut from = Vec3::zeros();
    let mut base = None;
    for (i, (([x, z], mass), [ax, ay, az])) in LINKS.into_iter().zip(AXES).enumerate() {
        let to = Vec3::new(x, 0.0, z);
        let along = to - from;
        let length = along.norm();
        let side = mass * length * length / 12.0;
        // A rod of 4 cm radius along x, turned to lie along the link.
        let rod = Vec3::new(0.5 * mass * 0.04 * 0.04, side + 1e-4, side + 1e-4);
        let turn = Vec3::new(0.0, -along.z.atan2(along.x), 0.0);
        let middle = 0.5 * (from + to);
        let body = BodyDef::new(format!("link{i}"), MassProperties::principal(mass, rod));
        let body = b.add_body(body.pose(Pose::new(middle, exp(&turn))));
        let joint = JointDef::revolute(format!("joint{i}"), base, body);
        let joint = joint.anchor(from.x, from.y, from.z).axis(ax, ay, az);
        let (stiffness, damping) = if driven { (400.0, 20.0) } else { (0.0, MOTOR) };
        b.add_joint(joint.drive(stiffness, damping));
        if i + 1 == LINKS.len() {
            let tip = Pose::new(Vec3::new(0.5 * length, 0.0, 0.0), exp(&Vec3::zeros()));
            let sphere = ShapeDef::new(Geometry::Sphere { radius: TIP });
            b.add_shape(body, sphere.pose(tip).material(material));
        }
        (base, from) = (Some(body), to);
    }
    let wall = Pose::new(
        Vec3::new(from.x + TIP, 0.0, 0.0),
        // Its outside faces the arm.
        exp(&Vec3::new(0.0, -FRAC_PI_2, 0.0)),
    );
    let wall = ShapeDef::new(Geometry::HalfSpace).pose(wall);
    b.add_shape(None, wall.material(material));
    build(b)
}
