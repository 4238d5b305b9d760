//! A step in the form sent to the page: the binary frame of docs/protocol.md, little-endian, without gaps.

use crate::scalars::SCALARS;
use linkwork::math::Vec3;
use linkwork::model::{JointId, Model, PairMaterial};
use linkwork::path_lines;
use linkwork::reactions::ContactForce;
use linkwork_record::StepRecord;

/// First word of a frame: "LWF1".
pub const MAGIC: u32 = 0x3146_574c;
/// Offset of the flags in a frame, bytes.
const FLAGS: usize = 28;
const PAUSED: u32 = 1;
const JUMPED: u32 = 2;
const CORDS: u32 = 4;
const SIGNALS: u32 = 8;
const PAST: u32 = 16;
const PULL: u32 = 32;

/// Contact kinds.
const OPEN: f32 = 0.0;
const STICK: f32 = 1.0;
const SLIP: f32 = 2.0;

/// A contact whose normal impulse is at most this share of the largest one counts as unloaded.
const TINY: f64 = 1e-9;
/// A contact whose friction is within this share of the cone's surface counts as slipping.
const CONE_MARGIN: f64 = 1e-3;

/// Properties of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stamp {
    /// Record it shows; live: steps since the start.
    pub index: u32,
    /// Live, and standing still.
    pub paused: bool,
    /// The state did not follow from the previous frame by steps.
    pub jumped: bool,
    /// Live: the force with which a viewer pulls at a body, N, world axes.
    pub pull: Option<Vec3>,
}

/// Encode a step.
pub fn encode(model: &Model, record: &StepRecord, stamp: Stamp) -> Vec<u8> {
    let state = &record.state;
    let (bodies, joints) = (state.poses.len(), model.joints().len());
    let coordinates = state.coordinates.len();
    let contacts = record.contacts.len();
    let mut out = Writer(Vec::with_capacity(
        32 + 8 * (SCALARS.len() + 9 * coordinates) + 4 * (8 * joints + 19 * bodies + 14 * contacts),
    ));

    let has_cords = model.tendons().iter().any(|t| !t.path.is_empty());
    let flag = |set: bool, flag: u32| if set { flag } else { 0 };
    let flags = flag(stamp.paused, PAUSED) | flag(stamp.jumped, JUMPED) | flag(has_cords, CORDS);
    let has_signals = !record.signals.is_empty();
    let flags = flags | flag(has_signals, SIGNALS) | flag(stamp.pull.is_some(), PULL);
    out.u32(MAGIC);
    for count in [bodies, coordinates, joints, contacts, SCALARS.len()] {
        out.u32(count as u32);
    }
    out.u32(stamp.index);
    out.u32(flags);

    SCALARS.iter().for_each(|s| out.f64(s.of(model, record)));
    state.coordinates.iter().for_each(|&q| out.f64(q));
    for j in 0..joints {
        let rates = state.joint_velocities(model, JointId(j as u32));
        rates.iter().for_each(|&rate| out.f64(rate));
    }
    record.targets.iter().for_each(|&target| out.f64(target));
    for (e, applied) in record.efforts.iter().zip(&record.applied) {
        let parts = [
            e.drive, e.limit, e.friction, e.passive, e.coupling, *applied,
        ];
        parts.iter().for_each(|&effort| out.f64(effort));
    }
    joint_section(&mut out, model, record);
    for pose in &state.poses {
        out.vector(&pose.position);
        pose.rotation.coords.iter().for_each(|&q| out.f32(q));
    }
    for twist in &state.twists {
        out.vector(&twist.linear);
        out.vector(&twist.angular);
    }
    for net in &record.net_forces {
        out.vector(&net.force);
        out.vector(&net.torque);
    }
    contact_section(&mut out, model, record);
    if has_cords {
        cord_section(&mut out, model, record);
    }
    if has_signals {
        out.u32(record.signals.len() as u32);
        record.signals.iter().for_each(|&x| out.f64(x));
    }
    if let Some(force) = &stamp.pull {
        out.vector(force);
    }
    out.0
}

