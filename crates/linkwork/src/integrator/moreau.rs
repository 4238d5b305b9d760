//! Moreau's midpoint scheme [Tsounis §III-A]: q_M = q⁻ ⊕ ½ dt u⁻; collision, J, M and forces at q_M; q⁺ = q_M ⊕ ½ dt
//! u⁺.
//!
//! It is symmetric in time, because C(q⁻) = 0 holds from the step before, so smooth motion is second order and its
//! energy has no trend. Impulses act at q_M, between two free flights: linear and angular momentum are exact. Springs
//! have their force at the mean of start and end, q_M + ¼ dt (v⁺ − v⁻); dampers and drives are implicit, as with
//! semi-implicit Euler.

use super::{Laws, Plan};

pub(super) fn plan(dt: f64) -> Plan {
    let half = 0.5 * dt;
    Plan {
        dt,
        lead: half,
        before: half,
        after: half,
        span: half,
        ahead: half,
        behind: 0.0,
        kick: dt,
        past: half,
        gear: (half, 2.0),
        laws: Laws {
            spring: [dt, dt],
            damper: [0.0, dt],
            servo: [0.0, dt * half],
            servo_damper: [0.0, dt],
        },
        later: 0.0,
        tangent: false,
    }
}
