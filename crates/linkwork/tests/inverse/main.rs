//! Inverse dynamics: what it finds is what acted.

mod support;

mod analytic;
mod infeasible;
mod loops;
mod scenes;
