//! `linkwork hash`: whether two machines compute the same bits.

use crate::args::HashArgs;
use crate::failure::{Failure, usage};
use crate::scene;
use linkwork::Run;
use std::io::Write;

/// Run a scene and print the hashes of its model and of its last state.
pub fn hash(out: &mut dyn Write, args: &HashArgs) -> Result<(), Failure> {
    let built = scene::build(&args.scene, &args.controls, false)?;
    let (source, mut scene) = (built.source.clone(), built.scene()?);
    scene.settings.threads = args.threads.map_or(scene.settings.threads, usize::from);
    let model = scene.model.hash();
    let mut run = Run::of(scene).map_err(usage)?;
    for _ in 0..args.steps {
        let step = run.step();
        step.map_err(|e| Failure::Run(e.to_string()))?;
    }
    writeln!(
        out,
        "{} steps={} model={model:016x} state={:016x} arithmetic={}",
        source.scene,
        args.steps,
        run.simulator().state().hash(),
        linkwork_solve::arithmetic()
    )?;
    Ok(())
}
