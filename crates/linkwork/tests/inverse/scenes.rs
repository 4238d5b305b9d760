//! Built-in scenes, forward and back.

use crate::support::{Ran, torque_error};
use linkwork::Run;
use linkwork::inverse::InverseSettings;
use linkwork::math::Vec3;
use linkwork::reactions::ContactForce;
use linkwork_scenes::scene;

fn ran(name: &str, steps: usize) -> Ran {
    Ran::of(&mut Run::of(scene(name, &[]).unwrap()).unwrap(), steps, 23)
}

/// Forward steps are explained completely: there is no residual, and unique torques are those that acted.
#[test]
fn steps_of_scenes_are_inverted() {
    let names = [
        "box_on_plane",
        "boxes_fixed",
        "nunchuk",
        "fourbar_fixed",
        "fourbar_free",
        "arm7",
        "quadruped",
        "biped14",
        "humanoid20",
        "figure22",
        "walker31",
        "figure38",
        "pendulum",
        "slider_crank",
        "coupled_fourbars",
        "gear_train",
        "spinning_top",
        "free_body",
        "ball",
        "dominoes",
    ];
    for name in names {
        let ran = ran(name, 300);
        let largest = ran.largest_torque();
        for (acted, found) in ran.invert(InverseSettings::default(), false) {
            let (t, left) = (found.time, found.unexplained);
            assert!(
                found.is_feasible(),
                "{name} at {t} s: {left:e} {}",
                found.status
            );
            let error = torque_error(acted, &found, false);
            assert!(error <= 1e-6 * largest, "{name} at {t} s: {error:e} N m");
        }
    }
}

/// A robot on its feet: the drives of its legs and the contacts share loads in many ways. The resultant of the contacts is
/// that of the run, and near its contact forces the torques are those that acted.
#[test]
fn standing_robots_have_the_resultants_that_acted() {
    for name in ["quadruped", "biped14", "humanoid20"] {
        let ran = ran(name, 600);
        let largest = ran.largest_torque();
        let (mut open, mut loaded) = (0, 0);
        for (acted, found) in ran.invert(InverseSettings::default(), false) {
            let [want, have] = [&acted.contacts, &found.contacts].map(|c| resultant(c));
            let size = want[0].norm().max(1e-3);
            for (want, have) in want.iter().zip(&have) {
                let error = (want - have).norm();
                assert!(
                    error <= 1e-8 * size,
                    "{name} at {} s: {error:e}",
                    found.time
                );
            }
            loaded += usize::from(want[0].norm() > 0.0);
            open += usize::from(found.determined.iter().any(|d| !d));
        }
        assert!(loaded > 5 && open > 5, "{name} must stand: {loaded} {open}");
        for (acted, found) in ran.invert(InverseSettings::default(), true) {
            assert!(found.is_feasible());
            let error = torque_error(acted, &found, true);
            assert!(error <= 1e-6 * largest, "{name}: {error:e} N m");
        }
    }
}

/// Sum of the impulses on bodies B, and of their moments about the origin.
fn resultant(contacts: &[ContactForce]) -> [Vec3; 2] {
    contacts.iter().fold([Vec3::zeros(); 2], |[p, l], c| {
        [p + c.impulse, l + c.contact.point.cross(&c.impulse)]
    })
}
