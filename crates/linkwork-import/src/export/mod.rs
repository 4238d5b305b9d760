//! Mechanisms in the formats of other tools, as far as those can express them.

mod mjcf;
mod node;

pub use mjcf::to_mjcf;

/// A file's text, and what it does not say.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The text.
    pub text: String,
    /// What of the mechanism the format cannot express, or expresses otherwise.
    pub left_out: Vec<String>,
}
