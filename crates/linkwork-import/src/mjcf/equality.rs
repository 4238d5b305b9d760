//! Equalities: loops closed by connect and weld, and relations of joints and tendons.

mod relations;

use super::impedance::impedance;
use super::names::{Kind, Scope};
use super::orientation::quaternion;
use super::scene::Scene;
use super::softness::{Softened, Target};
use crate::ImportError;
use crate::draft::DraftJoint;
use crate::xml::{Attribute, Element};
use linkwork::joints::{Fixed, JointType, Spherical};
use linkwork::math::{Pose, Quat, Vec3};
use linkwork::model::{Axis, JointId, Term};
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
                // Frames along the world's axes in the home pose, so that the coordinates are 0 there.
                let point = scene.bodies[a].pose.transform_point(&anchor);
                let frame = Pose::new(point, Quat::identity());
                let seen = |body: usize| scene.bodies[body].pose.inverse().compose(&frame);
                [(a, seen(a)), (b, seen(b))]
            }
        };
        self.close(scene, Spherical, ends, 0.0)
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
                    // A zero quaternion means the home pose.
                    (Some([x, y, z, w, i, j, k]), Some(a)) if [w, i, j, k] != [0.0; 4] => {
                        Pose::new(Vec3::new(x, y, z), quaternion([w, i, j, k], a)?)
                    }
                    _ => home,
                };
                // Where the two are held matters to a soft weld.
                let anchor = self.e.vec3("anchor")?.unwrap_or_default();
                let at = Pose::new(anchor, Quat::identity());
                [(a, relative.compose(&at)), (b, at)]
            }
        };
        match self.e.number("torquescale")?.unwrap_or(1.0).abs() {
            // Without a torque only the points are held.
            0.0 => self.close(scene, Spherical, ends, 0.0),
            scale => self.close(scene, Fixed, ends, 0.5 * scale),
        }
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

    /// A joint that closes a loop between two frames; if soft, angles are converted to lengths by the radius (m).
    fn close(
        self,
        scene: &mut Scene<'_>,
        kind: impl JointType + 'static,
        ends: [End; 2],
        radius: f64,
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
        let target = Target::Closure {
            joint: JointId(scene.draft.joints.len() as u32),
            bodies: [base.0, follower.0],
            radius,
        };
        self.soften(scene, target, Vec::new())?;
        let count = kind.coordinates().len();
        let name = scene.joint_name(&self.name);
        let follower_link = scene.link(follower.0).expect("only one end is the world");
        scene.draft.joints.push(DraftJoint {
            labels: (0..count).map(|i| format!("{name}:{i}")).collect(),
            name,
            place: self.e.place.clone(),
            kind: Arc::new(kind),
            base: scene.link(base.0),
            follower: follower_link,
            frame_base: base.1,
            frame_follower: follower.1,
            axes: vec![Axis::default(); count],
            coordinates: Vec::new(),
            // MuJoCo lets bodies touch that only an equality connects.
            collide: true,
            closure: true,
            turn_limits: None,
            softness: None,
        });
        Ok(())
    }

    /// Note that it is to yield, if softness is honoured.
    fn soften(
        &self,
        scene: &mut Scene<'_>,
        target: Target,
        along: Vec<Vec<Term>>,
    ) -> Result<(), ImportError> {
        if scene.options.soft {
            let impedance = impedance(scene, self.e, ["solref", "solimp"])?;
            scene.softened.push(Softened {
                target,
                impedance,
                along,
            });
        }
        Ok(())
    }
}
