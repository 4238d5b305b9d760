//! `linkwork bench order`: what integrators do.

use super::failure;
use crate::args::OrderArgs;
use crate::failure::Failure;
use linkwork::Integrator;
use linkwork_bench::Table;
use linkwork_bench::order::{drift, orders};
use std::io::Write;

/// Measures and prints; with a time, the energy of long runs instead of orders.
pub fn order(out: &mut dyn Write, args: &OrderArgs) -> Result<(), Failure> {
    let mut integrators = args.integrators.clone();
    if integrators.is_empty() {
        integrators.extend(Integrator::names().filter_map(|name| name.parse::<Integrator>().ok()));
    }
    let Some(time) = args.drift else {
        return Ok(writeln!(out, "{}", orders(&integrators).text())?);
    };
    let title = format!("Energy over {time} s, errors over the largest energy exchanged");
    let columns = [
        "mechanism",
        "integrator",
        "largest error",
        "first tenth, mean",
        "last tenth, mean",
        "trend",
        "failed",
        "wall, s",
    ];
    let mut table = Table::new(title, &columns);
    let coupled = [("n", f64::from(args.coupled))];
    for (name, set) in [
        ("fourbar_fixed", &[][..]),
        ("coupled_fourbars", &coupled[..]),
    ] {
        for integrator in &integrators {
            let found = drift(name, set, (*integrator, args.dt), time).map_err(failure)?;
            let n = set.first().map_or(String::new(), |(_, n)| format!("({n})"));
            table.row([
                format!("{name}{n}"),
                integrator.to_string(),
                format!("{:.1e}", found.most),
                format!("{:.1e}", found.means[0]),
                format!("{:.1e}", found.means[found.means.len() - 1]),
                format!("{:.1e}", found.trend),
                found.failed.to_string(),
                format!("{:.1}", found.wall_s),
            ]);
        }
    }
    Ok(writeln!(out, "{}", table.text())?)
}
