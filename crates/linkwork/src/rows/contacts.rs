//! Contact rows (t₁, t₂, n): K = Coulomb(μ), or one NonNegative row if μ = 0. With torsional or rolling friction,
//! moment rows come before the normal one ([`moments`](super::moments)).
//!
//! v*_n = max(0, r/dt) + γ min(0, r/dt), with a bound on the second term; r is the part of φ + slop outside ± the
//! closure tolerance. Both impulses act at the same point p, so angular momentum is conserved exactly.

use super::{Inputs, Pushed, RowSource, Rows, limits, moments, near_rigid, softness};
use crate::collision::ContactPoint;
use crate::math::{Vec3, tangent_basis};
use crate::model::{BodyId, Compliance, Impedance, PairMaterial, Softness};
use crate::settings::{ContactSettings, Impacts, RestitutionRule};
use linkwork_solve::{ImpulseSet, MAX_DIM};

pub(super) fn push(rows: &mut Rows, inputs: &Inputs) {
    for contact in inputs.contacts {
        push_contact(rows, inputs, contact, |rows, material, directions| {
            law(rows, inputs, contact, material, directions)
        });
    }
    near_rigid::stiffen(rows, inputs);
}

/// Contacts that separate with the given normal velocities, m/s.
pub(super) fn push_impacts(rows: &mut Rows, inputs: &Inputs, leave: &[f64]) {
    for (contact, speed) in inputs.contacts.iter().zip(leave) {
        push_contact(rows, inputs, contact, |_, (_, dim), _| {
            ContactLaw::new(dim, -speed, 0.0, 0.0)
        });
    }
}

fn push_contact(
    rows: &mut Rows,
    inputs: &Inputs,
    contact: &ContactPoint,
    law: impl FnOnce(&mut Rows, (&PairMaterial, usize), &[Vec3; 3]) -> ContactLaw,
) {
    let key = &contact.key;
    let material = inputs.model.surface(key.shape_a, key.shape_b);
    let n = contact.normal;
    let (t1, t2) = tangent_basis(&n);
    let directions = [t1, t2, n];
    if material.resists_turning() {
        moments::push(rows, inputs, contact, &material, &directions);
    } else {
        let frictionless = material.friction == 0.0;
        let (set, first) = if frictionless {
            (ImpulseSet::NonNegative, 2)
        } else {
            let mu = material.friction;
            (ImpulseSet::Coulomb { mu }, 0)
        };
        rows.push_block(RowSource::Contact(contact.key), set);
        for (body, sign) in [(contact.body_a, -1.0), (contact.body_b, 1.0)] {
            let Some(body) = body else { continue };
            let values = point_rows(inputs, contact, body, sign, &directions);
            rows.bodies_mut()
                .1
                .push_entry(body.index(), &values[first..]);
        }
    }
    let dim = last_dim(rows);
    let law = law(rows, (&material, dim), &directions);
    rows.problem.v_bias.extend_from_slice(&law.bias[..dim]);
    rows.problem
        .compliance
        .extend_from_slice(&law.compliance[..dim]);
}

/// v* and R of a contact's rows, the normal one last.
struct ContactLaw {
    bias: [f64; MAX_DIM],
    compliance: [f64; MAX_DIM],
}

impl ContactLaw {
    /// All friction rows have the same R, because moment rows are scaled accordingly.
    fn new(dim: usize, bias: f64, r_n: f64, r_t: f64) -> Self {
        let mut law = Self {
            bias: [0.0; MAX_DIM],
            compliance: [r_t; MAX_DIM],
        };
        law.bias[dim - 1] = bias;
        law.compliance[dim - 1] = r_n;
        law
    }
}

/// Number of rows of the last block.
fn last_dim(rows: &Rows) -> usize {
    rows.bodies().1.rows_of(rows.sources.len() - 1).len()
}

