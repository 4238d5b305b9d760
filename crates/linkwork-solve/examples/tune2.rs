//! Scratch.
use linkwork_solve::solvers::*;
use linkwork_solve::*;
fn main() {
    for f in std::env::args().skip(1) {
        let p = Problem::load(std::path::Path::new(&f)).unwrap();
        println!("{f} rows {} contacts {}", p.rows(), p.sets.contacts());
        for aa in [0, 5, 10, 20] {
            for omega in [1.0, 1.6] {
                for rho in [1e-4, 1e-3, 1e-2, 0.1, 1.0] {
                    let mut line = format!("  aa {aa:2} w {omega} rho {rho:7}");
                    for tol in [1e-4, 1e-6, 1e-8] {
                        let s = AdmmSettings {
                            common: SolverSettings {
                                tolerance: tol,
                                max_iterations: 2000,
                            },
                            initial_penalty: rho,
                            penalty: PenaltyRule::Fixed,
                            over_relaxation: omega,
                            anderson: aa,
                            ..Default::default()
                        };
                        let mut a = Admm::new(s);
                        let mut x = Solution::default();
                        let t = std::time::Instant::now();
                        let r = a.solve(&p, &mut x, &mut ());
                        line += &format!(
                            "   {tol:.0e}: {:4} {:.1}us",
                            if r.status == Status::Converged {
                                r.iterations.to_string()
                            } else {
                                "-".into()
                            },
                            t.elapsed().as_secs_f64() * 1e6 / r.iterations as f64
                        );
                    }
                    println!("{line}");
                }
            }
        }
    }
}
