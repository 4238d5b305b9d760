//! A file with all settings that determine its interpretation, and the files attached to it.

use super::compiler::{Compiler, Switches};
use super::defaults::Defaults;
use super::{include, schema};
use crate::xml::Element;
use crate::{Assets, Fault, ImportError, Notices, Options};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Deepest nesting of attached models.
const MAX_DEPTH: usize = 16;

/// A model file, includes in place and checked against the schema.
#[derive(Debug)]
pub(super) struct Document {
    /// Its root element.
    pub root: Element,
    /// How its numbers are meant.
    pub compiler: Compiler,
    /// Its options.
    pub switches: Switches,
    /// Its default classes.
    pub defaults: Defaults,
    /// Its position.
    pub folder: PathBuf,
    /// Names of geoms that its contact pairs let touch.
    pub paired: BTreeSet<String>,
    /// Models it may attach, as indices of documents.
    pub models: BTreeMap<String, usize>,
}

impl Document {
    /// The elements of all its sections of this name.
    pub fn section<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.root.all(name).flat_map(|s| &s.children)
    }

    /// A body or frame of this name, at any depth.
    pub fn find(&self, kind: &str, name: &str) -> Option<&Element> {
        let mut open: Vec<&Element> = self.root.all("worldbody").collect();
        while let Some(e) = open.pop() {
            if e.name == kind && e.get("name") == Some(name) {
                return Some(e);
            }
            open.extend(&e.children);
        }
        None
    }
}

fn paired(root: &Element) -> BTreeSet<String> {
    let contacts = root.all("contact").flat_map(|s| s.all("pair"));
    let names = contacts.flat_map(|p| [p.get("geom1"), p.get("geom2")]);
    names.flatten().map(str::to_owned).collect()
}

/// Files read so far, and those being read.
struct Loading<'a> {
    assets: &'a Assets,
    options: &'a Options,
    notices: &'a mut Notices,
    documents: Vec<Document>,
    known: BTreeMap<PathBuf, usize>,
    open: Vec<PathBuf>,
}

/// The file and all that it attaches; the file itself comes last.
pub(super) fn load(
    file: &Path,
    bytes: &[u8],
    assets: &Assets,
    options: &Options,
    notices: &mut Notices,
) -> Result<Vec<Document>, ImportError> {
    let mut loading = Loading {
        assets,
        options,
        notices,
        documents: Vec::new(),
        known: BTreeMap::new(),
        open: Vec::new(),
    };
    loading.document(file, bytes)?;
    Ok(loading.documents)
}

impl Loading<'_> {
    fn document(&mut self, file: &Path, bytes: &[u8]) -> Result<usize, ImportError> {
        let root = include::expand(file, bytes, self.assets)?;
        if root.name != "mujoco" {
            let what = format!("the root is <{}>, not <mujoco>", root.name);
            let remedy = if root.name == "mujocoinclude" {
                "this file is meant to be included: import the model that includes it"
            } else {
                "import a model whose root is <mujoco>"
            };
            return Err(root.error(Fault::UnknownElement, what, remedy));
        }
        schema::check(&root, self.options.soft, self.notices)?;
        let deformable = root.all("deformable").flat_map(|d| &d.children);
        if let Some(flex) = deformable.into_iter().find(|e| e.name == "flex") {
            let what = "deformable objects are not modelled";
            return Err(flex.error(Fault::Unsupported, what, "remove them"));
        }
        let mut document = Document {
            compiler: Compiler::read(&root, self.notices)?,
            switches: Switches::read(&root)?,
            defaults: Defaults::read(&root)?,
            folder: file.parent().unwrap_or(Path::new("")).to_owned(),
            paired: paired(&root),
            models: BTreeMap::new(),
            root,
        };
        self.open.push(file.to_owned());
        let asked: Vec<Element> = document.section("asset").cloned().collect();
        for model in asked.iter().filter(|e| e.name == "model") {
            let index = self.model(&document.folder, model)?;
            let own = self.documents[index].root.get("model").map(str::to_owned);
            let name = model.get("name").map(str::to_owned).or(own);
            document.models.insert(name.unwrap_or_default(), index);
        }
        self.open.pop();
        self.documents.push(document);
        Ok(self.documents.len() - 1)
    }

    fn model(&mut self, folder: &Path, asked: &Element) -> Result<usize, ImportError> {
        let file = self
            .assets
            .find(folder, asked.require("file")?, &asked.place)?;
        if self.open.contains(&file) || self.open.len() > MAX_DEPTH {
            let what = format!("'{}' attaches itself", file.display());
            return Err(asked.error(Fault::Cycle, what, "remove the cycle of models"));
        }
        if let Some(index) = self.known.get(&file) {
            return Ok(*index);
        }
        let bytes = self.assets.read_text(&file, &asked.place)?;
        let index = self.document(&file, &bytes)?;
        self.known.insert(file, index);
        Ok(index)
    }
}
