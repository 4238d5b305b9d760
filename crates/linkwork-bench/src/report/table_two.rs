//! Whether our scenes have the size of the paper's systems [Tsounis Table II].

use crate::suite::{SYSTEMS, System};
use linkwork::model::Model;
use linkwork_scenes::all_scenes;

/// Mass ratios are given to two decimals.
const MASS_RATIO_TOLERANCE: f64 = 0.005;

/// The numbers of Table II, counted in a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    /// Bodies.
    pub bodies: usize,
    /// Joints.
    pub joints: usize,
    /// Rows that joints lock.
    pub rows: usize,
    /// Independent loops.
    pub loops: usize,
    /// Heaviest body over lightest.
    pub mass_ratio: f64,
    /// Joint coordinates with a drive.
    pub actuated: usize,
}

/// A system with what our scene has.
pub struct Check {
    /// The system.
    pub system: &'static System,
    /// The counts of the scene; or why it cannot be built; `None` if there is no scene of that name yet.
    pub found: Option<Result<Counts, String>>,
}

impl Check {
    /// Every system of the suite.
    pub fn all() -> Vec<Check> {
        SYSTEMS.iter().map(Check::of).collect()
    }

    fn of(system: &'static System) -> Check {
        let exists = all_scenes().iter().any(|entry| entry.name == system.name);
        let count = || match system.scene() {
            Ok(scene) => Ok(Counts::of(&scene.model)),
            Err(e) => Err(e.to_string()),
        };
        Check {
            system,
            found: exists.then(count),
        }
    }

    /// In a word: ok, differs, no scene, broken.
    pub fn verdict(&self) -> &'static str {
        match &self.found {
            Some(Ok(counts)) if counts.agrees(&Counts::wanted(self.system)) => "ok",
            Some(Ok(_)) => "differs",
            Some(Err(_)) => "broken",
            None => "no scene yet",
        }
    }
}

impl Counts {
    /// What the paper has.
    pub fn wanted(system: &System) -> Self {
        Self {
            bodies: system.bodies,
            joints: system.joints,
            rows: system.rows,
            loops: system.loops,
            mass_ratio: system.mass_ratio,
            actuated: system.actuated,
        }
    }

    fn of(model: &Model) -> Self {
        let axes = model.joints().iter().flat_map(|j| &j.axes);
        let rows = model.joints().iter().map(|j| j.kind.locked().len());
        Self {
            bodies: model.bodies().len(),
            joints: model.joints().len(),
            rows: rows.sum(),
            loops: loops(model),
            mass_ratio: model.mass_ratio(),
            actuated: axes.filter(|axis| axis.drive.is_some()).count(),
        }
    }

    fn agrees(&self, wanted: &Counts) -> bool {
        let near = (self.mass_ratio - wanted.mass_ratio).abs() <= MASS_RATIO_TOLERANCE;
        let counted = |c: &Counts| [c.bodies, c.joints, c.rows, c.loops, c.actuated];
        near && counted(self) == counted(wanted)
    }
}

/// Independent loops of the graph of bodies, world and joints: a joint between connected parts closes one.
fn loops(model: &Model) -> usize {
    let world = model.bodies().len();
    let mut part: Vec<usize> = (0..=world).collect();
    let mut closed = 0;
    for joint in model.joints() {
        let a = part[joint.base.map_or(world, |b| b.index())];
        let b = part[joint.follower.index()];
        if a == b {
            closed += 1;
        }
        part.iter_mut().filter(|p| **p == b).for_each(|p| *p = a);
    }
    closed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_have_the_sizes_of_the_paper() {
        for check in Check::all() {
            let found = check.found.as_ref().map(|f| f.as_ref().unwrap());
            assert_eq!(check.verdict(), "ok", "{}: {found:?}", check.system.name);
        }
    }
}
