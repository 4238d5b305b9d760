//! Checks of a problem before it is solved.

use crate::problem::{Operator, Problem};

/// What is wrong with a problem.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// Two parts do not fit together.
    #[error("{what}: {have} where {want} are needed")]
    Length {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        have: usize,
        /// How many there should be.
        want: usize,
    },
    /// A set of impulses with invalid rows or an invalid bound.
    #[error(
        "set {block}: its rows or its bound do not fit; rows follow each other and bounds and μ are ≥ 0"
    )]
    Set {
        /// The block.
        block: usize,
    },
    /// A block of the Jacobian that refers to a body or value out of range, to a body twice, or rows or entries that
    /// belong to no block.
    #[error(
        "jacobian block {block} names a body or value out of range, or a body twice, or does not follow the one before it"
    )]
    Jacobian {
        /// The block.
        block: usize,
    },
    /// A row of the Delassus matrix whose columns are not in order.
    #[error("Delassus row {row}: columns must ascend and lie within the matrix")]
    Delassus {
        /// The row.
        row: usize,
    },
    /// A number out of range.
    #[error("{what} of {of} {index} is {value}; it must be {must}")]
    Number {
        /// What it is.
        what: &'static str,
        /// What it belongs to.
        of: &'static str,
        /// Which of these.
        index: usize,
        /// The number.
        value: f64,
        /// What it should be.
        must: &'static str,
    },
    /// The step size is out of range.
    #[error("dt is {0}; it must be positive and finite")]
    StepSize(f64),
}

impl ProblemError {
    /// Whether the parts fit together and only a number is invalid.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Self::Number { .. } | Self::StepSize(_))
    }
}

impl Problem {
    /// Err if parts do not fit together or a number is out of range. Solvers obtained by name
    /// ([`SolverEntry::make`](crate::SolverEntry::make)) refuse such a problem:
    /// [`Solver::supports`](crate::Solver::supports) returns the reason, and [`Solver::solve`](crate::Solver::solve)
    /// ends with [`Status::NumericalFailure`](crate::Status::NumericalFailure).
    pub fn check(&self) -> Result<(), ProblemError> {
        self.check_structure()?;
        self.check_numbers()
    }

    fn check_structure(&self) -> Result<(), ProblemError> {
        if let Some(block) = self.sets.malformed() {
            return Err(ProblemError::Set { block });
        }
        let n = self.rows();
        length("v_bias", self.v_bias.len(), n)?;
        length("compliance", self.compliance.len(), n)?;
        match &self.operator {
            Operator::Bodies {
                mass,
                jacobian,
                u_free,
            } => {
                if let Some(block) = jacobian.malformed_block() {
                    return Err(ProblemError::Jacobian { block });
                }
                length("jacobian rows", jacobian.rows(), n)?;
                length("jacobian blocks", jacobian.blocks(), self.sets.len())?;
                length("u_free", u_free.len(), 6 * mass.len())?;
                length("jacobian bodies", jacobian.bodies(), mass.len())?;
                for (k, (set, _)) in self.sets.iter().enumerate() {
                    let rows = jacobian.rows_of(k).len();
                    length("rows of a jacobian block", rows, set.dim())?;
                }
            }
            Operator::Delassus { matrix, v_free } => {
                if let Some(row) = matrix.malformed_row() {
                    return Err(ProblemError::Delassus { row });
                }
                length("Delassus rows", matrix.rows(), n)?;
                length("v_free", v_free.len(), n)?;
            }
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), ProblemError> {
        if !(self.dt > 0.0 && self.dt.is_finite()) {
            return Err(ProblemError::StepSize(self.dt));
        }
        self.check_bias()?;
        let softness = self.compliance.iter();
        if let Some(i) = softness.clone().position(|r| !(*r >= 0.0 && r.is_finite())) {
            return Err(ProblemError::Number {
                what: "the compliance",
                of: "row",
                index: i,
                value: self.compliance[i],
                must: "finite and ≥ 0",
            });
        }
        match &self.operator {
            Operator::Bodies {
                mass,
                jacobian,
                u_free,
            } => {
                if let Some((body, value)) = mass.malformed_body() {
                    return Err(ProblemError::Number {
                        what: "a mass or inertia",
                        of: "body",
                        index: body,
                        value,
                        must: "finite, and positive on the diagonal",
                    });
                }
                finite("the free velocity", "body", u_free, 6)?;
                match jacobian.infinite_block() {
                    Some((block, value)) => Err(ProblemError::Number {
                        what: "a value",
                        of: "jacobian block",
                        index: block,
                        value,
                        must: "finite",
                    }),
                    None => Ok(()),
                }
            }
            Operator::Delassus { matrix, v_free } => {
                finite("the free velocity", "row", v_free, 1)?;
                match matrix.infinite_row() {
                    Some((row, value)) => Err(ProblemError::Number {
                        what: "a value",
                        of: "Delassus row",
                        index: row,
                        value,
                        must: "finite",
                    }),
                    None => Ok(()),
                }
            }
        }
    }

    /// Err if v* does not fit. Only v* changes between a solve and its `resolve`.
    pub(crate) fn check_bias(&self) -> Result<(), ProblemError> {
        length("v_bias", self.v_bias.len(), self.rows())?;
        finite("v*", "row", &self.v_bias, 1)
    }
}

fn length(what: &'static str, have: usize, want: usize) -> Result<(), ProblemError> {
    if have == want {
        return Ok(());
    }
    Err(ProblemError::Length { what, have, want })
}

/// Err if a value of `x`, which has `each` values per element, is not finite.
fn finite(
    what: &'static str,
    of: &'static str,
    x: &[f64],
    each: usize,
) -> Result<(), ProblemError> {
    match first_infinite(x) {
        Some(i) => Err(ProblemError::Number {
            what,
            of,
            index: i / each,
            value: x[i],
            must: "finite",
        }),
        None => Ok(()),
    }
}

/// The first value that is not finite. The sum of 0 x is tested first, at the cost of one addition per value.
pub(crate) fn first_infinite(x: &[f64]) -> Option<usize> {
    let zero: f64 = x.iter().map(|x| 0.0 * x).sum();
    if zero == 0.0 {
        return None;
    }
    x.iter().position(|x| !x.is_finite())
}
