//! Chains of hinges and slides against the joint types they generalise, finite differences and
//! singular placements.

mod derivatives;
mod equal;
mod parts;
mod singular;
