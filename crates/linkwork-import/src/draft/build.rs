//! From a draft to a model.

use super::lump::{self, Lumped};
use super::{Draft, DraftAim, DraftJoint, LinkId, collide, tendon};
use crate::{Fault, ImportError, Imported};
use linkwork::actuators::FluidBox;
use linkwork::math::Pose;
use linkwork::model::{
    Aim, BodyDef, BodyId, Frame, JointDef, ModelBuilder, ModelError, ShapeDef, ShapeId,
};
use linkwork::sensors::Reading;
use std::collections::BTreeMap;

impl Draft {
    /// Lumps rigidly attached links, checks everything and builds the model.
    pub fn build(mut self) -> Result<Imported, ImportError> {
        self.cut_repeats();
        let lumped = lump::lumped(&self);
        let mut builder = ModelBuilder::new();
        builder.name(&self.name).gravity(self.gravity);
        let bodies = self.add_bodies(&lumped, &mut builder)?;
        self.add_joints(&lumped, &bodies, &mut builder)?;
        self.add_relations(&lumped, &bodies, &mut builder);
        self.add_shapes(&lumped, &bodies, &mut builder)?;
        for &(a, b) in &self.excluded {
            let body = |l: Option<LinkId>| l.and_then(|l| lumped[l.0].root).map(|r| bodies[&r]);
            if let (Some(a), Some(b)) = (body(a), body(b))
                && a != b
            {
                builder.exclude(a, b);
            }
        }
        for frame in &self.frames {
            let (body, local) = at(&lumped, &bodies, frame.link, &frame.pose);
            builder.add_frame(&frame.name, body, local);
        }
        for camera in &self.cameras {
            let (body, local) = at(&lumped, &bodies, camera.link, &camera.pose);
            let target = |link: LinkId| lumped[link.0].root.map(|r| bodies[&r]);
            let aim = match camera.aim {
                DraftAim::Follow if body.is_some() => Aim::Follow,
                DraftAim::LookAt(link) => {
                    target(link).map_or(Aim::Fixed, |b| Aim::LookAt { target: b })
                }
                _ => Aim::Fixed,
            };
            builder.add_camera(&camera.name, body, local, camera.lens, aim);
        }
        for texture in &self.textures {
            builder.add_texture(texture.clone());
        }
        for actuator in &self.actuators {
            builder.add_actuator(actuator.clone());
        }
        let refused = |e: ModelError| self.blame(&e);
        let mut data = builder.data().map_err(refused)?;
        data.timestep = self.timestep;
        data.links = self.placed(&lumped, &bodies, &data.bodies);
        data.tree = Some(self.tree());
        data.keyframes = self.stored_states(&bodies, &data.bodies);
        for part in &self.fluid {
            let (body, local) = at(&lumped, &bodies, Some(part.link), &part.pose);
            if body.is_some() {
                let name = &self.links[part.link.0].name;
                data.fluid.push(FluidBox {
                    frame: Frame::new(name, body, local, &data.bodies),
                    size: part.size,
                    density: part.density,
                    viscosity: part.viscosity,
                    wind: part.wind,
                });
            }
        }
        for described in &self.sensors {
            let mut sensor = described.sensor.clone();
            if let (Reading::Force { section, .. } | Reading::Torque { section, .. }, Some(link)) =
                (&mut sensor.reading, described.cut)
            {
                *section = self.section(link, &lumped, &bodies, &data);
            }
            data.sensors.push(sensor);
        }
        Ok(Imported {
            counts: self.counts(),
            model: data.build().map_err(refused)?,
            notices: self.notices,
        })
    }

    fn add_bodies(
        &self,
        lumped: &[Lumped],
        builder: &mut ModelBuilder,
    ) -> Result<BTreeMap<LinkId, BodyId>, ImportError> {
        let mut bodies = BTreeMap::new();
        let members = lump::members(lumped);
        for (i, link) in self.links.iter().enumerate() {
            if lumped[i].root != Some(LinkId(i)) {
                continue;
            }
            let (mass, gravity) = lump::mass(self, lumped, &members[i]);
            if mass.mass <= 0.0 {
                let what = format!("'{}' moves but has no mass", link.name);
                let remedy = "give it an inertial, shapes with a density, or fix it to its parent";
                return Err(ImportError::new(
                    &link.place,
                    Fault::Mechanism,
                    what,
                    remedy,
                ));
            }
            let lever = link.pose.rotation * mass.com;
            let linear = link.twist.linear + link.twist.angular.cross(&lever);
            let def = BodyDef::new(&link.name, mass)
                .pose(link.pose)
                .twist(linear, link.twist.angular)
                .gravity_scale(gravity);
            bodies.insert(LinkId(i), builder.add_body(def));
        }
        Ok(bodies)
    }

