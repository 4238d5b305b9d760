//! Problems of the frictional contact library FCLIB, read from and written to its HDF5 files
//! [Acary, Brémond, Huber, Perignon, FCLIB, Inria RT-444; equations as in `fclib.h`].
//!
//! A local problem has the Delassus matrix:
//!
//! ```text
//! û = W r + V λ + q + g(u)    0 = Vᵀ r + R λ + s    K* ∋ û ⟂ r ∈ K
//! ```
//!
//! A global one has the bodies, of any number of coordinates; it is condensed to a local one:
//!
//! ```text
//! M v = H r + G λ + f    û = Hᵀ v + w + g(u)    0 = Gᵀ v + b
//! W = Hᵀ M⁻¹ H   V = Hᵀ M⁻¹ G   R = Gᵀ M⁻¹ G   q = w + Hᵀ M⁻¹ f   s = b + Gᵀ M⁻¹ f
//! ```
//!
//! Here r and λ are one impulse λ, D = [W V; Vᵀ R] and v_f = (q, s): the contacts first, then a free
//! row for every equality. FCLIB orders a contact (n, t₁, t₂), Linkwork (t₁, t₂, n). FCLIB has no
//! step size: dt is 1 s, and whether r is an impulse or a force is the file's affair. What the files
//! hold as solution or guesses is not read; the solutions in circulation are zeros.

mod condense;
mod error;
mod file;
mod matrix;
mod read;
mod write;

pub use error::FclibError;
pub use read::read;
pub use write::write_local;

use crate::problem::Problem;

/// An FCLIB problem as read.
#[derive(Clone, Debug, PartialEq)]
pub struct FclibProblem {
    /// The problem, on its Delassus matrix.
    pub problem: Problem,
    /// How the file held it.
    pub form: FclibForm,
    /// Title in the file; empty if it has none.
    pub title: String,
    /// Description in the file; empty if it has none.
    pub description: String,
    /// What had to be changed to make it a problem, in sentences.
    pub notes: Vec<String>,
}

/// The two forms of an FCLIB problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FclibForm {
    /// W, q, μ.
    Local,
    /// M, H, f, w, μ.
    Global,
}

/// Our row of FCLIB's contact row `i`: (n, t₁, t₂) → (t₁, t₂, n).
fn our_row(i: usize) -> usize {
    3 * (i / 3) + (i + 2) % 3
}
