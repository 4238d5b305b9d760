//! Joint types as data: `{"type": "screw", "pitch": 0.02}`; for `#[serde(with)]`.

use super::{JointType, Parameter, all, by_name, with_parameter};
use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Write the name and, if there is one, the parameter.
pub fn serialize<S: Serializer>(kind: &Arc<dyn JointType>, to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    map.serialize_entry("type", kind.name())?;
    if let Some((name, value)) = kind.parameter() {
        map.serialize_entry(name, &value)?;
    }
    map.end()
}

/// Find the type by its name and give it its parameter.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<dyn JointType>, D::Error> {
    #[derive(Deserialize)]
    struct Named {
        r#type: String,
        #[serde(flatten)]
        parameters: BTreeMap<String, Parameter>,
    }
    let Named {
        r#type,
        mut parameters,
    } = Named::deserialize(from)?;
    if let (Some(kind), true) = (by_name(&r#type), parameters.is_empty()) {
        return Ok(kind);
    }
    let sample = all().into_iter().find(|kind| kind.name() == r#type);
    let Some(sample) = sample else {
        let names: Vec<_> = all().iter().map(|kind| kind.name()).collect();
        let known = names.join(", ");
        let message = format!("there is no joint type '{type}'; choose one of: {known}");
        return Err(D::Error::custom(message));
    };
    let wanted = sample.parameter().map(|(name, _)| name);
    let given = match parameters.pop_first() {
        Some((name, value)) if parameters.is_empty() && Some(&*name) == wanted => Some(value),
        _ => None,
    };
    let Some(value) = given else {
        return Err(D::Error::custom(match wanted {
            Some(name) => format!("joint type '{type}' needs the parameter '{name}' and no other"),
            None => format!("joint type '{type}' has no parameters"),
        }));
    };
    match with_parameter(&r#type, value) {
        Some(Ok(kind)) => Ok(kind),
        Some(Err(why)) => Err(D::Error::custom(format!("joint type '{type}': {why}"))),
        None => Err(D::Error::custom("not a type")),
    }
}
