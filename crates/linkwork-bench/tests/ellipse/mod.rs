//! An ellipse on a table in the plane: three velocities, one contact, its cases tried one by one. Written
//! from [Anitescu eq. 2.10] and independent of the simulator.

const H: f64 = 0.05;
const MU: f64 = 0.3;
const A: f64 = 4.0;
const C: f64 = 2.0;

/// Which gaps are contacts, and the condition on v_n.
#[derive(Clone, Copy)]
pub enum Rule {
    /// Ours: every gap may close, overlap is removed by this gain.
    Foreseeing(f64),
    /// The paper's: gaps to 0.3 m, Δ = φ/h times this gain for gap and overlap alike.
    Near(f64),
}

impl Rule {
    /// Δ at gap φ, m/s; infinite where there is no contact.
    fn bias(self, gap: f64) -> f64 {
        match self {
            Rule::Foreseeing(gain) => (gap.max(0.0) + gain * gap.min(0.0)) / H,
            Rule::Near(gain) if gap <= 0.3 => gain * gap / H,
            Rule::Near(_) => f64::INFINITY,
        }
    }
}

/// Overlap with the table at the start and after each of 400 steps, m.
pub fn overlaps(rule: Rule) -> Vec<f64> {
    let mass = 10.0 * std::f64::consts::PI * A * C;
    let inverse = [1.0 / mass, 1.0 / mass, 4.0 / (mass * (A * A + C * C))];
    // (x, z, angle from x to z).
    let mut q = [0.0, 8.0, 0.0];
    let mut v = [0.0, 0.0, 3.0];
    let mut overlaps = vec![0.0];
    for _ in 0..400 {
        let (gap, foot) = lowest(&q);
        v[1] -= H * 9.81;
        // Rows of the contact, at the middle between ellipse and table.
        let arm = -(q[1] - 0.5 * gap);
        let rows = [[1.0, 0.0, -arm], [0.0, 1.0, foot]];
        let [t, n] = impulse(&inverse, &rows, &v, rule.bias(gap));
        for i in 0..3 {
            v[i] += inverse[i] * (rows[0][i] * t + rows[1][i] * n);
            q[i] += H * v[i];
        }
        overlaps.push((-lowest(&q).0).max(0.0));
    }
    overlaps
}

/// Height of the lowest point, and how far right of the centre it is, m.
fn lowest(q: &[f64; 3]) -> (f64, f64) {
    let (s, c) = q[2].sin_cos();
    let reach = (A * s).hypot(C * c);
    // Support point of the ellipse downwards.
    let (along, across) = (-A * A * s / reach, -C * C * c / reach);
    (q[1] - reach, c * along - s * across)
}

/// (tangential, normal) impulse: none, sticking, or sliding one way or the other.
fn impulse(inverse: &[f64; 3], rows: &[[f64; 3]; 2], v: &[f64; 3], bias: f64) -> [f64; 2] {
    let product =
        |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|i| a[i] * inverse[i] * b[i]).sum::<f64>();
    let along = |row: &[f64; 3]| (0..3).map(|i| row[i] * v[i]).sum::<f64>();
    let [t, n] = rows;
    let (tt, tn, nn) = (product(t, t), product(t, n), product(n, n));
    let (slip, approach) = (along(t), along(n) + bias);
    if approach >= 0.0 {
        return [0.0, 0.0];
    }
    let det = tt * nn - tn * tn;
    let stick = [
        (-slip * nn + approach * tn) / det,
        (-approach * tt + slip * tn) / det,
    ];
    if stick[1] >= 0.0 && stick[0].abs() <= MU * stick[1] {
        return stick;
    }
    let slide = |side: f64| {
        let normal = -approach / (nn + side * MU * tn);
        [side * MU * normal, normal]
    };
    let opposes = |[t, n]: [f64; 2]| n >= 0.0 && (slip + tt * t + tn * n) * t <= 0.0;
    let sides = [slide(1.0), slide(-1.0)];
    sides
        .into_iter()
        .find(|i| opposes(*i))
        .expect("the contact has a solution")
}
