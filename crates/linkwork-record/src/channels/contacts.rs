//! `/linkwork/contacts`: contact points and their impulses.

use super::{Channel, MessageError, StepChannel, expect, vec3};
use crate::cdr::{Decoder, Encoder};
use crate::step::StepRecord;
use linkwork::collision::{ContactKey, ContactPoint};
use linkwork::math::Vec3;
use linkwork::model::{Model, ShapeId};
use linkwork::reactions::ContactForce;

pub(super) const CHANNEL: StepChannel = StepChannel {
    channel: Channel::ros2("/linkwork/contacts", "linkwork_msgs/msg/Contacts", SCHEMA),
    encode,
};

const SCHEMA: &str = "\
# Contact points of a step, world frame. Shapes in the order of the attachment model.json.
uint64 step            # steps since the start of the run
float64 time           # s
uint32[] shape_a       # first shape of each point
uint32[] shape_b       # second shape
uint64[] feature       # the same number while the same corner, edge or cell touches
float64[] points       # 3 a point: where (m), at the start of the step
float64[] normals      # 3 a point: unit vector from A to B
float64[] impulses     # 3 a point: on body B over the step (N s); over dt of /linkwork/state: the mean force
float64[] gaps         # 1 a point: distance at the start of the step (m), negative where they overlap
float64[] moments      # 3 a point: of torsional and rolling friction on body B about the point (N m s); empty if all are 0
float64[] areas        # 1 a point: area that it stands for (m²), for the pressure on pads; empty if all are 0
";

fn encode(record: &StepRecord, out: &mut Vec<u8>) {
    let contacts = || record.contacts.iter();
    let mut e = Encoder::new(out);
    e.u64(record.step);
    e.f64(record.state.time);
    e.counts(contacts().map(|c| c.contact.key.shape_a.0));
    e.counts(contacts().map(|c| c.contact.key.shape_b.0));
    e.long_counts(contacts().map(|c| c.contact.key.feature));
    e.numbers::<3>(contacts().map(|c| c.contact.point.into()));
    e.numbers::<3>(contacts().map(|c| c.contact.normal.into()));
    e.numbers::<3>(contacts().map(|c| c.impulse.into()));
    e.numbers(contacts().map(|c| [c.contact.gap]));
    if contacts().any(|c| c.moment != Vec3::zeros()) {
        e.numbers::<3>(contacts().map(|c| c.moment.into()));
    } else {
        e.length(0);
    }
    if contacts().any(|c| c.contact.area != 0.0) {
        e.numbers(contacts().map(|c| [c.contact.area]));
    } else {
        e.length(0);
    }
}

pub(super) fn decode(message: &[u8], model: &Model) -> Result<Vec<ContactForce>, MessageError> {
    let mut d = Decoder::new(message)?;
    let (_step, _time) = (d.u64()?, d.f64()?);
    let (a, b, features) = (d.counts()?, d.counts()?, d.long_counts()?);
    let n = a.len();
    for (what, have) in [("shape_b", b.len()), ("feature", features.len())] {
        if have != n {
            return Err(MessageError::Length {
                what,
                have,
                want: n,
            });
        }
    }
    let points = expect("points", d.numbers()?, 3 * n)?;
    let normals = expect("normals", d.numbers()?, 3 * n)?;
    let impulses = expect("impulses", d.numbers()?, 3 * n)?;
    let gaps = expect("gaps", d.numbers()?, n)?;
    // Files of versions without torsional and rolling friction end here; those of versions without pads end after the
    // moments.
    let mut optional = |what, each: usize| {
        let numbers = if d.is_at_end() {
            Vec::new()
        } else {
            d.numbers()?
        };
        match numbers.len() {
            0 => Ok(vec![0.0; each * n]),
            _ => expect(what, numbers, each * n),
        }
    };
    let (moments, areas) = (optional("moments", 3)?, optional("areas", 1)?);
    let shape = |id: u32| match model.shapes().get(id as usize) {
        Some(shape) => Ok((ShapeId(id), shape.body)),
        None => Err(MessageError::Meaning {
            what: "shape",
            value: u64::from(id),
        }),
    };
    (0..n)
        .map(|i| {
            let ((shape_a, body_a), (shape_b, body_b)) = (shape(a[i])?, shape(b[i])?);
            Ok(ContactForce {
                contact: ContactPoint {
                    key: ContactKey {
                        shape_a,
                        shape_b,
                        feature: features[i],
                    },
                    body_a,
                    body_b,
                    point: vec3(&points[3 * i..]),
                    normal: vec3(&normals[3 * i..]),
                    gap: gaps[i],
                    area: areas[i],
                },
                impulse: vec3(&impulses[3 * i..]),
                moment: vec3(&moments[3 * i..]),
            })
        })
        .collect()
}
