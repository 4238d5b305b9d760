//! The local problem of one contact, by quartic (`nbgs`) and by bisection (`raisim`), against brute force: a fine
//! search over the angle of λ_T with full 3x3 products, refined by halving.

mod body_graphs;

use body_graphs::Random;
use linkwork_solve::solvers::{Contact, EdgeSearch, LeastEnergyRule};
use nalgebra::{Matrix3, Rotation3, Vector3};

type V3 = Vector3<f64>;
type M3 = Matrix3<f64>;

const PROBLEMS: usize = 100_000;
/// Samples of half the edge, besides those that close in on its end.
const ANGLES: usize = 150;

struct Local {
    d: M3,
    z: V3,
    mu: f64,
}

impl Local {
    fn contact(&self) -> Contact {
        let d = std::array::from_fn(|r| std::array::from_fn(|c| self.d[(r, c)]));
        Contact::new(d, self.mu).expect("a definite block")
    }

    fn z(&self) -> [f64; 3] {
        self.z.into()
    }

    fn velocity(&self, lambda: &V3) -> V3 {
        self.d * lambda + self.z
    }

    /// Sticking impulse, by a 3x3 factorisation.
    fn stick(&self) -> V3 {
        -self.d.cholesky().expect("definite").solve(&self.z)
    }

    /// The section of the cone's edge by the plane of zero normal velocity.
    fn edge(&self) -> Edge {
        let row = self.d.row(2);
        let (normal, coupling) = (row[2], self.mu * row[0].hypot(row[1]));
        Edge {
            mu: self.mu,
            push: -self.z.z,
            centre: row[1].atan2(row[0]),
            reach: (-1.0 / (coupling / normal).max(1.0)).acos(),
            coupling,
            least: (normal - coupling).max(0.0),
        }
    }

    /// Scaled natural map of the NCP, relative to the sizes of λ and z.
    fn residual(&self, lambda: &V3) -> f64 {
        let s = 3.0 / self.d.trace();
        let mut v = self.velocity(lambda);
        v.z += self.mu * v.x.hypot(v.y);
        let mut point: [f64; 3] = (lambda - s * v).into();
        linkwork_solve::ImpulseSet::Coulomb { mu: self.mu }.project(&mut point);
        (lambda - V3::from(point)).amax() / (lambda.amax() + s * self.z.amax())
    }
}

/// λ(θ) = λ_N (μ cos θ, μ sin θ, 1) with D_N λ + z_N = 0: an ellipse, or an open curve between two angles, where λ goes
/// to infinity. The angle is measured from its nearer end, so that it is exact there.
struct Edge {
    mu: f64,
    /// −z_N.
    push: f64,
    /// Angle of the middle, half the arc, μ‖D_TN‖, and D_N·(μ e, 1) at the ends.
    centre: f64,
    reach: f64,
    coupling: f64,
    least: f64,
}

impl Edge {
    /// λ and dλ/dθ at the angle `from` (0 … reach) from the end at `side` = ±1.
    fn at(&self, side: f64, from: f64) -> (V3, V3) {
        let theta = self.centre + side * (self.reach - from);
        let (ray, turned) = (
            V3::new(self.mu * theta.cos(), self.mu * theta.sin(), 1.0),
            V3::new(-self.mu * theta.sin(), self.mu * theta.cos(), 0.0),
        );
        // D_N·ray = D_NN + μ‖D_TN‖ cos(reach − from), without cancellation.
        let half = (0.5 * from).sin();
        let rise = self.reach.sin() * from.sin() - 2.0 * self.reach.cos() * half * half;
        let product = self.least + self.coupling * rise;
        let size = self.push / product;
        let slope = size / product * self.coupling * side * (self.reach - from).sin();
        (size * ray, slope * ray + size * turned)
    }

