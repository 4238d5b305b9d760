//! `linkwork completions` and `linkwork man`: shell completions and man pages.

use crate::args::Args;
use crate::failure::{Failure, usage};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;
use std::path::Path;

/// The script that completes words in a shell.
pub fn completions(out: &mut dyn Write, shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "linkwork", &mut script);
    Ok(out.write_all(&script)?)
}

/// A page for the command and for each of its commands, in a folder; the first alone on standard output without one.
pub fn man(out: &mut dyn Write, folder: Option<&Path>) -> Result<(), Failure> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Args::command()).render(&mut page)?;
        return Ok(out.write_all(&page)?);
    };
    let refused = |e| usage(format!("cannot write to '{}': {e}", folder.display()));
    std::fs::create_dir_all(folder).map_err(refused)?;
    clap_mangen::generate_to(Args::command(), folder).map_err(refused)?;
    let pages = std::fs::read_dir(folder).map_err(refused)?.flatten();
    let ours = pages.filter(|p| p.file_name().to_string_lossy().starts_with("linkwork"));
    Ok(writeln!(
        out,
        "{}: {} pages",
        folder.display(),
        ours.count()
    )?)
}
