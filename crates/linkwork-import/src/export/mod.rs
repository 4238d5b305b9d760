//! Mechanisms in the formats of other tools, as far as these can express them.

mod mjcf;
mod node;
mod urdf;

pub use mjcf::to_mjcf;
pub use urdf::to_urdf;

use linkwork::model::Model;

/// Content that the written files do not have: textures, cameras, and the merging of links into bodies.
fn tell_rest(model: &Model, left_out: &mut Vec<String>) {
    let pictures = [
        (model.textures().len(), "texture"),
        (model.cameras().len(), "camera"),
    ];
    for (count, kind) in pictures.iter().filter(|p| p.0 > 0) {
        left_out.push(format!("{count} {kind}(s)"));
    }
    let (links, bodies) = (model.links().len(), model.bodies().len());
    if links > bodies {
        left_out.push(format!("{links} links, of which {bodies} bodies were made"));
    }
}

/// A file's text, and the content it does not express.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The text.
    pub text: String,
    /// For a URDF, the loops file, if one is needed.
    pub beside: Option<String>,
    /// Of a URDF, name and text (OBJ) of the meshes that belong into the folder it was given.
    pub meshes: Vec<(String, String)>,
    /// Parts of the mechanism that the format cannot express, or expresses differently.
    pub left_out: Vec<String>,
}
