//! Third-party robots from files: those named in the papers, as far as they are available.

use super::Context;
use linkwork::model::{BodyId, Model, ModelBuilder};
use linkwork_import::{Cache, Options, load};
use std::path::PathBuf;
use std::sync::Arc;

/// A robot by its file below the folder of models.
#[derive(Clone, Copy)]
pub(super) struct Robot {
    pub name: &'static str,
    file: &'static str,
    /// A URDF specifies neither that the root floats nor the position of the floor.
    floating: bool,
}

pub(super) const TALOS: Robot = Robot {
    name: "Talos",
    file: "pal_talos/scene_motor.xml",
    floating: false,
};
pub(super) const SOLO: Robot = Robot {
    name: "Solo",
    file: "solo_description/robots/solo12.urdf",
    floating: true,
};
pub(super) const SHADOW_HAND: Robot = Robot {
    name: "Shadow hand",
    file: "shadow_hand/right_hand.xml",
    floating: false,
};
pub(super) const CASSIE: Robot = Robot {
    name: "Cassie",
    file: "agility_cassie/scene.xml",
    floating: false,
};
pub(super) const HUMANOID: Robot = Robot {
    name: "MuJoCo's humanoid",
    file: "gymnasium_mujoco/humanoid.xml",
    floating: false,
};

impl Robot {
    /// The model, its loops closed; why there is none.
    pub fn model(&self) -> Result<Arc<Model>, String> {
        let folder = Context::find_models().ok_or(
            "there is no folder with models; set LINKWORK_DATA to the folder above 'models'",
        )?;
        let mut options = Options::with(|s| {
            s.floating = self.floating;
            s.visuals = false;
            s.cache = Cache::of_user();
        });
        if self.floating {
            // package:// paths begin at the folder of the package.
            let package: PathBuf = folder.join(self.file.split('/').next().unwrap_or_default());
            options.assets = Some(package);
        }
        let read = load(&folder.join(self.file), &options);
        let model = read.map_err(|e| format!("{}: {e}", self.name))?.model;
        let state = model.initial_state();
        let closed = model.closed(&state).map_err(|e| e.to_string())?;
        model.started(&closed).map_err(|e| e.to_string())
    }
}

/// The model combined with `more`, whose names must be new.
pub(super) fn beside(model: &Model, more: ModelBuilder) -> Result<Arc<Model>, String> {
    let more = more.data().map_err(|e| e.to_string())?;
    let mut data = model.data().clone();
    let first = data.bodies.len() as u32;
    data.bodies.extend(more.bodies);
    data.shapes.extend(more.shapes.into_iter().map(|mut shape| {
        shape.body = shape.body.map(|BodyId(i)| BodyId(first + i));
        shape
    }));
    data.build().map_err(|e| e.to_string())
}
