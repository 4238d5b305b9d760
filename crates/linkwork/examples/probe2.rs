//! Scratch.
use linkwork::math::*;
use linkwork::model::*;
use linkwork::*;
fn run(name: &str, model: std::sync::Arc<Model>, s: Settings, time: f64, verbose: bool) {
    let dt = s.dt;
    let mut sim = Simulator::new(model.clone(), s).unwrap();
    let control = Control::new(&model);
    let n = (time / dt).round() as usize;
    let (mut its, mut fails, mut t, mut maxit, mut facs) = (0, 0, Timings::default(), 0, 0);
    let (mut res, mut pen, mut contacts) = (0.0f64, 0.0f64, 0);
    let t0 = std::time::Instant::now();
    for i in 0..n {
        let r = sim.step(&control).unwrap();
        its += r.iterations;
        t.add(&r.timings);
        maxit = maxit.max(r.iterations);
        facs += r.factorizations;
        contacts += r.contacts;
        res = res.max(r.residuals.scaled());
        pen = pen.max(r.penetration);
        if r.status != linkwork_solve::Status::Converged {
            fails += 1;
            if fails < 3 {
                println!("{i} {:?} {:?} it {}", r.status, r.residuals, r.iterations);
            }
        }
        if let Ok(d) = std::env::var("DUMP") {
            if i == 0 || i == 40 || i == 100 || i == 300 {
                sim.problem()
                    .save(std::path::Path::new(&format!(
                        "{d}/{}_{i}.json",
                        name.replace(' ', "_")
                    )))
                    .unwrap();
            }
        }
        if verbose && i % (n / 10).max(1) == 0 {
            println!(
                "  {i} it {} c {} pen {:.2e} ke {:.3e}",
                r.iterations,
                r.contacts,
                r.penetration,
                metrics::kinetic_energy(&model, sim.state())
            );
        }
    }
    let s = t0.elapsed().as_secs_f64();
    println!(
        "{name}: it {:.2} max {maxit} fac {:.2} fails {fails} res {res:.2e} pen {pen:.2e} contacts {:.1} steps/s {:.0}  us: col {:.1} rows {:.1} solve {:.1} clos {:.1} int {:.1} ke {:.2e}",
        its as f64 / n as f64,
        facs as f64 / n as f64,
        contacts as f64 / n as f64,
        n as f64 / s,
        t.collision / n as f64 * 1e6,
        t.rows / n as f64 * 1e6,
        t.solve / n as f64 * 1e6,
        t.closure / n as f64 * 1e6,
        t.integrate / n as f64 * 1e6,
        metrics::kinetic_energy(&model, sim.state())
    );
    println!(
        "   last body {:?} {:?}",
        sim.state().poses.last().unwrap().position,
        sim.state().twists.last().unwrap().linear
    );
}
fn stack(n: usize, ratio: f64) -> std::sync::Arc<Model> {
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    let h = Vec3::repeat(0.1);
    for i in 0..n {
        let m = ratio.powf(i as f64 / (n - 1) as f64);
        let id = b.add_body(
            BodyDef::new(format!("b{i}"), MassProperties::solid_box(m, h)).at(
                0.0,
                0.0,
                0.1 + 0.2 * i as f64,
            ),
        );
        b.add_shape(id, ShapeDef::new(Geometry::Box { half_extents: h }));
    }
    b.build().unwrap()
}
fn clutter(n: usize) -> std::sync::Arc<Model> {
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    for (i, ax) in [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y()]
        .iter()
        .enumerate()
    {
        b.add_shape(
            None,
            ShapeDef::new(Geometry::HalfSpace)
                .name(format!("w{i}"))
                .pose(Pose::new(-0.25 * ax, rotation_between(&Vec3::z(), ax))),
        );
    }
    let mut seed = 12345u64;
    let mut rnd = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    for i in 0..n {
        let (ix, iy, iz) = (i % 3, (i / 3) % 3, i / 9);
        let p = Pose::at(
            -0.15 + 0.15 * ix as f64 + 0.02 * rnd(),
            -0.15 + 0.15 * iy as f64 + 0.02 * rnd(),
            0.1 + 0.15 * iz as f64,
        )
        .rotated(Vec3::new(rnd(), rnd(), rnd()) * 2.0);
        let (mp, g) = match i % 4 {
            0 => (
                MassProperties::solid_sphere(0.5, 0.05),
                Geometry::Sphere { radius: 0.05 },
            ),
            1 => (
                MassProperties::solid_box(0.5, Vec3::new(0.06, 0.04, 0.05)),
                Geometry::Box {
                    half_extents: Vec3::new(0.06, 0.04, 0.05),
                },
            ),
            2 => (
                MassProperties::solid_capsule(0.5, 0.03, 0.04),
                Geometry::Capsule {
                    radius: 0.03,
                    half_length: 0.04,
                },
            ),
            _ => (
                MassProperties::solid_cylinder(0.5, 0.04, 0.05),
                Geometry::Cylinder {
                    radius: 0.04,
                    half_length: 0.05,
                },
            ),
        };
        let id = b.add_body(BodyDef::new(format!("b{i}"), mp).pose(p));
        b.add_shape(id, ShapeDef::new(g));
    }
    b.build().unwrap()
}
fn main() {
    let which = std::env::args().nth(1).unwrap_or("all".into());
    let tol: f64 = std::env::args().nth(2).map_or(1e-8, |s| s.parse().unwrap());
    let set = |dt: f64| {
        let mut s = Settings {
            dt,
            ..Settings::default()
        };
        s.solve.tolerance = tol;
        if let Ok(n) = std::env::var("SOLVER") {
            s.solver = n;
        }
        s
    };
    if which == "stack" || which == "all" {
        run("stack 10ms", stack(10, 1e4), set(1e-2), 5.0, false);
        run("stack 1ms", stack(10, 1e4), set(1e-3), 5.0, false);
    }
    if which == "box" || which == "all" {
        for dt in [1e-3, 1e-2] {
            let sc = scenes::scene("box_on_plane", &[("slope", (0.45f64).atan())]).unwrap();
            run("stick", sc.model, set(dt), 2.0, false);
            let sc = scenes::scene("box_on_plane", &[("speed", 5.0)]).unwrap();
            run("slide", sc.model, set(dt), 0.5, false);
        }
    }
    if which == "clutter" || which == "all" {
        run("clutter40", clutter(40), set(1e-2), 10.0, true);
    }
}
