//! The papers' measures of answers that are wrong in a known way, against values found by hand.

use linkwork_solve::{BlockCsr6, BlockDiag6, ImpulseSet, ImpulseSets, Measures, Operator, Problem};

const MASS: f64 = 2.0;

/// A body of 2 kg with rows along x, y and z through its centre, so that D = 1/2 for each: a contact (x, y, z), or rows of their own.
fn point(sets: &[ImpulseSet], u_free: [f64; 3], compliance: f64) -> Problem {
    let one = [1., 0., 0., 0., 1., 0., 0., 0., 1.];
    let mut mass = BlockDiag6::new();
    mass.push_rigid(MASS, &one, &one);
    let mut jacobian = BlockCsr6::new(1);
    let mut all = ImpulseSets::new();
    let mut next = 0;
    for set in sets {
        let rows: Vec<[f64; 6]> = (next..next + set.dim())
            .map(|i| std::array::from_fn(|k| f64::from(u8::from(k == i))))
            .collect();
        next += set.dim();
        jacobian.push_block(set.dim());
        jacobian.push_entry(0, &rows);
        all.push(*set);
    }
    let [x, y, z] = u_free;
    Problem {
        dt: 1e-3,
        operator: Operator::Bodies {
            mass,
            jacobian,
            u_free: vec![x, y, z, 0.0, 0.0, 0.0],
        },
        v_bias: vec![0.0; next],
        compliance: vec![compliance; next],
        sets: all,
    }
}

fn assert_near(got: f64, wanted: f64, what: &str) {
    assert!((got - wanted).abs() < 1e-12, "{what}: {got}, not {wanted}");
}

const CONTACT: [ImpulseSet; 1] = [ImpulseSet::Coulomb { mu: 0.5 }];

#[test]
fn every_measure_of_a_solution_vanishes() {
    // λ stops the body, within the cone.
    let m = Measures::of(&point(&CONTACT, [0.2, 0.0, -3.0], 0.0), &[-0.4, 0.0, 6.0]);
    for (value, what) in [
        (m.r_dual, "r_dual"),
        (m.r_ncp, "r_ncp"),
        (m.r_nat, "r_nat"),
        (m.e_m, "e_m"),
        (m.e_mu, "e_mu"),
    ] {
        assert_near(value, 0.0, what);
    }
}

#[test]
fn a_contact_that_is_stopped_too_little() {
    // u = u_f + λ/m = σ = (0.7, 0, −1), v̂ = (0.7, 0, −1 + μ 0.7) = (0.7, 0, −0.65).
    let problem = point(&CONTACT, [1.0, 0.0, -3.0], 0.0);
    let m = Measures::of(&problem, &[-0.6, 0.0, 4.0]);
    // On the edge (1, μ)/√(1 + μ²) of K* the nearest point is (0.3, 0, 0.15): off by (0.4, 0, −0.8).
    assert_near(m.r_dual, 0.8, "r_dual");
    // λᵀv̂ = −0.42 − 2.6.
    assert_near(m.r_ncp, 3.02, "r_ncp");
    // λ − v̂ = (−1.3, 0, 4.65) lies in K, so that v̂ remains.
    assert_near(m.r_nat, 0.7, "r_nat");
    // Hard rows imply no other impulse.
    assert_near(m.e_m, 0.0, "e_m");
    // |σᵀλ| = 4.42 over ½ m ‖Δu‖² = 0.09 + 4.
    assert_near(m.e_mu, 4.42 / 4.09, "e_mu");
}

#[test]
fn the_natural_map_projects_what_leaves_the_cone() {
    // σ = (3, 0, 0), v̂ = (3, 0, 1.5), on the edge of K*. λ = 0: 0 − v̂ lies in −K*, whose projection on K is 0.
    let open = Measures::of(&point(&CONTACT, [3.0, 0.0, 0.0], 0.0), &[0.0; 3]);
    assert_near(open.r_dual, 0.0, "r_dual");
    assert_near(open.r_nat, 0.0, "r_nat");
    // λ = (0, 0, 2): v = (3, 0, 1), v̂ = (3, 0, 2.5). λ − v̂ = (−3, 0, −0.5) is projected on the edge (−μ, 0, 1)/√1.25 of K: its share is (1.5 − 0.5)/1.25
    // = 0.8, the point (−0.4, 0, 0.8), and λ is off it by (0.4, 0, 1.2).
    let m = Measures::of(&point(&CONTACT, [3.0, 0.0, 0.0], 0.0), &[0.0, 0.0, 2.0]);
    assert_near(m.r_nat, 1.2, "r_nat");
    assert_near(m.r_ncp, 5.0, "r_ncp");
    assert_near(m.r_dual, 0.0, "r_dual");
}

#[test]
fn joints_and_limits_count_by_their_own_cones() {
    // A joint with σ = 0.25, a limit that pushes with 1 N s while it opens at 0.5 m/s, one that closes at 2 m/s.
    let sets = [
        ImpulseSet::Free { dim: 1 },
        ImpulseSet::NonNegative,
        ImpulseSet::NonNegative,
    ];
    let m = Measures::of(&point(&sets, [0.25, 0.0, -2.0], 0.0), &[0.0, 1.0, 0.0]);
    assert_near(m.r_dual, 2.0, "r_dual");
    assert_near(m.r_ncp, 0.5, "r_ncp");
    // |σ| of the joint and of the closing limit; min(λ, σ) of the other.
    assert_near(m.r_nat, 2.0, "r_nat");
    // No contact has any work to count.
    assert_near(m.e_mu, 0.0, "e_mu");
}

#[test]
fn velocities_imply_the_impulses_of_compliant_contacts() {
    // R = 1/2: u_n = −2.5, σ_n = −2.5 + 0.5 = −2, and γ_n = 2.5/R = 5 where λ_n = 1.
    let problem = point(&CONTACT, [0.0, 0.0, -3.0], 0.5);
    let m = Measures::of(&problem, &[0.0, 0.0, 1.0]);
    // |m Δu − γ| = 4 over max(m |u|, γ) = 5.
    assert_near(m.e_m, 0.8, "e_m");
    // |σᵀλ| = 2 over ½ m Δu² + ½ R λ² = 0.25 + 0.25.
    assert_near(m.e_mu, 4.0, "e_mu");
    // The answer: m (u + 3) = γ = −2u, u = −1.5.
    let m = Measures::of(&problem, &[0.0, 0.0, 3.0]);
    assert_near(m.e_m, 0.0, "e_m");
    assert_near(m.e_mu, 0.0, "e_mu");
}