pub(super) fn point_rows(
    inputs: &Inputs,
    contact: &ContactPoint,
    body: BodyId,
    sign: f64,
    directions: &[Vec3; 3],
) -> [[f64; 6]; 3] {
    let arm = contact.point - inputs.state.poses[body.index()].position;
    directions.map(|d| {
        let (d, m) = (sign * d, sign * arm.cross(&d));
        [d.x, d.y, d.z, m.x, m.y, m.z]
    })
}

fn law(
    rows: &mut Rows,
    inputs: &Inputs,
    contact: &ContactPoint,
    (material, dim): (&PairMaterial, usize),
    directions: &[Vec3; 3],
) -> ContactLaw {
    let dt = inputs.plan.span;
    let push = push_speed(inputs, contact);
    let mut bias = to_close(inputs, contact).max(0.0) / dt - push;
    let mut leaves = 0.0;
    if material.restitution > 0.0 && inputs.settings.contact.impacts == Impacts::AtOnce {
        leaves = bounce(rows, inputs, contact, material.restitution);
        let closed = bias;
        bias = match inputs.settings.contact.restitution {
            // It just closes.
            _ if leaves <= 0.0 => bias,
            RestitutionRule::Stronger => bias.min(-leaves),
            RestitutionRule::Sum => bias - leaves,
        };
        rows.note_bounce(dim - 1, closed, bias);
    }
    let stiff = matches!(
        material.compliance,
        Compliance::Rigid | Compliance::Direct { .. }
    );
    if push > 0.0 && stiff && inputs.plan.ends_pushes() {
        rows.pushed.push(Pushed {
            block: rows.sources.len() - 1,
            leaves,
        });
    }
    match material.compliance {
        Compliance::Rigid => ContactLaw::new(dim, bias, 0.0, 0.0),
        Compliance::Direct { normal, tangential } => ContactLaw::new(dim, bias, normal, tangential),
        Compliance::Physical {
            stiffness,
            dissipation_time,
        } => spring(
            rows,
            inputs,
            contact,
            directions,
            (stiffness, dissipation_time),
        ),
        Compliance::Pad {
            modulus,
            dissipation_time,
            ..
        } => {
            let stiffness = modulus * contact.area;
            spring(
                rows,
                inputs,
                contact,
                directions,
                (stiffness, dissipation_time),
            )
        }
        Compliance::Soft(softness) => yielding(rows, inputs, contact, &softness),
        Compliance::Impedance(impedance) => {
            let d = own_delassus(rows, inputs, contact, directions);
            soft(rows, inputs, contact, &impedance, &d, bias)
        }
    }
}

/// A spring of stiffness k (N/m) with dissipation time τ_d (s) [Castro §V]. A sample of a pad is one too.
fn spring(
    rows: &Rows,
    inputs: &Inputs,
    contact: &ContactPoint,
    directions: &[Vec3; 3],
    (k, tau): (f64, f64),
) -> ContactLaw {
    let d = own_delassus(rows, inputs, contact, directions);
    let rms = d.as_flattened().iter().map(|x| x * x).sum::<f64>().sqrt() / 3.0;
    let spans = (inputs.plan.dt, inputs.plan.span);
    let (r_n, r_t) = physical(&inputs.settings.contact, spans, k, tau, rms);
    let gap = found_gap(inputs, contact);
    ContactLaw::new(last_dim(rows), gap / (inputs.plan.span + tau), r_n, r_t)
}

/// The gap to be closed, or the overlap to be removed (< 0), m.
fn to_close(inputs: &Inputs, contact: &ContactPoint) -> f64 {
    let slop = inputs.settings.stabilization.slop;
    beyond(found_gap(inputs, contact) + slop, closed_within(inputs))
}

/// The gap at the poses from which the new velocities move the bodies, m, which may differ from the poses of the rows.
fn found_gap(inputs: &Inputs, contact: &ContactPoint) -> f64 {
    if inputs.plan.shift() == 0.0 {
        contact.gap
    } else {
        limits::found_gap(contact.gap, opening(inputs, contact), inputs.plan)
    }
}

