//! Random mechanisms: trees of boxes closed to up to six loops, with every joint type there is.
//!
//! Joints are placed between bodies at their positions, so that all loops are closed at the start. A third of the
//! mechanisms is planar, with parallel hinges: their loops move and are hyperstatic by three rows each. Doors with a
//! second hinge on the axis of the first are hyperstatic too. Spatial loops of arbitrary joints are mostly immobile,
//! like trusses.

use super::random::Random;
use super::recipe::{Link, Part, Recipe};
use linkwork::joints::{self, Distance, JointType, Screw, Unit};
use linkwork::math::{Pose, Quat, Twist, Vec3};
use linkwork::model::{Axis, Drive, Limits, Spring};
use linkwork::{Settings, Simulator};
use std::sync::Arc;

/// Most loops.
pub const MAX_LOOPS: usize = 6;

/// What is decided of a mechanism as a whole.
#[derive(Clone, Copy)]
struct Form {
    planar: bool,
    /// Hangs on the world; else it tumbles.
    grounded: bool,
    driven: bool,
}

/// The mechanism `index` of the campaign `seed`.
pub fn generate(seed: u64, index: u64) -> Recipe {
    let mut random = Random::new(seed, index);
    let r = &mut random;
    let form = Form {
        planar: r.chance(0.35),
        grounded: r.chance(0.7),
        driven: r.chance(0.4),
    };
    let count = 1 + r.below(9);
    let mut recipe = Recipe {
        parts: Vec::new(),
        links: Vec::new(),
        floor: None,
        surface: [r.between(0.0, 1.0), if r.chance(0.3) { 0.5 } else { 0.0 }],
        touching: r.chance(0.3),
        gravity: if r.chance(0.9) { -9.81 } else { 0.0 },
    };
    // Masses within one mechanism span up to four decades.
    let span = r.between(0.0, 2.0);
    for i in 0..count {
        let base = match i {
            0 => None,
            _ => Some(r.below(i)),
        };
        let from = base.map_or(Vec3::zeros(), |p: usize| recipe.parts[p].pose.position);
        recipe.parts.push(part(r, form.planar, from, span));
        if i > 0 || form.grounded {
            let kind = tree_kind(r, form.planar);
            let link = joint(r, &recipe, kind, base, i, form);
            recipe.links.push(link);
        }
    }
    for _ in 0..r.below(MAX_LOOPS + 1) {
        close(r, &mut recipe, form);
    }
    if !form.grounded {
        tumble(r, &mut recipe);
    }
    if r.chance(0.5) {
        recipe.floor = Some(lowest(&recipe) - r.between(0.02, 0.5));
    }
    recipe.touching &= !overlaps(&recipe);
    recipe
}

/// Whether parts overlap at the start: removing the overlap would add energy by design.
fn overlaps(recipe: &Recipe) -> bool {
    let Ok(model) = recipe.build() else {
        return true;
    };
    let simulator = Simulator::new(model, Settings::default());
    simulator.is_ok_and(|mut s| s.detect_contacts().iter().any(|c| c.gap < 0.0))
}

fn part(r: &mut Random, planar: bool, from: Vec3, span: f64) -> Part {
    let mut step = 0.5 * r.vector();
    let rotation = if planar {
        step.y = 0.0;
        Quat::from_scaled_axis(Vec3::y() * r.between(-3.0, 3.0))
    } else {
        r.rotation()
    };
    Part {
        mass: r.decades(-span, span),
        half: Vec3::from_fn(|_, _| r.decades(-1.7, -0.7)),
        pose: Pose::new(from + step, rotation),
        twist: Twist::zero(),
    }
}

/// A joint of the tree: in a plane a hinge or a slide, in space any.
fn tree_kind(r: &mut Random, planar: bool) -> Arc<dyn JointType> {
    if planar {
        let name = if r.chance(0.85) {
            "revolute"
        } else {
            "prismatic"
        };
        return joints::by_name(name).expect("a plain type");
    }
    any_kind(r)
}

fn any_kind(r: &mut Random) -> Arc<dyn JointType> {
    // Hinges are what most mechanisms are made of.
    if r.chance(0.3) {
        return joints::by_name("revolute").expect("a plain type");
    }
    let all = joints::all();
    let kind = all[r.below(all.len())].clone();
    match kind.name() {
        "screw" => Arc::new(Screw {
            pitch: r.between(-0.05, 0.05),
        }),
        "distance" => Arc::new(Distance {
            length: r.between(0.05, 0.8),
        }),
        _ => kind,
    }
}

