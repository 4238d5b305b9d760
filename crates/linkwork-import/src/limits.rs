//! How much a text may hold, judged before it is parsed.

use crate::{Fault, ImportError, Place};

/// Refuses a text with more than `most` of the bytes in `marks`. If the marks are those that start or separate values,
/// this bounds the number of values and with it the cost of parsing.
pub(crate) fn pieces(
    text: &[u8],
    marks: &[u8],
    most: usize,
    place: &Place,
) -> Result<(), ImportError> {
    let mut is_mark = [false; 256];
    for mark in marks {
        is_mark[usize::from(*mark)] = true;
    }
    let found = text.iter().filter(|b| is_mark[usize::from(**b)]).count();
    if found <= most {
        return Ok(());
    }
    let what = format!("a text of more than {most} values");
    let remedy = "simplify it, or put meshes into files of their own";
    Err(ImportError::new(place, Fault::TooLarge, what, remedy))
}
