//! What is known of the model while its sections are read.

use super::document::Document;
use super::mesh::MeshAsset;
use super::names::{Names, Scope, references};
use super::softness::Softened;
use super::{MAX_ELEMENTS, hfield::HeightAsset};
use crate::draft::{Draft, DraftFrame, LinkId};
use crate::xml::{Attribute, Element};
use crate::{Assets, Fault, ImportError, Notices, Options};
use linkwork::math::Pose;
use linkwork::model::{ActuatorId, FrameId, Geometry, JointId, Lens, WrapForm};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a joint of the file has become.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum JointKind {
    /// A floating link.
    Free(LinkId),
    /// The last three coordinates, from this one on, are a rotation vector.
    Ball(JointId, usize),
    /// One coordinate.
    Scalar(JointId, usize),
}

/// The element from which something was made, and for which attachment of its file; identified by the address of the
/// element, because one file may be included several times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Origin {
    pub element: *const Element,
    pub instance: usize,
}

impl Origin {
    pub fn new(element: &Element, scope: &Scope) -> Self {
        Self {
            element,
            instance: scope.instance,
        }
    }
}

/// A joint of the file, in its order.
#[derive(Clone, Debug)]
pub(super) struct JointRecord {
    pub name: String,
    pub origin: Origin,
    pub kind: JointKind,
    /// Coordinate in the home pose, m or rad.
    pub home: f64,
    pub range: Option<[f64; 2]>,
    /// Range of the sum of all actuators' forces, N or N m.
    pub force_range: Option<[f64; 2]>,
    /// Time constant (s) and damping ratio from which its spring and damper follow.
    pub spring_damper: Option<[f64; 2]>,
}

/// A body of the file; number 0 is the world, others are links in the same order.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyRecord {
    pub parent: usize,
    /// Home pose in the world.
    pub pose: Pose,
    /// The body it is rigidly part of.
    pub weld: usize,
}

/// A geom of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct GeomRecord {
    pub body: usize,
    pub pose: Pose,
    /// First and past the last shape it became.
    pub shapes: (usize, usize),
    /// What a tendon can wrap around, and its radius, m.
    pub round: Option<(WrapForm, f64)>,
}

/// A camera of the file.
#[derive(Clone, Debug)]
pub(super) struct CameraRecord {
    pub name: String,
    pub body: usize,
    /// In the frame of its body.
    pub pose: Pose,
    /// Focal lengths and size of its image, pixels.
    pub focal: [f64; 2],
    pub size: [f64; 2],
    pub lens: Lens,
    /// `mode`, by its number, and the body that it may name.
    pub mode: usize,
    pub target: Option<Attribute>,
    pub scope: Scope,
}

/// Everything read so far.
pub(super) struct Scene<'a> {
    pub documents: &'a [Document],
    pub assets: &'a Assets,
    pub options: &'a Options,
    pub draft: Draft,
    pub names: Names,
    /// The scopes in which the names of a file appear; several for a file that is attached or copied.
    pub scopes: Vec<Scope>,
    /// The outermost of them for each attachment; the main file is the first.
    pub instances: Vec<Scope>,
    pub bodies: Vec<BodyRecord>,
    pub joints: Vec<JointRecord>,
    /// Mocap bodies: their joint and link.
    pub mocaps: Vec<(JointId, LinkId)>,
    pub geoms: Vec<GeomRecord>,
    pub cameras: Vec<CameraRecord>,
    pub meshes: BTreeMap<(usize, String), Rc<MeshAsset>>,
    pub hfields: BTreeMap<(usize, String), Rc<HeightAsset>>,
    /// Elements made, copies included.
    pub made: usize,
    /// Tendons by their index in the file: the draft's index and length in the home pose, m or rad.
    pub tendons: Vec<Option<(usize, f64)>>,
    /// Actuators by their number in the file: the draft's number.
    pub actuators: Vec<Option<ActuatorId>>,
    /// Indices of supported controls, in order; `None` if they cannot be determined any more.
    pub controls: Option<Vec<usize>>,
    /// The actuator of each activation, in order, for supported ones; `None` if they cannot be determined any more.
    pub activations: Option<Vec<Option<ActuatorId>>>,
    /// Equalities and limits that are to yield.
    pub softened: Vec<Softened>,
    /// Controls of the file so far.
    pub control_count: usize,
    /// Where each control comes from.
    pub control_origins: Vec<Origin>,
    /// Volumes of the sites, by the index of their frame; those of meshes are not stored.
    pub volumes: BTreeMap<FrameId, Geometry>,
    /// Requested textures, by file and name; `None` for unsupported ones.
    pub textures: BTreeMap<(usize, String), Option<usize>>,
    joint_names: BTreeSet<String>,
    /// Frames of the draft by name.
    frames: BTreeMap<String, FrameId>,
}

