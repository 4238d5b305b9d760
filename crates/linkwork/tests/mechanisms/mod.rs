//! Small mechanisms for tests, with links as thin boxes along the line between two points.

// Every test file compiles this module and uses its own part of it.
#![allow(dead_code)]

use linkwork::State;
use linkwork::joints::{MAX_ROWS, Row};
use linkwork::math::{MassProperties, Pose, Twist, Vec3, rotation_between};
use linkwork::model::{BodyDef, BodyId, Coupling, JointDef, JointId, Model, ModelBuilder};
use std::sync::Arc;

/// Axis of all hinges of the planar mechanisms, which lie in the plane y = 0.
pub const Y: Vec3 = Vec3::new(0.0, 1.0, 0.0);

/// A point of the plane y = 0.
pub fn at(x: f64, z: f64) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

/// A 1 kg link from `a` to `b`, its frame in the middle with x along it.
pub fn link(b: &mut ModelBuilder, name: &str, from: Vec3, to: Vec3) -> BodyId {
    let (middle, along) = (0.5 * (from + to), to - from);
    let half = Vec3::new(0.5 * along.norm(), 0.02, 0.02);
    let turn = rotation_between(&Vec3::x(), &along.normalize());
    let body = BodyDef::new(name, MassProperties::solid_box(1.0, half));
    b.add_body(body.pose(Pose::new(middle, turn)))
}

/// Put a joint at a point, with an axis.
pub fn place(joint: JointDef, p: Vec3, axis: Vec3) -> JointDef {
    let a = axis.normalize();
    joint.anchor(p.x, p.y, p.z).axis(a.x, a.y, a.z)
}

/// A hinge.
pub fn hinge(
    b: &mut ModelBuilder,
    name: &str,
    base: Option<BodyId>,
    follower: BodyId,
    p: Vec3,
    axis: Vec3,
) -> JointId {
    b.add_joint(place(JointDef::revolute(name, base, follower), p, axis))
}

/// Corners of the planar four-bar: crank AB, coupler BC, rocker CD, ground DA.
pub fn corners() -> [Vec3; 4] {
    [at(0.0, 0.0), at(0.3, 0.4), at(1.2, 0.7), at(1.0, 0.0)]
}

/// Four hinged links through `points`, the last one welded to the world; returns hinge A.
pub fn add_four_bar(b: &mut ModelBuilder, name: &str, points: [Vec3; 4]) -> JointId {
    let [pa, pb, pc, pd] = points;
    let named = |part: &str| format!("{name}{part}");
    let ground = link(b, &named("ground"), pa, pd);
    let crank = link(b, &named("crank"), pa, pb);
    let coupler = link(b, &named("coupler"), pb, pc);
    let rocker = link(b, &named("rocker"), pc, pd);
    b.add_joint(JointDef::fixed(named("base"), None, ground));
    let first = hinge(b, &named("A"), Some(ground), crank, pa, Y);
    hinge(b, &named("B"), Some(crank), coupler, pb, Y);
    hinge(b, &named("C"), Some(coupler), rocker, pc, Y);
    hinge(b, &named("D"), Some(rocker), ground, pd, Y);
    first
}

/// One planar four-bar.
pub fn four_bar() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    add_four_bar(&mut b, "", corners());
    b.build().expect("a valid model")
}

/// Two planar four-bars with cranks geared 1 : 1; `couplings` equal couplings.
pub fn coupled_four_bars(couplings: usize) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let first = add_four_bar(&mut b, "1", corners());
    let second = add_four_bar(&mut b, "2", corners().map(|p| p + at(3.0, 0.0)));
    for i in 0..couplings {
        b.add_coupling(Coupling::mimic(format!("gear{i}"), second, first, 1.0, 0.0));
    }
    b.build().expect("a valid model")
}

/// Crank, rod and slider along x; the world is the ground.
pub fn slider_crank() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let [pa, pb, pc] = [at(0.0, 0.0), at(0.2, 0.35), at(1.3, 0.0)];
    let crank = link(&mut b, "crank", pa, pb);
    let rod = link(&mut b, "rod", pb, pc);
    let slider = link(&mut b, "slider", pc - at(0.1, 0.0), pc + at(0.1, 0.0));
    hinge(&mut b, "A", None, crank, pa, Y);
    hinge(&mut b, "B", Some(crank), rod, pb, Y);
    hinge(&mut b, "C", Some(rod), slider, pc, Y);
    b.add_joint(place(
        JointDef::prismatic("slide", None, slider),
        pc,
        Vec3::x(),
    ));
    b.build().expect("a valid model")
}