/// Normal velocity before the step, m/s.
fn opening(inputs: &Inputs, contact: &ContactPoint) -> f64 {
    let velocity = |body: Option<BodyId>| {
        body.map_or(Vec3::zeros(), |body| {
            let arm = contact.point - inputs.state.poses[body.index()].position;
            inputs.state.twists[body.index()].at(&arm)
        })
    };
    let [a, b] = [contact.body_a, contact.body_b].map(velocity);
    contact.normal.dot(&(b - a))
}

/// Speed at which overlap is removed, m/s; 0 without overlap. The part of the overlap that the old velocities caused in
/// this step may be removed at the speed at which it arose.
///
/// In a part of a step the speed is no higher than in the whole: over the part alone 40 µm in 40 µs would be 0.5 m/s,
/// and close to a singular pose a mechanism must move violently to open a contact at that speed (mechanism 195 of seed
/// 2 at 5 ms gained eight times its energy).
pub(super) fn push_speed(inputs: &Inputs, contact: &ContactPoint) -> f64 {
    let (stabilization, plan) = (&inputs.settings.stabilization, inputs.plan);
    let overlap = (-to_close(inputs, contact)).max(0.0);
    let mut most = stabilization.max_depenetration_speed;
    if plan.before > 0.0 && overlap > 0.0 {
        most = most.max(plan.made(opening(inputs, contact)));
    }
    let span = plan.span * (inputs.settings.dt / plan.dt).max(1.0);
    (stabilization.contacts * overlap / span).min(most)
}

/// Gaps and overlaps that count as zero, m: the tolerance for closed joints. A solve to 1e-9 m/s leaves the four
/// corners of a foot misaligned by 1e-12 m. To close that within a step of 1 ms, the corners would have to move at 1e-9
/// m/s against each other, which is the solver's tolerance: the load would alternate between them (`biped14`).
fn closed_within(inputs: &Inputs) -> f64 {
    let closure = &inputs.settings.closure;
    if closure.enabled {
        closure.tolerance
    } else {
        0.0
    }
}

/// The part of `r` outside ±`margin`.
fn beyond(r: f64, margin: f64) -> f64 {
    r - r.clamp(-margin, margin)
}

/// [Tsounis §V-D]: R_jj = (1−d)/d D_jj, v*_j = dt (b v_j⁻ + k r_j). The two tangential rows share one R, so that
/// friction stays isotropic. An open contact may close first, like a hard one.
fn soft(
    rows: &Rows,
    inputs: &Inputs,
    contact: &ContactPoint,
    impedance: &Impedance,
    d: &[[f64; 3]; 3],
    open: f64,
) -> ContactLaw {
    let violation = contact.gap.min(0.0);
    let share = impedance.at(violation);
    let scale = (1.0 - share) / share;
    let dim = last_dim(rows);
    let r_t = 0.5 * scale * (d[0][0] + d[1][1]);
    let mut law = ContactLaw::new(dim, open, scale * d[2][2], r_t);
    if contact.gap < 0.0 {
        for i in 0..dim {
            let v = last_row_velocity(rows, i, &rows.u_minus);
            law.bias[i] = inputs.plan.dt * impedance.damping() * v;
        }
        law.bias[dim - 1] += inputs.plan.dt * impedance.stiffness(violation) * violation;
    }
    law
}

/// As in MuJoCo: the normal row follows the law of a soft limit, and friction has the same R and b.
fn yielding(
    rows: &Rows,
    inputs: &Inputs,
    contact: &ContactPoint,
    softness: &Softness,
) -> ContactLaw {
    let (impedance, w) = (&softness.impedance, softness.inverse_inertia);
    let yields = if contact.gap < 0.0 {
        softness::SoftLaw::at(inputs, impedance, contact.gap)
    } else {
        softness::SoftLaw::open(inputs, impedance)
    };
    let dim = last_dim(rows);
    let velocity = |row: usize| last_row_velocity(rows, row, &rows.u_minus);
    let (bias, r_n) = yields.row(contact.gap, velocity(dim - 1), w);
    let mut law = ContactLaw::new(dim, bias, r_n, 0.0);
    // A contact without friction has the normal row only.
    for row in 0..dim - 1 {
        (law.bias[row], law.compliance[row]) = yields.slip(velocity(row), w);
    }
    law
}

