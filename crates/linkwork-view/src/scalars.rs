//! The scalars at the start of every frame, which recordings have by the same names.

use linkwork_record::{Quantity, scalar_quantities};
use std::sync::LazyLock;

/// Every scalar, in the order of the frame. Values of a step are NaN at the start of a run.
pub static SCALARS: LazyLock<Vec<Quantity>> = LazyLock::new(scalar_quantities);
