//! A slider-crank with every joint spatial: one loop, three redundant rows.
//!
//! Crank r at φ, rod l at ψ, slider at (x, 0): l sin ψ = −r sin φ, x = r cos φ + l cos ψ, so
//! ψ̇ = −r cos φ φ̇ / (l cos ψ), ẋ = −r sin φ φ̇ − l sin ψ ψ̇. With l > r it is never singular.

use super::parts::{LINKS, Solid, cuboid};
use super::planar::{Point, bar, hinge, in_space, polar, turning};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Twist, Vec3};
use linkwork::model::{JointDef, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "slider_crank",
    summary: "crank, rod and slider with hinges and a slide to the world: a redundant spatial loop",
    params: &[
        Param::new(
            "speed",
            12.0,
            (-200.0, 200.0),
            "initial speed of the crank, rad/s",
        ),
        Param::new("angle", 1.0, (-6.3, 6.3), "initial angle of the crank, rad"),
    ],
    build,
};

const CRANK: f64 = 0.2;
const ROD: f64 = 0.5;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let (phi, phi_rate) = (p.get("angle"), p.get("speed"));
    let psi = (-CRANK * phi.sin() / ROD).asin();
    let psi_rate = -CRANK * phi.cos() * phi_rate / (ROD * psi.cos());
    let pivot = Point::zeros();
    let pin = polar(CRANK, phi);
    let end = pin + polar(ROD, psi);
    let pin_velocity = phi_rate * Point::new(-pin.y, pin.x);
    let end_velocity = Point::new(pin_velocity.x - ROD * psi.sin() * psi_rate, 0.0);

    let mut b = ModelBuilder::new();
    let crank = bar("crank", 0.5, &pivot, &pin, 0)
        .twist(Twist::new(
            in_space(&(0.5 * pin_velocity), 0),
            turning(phi_rate),
        ))
        .add(&mut b);
    let middle = 0.5 * (pin_velocity + end_velocity);
    let rod = bar("rod", 0.8, &pin, &end, 1)
        .twist(Twist::new(in_space(&middle, 0), turning(psi_rate)))
        .add(&mut b);
    let slider = Solid::new("slider", 1.0, cuboid(0.06, 0.04, 0.04))
        .at(end.x, 0.0, end.y)
        .twist(Twist::new(in_space(&end_velocity, 0), Vec3::zeros()))
        .group(LINKS)
        .add(&mut b);
    b.add_joint(hinge("main", None, crank, &pivot));
    b.add_joint(hinge("pin", crank, rod, &pin));
    b.add_joint(hinge("wrist", rod, slider, &end));
    b.add_joint(
        JointDef::prismatic("slide", None, slider)
            .anchor(end.x, 0.0, end.y)
            .axis(1.0, 0.0, 0.0),
    );
    Ok(Scene::new(b.build()?))
}
