//! `density`, `viscosity` and `wind` of the option: every body has the drag of its inertia box.

use super::inertia::principal;
use super::scene::Scene;
use crate::ImportError;
use crate::draft::{DraftFluid, LinkId};
use linkwork::actuators::FluidBox;
use linkwork::math::{Pose, Vec3};

/// Put the bodies into the fluid of the main file.
pub(super) fn read(scene: &mut Scene<'_>) -> Result<(), ImportError> {
    let (mut density, mut viscosity, mut wind) = (0.0, 0.0, Vec3::zeros());
    for option in scene.main().root.all("option") {
        density = option.not_negative("density")?.unwrap_or(density);
        viscosity = option.not_negative("viscosity")?.unwrap_or(viscosity);
        wind = option.vec3("wind")?.unwrap_or(wind);
    }
    if density == 0.0 && viscosity == 0.0 {
        return Ok(());
    }
    for (i, link) in scene.draft.links.iter().enumerate() {
        if link.mass.mass > 0.0 {
            let (moments, turn) = principal(&link.mass.inertia);
            scene.draft.fluid.push(DraftFluid {
                link: LinkId(i),
                pose: Pose::new(link.mass.com, turn),
                size: FluidBox::sides(link.mass.mass, &moments),
                density,
                viscosity,
                wind,
            });
        }
    }
    Ok(())
}
