//! Couplings Σ gᵢ(qᵢ) = c₀ between joint coordinates, gᵢ linear or a polynomial.

use super::{JointId, Softness};
use serde::{Deserialize, Serialize};

/// Nonlinear part of a term: p₂ (q − r)² + p₃ (q − r)³ + p₄ (q − r)⁴.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Reference r, m or rad.
    pub reference: f64,
    /// p₂, p₃ and p₄: unit of the coupling over m or rad to the power.
    pub powers: [f64; 3],
}

/// One term gᵢ(qᵢ) of a coupling: cᵢ qᵢ, and a curve if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The joint.
    pub joint: JointId,
    /// Which of its coordinates.
    pub coordinate: usize,
    /// Coefficient cᵢ.
    pub factor: f64,
    /// Curve added to cᵢ qᵢ; `None` for a linear term.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
}

impl Term {
    /// The linear term `factor` · q.
    pub fn linear(joint: JointId, coordinate: usize, factor: f64) -> Self {
        Self {
            joint,
            coordinate,
            factor,
            curve: None,
        }
    }

    /// gᵢ at the coordinate `q`, m or rad.
    pub fn value(&self, q: f64) -> f64 {
        let bend = self.curve.map_or(0.0, |curve| {
            let (x, [p2, p3, p4]) = (q - curve.reference, curve.powers);
            x * x * (p2 + x * (p3 + x * p4))
        });
        self.factor * q + bend
    }

    /// dgᵢ/dq at the coordinate `q`, m or rad.
    pub fn slope(&self, q: f64) -> f64 {
        let bend = self.curve.map_or(0.0, |curve| {
            let (x, [p2, p3, p4]) = (q - curve.reference, curve.powers);
            x * (2.0 * p2 + x * (3.0 * p3 + x * 4.0 * p4))
        });
        self.factor + bend
    }

    /// d²gᵢ/dq² at the coordinate `q`, m or rad.
    pub fn curvature(&self, q: f64) -> f64 {
        self.curve.map_or(0.0, |curve| {
            let (x, [p2, p3, p4]) = (q - curve.reference, curve.powers);
            2.0 * p2 + x * (6.0 * p3 + x * 12.0 * p4)
        })
    }

    /// Magnitude of the slope, independent of the configuration.
    pub(crate) fn scale(&self) -> f64 {
        let powers = self.curve.map_or([0.0; 3], |curve| curve.powers);
        let most = powers.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        if self.factor == 0.0 {
            most
        } else {
            self.factor.abs()
        }
    }
}

/// A relation between joint coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coupling {
    /// Unique name.
    pub name: String,
    /// The terms gᵢ(qᵢ).
    pub terms: Vec<Term>,
    /// The value c₀ of their sum.
    pub offset: f64,
    /// How it yields; `None`: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub softness: Option<Softness>,
}

impl Coupling {
    /// Σ factor · q(joint, coordinate) = offset.
    pub fn new(name: impl Into<String>, terms: &[(JointId, usize, f64)], offset: f64) -> Self {
        Self {
            name: name.into(),
            terms: terms
                .iter()
                .map(|&(joint, coordinate, factor)| Term::linear(joint, coordinate, factor))
                .collect(),
            offset,
            softness: None,
        }
    }

    /// y − y₀ = a₀ + a₁ (x − x₀) + … + a₄ (x − x₀)⁴ of the first coordinates, y the follower's and x the
    /// leader's: a cam. `home` is (y₀, x₀), m or rad.
    pub fn polynomial(
        name: impl Into<String>,
        follower: JointId,
        leader: JointId,
        home: (f64, f64),
        coefficients: [f64; 5],
    ) -> Self {
        let [a0, a1, a2, a3, a4] = coefficients;
        let curve = Curve {
            reference: home.1,
            powers: [-a2, -a3, -a4],
        };
        let bent = curve.powers.iter().any(|p| *p != 0.0);
        let mut terms = vec![Term::linear(follower, 0, 1.0)];
        // If nothing depends on the leader, the follower is fixed.
        if bent || a1 != 0.0 {
            terms.push(Term {
                curve: bent.then_some(curve),
                ..Term::linear(leader, 0, -a1)
            });
        }
        Self {
            name: name.into(),
            terms,
            offset: home.0 + a0 - a1 * home.1,
            softness: None,
        }
    }

    /// Let it yield.
    pub fn soft(mut self, softness: Softness) -> Self {
        self.softness = Some(softness);
        self
    }

    /// Σ gᵢ(qᵢ) − c₀ with the coordinates given by `q`, m or rad.
    pub fn residual(&self, mut q: impl FnMut(&Term) -> f64) -> f64 {
        let terms = self.terms.iter().map(|term| term.value(q(term)));
        terms.fold(-self.offset, |sum, value| sum + value)
    }

    /// Two meshing gears with `teeth_a` and `teeth_b` teeth on parallel hinges: they turn opposite
    /// ways, teeth_a q_a + teeth_b q_b = const = 0. Negative teeth: an internal gear.
    pub fn gear(
        name: impl Into<String>,
        a: JointId,
        teeth_a: f64,
        b: JointId,
        teeth_b: f64,
    ) -> Self {
        // Divided by the larger count so that the row stays an angle of order one.
        let scale = teeth_a.abs().max(teeth_b.abs());
        Self::new(
            name,
            &[(a, 0, teeth_a / scale), (b, 0, teeth_b / scale)],
            0.0,
        )
    }

    /// q_follower = multiplier · q_leader + offset.
    pub fn mimic(
        name: impl Into<String>,
        follower: JointId,
        leader: JointId,
        multiplier: f64,
        offset: f64,
    ) -> Self {
        Self::new(
            name,
            &[(follower, 0, 1.0), (leader, 0, -multiplier)],
            offset,
        )
    }

    /// A rack (slide) driven by a pinion (hinge) of pitch radius `radius` (m): s = radius · q.
    pub fn rack_and_pinion(
        name: impl Into<String>,
        rack: JointId,
        pinion: JointId,
        radius: f64,
    ) -> Self {
        Self::mimic(name, rack, pinion, radius, 0.0)
    }

    /// A differential: the carrier turns by the mean of its two outputs, 2 q_c = q_l + q_r.
    pub fn differential(
        name: impl Into<String>,
        carrier: JointId,
        left: JointId,
        right: JointId,
    ) -> Self {
        Self::new(
            name,
            &[(carrier, 0, 1.0), (left, 0, -0.5), (right, 0, -0.5)],
            0.0,
        )
    }
}
