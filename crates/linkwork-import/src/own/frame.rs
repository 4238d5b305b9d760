//! `[[frame]]` and `[[link]]`: named frames on bodies or in the world.

use super::names::Known;
use super::pose;
use super::table::{Done, Table};
use linkwork::math::Pose;
use linkwork::model::{Frame, ModelData, PlacedLink};

/// A frame.
pub(super) fn frame(t: &mut Table, f: &mut Frame, known: &Known, model: &ModelData) -> Done {
    t.need("name", &mut f.name)?;
    t.name("body", &mut f.body, &known.bodies)?;
    let com = f.body.map(|b| model.bodies[b.index()].com);
    pose::local(t, &mut f.local, &com.unwrap_or_default())
}

/// A link.
pub(super) fn link(t: &mut Table, l: &mut PlacedLink, known: &Known, model: &ModelData) -> Done {
    frame(t, &mut l.frame, known, model)?;
    t.or("mass", &mut l.mass, 0.0)
}

/// A frame before it is read.
pub(super) fn blank() -> Frame {
    Frame {
        name: String::new(),
        body: None,
        local: Pose::identity(),
    }
}

/// A link before it is read.
pub(super) fn blank_link() -> PlacedLink {
    PlacedLink {
        frame: blank(),
        mass: 0.0,
    }
}
