//! What is beyond the cut between a link and its parent.

use super::lump::{self, Lumped};
use super::{Draft, LinkId};
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointId, ModelData, ShapeId};
use linkwork::sensors::{Section, SectionPart};
use std::collections::BTreeMap;

impl Draft {
    /// All links connected to the rest by the attachment of `link`.
    pub(super) fn section(
        &self,
        link: LinkId,
        lumped: &[Lumped],
        bodies: &BTreeMap<LinkId, BodyId>,
        model: &ModelData,
    ) -> Section {
        // A link between two joints on one axis is part of the link that the file describes.
        let file = self.links.len() - self.inserted;
        let mut cut = link;
        while let Some(parent) = self.links[cut.0].parent.filter(|p| p.0 >= file) {
            cut = parent;
        }
        let beyond: Vec<bool> = (0..self.links.len())
            .map(|i| self.hangs_on(LinkId(i), cut))
            .collect();
        let mut groups: BTreeMap<Option<LinkId>, Vec<usize>> = BTreeMap::new();
        for i in (0..self.links.len()).filter(|i| beyond[*i]) {
            groups.entry(lumped[i].root).or_default().push(i);
        }
        let all = lump::members(lumped);
        let part = |(root, members): (Option<LinkId>, Vec<usize>)| {
            let body = root.map(|r| bodies[&r]);
            if let (Some(root), Some(body)) = (root, body)
                && all[root.0].len() == members.len()
            {
                return SectionPart::whole(model, body);
            }
            let (mass, _) = lump::mass(self, lumped, &members);
            let shapes = self.shapes.iter().enumerate();
            let own = shapes.filter(|(_, s)| s.link.is_some_and(|l| members.contains(&l.0)));
            SectionPart {
                body,
                mass: mass.mass,
                com: mass.com - body.map_or(Vec3::zeros(), |b| model.bodies[b.index()].com),
                inertia: mass.inertia,
                root: root.is_some_and(|r| members.contains(&r.0)),
                shapes: own.map(|(i, _)| ShapeId(i as u32)).collect(),
            }
        };
        Section {
            parts: groups.into_iter().map(part).collect(),
            closures: self.crossing(&beyond, lumped),
        }
    }

    fn hangs_on(&self, mut link: LinkId, cut: LinkId) -> bool {
        loop {
            match self.links[link.0].parent {
                _ if link == cut => return true,
                Some(parent) => link = parent,
                None => return false,
            }
        }
    }

    /// Joints that close loops across the cut.
    fn crossing(&self, beyond: &[bool], lumped: &[Lumped]) -> Vec<(JointId, bool)> {
        let joints = self.joints.iter().enumerate().filter(|(_, j)| j.closure);
        let crosses = |(i, joint): (usize, &super::DraftJoint)| {
            let base = joint.base.is_some_and(|l| beyond[l.0]);
            let follower = beyond[joint.follower.0];
            // The two are swapped if the follower is part of the world.
            let exchanged = lumped[joint.follower.0].root.is_none();
            (base != follower).then_some((JointId(i as u32), follower != exchanged))
        };
        joints.filter_map(crosses).collect()
    }
}
