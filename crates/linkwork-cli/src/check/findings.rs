//! Mobility, and the warnings that follow from all findings.

use super::Check;
use crate::table::{count, line, number};
use linkwork::State;
use linkwork::mobility::mobility_within;
use linkwork::model::Model;
use linkwork_import::{Notice, Severity};
use serde::Serialize;
use std::io::Write;

/// Mobility of the mechanism, without limits and contacts.
#[derive(Serialize)]
pub struct Mobility {
    /// Independent ways to move.
    pub degrees_of_freedom: usize,
    /// Rows of joints and couplings.
    pub rows: usize,
    /// Independent ones.
    pub rank: usize,
    /// The others.
    pub redundant_rows: usize,
    /// Condition number of D over these rows, on its nonzero spectrum.
    pub condition: f64,
    /// Reactions that are not unique: only their resultants on each body are.
    pub not_unique: Vec<NotUnique>,
    /// Couplings whose reactions are not unique.
    pub couplings_not_unique: Vec<String>,
    /// Rods that the other joints keep from swinging, held like a ball joint.
    pub held_rods: Vec<String>,
}

/// Maximum work for singular values, see [`mobility_within`]: two seconds on a laptop. A chain of 100 hinges takes
/// 1.5e8.
const WORK: f64 = 2e8;

/// A joint with reactions that are not unique.
#[derive(Serialize)]
pub struct NotUnique {
    /// The joint.
    pub joint: String,
    /// The locked rows concerned.
    pub rows: Vec<&'static str>,
}

impl Mobility {
    /// Of the model at `state`; `None` if that would take too long.
    pub fn of(model: &Model, state: &State) -> Option<Self> {
        let report = mobility_within(model, state, WORK)?;
        let not_unique = report.not_unique.into_iter().map(|n| NotUnique {
            joint: model.joint(n.joint).name.clone(),
            rows: n.rows,
        });
        let couplings = report.couplings_not_unique.iter();
        Some(Self {
            degrees_of_freedom: report.degrees_of_freedom,
            rows: report.rows,
            rank: report.rank,
            redundant_rows: report.redundant_rows,
            condition: report.condition,
            not_unique: not_unique.collect(),
            couplings_not_unique: couplings
                .map(|c| model.couplings()[c.index()].name.clone())
                .collect(),
            held_rods: model
                .held_rods()
                .map(|id| model.joint(id).name.clone())
                .collect(),
        })
    }

    /// Write it.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        line(
            out,
            "degrees of freedom",
            &self.degrees_of_freedom.to_string(),
        )?;
        let (rows, redundant) = (count(self.rows as u64, "row"), self.redundant_rows);
        line(
            out,
            "constraints",
            &format!("{rows}, {redundant} redundant"),
        )?;
        line(out, "condition", &number(self.condition))?;
        for joint in &self.not_unique {
            let text = format!("{}: {}", joint.joint, joint.rows.join(", "));
            line(out, "not unique at", &text)?;
        }
        for coupling in &self.couplings_not_unique {
            line(out, "not unique at", coupling)?;
        }
        for rod in &self.held_rods {
            let text = format!(
                "{rod}: the other joints keep it from swinging; its end is held like a ball joint"
            );
            line(out, "held rod", &text)?;
        }
        if self.redundant_rows > 0 {
            // Not a warning: redundant joints are an intended use of this simulator.
            let text = "motion is unique; of the reactions above only resultants are";
            line(out, "", text)?;
        }
        Ok(())
    }
}

/// Reasons why the mechanism cannot be simulated, with remedies.
pub(super) fn errors(check: &Check) -> Vec<String> {
    let mut errors = Vec::new();
    if let Some(error) = check.file.as_ref().and_then(|f| f.assembly.error.as_ref()) {
        errors.push(format!("the loops cannot be assembled: {error}"));
    }
    if let Some(error) = &check.first_step_error {
        errors.push(format!("the first step fails: {error}"));
    }
    errors
}

/// Sizes beyond which a mechanism is suspicious, m: the largest excavators are 100 m, and mechanisms below a millimetre
/// need other tolerances.
const LARGE: f64 = 100.0;
const SMALL: f64 = 1e-3;

/// Maximum number of overlapping pairs that are listed individually.
const MOST_PAIRS: usize = 8;

