//! Ranges that hold, by flag or by `autolimits`.

use super::compiler::Compiler;
use crate::xml::Element;
use crate::{Fault, ImportError};

/// An active range: enabled explicitly, or by `autolimits` and present. Refused where MuJoCo refuses it.
pub(super) fn limited(
    compiler: &Compiler,
    e: &Element,
    flag: &str,
    range: &str,
    given: Option<[f64; 2]>,
) -> Result<Option<[f64; 2]>, ImportError> {
    let holds = limited_as(compiler, e, flag, given)?;
    match (holds, e.attribute(range)) {
        (Some([min, max]), Some(a)) if min >= max => {
            Err(a.bad("is empty", "give the smaller bound first"))
        }
        _ => Ok(holds),
    }
}

pub(super) fn limited_as(
    compiler: &Compiler,
    e: &Element,
    flag: &str,
    given: Option<[f64; 2]>,
) -> Result<Option<[f64; 2]>, ImportError> {
    let given = given.filter(|r| *r != [0.0, 0.0]);
    match e.choice(flag, &["false", "true", "auto"])? {
        Some(0) => Ok(None),
        Some(1) => match given {
            Some(range) => Ok(Some(range)),
            None => {
                let what = format!("{flag} is true, but there is no range");
                Err(e.error(Fault::Missing, what, "give the range"))
            }
        },
        _ if compiler.autolimits => Ok(given.filter(|[min, max]| min < max)),
        _ if given.is_some() => {
            let what = format!("a range without {flag}, and autolimits is false");
            let remedy = format!("add {flag}=\"true\" or \"false\", or remove autolimits");
            Err(e.error(Fault::Missing, what, remedy))
        }
        _ => Ok(None),
    }
}
