//! Mass of bodies: given, from shapes, and the operations of the compiler section.

use super::compiler::Compiler;
use super::geom::Made;
use super::tree::Part;
use crate::draft::{Draft, combined};
use crate::{Fault, ImportError, Place};
use linkwork::math::{MassProperties, Mat3, Pose, Quat, Vec3};
use nalgebra::Rotation3;

/// `<inertial>`, in the body's frame.
pub(super) fn explicit(
    compiler: &Compiler,
    part: &Part<'_>,
) -> Result<MassProperties, ImportError> {
    let e = part.element;
    e.require("pos")?;
    let mass = e.need_number("mass")?;
    e.not_negative("mass")?;
    let pose = part.at.pose.compose(&compiler.pose(e)?);
    let inertia = match (e.vec3("diaginertia")?, e.fixed::<6>("fullinertia")?) {
        (Some(_), Some(_)) => {
            let what = "diaginertia and fullinertia are both given";
            return Err(e.error(Fault::BadValue, what, "remove one of them"));
        }
        (Some(moments), None) => Mat3::from_diagonal(&moments),
        (None, Some([xx, yy, zz, xy, xz, yz])) => Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
        (None, None) => Mat3::zeros(),
    };
    let made = MassProperties {
        mass,
        com: pose.position,
        inertia,
    };
    Ok(made.rotated(&pose.rotation))
}

/// The sum of a body's shapes in the compiler's groups.
pub(super) fn from_shapes<'m>(
    compiler: &Compiler,
    shapes: impl Iterator<Item = &'m Made>,
) -> MassProperties {
    let [least, most] = compiler.groups;
    let parts: Vec<_> = shapes
        .filter(|s| (least..=most).contains(&s.group) && s.mass.mass > 0.0)
        .map(|s| s.mass)
        .collect();
    match parts.as_slice() {
        [one] => *one,
        _ => combined(&parts),
    }
}

/// With the compiler's minimum mass and moments, and impossible moments balanced if it requires that.
pub(super) fn bounded(
    compiler: &Compiler,
    mut mass: MassProperties,
    place: &Place,
) -> Result<MassProperties, ImportError> {
    mass.mass = mass.mass.max(compiler.least_mass);
    let (moments, turn) = principal(&mass.inertia);
    if moments.min() < 0.0 {
        let what = format!("a principal moment is {:e} kg m²", moments.min());
        let remedy = "correct the inertia: all three must be positive";
        return Err(ImportError::new(place, Fault::BadValue, what, remedy));
    }
    let mut bounded = moments.map(|m| m.max(compiler.least_inertia));
    let most = bounded.max();
    if compiler.balance && bounded.sum() < 2.0 * most {
        bounded = Vec3::repeat(bounded.sum() / 3.0);
    }
    if bounded != moments {
        let r = turn.to_rotation_matrix();
        mass.inertia = r * Mat3::from_diagonal(&bounded) * r.transpose();
    }
    Ok(mass)
}

/// Principal moments, the largest first as in MuJoCo, and the rotation to their axes.
pub(super) fn principal(inertia: &Mat3) -> (Vec3, Quat) {
    let eigen = (0.5 * (inertia + inertia.transpose())).symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let column = |i: usize| eigen.eigenvectors.column(order[i]).into_owned();
    let (x, y) = (column(0), column(1));
    let axes = Mat3::from_columns(&[x, y, x.cross(&y)]);
    let turn = Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    (Vec3::from_fn(|i, _| eigen.eigenvalues[order[i]]), turn)
}

/// The frame at the centre of mass along the principal axes.
pub(super) fn principal_frame(mass: &MassProperties) -> Pose {
    Pose::new(mass.com, principal(&mass.inertia).1)
}

/// Scale all masses so that they add up to the compiler's total.
pub(super) fn scale_total(draft: &mut Draft, total: f64) {
    let sum: f64 = draft.links.iter().map(|l| l.mass.mass).sum();
    if sum > 0.0 {
        for link in &mut draft.links {
            link.mass.mass *= total / sum;
            link.mass.inertia *= total / sum;
        }
    }
}