/// What may go wrong, with remedies.
pub(super) fn warnings(check: &Check) -> Vec<String> {
    let mut warnings = Vec::new();
    // Written so that a NaN warns too.
    let mut warn = |fine: bool, text: String| {
        if !fine {
            warnings.push(text);
        }
    };
    let start = &check.start;
    let at = |name: &Option<String>| name.clone().unwrap_or_default();
    let file = check.file.as_ref();
    let contradiction = file.and_then(|f| f.assembly.contradiction.clone());
    warn(
        contradiction.is_none(),
        contradiction.clone().unwrap_or_default(),
    );
    warn(
        contradiction.is_some() || start.closure_m <= 1e-9 && start.closure_rad <= 1e-9,
        format!(
            "joints are open at the start, most of all '{}': the first step closes them abruptly; assemble the poses first",
            at(&start.closure_worst)
        ),
    );
    warn(
        start.closure_rate <= 1e-9,
        format!(
            "initial velocities open joints, most of all '{}': the first step changes them; project the velocities first",
            at(&start.closure_rate_worst)
        ),
    );
    for overlap in start.penetrations.iter().take(MOST_PAIRS) {
        let ([a, b], depth) = (&overlap.shapes, number(overlap.depth_m));
        let text = format!(
            "'{a}' and '{b}' start {depth} m inside each other and will be pushed apart; move them, or exclude the pair"
        );
        warn(false, text);
    }
    let more = start.penetrations.len().saturating_sub(MOST_PAIRS);
    warn(
        more == 0,
        format!("{more} more pairs of shapes overlap; --json lists them"),
    );
    for v in &start.limits_violated {
        let (joint, coordinate, by) = (&v.joint, v.coordinate, number(v.by));
        let text = format!(
            "joint '{joint}' starts with its {coordinate} {by} outside the limits; change the pose or the limits"
        );
        warn(v.by <= 1e-9, text);
    }
    warn(
        contradiction.is_some()
            || check.bodies == 0
            || check
                .mobility
                .as_ref()
                .is_none_or(|m| m.degrees_of_freedom > 0),
        "the mechanism cannot move".to_owned(),
    );
    let size = number(check.size_m);
    warn(
        check.size_m <= LARGE,
        format!(
            "the mechanism is {size} m large; if its lengths are in mm, convert them to m (meshes: scale 0.001)"
        ),
    );
    warn(
        check.size_m == 0.0 || check.size_m >= SMALL,
        format!(
            "the mechanism is only {size} m large; check its units, and whether a scale is applied twice"
        ),
    );
    warn(
        check.bodies < 2 || check.mass_ratio <= 1e4,
        format!(
            "masses differ by a factor of {}: solves may need more iterations; raise --max-iterations if they fail",
            number(check.mass_ratio)
        ),
    );
    if let Some(residual) = check.first_step_residual {
        let residual = number(residual);
        let text = format!(
            "the first step's solve does not converge in {} iterations (residual {residual} N s and m/s): runs repeat such steps in halves, which takes long; overlaps that cannot separate are the usual cause",
            super::MAX_ITERATIONS
        );
        warn(false, text);
    }
    if let Some(conditioning) = &check.conditioning {
        warn(
            conditioning.condition_scaled <= 1e8,
            format!(
                "D is badly conditioned ({} with rows scaled): impulses lose that many digits; avoid nearly parallel constraints and long chains of very unequal masses",
                number(conditioning.condition_scaled)
            ),
        );
    }
    for odd in &check.inertias {
        warn(false, format!("body '{}': {}", odd.body, odd.what));
    }
    if let Some(file) = &check.file {
        let (m, rad) = (file.assembly.given_m, file.assembly.given_rad);
        let (open_m, open_rad) = (number(m), number(rad));
        let within = file.assembly.limited.is_empty();
        let moved_to_close = file.assembly.moved_bodies > 0 && (within || m.max(rad) > 1e-9);
        warn(
            file.assembly.error.is_some() || !moved_to_close,
            format!(
                "loops are open by {open_m} m and {open_rad} rad as given; runs start from the assembled pose, which --fix writes"
            ),
        );
        for limited in &file.assembly.limited {
            let text = format!(
                "outside its limits as given, {limited}; --fix writes the pose that runs start from"
            );
            warn(false, text);
        }
        let is_warning = |n: &&Notice| n.severity == Severity::Warning;
        for notice in file.notices.all().iter().filter(is_warning) {
            warn(false, notice.to_string());
        }
    }
    warnings
}
