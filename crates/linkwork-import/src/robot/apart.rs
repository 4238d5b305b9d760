//! Links that must not collide: those connected by a joint, and those of one mechanism that touch from the start.

use crate::ImportError;
use crate::draft::{Attachment, Draft, LinkId};
use linkwork::State;
use linkwork::assemble::{AssembleSettings, Targets, assemble};
use linkwork::collision::{CollisionWorld, DetectSettings};
use linkwork::math::Twist;
use linkwork::model::{BodyId, Model};
use std::collections::{BTreeMap, BTreeSet};

/// Links nearer than this touch, m.
const TOUCH: f64 = 1e-5;

/// Pairs of links named in a notice.
const NAMED: usize = 12;

/// Two bodies, the lower first; `None` is the world.
pub(super) type Pair = (Option<BodyId>, Option<BodyId>);

/// Whether a link is fixed to the world, through others or directly.
pub(crate) fn in_world(draft: &Draft, mut id: LinkId) -> bool {
    loop {
        let link = &draft.links[id.0];
        match (&link.attachment, link.parent) {
            (Attachment::Fixed, None) => return true,
            (Attachment::Fixed, Some(parent)) => id = parent,
            _ => return false,
        }
    }
}

/// The core does not let bodies connected by a joint collide. The same is done for links joined to ones that became
/// part of the world.
pub(crate) fn joined_to_world(draft: &mut Draft) {
    for i in 0..draft.joints.len() {
        let joint = &draft.joints[i];
        let (base, follower) = (joint.base, joint.follower);
        let fixed = |link: Option<LinkId>| link.is_none_or(|l| in_world(draft, l));
        match (fixed(base), fixed(Some(follower))) {
            (true, false) => draft.excluded.push((Some(follower), None)),
            (false, true) => draft.excluded.push((base, None)),
            _ => {}
        }
    }
}

/// Excludes links that are connected by joints, directly or through others, and that touch in the home pose or where
/// the loops close. URDF cannot express this: hulls of neighbouring parts usually overlap, and tools exclude such
/// pairs, or all pairs. Objects on floating joints are not affected.
pub(crate) fn touching(draft: &mut Draft) -> Result<(), ImportError> {
    let built = draft.clone().build()?;
    let model = &built.model;
    let home = model.initial_state();
    let mut pairs = contacts(model, &home);
    if draft.joints.iter().any(|j| j.closure) || !draft.couplings.is_empty() {
        let settings = AssembleSettings::default();
        if let Ok(closed) = assemble(model, &home, &Targets::none(), &settings) {
            pairs.append(&mut contacts(model, &closed.state));
        }
    }
    if pairs.is_empty() {
        return Ok(());
    }
    let listed = keep_apart(draft, model, &pairs);
    let what = format!("pairs of links that touch from the start never do {listed}");
    let remedy = "give them smaller collision shapes to let them touch";
    let place = draft.place.clone();
    draft.notices.chose(&place, what, remedy);
    Ok(())
}

/// Exclude pairs of bodies of the draft's model, and list them: "(2): a and b, c and d".
pub(super) fn keep_apart(draft: &mut Draft, model: &Model, pairs: &BTreeSet<Pair>) -> String {
    // A body has the name of the link it is made around.
    let links: BTreeMap<&str, LinkId> = draft
        .links
        .iter()
        .enumerate()
        .map(|(i, l)| (l.name.as_str(), LinkId(i)))
        .collect();
    let name = |body: Option<BodyId>| body.map(|b| model.body(b).name.as_str());
    let link = |body| name(body).and_then(|n| links.get(n).copied());
    let found = pairs.iter().map(|&(a, b)| (link(a), link(b)));
    let found: Vec<_> = found.collect();
    let mut listed: Vec<String> = pairs
        .iter()
        .take(NAMED)
        .map(|&(a, b)| {
            format!(
                "{} and {}",
                name(a).unwrap_or("world"),
                name(b).unwrap_or("world")
            )
        })
        .collect();
    if pairs.len() > NAMED {
        listed.push("…".to_owned());
    }
    draft.excluded.extend(found);
    format!("({}): {}", pairs.len(), listed.join(", "))
}

/// Pairs of bodies (`None`: the world) of one mechanism whose shapes touch.
fn contacts(model: &Model, state: &State) -> BTreeSet<Pair> {
    // The model was built, so its shapes are in order.
    let Ok(mut world) = CollisionWorld::new(model.shapes(), model.excluded()) else {
        return BTreeSet::new();
    };
    let at_rest = vec![Twist::zero(); state.poses.len()];
    let settings = DetectSettings {
        margin: TOUCH,
        dt: 0.0,
    };
    let mut points = Vec::new();
    world.detect(&state.poses, &at_rest, &settings, None, &mut points);
    let mechanism = mechanisms(model);
    let number = |body: Option<BodyId>| body.map_or(0, |b| mechanism[b.index()]);
    let inside = points
        .iter()
        .filter(|c| number(c.body_a) == number(c.body_b));
    inside
        .map(|c| (c.body_a.min(c.body_b), c.body_a.max(c.body_b)))
        .collect()
}

/// For every body the index of the mechanism it belongs to: 0 contains the world.
pub(super) fn mechanisms(model: &Model) -> Vec<usize> {
    let mut number: Vec<usize> = (1..=model.bodies().len()).collect();
    // Indices propagate along joints until all bodies of a mechanism have the smallest; a tree in order needs one pass.
    loop {
        let mut changed = false;
        for joint in model.joints() {
            let base = joint.base.map_or(0, |b| number[b.index()]);
            let least = base.min(number[joint.follower.index()]);
            for body in joint.base.into_iter().chain([joint.follower]) {
                changed |= number[body.index()] != least;
                number[body.index()] = least;
            }
        }
        if !changed {
            return number;
        }
    }
}
