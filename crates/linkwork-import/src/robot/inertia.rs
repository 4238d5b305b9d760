//! Mass properties as URDF and SDF give them: a tensor about the centre of mass, in a frame there.

use linkwork::math::{MassProperties, Mat3, Pose, Vec3};

/// The six numbers of an inertia tensor, kg m².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tensor {
    pub xx: f64,
    pub yy: f64,
    pub zz: f64,
    pub xy: f64,
    pub xz: f64,
    pub yz: f64,
}

/// Mass `m` (kg) with its centre at the origin of `frame` (in the link frame) and `tensor` along the
/// frame's axes.
pub(crate) fn mass_properties(m: f64, frame: &Pose, tensor: &Tensor) -> MassProperties {
    let Tensor {
        xx,
        yy,
        zz,
        xy,
        xz,
        yz,
    } = *tensor;
    let mass = MassProperties {
        mass: m,
        com: Vec3::zeros(),
        inertia: Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
    };
    // An unturned frame keeps its numbers to the bit.
    let mass = if frame.rotation == Pose::identity().rotation {
        mass
    } else {
        mass.rotated(&frame.rotation)
    };
    mass.with_com(frame.position)
}
