//! Programs that use Linkwork from Rust: `cargo run --release --package linkwork-examples --example NAME`.
//!
//! | example | |
//! |---|---|
//! | `cassie` | load a robot, command its motors by name, read its sensors, record, draw contact forces |
//! | `build_and_drive` | build a mechanism with a loop, drive it, change step and settings, copy the simulator |
//! | `queries` | rays, distances, contacts of a body, events |
