//! `linkwork export`: a self-contained page that needs neither server nor network.

use crate::args::ExportArgs;
use crate::failure::{Failure, usage};
use crate::footage::{Footage, Frames};
use linkwork_view::{page, write_whole};
use std::io::Write;

/// Write the page.
pub fn export(out: &mut dyn Write, args: &ExportArgs) -> Result<(), Failure> {
    let page = page().map_err(usage)?;
    let footage = Footage::find(&args.target)?;
    let to = footage.end(args.from, args.to)?;
    let frames = Frames {
        fps: args.fps,
        from: args.from,
        to,
        limit_mb: args.max_mb,
    };
    let (clip, hello) = footage.clip(&args.target, &frames)?;
    let html = clip.embed(page, hello);
    clip.check(html.len()).map_err(usage)?;
    write_whole(&args.html, html.as_bytes())
        .map_err(|e| usage(format!("cannot write '{}': {e}", args.html.display())))?;
    let (count, mb) = (clip.times().len(), html.len() as f64 / 1e6);
    let path = args.html.display();
    Ok(writeln!(out, "{path}: {count} frames, {mb:.1} MB")?)
}
