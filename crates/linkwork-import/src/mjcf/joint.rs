//! The joints of a body: none, a free one, or hinges, slides and a ball in series.

use super::compiler::{Compiler, Switches};
use super::impedance::impedance;
use super::names::Kind;
use super::orientation::direction;
use super::range::{limited, limited_as};
use super::scene::{JointKind, JointRecord, Origin, Scene};
use super::series;
use super::softness::{Softened, Target};
use super::tree::Part;
use crate::draft::{Attachment, LinkId};
use crate::xml::Element;
use crate::{Fault, ImportError, Place};
use linkwork::joints::ChainLink;
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Axis, Impedance, JointId, Limits, Spring, Term};

/// A hinge, slide or ball of a body.
#[derive(Clone, Debug)]
pub(super) struct Single {
    pub name: String,
    pub origin: Origin,
    pub place: Place,
    pub ball: bool,
    /// Its motion in the body's frame in the home pose; for a ball only the anchor matters.
    pub link: ChainLink,
    /// What acts on its coordinate, or on each of a ball's three.
    pub axis: Axis,
    /// Limits of the angle of a ball.
    pub turn_limits: Option<Limits>,
    range: Option<[f64; 2]>,
    force_range: Option<[f64; 2]>,
    spring_damper: Option<[f64; 2]>,
    /// How its limits yield.
    soft: Option<Impedance>,
}

/// The joints of a body.
#[derive(Clone, Debug)]
pub(super) enum Joints {
    None,
    Free {
        name: String,
        origin: Origin,
        align: Option<bool>,
    },
    Series(Vec<Single>),
}

/// Read the joints of a body, in order.
pub(super) fn read_all<'a>(
    scene: &mut Scene<'a>,
    parts: &[&Part<'a>],
    body: &str,
) -> Result<Joints, ImportError> {
    let mut series = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let e = part.complete(scene)?;
        let scope = part.scope(scene).clone();
        let number = scene.joints.len() + i;
        let fallback = format!("{body}_joint");
        let name = scene
            .names
            .enter(Kind::Joint, &e, &scope, number, &fallback)?;
        let origin = Origin::new(part.element, &scope);
        let kind = e.choice("type", &["free", "ball", "slide", "hinge"])?;
        if e.name == "freejoint" || kind == Some(0) {
            if parts.len() > 1 {
                let what = format!("'{body}' has a free joint and others");
                return Err(e.error(Fault::Mechanism, what, "remove the others"));
            }
            list_free(scene, &e)?;
            let align = match e.choice("align", &["false", "true", "auto"])? {
                Some(0) => Some(false),
                Some(1) => Some(true),
                _ => None,
            };
            return Ok(Joints::Free {
                name,
                origin,
                align,
            });
        }
        let document = part.document(scene);
        let reader = Reader {
            compiler: &document.compiler,
            switches: &scene.main().switches,
            e: &e,
        };
        let mut made = reader.single((name, origin), kind, &part.at.pose)?;
        let limited = e.choice("limited", &["false", "true", "auto"])? == Some(1);
        if limited && made.ball && made.range.is_none() {
            let what = "a limit of a ball without an angle, by which MuJoCo holds it softly where it starts; here it turns freely";
            scene.draft.notices.ignored(&e.place, what.to_owned());
        }
        if e.flag("actuatorgravcomp")? == Some(true) {
            let what = "gravcomp acts on the bodies, with actuatorgravcomp as without: the motion is the \
                        same unless actuatorfrcrange would cut it off";
            scene.draft.notices.chose(&e.place, what, "");
        }
        if scene.options.soft && (made.axis.limits.is_some() || made.turn_limits.is_some()) {
            made.soft = Some(impedance(scene, &e, ["solreflimit", "solimplimit"])?);
        }
        series.push(made);
    }
    Ok(if series.is_empty() {
        Joints::None
    } else {
        Joints::Series(series)
    })
}

/// What acts on a free joint has no counterpart.
fn list_free(scene: &mut Scene<'_>, e: &Element) -> Result<(), ImportError> {
    for name in ["damping", "stiffness", "armature", "frictionloss"] {
        let acts = e
            .numbers(name)?
            .is_some_and(|v| v.iter().any(|x| *x != 0.0));
        if let (true, Some(a)) = (acts, e.attribute(name)) {
            let what = format!("{name} of free joints has no effect");
            scene.draft.notices.ignored(&a.place, what);
        }
    }
    Ok(())
}

struct Reader<'e> {
    compiler: &'e Compiler,
    switches: &'e Switches,
    e: &'e Element,
}

