//! Limits that the home pose does not keep.

use crate::draft::Draft;

/// Tell coordinates that begin outside their limits.
pub(crate) fn tell_violated(draft: &mut Draft) {
    for joint in &draft.joints {
        let home = joint.coordinates.iter().zip(&joint.axes).zip(&joint.labels);
        for ((q, axis), label) in home {
            let Some(limits) = axis.limits else { continue };
            if *q < limits.min || *q > limits.max {
                let what = format!(
                    "'{label}' is {q} in the home pose, outside its limits {} … {}",
                    limits.min, limits.max
                );
                let remedy = "start from Model::closed, as `linkwork run` does, or from what `linkwork check --fix` writes";
                draft.notices.warn(&joint.place, what, remedy);
            }
        }
    }
}
