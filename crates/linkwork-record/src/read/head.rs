//! The head of a recording: without it nothing else has a meaning.

use super::fields;
use super::file::Bytes;
use super::scan::Scan;
use crate::error::RecordError;
use crate::header::{FORMAT, Header, PROFILE};
use linkwork::model::{Model, ModelData};
use mcap::MAGIC;
use std::path::Path;
use std::sync::Arc;

/// Whether the file starts as an MCAP file does.
pub(super) fn check_magic(file: &mut Bytes, path: &Path) -> Result<(), RecordError> {
    let start = file.at(0, MAGIC.len() as u64);
    let start = start.map_err(RecordError::file("read", path))?;
    let path = path.to_owned();
    match start {
        start if start == MAGIC => Ok(()),
        start if MAGIC.starts_with(start) => Err(RecordError::Head {
            path,
            part: "MCAP magic",
        }),
        _ => Err(RecordError::NotMcap { path }),
    }
}

/// The header, if all parts of the head are there.
pub(super) fn header(scan: &Scan, path: &Path) -> Result<Header, RecordError> {
    let missing = |part| RecordError::Head {
        path: path.to_owned(),
        part,
    };
    match scan.profile.as_deref().ok_or(missing("MCAP header"))? {
        PROFILE => {}
        other => {
            let (path, profile) = (path.to_owned(), other.to_owned());
            return Err(RecordError::NotLinkwork { path, profile });
        }
    }
    scan.model
        .as_ref()
        .ok_or(missing("model (attachment model.json)"))?;
    let metadata = scan.metadata.as_ref();
    let metadata = metadata.ok_or(missing("settings (metadata linkwork)"))?;
    let header = Header::from_metadata(metadata).map_err(|why| RecordError::Damaged {
        path: path.to_owned(),
        part: "the metadata",
        why,
    })?;
    if header.format > FORMAT {
        return Err(RecordError::Format {
            path: path.to_owned(),
            have: header.format,
            know: FORMAT,
        });
    }
    if scan.channels.is_empty() {
        return Err(missing("list of channels"));
    }
    Ok(header)
}

/// The model from the record of its attachment, which was scanned before.
pub(super) fn model(
    record: &[u8],
    header: &Header,
    path: &Path,
) -> Result<Arc<Model>, RecordError> {
    let damaged = |why: String| RecordError::Damaged {
        path: path.to_owned(),
        part: "the model",
        why,
    };
    let data = fields::attachment(record).map_or(&[][..], |a| a.1);
    // The library checks the checksum; the scan accepted only records with complete fields.
    mcap::parse_record(mcap::records::op::ATTACHMENT, record)
        .map_err(|e| damaged(e.to_string()))?;
    let data: ModelData = serde_json::from_slice(data).map_err(|e| damaged(e.to_string()))?;
    let model = data.build().map_err(|source| RecordError::Model {
        path: path.to_owned(),
        source,
    })?;
    let (saved, hash) = (header.model_hash, model.hash());
    if hash != saved {
        let why = format!("its hash is {hash:016x}, the metadata says {saved:016x}");
        return Err(damaged(why));
    }
    Ok(model)
}
