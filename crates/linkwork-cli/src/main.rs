//! The linkwork command.
fn main() {}
