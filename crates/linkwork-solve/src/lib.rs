//! The problem of one step.
