//! The numbers every frame begins with: those that recordings know by name.

use linkwork_record::{Quantity, scalar_quantities};
use std::sync::LazyLock;

/// Every scalar, in the order of the frame. What only steps have is NaN at the start of a run.
pub static SCALARS: LazyLock<Vec<Quantity>> = LazyLock::new(scalar_quantities);
