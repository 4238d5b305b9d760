//! All links and joints of a file, with their poses in the world.

use super::joint::Joint;
use super::link::Link;
use super::scope::{ScopeId, Scopes};
use super::text::{flag, number, vec3};
use crate::draft::Filter;
use crate::robot::Skipped;
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::{Pose, Vec3};
use std::collections::BTreeMap;

/// Known elements of a world and of a model; only some have an effect.
const WORLD: [&str; 5] = ["model", "frame", "joint", "gravity", "physics"];
const MODEL: [&str; 7] = [
    "pose",
    "link",
    "joint",
    "frame",
    "model",
    "static",
    "self_collide",
];

/// Everything of a file that moves or is touched.
#[derive(Default)]
pub(super) struct Scene {
    pub name: String,
    pub gravity: Vec3,
    pub timestep: Option<f64>,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
}

/// What all parts of a model share.
pub(super) struct Surroundings {
    /// Pose of the model in the world.
    pub pose: Pose,
    /// Before the names of links and joints.
    pub prefix: String,
    /// It does not move.
    pub fixed: bool,
    /// What its shapes touch.
    pub filter: Filter,
    /// 6 for SDF 1.6.
    pub version: u32,
}

/// Links by scope and name.
pub(super) type Index<'a> = BTreeMap<(usize, &'a str), usize>;

impl Scene {
    /// Read `<sdf>`.
    pub fn read(root: &Element, version: u32, skipped: &mut Skipped) -> Result<Self, ImportError> {
        skipped.children(root, &["world", "model"]);
        let mut worlds = root.all("world");
        let world = worlds.next();
        if let Some(second) = worlds.next() {
            let what = "a second world";
            return Err(second.error(Fault::Unsupported, what, "keep one a file"));
        }
        let outer = world.unwrap_or(root);
        let mut scene = Self {
            gravity: Vec3::new(0.0, 0.0, -9.81),
            ..Self::default()
        };
        if let Some(world) = world {
            skipped.children(world, &WORLD);
            // SDF's defaults for worlds.
            scene.gravity = vec3(world, "gravity")?.unwrap_or(Vec3::new(0.0, 0.0, -9.8));
            if let Some(physics) = world.child("physics") {
                skipped.children(physics, &["max_step_size"]);
                scene.timestep = number(physics, "max_step_size")?.filter(|dt| *dt > 0.0);
            }
        }
        let mut reading = Reading {
            scopes: Scopes::default(),
            index: Index::new(),
            models: 0,
            scene: &mut scene,
            skipped,
        };
        let top = reading.scopes.add(outer)?;
        reading.whole(top, version)?;
        scene.name = name_of(outer);
        if scene.links.is_empty() {
            let what = "the file has no links";
            return Err(outer.error(Fault::Missing, what, "add <model> with <link>"));
        }
        Ok(scene)
    }
}

/// The world's name, or that of the only model.
fn name_of(outer: &Element) -> String {
    let model = outer.child("model").and_then(|m| m.get("name"));
    let own = outer.get("name").or(model);
    own.unwrap_or("model").to_owned()
}

struct Reading<'a, 'b> {
    scopes: Scopes<'a>,
    index: Index<'a>,
    /// Models seen so far, for filters.
    models: u32,
    scene: &'b mut Scene,
    skipped: &'b mut Skipped,
}

impl<'a> Reading<'a, '_> {
    /// Links of all models first, since joints refer to them.
    fn whole(&mut self, top: ScopeId, version: u32) -> Result<(), ImportError> {
        let outer = self.scopes.scopes[top.0].element;
        // Names of the only model of a file need no prefix.
        let alone = outer.all("model").count() == 1;
        let world = Surroundings {
            pose: Pose::identity(),
            prefix: String::new(),
            fixed: false,
            filter: Filter::default(),
            version,
        };
        let mut all = vec![(top, world)];
        let mut next = 0;
        while next < all.len() {
            let (scope, around) = (all[next].0, &all[next].1);
            let inner = self.models_in(scope, around, alone && scope == top)?;
            all.extend(inner);
            next += 1;
        }
        for (scope, around) in &all {
            let element = self.scopes.scopes[scope.0].element;
            for link in element.all("link") {
                let local = self.scopes.pose(*scope, link.require("name")?, link)?;
                let pose = around.pose.compose(&local);
                self.index
                    .insert((scope.0, link.require("name")?), self.scene.links.len());
                let link = Link::read(link, pose, around, self.skipped)?;
                self.scene.links.push(link);
            }
        }
        for (scope, around) in &all {
            let element = self.scopes.scopes[scope.0].element;
            for joint in element.all("joint") {
                let frames = (&self.scopes, *scope, &self.index);
                let joint = Joint::read(joint, frames, around, self.skipped)?;
                self.scene.joints.push(joint);
            }
        }
        Ok(())
    }

    /// The models directly in a scope.
    fn models_in(
        &mut self,
        scope: ScopeId,
        around: &Surroundings,
        alone: bool,
    ) -> Result<Vec<(ScopeId, Surroundings)>, ImportError> {
        let element = self.scopes.scopes[scope.0].element;
        let mut inner = Vec::new();
        for id in self.scopes.models_in(scope) {
            let model = self.scopes.scopes[id.0].element;
            self.skipped.children(model, &MODEL);
            let name = model.require("name")?;
            let filter = if element.name == "model" {
                // A nested model belongs to the one around it.
                around.filter
            } else {
                self.filter(model)?
            };
            let local = self.scopes.model_pose(scope, id, 0)?;
            inner.push((
                id,
                Surroundings {
                    pose: around.pose.compose(&local),
                    prefix: match alone {
                        true => String::new(),
                        false => format!("{}{name}::", around.prefix),
                    },
                    fixed: around.fixed || flag(model, "static")?.unwrap_or(false),
                    filter,
                    version: around.version,
                },
            ));
        }
        Ok(inner)
    }

    /// Links of one model collide with each other only if it requires that.
    fn filter(&mut self, model: &Element) -> Result<Filter, ImportError> {
        if flag(model, "self_collide")?.unwrap_or(false) {
            return Ok(Filter {
                contype: 1,
                conaffinity: u32::MAX,
            });
        }
        self.models += 1;
        if self.models > 31 {
            let what = "more than 31 models without <self_collide>";
            let remedy = "set <self_collide>true</self_collide> in some";
            return Err(model.error(Fault::Unsupported, what, remedy));
        }
        let own = 1 << self.models;
        Ok(Filter {
            contype: own,
            conaffinity: !own,
        })
    }
}
