//! Meshes: every format, mass properties, collision forms, files that are broken or hostile, and the
//! meshes of real robots.

mod cache;
mod collision;
#[path = "../../../../tests/folder.rs"]
#[allow(dead_code, reason = "every test program uses its part")]
mod folder;
mod formats;
mod hostile;
mod hostile_dae;
mod hostile_gltf;
mod hostile_ply;
mod mass;
#[path = "../../../../tests/missing.rs"]
mod missing;
mod robots;
mod scenes;
mod shapes;
mod support;
#[path = "../common/work.rs"]
#[allow(dead_code, reason = "every test program uses its part")]
mod work;
mod writers;
