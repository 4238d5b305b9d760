//! An MCAP file that appears only when complete: it is started under a temporary name, and gets its own when the
//! required parts are on disk.

use crate::batch::MAX_CHUNK;
use crate::channels::Channel;
use crate::error::RecordError;
use crate::header::{self, Header};
use crate::options::Compression;
use linkwork::model::Model;
use mcap::records::Metadata;
use mcap::{Attachment, McapError, WriteOptions, Writer};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// What messages are written with.
pub(crate) type FileWriter = Writer<BufWriter<File>>;

/// An MCAP file with the head of a recording, still under its temporary name.
pub(crate) struct Container {
    /// Writes on.
    pub writer: FileWriter,
    /// The file's name while it is begun.
    part: Part,
}

impl Container {
    /// Begin the file with header, model and channels; channel `i` gets number `i + 1`.
    pub fn create(
        path: &Path,
        header: &Header,
        model: &Model,
        channels: &[Channel],
        compression: Compression,
    ) -> Result<Self, RecordError> {
        let failed = |e| RecordError::file("write", path)(io_error(e));
        let data = serde_json::to_vec(model.data()).expect("a model is plain data");
        if data.len() > MAX_CHUNK {
            let (bytes, most) = (data.len(), MAX_CHUNK);
            return Err(RecordError::TooLarge { bytes, most });
        }
        let part = Part::create(path)?;
        let file = part
            .file
            .try_clone()
            .map_err(RecordError::file("write", path))?;
        // Chunks are assembled in memory and written whole: a crash leaves only the beginning of one, never a gap.
        let options = WriteOptions::new()
            .profile(header::PROFILE)
            .library(format!("linkwork {}", header.version))
            .compression(compression.of_mcap())
            .compression_level(compression.level())
            .compression_threads(0)
            .chunk_size(None)
            .disable_seeking(true);
        let mut writer = options.create(BufWriter::new(file)).map_err(failed)?;
        write_head(&mut writer, header, data, channels).map_err(failed)?;
        Ok(Self { writer, part })
    }

    /// Gives the file its name after its head is complete. Writing may continue.
    pub fn appear(self) -> Result<FileWriter, RecordError> {
        self.part.appear()?;
        Ok(self.writer)
    }

    /// Close the file, then give it its name.
    pub fn finish(mut self) -> Result<(), RecordError> {
        let finished = self.writer.finish().map_err(io_error);
        let flushed = finished.and_then(|_| self.writer.into_inner().flush());
        flushed.map_err(RecordError::file("write", &self.part.path))?;
        self.part.appear()
    }
}

fn write_head(
    writer: &mut FileWriter,
    header: &Header,
    model: Vec<u8>,
    channels: &[Channel],
) -> Result<(), McapError> {
    writer.attach(&Attachment {
        log_time: 0,
        create_time: 0,
        name: header::MODEL.to_owned(),
        media_type: "application/json".to_owned(),
        data: model.into(),
    })?;
    writer.write_metadata(&Metadata {
        name: header::METADATA.to_owned(),
        metadata: header.to_metadata(),
    })?;
    for c in channels {
        let schema = writer.add_schema(c.schema_name, c.schema_encoding, c.schema.as_bytes())?;
        writer.add_channel(schema, c.topic, c.encoding, &BTreeMap::new())?;
    }
    // Schemas and channels have their own chunk, so that a loss of data does not affect them.
    writer.flush()
}

/// A file under a temporary name, removed unless it appears.
struct Part {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
    appeared: bool,
}

impl Part {
    fn create(path: &Path) -> Result<Self, RecordError> {
        let Some(name) = path.file_name() else {
            let source = std::io::Error::other("it is not the name of a file");
            return Err(RecordError::file("write", path)(source));
        };
        // Replacing a folder, a pipe or /dev/null is never intended.
        if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let source = std::io::Error::other("what is there is not a regular file");
            return Err(RecordError::file("write", path)(source));
        }
        let name = format!(".{}.{}.part", name.to_string_lossy(), std::process::id());
        let temporary = path.with_file_name(name);
        let file = File::create(&temporary).map_err(RecordError::file("write", path))?;
        Ok(Self {
            file,
            temporary,
            path: path.to_owned(),
            appeared: false,
        })
    }

    fn appear(mut self) -> Result<(), RecordError> {
        let failed = || RecordError::file("write", &self.path);
        self.file.sync_all().map_err(failed())?;
        std::fs::rename(&self.temporary, &self.path).map_err(failed())?;
        self.appeared = true;
        sync_folder(&self.path);
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.appeared {
            // The first error is the one that matters.
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

/// Makes the file's name durable, where folders can be synced; elsewhere the system is responsible.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

/// The system's error within an error of the MCAP library.
pub(crate) fn io_error(error: McapError) -> std::io::Error {
    match error {
        McapError::Io(error) => error,
        other => std::io::Error::other(other),
    }
}
