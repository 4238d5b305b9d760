//! `[[shape]]`.

use super::geometry::{self, Files};
use super::names::Known;
use super::pose::{self, Spot};
use super::table::{Done, Table};
use super::{material, texture};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Body, CollisionGroup, Geometry, Material, Shape};

/// A shape, and its place before its body's centre of mass is known.
#[derive(Clone)]
pub(super) struct Described {
    pub shape: Shape,
    pub spot: Spot,
}

impl Described {
    /// A shape before it is read.
    pub fn blank() -> Self {
        Self::of(&Shape {
            name: String::new(),
            body: None,
            local: Pose::identity(),
            geometry: Geometry::HalfSpace,
            material: Material::default(),
            group: CollisionGroup::default(),
            colour: None,
            texture: None,
        })
    }

    pub fn of(shape: &Shape) -> Self {
        Self {
            shape: shape.clone(),
            spot: Spot::Centre(shape.local),
        }
    }

    /// The shape number `index`, on a body whose centre of mass is known by now.
    pub fn placed(self, index: usize, bodies: &[Body]) -> Shape {
        let mut shape = self.shape;
        let body = shape.body.map(|b| &bodies[b.index()]);
        if shape.name.is_empty() {
            shape.name = format!("{}/shape{index}", body.map_or("world", |b| &b.name));
        }
        shape.local = self.spot.local(&body.map_or(Vec3::zeros(), |b| b.com));
        shape
    }
}

/// A shape; `bodies` are those of a model that is written.
pub(super) fn shape(
    t: &mut Table,
    d: &mut Described,
    known: &Known,
    bodies: &[Body],
    files: &mut Option<Files>,
) -> Done {
    let s = &mut d.shape;
    t.or("name", &mut s.name, String::new())?;
    t.name("body", &mut s.body, &known.bodies)?;
    geometry::form(t, &mut s.geometry, files)?;
    if let Table::Read(fields) = t {
        d.spot = Spot::read(fields)?;
    } else {
        let com = s.body.map(|b| bodies[b.index()].com);
        pose::local(t, &mut s.local, &com.unwrap_or_default())?;
    }
    t.part("material", &mut s.material, material::material)?;
    let default = CollisionGroup::default();
    t.or("groups", &mut s.group.member, default.member)?;
    t.or("touches", &mut s.group.mask, default.mask)?;
    t.some("colour", &mut s.colour)?;
    if let Some(c) = s.colour {
        let what = || format!("'colour' is {c:?}");
        let remedy = "give red, green, blue and opacity, each from 0 to 1";
        t.check(
            c.iter().all(|x| (0.0..=1.0).contains(x)),
            "colour",
            what,
            remedy,
        )?;
    }
    texture::on_shape(t, &mut s.texture, known)
}
