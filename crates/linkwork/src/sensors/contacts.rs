//! Contact sensors: selection and values of contacts.

use super::last_step::{LastStep, Touch};
use super::volume::contains;
use crate::State;
use crate::collision::DetectSettings;
use crate::math::Vec3;
use crate::model::{FrameId, Geometry, Model, ShapeId};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Gap, m, up to which rigid shapes count as touching: steps close contacts to about 1e-11 m.
const TOUCHING: f64 = 1e-9;

/// Selection of contacts, their reduction to a number of slots, and the values of each. All directions are from the
/// first object to the second, and forces act on the second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactQuery {
    /// Shapes of the first object; any shape if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Vec<ShapeId>>,
    /// Shapes of the second object; any shape if not given. If the objects do not determine the order, the first is the
    /// one with the simpler shape (half space, height field, sphere, capsule, ellipsoid, cylinder, box, hull or mesh),
    /// or with the lower index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<Vec<ShapeId>>,
    /// A volume, at a frame, in which contact points must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<(FrameId, Geometry)>,
    /// How contacts are chosen.
    pub reduce: Reduce,
    /// Values of each contact, in the order of [`ContactField`].
    pub fields: Vec<ContactField>,
    /// Number of slots (at least 1); slots without a contact are 0.
    pub slots: usize,
}

/// How contacts are chosen for the slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reduce {
    /// The first ones, in the order of their shapes.
    #[default]
    None,
    /// The smallest distances first.
    Nearest,
    /// The greatest forces first.
    Strongest,
    /// One slot with the sum of all forces and torques, in the world, at the mean of the points weighted by force.
    Sum,
}

/// Values of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactField {
    /// Number of selected contacts, including those without a slot.
    Found,
    /// Force, N, along normal, tangent and their cross product.
    Force,
    /// Torque about the point, N m, along the same axes.
    Torque,
    /// Distance of the surfaces, m, negative where they overlap.
    Distance,
    /// The point, world, m.
    Point,
    /// Unit normal, world.
    Normal,
    /// First tangent, world.
    Tangent,
}

impl ContactField {
    /// All of them, in order.
    pub const ALL: [Self; 7] = [
        Self::Found,
        Self::Force,
        Self::Torque,
        Self::Distance,
        Self::Point,
        Self::Normal,
        Self::Tangent,
    ];

    /// Its name in files and columns.
    pub fn name(self) -> &'static str {
        [
            "found", "force", "torque", "distance", "point", "normal", "tangent",
        ][self as usize]
    }

    fn unit(self) -> &'static str {
        ["1", "N", "N m", "m", "m", "1", "1"][self as usize]
    }
}

impl ContactQuery {
    /// Whether forces are requested, which are only available after a step.
    pub fn needs_step(&self) -> bool {
        let forces = [ContactField::Force, ContactField::Torque];
        matches!(self.reduce, Reduce::Strongest | Reduce::Sum)
            || forces.iter().any(|f| self.fields.contains(f))
    }

    /// Names and units of the values.
    pub(super) fn components(&self) -> Vec<(Cow<'static, str>, &'static str)> {
        let mut all = Vec::new();
        for slot in 1..=self.slots {
            let slot = if self.slots == 1 {
                String::new()
            } else {
                format!("{slot}.")
            };
            for field in &self.fields {
                let axes: &[&str] = match field {
                    ContactField::Found | ContactField::Distance => &[""],
                    ContactField::Force | ContactField::Torque if self.reduce != Reduce::Sum => {
                        &[".n", ".t1", ".t2"]
                    }
                    _ => &[".x", ".y", ".z"],
                };
                let name = |axis: &&str| Cow::from(format!("{slot}{}{axis}", field.name()));
                all.extend(axes.iter().map(|axis| (name(axis), field.unit())));
            }
        }
        all
    }

    /// A contact with its shapes in the requested order; `None` if it is not selected.
    fn ordered(&self, touch: &Touch, model: &Model) -> Option<Told> {
        let is = |of: &Option<Vec<ShapeId>>, shape: ShapeId| {
            of.as_ref().is_none_or(|shapes| shapes.contains(&shape))
        };
        let rank = |s: ShapeId| (simplicity(&model.shapes()[s.index()].geometry), s);
        let [a, b] = touch.shapes;
        let touch = if rank(b) < rank(a) {
            touch.turned()
        } else {
            *touch
        };
        let [a, b] = touch.shapes;
        if is(&self.first, a) && is(&self.second, b) {
            Some(Told::new(touch, false))
        } else if is(&self.first, b) && is(&self.second, a) {
            Some(Told::new(touch, true))
        } else {
            None
        }
    }