/// Velocity J u of row `row` of the last block.
fn last_row_velocity(rows: &Rows, row: usize, u: &[f64]) -> f64 {
    rows.velocity_of(rows.sources.len() - 1, row, u)
}

/// R_n and R_t for the inverse inertia `rms` at the contact, 1/kg [Castro §V]: R_n⁻¹ = dt k (s + τ_d), with R_n at
/// least β²/(4π²) ‖D_kk‖_rms; R_t = σ_s ‖D_kk‖_rms. s is the time for which the new velocity changes the gap, in the
/// paper dt for any θ_vq.
pub(super) fn physical(
    settings: &ContactSettings,
    (dt, span): (f64, f64),
    k: f64,
    tau: f64,
    rms: f64,
) -> (f64, f64) {
    let floor = (settings.near_rigid / std::f64::consts::TAU).powi(2) * rms;
    (
        (1.0 / (dt * k * (span + tau))).max(floor),
        settings.stiction * rms,
    )
}

/// The contact's own 3x3 block D_kk.
fn own_delassus(
    rows: &Rows,
    inputs: &Inputs,
    contact: &ContactPoint,
    directions: &[Vec3; 3],
) -> [[f64; 3]; 3] {
    let mass = rows.bodies().0;
    let mut d = [[0.0; 3]; 3];
    for (body, sign) in [(contact.body_a, -1.0), (contact.body_b, 1.0)] {
        let Some(body) = body else { continue };
        let j = point_rows(inputs, contact, body, sign, directions);
        for (a, row) in d.iter_mut().enumerate() {
            let y = mass.solve_row(body.index(), &j[a]);
            for (d, j) in row.iter_mut().zip(&j) {
                *d += j.iter().zip(&y).map(|(j, y)| j * y).sum::<f64>();
            }
        }
    }
    d
}

/// Newton restitution for a contact that closes during this step.
///
/// The bounce is applied at the height φ at which the step finds the body, before it reaches the surface. In an exact
/// bounce the body would fall the remaining distance and come back: with the free approach acceleration a, its speed at
/// height φ on the way up is √(ε² (v² + 2 a φ) − 2 a φ). Using that instead of ε v makes the energy after the bounce
/// correct for any φ, and it never exceeds ε v. Speeds are at mid-step, so v at φ is v⁻ + ½ a dt, and the same half
/// kick is subtracted afterwards. Where the root is not real the body would not come back up to φ: it just closes.
/// Returns the speed, m/s, or 0.
fn bounce(rows: &Rows, inputs: &Inputs, contact: &ContactPoint, restitution: f64) -> f64 {
    let (dt, span) = (inputs.plan.dt, inputs.plan.span);
    let u_free = rows.bodies().2;
    let normal = last_dim(rows) - 1;
    let before = last_row_velocity(rows, normal, &rows.u_minus);
    let free = last_row_velocity(rows, normal, u_free);
    let closes = found_gap(inputs, contact) + span * free <= 0.0;
    if !closes || before >= -inputs.settings.contact.restitution_threshold {
        return 0.0;
    }
    let a = ((before - free) / dt).max(0.0);
    rebound(contact.gap, before, restitution, a, dt).max(0.0)
}

/// Normal velocity after a bounce, m/s, of a contact that approaches with `before` (< 0) and is accelerated by `a`.
pub(crate) fn rebound(gap: f64, before: f64, restitution: f64, a: f64, dt: f64) -> f64 {
    let height = gap.max(0.0);
    let speed = -before + 0.5 * a * dt;
    let e2 = restitution * restitution;
    let square = e2 * speed * speed - (1.0 - e2) * 2.0 * a * height;
    square.max(0.0).sqrt() - 0.5 * a * dt
}
