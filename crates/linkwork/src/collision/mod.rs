//! Collision detection. The only module that knows the collision library.

mod contact;

pub use contact::{ContactKey, ContactPoint};
