//! `[[shape]]`.

use super::fields::Fields;
use super::geometry::{self, Files};
use super::material;
use super::names::Names;
use super::pose::{self, Spot};
use super::texture;
use super::tree::Entries;
use crate::{Fault, ImportError};
use linkwork::math::Vec3;
use linkwork::model::{
    Body, BodyId, CollisionGroup, Geometry, Material, Model, Shape, ShapeTexture,
};

/// A shape before its body's centre of mass is known.
pub(super) struct Described {
    pub name: Option<String>,
    pub body: Option<usize>,
    pub spot: Spot,
    pub geometry: Geometry,
    pub material: Material,
    pub group: CollisionGroup,
    pub colour: Option<[f64; 4]>,
    pub texture: Option<ShapeTexture>,
}

/// Read a shape.
pub(super) fn read(
    fields: &mut Fields,
    bodies: &Names,
    textures: &Names,
    files: &mut Files,
) -> Result<Described, ImportError> {
    let default = CollisionGroup::default();
    let body = bodies.get(fields, "body")?;
    Ok(Described {
        name: fields.text("name")?.map(str::to_owned),
        body,
        spot: Spot::read(fields)?,
        geometry: geometry::read(fields, files)?,
        material: material::read(fields)?,
        group: CollisionGroup {
            member: bits(fields, "groups", default.member)?,
            mask: bits(fields, "touches", default.mask)?,
        },
        colour: colour(fields)?,
        texture: texture::on_shape(fields, textures)?,
    })
}

/// Red, green, blue and opacity.
fn colour(fields: &mut Fields) -> Result<Option<[f64; 4]>, ImportError> {
    let colour: Option<[f64; 4]> = fields.array("colour")?;
    if let Some(c) = colour.filter(|c| c.iter().any(|x| !(0.0..=1.0).contains(x))) {
        let what = format!("'colour' is {c:?}");
        let remedy = "give red, green, blue and opacity, each from 0 to 1";
        return Err(fields.fail_at("colour", Fault::BadValue, what, remedy));
    }
    Ok(colour)
}

fn bits(fields: &mut Fields, key: &'static str, default: u32) -> Result<u32, ImportError> {
    let value = fields.count(key)?.unwrap_or(default as usize);
    u32::try_from(value).map_err(|_| {
        let what = format!("'{key}' is {value}");
        fields.fail_at(key, Fault::BadValue, what, "it has 32 bits, one a group")
    })
}

impl Described {
    /// The shape number `index`, on a body whose centre of mass is known by now.
    pub fn placed(self, index: usize, bodies: &[Body]) -> Shape {
        let body = self.body.map(|b| &bodies[b]);
        let owner = body.map_or("world", |b| &b.name);
        Shape {
            name: self.name.unwrap_or_else(|| format!("{owner}/shape{index}")),
            body: self.body.map(|b| BodyId(b as u32)),
            local: self.spot.local(body.map_or(&Vec3::zeros(), |b| &b.com)),
            geometry: self.geometry,
            material: self.material,
            group: self.group,
            colour: self.colour,
            texture: self.texture,
        }
    }
}

/// Write a shape.
pub(super) fn write(shape: &Shape, model: &Model) -> Entries {
    let bodies = model.bodies();
    let mut entries = Entries::default();
    entries.put("name", shape.name.as_str());
    let body = shape.body.map(|b| &bodies[b.index()]);
    entries.put_some("body", body.map(|b| b.name.as_str()));
    geometry::write(&mut entries, &shape.geometry);
    pose::write(&mut entries, &shape.local, body.map(|b| &b.com));
    material::write(&mut entries, &shape.material);
    let default = CollisionGroup::default();
    entries.put_unless("groups", shape.group.member, default.member);
    entries.put_unless("touches", shape.group.mask, default.mask);
    entries.put_some("colour", shape.colour);
    if let Some(texture) = &shape.texture {
        texture::write_on_shape(&mut entries, texture, model);
    }
    entries
}
