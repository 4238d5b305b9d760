//! Mechanisms put together in Python.

mod shapes;

use crate::arrays::{any_shape, quaternion, vector};
use crate::errors::{guard, model as invalid, value};
use crate::model::{Key, Origin, PyModel};
use linkwork::Settings;
use linkwork::actuators::{Actuator, Transmission};
use linkwork::joints::{self, Distance, JointType, Screw};
use linkwork::math::{MassProperties, Mat3, Pose, Quat, Vec3};
use linkwork::model::{BodyDef, BodyId, Coupling, Drive, JointDef, JointId, Limits, ModelBuilder};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Mass, centre of mass and inertia of a body. Lengths in m, masses in kg.
#[pyclass(frozen, name = "MassProperties", module = "linkwork")]
pub struct PyMass {
    mass: MassProperties,
}

#[pymethods]
impl PyMass {
    /// MassProperties(mass, inertia, com=(0, 0, 0)): mass in kg; inertia about the centre of mass in kg m², three
    /// principal moments or a symmetric 3x3 matrix along the body axes; centre of mass in the body frame, m.
    #[new]
    #[pyo3(signature = (mass, inertia, com=None))]
    fn new(
        mass: f64,
        inertia: &Bound<'_, PyAny>,
        com: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (numbers, shape) = any_shape(inertia, "inertia")?;
        let inertia = match shape.as_slice() {
            [3] => Mat3::from_diagonal(&Vec3::from_column_slice(&numbers)),
            [3, 3] => Mat3::from_row_slice(&numbers),
            _ => {
                return Err(value(format!(
                    "inertia has shape {shape:?}; it must have [3] or [3, 3]"
                )));
            }
        };
        let com = com.map_or(Ok(Vec3::zeros()), |c| vector(c, "com"))?;
        Ok(Self {
            mass: MassProperties { mass, com, inertia },
        })
    }

    /// solid_box(mass, half_extents): a homogeneous box with half edge lengths in m.
    #[staticmethod]
    fn solid_box(mass: f64, half_extents: &Bound<'_, PyAny>) -> PyResult<Self> {
        let half = vector(half_extents, "half_extents")?;
        Ok(Self {
            mass: MassProperties::solid_box(mass, half),
        })
    }

    /// solid_sphere(mass, radius): a homogeneous ball.
    #[staticmethod]
    fn solid_sphere(mass: f64, radius: f64) -> Self {
        Self {
            mass: MassProperties::solid_sphere(mass, radius),
        }
    }

    /// solid_cylinder(mass, radius, half_length): a homogeneous cylinder along z.
    #[staticmethod]
    fn solid_cylinder(mass: f64, radius: f64, half_length: f64) -> Self {
        Self {
            mass: MassProperties::solid_cylinder(mass, radius, half_length),
        }
    }

    /// solid_capsule(mass, radius, half_length): a homogeneous capsule along z.
    #[staticmethod]
    fn solid_capsule(mass: f64, radius: f64, half_length: f64) -> Self {
        Self {
            mass: MassProperties::solid_capsule(mass, radius, half_length),
        }
    }

    #[expect(clippy::type_complexity, reason = "arguments of the constructor")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyAny>, (f64, [[f64; 3]; 3], [f64; 3])) {
        let m = &self.mass;
        let row = |i| std::array::from_fn(|j| m.inertia[(i, j)]);
        let given = (m.mass, std::array::from_fn(row), m.com.into());
        (py.get_type::<Self>().into_any(), given)
    }

    fn __repr__(&self) -> String {
        let m = &self.mass;
        let i = m.inertia.diagonal();
        format!(
            "MassProperties({} kg, inertia diagonal ({:.4e}, {:.4e}, {:.4e}) kg m²)",
            m.mass, i.x, i.y, i.z
        )
    }
}

#[derive(Default)]
struct Parts {
    builder: ModelBuilder,
    bodies: Vec<String>,
    joints: Vec<(String, usize)>,
    motors: Vec<String>,
}

/// ModelBuilder(gravity=(0, 0, -9.81)): collects bodies, joints, couplings and shapes; build() checks them.
///
/// Bodies and joints are referred to by name or by the index that was returned. Units are SI and radians; positions
/// and axes are in the world frame at the initial poses; quaternions are (w, x, y, z).
#[pyclass(frozen, name = "ModelBuilder", module = "linkwork")]
pub struct PyBuilder {
    parts: Mutex<Parts>,
}

