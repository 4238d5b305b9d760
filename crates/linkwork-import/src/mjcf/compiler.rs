//! `<compiler>` and `<option>`: interpretation of the rest of the file.

use crate::xml::Element;
use crate::{Fault, ImportError, Notices};
use linkwork::math::Vec3;

/// Interpretation of a file's numbers, and operations on the whole model.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    /// One of the file's angle units in rad.
    pub angle: f64,
    /// A range makes a limit.
    pub autolimits: bool,
    /// Axes of Euler angles; lower case turn with the frame.
    pub euler: Vec<char>,
    /// Folder of meshes and height fields, relative to the file.
    pub mesh_folder: String,
    /// Folder of textures.
    pub texture_folder: String,
    /// Folders in file names are dropped.
    pub strip_path: bool,
    /// `Some(true)`: always from shapes; `Some(false)`: never; `None`: if no inertial is given.
    pub from_shapes: Option<bool>,
    /// Groups of shapes that have mass.
    pub groups: [i64; 2],
    /// Least mass of a body, kg.
    pub least_mass: f64,
    /// Least principal moment of a body, kg m².
    pub least_inertia: f64,
    /// Impossible moments are replaced by their mean.
    pub balance: bool,
    /// Mass that all bodies are scaled to, kg.
    pub total_mass: Option<f64>,
    /// Shapes without collisions are omitted.
    pub discard_visual: bool,
    /// Primitives are fitted to the box around a mesh, otherwise to its inertia.
    pub fit_box: bool,
    /// Frames of free bodies move to their centre of mass.
    pub align_free: bool,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            angle: 1f64.to_radians(),
            autolimits: true,
            euler: vec!['x', 'y', 'z'],
            mesh_folder: String::new(),
            texture_folder: String::new(),
            strip_path: false,
            from_shapes: None,
            groups: [0, 5],
            least_mass: 0.0,
            least_inertia: 0.0,
            balance: false,
            total_mass: None,
            discard_visual: false,
            fit_box: false,
            align_free: false,
        }
    }
}

impl Compiler {
    /// Later sections override earlier ones.
    pub fn read(root: &Element, notices: &mut Notices) -> Result<Self, ImportError> {
        let mut c = Self::default();
        for e in root.all("compiler") {
            c.apply(e)?;
            if e.flag("fusestatic")? == Some(true) {
                let what = "fusestatic: parts without joints become one body here in any case; \
                            they are still listed as links";
                notices.chose(&e.place, what, "");
            }
        }
        Ok(c)
    }

    fn apply(&mut self, e: &Element) -> Result<(), ImportError> {
        if e.choice("coordinate", &["local", "global"])? == Some(1) {
            let what = "coordinate=\"global\" is no longer part of MJCF";
            let remedy = "save the model with MuJoCo 2.3.3, which writes local coordinates";
            return Err(e.error(Fault::Unsupported, what, remedy));
        }
        match e.choice("angle", &["degree", "radian"])? {
            Some(0) => self.angle = 1f64.to_radians(),
            Some(_) => self.angle = 1.0,
            None => {}
        }
        if let Some(a) = e.attribute("eulerseq") {
            let axes: Vec<char> = a.value.chars().collect();
            if axes.len() != 3 || !axes.iter().all(|c| "xyzXYZ".contains(*c)) {
                return Err(a.bad("is no sequence of axes", "give three of x, y, z, X, Y, Z"));
            }
            self.euler = axes;
        }
        set(&mut self.autolimits, e.flag("autolimits")?);
        set(&mut self.strip_path, e.flag("strippath")?);
        set(&mut self.balance, e.flag("balanceinertia")?);
        set(&mut self.discard_visual, e.flag("discardvisual")?);
        set(&mut self.fit_box, e.flag("fitaabb")?);
        set(&mut self.align_free, e.flag("alignfree")?);
        set(&mut self.least_mass, e.not_negative("boundmass")?);
        set(&mut self.least_inertia, e.not_negative("boundinertia")?);
        if let Some(mass) = e.number("settotalmass")? {
            self.total_mass = Some(mass).filter(|m| *m > 0.0);
        }
        if let Some(range) = e.fixed::<2>("inertiagrouprange")? {
            self.groups = range.map(|g| g as i64);
        }
        for name in ["assetdir", "meshdir"] {
            set(&mut self.mesh_folder, e.get(name).map(str::to_owned));
        }
        for name in ["assetdir", "texturedir"] {
            set(&mut self.texture_folder, e.get(name).map(str::to_owned));
        }
        if let Some(i) = e.choice("inertiafromgeom", &["false", "true", "auto"])? {
            self.from_shapes = [Some(false), Some(true), None][i];
        }
        Ok(())
    }
}

fn set<T>(to: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *to = value;
    }
}

/// Settings of `<option>` that have an effect here.
#[derive(Clone, Debug)]
pub(super) struct Switches {
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// Magnetic field that magnetometers read.
    pub magnetic: Vec3,
    /// Step, s.
    pub timestep: f64,
    /// Shapes touch.
    pub contact: bool,
    /// A body and its parent do not touch.
    pub filter_parent: bool,
    /// Equalities hold.
    pub equality: bool,
    /// Limits hold.
    pub limit: bool,
    /// Dry friction of joints and tendons acts.
    pub friction: bool,
    /// Springs act.
    pub spring: bool,
    /// Dampers act.
    pub damper: bool,
}

impl Switches {
    /// From all `<option>` sections.
    pub fn read(root: &Element) -> Result<Self, ImportError> {
        let mut s = Self {
            gravity: Vec3::new(0.0, 0.0, -9.81),
            magnetic: Vec3::new(0.0, -0.5, 0.0),
            timestep: 0.002,
            contact: true,
            filter_parent: true,
            equality: true,
            limit: true,
            friction: true,
            spring: true,
            damper: true,
        };
        let mut weightless = false;
        for option in root.all("option") {
            set(&mut s.gravity, option.vec3("gravity")?);
            set(&mut s.magnetic, option.vec3("magnetic")?);
            if let (Some(step), Some(a)) =
                (option.number("timestep")?, option.attribute("timestep"))
            {
                if step <= 0.0 {
                    return Err(a.bad("is no step", "give a positive number of seconds"));
                }
                s.timestep = step;
            }
            for flag in option.all("flag") {
                let on = |name| Ok(flag.choice(name, &["disable", "enable"])?.map(|i| i == 1));
                set(&mut s.contact, on("contact")?);
                set(&mut s.filter_parent, on("filterparent")?);
                set(&mut s.equality, on("equality")?);
                set(&mut s.limit, on("limit")?);
                set(&mut s.friction, on("frictionloss")?);
                set(&mut s.spring, on("spring")?);
                set(&mut s.damper, on("damper")?);
                weightless |= on("gravity")? == Some(false);
                if on("constraint")? == Some(false) {
                    (s.contact, s.equality, s.limit, s.friction) = (false, false, false, false);
                }
            }
        }
        if weightless {
            s.gravity = Vec3::zeros();
        }
        Ok(s)
    }
}