/// Spatial linkage R-S-S-R, or R-S-U-R: hinged crank and rocker with a rod on ball (cross) ends.
pub fn rssr(cross: bool) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let [pa, pb] = [Vec3::zeros(), Vec3::new(0.0, 0.25, 0.3)];
    let [pc, pd] = [Vec3::new(1.0, 0.2, 0.8), Vec3::new(1.1, 0.2, 0.0)];
    let crank = link(&mut b, "crank", pa, pb);
    let rod = link(&mut b, "rod", pb, pc);
    let rocker = link(&mut b, "rocker", pc, pd);
    hinge(&mut b, "A", None, crank, pa, Vec3::x());
    b.add_joint(JointDef::spherical("B", crank, rod).anchor(pb.x, pb.y, pb.z));
    let end = if cross {
        JointDef::new("C", linkwork::joints::Universal, rod, rocker)
    } else {
        JointDef::spherical("C", rod, rocker)
    };
    b.add_joint(end.anchor(pc.x, pc.y, pc.z));
    hinge(&mut b, "D", None, rocker, pd, Y);
    b.build().expect("a valid model")
}

/// A pendulum of `n` hinged links of 0.5 m hanging from the world.
pub fn chain(n: usize) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let mut above = None;
    for i in 0..n {
        let z = -0.5 * i as f64;
        let body = link(&mut b, &format!("link{i}"), at(0.0, z), at(0.0, z - 0.5));
        hinge(&mut b, &format!("hinge{i}"), above, body, at(0.0, z), Y);
        above = Some(body);
    }
    b.build().expect("a valid model")
}

/// Two wheels on parallel hinges, geared 17 : 34.
pub fn geared_wheels() -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let mut wheel = |name: &str, x: f64, radius: f64| {
        let mass = MassProperties::solid_cylinder(1.0, radius, 0.05);
        let body = b.add_body(BodyDef::new(name, mass).at(x, 0.0, 0.0));
        hinge(
            &mut b,
            &format!("{name} hinge"),
            None,
            body,
            at(x, 0.0),
            Vec3::z(),
        )
    };
    let (first, second) = (wheel("pinion", 0.0, 0.2), wheel("gear", 0.6, 0.4));
    b.add_coupling(Coupling::gear("mesh", first, 17.0, second, 34.0));
    b.build().unwrap()
}

/// Marsaglia's xorshift64*: small, and the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// Uniform in [−bound, bound].
    pub fn symmetric(&mut self, bound: f64) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        bound * (2.0 * bits as f64 / (1u64 << 53) as f64 - 1.0)
    }

    /// Uniform in the ball of the given radius.
    pub fn ball(&mut self, radius: f64) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.symmetric(radius));
            if v.norm() <= radius {
                return v;
            }
        }
    }

    /// Velocities of up to 1 m/s and 1 rad/s for all bodies.
    pub fn twists(&mut self, state: &mut State) {
        for twist in &mut state.twists {
            *twist = Twist::new(self.ball(1.0), self.ball(1.0));
        }
    }
}

/// Largest residual of joints and couplings, m or rad, computed from the poses alone.
pub fn residual(model: &Model, state: &State) -> f64 {
    let mut rows = [Row::ZERO; MAX_ROWS];
    let mut worst = 0.0f64;
    for joint in model.joints() {
        let dim = joint.kind.locked().len();
        let relative = state.placement(joint).relative;
        let turns = &state.coordinates[joint.first_coordinate..];
        joint.kind.constrain(&relative, turns, &mut rows[..dim]);
        worst = rows[..dim].iter().fold(worst, |w, r| w.max(r.value.abs()));
    }
    for coupling in model.couplings() {
        let error = coupling.residual(|t| state.joint_coordinates(model, t.joint)[t.coordinate]);
        worst = worst.max(error.abs());
    }
    worst
}

/// Largest rate (m/s, rad/s) of a joint residual, by the joints' own rows.
pub fn closure_rate(model: &Model, state: &State) -> f64 {
    let mut rows = [Row::ZERO; MAX_ROWS];
    let mut worst = 0.0f64;
    for joint in model.joints() {
        let dim = joint.kind.locked().len();
        let place = state.placement(joint);
        let turns = &state.coordinates[joint.first_coordinate..];
        joint
            .kind
            .constrain(&place.relative, turns, &mut rows[..dim]);
        for row in &rows[..dim] {
            let (b, f) = place.jacobian(row);
            let rate = |j: &[f64; 6], t: &Twist| {
                (0..3)
                    .map(|i| j[i] * t.linear[i] + j[i + 3] * t.angular[i])
                    .sum::<f64>()
            };
            let base = joint
                .base
                .map_or(0.0, |id| rate(&b, &state.twists[id.index()]));
            worst = worst.max((base + rate(&f, &state.twists[joint.follower.index()])).abs());
        }
    }
    worst
}
