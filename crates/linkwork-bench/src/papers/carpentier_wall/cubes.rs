//! The wall of [Carpentier Fig. 1]: fifteen cubes, the heaviest on top, hit by a ball.

use crate::error::BenchError;
use linkwork::math::{MassProperties, Vec3};
use linkwork::model::{
    BodyDef, BodyId, Geometry, Material, Model, ModelBuilder, ShapeDef, ShapeId,
};
use linkwork::rows::RowSource;
use linkwork::scenes::SceneError;
use linkwork::{Control, Settings, Simulator};
use linkwork_solve::Problem;
use std::sync::Arc;

/// Rows of cubes; each is ten times as heavy as the one below, 1 kg to 10⁴ kg.
const ROWS: usize = 5;
/// Cubes in a row. Three columns of five touch in 60 points, the number the paper gives.
const COLUMNS: usize = 3;
/// Half the edge of a cube, m.
const HALF: f64 = 0.1;
/// Gap between columns, m: wider than the contact margin, so that neighbours touch only after the hit.
const GAP: f64 = 0.01;
/// Mass of the ball, kg.
const BALL_MASS: f64 = 1e3;
/// Radius of the ball, m.
const BALL_RADIUS: f64 = 0.2;
/// Speed of the ball, m/s.
const BALL_SPEED: f64 = 5.0;
/// Steps the wall stands before the ball arrives.
const STEPS_BEFORE: usize = 20;
/// Friction coefficient; the paper does not give it.
const FRICTION: f64 = 0.5;
/// Step size, s [Carpentier §V-A].
const DT: f64 = 1e-3;

/// The wall, and the ball that will hit the middle column at the third row from the side.
fn build() -> Result<(Arc<Model>, BodyId), BenchError> {
    let material = Material::with_friction(FRICTION);
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(material));
    let half_extents = Vec3::repeat(HALF);
    let pitch = 2.0 * HALF + GAP;
    for row in 0..ROWS {
        let mass = MassProperties::solid_box(10f64.powi(row as i32), half_extents);
        for column in 0..COLUMNS {
            let y = (column as f64 - 0.5 * (COLUMNS - 1) as f64) * pitch;
            let z = HALF * (2 * row + 1) as f64;
            let cube = BodyDef::new(format!("cube{row}{column}"), mass).at(0.0, y, z);
            let cube = b.add_body(cube);
            let shape = ShapeDef::new(Geometry::Box { half_extents });
            b.add_shape(cube, shape.material(material));
        }
    }
    let ball = MassProperties::solid_sphere(BALL_MASS, BALL_RADIUS);
    let away = HALF + BALL_RADIUS + BALL_SPEED * DT * STEPS_BEFORE as f64;
    let ball = b.add_body(
        BodyDef::new("ball", ball)
            .at(-away, 0.0, HALF * ROWS as f64)
            .twist(Vec3::new(BALL_SPEED, 0.0, 0.0), Vec3::zeros()),
    );
    let geometry = Geometry::Sphere {
        radius: BALL_RADIUS,
    };
    b.add_shape(ball, ShapeDef::new(geometry).material(material));
    Ok((b.build().map_err(SceneError::from)?, ball))
}

/// The problem of a step while the wall stands, and those of the first `count` steps in which the ball
/// touches it, with their names.
pub(super) fn wall(count: usize) -> Result<Vec<(String, Problem)>, BenchError> {
    let (model, ball) = build()?;
    let settings = Settings {
        dt: DT,
        ..Settings::default()
    };
    let control = Control::new(&model);
    let mut simulator = Simulator::new(model, settings)?;
    let mut problems = Vec::new();
    let mut touched = 0;
    for step in 0..STEPS_BEFORE + 10 * count {
        simulator.step(&control)?;
        if impulse_on(&simulator, ball) > 0.0 {
            touched += 1;
            problems.push((format!("hit, step {touched}"), simulator.problem().clone()));
        } else if step == STEPS_BEFORE / 2 {
            problems.push(("standing".to_owned(), simulator.problem().clone()));
        }
        if touched == count {
            break;
        }
    }
    Ok(problems)
}

/// Normal impulses of all contacts of the ball in the last step, N s.
fn impulse_on(simulator: &Simulator, ball: BodyId) -> f64 {
    let shapes = simulator.model().shapes();
    let (sets, lambda) = (&simulator.problem().sets, &simulator.solution().lambda);
    let mut sum = 0.0;
    for (k, source) in simulator.row_sources().iter().enumerate() {
        let RowSource::Contact(key) = source else {
            continue;
        };
        let of_ball = |s: ShapeId| shapes[s.index()].body == Some(ball);
        if of_ball(key.shape_a) || of_ball(key.shape_b) {
            // Rows are (t₁, t₂, n).
            sum += lambda[sets.range(k).end - 1];
        }
    }
    sum
}
