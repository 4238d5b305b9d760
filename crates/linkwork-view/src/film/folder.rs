//! A folder with one PNG file per picture.

use super::{Reel, unwritten};
use crate::shot::{ShotError, Studio};
use std::path::{Path, PathBuf};

pub struct Folder {
    path: PathBuf,
    written: usize,
    finished: bool,
}

impl Folder {
    pub fn create(path: &Path) -> Result<Self, ShotError> {
        std::fs::create_dir_all(path).map_err(unwritten(path))?;
        Ok(Self {
            path: path.to_owned(),
            written: 0,
            finished: false,
        })
    }

    fn file(&self, number: usize) -> PathBuf {
        self.path.join(format!("frame_{number:05}.png"))
    }
}

impl Reel for Folder {
    fn add(&mut self, _: &mut Studio, png: &[u8]) -> Result<(), ShotError> {
        self.written += 1;
        let file = self.file(self.written);
        std::fs::write(&file, png).map_err(unwritten(&file))
    }

    fn finish(&mut self, _: &mut Studio) -> Result<(), ShotError> {
        self.finished = true;
        Ok(())
    }
}

impl Drop for Folder {
    /// An unfinished film is removed; the folder itself may have existed before.
    fn drop(&mut self) {
        if !self.finished {
            for number in 1..=self.written {
                let _ = std::fs::remove_file(self.file(number));
            }
        }
    }
}
