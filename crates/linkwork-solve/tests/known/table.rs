//! Success rates of each solver on its problems.

use linkwork_solve::all_solvers;
use std::collections::BTreeMap;

/// Solved and tried, by solver and column.
#[derive(Default)]
pub struct Table(BTreeMap<(&'static str, String), [usize; 2]>);

impl Table {
    pub fn add(&mut self, solver: &'static str, column: impl Into<String>, solved: bool) {
        let [done, tried] = self.0.entry((solver, column.into())).or_default();
        *done += usize::from(solved);
        *tried += 1;
    }

    /// The share solved of all in `columns`; `None` where all were refused.
    pub fn share(&self, solver: &'static str, columns: &[String]) -> Option<f64> {
        let cell = |column: &String| self.0.get(&(solver, column.clone()));
        let cells = columns.iter().filter_map(cell);
        let (done, tried) = cells.fold((0, 0), |sum, [d, t]| (sum.0 + d, sum.1 + t));
        (tried > 0).then(|| done as f64 / tried as f64)
    }

    /// Prints the columns, one line per solver.
    pub fn print(&self, title: &str, columns: &[String]) {
        let heads: String = columns.iter().map(|c| format!("{c:>12}")).collect();
        println!("{title:<16}{heads}");
        for entry in all_solvers() {
            let cell = |column: &String| match self.0.get(&(entry.name, column.clone())) {
                Some([done, tried]) => format!("{done:>9}/{tried}"),
                None => format!("{:>12}", "refused"),
            };
            let line: String = columns.iter().map(cell).collect();
            println!("{:<16}{line}", entry.name);
        }
    }
}
