//! Random sequences of calls to builder, simulator, state and control, with numbers at the edges: never a panic, never a
//! number that is not finite in a state, and an error leaves no trace. `LINKWORK_PROPERTY_RUNS=100000` for more.

use linkwork::math::{MassProperties, Pose, Vec3, Wrench};
use linkwork::model::*;
use linkwork::{Control, FailurePolicy, Settings, Simulator, State, joints};
use std::sync::Arc;

/// Splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n.max(1)
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// Of ordinary size.
    fn plain(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Ordinary, but now and then at an edge.
    fn number(&mut self) -> f64 {
        const EDGES: [f64; 13] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            1e-300,
            5e-324,
            1e-9,
            1e9,
            1e300,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        if self.chance(400) {
            EDGES[self.below(EDGES.len())]
        } else {
            self.plain()
        }
    }

    fn size(&mut self) -> f64 {
        if self.chance(200) {
            self.number()
        } else {
            0.05 + 0.2 * self.plain().abs()
        }
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn pose(&mut self) -> Pose {
        let at = self.vector();
        Pose::at(at.x, at.y, at.z).rotated(self.vector())
    }

    /// An id that is mostly one of the model's.
    fn id(&mut self, count: usize) -> u32 {
        if self.chance(500) {
            u32::MAX - self.below(3) as u32
        } else {
            let beyond = usize::from(self.chance(300));
            self.below(count + beyond) as u32
        }
    }
}

fn geometry(r: &mut Random) -> Geometry {
    let (radius, half_length) = (r.size(), r.size());
    match r.below(10) {
        0 if r.chance(3) => Geometry::HalfSpace,
        1 => Geometry::Sphere { radius },
        2 => Geometry::Capsule {
            radius,
            half_length,
        },
        3 => Geometry::Cylinder {
            radius,
            half_length,
        },
        4 => Geometry::Cone {
            radius,
            half_length,
        },
        5 => Geometry::Ellipsoid {
            radii: Vec3::new(r.size(), r.size(), r.size()),
        },
        6 => Geometry::ConvexHull {
            points: Arc::new((0..4 + r.below(12)).map(|_| r.vector()).collect()),
        },
        7 if r.chance(3) => Geometry::TriangleMesh {
            vertices: Arc::new((0..r.below(8)).map(|_| r.vector()).collect()),
            triangles: Arc::new(
                (0..r.below(8))
                    .map(|_| [0; 3].map(|_: u32| r.id(7)))
                    .collect(),
            ),
        },
        8 => {
            let (nx, ny) = (r.below(5), r.below(5));
            let heights = nx * ny + usize::from(r.chance(20));
            Geometry::HeightField {
                nx: if r.chance(50) { usize::MAX } else { nx },
                ny,
                heights: Arc::new((0..heights).map(|_| 0.1 * r.number()).collect()),
                size: [r.size(), r.size()],
            }
        }
        _ => Geometry::Box {
            half_extents: Vec3::new(r.size(), r.size(), r.size()),
        },
    }
}

fn material(r: &mut Random) -> Material {
    let mut material = Material::with_friction(r.size());
    if r.chance(3) {
        material.restitution = r.size();
    }
    if r.chance(10) {
        material.compliance = Compliance::Physical {
            stiffness: 1e5 * r.size(),
            dissipation_time: r.size(),
        };
    }
    material
}

fn model(r: &mut Random) -> Result<Arc<Model>, ModelError> {
    let mut b = ModelBuilder::new();
    if r.chance(5) {
        b.gravity(r.vector() * 10.0);
    }
    let kinds = joints::all();
    let bodies = 1 + r.below(4);
    for k in 0..bodies {
        let mass = match r.below(3) {
            0 => MassProperties::solid_sphere(r.size(), r.size()),
            1 => MassProperties::solid_box(r.size(), Vec3::new(r.size(), r.size(), r.size())),
            _ => MassProperties::principal(r.size(), Vec3::repeat(r.size())),
        };
        let name = if r.chance(80) {
            "body0".to_owned()
        } else {
            format!("body{k}")
        };
        let mut body = BodyDef::new(name, mass).pose(r.pose());
        if r.chance(2) {
            body = body.twist(r.vector(), r.vector());
        }
        b.add_body(body);
    }
    let (mut joints, mut shapes) = (0, 0);
    for _ in 0..r.below(14) {
        match r.below(8) {
            0..=2 => {
                let base = (!r.chance(3)).then(|| BodyId(r.id(bodies)));
                let follower = BodyId(r.id(bodies));
                let kind = kinds[r.below(kinds.len())].clone();
                let mut joint = JointDef::of(format!("joint{joints}"), kind, base, follower);
                if r.chance(2) {
                    joint = joint.frame(r.pose());
                }
                if r.chance(4) {
                    joint = joint.axis(r.number(), r.number(), r.number());
                }
                for _ in 0..r.below(3) {
                    let most = if r.chance(20) { 9 } else { 1 };
                    let c = r.below(most);
                    let values = [r.number(), r.number(), r.size()];
                    let which = r.below(5);
                    joint = joint.with(c, |axis| match which {
                        0 => axis.limits = Some(Limits::new(values[0] - 0.5, values[1] + 0.5)),
                        1 => axis.friction = values[2],
                        2 => axis.armature = values[2],
                        3 => axis.spring.stiffness = 100.0 * values[2],
                        _ => {
                            axis.drive = Some(Drive {
                                stiffness: 100.0 * values[2],
                                damping: values[2],
                                effort_limit: Some(values[1].abs()),
                            });
                        }
                    });
                }
                b.add_joint(joint);
                joints += 1;
            }
            3 if joints > 0 => {
                let terms: Vec<_> = (0..r.below(3))
                    .map(|_| (JointId(r.id(joints)), r.below(2), r.number()))
                    .collect();
                b.add_coupling(Coupling::new(
                    format!("c{joints}{shapes}"),
                    &terms,
                    r.number(),
                ));
            }
            4 if joints > 0 => {
                let terms: Vec<_> = (0..r.below(3))
                    .map(|_| (JointId(r.id(joints)), r.below(2), r.number()))
                    .collect();
                let tendon = Tendon::new(format!("t{joints}{shapes}"), &terms);
                b.add_tendon(tendon.spring(r.size(), r.number(), r.size()));
            }
            5 => {
                b.exclude(BodyId(r.id(bodies)), BodyId(r.id(bodies)));
            }
            _ => {
                let body = (!r.chance(3)).then(|| BodyId(r.id(bodies)));
                let shape = ShapeDef::new(geometry(r)).material(material(r));
                b.add_shape(
                    body,
                    if r.chance(2) {
                        shape.pose(r.pose())
                    } else {
                        shape
                    },
                );
                shapes += 1;
            }
        }
    }
    b.build()
}

fn settings(r: &mut Random) -> Settings {
    let mut s = Settings::default();
    s.solve.max_iterations = [0, 1, 20, 200][r.below(4)];
    if r.chance(4) {
        s.dt = [1e-3, 1e-2, 1e-6, 0.0, -1.0, 1e300, f64::NAN][r.below(7)];
    }
    if r.chance(10) {
        s.solve.tolerance = r.number();
    }
    if r.chance(10) {
        s.contact.margin = r.number();
    }
    s.failure = [
        FailurePolicy::Accept,
        FailurePolicy::Error,
        FailurePolicy::Hold,
        FailurePolicy::Substep { depth: 3 },
    ][r.below(4)];
    s
}

fn control(r: &mut Random, model: &Model) -> Control {
    let mut control = Control::new(model);
    for (k, joint) in model.joints().iter().enumerate() {
        if !joint.axes.is_empty() && r.chance(2) {
            let id = JointId(k as u32);
            control.target(model, id, r.number());
            control.velocity_target(model, id, r.number());
            control.force(model, id, 10.0 * r.number());
        }
    }
    if r.chance(3) {
        let body = BodyId(r.below(model.bodies().len()) as u32);
        let (force, torque) = (r.vector(), r.vector());
        control.wrench(body, Wrench { force, torque });
    }
    if r.chance(30) {
        control.targets.pop();
        control.wrenches.push(Wrench::zero());
    }
    control
}

fn spoil(r: &mut Random, mut state: State) -> State {
    let body = r.below(state.poses.len());
    match r.below(6) {
        0 => state.poses[body] = r.pose(),
        1 => state.twists[body].linear = r.vector(),
        2 => state.twists[body].angular = r.vector() * 100.0,
        3 => state.time = r.number(),
        4 => drop(state.poses.pop()),
        _ => {
            let n = state.coordinates.len();
            if n > 0 {
                state.coordinates[r.below(n)] = r.number();
            }
        }
    }
    state
}

#[test]
fn random_calls_never_panic_and_errors_leave_no_trace() {
    let runs: u64 = std::env::var("LINKWORK_PROPERTY_RUNS").map_or(2000, |n| n.parse().unwrap());
    let (mut built, mut simulated, mut steps, mut refused) = (0, 0, 0, 0);
    for run in 0..runs {
        let r = &mut Random(run);
        // To go by if it panics.
        let seed = Seed(run);
        let Ok(model) = model(r) else {
            seed.done();
            continue;
        };
        built += 1;
        let Ok(mut sim) = Simulator::new(model.clone(), settings(r)) else {
            seed.done();
            continue;
        };
        simulated += 1;
        for _ in 0..r.below(20) {
            let before = sim.state().clone();
            match r.below(9) {
                0..=3 => match sim.step(&control(r, &model)) {
                    Ok(_) => steps += 1,
                    Err(_) => {
                        refused += 1;
                        assert_eq!(*sim.state(), before, "run {run}: an error left a trace");
                    }
                },
                4 => {
                    if sim.set_state(spoil(r, before.clone())).is_err() {
                        assert_eq!(*sim.state(), before, "run {run}: an error left a trace");
                    }
                }
                5 => {
                    let saved = sim.checkpoint(&control(r, &model));
                    if let Ok(again) = Simulator::resume(model.clone(), &saved) {
                        sim = again;
                    }
                }
                6 => {
                    sim.detect_contacts();
                    let _ = sim.synchronised(&control(r, &model));
                }
                7 => {
                    let _ = (
                        sim.joint_forces(),
                        sim.tendon_efforts(),
                        sim.contact_forces(),
                    );
                    for b in 0..model.bodies().len() {
                        sim.net_force(BodyId(b as u32));
                    }
                }
                _ => {
                    let state = sim.state();
                    for j in 0..model.joints().len() {
                        let id = JointId(j as u32);
                        let _ = (
                            state.joint_velocities(&model, id),
                            state.joint_residual(&model, id),
                        );
                    }
                    for t in 0..model.tendons().len() {
                        state.tendon_velocity(&model, TendonId(t as u32));
                    }
                }
            }
            assert!(
                sim.state().is_finite(),
                "run {run}: a number that is not finite"
            );
        }
        seed.done();
    }
    println!(
        "{built} of {runs} models built, {simulated} simulated, {steps} steps taken, {refused} refused"
    );
    assert!(built > runs / 10 && steps > runs / 2 && refused > 0);
}

/// Tells which run panicked.
struct Seed(u64);

impl Seed {
    fn done(self) {
        std::mem::forget(self);
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        eprintln!("in run {}", self.0);
    }
}
