//! Joint types, couplings and tendons of the core, from what a draft says.

use super::{DraftJoint, DraftTendon, Motion, Polynomial};
use linkwork::joints::{self, Chain, JointType};
use linkwork::math::Pose;
use linkwork::model::{Anchor, BodyId, Coupling, Curve, Tendon, Term, Waypoint};
use std::sync::Arc;

impl DraftJoint {
    /// The core's joint type.
    pub(super) fn kind(&self) -> Arc<dyn JointType> {
        match &self.motion {
            Motion::Of(kind) => kind.clone(),
            Motion::Chain(links) => {
                let links = links.iter().map(|link| joints::ChainLink {
                    slide: link.slide,
                    axis: link.axis,
                    anchor: link.anchor,
                    offset: link.offset,
                });
                Arc::new(Chain {
                    links: links.collect(),
                })
            }
        }
    }
}

impl Polynomial {
    /// The core's coupling.
    pub(super) fn coupling(&self) -> Coupling {
        let [a0, a1, a2, a3, a4] = self.coefficients;
        let mut terms = vec![Term::linear(self.follower.0, self.follower.1, 1.0)];
        let mut offset = self.follower_home + a0;
        let moves = [a1, a2, a3, a4].iter().any(|a| *a != 0.0);
        // Where nothing depends on the leader the follower is held.
        if let Some((joint, coordinate)) = self.leader.filter(|_| moves) {
            let curve = Curve {
                reference: self.leader_home,
                powers: [-a2, -a3, -a4],
            };
            terms.push(Term {
                curve: curve.powers.iter().any(|p| *p != 0.0).then_some(curve),
                ..Term::linear(joint, coordinate, -a1)
            });
            offset -= a1 * self.leader_home;
        }
        Coupling {
            name: self.name.clone(),
            terms,
            offset,
            softness: self.softness,
        }
    }
}

impl DraftTendon {
    /// The core's tendon; `place` finds the body of a link, and where a pose in the link's frame is in the body's.
    pub(super) fn tendon(
        &self,
        place: impl Fn(Option<BodyId>, &Pose) -> (Option<BodyId>, Pose),
    ) -> Tendon {
        let anchor = |a: &Anchor| {
            let (body, pose) = place(a.body, &Pose::new(a.point, Default::default()));
            Anchor::new(body, pose.position)
        };
        let waypoint = |w: &Waypoint| match w {
            Waypoint::Point(a) => Waypoint::Point(anchor(a)),
            Waypoint::Pulley { divisor } => Waypoint::Pulley { divisor: *divisor },
            Waypoint::Wrap {
                body,
                pose,
                form,
                radius,
                side,
            } => {
                let (body, pose) = place(*body, pose);
                Waypoint::Wrap {
                    body,
                    pose,
                    form: *form,
                    radius: *radius,
                    side: side.as_ref().map(anchor),
                }
            }
        };
        let mut tendon = Tendon::new(&self.name, &self.terms).with(|axis| *axis = self.axis);
        tendon.path = self.path.iter().map(waypoint).collect();
        tendon
    }
}
