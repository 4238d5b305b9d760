//! Inverse dynamics finds the forces that acted.

mod support;

mod analytic;
mod infeasible;
mod loops;
mod scenes;