    /// Every λ where `f` changes sign, refined to the last bit.
    fn sign_changes(&self, f: impl Fn(&V3, &V3) -> f64) -> Vec<V3> {
        let mut found = Vec::new();
        for side in [-1.0, 1.0] {
            let value = |from: f64| {
                let (lambda, slope) = self.at(side, from);
                f(&lambda, &slope)
            };
            let step = self.reach / ANGLES as f64;
            let fine = (0..40).map(|i| step * 10f64.powf(-12.0 + 0.3 * f64::from(i)));
            let angles: Vec<f64> = fine.chain((1..=ANGLES).map(|i| step * i as f64)).collect();
            for pair in angles.windows(2) {
                let (mut low, mut high) = (pair[0], pair[1]);
                let below = value(low) < 0.0;
                if below == (value(high) < 0.0) {
                    continue;
                }
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if (value(middle) < 0.0) == below {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                found.push(self.at(side, low).0);
            }
        }
        found
    }
}

/// λ of least energy with zero normal velocity in the cone.
fn brute_force_energy(p: &Local) -> V3 {
    if p.z.z >= 0.0 {
        return V3::zeros();
    }
    if p.mu == 0.0 {
        return V3::new(0.0, 0.0, -p.z.z / p.d[(2, 2)]);
    }
    let stick = p.stick();
    if stick.x.hypot(stick.y) <= p.mu * stick.z {
        return stick;
    }
    let energy = |lambda: &V3| 0.5 * lambda.dot(&(p.d * lambda)) + lambda.dot(&p.z);
    p.edge()
        .sign_changes(|lambda, slope| p.velocity(lambda).dot(slope))
        .into_iter()
        .min_by(|a, b| energy(a).total_cmp(&energy(b)))
        .expect("a minimum on the edge")
}

/// Every λ that obeys Coulomb's law.
fn brute_force_coulomb(p: &Local) -> Vec<V3> {
    if p.z.z >= 0.0 {
        // Open. A large μ may admit sticking or sliding as well; the solver does not look for those.
        return vec![V3::zeros()];
    }
    if p.mu == 0.0 {
        return vec![V3::new(0.0, 0.0, -p.z.z / p.d[(2, 2)])];
    }
    let mut found = Vec::new();
    let stick = p.stick();
    if stick.x.hypot(stick.y) <= p.mu * stick.z {
        found.push(stick);
    }
    // Sliding: σ_T has no part across λ_T, and is opposite to it.
    let across = |lambda: &V3, _: &V3| p.velocity(lambda).xy().perp(&lambda.xy());
    let sliding = p.edge().sign_changes(across).into_iter();
    found.extend(sliding.filter(|l| p.velocity(l).xy().dot(&l.xy()) < 0.0));
    found
}

/// A random definite D with condition number up to 1e6 about random axes, z in the unit cube, μ in [0, 2].
fn random_problem(random: &mut Random) -> Local {
    let mut decade = || 10f64.powf(-3.0 + 3.0 * random.symmetric());
    let spectrum = V3::new(decade(), decade(), 1.0);
    let turn = Rotation3::new(3.0 * random.vector());
    let d = turn * M3::from_diagonal(&spectrum) * turn.inverse();
    Local {
        d: 0.5 * (d + d.transpose()),
        z: random.vector(),
        mu: 1.0 + random.symmetric(),
    }
}

fn relative(a: &V3, b: &V3) -> f64 {
    (a - b).amax() / a.amax().max(b.amax()).max(f64::MIN_POSITIVE)
}

#[test]
fn bisection_and_quartic_find_the_least_energy() {
    let mut random = Random(7);
    let mut worst = [0.0f64; 2];
    for _ in 0..PROBLEMS {
        let p = random_problem(&mut random);
        let known = brute_force_energy(&p);
        let searches = [EdgeSearch::Bisection, EdgeSearch::Quartic];
        for (worst, search) in worst.iter_mut().zip(searches) {
            let local = LeastEnergyRule {
                search,
                ..LeastEnergyRule::default()
            };
            let lambda = V3::from(p.contact().least_energy(&p.z(), 0.0, local));
            *worst = worst.max(relative(&lambda, &known));
        }
    }
    println!("least energy, {PROBLEMS} problems: largest relative errors {worst:.1?}");
    assert!(worst.iter().all(|worst| *worst <= 1e-9), "{worst:?}");
}

#[test]
fn the_quartic_finds_an_impulse_that_obeys_coulombs_law() {
    let mut random = Random(11);
    let (mut worst, mut several, mut residual) = (0.0f64, 0, 0.0f64);
    for _ in 0..PROBLEMS {
        let p = random_problem(&mut random);
        let lambda = V3::from(p.contact().coulomb(&p.z()));
        let all = brute_force_coulomb(&p);
        several += usize::from(all.len() > 1);
        // Where there are several answers any of them will do.
        let error = all
            .iter()
            .map(|l| relative(&lambda, l))
            .fold(f64::INFINITY, f64::min);
        worst = worst.max(error);
        residual = residual.max(p.residual(&lambda));
    }
    println!(
        "Coulomb, {PROBLEMS} problems, {several} with several answers: \
         largest relative error {worst:.1e}, residual {residual:.1e}"
    );
    assert!(worst <= 1e-9 && residual <= 1e-9);
}

const EDGE: &str = "stick on the edge";

/// Both answers of a problem where both laws agree, or where only the exact branch is in question.
fn assert_both(p: &Local, wanted: V3, what: &str) {
    let (quartic, bisection) = (
        V3::from(p.contact().coulomb(&p.z())),
        V3::from(
            p.contact()
                .least_energy(&p.z(), 0.0, LeastEnergyRule::default()),
        ),
    );
    for (name, lambda) in [("quartic", quartic), ("bisection", bisection)] {
        let mut error = relative(&lambda, &wanted);
        if name == "quartic" && what == EDGE {
            // Round-off decides whether this sticks, and if not there may be a sliding answer elsewhere, which
            // is as good: judged by its residual.
            error = error.min(p.residual(&lambda));
        }
        assert!(
            error <= 1e-9,
            "{what}, {name}: {lambda:?}, wanted {wanted:?}"
        );
    }
}

#[test]
fn degenerate_branches_have_their_closed_forms() {
    let mut random = Random(3);
    for _ in 0..1000 {
        let p = random_problem(&mut random);
        let (d, mu) = (p.d, p.mu);
        let normal = d[(2, 2)];
        let with = |z: V3, mu: f64| Local { d, z, mu };
        let down = V3::new(p.z.x, p.z.y, -p.z.z.abs());

        let push = V3::new(0.0, 0.0, -down.z / normal);
        assert_both(&with(down, 0.0), push, "no friction");
        assert_both(&with(-down, mu), V3::zeros(), "open");
        assert_both(
            &with(V3::new(p.z.x, p.z.y, 0.0), mu),
            V3::zeros(),
            "touching",
        );
        assert_both(&with(V3::zeros(), mu), V3::zeros(), "at rest");

        // Sticking inside the cone, on its edge and at no tangential impulse: z = −D λ.
        for (share, what) in [(0.5, "stick"), (1.0, EDGE), (0.0, "no tangential")] {
            let n = 1.0 + p.z.z.abs();
            let t = p.z.xy().normalize() * (share * mu * n);
            let lambda = V3::new(t.x, t.y, n);
            let z = -(d * lambda);
            if z.z < 0.0 {
                assert_both(&with(z, mu), lambda, what);
            }
        }

        // No coupling and an isotropic tangential block: λ_N = −z_N/D_NN, friction along −z_T.
        let (a, n) = (d[(0, 0)], normal);
        let simple = M3::from_diagonal(&V3::new(a, a, n));
        let push = -down.z / n;
        let t = -down.xy() / a;
        let t = t * (mu * push / t.norm()).min(1.0);
        let lambda = V3::new(t.x, t.y, push);
        assert_both(
            &Local {
                d: simple,
                z: down,
                mu,
            },
            lambda,
            "uncoupled, isotropic",
        );
    }
}

#[test]
fn nearly_singular_blocks_leave_no_residual() {
    let mut random = Random(5);
    for exponent in 7..=15 {
        for _ in 0..2000 {
            let turn = Rotation3::new(3.0 * random.vector());
            let least = 10f64.powi(-exponent);
            let d = turn * M3::from_diagonal(&V3::new(least, 0.5, 1.0)) * turn.inverse();
            let p = Local {
                d: 0.5 * (d + d.transpose()),
                z: random.vector(),
                mu: 1.0 + random.symmetric(),
            };
            let lambda = V3::from(p.contact().coulomb(&p.z()));
            // σ = D λ + z cancels numbers of the size of λ, up to 1/least: the residual is relative to both.
            assert!(p.residual(&lambda) <= 1e-12, "{:?}", p.residual(&lambda));
            let energy = V3::from(p.contact().least_energy(
                &p.z(),
                0.0,
                LeastEnergyRule::default(),
            ));
            let reach = p.velocity(&energy).z.abs() / (energy.amax() + p.z.amax());
            let outside = energy.x.hypot(energy.y) - p.mu * energy.z;
            assert!(p.z.z >= 0.0 || reach <= 1e-12, "normal velocity {reach}");
            assert!(outside <= 1e-9 * energy.amax(), "outside by {outside}");
        }
    }
}
