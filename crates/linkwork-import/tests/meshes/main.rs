//! Meshes: every format, mass properties, collision forms, files that are broken or hostile, and the
//! meshes of real robots.

mod collision;
mod formats;
mod hostile;
mod hostile_dae;
mod hostile_gltf;
mod mass;
mod robots;
mod scenes;
mod shapes;
mod support;
mod writers;
