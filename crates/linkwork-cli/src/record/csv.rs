//! `linkwork record csv`.

use crate::args::CsvArgs;
use crate::csv::Columns;
use crate::failure::{Failure, usage};
use linkwork_record::{Quantity, Recording, trajectory};
use std::fs::File;
use std::io::{BufWriter, Write};

/// Writes steps as CSV to the requested file, or to `out`.
pub fn csv(out: &mut dyn Write, recording: &Recording, args: &CsvArgs) -> Result<(), Failure> {
    let parse = |name: &String| recording.quantity(name.trim()).map_err(usage);
    let quantities = match args.y.is_empty() {
        true => trajectory(recording.model(), &recording.header().signals),
        false => args.y.iter().map(parse).collect::<Result<_, _>>()?,
    };
    let Some(path) = &args.out else {
        return rows(out, recording, args, quantities);
    };
    let refused = |e| usage(format!("cannot write '{}': {e}", path.display()));
    let mut file = BufWriter::new(File::create(path).map_err(refused)?);
    let written = rows(&mut file, recording, args, quantities);
    written
        .and_then(|()| Ok(file.flush()?))
        .map_err(|e| match e {
            Failure::Output(error) => {
                Failure::Run(format!("writing '{}' failed: {error}", path.display()))
            }
            other => other,
        })
}

fn rows(
    out: &mut dyn Write,
    recording: &Recording,
    args: &CsvArgs,
    quantities: Vec<Quantity>,
) -> Result<(), Failure> {
    let mut table = Columns::new(out, quantities)?;
    for i in chosen(recording, args) {
        let step = recording.step(i).map_err(usage)?;
        table.row(recording.model(), &step)?;
    }
    Ok(table.finish()?)
}

/// The recorded steps within the requested times.
fn chosen(recording: &Recording, args: &CsvArgs) -> impl Iterator<Item = usize> {
    let from = args.from.unwrap_or(f64::NEG_INFINITY);
    let to = args.to.unwrap_or(f64::INFINITY);
    recording.between(from, to).step_by(args.every as usize)
}
