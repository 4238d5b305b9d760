//! Softness as `solref` and `solimp`.

use super::tree::Tree;
use crate::export::node::Node;
use linkwork::model::{Impedance, Reference};

/// Attributes of equalities and geoms.
pub(super) const OWN: [&str; 2] = ["solref", "solimp"];
/// Attributes of the limits of joints and tendons.
pub(super) const LIMIT: [&str; 2] = ["solreflimit", "solimplimit"];

/// The element with the two attributes, if it yields.
pub(super) fn yielding(
    node: Node,
    impedance: Option<Impedance>,
    [solref, solimp]: [&'static str; 2],
) -> Node {
    let Some(i) = impedance else { return node };
    let reference = match i.reference {
        Reference::Time {
            time_constant,
            damping_ratio,
        } => [time_constant, damping_ratio],
        Reference::Direct { stiffness, damping } => [-stiffness, -damping],
    };
    let curve = [i.at_zero, i.at_width, i.width, i.midpoint, i.power];
    node.numbers(solref, &reference).numbers(solimp, &curve)
}

/// What of softness MJCF means otherwise or does not have.
pub(super) fn differences(tree: &Tree, left_out: &mut Vec<String>) {
    let model = &tree.model;
    let joints = model.joints().iter();
    let turns = joints.clone().filter_map(|j| j.turn_limits);
    let limits = joints.flat_map(|j| &j.axes).filter_map(|a| a.limits);
    let tendons = model.tendons().iter().filter_map(|t| t.axis.limits);
    let yields = limits
        .chain(turns)
        .chain(tendons)
        .any(|l| l.softness.is_some())
        || model.joints().iter().any(|j| j.softness.is_some())
        || model.couplings().iter().any(|c| c.softness.is_some());
    if yields {
        let text = "the inertias that softness is measured by: MuJoCo takes those at home";
        left_out.push(text.to_owned());
    }
    for (joint, form) in model.joints().iter().zip(&tree.forms) {
        if form.is_some() && joint.softness.is_some() {
            left_out.push(format!("joint '{}': its softness", joint.name));
        }
    }
}
