//! `linkwork film`: a video of a recording or scene.

use crate::args::FilmArgs;
use crate::failure::{Failure, usage};
use crate::footage::{Footage, Frames, check_names};
use crate::interrupt;
use crate::shot;
use indicatif::{ProgressBar, ProgressStyle};
use linkwork_view::film::{Film, Format, film as make, frames_of};
use linkwork_view::page;
use linkwork_view::shot::Shot;
use std::io::Write;
use std::ops::ControlFlow;

/// Enough for ten minutes of most scenes.
const LIMIT_MB: f64 = 500.0;

/// Make the film.
pub fn film(out: &mut dyn Write, args: &FilmArgs) -> Result<(), Failure> {
    let page = page().map_err(usage)?;
    let path = args.out.display();
    let format = Format::of(&args.out).ok_or_else(|| usage(format!("'{path}' is no film")))?;
    let (width, height) = args.look.size;
    if format.is_video() && (width % 2 == 1 || height % 2 == 1) {
        return Err(usage(format!(
            "a video has an even width and height, not {width} x {height}; change --size, or write a .png"
        )));
    }
    let footage = Footage::find(&args.target)?;
    let to = footage.end(args.from, args.to)?;
    let frames = Frames {
        // Each picture shows its own frame, as far as there are enough steps.
        fps: args.fps / args.speed,
        from: args.from,
        to,
        limit_mb: LIMIT_MB,
    };
    let (clip, hello) = footage.clip(&args.target, &frames)?;
    check_names(&hello, &args.look)?;
    let mut parameters = args.look.parameters();
    parameters.push(("full".to_owned(), "1".to_owned()));
    let film = Film {
        shot: Shot {
            size: args.look.size,
            parameters,
        },
        fps: args.fps,
        frames: frames_of(clip.times(), args.from, args.fps, args.speed),
    };
    interrupt::listen();
    let pictures = film.frames.len();
    let bar = progress_bar(pictures as u64);
    let html = clip.embed(page, hello);
    let finished = make(&html, &film, format, &args.out, |done| {
        bar.set_position(done as u64);
        if interrupt::asked() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    bar.finish_and_clear();
    // Ctrl-C reaches the browser too; its end is then not an error.
    if interrupt::asked() || !finished.map_err(shot::failure)? {
        return Err(Failure::Abandoned);
    }
    let seconds = pictures as f64 / args.fps;
    Ok(writeln!(
        out,
        "{path}: {pictures} pictures of {width} x {height} pixels, {seconds:.1} s"
    )?)
}

/// Progress on standard error, hidden if that is not a terminal.
fn progress_bar(pictures: u64) -> ProgressBar {
    let bar = ProgressBar::new(pictures);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} pictures, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
