//! Limits along coordinates that jump: the rotation vector of a ball joint at half a turn.
//!
//! Such a coordinate can pass from the inside of its limits to their outside without reaching them. To open the limit
//! again the body would have to turn back by a whole turn, about axes along which other joints may hold it: impulses
//! and work without bound (mechanism 1944 of seed 3: 2 kJ in a mechanism that exchanges 3 J). A limit that was jumped
//! over is therefore not in force until its coordinate is inside again.

use crate::rows::Limited;
use crate::simulator::Simulator;

impl Simulator {
    /// Updates the limits that are not in force after a step from the coordinates `before`.
    pub(super) fn release_jumped(&mut self) {
        let (model, state, before) = (&self.model, &self.state, &self.before);
        let outside = |limited: Limited, upper: bool| {
            let value = limited.value(model, state);
            let limits = limited.limits(model);
            limits.is_some_and(|l| if upper { value > l.max } else { value < l.min })
        };
        self.released
            .retain(|source| Limited::of(*source).is_some_and(|(l, upper)| outside(l, upper)));
        for &limited in &model.layout().limited {
            // The length of a rotation vector does not jump.
            let Limited::Along(along) = limited else {
                continue;
            };
            if !along.jumps(model, before, &state.coordinates) {
                continue;
            }
            for upper in [false, true] {
                let source = limited.source(upper);
                if outside(limited, upper)
                    && let Err(at) = self.released.binary_search(&source)
                {
                    self.released.insert(at, source);
                }
            }
        }
    }
}
