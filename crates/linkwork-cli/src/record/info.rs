//! `linkwork record info`.

use crate::failure::Failure;
use crate::table::{bytes, count, duration, heading, line, number, with_unit};
use linkwork_record::Recording;
use serde_json::{Value, json};
use std::io::Write;

/// Checkpoints listed one by one at most.
const CHECKPOINTS: usize = 10;

/// Reports the content of a recording.
pub fn info(out: &mut dyn Write, recording: &Recording, json: bool) -> Result<(), Failure> {
    if json {
        serde_json::to_writer(&mut *out, &object(recording))?;
        return Ok(writeln!(out)?);
    }
    Ok(text(out, recording)?)
}

fn bytes_per_step(recording: &Recording) -> f64 {
    recording.file_bytes() as f64 / recording.len().max(1) as f64
}

fn object(r: &Recording) -> Value {
    let (header, model) = (r.header(), r.model());
    let channels: Vec<Value> = r
        .channels()
        .map(|c| json!({"topic": c.topic, "messages": c.messages, "bytes": c.bytes}))
        .collect();
    let losses: Vec<Value> = r
        .losses()
        .iter()
        .map(|l| json!({"offset": l.offset, "bytes": l.bytes, "why": l.why}))
        .collect();
    let checkpoints: Vec<Value> = r
        .checkpoints()
        .map(|c| json!({"step": c.step, "time": c.time}))
        .collect();
    json!({
        "file": r.path(),
        "version": header.version,
        "format": header.format,
        "created": header.created,
        "scene": header.source.scene,
        "parameters": header.source.parameters,
        "settings": header.settings,
        "model_hash": format!("{:016x}", header.model_hash),
        "bodies": model.bodies().len(),
        "joints": model.joints().len(),
        "record_every": header.every,
        "first_step": header.first_step,
        "records": r.len(),
        "start": r.times().first(),
        "end": r.times().last(),
        "bytes": r.file_bytes(),
        "bytes_per_step": bytes_per_step(r),
        "compression": r.compression(),
        "chunks": r.chunks(),
        "channels": channels,
        "checkpoints": checkpoints,
        "complete": r.complete(),
        "lost_bytes": r.lost_bytes(),
        "losses": losses,
        "warning": r.warning(),
    })
}

fn text(out: &mut dyn Write, r: &Recording) -> std::io::Result<()> {
    let (header, model) = (r.header(), r.model());
    writeln!(out, "{}", r.path().display())?;
    let mut scene = header.source.scene.clone();
    for (name, value) in &header.source.parameters {
        scene += &format!("  {name}={value}");
    }
    line(out, "scene", &scene)?;
    let (bodies, joints) = (model.bodies().len() as u64, model.joints().len() as u64);
    let size = format!("{}, {}", count(bodies, "body"), count(joints, "joint"));
    line(
        out,
        "model",
        &format!("{size}, hash {:016x}", header.model_hash),
    )?;
    let (version, created) = (&header.version, &header.created);
    line(out, "written", &format!("{created} by linkwork {version}"))?;
    let settings = &header.settings;
    let solve = format!(
        "dt {}, {}, {}{}, tolerance {} N s and m/s, at most {} iterations",
        duration(settings.dt),
        settings.integrator,
        settings.solver,
        if settings.reduced { " reduced" } else { "" },
        number(settings.solve.tolerance),
        settings.solve.max_iterations
    );
    line(out, "settings", &solve)?;
    let records = count(r.len() as u64, "record");
    let span = match r.times() {
        [] => records,
        [first, .., last] => format!(
            "{records} from {} to {}",
            number(*first),
            with_unit(*last, "s")
        ),
        [only] => format!("{records} at {}", with_unit(*only, "s")),
    };
    line(out, "steps", &format!("{span}, one of {}", header.every))?;
    let each = bytes(bytes_per_step(r));
    let (whole, chunks) = (
        bytes(r.file_bytes() as f64),
        count(r.chunks() as u64, "chunk"),
    );
    let compression = r.compression();
    let text = format!("{whole}, {each} per record, {chunks}, compression {compression}");
    line(out, "size", &text)?;
    let complete = r.warning().unwrap_or("yes".to_owned());
    line(out, "complete", &complete)?;
    for loss in r.losses() {
        let (at, n) = (loss.offset, bytes(loss.bytes as f64));
        line(out, "lost", &format!("{n} at byte {at}: {}", loss.why))?;
    }
    heading(out, "Channels")?;
    for c in r.channels() {
        let (messages, size) = (count(c.messages, "message"), bytes(c.bytes as f64));
        writeln!(out, "  {:<22}{messages}, {size}", c.topic)?;
    }
    checkpoints(out, r)
}

fn checkpoints(out: &mut dyn Write, r: &Recording) -> std::io::Result<()> {
    heading(out, "Checkpoints")?;
    let all: Vec<_> = r.checkpoints().collect();
    for c in all.iter().take(CHECKPOINTS) {
        line(out, &with_unit(c.time, "s"), &format!("step {}", c.step))?;
    }
    match all.len().saturating_sub(CHECKPOINTS) {
        0 if all.is_empty() => line(out, "none", ""),
        0 => Ok(()),
        more => line(out, "…", &format!("and {more} more; --json lists all")),
    }
}
