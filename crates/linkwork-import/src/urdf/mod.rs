//! URDF, with loops from a second file.
//!
//! | file | contents |
//! |---|---|
//! | `robot` | the content of the XML as plain data |
//! | `link`, `geometry`, `joint` | its parts |
//! | `tree` | links in an order in which each follows its parent |
//! | `loops/` | closures, other joint types and motors from the second file |
//! | `massless`, `bridge`, `lend` | massless links: at the ends, between two joints, and all others |
//! | `fill`, `motion`, `relate`, `close` | conversion to a draft |
//!
//! `docs/import/urdf.md` lists what is imported.

mod bridge;
mod close;
mod fill;
mod geometry;
mod joint;
mod lend;
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
use bridge::Bridges;
use linkwork::math::{Pose, Vec3};
use loops::Loops;
use robot::Robot;
use std::path::Path;
use tree::Tree;

/// The links and joints of a robot, and their connections.
struct Skeleton<'a> {
    robot: &'a Robot,
    tree: &'a Tree,
    bridges: &'a Bridges,
    /// Pose of every link in the root's frame, in the home pose.
    homes: &'a [Pose],
}

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
    let homes = tree.homes(&robot);
    let bridges = Bridges::find(&mut robot, &tree, &loops, &homes, &mut draft.notices);
    lend::lend(&mut robot, &tree, &bridges, &homes, &mut draft.notices);
    let mut shapes = Shapes::new(Paths::new(file, assets, options), options);
    let floating = options.floating || loops.floating;
    let skeleton = Skeleton {
        robot: &robot,
        tree: &tree,
        bridges: &bridges,
        homes: &homes,
    };
    let ids = fill::links(&skeleton, floating, &mut shapes, &mut draft)?;
    let mut joints = fill::joints(&skeleton, &ids, &mut draft);
    close::loops(&loops, &skeleton, &ids, &mut joints, &mut draft)?;
    relate::mimics(&robot, &joints, &mut draft)?;
    fill::motors(&robot, &loops, &joints, &mut draft)?;
    apart::joined_to_world(&mut draft);
    apart::touching(&mut draft)?;
    tell_violated(&mut draft);
    skipped.tell(&mut draft.notices);
    draft.build()
}
