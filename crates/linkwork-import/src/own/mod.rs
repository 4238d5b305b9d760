//! Linkwork's own format, as TOML or JSON: all data of a [`Model`], by name, with defaults omitted. Written files read
//! back to the same bits. The reference is `docs/import/format.md`.
//!
//! | file | contents |
//! |---|---|
//! | `tree`, `toml`, `json` | the text as a tree with positions, and back |
//! | `table` | an element while it is read or written: each key is named once, for both directions |
//! | `fields`, `values`, `names` | typed reading of tables, values, references by name |
//! | `pose`, `path`, `axis`, `kind`, `geometry`, `material`, `impedance` | parts of elements |
//! | `body`, `joint`, `coupling`, `tendon`, `shape`, `frame`, `actuator`, `sensor`, `keyframe` | one kind of element each, as one function for reading and writing |
//! | `model` | the whole file |

mod actuator;
mod axis;
mod body;
mod camera;
mod contacts;
mod coupling;
mod fields;
mod fluid;
mod frame;
mod geometry;
mod impedance;
mod joint;
mod json;
mod keyframe;
mod kind;
mod material;
mod model;
mod names;
mod pair;
mod path;
mod pose;
mod section;
mod sensor;
mod shape;
mod table;
mod tendon;
mod texture;
mod toml;
mod tree;
mod values;

use crate::limits;
use crate::{Assets, Fault, ImportError, Imported, Options, Place};
use linkwork::model::Model;
use std::path::Path;
use tree::{Node, Text};

/// Version of the format, the value of the key `linkwork`.
pub const VERSION: usize = 1;

/// Maximum number of values of a file. Robots with embedded meshes have more than two million, for which the TOML
/// reader takes some 200 bytes each.
const MAX_VALUES: usize = 3_000_000;

/// The model as TOML.
pub fn to_toml(model: &Model) -> String {
    toml::print(&model::entries(model))
}

/// The model as JSON.
pub fn to_json(model: &Model) -> String {
    json::print(&tree::node(tree::Content::Table(model::entries(model))))
}

pub(crate) fn read_toml(
    file: &Path,
    bytes: &[u8],
    assets: &Assets,
    _: &Options,
) -> Result<Imported, ImportError> {
    read_with(toml::parse, file, bytes, assets)
}

pub(crate) fn read_json(
    file: &Path,
    bytes: &[u8],
    assets: &Assets,
    _: &Options,
) -> Result<Imported, ImportError> {
    read_with(json::parse, file, bytes, assets)
}

fn read_with(
    parse: fn(&Text) -> Result<Node, ImportError>,
    file: &Path,
    bytes: &[u8],
    assets: &Assets,
) -> Result<Imported, ImportError> {
    let place = Place::file(file);
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let what = format!("the text is not UTF-8 at byte {}", e.valid_up_to());
        ImportError::new(&place, Fault::Syntax, what, "save it as UTF-8")
    })?;
    limits::pieces(bytes, b",[{=:\n", MAX_VALUES, &place)?;
    let text = Text { file: place, text };
    let root = parse(&text)?;
    model::read(&text, &root, file, assets)
}

/// The shortest text that reads back to the same bits; with a point or an exponent, so that it stays a
/// number with fraction.
fn float(value: f64) -> String {
    format!("{value:?}")
}
