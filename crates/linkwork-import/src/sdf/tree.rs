//! Joints of the tree, and joints that close loops.
//!
//! Breadth first from the world and the links of static models, following joints from parent to child in the order of
//! the file. If no such joint remains, one is followed from child to parent. A part that is not connected to the world
//! floats, starting with its first link that is not the child of a joint.

use super::joint::Kind;
use super::scene::Scene;

/// How a link is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// It is part of the world.
    Static,
    /// It floats.
    Free,
    /// Through a joint; `backwards` if from its child.
    Joint { joint: usize, backwards: bool },
}

/// The tree over a scene.
pub(super) struct Tree {
    /// Links, each after its parent, and the joints that lead to them.
    pub order: Vec<(usize, Reached)>,
    /// Joints that close loops, in the order of the file.
    pub closing: Vec<usize>,
}

impl Tree {
    /// Choose the tree.
    pub fn of(scene: &Scene) -> Self {
        let mut search = Search::new(scene);
        for joint in search.below_world.clone() {
            search.follow(joint);
        }
        search.spread();
        let is_child: Vec<bool> = (0..scene.links.len())
            .map(|l| !search.above[l].is_empty())
            .collect();
        for wanted in [false, true] {
            for (link, _) in is_child.iter().enumerate().filter(|(_, c)| **c == wanted) {
                if !search.seen[link] {
                    search.reach(link, Reached::Free);
                    search.spread();
                }
            }
        }
        let joints = 0..scene.joints.len();
        let closing = joints.filter(|&j| !search.used[j] && !is_gearbox(scene, j));
        Self {
            closing: closing.collect(),
            order: search.order,
        }
    }
}

/// Gearboxes couple angles but carry no link.
fn is_gearbox(scene: &Scene, joint: usize) -> bool {
    matches!(scene.joints[joint].kind, Kind::Gearbox { .. })
}

struct Search<'a> {
    scene: &'a Scene,
    below_world: Vec<usize>,
    /// Joints by their parent and by their child.
    below: Vec<Vec<usize>>,
    above: Vec<Vec<usize>>,
    seen: Vec<bool>,
    used: Vec<bool>,
    order: Vec<(usize, Reached)>,
    /// Positions in the order up to which joints were followed forwards and backwards.
    forwards: usize,
    backwards: usize,
}

impl<'a> Search<'a> {
    fn new(scene: &'a Scene) -> Self {
        let n = scene.links.len();
        let mut search = Self {
            scene,
            below_world: Vec::new(),
            below: vec![Vec::new(); n],
            above: vec![Vec::new(); n],
            seen: vec![false; n],
            used: vec![false; scene.joints.len()],
            order: Vec::with_capacity(n),
            forwards: 0,
            backwards: 0,
        };
        for (j, joint) in scene.joints.iter().enumerate() {
            if is_gearbox(scene, j) {
                continue;
            }
            match joint.parent {
                Some(parent) => search.below[parent].push(j),
                None => search.below_world.push(j),
            }
            search.above[joint.child].push(j);
        }
        for (l, link) in scene.links.iter().enumerate() {
            if link.fixed {
                search.reach(l, Reached::Static);
            }
        }
        search
    }

    fn reach(&mut self, link: usize, how: Reached) {
        self.seen[link] = true;
        self.order.push((link, how));
    }

    /// Reach the child of a joint, unless it is already.
    fn follow(&mut self, joint: usize) {
        let child = self.scene.joints[joint].child;
        if !self.seen[child] {
            self.used[joint] = true;
            let backwards = false;
            self.reach(child, Reached::Joint { joint, backwards });
        }
    }

    /// Reaches everything connected to the links already reached.
    fn spread(&mut self) {
        loop {
            while let Some(&(link, _)) = self.order.get(self.forwards) {
                self.forwards += 1;
                for joint in self.below[link].clone() {
                    self.follow(joint);
                }
            }
            let Some(&(link, _)) = self.order.get(self.backwards) else {
                return;
            };
            let joints = &self.scene.joints;
            let open = self.above[link].iter().find_map(|&joint| {
                let parent = joints[joint].parent?;
                (!self.seen[parent]).then_some((joint, parent))
            });
            match open {
                None => self.backwards += 1,
                Some((joint, parent)) => {
                    self.used[joint] = true;
                    let backwards = true;
                    self.reach(parent, Reached::Joint { joint, backwards });
                }
            }
        }
    }
}