/// One more joint between two parts, or a part and the world.
fn close(r: &mut Random, recipe: &mut Recipe, form: Form) {
    // A door: a second hinge on the axis of the first.
    if !recipe.links.is_empty() && r.chance(0.2) {
        let link = recipe.links[r.below(recipe.links.len())].clone();
        if link.kind.name() == "revolute" {
            let along = link.frame.rotation * Vec3::z() * r.between(0.05, 0.5);
            let frame = Pose::new(link.frame.position + along, link.frame.rotation);
            let axes = vec![Axis::default()];
            recipe.links.push(Link {
                frame,
                axes,
                ..link
            });
            return;
        }
    }
    let n = recipe.parts.len();
    let follower = r.below(n);
    let base = match r.below(n + usize::from(form.grounded)) {
        b if b == n => None,
        b => Some(b),
    };
    if base == Some(follower) {
        return;
    }
    // Loops of low joints that leave something to move, or any.
    let soft = ["spherical", "point_on_plane", "point_on_line", "distance"];
    let kind = if form.planar && r.chance(0.8) {
        joints::by_name("revolute").expect("a plain type")
    } else if r.chance(0.7) {
        match soft[r.below(4)] {
            "distance" => Arc::new(Distance {
                length: r.between(0.05, 0.8),
            }),
            name => joints::by_name(name).expect("a plain type"),
        }
    } else {
        any_kind(r)
    };
    let link = joint(r, recipe, kind, base, follower, form);
    recipe.links.push(link);
}

/// A joint of the kind given, somewhere between the two.
fn joint(
    r: &mut Random,
    recipe: &Recipe,
    kind: Arc<dyn JointType>,
    base: Option<usize>,
    follower: usize,
    form: Form,
) -> Link {
    let planar = form.planar;
    let here = recipe.parts[follower].pose.position;
    let from = base.map_or(here, |p| recipe.parts[p].pose.position);
    let share = r.unit();
    let mut position = from + share * (here - from) + 0.2 * r.vector();
    let rotation = if planar {
        position.y = 0.0;
        // z, the axis of hinges, across the plane; that of slides lies in it.
        let across = Quat::from_scaled_axis(Vec3::x() * -std::f64::consts::FRAC_PI_2);
        let turn = Quat::from_scaled_axis(Vec3::y() * r.between(-3.0, 3.0));
        if kind.name() == "prismatic" {
            turn
        } else {
            turn * across
        }
    } else {
        r.rotation()
    };
    let coordinates = kind.coordinates();
    let start: Vec<f64> = (0..coordinates.len())
        .map(|k| kind.home(k) + r.between(-0.3, 0.3))
        .collect();
    let mut axes: Vec<Axis> = start.iter().map(|q| axis(r, *q, form.driven)).collect();
    if ["spherical", "free"].contains(&kind.name()) {
        // A rotation vector jumps at half a turn, and with it the energy of a spring on it, so the energy of such a
        // mechanism cannot be judged.
        let angles = axes.iter_mut().zip(coordinates);
        for (axis, _) in angles.filter(|(_, label)| label.1 == Unit::Angle) {
            axis.spring.stiffness = 0.0;
        }
    }
    Link {
        kind,
        base,
        follower,
        frame: Pose::new(position, rotation),
        start,
        axes,
    }
}

/// The elements on a coordinate that starts at `q`, m or rad.
fn axis(r: &mut Random, q: f64, driven: bool) -> Axis {
    let mut axis = Axis::default();
    if r.chance(0.25) {
        axis.limits = Some(Limits {
            restitution: if r.chance(0.2) { 0.5 } else { 0.0 },
            ..Limits::new(q - r.between(0.01, 1.0), q + r.between(0.01, 1.0))
        });
    }
    if driven && r.chance(0.3) {
        axis.drive = Some(Drive {
            stiffness: r.decades(0.0, 4.0),
            damping: r.decades(-1.0, 2.0),
            effort_limit: r.chance(0.4).then(|| r.decades(-1.0, 2.0)),
        });
    }
    if r.chance(0.15) {
        axis.spring = Spring {
            stiffness: r.decades(0.0, 3.0),
            rest: q + r.between(-0.5, 0.5),
            damping: if r.chance(0.5) {
                r.decades(-2.0, 1.0)
            } else {
                0.0
            },
            band: 0.0,
        };
    }
    if r.chance(0.15) {
        axis.friction = r.decades(-2.0, 1.0);
    }
    if r.chance(0.08) {
        axis.armature = r.decades(-3.0, -1.0);
    }
    axis
}

/// A motion of the whole as one rigid body, which every joint allows.
fn tumble(r: &mut Random, recipe: &mut Recipe) {
    let (linear, angular) = (2.0 * r.vector(), 6.0 * r.vector());
    for part in &mut recipe.parts {
        let at = part.pose.position;
        part.twist = Twist::new(linear + angular.cross(&at), angular);
    }
}

/// Lowest point of all boxes, m.
fn lowest(recipe: &Recipe) -> f64 {
    let reach = |p: &Part| {
        let up = p.pose.rotation.inverse() * Vec3::z();
        p.pose.position.z - up.abs().dot(&p.half)
    };
    recipe.parts.iter().map(reach).fold(0.0, f64::min)
}
