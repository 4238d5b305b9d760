//! Hinges and slides in series, without bodies in between: 6 − n rows locked, n coordinates free.
//!
//! The links act in order, each in the frame moved by the earlier ones. With axes sᵢ and anchors aᵢ given in the joint
//! frame in the reference configuration, T(q) = E₁(q₁ − o₁) ⋯ E_n(q_n − o_n), where Eᵢ(x) rotates by x about the line
//! through aᵢ along sᵢ, or translates by x along sᵢ, and oᵢ is the offset: a product of exponentials (and the
//! kinematics of a MuJoCo body with several joints, oᵢ its `ref`).
//!
//! Let c be the anchor of the last hinge (the origin if there is none), p and p_T its positions under (d, R) and T(q),
//! e = (p − p_T, log(R R_Tᵀ)) ∈ ℝ⁶ the error of T(q), and B(q) the twists of the links, so that ∂e/∂q = −B up to
//! J_r⁻¹(θ) on the rotation. Then
//!
//! q = argmin ‖e‖², with equal weights for a metre and a radian: Bᵀ e = 0; q̇ = H⁻¹ (Bᵀ ∂e/∂t), H the exact Hessian (B
//! Bᵀ on C = 0), damped where the twists depend on each other (gimbal lock); C = Nᵀ e, N an orthonormal basis of the
//! complement of B **at the last known q**; Ċ = Nᵀ ė; J rows: on C = 0 those of N, the forces that do no work on any
//! link's motion; elsewhere with an additional term from q̇.
//!
//! C vanishes on the motions of the chain alone, and ‖C‖ = ‖e‖ if the last known q is the present one. Because N is
//! fixed while a joint is measured, all derivatives are exact; see [`complement`] for its change from step to step.
//! Angles are multi-turn, continued from the last known q. As in any inverse kinematics, q stays on its branch.

mod complement;
mod factor;
mod fit;
mod labels;
mod motion;
mod ready;

use super::{JointType, Label, MAX_COORDINATES, MAX_ROWS, Parameter, Relative, Row};
use crate::math::Vec3;
use complement::{complement, rank};
use fit::Fit;
use motion::{Links, Motion};
use ready::Ready;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One hinge or slide of a [`Chain`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainLink {
    /// Whether it slides along its axis; otherwise it rotates about it.
    pub slide: bool,
    /// Unit vector in the joint frame in the reference configuration.
    pub axis: Vec3,
    /// A point of the hinge's axis in the joint frame in the reference configuration, m; not used by a slide.
    pub anchor: Vec3,
    /// Coordinate in the reference configuration, m or rad: the link has moved by q − offset.
    pub offset: f64,
}

impl ChainLink {
    /// A hinge through `anchor` (m) along the unit vector `axis`, with q = 0 in the reference configuration.
    pub fn hinge(axis: Vec3, anchor: Vec3) -> Self {
        Self {
            slide: false,
            axis,
            anchor,
            offset: 0.0,
        }
    }

    /// A slide along the unit vector `axis`, with q = 0 in the reference configuration.
    pub fn slide(axis: Vec3) -> Self {
        Self {
            slide: true,
            axis,
            anchor: Vec3::zeros(),
            offset: 0.0,
        }
    }

    /// The same link with q = `offset` in the reference configuration, m or rad.
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
    /// The links; [`JointType::validate`] refuses more than six.
    fn links(&self) -> &[ChainLink] {
        &self.links[..self.links.len().min(MAX_COORDINATES)]
    }

    /// The links with what follows from them alone.
    fn course(&self) -> Course<'_> {
        Course {
            links: Links::new(self.links()),
            translations: labels::translations(self.links()),
        }
    }
}

/// A chain with precomputed data.
struct Course<'a> {
    links: Links<'a>,
    /// How many locked rows are translations.
    translations: usize,
}

impl Course<'_> {
    /// Locked rows and coordinates, as many as fit into the slices. Returns whether the coordinates are those given.
    fn rows(&self, rel: &Relative, turns: &[f64], locked: &mut [Row], free: &mut [Row]) -> bool {
        let mut fit = Fit::new(&self.links, rel, turns);
        let (forces, count) = if locked.is_empty() {
            ([[Vec3::zeros(); 2]; MAX_ROWS], 0)
        } else {
            complement(&self.links, &fit.motion, self.translations)
        };
        fit.start_here(turns);
        let factor = fit.find();
        let mut coordinates = [Row::ZERO; MAX_COORDINATES];
        fit.coordinates(&factor, &mut coordinates);
        for (row, force) in locked.iter_mut().zip(&forces[..count]) {
            *row = fit.along(force, &coordinates);
        }
        for (row, coordinate) in free.iter_mut().zip(&coordinates) {
            *row = *coordinate;
        }
        fit.stays
    }

    /// C alone. The search starts from `guess`, which is replaced by the coordinates found.
    fn values(&self, rel: &Relative, turns: &[f64], guess: &mut [f64], values: &mut [f64]) {
        let mut fit = Fit::new(&self.links, rel, turns);
        let (forces, count) = complement(&self.links, &fit.motion, self.translations);
        fit.start_from(guess);
        let step = fit.approach();
        for (value, force) in values.iter_mut().zip(&forces[..count]) {
            *value = fit.value(force, &step);
        }
        for (guess, (q, step)) in guess.iter_mut().zip(fit.q.iter().zip(&step)) {
            *guess = q + step;
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
        self.course().rows(rel, turns, rows, &mut []);
    }

    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]) {
        self.course().rows(rel, turns, &mut [], coordinates);
    }

    fn rows(
        &self,
        rel: &Relative,
        turns: &[f64],
        locked: &mut [Row],
        coordinates: &mut [Row],
    ) -> bool {
        self.course().rows(rel, turns, locked, coordinates)
    }

    fn residual(&self, rel: &Relative, turns: &[f64], guess: &mut [f64], values: &mut [f64]) {
        self.course().values(rel, turns, guess, values);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        let links = Links::new(self.links());
        let pose = Motion::at(&links, coordinates).pose(&links);
        Relative {
            d: pose.position,
            rotation: pose.rotation,
        }
    }

    fn searches(&self) -> bool {
        true
    }

    fn prepared(&self) -> Option<Arc<dyn JointType>> {
        Some(Arc::new(Ready::new(self)))
    }

    fn home(&self, coordinate: usize) -> f64 {
        self.links[coordinate].offset
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        vec![("links", Parameter::Links(self.links.clone()))]
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
