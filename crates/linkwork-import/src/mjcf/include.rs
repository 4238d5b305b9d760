//! `<include>`: the children of another file's root in its place.

use super::MAX_ELEMENTS;
use crate::xml::{self, Element};
use crate::{Assets, Fault, ImportError};
use std::path::{Path, PathBuf};

/// Deepest nesting of included files.
const MAX_DEPTH: usize = 32;

/// Where included files are found and which are open.
struct Including<'a> {
    assets: &'a Assets,
    /// Folder of the main file: MuJoCo's base for all paths.
    main: &'a Path,
    open: Vec<PathBuf>,
    elements: usize,
}

/// The parsed file with all includes in place.
pub(super) fn expand(file: &Path, bytes: &[u8], assets: &Assets) -> Result<Element, ImportError> {
    let mut root = xml::parse(file, bytes)?;
    let mut including = Including {
        assets,
        main: file.parent().unwrap_or(Path::new("")),
        open: vec![file.canonicalize().unwrap_or_else(|_| file.to_owned())],
        elements: 0,
    };
    including.fill(&mut root)?;
    Ok(root)
}

impl Including<'_> {
    fn fill(&mut self, element: &mut Element) -> Result<(), ImportError> {
        self.elements += element.children.len();
        if self.elements > MAX_ELEMENTS {
            let what = format!("more than {MAX_ELEMENTS} elements after including files");
            return Err(element.error(Fault::TooLarge, what, "include fewer files"));
        }
        let mut filled = Vec::with_capacity(element.children.len());
        for mut child in std::mem::take(&mut element.children) {
            if child.name == "include" {
                filled.append(&mut self.included(&child)?);
            } else {
                self.fill(&mut child)?;
                filled.push(child);
            }
        }
        element.children = filled;
        Ok(())
    }

    /// The children of the root of the file that an `<include>` names.
    fn included(&mut self, include: &Element) -> Result<Vec<Element>, ImportError> {
        include.only(&["file"])?;
        let name = include.require("file")?;
        let place = &include.place;
        // MuJoCo searches beside the main file; users expect files beside the including one to be found too.
        let beside = self
            .open
            .last()
            .and_then(|f| f.parent())
            .map(Path::to_owned);
        let file = match (self.assets.find(self.main, name, place), beside) {
            (Ok(file), _) => file,
            (Err(e), Some(folder)) => self.assets.find(&folder, name, place).map_err(|_| e)?,
            (Err(e), None) => return Err(e),
        };
        if self.open.contains(&file) || self.open.len() > MAX_DEPTH {
            let what = format!("'{name}' includes itself");
            return Err(include.error(Fault::Cycle, what, "remove the cycle of includes"));
        }
        let bytes = self.assets.read_text(&file, place)?;
        let mut root = xml::parse(&file, &bytes)?;
        if !["mujoco", "mujocoinclude"].contains(&root.name.as_str()) {
            return Err(root.unknown(&["mujocoinclude", "mujoco"]));
        }
        self.open.push(file);
        self.fill(&mut root)?;
        self.open.pop();
        Ok(root.children)
    }
}
