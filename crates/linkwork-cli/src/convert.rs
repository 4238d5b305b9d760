//! `linkwork convert`: a model file in another format.

use crate::args::ConvertArgs;
use crate::failure::{Failure, usage};
use crate::import;
use crate::table::bytes;
use linkwork_import::export::{Exported, to_mjcf};
use linkwork_import::own;
use std::io::Write;
use std::path::Path;

/// Write the file in the format that the target's name tells.
pub fn convert(out: &mut dyn Write, args: &ConvertArgs) -> Result<(), Failure> {
    let name = args.to.to_string_lossy().to_lowercase();
    let imported = import::open(&args.from, &args.file)?;
    import::tell(&imported.notices, args.file.notices);
    let mechanism = &imported.mechanism;
    let text = if name.ends_with(".linkwork.toml") {
        own::to_toml(mechanism)
    } else if name.ends_with(".linkwork.json") {
        own::to_json(mechanism)
    } else if name.ends_with(".xml") {
        told(to_mjcf(mechanism).map_err(usage)?)
    } else {
        return Err(usage(format!(
            "'{}' tells no format; end it in .linkwork.toml, .linkwork.json or .xml (MJCF)",
            args.to.display()
        )));
    };
    save(&args.to, &text)?;
    let size = bytes(text.len() as f64);
    Ok(writeln!(out, "{}: {size}", args.to.display())?)
}

/// The text; what it does not say goes to standard error.
fn told(exported: Exported) -> String {
    for what in &exported.left_out {
        let _ = writeln!(std::io::stderr(), "not expressed: {what}");
    }
    exported.text
}

fn save(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|e| usage(format!("cannot write '{}': {e}", path.display())))
}
