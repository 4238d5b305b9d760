//! A ball rolls off a table: a ray downwards from it, its distance to the ground, its contacts and contact events.

use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, Geometry, ModelBuilder, ShapeDef};
use linkwork::{ContactEvents, Control, Settings, Simulator};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).name("ground"));
    let top = Geometry::Box {
        half_extents: Vec3::new(0.5, 0.5, 0.02),
    };
    b.add_shape(
        None,
        ShapeDef::new(top)
            .name("table")
            .pose(Pose::at(0.0, 0.0, 0.7)),
    );
    let mass = MassProperties::solid_sphere(0.5, 0.05);
    let ball = BodyDef::new("ball", mass).at(0.0, 0.0, 0.77);
    // It rolls: its lowest point is at rest.
    let ball = b.add_body(ball.twist(Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 20.0, 0.0)));
    b.add_shape(
        ball,
        ShapeDef::new(Geometry::Sphere { radius: 0.05 }).name("ball"),
    );
    let model = b.build()?;
    let mut simulator = Simulator::new(model.clone(), Settings::default())?;
    let (control, mut events) = (Control::new(&model), ContactEvents::default());
    for step in 0..1000 {
        simulator.step(&control)?;
        let (time, state) = (simulator.state().time, simulator.state().clone());
        for event in events.update(&simulator) {
            let names = event
                .shapes
                .map(|s| model.shapes()[s.index()].name.as_str());
            println!(
                "{time:.3} s: {} {} to touch",
                names.join(" and "),
                if event.began { "begin" } else { "end" }
            );
        }
        if step % 200 == 0 {
            let at = state.poses[ball.index()].position;
            let below = model
                .cast_ray(&state, at, -Vec3::z(), 10.0, Some(ball))
                .ok_or("nothing below")?;
            let free = simulator
                .body_distance(ball, None, 10.0)
                .ok_or("far away")?;
            println!(
                "{time:.3} s: {} is {:.3} m below its centre, the nearest surface {:.3} m away",
                model.shapes()[below.shape.index()].name,
                below.distance,
                free.gap
            );
            for (_, force) in simulator.contacts_of(ball) {
                println!("         a contact pushes it with {:.2} N", force.norm());
            }
        }
    }
    Ok(())
}
