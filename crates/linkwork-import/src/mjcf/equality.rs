//! Equalities: loops closed by connect and weld, and relations of joints and tendons.

use super::names::{Kind, Scope};
use super::orientation::quaternion;
use super::scene::{JointKind, Scene};
use crate::draft::{DraftJoint, Motion, Polynomial, Relation};
use crate::xml::{Attribute, Element};
use crate::{Fault, ImportError};
use linkwork::joints::{Fixed, JointType, Spherical};
use linkwork::math::{Pose, Quat, Vec3};
use linkwork::model::{Axis, Coupling, JointId};
use std::sync::Arc;

/// Read all equalities that are active.
pub(super) fn read(scene: &mut Scene<'_>) -> Result<(), ImportError> {
    let on = scene.main().switches.equality;
    for (number, (element, scope)) in scene.section("equality")?.into_iter().enumerate() {
        let defaults = &scene.documents[scope.document].defaults;
        let e = defaults.complete(element, 0, "equality")?;
        let fallback = format!("{}_{number}", element.name);
        let name = scene
            .names
            .enter(Kind::Equality, element, &scope, number, &fallback)?;
        if !on || e.flag("active")? == Some(false) {
            let what = format!("equality '{name}' is not active and left out");
            scene.draft.notices.ignored(&element.place, what);
            continue;
        }
        let reader = Reader {
            e: &e,
            scope: &scope,
            name,
        };
        match element.name.as_str() {
            "connect" => reader.connect(scene)?,
            "weld" => reader.weld(scene)?,
            "joint" => reader.joint(scene)?,
            "tendon" => reader.tendon(scene)?,
            other => {
                let what = format!("equalities of kind <{other}> are left out");
                scene.draft.notices.ignored(&element.place, what);
            }
        }
    }
    Ok(())
}

/// A body and a frame on it.
type End = (usize, Pose);

struct Reader<'e> {
    e: &'e Element,
    scope: &'e Scope,
    name: String,
}

