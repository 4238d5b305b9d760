//! Mechanisms in the formats of other tools, as far as those can express them.

mod mjcf;
mod node;
mod urdf;

pub use mjcf::to_mjcf;
pub use urdf::to_urdf;

/// A file's text, and what it does not say.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The text.
    pub text: String,
    /// Of a URDF, the loops file that belongs beside it, if there is something to say.
    pub beside: Option<String>,
    /// What of the mechanism the format cannot express, or expresses otherwise.
    pub left_out: Vec<String>,
}