impl Reader<'_> {
    /// `frame` is the one around the element, in the body.
    fn single(
        &self,
        (name, origin): (String, Origin),
        kind: Option<usize>,
        frame: &Pose,
    ) -> Result<Single, ImportError> {
        let e = self.e;
        let (ball, slide) = (kind == Some(1), kind == Some(2));
        let unit = if slide { 1.0 } else { self.compiler.angle };
        let anchor = frame.transform_point(&e.vec3("pos")?.unwrap_or_default());
        let axis = match (e.vec3("axis")?, e.attribute("axis")) {
            (Some(v), Some(a)) if !ball => direction(v, a)?,
            _ => Vec3::z(),
        };
        let home = e.number("ref")?.unwrap_or(0.0) * if ball { 0.0 } else { unit };
        let given = e.fixed::<2>("range")?.map(|r| r.map(|x| x * unit));
        // `limited` is often a default of all joints; a ball without an angle is then unlimited, with a notice.
        let limited = match given {
            None | Some([0.0, 0.0]) if ball => None,
            given => limited(self.compiler, e, "limited", "range", given)?,
        };
        // For a ball only one number of the range matters, the largest angle. Rotations do not exceed half a turn.
        let turns = limited.filter(|_| ball && self.switches.limit);
        let turns = turns.map(|[a, b]| a.max(b));
        let turns = turns.filter(|max| *max < std::f64::consts::PI);
        if let (Some(max), Some(a)) = (turns.filter(|max| *max <= 0.0), e.attribute("range")) {
            let what = format!("allows a ball no angle ({max} rad)");
            return Err(a.bad(
                &what,
                "give 0 and the greatest angle, or leave the joint out",
            ));
        }
        let spring_damper = e.fixed::<2>("springdamper")?;
        let forces = e.fixed::<2>("actuatorfrcrange")?;
        let forces = limited_as(self.compiler, e, "actuatorfrclimited", forces)?;
        Ok(Single {
            name,
            origin,
            place: e.place.clone(),
            ball,
            link: ChainLink {
                slide,
                axis: frame.rotation * axis,
                anchor: if slide { Vec3::zeros() } else { anchor },
                offset: home,
            },
            axis: self.axis(unit, limited.filter(|_| !ball))?,
            turn_limits: turns.map(|max| Limits::new(f64::NEG_INFINITY, max)),
            range: given.filter(|_| limited.is_some()),
            force_range: forces,
            spring_damper: spring_damper.filter(|s| s[0] > 0.0 && s[1] > 0.0),
            soft: None,
        })
    }

    fn axis(&self, unit: f64, limits: Option<[f64; 2]>) -> Result<Axis, ImportError> {
        let (e, s) = (self.e, self.switches);
        let first = |name: &str| -> Result<f64, ImportError> {
            let values = e.numbers(name)?.unwrap_or_default();
            Ok(values.first().copied().unwrap_or(0.0))
        };
        let rest = e.number("springref")?.map_or(0.0, |x| x * unit);
        let on = |switch: bool, value: f64| if switch { value } else { 0.0 };
        Ok(Axis {
            limits: limits
                .filter(|_| s.limit)
                .map(|[min, max]| Limits::new(min, max)),
            drive: None,
            spring: Spring {
                stiffness: on(s.spring, first("stiffness")?),
                rest,
                damping: on(s.damper, first("damping")?),
                band: 0.0,
            },
            armature: first("armature")?,
            friction: on(s.friction, first("frictionloss")?),
        })
    }
}

/// Put the joints of a body into the draft.
pub(super) fn attach(
    scene: &mut Scene<'_>,
    joints: Joints,
    link: LinkId,
    parent: usize,
) -> Result<Attachment, ImportError> {
    let singles = match joints {
        Joints::None => return Ok(Attachment::Fixed),
        Joints::Free { name, origin, .. } => {
            if parent != 0 {
                let place = &scene.draft.links[link.0].place;
                let what = "a free joint below another body";
                let remedy = "move the body up to the world";
                return Err(ImportError::new(place, Fault::Mechanism, what, remedy));
            }
            record(scene, (name.clone(), origin), JointKind::Free(link), 0.0);
            return Ok(Attachment::Free(Some(name)));
        }
        Joints::Series(singles) => singles,
    };
    let id = JointId(scene.draft.joints.len() as u32);
    let mut coordinate = 0;
    for s in &singles {
        let kind = if s.ball {
            JointKind::Ball(id, coordinate)
        } else {
            JointKind::Scalar(id, coordinate)
        };
        coordinate += if s.ball { 3 } else { 1 };
        record(scene, (s.name.clone(), s.origin), kind, s.link.offset);
        let made = scene.joints.last_mut().expect("just entered");
        made.range = s.range;
        made.force_range = s.force_range;
        made.spring_damper = s.spring_damper;
        let Some(impedance) = s.soft else { continue };
        let (target, along) = match kind {
            JointKind::Scalar(id, c) => {
                let along = vec![vec![Term::linear(id, c, 1.0)]];
                (Target::Limit(id, c), along)
            }
            // MuJoCo's inverse inertia of a ball is the mean of the three.
            JointKind::Ball(id, first) => {
                let one = |i| vec![Term::linear(id, first + i, (1.0_f64 / 3.0).sqrt())];
                (Target::TurnLimit(id), (0..3).map(one).collect())
            }
            JointKind::Free(_) => continue,
        };
        scene.softened.push(Softened {
            target,
            impedance,
            along,
        });
    }
    let joint = series::joint(scene, &singles, link, parent)?;
    scene.draft.joints.push(joint);
    Ok(Attachment::Joint(id))
}

fn record(scene: &mut Scene<'_>, (name, origin): (String, Origin), kind: JointKind, home: f64) {
    scene.joints.push(JointRecord {
        name,
        origin,
        kind,
        home,
        range: None,
        force_range: None,
        spring_damper: None,
    });
}
