//! Joint types as data: `{"type": "screw", "pitch": 0.02}`; for `#[serde(with)]`.

use super::{JointType, Parameter, of};
use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Write the name and the parameters.
pub fn serialize<S: Serializer>(kind: &Arc<dyn JointType>, to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    map.serialize_entry("type", kind.name())?;
    for (name, value) in kind.parameters() {
        map.serialize_entry(name, &value)?;
    }
    map.end()
}

/// Finds the type by its name and sets its parameters.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<dyn JointType>, D::Error> {
    #[derive(Deserialize)]
    struct Named {
        r#type: String,
        #[serde(flatten)]
        parameters: BTreeMap<String, Parameter>,
    }
    let Named { r#type, parameters } = Named::deserialize(from)?;
    of(&r#type, parameters).map_err(D::Error::custom)
}
