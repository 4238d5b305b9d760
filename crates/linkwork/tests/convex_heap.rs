//! Many contacts under the convex relaxation. A falling heap: every step is solved, and two methods that share no iteration agree. Hands that hold a
//! jar: every step is solved, in few iterations.

use linkwork::{Control, Simulator};
use linkwork_scenes::scene;
use linkwork_solve::{ContactModel, SolverSettings, Status, residuals, solver_by_name};

/// Steps of 10 ms: bodies fall, pile up and come to rest.
const STEPS: usize = 140;
const BODIES: f64 = 60.0;

/// The velocities of the convex problem are unique, as its cost is strictly convex in them. A residual of the natural
/// map, in m/s, corresponds to a larger error of the velocities where contacts are about to open or slip: 4.9e-4 m/s
/// were seen at 1e-6. So both are solved to a smaller tolerance than the scene's.
const TOLERANCE: f64 = 1e-7;

#[test]
fn velocities_are_those_of_the_reference() {
    let heap = scene("heap", &[("n", BODIES)]).unwrap();
    assert_eq!(heap.settings.solver, "condensed-ccp");
    let mut simulator = Simulator::new(heap.model.clone(), heap.settings.clone()).unwrap();
    let control = Control::new(&heap.model);
    let (mut compared, mut largest, mut most_rows) = (0, 0.0f64, 0);
    for step in 0..STEPS {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged, "step {step}");
        if step % 20 != 19 {
            continue;
        }
        let problem = simulator.problem();
        most_rows = most_rows.max(problem.rows());
        let solve = |name: &str| {
            let settings = SolverSettings {
                tolerance: TOLERANCE,
                ..SolverSettings::default()
            };
            let mut x = Default::default();
            let mut solver = solver_by_name(name, settings).unwrap();
            let report = solver.solve(problem, &mut x, &mut ());
            assert_eq!(report.status, Status::Converged, "{name}, step {step}");
            assert!(residuals(problem, &x, ContactModel::Ccp).meets(TOLERANCE));
            x
        };
        let (ours, wanted) = (solve("condensed-ccp"), solve("clarabel"));
        for (a, b) in ours.u_plus.iter().zip(&wanted.u_plus) {
            largest = largest.max((a - b).abs());
        }
        compared += 1;
    }
    println!("{compared} steps of up to {most_rows} rows: velocities differ by {largest:.1e}");
    assert!(compared >= 7 && most_rows > 300, "{compared} {most_rows}");
    assert!(largest < 1e-4, "{largest:.1e}");
}

/// Two hands of 16 joints take the jar and its lid, whose plug is pressed into it: up to 160 contacts on bodies with joints. Newton's method on
/// the active set alone took hundreds of iterations per step from 2.3 s on, and did not solve one of the steps.
#[test]
fn hands_on_a_jar_are_solved_in_few_iterations() {
    let mut hands = scene("dual_arm", &[]).unwrap();
    let tolerance = hands.settings.solve.tolerance;
    let mut simulator = Simulator::new(hands.model.clone(), hands.settings.clone()).unwrap();
    let mut control = Control::new(&hands.model);
    let script = hands.script.as_mut().expect("the task");
    let (mut steps, mut iterations, mut contacts) = (0, 0, 0);
    while simulator.state().time < 3.6 {
        script(&hands.model, simulator.state(), &mut control);
        let report = simulator.step(&control).unwrap();
        let at = simulator.state().time;
        assert_eq!(report.status, Status::Converged, "{at} s");
        assert!(report.residuals.meets(tolerance), "{at} s");
        contacts = contacts.max(report.contacts);
        if at > 2.3 {
            steps += 1;
            iterations += report.iterations;
        }
    }
    assert!(contacts > 100, "{contacts} contacts");
    assert!(
        iterations <= 40 * steps,
        "{iterations} iterations in {steps} steps"
    );
}
