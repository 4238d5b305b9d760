//! SDF: models and worlds whose joints connect any links, so that loops need no second file.
//!
//! | file | contents |
//! |---|---|
//! | `text` | values, which SDF writes as text of child elements |
//! | `include` | models from other files in place of `<include>` |
//! | `pose`, `scope` | poses, and frames that are given relative to each other |
//! | `scene` | all links and joints, with their poses in the world |
//! | `link`, `geometry`, `joint`, `axis` | their parts |
//! | `tree` | joints of the tree, and joints that close loops |
//! | `align` | axes of a loop that are parallel except for rounding |
//! | `truss` | loops of three joints that cannot move, fixed where their rows nearly lose this information |
//! | `fill`, `motion`, `gearbox`, `mimic` | conversion to a draft |
//!
//! `docs/import/sdf.md` lists what is imported.

mod align;
mod axis;
mod fill;
mod gearbox;
mod geometry;
mod include;
mod joint;
mod link;
mod mimic;
mod motion;
mod pose;
mod scene;
mod scope;
mod text;
mod tree;
mod truss;

use crate::draft::Draft;
use crate::robot::{Paths, Shapes, Skipped, apart, jam, tell_violated};
use crate::xml::Element;
use crate::{Assets, Fault, ImportError, Imported, Options, Place, xml};
use scene::Scene;
use std::path::Path;
use tree::Tree;

/// Read an SDF file.
pub(crate) fn read(
    file: &Path,
    bytes: &[u8],
    assets: &Assets,
    options: &Options,
) -> Result<Imported, ImportError> {
    let mut draft = Draft {
        place: Place::file(file),
        ..Draft::default()
    };
    let mut paths = Paths::new(file, assets, options);
    let root = include::expand(xml::parse(file, bytes)?, &mut paths, &mut draft.notices)?;
    let mut skipped = Skipped::default();
    let mut scene = Scene::read(&root, version(&root)?, &mut skipped)?;
    draft.name = scene.name.clone();
    draft.gravity = scene.gravity;
    draft.timestep = scene.timestep;
    let tree = Tree::of(&scene);
    align::hinges(&mut scene, &tree, &mut draft.notices);
    let ids = fill::links(&scene, &tree, &mut draft);
    fill::shapes(&scene, &ids, Shapes::new(paths, options), &mut draft)?;
    let joints = fill::joints(&scene, &tree, &ids, &mut draft);
    gearbox::relations(&scene, &joints, &mut draft)?;
    truss::hold(&scene, &tree, &joints, &mut draft);
    mimic::relations(&scene, &joints, &mut draft)?;
    fill::motors(&scene, &joints, &mut draft);
    apart::joined_to_world(&mut draft);
    tell_violated(&mut draft);
    skipped.tell(&mut draft.notices);
    jam::build(draft)
}

/// The version of a file, 1.n, as n: the meaning of poses and axes depends on it.
fn version(root: &Element) -> Result<u32, ImportError> {
    if root.name != "sdf" {
        let what = format!("the root element is <{}>", root.name);
        let remedy = "an SDF file begins with <sdf version=\"…\">";
        return Err(root.error(Fault::UnknownElement, what, remedy));
    }
    let text = root.require("version")?;
    let minor = text.trim().strip_prefix("1.").and_then(|m| m.parse().ok());
    minor.filter(|m| *m >= 4).ok_or_else(|| {
        let what = format!("SDF version {text}");
        let remedy = "convert the file to 1.6 or later, for example with 'gz sdf -p'";
        root.error(Fault::Unsupported, what, remedy)
    })
}
