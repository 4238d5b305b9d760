//! A free box spinning about its middle axis, which is unstable (Dzhanibekov's wing nut).

use super::parts::{Solid, cuboid};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Twist, Vec3};
use linkwork::model::ModelBuilder;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "free_body",
    summary: "a weightless box spinning about its middle axis, slightly disturbed: it flips over",
    params: &[
        Param::new(
            "spin",
            5.0,
            (-1000.0, 1000.0),
            "angular speed about the middle axis, rad/s",
        ),
        Param::new(
            "disturbance",
            1e-3,
            (0.0, 1.0),
            "share of it about the other axes",
        ),
    ],
    build,
};

fn build(p: &Params) -> Result<Scene, SceneError> {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let e = p.get("disturbance");
    let angular = p.get("spin") * Vec3::new(e, 1.0, e);
    // Moments (0.05, 0.10, 0.13) · m/3: y is the middle axis.
    Solid::new("box", 1.0, cuboid(0.3, 0.2, 0.1))
        .at(0.0, 0.0, 0.5)
        .twist(Twist::new(Vec3::zeros(), angular))
        .add(&mut b);
    Ok(Scene::new(b.build()?))
}
