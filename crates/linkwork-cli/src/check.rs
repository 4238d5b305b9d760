//! `linkwork check`.

use crate::args::CheckArgs;
use crate::failure::Failure;
use std::io::Write;
pub fn check(_out: &mut dyn Write, _args: &CheckArgs) -> Result<(), Failure> {
    Ok(())
}
