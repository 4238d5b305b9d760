//! The thirteen systems of the suite [Tsounis Table II], under our own names.

use crate::error::BenchError;
use Category::{Animatronic, Primitive, Robot};
use linkwork::Scene;
use linkwork_scenes::{SceneError, scene};

/// What a system is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// A few bodies, one difficulty each.
    Primitive,
    /// A robot: a tree of driven joints.
    Robot,
    /// A figure or walker with closed linkages.
    Animatronic,
}

impl Category {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Primitive => "primitives",
            Robot => "robots",
            Animatronic => "animatronics",
        }
    }
}

/// A system of the suite, and the size Table II gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct System {
    /// Name of the scene.
    pub name: &'static str,
    /// Name of the system in the paper.
    pub paper: &'static str,
    /// What it is.
    pub category: Category,
    /// Bolted to the world.
    pub fixed: bool,
    /// Bodies.
    pub bodies: usize,
    /// Joints, one to the world included where there is one.
    pub joints: usize,
    /// Rows the joints lock.
    pub rows: usize,
    /// Independent loops of the graph of bodies and joints.
    pub loops: usize,
    /// Heaviest body over lightest.
    pub mass_ratio: f64,
    /// Joint coordinates with a drive.
    pub actuated: usize,
    /// Parameters of the scene that differ from its defaults.
    pub set: &'static [(&'static str, f64)],
}

impl System {
    /// The scene, ready to run.
    pub fn scene(&self) -> Result<Scene, SceneError> {
        scene(self.name, self.set)
    }

    const fn with(self, set: &'static [(&'static str, f64)]) -> Self {
        Self { set, ..self }
    }
}

#[rustfmt::skip]
const fn system_of(
    name: &'static str, paper: &'static str, category: Category, fixed: bool,
    [bodies, joints, rows, loops]: [usize; 4], mass_ratio: f64, actuated: usize,
) -> System {
    System { name, paper, category, fixed, bodies, joints, rows, loops, mass_ratio, actuated, set: &[] }
}

/// The scenes of four-bars are passive by default; those of the suite have a driven crank.
const DRIVEN: &[(&str, f64)] = &[("drive", 1.0)];

/// The suite, in the order of the paper. The paper counts Arm7D's base apart from its 7 joints; here
/// it is one of 8.
#[rustfmt::skip]
pub const SYSTEMS: [System; 13] = [
    system_of("box_on_plane", "Box-on-Plane", Primitive, false, [1, 0, 0, 0], 1.0, 0),
    system_of("boxes_fixed", "Boxes-Fixed", Primitive, false, [2, 1, 6, 0], 1000.0, 0),
    system_of("nunchuk", "Nunchuk", Primitive, false, [3, 2, 6, 0], 1.0, 0),
    system_of("fourbar_fixed", "Fourbar (fixed)", Primitive, true, [4, 5, 26, 1], 1.0, 1).with(DRIVEN),
    system_of("fourbar_free", "Fourbar (free)", Primitive, false, [4, 4, 20, 1], 1.0, 1).with(DRIVEN),
    system_of("arm7", "Arm7D", Robot, true, [8, 8, 41, 0], 19.54, 7),
    system_of("quadruped", "Quadruped", Robot, false, [13, 12, 60, 0], 29.07, 12),
    system_of("biped14", "BDX", Robot, false, [15, 14, 70, 0], 42.49, 14),
    system_of("humanoid20", "LIMA", Robot, false, [21, 20, 100, 0], 321.39, 20),
    system_of("figure22", "Misha", Animatronic, true, [22, 24, 121, 2], 90.67, 23),
    system_of("walker31", "Walker", Animatronic, false, [31, 36, 180, 6], 99.55, 24),
    system_of("figure38", "Gazelle", Animatronic, true, [38, 45, 214, 7], 1012.54, 22),
    system_of("figure54", "IronMan", Animatronic, true, [54, 67, 304, 13], 25544.44, 20),
];

/// The system called `name`.
pub fn system(name: &str) -> Result<&'static System, BenchError> {
    let found = SYSTEMS.iter().find(|s| s.name == name);
    let names: Vec<&str> = SYSTEMS.iter().map(|s| s.name).collect();
    found.ok_or_else(|| BenchError::unknown("system", name, &names))
}
