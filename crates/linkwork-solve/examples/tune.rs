//! Scratch.
use linkwork_solve::*;
struct Print;
impl Observer for Print {
    fn iteration(&mut self, i: usize, r: f64) {
        if i < 200 { println!("     {i} {r:.3e}"); }
    }
}
fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap();
    let tol: f64 = args.next().unwrap().parse().unwrap();
    for f in args {
        let p = Problem::load(std::path::Path::new(&f)).unwrap();
        println!("{f} rows {} contacts {}", p.rows(), p.sets.contacts());
        let mut a = solver_by_name(
            &name,
            SolverSettings {
                tolerance: tol,
                max_iterations: 3000,
            },
        )
        .unwrap();
        let mut x = Solution::default();
        let t = std::time::Instant::now();
        let r = if std::env::var("V").is_ok() {
            a.solve(&p, &mut x, &mut Print)
        } else {
            a.solve(&p, &mut x, &mut ())
        };
        println!(
            "  {:?} it {} fac {} res {:.2e} {:.2e} {:.1} us",
            r.status,
            r.iterations,
            r.factorizations,
            r.residuals.natural_scaled,
            r.residuals.natural_velocity,
            t.elapsed().as_secs_f64() * 1e6
        );
    }
}
