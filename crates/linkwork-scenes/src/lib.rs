//! Built-in mechanisms, shared by tests, benchmarks, viewer, command line and Python. One file per scene;
//! one line in [`all_scenes`].

mod arm7;
mod ball;
mod biped14;
mod bowl;
mod box_on_plane;
mod boxes_fixed;
mod clutter;
mod coupled_fourbars;
mod dominoes;
mod dual_arm;
mod figure;
mod figure22;
mod figure38;
mod figure54;
mod fourbar;
mod fourbar_fixed;
mod fourbar_free;
mod free_body;
mod gear_train;
mod grasp;
mod heap;
mod humanoid20;
mod mixed;
mod nunchuk;
mod params;
mod parts;
mod pendulum;
mod planar;
mod pyramid;
mod quadruped;
mod robot;
mod slider_crank;
mod spinning_top;
mod stack;
mod walker31;
mod wall;

pub use dual_arm::{BOWL_HEIGHT, BOWL_RADIUS, DUAL_ARM_STAGES};
pub use heap::{HEAP_HALF_WIDTH, heap_body};
pub use params::{Param, Params, SceneError};

use linkwork::Scene;

/// A scene that can be selected by name.
pub struct SceneEntry {
    /// Unique name.
    pub name: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// Its parameters with their defaults.
    pub params: &'static [Param],
    /// Build it.
    pub build: fn(&Params) -> Result<Scene, SceneError>,
}

/// Every built-in scene.
pub fn all_scenes() -> &'static [SceneEntry] {
    &[
        box_on_plane::ENTRY,
        boxes_fixed::ENTRY,
        nunchuk::ENTRY,
        fourbar_fixed::ENTRY,
        fourbar_free::ENTRY,
        arm7::ENTRY,
        quadruped::ENTRY,
        biped14::ENTRY,
        humanoid20::ENTRY,
        figure22::ENTRY,
        walker31::ENTRY,
        figure38::ENTRY,
        figure54::ENTRY,
        pendulum::ENTRY,
        slider_crank::ENTRY,
        coupled_fourbars::ENTRY,
        gear_train::ENTRY,
        heap::ENTRY,
        spinning_top::ENTRY,
        grasp::ENTRY,
        dual_arm::ENTRY,
        free_body::ENTRY,
        ball::ENTRY,
        stack::ENTRY,
        clutter::ENTRY,
        bowl::ENTRY,
        pyramid::ENTRY,
        dominoes::ENTRY,
        wall::ENTRY,
    ]
}

/// Build the scene called `name` with some parameters set.
pub fn scene(name: &str, set: &[(&str, f64)]) -> Result<Scene, SceneError> {
    let entry = all_scenes()
        .iter()
        .find(|e| e.name == name)
        .ok_or_else(|| SceneError::unknown_scene(name))?;
    (entry.build)(&Params::new(entry, set)?)
}
