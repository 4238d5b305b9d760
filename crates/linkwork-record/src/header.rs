//! The metadata record `linkwork` of a recording.

use crate::signals::SignalInfo;
use linkwork::Settings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the layout of recordings; readers refuse later ones.
pub const FORMAT: u32 = 1;
/// Name of the metadata record.
pub(crate) const METADATA: &str = "linkwork";
/// Name of the attachment with the model.
pub(crate) const MODEL: &str = "model.json";
/// MCAP profile.
pub(crate) const PROFILE: &str = "linkwork";

const UNITS: &str = "SI: m, kg, s, N, N m, J; rad";

/// Origin of a model, used to find its script again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Name of the built-in scene, or of the file; empty if it was neither.
    pub scene: String,
    /// Every parameter of the scene with its value.
    pub parameters: BTreeMap<String, f64>,
    /// Control inputs of a model from a file, in the form of its program; `None` for scenes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pilot: Option<serde_json::Value>,
}

/// Metadata of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Version of Linkwork that wrote it.
    pub version: String,
    /// Version of the layout.
    pub format: u32,
    /// Where the model came from.
    pub source: Source,
    /// Settings the run began with.
    pub settings: Settings,
    /// [`Model::hash`](linkwork::model::Model::hash) of the model.
    pub model_hash: u64,
    /// When it was begun, UTC, ISO 8601.
    pub created: String,
    /// One step of so many was recorded.
    pub every: u32,
    /// Steps the run had taken before this recording began.
    pub first_step: u64,
    /// Controls and sensors whose values are recorded.
    pub signals: Vec<SignalInfo>,
}

impl Header {
    /// A header of a recording that begins now.
    pub(crate) fn new(source: Source, settings: Settings, model_hash: u64) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            source,
            settings,
            model_hash,
            created: crate::date::now(),
            every: 1,
            first_step: 0,
            signals: Vec::new(),
        }
    }

    /// As the entries of the metadata record. MCAP has no checksum for them; one is added as an entry.
    pub(crate) fn to_metadata(&self) -> BTreeMap<String, String> {
        let json = |value| serde_json::to_string(value).expect("plain data");
        let entries = [
            ("version", self.version.clone()),
            ("format", self.format.to_string()),
            (
                "source",
                serde_json::to_string(&self.source).expect("plain data"),
            ),
            ("settings", json(&self.settings)),
            ("dt", format!("{:?}", self.settings.dt)),
            ("units", UNITS.to_owned()),
            ("model_hash", format!("{:016x}", self.model_hash)),
            ("created", self.created.clone()),
            ("record_every", self.every.to_string()),
            ("first_step", self.first_step.to_string()),
        ];
        let mut map: BTreeMap<_, _> = entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        if !self.signals.is_empty() {
            let signals = serde_json::to_string(&self.signals).expect("plain data");
            map.insert("signals".to_owned(), signals);
        }
        map.insert("checksum".to_owned(), checksum(&map));
        map
    }

    /// From the entries of the metadata record, or the error in them.
    pub(crate) fn from_metadata(map: &BTreeMap<String, String>) -> Result<Self, String> {
        let get = |key: &str| match map.get(key) {
            Some(value) => Ok(value.as_str()),
            None => Err(format!("it has no entry '{key}'")),
        };
        if get("checksum")? != checksum(map) {
            return Err("its checksum does not match".to_owned());
        }
        let bad = |key: &str| format!("'{}' is no {key}", map[key]);
        Ok(Self {
            version: get("version")?.to_owned(),
            format: get("format")?.parse().map_err(|_| bad("format"))?,
            source: serde_json::from_str(get("source")?).map_err(|e| e.to_string())?,
            settings: serde_json::from_str(get("settings")?).map_err(|e| e.to_string())?,
            model_hash: u64::from_str_radix(get("model_hash")?, 16)
                .map_err(|_| bad("model_hash"))?,
            created: get("created")?.to_owned(),
            every: get("record_every")?
                .parse()
                .map_err(|_| bad("record_every"))?,
            first_step: get("first_step")?.parse().map_err(|_| bad("first_step"))?,
            signals: match map.get("signals") {
                Some(text) => serde_json::from_str(text).map_err(|e| e.to_string())?,
                None => Vec::new(),
            },
        })
    }
}

/// FNV-1a over all entries but itself, 16 hexadecimal digits.
fn checksum(map: &BTreeMap<String, String>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for (key, value) in map.iter().filter(|(key, _)| *key != "checksum") {
        // A zero byte after each text separates it from the next.
        let bytes = key.bytes().chain([0]).chain(value.bytes()).chain([0]);
        for byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_survives_and_a_changed_entry_is_noticed() {
        let mut header = Header::new(Source::default(), Settings::default(), 0xff);
        header.source.parameters.insert("n".to_owned(), 0.1);
        let map = header.to_metadata();
        assert_eq!(map["model_hash"], "00000000000000ff");
        assert_eq!(Header::from_metadata(&map), Ok(header));
        let mut changed = map.clone();
        changed.insert("dt".to_owned(), "0.002".to_owned());
        assert!(
            Header::from_metadata(&changed)
                .unwrap_err()
                .contains("checksum")
        );
        changed.remove("checksum");
        assert!(
            Header::from_metadata(&changed)
                .unwrap_err()
                .contains("no entry")
        );
    }
}
