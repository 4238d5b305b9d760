//! Coordinates and tendons that store energy: an armature ½ I w², a spring ½ k (q − q₀)².
//!
//! An armature is a rotor geared to its coordinate, and the gear is a joint between the two: over each step the rotor
//! rotates by the motion of the coordinate. With w₋ and w₊ the mean rates Δq/dt of the last step and of this one, the
//! kick between them is −I (w₊ − w₋). J at the start of the step contains the rate J u⁺ only; w₊ = J u⁺ + h with the
//! hidden velocity h, which is predicted and closed like that of joints (`closure.rs`). w₋ is carried from step to
//! step. Computed again from the old velocities it would differ wherever J changes within the step, most of all near
//! gimbal lock, and the rotor would get a spurious kick: a body on a gimbal with armatures gained 1e21 J (`linkwork
//! campaign --seed 1 --first 25 --count 1 --dt 5e-3`).
//!
//! A spring acts with its deflection s in the middle of a step, −½ dt k s in the kick before the step and again in the
//! kick after. With the halves λ₂ = −½ dt₋ k s₋ and λ₁ = −½ dt k s₊ in one kick, bodies and spring together gain λ₂ (J
//! u⁻ − w₋) + λ₁ (J u⁺ − w₊): the difference between the motion of the bodies along J and that of the spring. This is
//! the energy with velocities at the time of the poses, which can be compared between steps of any sizes; at mid-step a
//! poorly resolved spring shows only 1/(1 + (ω dt/2)²) of it. Rotor and bodies gain λ·½J(u⁻ + u⁺) + Δ½ I w².
//!
//! Like the work of the joints, both are of the order of λ·Δh, zero up to the order of the integrator, and they are
//! accounted for in the same way (`work.rs`), so that steps which add or remove too much are repeated in halves. When
//! they were compared between steps of one size only, a body that passed gimbal lock in a step after a substep gained
//! forty times its energy from a spring, in a step that converged (mechanism 1059 of seed 1).

use super::{Along, Inputs, Rows};
use crate::checkpoint::Memory;
use crate::math::Twist;
use crate::model::Model;
use crate::state::{State, rate};
use linkwork_solve::Solution;

/// What a geared coordinate or tendon carries over to the next step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Carried {
    /// w₋ of the next step, m/s or rad/s.
    pub rate: f64,
    /// What its spring completes the last step with beyond λ₂, N s or N m s (`bent.rs`).
    pub beyond: f64,
    /// Energy that this completion is to add to the bodies, J.
    pub completion: f64,
}

impl Carried {
    /// Those that a simulator remembers.
    pub fn all(memory: &Memory) -> impl Iterator<Item = Self> + '_ {
        memory.rates.iter().enumerate().map(|(i, &rate)| {
            let [beyond, completion] = memory.bent.get(i).copied().unwrap_or_default();
            Self {
                rate,
                beyond,
                completion,
            }
        })
    }

    /// [`Memory::rates`].
    pub fn rates(all: &[Self]) -> Vec<f64> {
        all.iter().map(|own| own.rate).collect()
    }

    /// [`Memory::bent`].
    pub fn bent(all: &[Self]) -> Vec<[f64; 2]> {
        let bent = all.iter().map(|own| [own.beyond, own.completion]);
        if bent.clone().flatten().all(|x| x == 0.0) {
            return Vec::new();
        }
        bent.collect()
    }

    /// A rate alone.
    pub fn rate(rate: f64) -> Self {
        Self {
            rate,
            ..Self::default()
        }
    }
}

/// A row that stores energy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geared {
    pub along: Along,
    /// Its block; `None` if only a spring acts and no motion follows.
    pub block: Option<usize>,
    /// w₋, m/s or rad/s.
    pub before: f64,
    /// v* with h = 0, m/s or rad/s, and R, of the row.
    pub bias: f64,
    pub compliance: f64,
    /// I, kg or kg m².
    pub armature: f64,
    /// Spring: k, N/m or N m/rad, and q̄₋ − q₀ and q − q₀, m or rad.
    stiffness: f64,
    stretch: [f64; 2],
    /// Durations for which the old velocities moved the poses, and for which the new ones move them, s.
    spans: [f64; 2],
}

impl Geared {
    /// The row along `along`, whose block is the next one if it has one.
    pub fn new(rows: &Rows, inputs: &Inputs, along: Along, before: f64) -> Self {
        let (axis, plan) = (along.axis(inputs.model), inputs.plan);
        // The energy account of springs is that of the staggered scheme.
        let staggered = plan.laws.spring == [plan.behind, plan.ahead];
        let q = rows.value(inputs.model, along);
        let spring = axis.spring.at(q);
        let stretch = q - spring.rest;
        Self {
            along,
            block: None,
            before,
            bias: 0.0,
            compliance: 0.0,
            armature: axis.armature,
            stiffness: if staggered { spring.stiffness } else { 0.0 },
            stretch: [stretch - 0.5 * plan.behind * before, stretch],
            spans: [plan.behind, plan.ahead],
        }
    }