    fn values(
        &self,
        model: &Model,
        place: impl Fn(FrameId) -> crate::math::Pose,
        touches: &[Touch],
    ) -> Vec<f64> {
        let inside = |t: &&Touch| match &self.volume {
            Some((frame, volume)) => {
                contains(volume, &place(*frame).inverse_transform_point(&t.point))
            }
            None => true,
        };
        let counted = touches.iter().filter(inside);
        let mut found: Vec<Told> = counted.filter_map(|t| self.ordered(t, model)).collect();
        let count = found.len() as f64;
        match self.reduce {
            Reduce::None => {}
            Reduce::Nearest => found.sort_by(|a, b| a.touch.distance.total_cmp(&b.touch.distance)),
            Reduce::Strongest => {
                found.sort_by(|a, b| b.touch.force.norm().total_cmp(&a.touch.force.norm()))
            }
            Reduce::Sum => found = net(&found).into_iter().collect(),
        }
        let mut values = Vec::new();
        for slot in 0..self.slots {
            for field in &self.fields {
                let one = |v: f64| vec![v];
                let three = |v: Vec3| vec![v.x, v.y, v.z];
                values.extend(match (found.get(slot), field) {
                    (None, ContactField::Found | ContactField::Distance) => one(0.0),
                    (None, _) => vec![0.0; 3],
                    (Some(_), ContactField::Found) => one(count),
                    (Some(t), ContactField::Distance) => one(t.touch.distance),
                    (Some(t), ContactField::Point) => three(t.touch.point),
                    (Some(t), ContactField::Normal) => three(t.touch.normal),
                    (Some(t), ContactField::Tangent) => three(t.tangent),
                    (Some(t), ContactField::Force) => three(t.along(&t.touch.force)),
                    (Some(t), ContactField::Torque) => three(t.along(&t.touch.moment)),
                });
            }
        }
        values
    }
}

/// A contact with its reported values.
struct Told {
    touch: Touch,
    tangent: Vec3,
}

impl Told {
    /// The first tangent is the world's y axis minus its component along the normal (z where the normal is near y), and
    /// the opposite if the shapes are swapped.
    fn new(touch: Touch, change_places: bool) -> Self {
        let n = touch.normal;
        let axis = if n.y.abs() < 0.5 {
            Vec3::y()
        } else {
            Vec3::z()
        };
        let tangent = (axis - n * n.dot(&axis)).normalize();
        let (touch, tangent) = if change_places {
            (touch.turned(), -tangent)
        } else {
            (touch, tangent)
        };
        Self { touch, tangent }
    }

    /// Components along normal, tangent and their cross product.
    fn along(&self, v: &Vec3) -> Vec3 {
        let (n, t) = (&self.touch.normal, &self.tangent);
        Vec3::new(v.dot(n), v.dot(t), v.dot(&n.cross(t)))
    }
}

/// The sum of all contacts; its axes are those of the world.
fn net(told: &[Told]) -> Option<Told> {
    let first = told.first()?.touch;
    let touches = || told.iter().map(|t| &t.touch);
    let weight: f64 = touches().map(|t| t.force.norm()).sum();
    let weighted: Vec3 = touches().map(|t| t.force.norm() * t.point).sum();
    let point = if weight > 0.0 {
        weighted / weight
    } else {
        first.point
    };
    let moment = |t: &Touch| t.moment + (t.point - point).cross(&t.force);
    let touch = Touch {
        shapes: first.shapes,
        point,
        normal: Vec3::x(),
        distance: 0.0,
        force: touches().map(|t| t.force).sum(),
        moment: touches().map(moment).sum(),
    };
    Some(Told {
        touch,
        tangent: Vec3::y(),
    })
}

/// Of two shapes, the one with the lower index is first.
fn simplicity(geometry: &Geometry) -> u8 {
    match geometry {
        Geometry::HalfSpace => 0,
        Geometry::HeightField { .. } => 1,
        Geometry::Sphere { .. } => 2,
        Geometry::Capsule { .. } => 3,
        Geometry::Ellipsoid { .. } => 4,
        Geometry::Cylinder { .. } | Geometry::Cone { .. } => 5,
        Geometry::Box { .. } => 6,
        Geometry::ConvexHull { .. } | Geometry::TriangleMesh { .. } => 7,
    }
}

impl Model {
    /// Values of a contact sensor for a state, without forces.
    pub(super) fn contacts_at(&self, query: &ContactQuery, state: &State) -> Vec<f64> {
        let mut world = self.collision().clone();
        let settings = DetectSettings {
            margin: TOUCHING,
            dt: 0.0,
        };
        let mut contacts = Vec::new();
        world.detect(&state.poses, &state.twists, &settings, None, &mut contacts);
        let touch = |c: &crate::collision::ContactPoint| Touch {
            shapes: [c.key.shape_a, c.key.shape_b],
            point: c.point,
            normal: c.normal,
            distance: c.gap + world.clearance(c.key.shape_a, c.key.shape_b),
            force: Vec3::zeros(),
            moment: Vec3::zeros(),
        };
        let touches: Vec<Touch> = contacts.iter().map(touch).collect();
        query.values(self, |f| self.frame(f).pose(state), &touches)
    }

    /// Values of a contact sensor for the last step. Contacts that a step only considers in advance are included if
    /// they carried a force.
    pub(super) fn contacts_of(&self, query: &ContactQuery, last: &LastStep) -> Vec<f64> {
        let clearance = |t: &Touch| self.collision().clearance(t.shapes[0], t.shapes[1]);
        let touching =
            |t: &&Touch| t.distance - clearance(t) <= TOUCHING || t.force != Vec3::zeros();
        let touches: Vec<Touch> = last.contacts.iter().filter(touching).copied().collect();
        let place = |f| self.frame(f).placed(|b| last.motions[b.index()].pose);
        query.values(self, place, &touches)
    }
}
