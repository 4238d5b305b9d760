//! The `linkwork` command.

mod args;
mod bench;
mod campaign;
mod check;
mod controls;
mod convert;
mod csv;
mod desk;
mod dump;
mod export;
mod failure;
mod figure;
mod film;
mod footage;
mod hash;
mod import;
mod instruments;
mod interrupt;
mod inverse;
mod limited;
mod lists;
mod manual;
mod mesh_progress;
mod outputs;
mod pilot;
mod plot;
mod record;
mod recorder;
mod replay;
mod report;
mod resume;
mod run;
mod scene;
mod session;
mod shot;
mod solve;
mod table;
mod view;

use args::{Args, Command};
use clap::Parser;
use failure::Failure;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let result = match &args.command {
        Command::Scenes { json } => lists::scenes(&mut out, *json),
        Command::Solvers { json } => lists::solvers(&mut out, *json),
        Command::Run(args) => run::run(&mut out, args),
        Command::View(args) => view::view(&mut out, args),
        Command::Export(args) => export::export(&mut out, args),
        Command::Shot(args) => shot::shot(&mut out, args),
        Command::Film(args) => film::film(&mut out, args),
        Command::Resume(args) => resume::resume(&mut out, args),
        Command::Record(command) => record::record(&mut out, command),
        Command::Solve(args) => solve::solve(&mut out, args),
        Command::Bench(args) => bench::bench(&mut out, args),
        Command::Inverse(args) => inverse::inverse(&mut out, args),
        Command::Plot(args) => plot::plot(&mut out, args),
        Command::Check(args) => check::check(&mut out, args),
        Command::Convert(args) => convert::convert(&mut out, args),
        Command::Replay(args) => replay::replay(&mut out, args),
        Command::Hash(args) => hash::hash(&mut out, args),
        Command::Campaign(args) => campaign::campaign(&mut out, args),
        Command::Completions { shell } => manual::completions(&mut out, *shell),
        Command::Man { folder } => manual::man(&mut out, folder.as_deref()),
    };
    let result = result.and_then(|()| Ok(out.flush()?));
    let code = match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has closed the pipe (`| head`): not an error.
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            // Output written before the failure is still flushed.
            let _ = out.flush();
            // If stderr is closed too, nothing more can be reported.
            let _ = writeln!(std::io::stderr(), "error: {failure}");
            ExitCode::from(failure.code())
        }
    };
    // After a failed write the buffer would be written once more when dropped.
    let _ = out.into_parts();
    code
}
