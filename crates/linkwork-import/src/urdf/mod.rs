//! URDF, with loops from a file beside it.
//!
//! | file | concept |
//! |---|---|
//! | `robot` | what the XML says, as plain data |
//! | `link`, `geometry`, `joint` | the parts of it |
//! | `tree` | links in an order in which each follows its parent |
//! | `loops/` | closures, other joint types and motors from the file beside it |
//! | `massless` | links that weigh nothing |
//! | `fill`, `motion`, `relate`, `close` | from all of it to a draft |
//!
//! See `docs/import/urdf.md` for what is carried over and what is not.

mod close;
mod fill;
mod geometry;
mod joint;
mod link;
mod loops;
mod massless;
mod motion;
mod relate;
mod robot;
mod tree;

use crate::draft::Draft;
use crate::robot::{Paths, Shapes, Skipped, apart, tell_violated};
use crate::{Assets, ImportError, Imported, Options, Place, xml};
use linkwork::math::Vec3;
use loops::Loops;
use robot::Robot;
use std::path::Path;
use tree::Tree;

/// Read a URDF file.
pub(crate) fn read(
    file: &Path,
    bytes: &[u8],
    assets: &Assets,
    options: &Options,
) -> Result<Imported, ImportError> {
    let mut skipped = Skipped::default();
    let robot = Robot::read(&xml::parse(file, bytes)?, &mut skipped)?;
    let mut draft = Draft {
        name: robot.name.clone(),
        place: Place::file(file),
        gravity: Vec3::new(0.0, 0.0, -9.81),
        ..Draft::default()
    };
    let loops = Loops::find(file, assets, options, &mut draft.notices)?;
    let mut robot = loops.retype(robot, &mut draft.notices)?;
    let tree = Tree::of(&robot)?;
    massless::fix_leaves(&mut robot, &tree, &loops, &mut draft.notices);
    let mut shapes = Shapes::new(Paths::new(file, assets, options), options);
    let floating = options.floating || loops.floating;
    let ids = fill::links(&robot, &tree, floating, &mut shapes, &mut draft)?;
    let joints = fill::joints(&robot, &tree, &ids, &mut draft);
    relate::mimics(&robot, &joints, &mut draft)?;
    close::loops(&loops, &robot, &ids, &mut draft)?;
    fill::motors(&robot, &loops, &joints, &mut draft)?;
    apart::joined_to_world(&mut draft);
    apart::touching(&mut draft)?;
    tell_violated(&mut draft);
    skipped.tell(&mut draft.notices);
    draft.build()
}
