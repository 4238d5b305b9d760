//! `linkwork plot`: quantities of a recording over time, as a picture made without a browser.

use crate::args::PlotArgs;
use crate::failure::{Failure, usage};
use crate::figure::{self, Curve, Format};
use linkwork::plain_time;
use linkwork_record::{Quantity, Recording};
use std::io::Write;
use std::path::Path;

/// Height of the title and of a panel, pixels, unless a size is given.
const HEIGHT: (u32, u32) = (60, 220);
const WIDTH: u32 = 1000;

/// Draws the requested quantities, and reports the path of the picture.
pub fn plot(out: &mut dyn Write, args: &PlotArgs) -> Result<(), Failure> {
    let path = args
        .out
        .clone()
        .unwrap_or_else(|| args.recording.with_extension("svg"));
    let format = Format::of(&path).ok_or_else(|| {
        let name = path.display();
        usage(format!("'{name}' must end in .svg or .png"))
    })?;
    let recording = Recording::open(&args.recording).map_err(usage)?;
    let curves = curves(&recording, args)?;
    let size = args.size.unwrap_or_else(|| {
        let panels = figure::panels(&curves) as u32;
        (WIDTH, HEIGHT.0 + panels * HEIGHT.1)
    });
    figure::write(&path, format, &title(&args.recording), &curves, size)
        .map_err(|e| Failure::Run(format!("writing '{}' failed: {e}", path.display())))?;
    if let Some(warning) = recording.warning() {
        writeln!(out, "note: {warning}")?;
    }
    writeln!(out, "{}", path.display())?;
    Ok(())
}

fn curves(recording: &Recording, args: &PlotArgs) -> Result<Vec<Curve>, Failure> {
    let parse = |name: &String| recording.quantity(name.trim()).map_err(usage);
    let quantities: Vec<Quantity> = args.y.iter().map(parse).collect::<Result<_, _>>()?;
    let (from, to) = (args.from.unwrap_or(f64::MIN), args.to.unwrap_or(f64::MAX));
    let times = recording.times();
    let within = |t: &f64| (from..=to).contains(t);
    if !times.iter().any(within) {
        let (first, last) = (times.first(), times.last());
        return Err(usage(match first.zip(last) {
            Some((a, b)) => format!(
                "nothing was recorded in that time; there is {} s to {} s",
                plain_time(*a),
                plain_time(*b)
            ),
            None => "the recording has no steps".to_owned(),
        }));
    }
    let series = recording.series(&quantities).map_err(usage)?;
    let curve = |(quantity, values): (&Quantity, Vec<f64>)| Curve {
        name: quantity.name().to_owned(),
        unit: quantity.unit().to_owned(),
        logarithmic: is_error(quantity.name()),
        points: std::iter::zip(times.iter().copied(), values)
            .filter(|(t, _)| within(t))
            .collect(),
    };
    Ok(quantities.iter().zip(series).map(curve).collect())
}

/// Whether a quantity should be zero, so that its order of magnitude matters.
fn is_error(name: &str) -> bool {
    let errors = ["residual", "closure", "penetration", "limit_violation"];
    errors.iter().any(|error| name.starts_with(error))
}

fn title(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
