//! Semi-implicit Euler, staggered: rows at the poses, kick over half of the step before and half of this one, poses
//! moved by the new velocities, which are therefore at mid-step [math.md §4].
//!
//! Springs have their force at the middle of each step, half of it in the kick before and half in the kick after
//! (`rows/drives.rs`). Dampers and drives are implicit, which damps motion faster than the step.

use super::{Laws, Plan};

pub(super) fn plan(dt: f64, lag: f64) -> Plan {
    with(dt, dt, 0.5 * (lag + dt))
}

/// A kick at the poses, followed by motion for `ahead`.
pub(super) fn with(dt: f64, ahead: f64, kick: f64) -> Plan {
    let behind = 2.0 * kick - ahead;
    Plan {
        dt,
        lead: 0.0,
        before: 0.0,
        after: ahead,
        span: dt,
        ahead,
        behind,
        kick,
        past: kick - 0.5 * dt,
        gear: (dt, 1.0),
        laws: Laws {
            spring: [behind, ahead],
            damper: [0.0, kick],
            servo: [0.0, kick * dt],
            servo_damper: [0.0, kick],
        },
        later: 0.0,
        tangent: false,
    }
}
