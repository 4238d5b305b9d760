//! The problems of the scene `wall`: [Carpentier Fig. 1].

use crate::error::BenchError;
use linkwork::model::ShapeId;
use linkwork::rows::RowSource;
use linkwork::{Control, Simulator};
use linkwork_scenes::scene;
use linkwork_solve::Problem;

/// A step at which the wall still stands; the ball arrives after 20.
const STANDING: usize = 10;
/// Number of steps within which the ball has arrived and left, per examined problem.
const MOST: usize = 20;

/// The problem of a step while the wall stands, and those of the first `count` steps in which the ball
/// touches it, with their names.
pub(super) fn wall(count: usize) -> Result<Vec<(String, Problem)>, BenchError> {
    let scene = scene("wall", &[])?;
    let control = Control::new(&scene.model);
    let mut simulator = Simulator::new(scene.model, scene.settings)?;
    let mut problems = Vec::new();
    let mut touched = 0;
    for step in 0..STANDING + MOST * count {
        simulator.step(&control)?;
        if impulse_on(&simulator, "ball") > 0.0 {
            touched += 1;
            problems.push((format!("hit, step {touched}"), simulator.problem().clone()));
        } else if step == STANDING {
            problems.push(("standing".to_owned(), simulator.problem().clone()));
        }
        if touched == count {
            break;
        }
    }
    Ok(problems)
}

/// Normal impulses of all contacts of the body called `name` in the last step, N s.
fn impulse_on(simulator: &Simulator, name: &str) -> f64 {
    let (bodies, shapes) = (simulator.model().bodies(), simulator.model().shapes());
    let (sets, lambda) = (&simulator.problem().sets, &simulator.solution().lambda);
    let mut sum = 0.0;
    for (k, source) in simulator.row_sources().iter().enumerate() {
        let RowSource::Contact(key) = source else {
            continue;
        };
        let body = |s: ShapeId| shapes[s.index()].body;
        let named = |s| body(s).is_some_and(|b| bodies[b.index()].name == name);
        if named(key.shape_a) || named(key.shape_b) {
            // Rows are (t₁, t₂, n).
            sum += lambda[sets.range(k).end - 1];
        }
    }
    sum
}
