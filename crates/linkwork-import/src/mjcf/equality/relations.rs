//! Equalities of joints and of tendons.

use super::super::names::Kind;
use super::super::scene::{JointKind, Scene};
use super::super::softness::Target;
use super::Reader;
use crate::{Fault, ImportError};
use linkwork::model::{Axis, Coupling, JointId, Limits, Tendon, Term, Waypoint};

impl Reader<'_> {
    pub(super) fn joint(self, scene: &mut Scene<'_>) -> Result<(), ImportError> {
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
        let single = |(joint, c): (JointId, usize)| vec![Term::linear(joint, c, 1.0)];
        let along = [Some(follower), leader.map(|l| l.0)];
        let along = along.into_iter().flatten().map(single).collect();
        self.soften(scene, Target::Relation(scene.draft.couplings.len()), along)?;
        let mut coupling = match leader {
            Some(((joint, _), home)) => {
                let homes = (follower_home, home);
                Coupling::polynomial(self.name, follower.0, joint, homes, coefficients)
            }
            // Without a leader the follower is held.
            None => {
                let value = follower_home + coefficients[0];
                Coupling::new(self.name, &[(follower.0, 0, 1.0)], value)
            }
        };
        let coordinates = [Some(follower.1), leader.map(|l| l.0.1)];
        for (term, coordinate) in coupling.terms.iter_mut().zip(coordinates) {
            term.coordinate = coordinate.unwrap_or(0);
        }
        scene.draft.couplings.push(coupling);
        Ok(())
    }

    /// L₁ − L₁₀ = a₀ + a₁ (L₂ − L₂₀); with higher powers the equality is omitted. For fixed tendons it is a coupling,
    /// otherwise a tendon along both whose limits coincide.
    pub(super) fn tendon(self, scene: &mut Scene<'_>) -> Result<(), ImportError> {
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
        let lost = second == Some(None);
        let (Some(Some(first)), false, false) = (first, lost, curved) else {
            let what = format!(
                "equality '{}' is left out: only linear ones of tendons that move are carried",
                self.name
            );
            scene.draft.notices.ignored(&self.e.place, what);
            return Ok(());
        };
        let Tendon {
            mut terms,
            mut path,
            ..
        } = scene.draft.tendons[first.0].clone();
        let mut offset = first.1 + a0;
        if let Some(Some(second)) = second.filter(|_| a1 != 0.0) {
            let other = &scene.draft.tendons[second.0];
            let scaled = other.terms.iter().map(|t| Term {
                factor: -a1 * t.factor,
                ..*t
            });
            terms.extend(scaled);
            path.extend(scaled_path(&other.path, -a1));
            offset -= a1 * second.1;
        }
        let terms = summed(&terms);
        if !path.is_empty() {
            let target = Target::TendonLimit(scene.draft.tendons.len());
            self.soften(scene, target, Vec::new())?;
            scene.draft.tendons.push(Tendon {
                name: self.name,
                terms,
                path,
                axis: Axis {
                    limits: Some(Limits::new(offset, offset)),
                    ..Axis::default()
                },
            });
            return Ok(());
        }
        if terms.is_empty() {
            let what = "the two tendons cancel";
            return Err(self.e.error(Fault::Mechanism, what, "remove the equality"));
        }
        let both = [Some(first), second.flatten()];
        let tendons = both.into_iter().flatten();
        let along = tendons.map(|t| scene.draft.tendons[t.0].terms.clone());
        let along = along.collect();
        self.soften(scene, Target::Relation(scene.draft.couplings.len()), along)?;
        let mut coupling = Coupling::new(&self.name, &[], offset);
        coupling.terms = terms;
        scene.draft.couplings.push(coupling);
        Ok(())
    }

    fn coefficients(&self) -> Result<[f64; 5], ImportError> {
        self.e.up_to("polycoef", [0.0, 1.0, 0.0, 0.0, 0.0])
    }
}

/// A path whose length counts `factor` times.
fn scaled_path(path: &[Waypoint], factor: f64) -> Vec<Waypoint> {
    let divided = |divisor: f64| Waypoint::Pulley {
        divisor: divisor / factor,
    };
    let rest = path.iter().map(|part| match part {
        Waypoint::Pulley { divisor } => divided(*divisor),
        part => *part,
    });
    let first = (!path.is_empty()).then(|| divided(1.0));
    first.into_iter().chain(rest).collect()
}

/// Terms of one coordinate added up, those that vanish left out.
fn summed(terms: &[Term]) -> Vec<Term> {
    let mut sums: Vec<Term> = Vec::new();
    for term in terms {
        let same = |t: &&mut Term| (t.joint, t.coordinate) == (term.joint, term.coordinate);
        match sums.iter_mut().find(same) {
            Some(known) => known.factor += term.factor,
            None => sums.push(*term),
        }
    }
    sums.retain(|t| t.factor != 0.0);
    sums
}
