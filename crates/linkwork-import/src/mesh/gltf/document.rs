//! The part of a glTF document with the geometry.

use crate::limits;
use crate::{Fault, ImportError, Notices, Place};
use serde::Deserialize;

/// Maximum number of values in the text; those in buffers are not counted.
const MAX_VALUES: usize = 500_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    pub asset: Asset,
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<MeshItem>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<View>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub materials: Vec<Material>,
    #[serde(default)]
    pub textures: Vec<TextureItem>,
    #[serde(default)]
    pub images: Vec<ImageItem>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
}

#[derive(Deserialize)]
pub struct Asset {
    pub version: String,
}

#[derive(Deserialize)]
pub struct Scene {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

#[derive(Deserialize)]
pub struct Node {
    #[serde(default)]
    pub children: Vec<usize>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    /// Column after column.
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    /// x, y, z, w.
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
}

#[derive(Deserialize)]
pub struct MeshItem {
    pub primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    pub pbr_metallic_roughness: Option<Surface>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Surface {
    pub base_color_factor: Option<[f64; 4]>,
    pub base_color_texture: Option<TextureUse>,
}

#[derive(Deserialize)]
pub struct TextureUse {
    pub index: usize,
}

#[derive(Deserialize)]
pub struct TextureItem {
    pub source: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageItem {
    pub uri: Option<String>,
    pub buffer_view: Option<usize>,
}

#[derive(Deserialize)]
pub struct Primitive {
    pub attributes: Attributes,
    pub material: Option<usize>,
    pub indices: Option<usize>,
    #[serde(default = "triangles")]
    pub mode: u32,
    #[serde(default)]
    pub targets: Vec<serde::de::IgnoredAny>,
}

/// The mode of a primitive that gives none.
fn triangles() -> u32 {
    4
}

#[derive(Deserialize)]
pub struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: Option<usize>,
    #[serde(rename = "TEXCOORD_0")]
    pub coordinates: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    pub count: u64,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub byte_length: u64,
    pub uri: Option<String>,
}

impl Document {
    pub fn parse(json: &[u8], place: &Place, notices: &mut Notices) -> Result<Self, ImportError> {
        limits::pieces(json, b",[{", MAX_VALUES, place)?;
        let document: Self = serde_json::from_slice(json).map_err(|e| {
            let place = place.at_line(e.line() as u32, e.column() as u32);
            let remedy = "export the mesh again as glTF 2.0";
            ImportError::new(&place, Fault::Syntax, e.to_string(), remedy)
        })?;
        let version = &document.asset.version;
        if !version.starts_with("2.") {
            let what = format!("glTF of version '{version}'");
            let remedy = "export the mesh again as glTF 2.0";
            return Err(ImportError::new(place, Fault::Unsupported, what, remedy));
        }
        // Compressed or quantised geometry would be read as nonsense.
        if let Some(name) = document.extensions_required.first() {
            let what = format!("the file requires the extension '{name}'");
            let remedy = "export it without compression and extensions";
            return Err(ImportError::new(place, Fault::Unsupported, what, remedy));
        }
        document.tell(place, notices);
        Ok(document)
    }

    /// What is in the file and left out.
    fn tell(&self, place: &Place, notices: &mut Notices) {
        let skins = self.nodes.iter().filter(|n| n.skin.is_some()).count();
        if skins > 0 {
            let what =
                format!("skins of {skins} node(s): their meshes stay in the shape they are in");
            notices.ignored(place, what);
        }
        let all = self.meshes.iter().flat_map(|m| &m.primitives);
        let morphing = all.filter(|p| !p.targets.is_empty()).count();
        if morphing > 0 {
            notices.ignored(place, format!("morph targets of {morphing} primitive(s)"));
        }
    }
}
