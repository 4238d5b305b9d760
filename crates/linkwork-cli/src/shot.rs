//! `linkwork shot`: a picture of a moment.

use crate::args::ShotArgs;
use crate::failure::{Failure, usage};
use crate::footage::{Footage, Frames, check_names};
use linkwork::plain_time;
use linkwork_view::page;
use linkwork_view::shot::{Shot, ShotError, shoot};
use std::io::Write;

/// Time before the moment that trails and plots show, s.
const BEFORE: f64 = 5.0;
/// Frames per second in it.
const FPS: f64 = 60.0;
/// Enough for the largest scenes.
const LIMIT_MB: f64 = 500.0;

/// Take the picture.
pub fn shot(out: &mut dyn Write, args: &ShotArgs) -> Result<(), Failure> {
    let page = page().map_err(usage)?;
    let footage = Footage::find(&args.target)?;
    let at = within(&footage, args.at)?;
    let frames = Frames {
        fps: FPS,
        from: (at - BEFORE).max(0.0),
        to: Some(at),
        limit_mb: LIMIT_MB,
    };
    let (clip, hello) = footage.clip(&args.target, &frames)?;
    check_names(&hello, &args.look)?;
    let mut parameters = args.look.parameters();
    // The camera is set for this moment, not for the first frame.
    parameters.push(("at".to_owned(), at.to_string()));
    let shot = Shot {
        size: args.look.size,
        parameters,
    };
    shoot(&clip.embed(page, hello), &shot, &args.out).map_err(failure)?;
    let (width, height) = args.look.size;
    let path = args.out.display();
    Ok(writeln!(
        out,
        "{path}: {width} x {height} pixels at {at} s"
    )?)
}

/// Exit code of the command for a picture that could not be taken.
pub fn failure(error: ShotError) -> Failure {
    match error {
        ShotError::NoBrowser(_) | ShotError::NoEncoder(_) | ShotError::Write { .. } => usage(error),
        _ => Failure::Run(error.to_string()),
    }
}

/// The moment, which a recording must have.
fn within(footage: &Footage, at: f64) -> Result<f64, Failure> {
    let Footage::Recording(recording, name) = footage else {
        return Ok(at);
    };
    let times = recording.times();
    match (times.first(), times.last()) {
        (Some(&first), Some(&last)) if at < first - 1e-9 || at > last + 1e-9 => {
            Err(usage(format!(
                "{at} s is not in '{name}', which goes from {} s to {} s",
                plain_time(first),
                plain_time(last)
            )))
        }
        _ => Ok(at),
    }
}
