//! Scratch.
use linkwork::math::*;
use linkwork::model::*;
use linkwork::*;
fn main() {
    let dt: f64 = std::env::args().nth(1).map_or(1e-3, |s| s.parse().unwrap());
    let mut b = ModelBuilder::new();
    let mp = |l: f64| MassProperties::solid_box(1.0, Vec3::new(l / 2.0, 0.02, 0.02));
    let ground = b.add_body(BodyDef::new("ground", mp(1.0)).at(0.5, 0.0, 0.0));
    let (ax, az) = (0.0, 0.0);
    let (bx, bz) = (0.3, 0.4);
    let (cx, cz) = (1.2, 0.7);
    let (dx, dz) = (1.0, 0.0);
    let link = |b: &mut ModelBuilder, n: &str, x0: f64, z0: f64, x1: f64, z1: f64| {
        let l = ((x1 - x0).powi(2) + (z1 - z0).powi(2)).sqrt();
        let p = Pose::at((x0 + x1) / 2.0, 0.0, (z0 + z1) / 2.0).rotated(Vec3::new(
            0.0,
            -(z1 - z0).atan2(x1 - x0),
            0.0,
        ));
        b.add_body(BodyDef::new(n, mp(l)).pose(p))
    };
    let crank = link(&mut b, "crank", ax, az, bx, bz);
    let coupler = link(&mut b, "coupler", bx, bz, cx, cz);
    let rocker = link(&mut b, "rocker", cx, cz, dx, dz);
    b.add_joint(JointDef::fixed("base", None, ground));
    b.add_joint(
        JointDef::revolute("A", ground, crank)
            .anchor(ax, 0.0, az)
            .axis(0.0, 1.0, 0.0),
    );
    b.add_joint(
        JointDef::revolute("B", crank, coupler)
            .anchor(bx, 0.0, bz)
            .axis(0.0, 1.0, 0.0),
    );
    b.add_joint(
        JointDef::revolute("C", coupler, rocker)
            .anchor(cx, 0.0, cz)
            .axis(0.0, 1.0, 0.0),
    );
    b.add_joint(
        JointDef::revolute("D", rocker, ground)
            .anchor(dx, 0.0, dz)
            .axis(0.0, 1.0, 0.0),
    );
    let model = b.build().unwrap();
    let mut sim = Simulator::new(
        model.clone(),
        Settings {
            dt,
            ..Settings::default()
        },
    )
    .unwrap();
    let control = Control::new(&model);
    let mut worst = (0.0f64, 0.0f64);
    let mut passes = 0;
    let mut its = 0;
    let mut fails = 0;
    let mut t = Timings::default();
    let n = (10.0 / dt) as usize;
    let t0 = std::time::Instant::now();
    for _ in 0..n {
        let r = sim.step(&control).unwrap();
        worst.0 = worst.0.max(r.closure_linear);
        worst.1 = worst.1.max(r.closure_angular);
        passes += r.closure_passes;
        its += r.iterations;
        t.add(&r.timings);
        if r.status != linkwork_solve::Status::Converged {
            fails += 1;
            if fails < 5 {
                println!("{:?}", r);
            }
        }
    }
    let s = t0.elapsed().as_secs_f64();
    println!(
        "closure {:e} {:e} passes {} its {} fails {} steps/s {} timings {:?}",
        worst.0,
        worst.1,
        passes as f64 / n as f64,
        its as f64 / n as f64,
        fails,
        n as f64 / s,
        t
    );
    println!("{:?}", sim.state().poses[1]);
}