impl PyBuilder {
    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Parts {
    fn body(&self, key: &Key) -> PyResult<BodyId> {
        let names: Vec<&str> = self.bodies.iter().map(String::as_str).collect();
        Ok(BodyId(key.find("body", &names)? as u32))
    }

    fn joint(&self, key: &Key) -> PyResult<JointId> {
        let names: Vec<&str> = self.joints.iter().map(|j| j.0.as_str()).collect();
        Ok(JointId(key.find("joint", &names)? as u32))
    }
}

fn pose(
    position: Option<&Bound<'_, PyAny>>,
    orientation: Option<&Bound<'_, PyAny>>,
) -> PyResult<Pose> {
    Ok(Pose::new(
        position.map_or(Ok(Vec3::zeros()), |p| vector(p, "position"))?,
        orientation.map_or(Ok(Quat::identity()), |q| quaternion(q, "orientation"))?,
    ))
}

fn joint_type(name: &str, parameter: Option<f64>) -> PyResult<Arc<dyn JointType>> {
    let needs = |what: &str| value(format!("a {name} joint needs parameter=, its {what}"));
    match (name, parameter) {
        ("screw", Some(pitch)) => Ok(Arc::new(Screw { pitch })),
        ("screw", None) => Err(needs("pitch in m per turn")),
        ("distance", Some(length)) => Ok(Arc::new(Distance { length })),
        ("distance", None) => Err(needs("length in m")),
        (_, Some(_)) => Err(value(format!("a {name} joint takes no parameter"))),
        (_, None) => joints::by_name(name).ok_or_else(|| {
            let names: Vec<&str> = joints::all()
                .iter()
                .map(|j| j.name())
                .filter(|n| *n != "chain")
                .collect();
            value(format!(
                "there is no joint type '{name}'; choose one of: {}",
                names.join(", ")
            ))
        }),
    }
}

#[pymethods]
impl PyBuilder {
    #[new]
    #[pyo3(signature = (gravity=None))]
    fn new(gravity: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut parts = Parts::default();
        if let Some(gravity) = gravity {
            parts.builder.gravity(vector(gravity, "gravity")?);
        }
        Ok(Self {
            parts: Mutex::new(parts),
        })
    }

    /// add_body(name, mass, position=(0, 0, 0), orientation=(1, 0, 0, 0), velocity=…, angular_velocity=…,
    /// gravity_scale=1): a body with MassProperties `mass`, its frame placed in the world. Returns its index.
    #[pyo3(signature = (name, mass, position=None, orientation=None, velocity=None, angular_velocity=None, gravity_scale=1.0))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn add_body(
        &self,
        name: String,
        mass: &PyMass,
        position: Option<&Bound<'_, PyAny>>,
        orientation: Option<&Bound<'_, PyAny>>,
        velocity: Option<&Bound<'_, PyAny>>,
        angular_velocity: Option<&Bound<'_, PyAny>>,
        gravity_scale: f64,
    ) -> PyResult<usize> {
        let zero = Vec3::zeros();
        let linear = velocity.map_or(Ok(zero), |v| vector(v, "velocity"))?;
        let angular = angular_velocity.map_or(Ok(zero), |v| vector(v, "angular_velocity"))?;
        let body = BodyDef::new(&name, mass.mass)
            .pose(pose(position, orientation)?)
            .twist(linear, angular)
            .gravity_scale(gravity_scale);
        let mut parts = self.parts();
        parts.bodies.push(name);
        Ok(parts.builder.add_body(body).index())
    }