/// Marks a finished frame as following a jump of the state.
pub fn mark_jumped(frame: &mut [u8]) {
    if let Some(flags) = frame.get_mut(FLAGS) {
        *flags |= JUMPED as u8;
    }
}

/// Marks a finished frame as sent to a page that connected later.
pub fn mark_past(frame: &mut [u8]) {
    if let Some(flags) = frame.get_mut(FLAGS) {
        *flags |= PAST as u8;
    }
}

/// Reaction and closure error of every joint; joints without locked rows have no reaction.
fn joint_section(out: &mut Writer, model: &Model, record: &StepRecord) {
    let mut reactions = record.reactions.iter().peekable();
    for j in 0..model.joints().len() {
        let id = JointId(j as u32);
        let own = reactions.next_if(|r| r.joint == id);
        let (force, torque) = own.map_or_else(Default::default, |r| (r.force, r.torque));
        out.vector(&force);
        out.vector(&torque);
        let closure = record.state.joint_residual(model, id);
        closure.iter().for_each(|&error| out.f32(error));
    }
}

fn contact_section(out: &mut Writer, model: &Model, record: &StepRecord) {
    let normal = |c: &ContactForce| c.impulse.dot(&c.contact.normal);
    let largest = record.contacts.iter().map(normal).fold(0.0, f64::max);
    for c in &record.contacts {
        let key = c.contact.key;
        let surface = model.surface(key.shape_a, key.shape_b);
        out.vector(&c.contact.point);
        out.vector(&c.contact.normal);
        out.vector(&(c.impulse / record.dt));
        out.f32(c.contact.gap);
        out.f32(surface.friction);
        out.f32(f64::from(kind(c, &surface, TINY * largest)));
    }
    for c in &record.contacts {
        out.u32(c.contact.key.shape_a.0);
        out.u32(c.contact.key.shape_b.0);
    }
}

/// Paths of tendons as straight segments, their number first.
fn cord_section(out: &mut Writer, model: &Model, record: &StepRecord) {
    let frame = |body| model.body_frame(&record.state, body);
    let tendons = model.tendons().iter();
    let lines: Vec<Vec<Vec3>> = tendons.flat_map(|t| path_lines(&t.path, frame)).collect();
    let segments = || lines.iter().flat_map(|line| line.windows(2));
    out.u32(segments().count() as u32);
    segments().flatten().for_each(|point| out.vector(point));
}

fn kind(c: &ContactForce, surface: &PairMaterial, tiny: f64) -> f32 {
    let n = &c.contact.normal;
    let normal = c.impulse.dot(n);
    let torsion = c.moment.dot(n);
    // The utilisation of friction along each axis of its ellipsoid.
    let load = [
        ((c.impulse - normal * n).norm(), surface.friction),
        (torsion.abs(), surface.torsional_friction),
        ((c.moment - torsion * n).norm(), surface.rolling_friction),
    ];
    // Without friction there is no utilisation, and the contact slips.
    let full = surface.friction == 0.0 && !surface.resists_turning();
    let part = |(load, most): &(f64, f64)| if *most > 0.0 { load / most } else { 0.0 };
    let used = load.iter().map(part).map(|x| x * x).sum::<f64>().sqrt();
    if normal <= tiny {
        OPEN
    } else if full || used >= (1.0 - CONE_MARGIN) * normal {
        SLIP
    } else {
        STICK
    }
}

/// Little-endian bytes.
struct Writer(Vec<u8>);

impl Writer {
    fn u32(&mut self, x: u32) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    fn f64(&mut self, x: f64) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    fn f32(&mut self, x: f64) {
        self.0.extend_from_slice(&(x as f32).to_le_bytes());
    }

    fn vector(&mut self, v: &Vec3) {
        v.iter().for_each(|&x| self.f32(x));
    }
}
