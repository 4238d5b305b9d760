//! Additions to a URDF: closures of loops, joints of other types, joints with motors.

mod epr;
mod own;
mod retype;

use super::joint::Kind;
use super::robot::Robot;
use crate::{Assets, Fault, ImportError, Notices, Options, Place, yaml};
use linkwork::joints::JointType;
use linkwork::math::Pose;
use std::path::Path;
use std::sync::Arc;

/// One side of a closure: a frame of a link.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// A link, or a joint for the frame of its child.
    pub frame: String,
    /// Pose of the closure's frame there.
    pub pose: Pose,
    pub place: Place,
}

/// A joint that closes a loop.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    pub name: String,
    pub kind: Arc<dyn JointType>,
    pub sides: [Side; 2],
    pub place: Place,
}

/// A joint of the URDF that is of another type.
#[derive(Clone, Debug)]
pub(super) struct Retype {
    pub joint: String,
    pub kind: Kind,
    pub place: Place,
    /// Whether a joint that does not exist is an error, or only causes a notice.
    pub must_exist: bool,
}

/// Content of the second file of a URDF.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops {
    pub closures: Vec<Closure>,
    pub retypes: Vec<Retype>,
    /// Joints with motors; `None`: all that can have one.
    pub motors: Option<Vec<(String, Place)>>,
    /// Whether the root floats.
    pub floating: bool,
}

impl Loops {
    /// Reads the file named by the user, or `robot.loops.yaml` or `robot.yaml` beside `robot.urdf`; nothing if there is
    /// none.
    pub fn find(
        urdf: &Path,
        assets: &Assets,
        options: &Options,
        notices: &mut Notices,
    ) -> Result<Self, ImportError> {
        let place = Place::file(urdf);
        if let Some(given) = &options.loops {
            // It may lie anywhere, as the URDF itself: the user named it.
            return Self::parse(given, &assets.read_text(given, &place)?);
        }
        for (end, must_fit) in [("loops.yaml", true), ("yaml", false)] {
            let beside = urdf.with_extension(end);
            if !beside.is_file() {
                continue;
            }
            let bytes = assets.read_text(&beside, &place)?;
            let root = match yaml::parse(&beside, &bytes) {
                // Any tool may have left a YAML file here that is none of ours.
                Err(_) if !must_fit => continue,
                other => other?,
            };
            if must_fit || root.get("closed_loop").is_some() {
                let what = format!("loops are read from {}", beside.display());
                notices.chose(&place, what, "--loops FILE names another file");
                return Self::parse(&beside, &bytes);
            }
        }
        Ok(Self::default())
    }

    fn parse(file: &Path, bytes: &[u8]) -> Result<Self, ImportError> {
        let root = yaml::parse(file, bytes)?;
        if root.get("closed_loop").is_some() {
            epr::read(&root)
        } else {
            own::read(&root)
        }
    }

    /// Names of all frames that closures use.
    pub fn frames(&self) -> impl Iterator<Item = &str> {
        let sides = self.closures.iter().flat_map(|c| &c.sides);
        sides.map(|s| s.frame.as_str())
    }

    /// The link of a frame: a link's own name, or that of the joint above it.
    pub fn link_of(robot: &Robot, frame: &str) -> Option<usize> {
        let below = |j: usize| robot.link(&robot.joints[j].child);
        robot
            .link(frame)
            .or_else(|| robot.joint(frame).and_then(below))
    }
}

impl Side {
    /// The link it is on.
    pub fn link(&self, robot: &Robot) -> Result<usize, ImportError> {
        Loops::link_of(robot, &self.frame).ok_or_else(|| {
            let what = format!("there is no link or joint '{}'", self.frame);
            let remedy = robot.suggest_link(&self.frame);
            ImportError::new(&self.place, Fault::Unresolved, what, remedy)
        })
    }
}
