//! Contacts of pairs of shapes: against independent geometry, and stable from step to step.

mod brute;
mod flush;
mod phantom;
mod random;
mod reference;
mod rest;
mod scene;
mod solids;
mod surfaces;
mod symmetric;
mod world;
