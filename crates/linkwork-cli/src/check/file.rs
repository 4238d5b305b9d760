//! What is said of a model file beyond what is said of any model.

use super::assembly::Assembly;
use crate::import::word;
use crate::table::{count, heading, line, number};
use linkwork_import::Notices;
use linkwork_import::mechanism::Counts;
use serde::Serialize;
use std::io::Write;

/// Findings in a file.
#[derive(Serialize)]
pub struct FileFindings {
    /// What it has, counted as its own tools count.
    pub file: Counts,
    /// How its loops close.
    pub assembly: Assembly,
    /// What was ignored, chosen or found odd.
    pub notices: Notices,
}

impl FileFindings {
    /// What the file has; what is simulated follows.
    pub fn print_counts(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let counts = &self.file;
        let parts = [
            (counts.links, "link"),
            (counts.joints, "joint"),
            (counts.closures, "loop closure"),
        ];
        let parts: Vec<_> = parts.iter().map(|&(n, t)| count(n as u64, t)).collect();
        let (parts, dof, mass) = (
            parts.join(", "),
            counts.degrees_of_freedom,
            number(counts.mass),
        );
        let text = format!("{parts}, {dof} degrees of freedom before loops close, {mass} kg");
        line(out, "file", &text)
    }

    /// Everything that was ignored, chosen or found odd.
    pub fn print_notices(&self, out: &mut dyn Write) -> std::io::Result<()> {
        if self.notices.all().is_empty() {
            return Ok(());
        }
        heading(out, "Import")?;
        for notice in self.notices.all() {
            line(out, word(notice.severity), &notice.to_string())?;
        }
        Ok(())
    }
}
