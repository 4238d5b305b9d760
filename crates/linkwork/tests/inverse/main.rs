//! Inverse dynamics: what it finds is what acted.

mod support;

mod scenes;
