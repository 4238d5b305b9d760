//! Values written as text of child elements.

use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::Vec3;

/// Numbers at least this large mean no bound, as in SDF.
const UNBOUNDED: f64 = 1e16;

/// A number in the child `name`; it must be finite.
pub(super) fn number(parent: &Element, name: &str) -> Result<Option<f64>, ImportError> {
    let Some(child) = parent.child(name) else {
        return Ok(None);
    };
    match child.text_numbers()?[..] {
        [value] => Ok(Some(value)),
        _ => Err(bad(child, "one number")),
    }
}

/// A number in the child `name` that must not be negative.
pub(super) fn not_negative(parent: &Element, name: &str) -> Result<Option<f64>, ImportError> {
    match number(parent, name)? {
        Some(x) if x < 0.0 => {
            let child = parent.child(name).unwrap_or(parent);
            Err(bad(child, "zero or a positive number"))
        }
        other => Ok(other),
    }
}

/// A bound in the child `name`; infinite if it is so large that it means none.
pub(super) fn bound(parent: &Element, name: &str) -> Result<Option<f64>, ImportError> {
    let Some(child) = parent.child(name) else {
        return Ok(None);
    };
    let value = child
        .text
        .trim()
        .parse::<f64>()
        .ok()
        .filter(|x| !x.is_nan());
    let value = value.ok_or_else(|| bad(child, "one number"))?;
    Ok(Some(if value.abs() >= UNBOUNDED {
        f64::INFINITY.copysign(value)
    } else {
        value
    }))
}

/// Three numbers in the child `name`.
pub(super) fn vec3(parent: &Element, name: &str) -> Result<Option<Vec3>, ImportError> {
    let Some(child) = parent.child(name) else {
        return Ok(None);
    };
    match child.text_numbers()?[..] {
        [x, y, z] => Ok(Some(Vec3::new(x, y, z))),
        _ => Err(bad(child, "three numbers")),
    }
}

/// `true`, `false`, `1` or `0` in the child `name`.
pub(super) fn flag(parent: &Element, name: &str) -> Result<Option<bool>, ImportError> {
    let Some(child) = parent.child(name) else {
        return Ok(None);
    };
    match child.text.trim().to_lowercase().as_str() {
        "true" | "1" => Ok(Some(true)),
        "false" | "0" => Ok(Some(false)),
        _ => Err(bad(child, "true or false")),
    }
}

/// The text of the child `name`.
pub(super) fn word<'a>(parent: &'a Element, name: &str) -> Option<&'a str> {
    let child = parent.child(name)?;
    Some(child.text.trim()).filter(|t| !t.is_empty())
}

/// The text of the child `name`, which must be there.
pub(super) fn need_word<'a>(parent: &'a Element, name: &str) -> Result<&'a str, ImportError> {
    word(parent, name).ok_or_else(|| {
        let what = format!("<{}> has no <{name}>", parent.name);
        parent.error(Fault::Missing, what, format!("add <{name}>…</{name}>"))
    })
}

fn bad(element: &Element, want: &str) -> ImportError {
    let shown: String = element.text.chars().take(60).collect();
    let what = format!("<{}> contains '{shown}'", element.name);
    element.error(Fault::BadValue, what, format!("write {want}"))
}
