//! The subject of the check: a scene, or a model file closed as for a run.

use super::assembly::Assembly;
use super::file::{Around, FileFindings};
use super::stage::Stage;
use crate::args::CheckArgs;
use crate::failure::{Failure, usage};
use crate::import;
use crate::scene;
use linkwork::Script;
use linkwork::Settings;
use linkwork::model::Model;
use linkwork_import::own;
use linkwork_record::Source;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is examined.
pub struct Subject {
    /// Its name, with its parameters.
    pub title: String,
    /// Its source.
    pub source: Source,
    /// As it would be simulated.
    pub model: Arc<Model>,
    /// As it would be simulated.
    pub settings: Settings,
    /// As it would be driven.
    pub script: Option<Script>,
    /// What was found while a file was read and closed.
    pub findings: Option<FileFindings>,
    /// For a file: its path, and the mechanism, closed if possible.
    copy: Option<(PathBuf, Arc<Model>)>,
}

impl Subject {
    /// Of the command line.
    pub fn of(args: &CheckArgs, stage: &mut Stage) -> Result<Self, Failure> {
        if import::is_file(&args.scene.scene) {
            return Self::of_file(args, stage);
        }
        if args.fix.is_some() {
            return Err(usage(
                "--fix is for model files; built-in scenes are assembled",
            ));
        }
        let built = scene::build(&args.scene, &args.controls, false)?;
        let (source, scene) = (built.source.clone(), built.scene()?);
        Ok(Self {
            title: format!("{}{}", args.scene.scene, scene::set_text(&args.scene)),
            source,
            model: scene.model,
            settings: scene.settings,
            script: scene.script,
            findings: None,
            copy: None,
        })
    }

    fn of_file(args: &CheckArgs, stage: &mut Stage) -> Result<Self, Failure> {
        let path = PathBuf::from(&args.scene.scene);
        let options = &args.scene.file;
        let imported = import::open(&path, options)?;
        let (state, start) = import::start(&imported.model, options)?;
        stage.begin("closing its loops");
        let (assembly, model) = Assembly::of(&imported.model, &state).map_err(usage)?;
        let (driven, mut pilot) =
            import::piloted(model.clone(), &start.controls, &args.controls, false)?;
        pilot.activations = start.activations;
        Ok(Self {
            title: args.scene.scene.clone(),
            source: Source {
                scene: import::file_name(&args.scene.scene),
                ..Source::default()
            },
            model: driven.clone(),
            settings: import::settings(&model),
            script: pilot.script(&driven, None).map_err(usage)?,
            findings: Some(FileFindings {
                file: imported.counts,
                around: Around::of(&model),
                assembly,
                notices: imported.notices,
            }),
            copy: Some((path, model)),
        })
    }

    /// Writes the assembled copy of a file to `target`, or beside the file.
    pub fn fix(
        &self,
        out: &mut dyn Write,
        target: Option<&Path>,
        quiet: bool,
    ) -> Result<(), Failure> {
        let Some((file, model)) = &self.copy else {
            return Ok(());
        };
        let target = target.map_or_else(|| beside(file), Path::to_owned);
        let text = match target.extension() {
            Some(end) if end == "json" => own::to_json(model),
            _ => own::to_toml(model),
        };
        let path = target.display();
        std::fs::write(&target, text).map_err(|e| usage(format!("cannot write '{path}': {e}")))?;
        if !quiet {
            writeln!(out, "an assembled copy is in {path}")?;
        }
        Ok(())
    }
}

/// `robot.fixed.linkwork.toml` beside `robot.xml`.
fn beside(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let ends = [".linkwork.toml", ".linkwork.json"];
    let stem = ends.iter().find_map(|e| name.strip_suffix(e));
    let stem = stem.or_else(|| name.rsplit_once('.').map(|(stem, _)| stem));
    file.with_file_name(format!("{}.fixed.linkwork.toml", stem.unwrap_or(&name)))
}
