//! Bodies nested as their joints carry them.

use super::closures::Closure;
use super::elementary::{Form, form};
use super::{joints, shapes};
use crate::export::node::Node;
use linkwork::State;
use linkwork::math::Pose;
use linkwork::model::{BodyId, JointId, Model};

/// The mechanism and what its joints are in MJCF.
pub(super) struct Tree<'a> {
    pub model: &'a Model,
    pub home: State,
    /// The form of every joint of the tree; `None` for those that close loops.
    pub forms: Vec<Option<Form>>,
    /// The joint that carries each body; `None`: it floats.
    pub carrier: Vec<Option<JointId>>,
    /// Bodies in the order of the file: that of `qpos`.
    pub order: Vec<BodyId>,
    above: Vec<Vec<BodyId>>,
    roots: Vec<BodyId>,
}

impl<'a> Tree<'a> {
    pub fn of(model: &'a Model, left_out: &mut Vec<String>) -> Self {
        let home = model.initial_state();
        let mut forms: Vec<Option<Form>> = model.joints().iter().map(|_| None).collect();
        let mut carrier = vec![None; model.bodies().len()];
        for &id in model.tree() {
            let joint = model.joint(id);
            match form(model, id, &home) {
                Form::None => left_out.push(format!(
                    "joint '{}': MJCF has no {} joint; body '{}' floats",
                    joint.name,
                    joint.kind.name(),
                    model.body(joint.follower).name
                )),
                form => {
                    forms[id.index()] = Some(form);
                    carrier[joint.follower.index()] = Some(id);
                }
            }
        }
        let (mut above, mut roots) = (vec![Vec::new(); carrier.len()], Vec::new());
        for (i, carried) in carrier.iter().enumerate() {
            let id = BodyId(i as u32);
            match carried.and_then(|j: JointId| model.joint(j).base) {
                Some(base) => above[base.index()].push(id),
                None => roots.push(id),
            }
        }
        let mut tree = Self {
            model,
            home,
            forms,
            carrier,
            order: Vec::new(),
            above,
            roots,
        };
        tree.order = tree.depth_first();
        if home_moves(model) {
            left_out.push("initial velocities of bodies".to_owned());
        }
        tree
    }

    fn depth_first(&self) -> Vec<BodyId> {
        let mut order = Vec::new();
        let mut stack: Vec<BodyId> = self.roots.iter().rev().copied().collect();
        while let Some(id) = stack.pop() {
            order.push(id);
            stack.extend(self.above[id.index()].iter().rev());
        }
        order
    }

    /// Bodies on the longest way from the world.
    pub fn depth(&self) -> usize {
        let mut depth = vec![1; self.above.len()];
        for id in &self.order {
            for child in &self.above[id.index()] {
                depth[child.index()] = depth[id.index()] + 1;
            }
        }
        depth.into_iter().max().unwrap_or(0)
    }

    /// The world with everything in it.
    pub fn world(
        &self,
        closures: &[Closure],
        assets: &mut Node,
        left_out: &mut Vec<String>,
    ) -> Node {
        let mut world = Node::new("worldbody");
        self.furnish(&mut world, None, closures, assets, left_out);
        for &root in &self.roots {
            world.push(self.body(root, closures, assets, left_out));
        }
        world
    }

    fn body(
        &self,
        id: BodyId,
        closures: &[Closure],
        assets: &mut Node,
        left_out: &mut Vec<String>,
    ) -> Node {
        let model = &self.model;
        let body = model.body(id);
        let frame = model.body_frame(&self.home, id);
        let carrier = self.carrier[id.index()];
        let parent = carrier.and_then(|j| model.joint(j).base);
        let local = match parent {
            Some(parent) => model
                .body_frame(&self.home, parent)
                .inverse()
                .compose(&frame),
            None => frame,
        };
        let mut node = Node::new("body")
            .text("name", body.name.as_str())
            .pose(&local);
        let form = carrier.and_then(|j| self.forms[j.index()].as_ref());
        node = if let Some(Form::Mocap) = form {
            node.text("mocap", "true")
        } else {
            node.number_unless("gravcomp", 1.0 - body.gravity_scale, 0.0)
        };
        let i = &body.inertia;
        let six = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|at| i[at]);
        let inertial = Node::new("inertial").vector("pos", &body.com);
        let inertial = inertial.numbers("mass", &[body.mass]);
        node.push(if six[3..] == [0.0; 3] {
            inertial.numbers("diaginertia", &six[..3])
        } else {
            inertial.numbers("fullinertia", &six)
        });
        match carrier {
            None => node.push(Node::new("freejoint").text("name", joints::free_name(body))),
            Some(joint) => node = node.with(joints::nodes(self, joint, left_out)),
        }
        self.furnish(&mut node, Some(id), closures, assets, left_out);
        for &child in &self.above[id.index()] {
            node.push(self.body(child, closures, assets, left_out));
        }
        node
    }

    /// Shapes and sites of a body, or of the world.
    fn furnish(
        &self,
        node: &mut Node,
        body: Option<BodyId>,
        closures: &[Closure],
        assets: &mut Node,
        left_out: &mut Vec<String>,
    ) {
        let model = &self.model;
        let com = body.map(|b| model.body(b).com).unwrap_or_default();
        let outward = |local: &Pose| Pose::new(local.position + com, local.rotation);
        for shape in model.shapes().iter().filter(|s| s.body == body) {
            let pose = outward(&shape.local);
            if let Some(geom) = shapes::geom(shape, &pose, model, assets, left_out) {
                node.push(geom);
            }
        }
        let frames = self.model.frames().iter();
        let frames = frames.map(|f| (f.body, f.name.clone(), f.local));
        let ends = closures.iter().flat_map(|c| c.sites.iter().cloned());
        for (_, name, local) in frames.chain(ends).filter(|s| s.0 == body) {
            node.push(Node::new("site").text("name", name).pose(&outward(&local)));
        }
    }
}

fn home_moves(model: &Model) -> bool {
    let bodies = model.bodies().iter();
    let mut fast = bodies.map(|b| b.twist.linear.amax().max(b.twist.angular.amax()));
    fast.any(|speed| speed > 0.0)
}
