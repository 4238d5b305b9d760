//! Hinges and slides in series, with nothing between them: 6 − n rows locked, n coordinates free.
//!
//! The links act in order, each in the frame that the earlier ones moved. With axes sᵢ and anchors aᵢ
//! given in the joint frame at home, T(q) = E₁(q₁ − o₁) ⋯ E_n(q_n − o_n), where Eᵢ(x) turns by x about
//! the line through aᵢ along sᵢ, or shifts by x along sᵢ, and oᵢ is the offset: a product of
//! exponentials (and the kinematics of a MuJoCo body with several joints, oᵢ its `ref`).
//!
//! Let c be the anchor of the last hinge (the origin without one), p and p_T where (d, R) and T(q) put
//! it, e = (p − p_T, log(R R_Tᵀ)) ∈ ℝ⁶ the error of T(q), and B(q) the twists of the links, so that
//! ∂e/∂q = −B up to J_r⁻¹(θ) on the rotation. Then
//!
//! q = argmin ‖e‖², a metre counting as much as a radian: Bᵀ e = 0; q̇ = H⁻¹ (Bᵀ ∂e/∂t), H the exact
//! Hessian (B Bᵀ on C = 0), damped where the twists depend on each other (gimbal lock);
//! C = Nᵀ e, N an orthonormal basis of the complement of B **at the last known q**; Ċ = Nᵀ ė; J rows:
//! on C = 0 those of N, the forces that do no work on any link's motion; elsewhere with what q̇ adds.
//!
//! C vanishes on the motions of the chain alone, and ‖C‖ = ‖e‖ where the last known q is the present
//! one. That N stays put while a joint is measured makes all derivatives exact; see
//! [`complement`] for how it moves from step to step. Angles are multi-turn, continued from the last
//! known q: as any solution of an inverse kinematics, q stays on its branch.

mod bend;
mod complement;
mod factor;
mod fit;
mod labels;
mod motion;
mod ready;

use super::{
    JointType, Label, MAX_COORDINATES, MAX_ROWS, Parameter, Relative, RelativeMotion, Row,
};
use crate::math::Vec3;
use complement::{complement, rank};
use fit::Fit;
use motion::Motion;
use ready::Ready;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One hinge or slide of a [`Chain`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainLink {
    /// Whether it slides along its axis; else it turns about it.
    pub slide: bool,
    /// Unit vector in the joint frame at home.
    pub axis: Vec3,
    /// A point of the hinge's line in the joint frame at home, m; a slide has no use for it.
    pub anchor: Vec3,
    /// Coordinate at home, m or rad: the link has moved by q − offset.
    pub offset: f64,
}

impl ChainLink {
    /// A hinge through `anchor` (m) along the unit vector `axis`, at home where q = 0.
    pub fn hinge(axis: Vec3, anchor: Vec3) -> Self {
        Self {
            slide: false,
            axis,
            anchor,
            offset: 0.0,
        }
    }

    /// A slide along the unit vector `axis`, at home where q = 0.
    pub fn slide(axis: Vec3) -> Self {
        Self {
            slide: true,
            axis,
            anchor: Vec3::zeros(),
            offset: 0.0,
        }
    }

    /// The same link at home where q = `offset`, m or rad.
    pub fn offset(self, offset: f64) -> Self {
        Self { offset, ..self }
    }
}

/// One to six hinges and slides in series without bodies between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// From the base to the follower.
    pub links: Vec<ChainLink>,
}

impl Chain {
    /// The links that count; more than six are refused by [`JointType::validate`].
    fn links(&self) -> &[ChainLink] {
        &self.links[..self.links.len().min(MAX_COORDINATES)]
    }

    /// The point of the follower at which errors are measured, in its joint frame, m. At the last
    /// hinge, so that a hinge alone, or several through one point, lock translations and rotations
    /// separately.
    fn reference(&self) -> Vec3 {
        let last = self.links().iter().rfind(|link| !link.slide);
        last.map_or(Vec3::zeros(), |link| link.anchor)
    }

    /// The locked rows, of which `translations` are translations.
    fn constrain_with(&self, translations: usize, rel: &Relative, turns: &[f64], rows: &mut [Row]) {
        let known = Motion::at(self.links(), &self.reference(), turns);
        let (forces, count) = complement(&known, translations);
        let fit = Fit::of(self.links(), &self.reference(), rel, turns);
        let mut coordinates = [Row::ZERO; MAX_COORDINATES];
        fit.coordinates(&mut coordinates);
        for (row, force) in rows.iter_mut().zip(&forces[..count]) {
            *row = fit.along(force, &coordinates);
        }
    }
}

impl JointType for Chain {
    fn name(&self) -> &'static str {
        "chain"
    }

    fn locked(&self) -> &'static [Label] {
        labels::locked(self.links())
    }

    fn coordinates(&self) -> &'static [Label] {
        labels::coordinates(self.links())
    }

    fn constrain(&self, rel: &Relative, turns: &[f64], rows: &mut [Row]) {
        self.constrain_with(labels::translations(self.links()), rel, turns, rows);
    }

    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]) {
        Fit::of(self.links(), &self.reference(), rel, turns).coordinates(coordinates);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        let pose = Motion::at(self.links(), &self.reference(), coordinates).pose;
        Relative {
            d: pose.position,
            rotation: pose.rotation,
        }
    }

    fn bend(
        &self,
        rel: &Relative,
        turns: &[f64],
        motion: &RelativeMotion,
    ) -> Option<[f64; MAX_COORDINATES]> {
        let here = Motion::at(self.links(), &self.reference(), turns);
        Some(bend::bend(&here, &self.reference(), rel, motion))
    }

    fn settles(&self) -> bool {
        // The fit takes another step from where it ended.
        false
    }

    fn prepared(&self) -> Option<Arc<dyn JointType>> {
        Some(Arc::new(Ready::new(self)))
    }

    fn home(&self, coordinate: usize) -> f64 {
        self.links[coordinate].offset
    }

    fn parameter(&self) -> Option<(&'static str, Parameter)> {
        Some(("links", Parameter::Links(self.links.clone())))
    }

    fn validate(&self) -> Result<(), String> {
        let n = self.links.len();
        if !(1..=MAX_ROWS).contains(&n) {
            return Err(format!(
                "a chain of {n} links: give it one to six, or put a body in between"
            ));
        }
        for (i, link) in self.links.iter().enumerate() {
            let length = link.axis.norm();
            if (length - 1.0).abs() > 1e-9 || length.is_nan() {
                return Err(format!(
                    "axis of link {i} of the chain has length {length}: give a unit vector"
                ));
            }
            let mut numbers = link.anchor.iter().chain([&link.offset]);
            if !numbers.all(|x| x.is_finite()) {
                return Err(format!(
                    "anchor or offset of link {i} of the chain is not finite"
                ));
            }
        }
        let independent = rank(&Motion::generic(&self.links));
        if independent < n {
            return Err(format!(
                "the {n} links of the chain have only {independent} independent motions, wherever it is: \
                 leave out those that repeat others, or put a body in between"
            ));
        }
        Ok(())
    }
}

/// A chain with a bit of everything, for [`all`](super::all).
pub(super) fn sample() -> Vec<ChainLink> {
    vec![
        ChainLink::slide(Vec3::x()).offset(0.1),
        ChainLink::hinge(Vec3::z(), Vec3::new(0.1, -0.05, 0.0)),
        ChainLink::hinge(Vec3::new(0.0, 0.96, 0.28), Vec3::new(0.2, 0.1, -0.1)).offset(-0.3),
    ]
}