    /// add_joint(type, name, base, follower, anchor=(0, 0, 0), axis=(0, 0, 1), limits=None, drive=None,
    /// effort_limit=None, spring=None, damping=0, friction=0, armature=0, turn_limit=None, collide=False,
    /// parameter=None)
    ///
    /// A joint of a type ("revolute", "prismatic", "spherical", "fixed", …) between two bodies; base None is the world.
    /// anchor (m) and axis (made a unit vector) are in the world with the bodies at their initial poses. limits (min,
    /// max), drive (stiffness, damping) with effort_limit, spring (stiffness, rest, damping), damping, dry friction and
    /// armature act on the first coordinate, m or rad. turn_limit (rad) bounds the whole angle of a spherical joint. A
    /// free joint to the world with drive=(inf, 0) makes the body one that is moved from outside. Returns its index.
    #[pyo3(signature = (r#type, name, base, follower, *, anchor=None, axis=None, limits=None, drive=None, effort_limit=None, spring=None, damping=None, friction=None, armature=None, turn_limit=None, collide=false, parameter=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn add_joint(
        &self,
        r#type: &str,
        name: String,
        base: Option<Key>,
        follower: Key,
        anchor: Option<&Bound<'_, PyAny>>,
        axis: Option<&Bound<'_, PyAny>>,
        limits: Option<[f64; 2]>,
        drive: Option<[f64; 2]>,
        effort_limit: Option<f64>,
        spring: Option<[f64; 3]>,
        damping: Option<f64>,
        friction: Option<f64>,
        armature: Option<f64>,
        turn_limit: Option<f64>,
        collide: bool,
        parameter: Option<f64>,
    ) -> PyResult<usize> {
        let kind = joint_type(r#type, parameter)?;
        let coordinates = kind.coordinates().len();
        let mut parts = self.parts();
        let base = base.map(|b| parts.body(&b)).transpose()?;
        let follower = parts.body(&follower)?;
        let mut joint = JointDef::of(&name, kind, base, follower);
        if let Some(anchor) = anchor {
            let p = vector(anchor, "anchor")?;
            joint = joint.anchor(p.x, p.y, p.z);
        }
        if let Some(axis) = axis {
            let a = vector(axis, "axis")?;
            if a.norm() < 1e-9 {
                return Err(value(format!(
                    "axis of joint '{name}' is zero; give a direction"
                )));
            }
            let a = a.normalize();
            joint = joint.axis(a.x, a.y, a.z);
        }
        if let Some([min, max]) = limits {
            joint = joint.limits_of(0, Limits::new(min, max));
        }
        if let Some(max) = turn_limit {
            joint = joint.turn_limit(max);
        }
        match (drive, effort_limit) {
            (Some([f64::INFINITY, _]), None) => joint = joint.moved(),
            (Some([stiffness, damping]), effort_limit) => {
                let drive = Drive {
                    stiffness,
                    damping,
                    effort_limit,
                };
                joint = joint.drive_of(0, drive);
            }
            (None, Some(_)) => {
                return Err(value(format!(
                    "joint '{name}' has an effort_limit and no drive; give drive=(stiffness, damping)"
                )));
            }
            (None, None) => {}
        }
        if let Some([stiffness, rest, damping]) = spring {
            joint = joint.spring(stiffness, rest, damping);
        }
        if let Some(damping) = damping {
            joint = joint.damping(damping);
        }
        if let Some(friction) = friction {
            joint = joint.friction(friction);
        }
        if let Some(armature) = armature {
            joint = joint.armature(armature);
        }
        if collide {
            joint = joint.collide();
        }
        parts.joints.push((name, coordinates));
        Ok(parts.builder.add_joint(joint).index())
    }

    /// add_motor(joint, name=None, limit=None, coordinate=0): an actuator whose control is the force or torque on a
    /// joint coordinate, N or N m, at most `limit`. Returns the index of its control.
    #[pyo3(signature = (joint, name=None, limit=None, coordinate=0))]
    fn add_motor(
        &self,
        joint: Key,
        name: Option<String>,
        limit: Option<f64>,
        coordinate: usize,
    ) -> PyResult<usize> {
        let mut parts = self.parts();
        let id = parts.joint(&joint)?;
        let (joint_name, n) = parts.joints[id.index()].clone();
        if coordinate >= n {
            return Err(value(format!(
                "joint '{joint_name}' has {n} coordinates; there is no {coordinate}"
            )));
        }
        if let Some(limit) = limit
            && !(limit > 0.0 && limit.is_finite())
        {
            return Err(value(format!(
                "limit is {limit}; it must be positive and finite"
            )));
        }
        let name = name.unwrap_or(joint_name);
        if parts.motors.contains(&name) {
            return Err(value(format!(
                "there is a motor '{name}' already; give another name"
            )));
        }
        let transmission = Transmission::Coordinate {
            joint: id,
            coordinate,
            gear: 1.0,
        };
        let id = parts.builder.add_actuator(Actuator {
            control_range: limit.map(|l| [-l, l]),
            ..Actuator::on(&name, transmission)
        });
        parts.motors.push(name);
        Ok(id.index())
    }

    /// add_coupling(name, terms, offset=0): Σ factor · q = offset over joints with one coordinate (or the first), with
    /// terms {joint: factor}.
    #[pyo3(signature = (name, terms, offset=0.0))]
    fn add_coupling(&self, name: String, terms: &Bound<'_, PyDict>, offset: f64) -> PyResult<()> {
        let mut parts = self.parts();
        let mut list = Vec::new();
        for (joint, factor) in terms {
            let joint: Key = joint.extract()?;
            list.push((parts.joint(&joint)?, 0, factor.extract::<f64>()?));
        }
        parts
            .builder
            .add_coupling(Coupling::new(name, &list, offset));
        Ok(())
    }

    /// exclude(a, b): never let two bodies collide.
    fn exclude(&self, a: Key, b: Key) -> PyResult<()> {
        let mut parts = self.parts();
        let (a, b) = (parts.body(&a)?, parts.body(&b)?);
        parts.builder.exclude(a, b);
        Ok(())
    }

    /// build(name="model"): check everything and make the Model. The builder can go on.
    #[pyo3(signature = (name="model"))]
    fn build(&self, name: &str) -> PyResult<PyModel> {
        guard(|| {
            let parts = self.parts();
            let mut builder = parts.builder.clone();
            builder.name(name);
            let model = builder.build().map_err(invalid)?;
            PyModel::new(&model, Settings::default(), Origin::Built, &[], Vec::new())
        })
    }

    fn __repr__(&self) -> String {
        let parts = self.parts();
        format!(
            "ModelBuilder({} bodies, {} joints)",
            parts.bodies.len(),
            parts.joints.len()
        )
    }
}
