//! The volume of a site, in which touch sensors count contacts.

use crate::ImportError;
use crate::xml::Element;
use linkwork::math::Vec3;
use linkwork::model::Geometry;

const TYPES: [&str; 6] = ["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"];
/// Sizes that are not given, m.
const SIZE: f64 = 0.005;

/// The volume; `half` is half the distance of `fromto`, if given. `None` for meshes and where a size is not positive.
pub(super) fn volume(e: &Element, half: Option<f64>) -> Result<Option<Geometry>, ImportError> {
    let given = e.numbers("size")?.unwrap_or_default();
    let kind = TYPES[e.choice("type", &TYPES)?.unwrap_or(0)];
    let mut size = [SIZE; 3];
    for (size, given) in size.iter_mut().zip(&given) {
        *size = *given;
    }
    if let Some(half) = half {
        match kind {
            "capsule" | "cylinder" => size[1] = half,
            _ => size = [size[0], size[0], half],
        }
    }
    let [radius, half_length, _] = size;
    let (needed, volume) = match kind {
        "sphere" => (1, Geometry::Sphere { radius }),
        "capsule" => (
            2,
            Geometry::Capsule {
                radius,
                half_length,
            },
        ),
        "cylinder" => (
            2,
            Geometry::Cylinder {
                radius,
                half_length,
            },
        ),
        "ellipsoid" => (
            3,
            Geometry::Ellipsoid {
                radii: Vec3::from(size),
            },
        ),
        "box" => (
            3,
            Geometry::Box {
                half_extents: Vec3::from(size),
            },
        ),
        _ => return Ok(None),
    };
    Ok(size[..needed].iter().all(|s| *s > 0.0).then_some(volume))
}
