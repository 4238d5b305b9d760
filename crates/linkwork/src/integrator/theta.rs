//! The two-stage theta-method [Castro eq. 6–18]: M (v − v₀) = dt k(q^θ, v^θ) + Jᵀγ, q = q₀ + dt (θ_vq v + (1 − θ_vq)
//! v₀).
//!
//! Springs and dampers enter with the matrix A = M + dt² θ θ_vq K + dt θ D of eq. 15, each as a separate row: along a
//! coordinate c with rate v, c^θ = c_s + θ θ_vq dt (v − v₀), with c_s at the poses of the rows. These are at q₀ ⊕ θ dt
//! v₀, which equals q^θ to second order and is known before the solve. The paper has contacts at q₀ (eq. 8–10); there J
//! is constant to first order only, and a second-order method would lose its order.
//!
//! The coordinates of the paper have no joints to close. Here they are closed at the end of the step through the share
//! θ_vq of the impulses that moves the poses. A velocity that violates J u = 0 then returns multiplied by −(1 −
//! θ_vq)/θ_vq: below ½ it grows, and velocities are projected on J u = 0 after every step. With θ_vq = 0 no impulse
//! moves a pose in its own step, and closure must be off.

use super::{Laws, Plan};

pub(super) fn plan(dt: f64, theta: f64, theta_vq: f64) -> Plan {
    let after = theta_vq * dt;
    let span = if theta_vq > 0.0 { after } else { dt };
    let rest = dt - theta * dt;
    // ¼ s² = θ θ_vq dt².
    let spring = [2.0 * (theta * theta_vq).sqrt() * dt; 2];
    let servo = [theta * theta_vq * dt * dt; 2];
    let damper = [rest, theta * dt];
    Plan {
        dt,
        lead: theta * dt,
        before: dt - after,
        after,
        span,
        ahead: span,
        behind: 0.0,
        kick: dt,
        past: theta * dt,
        gear: if after > 0.0 && rest > 0.0 {
            (after, 2.0 * after / rest)
        } else {
            (dt, 0.0)
        },
        laws: Laws {
            spring,
            damper,
            servo,
            servo_damper: damper,
        },
        later: 0.0,
        tangent: theta_vq < 0.5,
    }
}
