//! Compliance of contacts relative to the mechanism they act on [Castro §V-B].
//!
//! The near-rigid floor and the stiction of a contact are multiples of ‖W_kk‖_rms, where W is the inverse inertia at
//! the contact. In generalised coordinates that is the one of the mechanism; here D_kk contains the two bodies alone,
//! as if there were no joints: under a light foot of a heavy robot the floor would be as soft as the foot is light.
//! With joints, W is therefore their Schur complement.

use super::contacts::physical;
use super::{Inputs, Rows};
use crate::model::Compliance;
use linkwork_solve::condense::{Condensation, Plans, is_reducible};
use std::sync::Arc;

/// Room for W.
#[derive(Clone, Debug, Default)]
pub(super) struct NearRigid {
    condensation: Condensation,
    /// Those that the condensation shares.
    plans: Option<Arc<Plans>>,
    lambda: Vec<f64>,
    /// Block, first row of W, stiffness (N/m) and dissipation time (s) of each such contact.
    found: Vec<(usize, usize, f64, f64)>,
}

/// Sets R of compliant contacts, which are the last blocks, from the mechanism.
pub(super) fn stiffen(rows: &mut Rows, inputs: &Inputs) {
    let some = inputs.contacts.iter().any(|c| {
        let surface = inputs.model.surface(c.key.shape_a, c.key.shape_b);
        matches!(surface.compliance, Compliance::Physical { .. })
    });
    if some && is_reducible(&rows.problem) {
        let mut near = rows.near_rigid.take().unwrap_or_default();
        near.find(rows, inputs);
        near.stiffen(rows, inputs);
        rows.near_rigid = Some(near);
    }
}

impl NearRigid {
    fn find(&mut self, rows: &Rows, inputs: &Inputs) {
        self.found.clear();
        let first = rows.sources.len() - inputs.contacts.len();
        for (i, contact) in inputs.contacts.iter().enumerate() {
            let key = &contact.key;
            if let Compliance::Physical {
                stiffness,
                dissipation_time,
            } = inputs.model.surface(key.shape_a, key.shape_b).compliance
            {
                self.found.push((first + i, 0, stiffness, dissipation_time));
            }
        }
    }

    fn stiffen(&mut self, rows: &mut Rows, inputs: &Inputs) {
        let problem = &mut rows.problem;
        let joints = &mut self.condensation;
        let plans = inputs.model.plans();
        if !self.plans.as_ref().is_some_and(|p| Arc::ptr_eq(p, plans)) {
            joints.share(plans.clone());
            self.plans = Some(plans.clone());
        }
        // At their bounds, so that drives are not part of the mechanism.
        self.lambda.clear();
        self.lambda.resize(problem.rows(), f64::INFINITY);
        joints.partition(problem, &self.lambda);
        // Without a factorisation the two bodies alone must do.
        if joints.factor(problem).is_err() {
            return;
        }
        for (block, at, ..) in &mut self.found {
            *at = joints.add_block(problem, *block);
        }
        joints.complete();
        let n = joints.rows();
        for &(block, at, stiffness, dissipation_time) in &self.found {
            let range = problem.sets.range(block);
            let last = at + range.len() - 1;
            // Two tangents and the normal; a contact without friction has only the normal, which is used for all
            // directions.
            let point = [at, at + 1, last];
            let w = |r: usize, c: usize| joints.matrix()[r * n + c];
            let rms = if range.len() == 1 {
                w(at, at) / 3f64.sqrt()
            } else {
                let squares = point.iter().flat_map(|&r| point.map(|c| w(r, c).powi(2)));
                squares.sum::<f64>().sqrt() / 3.0
            };
            let settings = &inputs.settings.contact;
            let spans = (inputs.plan.dt, inputs.plan.span);
            let (r_n, r_t) = physical(settings, spans, stiffness, dissipation_time, rms);
            let compliance = &mut problem.compliance[range];
            compliance.fill(r_t);
            if let Some(normal) = compliance.last_mut() {
                *normal = r_n;
            }
        }
    }
}
