//! Softness (`--soft`): surfaces, equalities and limits. Its amount depends on the inertia in the home pose, as in
//! MuJoCo (`body_invweight0`, `dof_invweight0`, `tendon_invweight0`), so it is set when all joints are known.

use super::joint_space::{Arms, JointSpace, arms, tendon_arms};
use super::scene::Scene;
use crate::draft::Filter;
use linkwork::model::{Compliance, Impedance, JointId, JointSoftness, Softness, Term};

/// What yields.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// A connect or weld between two bodies. MuJoCo measures a weld's rotation by half the angle times
    /// `torquescale`: that is `radius`, m.
    Closure {
        joint: JointId,
        bodies: [usize; 2],
        radius: f64,
    },
    /// A relation of the draft, by its number.
    Relation(usize),
    /// The limits of a joint's coordinate.
    Limit(JointId, usize),
    /// The limit of a ball's angle.
    TurnLimit(JointId),
    /// The limits of a tendon, by its number.
    TendonLimit(usize),
}

/// What is to yield, and how.
#[derive(Clone, Debug)]
pub(super) struct Softened {
    pub target: Target,
    pub impedance: Impedance,
    /// Sums of coordinates (joint, coordinate, factor) whose inverse inertias are added; none for closures and tendons.
    pub along: Vec<Vec<Term>>,
}

/// Sets all requested softness, and reports it.
pub(super) fn settle(scene: &mut Scene<'_>, mut home: Option<&mut JointSpace>) {
    if !scene.options.soft {
        return;
    }
    let (mut equalities, mut limits, mut hard) = (0, 0, 0);
    for softened in std::mem::take(&mut scene.softened) {
        let home = home.as_deref_mut();
        let done = home.is_some_and(|home| soften(scene, home, &softened));
        *match softened.target {
            _ if !done => &mut hard,
            Target::Closure { .. } | Target::Relation(_) => &mut equalities,
            Target::Limit(..) | Target::TurnLimit(_) | Target::TendonLimit(_) => &mut limits,
        } += 1;
    }
    weigh_surfaces(scene, home);
    let touching = scene
        .draft
        .shapes
        .iter()
        .filter(|s| s.filter != Filter::VISUAL);
    let surfaces = touching.count();
    let what = format!(
        "softness (solref, solimp) is honoured: {surfaces} surface(s), {equalities} equality(s) and \
         {limits} limit(s) yield; joints and dry friction are hard"
    );
    let place = &scene.draft.place;
    scene
        .draft
        .notices
        .chose(place, what, "leave out --soft for hard constraints");
    if hard > 0 {
        let what = format!(
            "{hard} equality(s) and limit(s) stay hard: their inertia at home is singular or too \
             large a matrix"
        );
        scene.draft.notices.warn(place, what, "");
    }
}

/// Sets the inverse inertia of the bodies of surfaces. Without inertias in the home pose, the softness of contacts
/// depends on the masses of the two bodies alone.
fn weigh_surfaces(scene: &mut Scene<'_>, mut home: Option<&mut JointSpace>) {
    let mut weights = Vec::with_capacity(scene.draft.shapes.len());
    for i in 0..scene.draft.shapes.len() {
        let body = scene.draft.shapes[i].link.map_or(0, |l| l.0 + 1);
        let home = home.as_deref_mut();
        weights.push(home.map(|home| home.body(scene, body)[0]));
    }
    let weighed = |compliance: &mut Compliance, weight: Option<f64>| {
        if let Compliance::Soft(soft) = compliance {
            match weight {
                Some(weight) => soft.inverse_inertia = weight,
                None => *compliance = Compliance::Impedance(soft.impedance),
            }
        }
    };
    for (shape, weight) in scene.draft.shapes.iter_mut().zip(&weights) {
        weighed(&mut shape.material.compliance, *weight);
    }
    for pair in &mut scene.draft.pairs {
        let [a, b] = [pair.shapes.0, pair.shapes.1].map(|i| weights[i]);
        weighed(&mut pair.surface.compliance, a.zip(b).map(|(a, b)| a + b));
    }
}

/// False where no inertia opposes the constraint.
fn soften(scene: &mut Scene<'_>, home: &mut JointSpace, softened: &Softened) -> bool {
    let impedance = softened.impedance;
    let real = |w: f64| w > 0.0 && w.is_finite();
    if let Target::Closure {
        joint,
        bodies,
        radius,
    } = softened.target
    {
        let [a, b] = bodies.map(|body| home.body(scene, body));
        // A weld converts its angles to lengths by the radius; a connect has none, and its w is not used.
        let square = if radius > 0.0 { radius * radius } else { 1.0 };
        let softness = JointSoftness {
            impedance,
            inverse_mass: a[0] + b[0],
            inverse_inertia: (a[1] + b[1]) / square,
            radius,
        };
        let fits = real(softness.inverse_mass) && real(softness.inverse_inertia);
        scene.draft.joints[joint.index()].softness = fits.then_some(softness);
        return fits;
    }
    let along = softened.along.iter().map(|terms| arms(scene, terms));
    let along: Vec<Arms> = match softened.target {
        Target::TendonLimit(t) => vec![tendon_arms(scene, &scene.draft.tendons[t])],
        _ => along.collect(),
    };
    let softness = Softness {
        impedance,
        inverse_inertia: along.iter().map(|arms| 1.0 / home.inertia(arms)).sum(),
    };
    let fits = real(softness.inverse_inertia);
    let softness = fits.then_some(softness);
    let draft = &mut scene.draft;
    match softened.target {
        Target::Closure { .. } => {}
        Target::Relation(i) => draft.couplings[i].softness = softness,
        Target::Limit(joint, c) => {
            let limits = &mut draft.joints[joint.index()].axes[c].limits;
            limits.iter_mut().for_each(|l| l.softness = softness);
        }
        Target::TurnLimit(joint) => {
            let limits = &mut draft.joints[joint.index()].turn_limits;
            limits.iter_mut().for_each(|l| l.softness = softness);
        }
        Target::TendonLimit(t) => {
            let limits = &mut draft.tendons[t].axis.limits;
            limits.iter_mut().for_each(|l| l.softness = softness);
        }
    }
    fits
}
