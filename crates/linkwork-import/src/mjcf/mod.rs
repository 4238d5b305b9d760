//! MJCF, the format of MuJoCo.
//!
//! | file | contents |
//! |---|---|
//! | `schema` | every element and attribute, and which have no effect |
//! | `include`, `document` | files: includes, attached models |
//! | `compiler`, `defaults`, `orientation`, `range` | interpretation of numbers, classes, poses, limits |
//! | `names`, `scene` | names of elements; everything read so far |
//! | `tree`, `body`, `inertia` | frames, copies, attached models; a body and its mass |
//! | `joint`, `series`, `spring_damper` | joints of a body; their combination to one joint of the draft; springs from inertia |
//! | `site` | the volume of a site |
//! | `geom`, `solid`, `mesh`, `hfield`, `surface` | shapes |
//! | `impedance`, `softness` | softness of contacts, equalities and limits |
//! | `fluid` | the surrounding fluid |
//! | `tendon`, `path`, `contact`, `equality` | elements between bodies |
//! | `joint_space` | inertia in the home pose, on which some springs, servos and softness depend |
//! | `actuator`, `sensor`, `keyframe` | actuators, sensors and states |
//!
//! Differences from MuJoCo are listed in `docs/import/mjcf.md`.

mod actuator;
mod body;
mod camera;
mod compiler;
mod contact;
mod contact_sensor;
mod defaults;
mod document;
mod equality;
mod fluid;
mod geom;
mod hfield;
mod impedance;
mod include;
mod inertia;
mod joint;
mod joint_space;
mod keyframe;
mod measure;
mod mesh;
mod mocap;
mod names;
mod orientation;
mod path;
mod range;
mod scene;
mod schema;
mod sensor;
mod series;
mod site;
mod softness;
mod solid;
mod spring_damper;
mod surface;
mod tendon;
mod texture;
mod tree;

use crate::robot::jam;
use crate::{Assets, ImportError, Imported, Notices, Options};
use std::path::Path;

/// Maximum number of elements of a model after including, copying and attaching.
const MAX_ELEMENTS: usize = 400_000;

/// Read an MJCF file.
pub(crate) fn read(
    file: &Path,
    bytes: &[u8],
    assets: &Assets,
    options: &Options,
) -> Result<Imported, ImportError> {
    let mut notices = Notices::default();
    let documents = document::load(file, bytes, assets, options, &mut notices)?;
    let mut scene = scene::Scene::new(&documents, assets, options, notices);
    assets.expect_meshes(mesh::files(&documents));
    tree::walk(&mut scene)?;
    if let Some(total) = scene.main().compiler.total_mass {
        inertia::scale_total(&mut scene.draft, total);
    }
    fluid::read(&mut scene)?;
    tendon::read(&mut scene)?;
    contact::read(&mut scene)?;
    equality::read(&mut scene)?;
    let actuators = actuator::transmissions(&mut scene)?;
    let needed = options.soft
        || scene.joints.iter().any(|j| j.spring_damper.is_some())
        || actuators.iter().any(actuator::Geared::needs_inertia);
    let mut home = needed
        .then(|| joint_space::JointSpace::new(&scene))
        .flatten();
    spring_damper::apply(&mut scene, home.as_ref());
    softness::settle(&mut scene, home.as_mut());
    actuator::forces(&mut scene, actuators, home.as_ref())?;
    camera::carry(&mut scene)?;
    sensor::read(&mut scene)?;
    keyframe::read(&mut scene)?;
    let joints = scene.joints.len();
    let mut made = jam::build(scene.draft)?;
    // Several joints of a body are one of the draft.
    made.counts.joints = joints;
    Ok(made)
}
