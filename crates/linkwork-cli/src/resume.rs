//! `linkwork resume`.

use crate::args::ResumeArgs;
use crate::failure::{Failure, usage};
use crate::pilot::Pilot;
use crate::scene;
use crate::session::{Session, simulate};
use linkwork::Run;
use linkwork::Script;
use linkwork::plain_time;
use linkwork_record::{Recording, load_checkpoint};
use std::io::Write;
use std::path::Path;

/// Go on from a checkpoint and report.
pub fn resume(out: &mut dyn Write, args: &ResumeArgs) -> Result<(), Failure> {
    let (recording, saved) = load_checkpoint(&args.file, args.at).map_err(usage)?;
    let recording_args = &args.output.recording;
    for target in [&recording_args.record, &recording_args.checkpoint] {
        if let Some(target) = target
            && same_file(target, &args.file)
        {
            let path = target.display();
            return Err(usage(format!(
                "'{path}' is the file to resume from; write to another file"
            )));
        }
    }
    let script = script(&recording)?;
    let model = recording.model().clone();
    let run = Run::resume(model, &saved.checkpoint, script).map_err(usage)?;
    let session = Session {
        source: recording.header().source.clone(),
        remark: format!(
            "  from {} s, step {} of {}",
            plain_time(saved.time),
            saved.step,
            args.file.display()
        ),
        time: args.time,
        first_step: saved.step,
        output: &args.output,
    };
    simulate(out, run, &session)
}

/// The script of the recorded source. That of a scene is code and not in a file; the control inputs of a model file are
/// in the recording.
fn script(recording: &Recording) -> Result<Option<Script>, Failure> {
    let (path, source) = (recording.path().display(), &recording.header().source);
    if source.scene.is_empty() {
        return Err(usage(format!(
            "'{path}' is not of a built-in scene, so its script is unknown; resume it in Rust with linkwork::Run::resume"
        )));
    }
    if let Some(pilot) = &source.pilot {
        let pilot: Pilot = serde_json::from_value(pilot.clone()).map_err(|e| {
            usage(format!(
                "'{path}' does not contain the controls of the run: {e}"
            ))
        })?;
        let script = pilot.script(recording.model(), None);
        return script.map_err(|e| usage(format!("'{path}', the script of the run: {e}")));
    }
    let version = &recording.header().version;
    let remedy = format!("resume it with linkwork {version}, which recorded it");
    let scene = scene::rebuild(source).map_err(|e| usage(format!("'{path}': {e}; {remedy}")))?;
    if scene.model.hash() != recording.header().model_hash {
        return Err(usage(format!(
            "scene '{}' is no longer the one in '{path}' (another model hash); {remedy}",
            source.scene
        )));
    }
    Ok(scene.script)
}

/// Whether both names refer to the same existing file.
fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
