//! Parameters of joint types.

use super::ChainLink;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A parameter of a joint type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "Value")]
pub enum Parameter {
    /// A number: a screw's pitch, a rod's length.
    Number(f64),
    /// The links of a chain.
    Links(Vec<ChainLink>),
}

impl TryFrom<Value> for Parameter {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value.as_f64() {
            Some(number) => Ok(Self::Number(number)),
            None => serde_json::from_value(value)
                .map(Self::Links)
                .map_err(|e| format!("neither a number nor a list of links: {e}")),
        }
    }
}

impl TryFrom<Parameter> for f64 {
    type Error = String;

    fn try_from(parameter: Parameter) -> Result<Self, String> {
        match parameter {
            Parameter::Number(number) => Ok(number),
            Parameter::Links(_) => Err("a number is wanted, not a list of links".to_owned()),
        }
    }
}

impl TryFrom<Parameter> for Vec<ChainLink> {
    type Error = String;

    fn try_from(parameter: Parameter) -> Result<Self, String> {
        match parameter {
            Parameter::Links(links) => Ok(links),
            Parameter::Number(_) => Err("a list of links is wanted, not a number".to_owned()),
        }
    }
}

/// Parameters by name while a type is constructed.
pub(super) struct Parameters(BTreeMap<String, Parameter>);

impl Parameters {
    pub fn new(given: impl IntoIterator<Item = (String, Parameter)>) -> Self {
        Self(given.into_iter().collect())
    }

    /// The parameter `name` of the joint type `kind`.
    pub fn take<T>(&mut self, kind: &str, name: &str) -> Result<T, String>
    where
        T: TryFrom<Parameter, Error = String>,
    {
        let value = self.0.remove(name);
        let value =
            value.ok_or_else(|| format!("joint type '{kind}' needs the parameter '{name}'"))?;
        value
            .try_into()
            .map_err(|why| format!("joint type '{kind}': {name}: {why}"))
    }

    /// Refuses remaining parameters.
    pub fn finish(self, kind: &str) -> Result<(), String> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("joint type '{kind}' has no parameter '{name}'")),
        }
    }
}