    /// Energy of the rotor at the rate given, J.
    pub fn rotor(&self, rate: f64) -> f64 {
        0.5 * self.armature * rate * rate
    }

    /// Energy gained by the stores and the bodies together, J, for w₊ = `after` and the rates J u of the coordinate
    /// before and after the kick.
    pub fn gain(&self, after: f64, [start, end]: [f64; 2]) -> f64 {
        let mean = 0.5 * (start + end);
        let change = after - self.before;
        let rotor = self.armature * change * (0.5 * (self.before + after) - mean);
        if self.stiffness == 0.0 {
            return rotor;
        }
        let [last, next] = self.halves(after);
        rotor + last * (start - self.before) + next * (end - after)
    }

    /// What the stores give, J: what rotor and spring lose.
    pub fn given(&self, after: f64) -> f64 {
        let rotor = self.rotor(self.before) - self.rotor(after);
        if self.stiffness == 0.0 {
            return rotor;
        }
        let [last, next] = self.halves(after);
        rotor + last * self.before + next * after
    }

    /// Whether a spring pulls at the start of the step, under the staggered scheme.
    pub fn has_spring(&self) -> bool {
        self.stiffness != 0.0
    }

    /// λ₂ and λ₁ of the spring, N s or N m s.
    pub fn halves(&self, after: f64) -> [f64; 2] {
        let ([behind, ahead], [from, here]) = (self.spans, self.stretch);
        let to = here + 0.5 * ahead * after;
        [behind * from, ahead * to].map(|x| -0.5 * self.stiffness * x)
    }
}

/// What the geared coordinate or tendon `index` carried over: w₋ is J u⁻ if there was no step before.
pub(super) fn carried(rows: &Rows, inputs: &Inputs, index: usize, along: Along) -> Carried {
    let carried = inputs.carried.get(index).copied();
    carried.unwrap_or_else(|| Carried::rate(rows.velocity(inputs.model, along)))
}

impl Rows {
    /// h in the present biases.
    pub(crate) fn hidden_rate(&self, geared: &Geared) -> f64 {
        geared.block.map_or(0.0, |block| {
            let row = self.problem.sets.range(block).start;
            self.problem.v_bias[row] - geared.bias
        })
    }

    /// w₊ of a solution, J u⁺ + h if the row is solved. Otherwise the gear slips, and a rotor has the rate that follows
    /// from its impulse: the energy account holds in both cases. A spring alone has no momentum.
    pub(crate) fn rate_after(&self, geared: &Geared, x: &Solution) -> f64 {
        let Some(block) = geared.block else {
            return geared.before;
        };
        if geared.armature == 0.0 {
            return self.velocity_of(block, 0, &x.u_plus) + self.hidden_rate(geared);
        }
        let row = self.problem.sets.range(block).start;
        -geared.bias - geared.compliance * x.lambda[row]
    }

    /// w₊ of all geared coordinates and tendons after a step to `state`, for the next step. If a coordinate jumped (a
    /// rotation vector at half a turn), the rotors take the rates of the new one without gaining energy.
    pub(crate) fn carry_rates(
        &self,
        model: &Model,
        (before, state): (&[f64], &State),
        x: &Solution,
        rates: &mut Vec<Carried>,
    ) {
        rates.resize(self.geared.len(), Carried::default());
        for (g, carried) in self.geared.iter().zip(rates.iter_mut()) {
            *carried = Carried::rate(match g.block {
                Some(_) => self.rate_after(g, x),
                // A spring that acted as a force.
                None => self.rate_ahead(model, state, g.along),
            });
        }
        let jumps = |g: &Geared| g.along.jumps(model, before, &state.coordinates);
        let jumped = || self.geared.iter().enumerate().filter(|g| jumps(g.1));
        if jumped().next().is_none() {
            return;
        }
        let (mut old, mut new) = (0.0, 0.0);
        for (i, geared) in jumped() {
            let rate = &mut rates[i].rate;
            old += geared.rotor(*rate);
            *rate = self.rate_ahead(model, state, geared.along);
            new += geared.rotor(*rate);
        }
        if new > old {
            let share = (old / new).sqrt();
            jumped().for_each(|(i, _)| rates[i].rate *= share);
        }
    }

    /// J u at the state that the step led to.
    fn rate_ahead(&self, model: &Model, state: &State, along: Along) -> f64 {
        if let Along::Tendon(tendon) = along {
            return state.tendon_velocity(model, tendon);
        }
        let terms = along.terms(model).map(|(id, c, factor)| {
            let [jb, jf] = &self.ahead.jacobians(id)[c];
            let joint = model.joint(id);
            let twist = |body: usize| &state.twists[body];
            let still = Twist::zero();
            let base = joint.base.map_or(&still, |b| twist(b.index()));
            factor * (rate(jb, base) + rate(jf, twist(joint.follower.index())))
        });
        terms.sum()
    }
}
