//! MP4 by the program ffmpeg, which gets the pictures through a pipe.

use super::{Film, Reel};
use crate::shot::{ShotError, Studio};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

pub struct Ffmpeg {
    child: Child,
    /// Gone once everything is written.
    stdin: Option<ChildStdin>,
    path: PathBuf,
    finished: bool,
}

impl Ffmpeg {
    pub fn start(film: &Film, path: &Path) -> Result<Self, ShotError> {
        let mut command = Command::new("ffmpeg");
        command.args([
            "-loglevel",
            "error",
            "-y",
            "-f",
            "image2pipe",
            "-c:v",
            "png",
        ]);
        command.args(["-framerate", &film.fps.to_string(), "-i", "-"]);
        // What every player takes.
        command.args(["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p"]);
        command
            .args(["-movflags", "+faststart", "-f", "mp4"])
            .arg(path);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|e| ShotError::NoEncoder(e.to_string()))?;
        let stdin = child.stdin.take();
        Ok(Self {
            child,
            stdin,
            path: path.to_owned(),
            finished: false,
        })
    }

    /// Its messages, after it has ended.
    fn said(&mut self) -> String {
        let mut text = String::new();
        if let Some(stderr) = &mut self.child.stderr {
            let _ = stderr.read_to_string(&mut text);
        }
        text.trim().to_owned()
    }
}

impl Reel for Ffmpeg {
    fn add(&mut self, _: &mut Studio, png: &[u8]) -> Result<(), ShotError> {
        let stdin = self.stdin.as_mut().expect("added to before it is finished");
        match stdin.write_all(png) {
            Ok(()) => Ok(()),
            Err(_) => Err(ShotError::Encoder(self.said())),
        }
    }

    fn finish(&mut self, _: &mut Studio) -> Result<(), ShotError> {
        // The end of its input is the end of the film.
        self.stdin = None;
        let said = self.said();
        let ended = self.child.wait();
        if ended.is_ok_and(|status| status.success()) {
            self.finished = true;
            return Ok(());
        }
        Err(ShotError::Encoder(said))
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        if !self.finished {
            let _ = self.child.kill();
            let _ = self.child.wait();
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