    fn add_joints(
        &mut self,
        lumped: &[Lumped],
        bodies: &BTreeMap<LinkId, BodyId>,
        builder: &mut ModelBuilder,
    ) -> Result<(), ImportError> {
        for joint in &self.joints {
            let base = match joint.base {
                Some(link) => at(lumped, bodies, Some(link), &joint.frame_base),
                None => (None, joint.frame_base),
            };
            let follower = at(lumped, bodies, Some(joint.follower), &joint.frame_follower);
            builder.add_joint(definition(joint, base, follower)?);
        }
        Ok(())
    }

    fn add_relations(
        &self,
        lumped: &[Lumped],
        bodies: &BTreeMap<LinkId, BodyId>,
        builder: &mut ModelBuilder,
    ) {
        for coupling in &self.couplings {
            builder.add_coupling(coupling.clone());
        }
        for given in &self.tendons {
            let place = |link: Option<BodyId>, pose: &Pose| {
                at(lumped, bodies, link.map(|l| LinkId(l.index())), pose)
            };
            builder.add_tendon(tendon::on_bodies(given.clone(), place));
        }
    }

    fn add_shapes(
        &mut self,
        lumped: &[Lumped],
        bodies: &BTreeMap<LinkId, BodyId>,
        builder: &mut ModelBuilder,
    ) -> Result<(), ImportError> {
        let groups = collide::groups(self, lumped).map_err(|classes| {
            let what = format!("{classes} different collision filters");
            let remedy = "at most 32 are supported: use fewer contype and conaffinity values";
            ImportError::new(&self.place, Fault::Unsupported, what, remedy)
        })?;
        for (shape, group) in self.shapes.iter().zip(groups) {
            let (body, local) = at(lumped, bodies, shape.link, &shape.pose);
            let mut def = ShapeDef::new(shape.geometry.clone())
                .pose(local)
                .material(shape.material)
                .group(group);
            if let Some(name) = &shape.name {
                def = def.name(name);
            }
            if let Some(colour) = shape.colour {
                def = def.colour(colour);
            }
            if let Some(texture) = &shape.texture {
                def = def.texture(texture.clone());
            }
            builder.add_shape(body, def);
        }
        // Shapes are numbered as in the draft.
        let id = |shape: usize| ShapeId(shape as u32);
        for pair in &self.pairs {
            let (a, b) = pair.shapes;
            builder.pair(id(a), id(b), pair.surface);
        }
        Ok(())
    }
}

/// The body of which a link is part, and the pose in the body frame, or in the world, of a pose given in the link's
/// frame.
pub(super) fn at(
    lumped: &[Lumped],
    bodies: &BTreeMap<LinkId, BodyId>,
    link: Option<LinkId>,
    pose: &Pose,
) -> (Option<BodyId>, Pose) {
    match link {
        None => (None, *pose),
        Some(link) => {
            let place = &lumped[link.0];
            let local = if place.local == Pose::identity() {
                *pose
            } else {
                place.local.compose(pose)
            };
            (place.root.map(|r| bodies[&r]), local)
        }
    }
}

fn definition(
    joint: &DraftJoint,
    mut base: (Option<BodyId>, Pose),
    mut follower: (Option<BodyId>, Pose),
) -> Result<JointDef, ImportError> {
    if base.0 == follower.0 {
        let what = format!("joint '{}' connects parts of one rigid body", joint.name);
        let remedy = "remove it, or free one of the links it connects";
        return Err(ImportError::new(
            &joint.place,
            Fault::Mechanism,
            what,
            remedy,
        ));
    }
    if follower.0.is_none() {
        // The core requires a body as follower. Swapping reverses the signs of coordinates, so only joints without
        // limits, drives and other elements on their coordinates may be reversed.
        if joint.axes.iter().any(|a| *a != Default::default()) {
            let what = format!("joint '{}' has the world as its follower", joint.name);
            let remedy = "exchange its two links";
            return Err(ImportError::new(
                &joint.place,
                Fault::Unsupported,
                what,
                remedy,
            ));
        }
        std::mem::swap(&mut base, &mut follower);
    }
    let body = follower.0.expect("one of the two is a body");
    let kind = joint.kind.clone();
    kind.validate().map_err(|what| {
        let what = format!("joint '{}': {what}", joint.name);
        let remedy = "correct the joints named";
        ImportError::new(&joint.place, Fault::Mechanism, what, remedy)
    })?;
    let mut def = JointDef::of(&joint.name, kind, base.0, body)
        .frames(base.1, follower.1)
        .labels(joint.labels.clone());
    for (i, axis) in joint.axes.iter().enumerate() {
        def = def.with(i, |a| *a = *axis);
    }
    if !joint.coordinates.is_empty() {
        def = def.coordinates(&joint.coordinates);
    }
    if joint.collide {
        def = def.collide();
    }
    if let Some(limits) = joint.turn_limits {
        def = def.turn_limits(limits);
    }
    if let Some(softness) = joint.softness {
        def = def.softness(softness);
    }
    Ok(def)
}
