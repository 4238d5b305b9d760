//! Couplings and tendons.

use super::elementary::Form;
use super::joints::{name, resistance, screw_slide};
use super::softness::{LIMIT, OWN, yielding};
use super::tree::Tree;
use crate::export::node::Node;
use linkwork::model::{Coupling, Spring, Term};

/// Equality constraints, and tendons.
pub(super) fn of(tree: &Tree, left_out: &mut Vec<String>) -> (Vec<Node>, Vec<Node>) {
    let model = &tree.model;
    let (mut equality, mut tendons) = (Vec::new(), Vec::new());
    for (j, form) in tree.forms.iter().enumerate() {
        if let Some(Form::Screw(_, lead)) = form {
            let id = linkwork::model::JointId(j as u32);
            let node = Node::new("joint").text("name", format!("{}/thread", model.joint(id).name));
            let node = node.text("joint1", screw_slide(tree, id));
            let node = node.text("joint2", name(tree, id, 0));
            equality.push(node.numbers("polycoef", &[0.0, *lead, 0.0, 0.0, 0.0]));
        }
    }
    for tendon in model.tendons() {
        if !tendon.path.is_empty() {
            left_out.push(format!("tendon '{}': its path in space", tendon.name));
            continue;
        }
        if !tendon.terms.iter().all(|t| is_single(tree, t)) {
            left_out.push(format!(
                "tendon '{}': it runs over a ball or a loop's joint",
                tendon.name
            ));
            continue;
        }
        let axis = &tendon.axis;
        let mut node = fixed(tree, &tendon.name, &tendon.terms);
        if let Some(limits) = axis.limits {
            let bound = |x: f64| x.clamp(-1e10, 1e10);
            node = node.numbers("range", &[bound(limits.min), bound(limits.max)]);
            node = yielding(node, limits.softness.map(|s| s.impedance), LIMIT);
        }
        if axis.spring.stiffness > 0.0 {
            node = node.numbers("stiffness", &[axis.spring.stiffness]);
            let Spring { rest, band, .. } = axis.spring;
            let ends = [rest, rest + band];
            node = node.numbers("springlength", &ends[..1 + usize::from(band > 0.0)]);
        }
        tendons.push(resistance(node, axis));
    }
    for coupling in model.couplings() {
        if !coupling.terms.iter().all(|t| is_single(tree, t)) {
            left_out.push(format!(
                "coupling '{}': it takes in a ball or a loop's joint",
                coupling.name
            ));
        } else if let Some(node) = pair(tree, coupling) {
            let impedance = coupling.softness.map(|s| s.impedance);
            equality.push(yielding(node, impedance, OWN));
        } else if coupling.terms.iter().all(|t| t.curve.is_none()) {
            let length = coupling.residual(|t| home(tree, t)) + coupling.offset;
            let tendon = format!("{}/sum", coupling.name);
            tendons.push(fixed(tree, &tendon, &coupling.terms));
            let node = Node::new("tendon").text("name", coupling.name.as_str());
            let node = node.text("tendon1", tendon);
            let node = yielding(node, coupling.softness.map(|s| s.impedance), OWN);
            equality
                .push(node.numbers("polycoef", &[coupling.offset - length, 0.0, 0.0, 0.0, 0.0]));
        } else {
            left_out.push(format!(
                "coupling '{}': curves of several coordinates",
                coupling.name
            ));
        }
    }
    (equality, tendons)
}

fn is_single(tree: &Tree, term: &Term) -> bool {
    matches!(
        tree.forms[term.joint.index()],
        Some(Form::Series(_) | Form::Screw(..))
    )
}

fn home(tree: &Tree, term: &Term) -> f64 {
    tree.home.joint_coordinates(tree.model, term.joint)[term.coordinate]
}

fn fixed(tree: &Tree, label: &str, terms: &[Term]) -> Node {
    let part = |t: &Term| {
        let node = Node::new("joint").text("joint", name(tree, t.joint, t.coordinate));
        node.numbers("coef", &[t.factor])
    };
    Node::new("fixed")
        .text("name", label)
        .with(terms.iter().map(part))
}

/// c₁ y + g(x) = c₀ as y − y₀ = Σ aₖ (x − x₀)ᵏ; `None` unless one of at most two terms is linear.
fn pair(tree: &Tree, coupling: &Coupling) -> Option<Node> {
    let linear = |t: &&Term| t.curve.is_none() && t.factor != 0.0;
    let follower = coupling.terms.iter().find(linear)?;
    let others: Vec<&Term> = coupling
        .terms
        .iter()
        .filter(|t| !std::ptr::eq(*t, follower))
        .collect();
    let mut node = Node::new("joint").text("name", coupling.name.as_str());
    node = node.text("joint1", name(tree, follower.joint, follower.coordinate));
    // g about x₀.
    let mut g = [0.0; 5];
    match others.as_slice() {
        [] => {}
        [leader] => {
            node = node.text("joint2", name(tree, leader.joint, leader.coordinate));
            let x0 = home(tree, leader);
            g = [leader.value(x0), leader.slope(x0), 0.0, 0.0, 0.0];
            if let Some(curve) = leader.curve {
                let ([p2, p3, p4], d) = (curve.powers, x0 - curve.reference);
                g[2] = p2 + d * (3.0 * p3 + d * 6.0 * p4);
                g[3] = p3 + 4.0 * d * p4;
                g[4] = p4;
            }
        }
        _ => return None,
    }
    let mut a = g.map(|g| -g / follower.factor);
    a[0] += coupling.offset / follower.factor - home(tree, follower);
    Some(node.numbers("polycoef", &a))
}
