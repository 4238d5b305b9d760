//! Data of the file that a mechanism keeps in addition to the model.

use super::build::at;
use super::lump::Lumped;
use super::{Attachment, Draft, DraftJoint, DraftKeyframe, Link, LinkId};
use linkwork::math::{Pose, Twist};
use linkwork::model::{
    Axis, Body, BodyId, Counts, Frame, JointId, Keyframe, KeyframeBody, PlacedLink,
};
use std::collections::BTreeMap;

impl Draft {
    /// Every link, and the body it became part of.
    pub(super) fn placed(
        &self,
        lumped: &[Lumped],
        bodies: &BTreeMap<LinkId, BodyId>,
        own: &[Body],
    ) -> Vec<PlacedLink> {
        let file = self.links.len() - self.inserted;
        let links = self.links[..file].iter().enumerate();
        // Parts that were cut off a link are counted with it.
        let whole = |link: &Link| {
            let above = std::iter::successors(Some(link), |l| {
                let parent = l.parent.filter(|p| p.0 >= file)?;
                Some(&self.links[parent.0])
            });
            above.map(|l| l.mass.mass).sum()
        };
        links
            .map(|(i, link)| {
                let (body, local) = at(lumped, bodies, Some(LinkId(i)), &Pose::identity());
                PlacedLink {
                    frame: Frame::new(&link.name, body, local, own),
                    mass: whole(link),
                }
            })
            .collect()
    }

    /// The joints of the tree, each after those above it.
    pub(super) fn tree(&self) -> Vec<JointId> {
        let mut tree = Vec::new();
        let file = self.links.len() - self.inserted;
        for link in &self.links[..file] {
            // Links that were inserted above it come last in the list.
            let above = std::iter::successors(Some(link), |l| {
                let parent = l.parent.filter(|p| p.0 >= file)?;
                Some(&self.links[parent.0])
            });
            let joints: Vec<JointId> = above
                .filter_map(|l| match l.attachment {
                    Attachment::Joint(joint) => Some(joint),
                    _ => None,
                })
                .collect();
            tree.extend(joints.into_iter().rev());
        }
        tree
    }

    /// What the file contains.
    pub(super) fn counts(&self) -> Counts {
        let free = |l: &&Link| matches!(l.attachment, Attachment::Free(_));
        let named = |l: &&Link| matches!(l.attachment, Attachment::Free(Some(_)));
        // Bodies that are moved from outside have no joints in files.
        let rigid = |axis: &Axis| axis.drive.is_some_and(|d| d.is_rigid());
        let moved = |j: &DraftJoint| !j.axes.is_empty() && j.axes.iter().all(rigid);
        let joints = self.joints.iter().filter(|j| !j.closure && !moved(j));
        let coordinates: usize = joints.clone().map(|j| j.labels.len()).sum();
        let elementary = joints.map(|j| j.kind.links().map_or(1, |links| links.len()));
        Counts {
            links: self.links.len() - self.inserted,
            joints: elementary.sum::<usize>() + self.links.iter().filter(named).count(),
            closures: self.joints.iter().filter(|j| j.closure).count(),
            degrees_of_freedom: coordinates + 6 * self.links.iter().filter(free).count(),
            mass: self.links.iter().map(|l| l.mass.mass).sum(),
        }
    }

    /// The stored states, of bodies in the place of links.
    pub(super) fn stored_states(
        &self,
        bodies: &BTreeMap<LinkId, BodyId>,
        own: &[Body],
    ) -> Vec<Keyframe> {
        let state = |k: &DraftKeyframe| {
            let floating = k.links.iter().filter_map(|(link, pose, twist)| {
                let id = *bodies.get(link)?;
                let lever = pose.rotation * own[id.index()].com;
                Some(KeyframeBody {
                    body: id,
                    pose: Pose::new(pose.position + lever, pose.rotation),
                    twist: Twist::new(twist.linear + twist.angular.cross(&lever), twist.angular),
                })
            });
            Keyframe {
                bodies: floating.collect(),
                ..k.state.clone()
            }
        };
        self.keyframes.iter().map(state).collect()
    }
}