impl Reader<'_> {
    fn connect(self, scene: &mut Scene<'_>) -> Result<(), ImportError> {
        let ends = match self.sites(scene)? {
            Some(ends) => ends,
            None => {
                let [a, b] = self.bodies(scene)?;
                self.e.require("anchor")?;
                let anchor = self.e.vec3("anchor")?.unwrap_or_default();
                // Frames along the world's axes at home, where the coordinates are then 0.
                let point = scene.bodies[a].pose.transform_point(&anchor);
                let frame = Pose::new(point, Quat::identity());
                let seen = |body: usize| scene.bodies[body].pose.inverse().compose(&frame);
                [(a, seen(a)), (b, seen(b))]
            }
        };
        self.close(scene, Spherical, ends)
    }

    fn weld(self, scene: &mut Scene<'_>) -> Result<(), ImportError> {
        let ends = match self.sites(scene)? {
            Some(ends) => ends,
            None => {
                let [a, b] = self.bodies(scene)?;
                let (first, second) = (scene.bodies[a].pose, scene.bodies[b].pose);
                let home = first.inverse().compose(&second);
                let given = self.e.attribute("relpose");
                let relative = match (self.e.fixed::<7>("relpose")?, given) {
                    // A zero quaternion means the pose at home.
                    (Some([x, y, z, w, i, j, k]), Some(a)) if [w, i, j, k] != [0.0; 4] => {
                        Pose::new(Vec3::new(x, y, z), quaternion([w, i, j, k], a)?)
                    }
                    _ => home,
                };
                [(a, relative), (b, Pose::identity())]
            }
        };
        self.close(scene, Fixed, ends)
    }

    /// `site1` and `site2`, if the equality is given by sites.
    fn sites(&self, scene: &Scene<'_>) -> Result<Option<[End; 2]>, ImportError> {
        let (Some(a), Some(b)) = (self.e.attribute("site1"), self.e.attribute("site2")) else {
            return Ok(None);
        };
        let find = |a: &Attribute| -> Result<End, ImportError> {
            let frame = &scene.draft.frames[scene.names.resolve(Kind::Site, a, self.scope)?];
            Ok((frame.link.map_or(0, |l| l.0 + 1), frame.pose))
        };
        Ok(Some([find(a)?, find(b)?]))
    }

    fn bodies(&self, scene: &Scene<'_>) -> Result<[usize; 2], ImportError> {
        self.e.require("body1")?;
        let find = |name: &str| match self.e.attribute(name) {
            Some(a) => scene.names.resolve(Kind::Body, a, self.scope),
            None => Ok(0),
        };
        Ok([find("body1")?, find("body2")?])
    }

    /// A joint that closes a loop between two frames.
    fn close(
        self,
        scene: &mut Scene<'_>,
        kind: impl JointType + 'static,
        ends: [End; 2],
    ) -> Result<(), ImportError> {
        let [mut base, mut follower] = ends;
        if scene.bodies[base.0].weld == scene.bodies[follower.0].weld {
            let what = format!(
                "equality '{}' is within one rigid body: left out",
                self.name
            );
            scene.draft.notices.warn(&self.e.place, what, "remove it");
            return Ok(());
        }
        if follower.0 == 0 {
            std::mem::swap(&mut base, &mut follower);
        }
        let count = kind.coordinates().len();
        let name = scene.joint_name(&self.name);
        let follower_link = scene.link(follower.0).expect("only one end is the world");
        scene.draft.joints.push(DraftJoint {
            labels: (0..count).map(|i| format!("{name}:{i}")).collect(),
            name,
            place: self.e.place.clone(),
            motion: Motion::Of(Arc::new(kind)),
            base: scene.link(base.0),
            follower: follower_link,
            frame_base: base.1,
            frame_follower: follower.1,
            axes: vec![Axis::default(); count],
            coordinates: Vec::new(),
            // MuJoCo lets bodies touch that only an equality connects.
            collide: true,
            closure: true,
        });
        Ok(())
    }

    fn joint(self, scene: &mut Scene<'_>) -> Result<(), ImportError> {
        self.e.require("joint1")?;
        let find = |name: &str| {
            let Some(a) = self.e.attribute(name) else {
                return Ok(None);
            };
            let record = &scene.joints[scene.names.resolve(Kind::Joint, a, self.scope)?];
            match record.kind {
                JointKind::Scalar(joint, c) => Ok(Some(((joint, c), record.home))),
                _ => Err(a.bad(
                    "is neither hinge nor slide",
                    "name a joint of one coordinate",
                )),
            }
        };
        let (follower, leader) = (find("joint1")?, find("joint2")?);
        let Some((follower, follower_home)) = follower else {
            return Ok(());
        };
        let coefficients = self.coefficients()?;
        scene.draft.relations.push(Relation::Polynomial(Polynomial {
            name: self.name,
            follower,
            leader: leader.map(|l| l.0),
            coefficients,
            follower_home,
            leader_home: leader.map_or(0.0, |l| l.1),
        }));
        Ok(())
    }

    /// L₁ − L₁₀ = a₀ + a₁ (L₂ − L₂₀); higher powers are left out with the whole.
    fn tendon(self, scene: &mut Scene<'_>) -> Result<(), ImportError> {
        self.e.require("tendon1")?;
        let find = |name: &str| match self.e.attribute(name) {
            Some(a) => {
                let number = scene.names.resolve(Kind::Tendon, a, self.scope)?;
                Ok(Some(scene.tendons[number]))
            }
            None => Ok(None),
        };
        let (first, second) = (find("tendon1")?, find("tendon2")?);
        let [a0, a1, higher @ ..] = self.coefficients()?;
        let curved = second.is_some() && higher.iter().any(|a| *a != 0.0);
        let (Some(Some(first)), false, false) = (first, second == Some(None), curved) else {
            let what = format!(
                "equality '{}' is left out: only linear ones of fixed tendons are carried",
                self.name
            );
            scene.draft.notices.ignored(&self.e.place, what);
            return Ok(());
        };
        let mut terms = scene.draft.tendons[first.0].terms.clone();
        let mut offset = first.1 + a0;
        if let Some(Some(second)) = second {
            let other = &scene.draft.tendons[second.0].terms;
            terms.extend(other.iter().map(|(j, c, f)| (*j, *c, -a1 * f)));
            offset -= a1 * second.1;
        }
        let terms = summed(&terms);
        if terms.is_empty() {
            let what = "the two tendons cancel";
            return Err(self.e.error(Fault::Mechanism, what, "remove the equality"));
        }
        let coupling = Coupling::new(&self.name, &terms, offset);
        scene.draft.relations.push(Relation::Linear(coupling));
        Ok(())
    }

    fn coefficients(&self) -> Result<[f64; 5], ImportError> {
        self.e.up_to("polycoef", [0.0, 1.0, 0.0, 0.0, 0.0])
    }
}

/// Terms of one coordinate added up, those that vanish left out.
fn summed(terms: &[(JointId, usize, f64)]) -> Vec<(JointId, usize, f64)> {
    let mut sums: Vec<(JointId, usize, f64)> = Vec::new();
    for (joint, coordinate, factor) in terms {
        let known = sums
            .iter_mut()
            .find(|t| t.0 == *joint && t.1 == *coordinate);
        match known {
            Some(term) => term.2 += factor,
            None => sums.push((*joint, *coordinate, *factor)),
        }
    }
    sums.retain(|t| t.2 != 0.0);
    sums
}