impl<'a> Scene<'a> {
    /// Nothing but the world.
    pub fn new(
        documents: &'a [Document],
        assets: &'a Assets,
        options: &'a Options,
        notices: Notices,
    ) -> Self {
        let main = documents.len() - 1;
        let root = &documents[main].root;
        let draft = Draft {
            name: root.get("model").unwrap_or("MuJoCo Model").to_owned(),
            place: root.place.clone(),
            gravity: documents[main].switches.gravity,
            timestep: Some(documents[main].switches.timestep),
            notices,
            ..Draft::default()
        };
        let world = BodyRecord {
            parent: 0,
            pose: Pose::identity(),
            weld: 0,
        };
        let whole = Scope {
            document: main,
            instance: 0,
            prefix: String::new(),
            suffix: Vec::new(),
        };
        Self {
            documents,
            assets,
            options,
            draft,
            names: Names::default(),
            scopes: vec![whole.clone()],
            instances: vec![whole],
            bodies: vec![world],
            joints: Vec::new(),
            mocaps: Vec::new(),
            geoms: Vec::new(),
            cameras: Vec::new(),
            meshes: BTreeMap::new(),
            hfields: BTreeMap::new(),
            made: 0,
            tendons: Vec::new(),
            controls: Some(Vec::new()),
            activations: Some(Vec::new()),
            softened: Vec::new(),
            control_count: 0,
            actuators: Vec::new(),
            control_origins: Vec::new(),
            volumes: BTreeMap::new(),
            textures: BTreeMap::new(),
            joint_names: BTreeSet::new(),
            frames: BTreeMap::new(),
        }
    }

    /// The main file.
    pub fn main(&self) -> &'a Document {
        &self.documents[self.documents.len() - 1]
    }

    /// The link of a body; the world has none.
    pub fn link(&self, body: usize) -> Option<LinkId> {
        body.checked_sub(1).map(LinkId)
    }

    /// Count an element that was made; too many are refused.
    pub fn count(&mut self, element: &Element) -> Result<(), ImportError> {
        self.made += 1;
        if self.made > MAX_ELEMENTS {
            let what = format!("more than {MAX_ELEMENTS} elements after copying and attaching");
            let remedy = "lower the counts of <replicate>";
            return Err(element.error(Fault::TooLarge, what, remedy));
        }
        Ok(())
    }

    /// A name that no joint of the draft has yet.
    pub fn joint_name(&mut self, wish: &str) -> String {
        let mut name = wish.to_owned();
        let mut n = 1;
        while !self.joint_names.insert(name.clone()) {
            n += 1;
            name = format!("{wish}_{n}");
        }
        name
    }

    /// The number of a frame at a pose of a body, made if there is none of this name.
    pub fn frame(&mut self, name: String, body: usize, pose: Pose) -> FrameId {
        if let Some(known) = self.frames.get(&name) {
            return *known;
        }
        let number = FrameId(self.draft.frames.len() as u32);
        let link = self.link(body);
        self.frames.insert(name.clone(), number);
        self.draft.frames.push(DraftFrame { name, link, pose });
        number
    }

    /// The elements of a section of all files, each with its scopes. An element that refers to a copied element is
    /// copied with it. An element of an attached file that refers to an element that was not attached is omitted, as in
    /// MuJoCo.
    pub fn section(
        &mut self,
        name: &'static str,
    ) -> Result<Vec<(&'a Element, Scope)>, ImportError> {
        let mut found = Vec::new();
        for instance in self.instances.clone() {
            let document = &self.documents[instance.document];
            for element in document.section(name) {
                let fitting = self.names.fitting(element, &instance);
                if fitting.is_empty() && instance.instance == 0 {
                    return Err(self.unresolved(element, &instance));
                }
                for scope in fitting {
                    self.count(element)?;
                    found.push((element, scope));
                }
            }
        }
        Ok(found)
    }

    fn unresolved(&self, element: &Element, scope: &Scope) -> ImportError {
        let wanted = references(element);
        let lost = wanted
            .iter()
            .find(|(kind, a)| self.names.find(*kind, &a.value, scope).is_none());
        match lost {
            Some((kind, a)) => self.names.missing(*kind, &a.value, &a.place),
            None => element.error(Fault::Unresolved, "refers to nothing", "correct its names"),
        }
    }
}
