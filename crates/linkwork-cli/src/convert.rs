//! `linkwork convert`: a model file or scene in another format.

use crate::args::{ControlArgs, ConvertArgs, SceneArgs};
use crate::failure::{Failure, usage};
use crate::import;
use crate::scene;
use crate::table::bytes;
use linkwork::model::Model;
use linkwork_import::export::{Exported, to_mjcf, to_urdf};
use linkwork_import::own;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Writes the file in the format of the target's extension.
pub fn convert(out: &mut dyn Write, args: &ConvertArgs) -> Result<(), Failure> {
    let name = args.to.to_string_lossy().to_lowercase();
    let model = &model(&args.from)?;
    let text = if name.ends_with(".linkwork.toml") {
        own::to_toml(model)
    } else if name.ends_with(".linkwork.json") {
        own::to_json(model)
    } else if name.ends_with(".xml") {
        let exported = to_mjcf(model).map_err(usage)?;
        tell(&exported);
        exported.text
    } else if name.ends_with(".urdf") {
        let stem = args.to.file_stem().unwrap_or_default().to_string_lossy();
        let folder = format!("{stem}_meshes");
        let exported = to_urdf(model, &folder);
        tell(&exported);
        if !exported.meshes.is_empty() {
            let beside = args.to.with_file_name(&folder);
            save_meshes(&beside, &exported.meshes)?;
            let count = exported.meshes.len();
            writeln!(out, "{}: {count} meshes", beside.display())?;
        }
        if let Some(loops) = &exported.beside {
            let beside = args.to.with_extension("loops.yaml");
            save(&beside, loops)?;
            writeln!(out, "{}: {}", beside.display(), bytes(loops.len() as f64))?;
        }
        exported.text
    } else {
        return Err(usage(format!(
            "'{}' does not name a format; end it in .linkwork.toml, .linkwork.json, .xml (MJCF) or .urdf",
            args.to.display()
        )));
    };
    save(&args.to, &text)?;
    let size = bytes(text.len() as f64);
    Ok(writeln!(out, "{}: {size}", args.to.display())?)
}

/// The model to convert: a file's, or a scene's, which has neither script nor actuators.
fn model(from: &SceneArgs) -> Result<Arc<Model>, Failure> {
    if import::is_file(&from.scene) {
        let imported = import::open(Path::new(&from.scene), &from.file)?;
        import::tell(&imported.notices, from.file.notices);
        return Ok(imported.model);
    }
    let built = scene::build(from, &ControlArgs::default(), false)?;
    let scene = built.scene()?;
    Ok(scene.model.named(&from.scene, Some(scene.settings.dt)))
}

/// Prints on standard error what a text does not express.
fn tell(exported: &Exported) {
    for what in &exported.left_out {
        let _ = writeln!(std::io::stderr(), "not expressed: {what}");
    }
}

fn save_meshes(folder: &Path, meshes: &[(String, String)]) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|e| usage(format!("cannot make '{}': {e}", folder.display())))?;
    let mut meshes = meshes.iter();
    meshes.try_for_each(|(name, text)| save(&folder.join(name), text))
}

fn save(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|e| usage(format!("cannot write '{}': {e}", path.display())))
}
