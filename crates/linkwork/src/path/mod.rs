//! Length of the path of a tendon and its rate of change.
//!
//! A straight segment between a and b with unit vector n changes by n·(v_b − v_a). Contact points on spheres and
//! cylinders count as fixed to the body (`wrap`). So J has a force n/divisor at each end of each straight segment, and
//! nothing for arcs.

mod wrap;

use crate::math::{Pose, Twist, Vec3, Wrench, exp};
use crate::model::{Anchor, BodyId, Model, Waypoint};
use crate::state::rate;
pub(crate) use wrap::Arc;
use wrap::wrap;

/// Reach of the differences that give J̇u, m or rad.
const REACH: f64 = 1e-3;
/// Sixth-order central difference: weights of f(k h) − f(−k h) over h, k = 1, 2, 3.
const WEIGHTS: [f64; 3] = [45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0];

/// A piece of a path at some poses of the bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece {
    /// Straight between two points, each with the body that it moves with; world, m.
    Straight([(Option<BodyId>, Vec3); 2]),
    /// Around a sphere or cylinder.
    Around(Arc),
}

/// Visits the segments of a path, each with its factor 1/divisor. `frame` returns the pose of a body frame.
pub(crate) fn trace(
    path: &[Waypoint],
    frame: impl Fn(BodyId) -> Pose,
    mut visit: impl FnMut(Piece, f64),
) {
    let place = |a: &Anchor| {
        a.body
            .map_or(a.point, |b| frame(b).transform_point(&a.point))
    };
    let mut share = 1.0;
    // The start point of a segment, and the shape around which the cord wraps on the way to the next point.
    let mut last: Option<(Option<BodyId>, Vec3)> = None;
    let mut around = None;
    for waypoint in path {
        match waypoint {
            Waypoint::Pulley { divisor } => {
                share = 1.0 / divisor;
                (last, around) = (None, None);
            }
            Waypoint::Wrap { .. } => around = Some(waypoint),
            Waypoint::Point(anchor) => {
                let end = (anchor.body, place(anchor));
                if let Some(start) = last {
                    let mut from = start;
                    if let Some(Waypoint::Wrap {
                        body,
                        pose,
                        form,
                        radius,
                        side,
                    }) = around
                    {
                        let pose = body.map_or(*pose, |b| frame(b).compose(pose));
                        let side = side.as_ref().map(&place);
                        if let Some(arc) = wrap(&pose, *form, *radius, [start.1, end.1], side) {
                            visit(Piece::Straight([start, (*body, arc.at(0.0))]), share);
                            visit(Piece::Around(arc), share);
                            from = (*body, arc.at(1.0));
                        }
                    }
                    visit(Piece::Straight([from, end]), share);
                }
                (last, around) = (Some(end), None);
            }
        }
    }
}

/// The length of a path, m. `frame` gives the pose of a body frame.
pub fn path_length(path: &[Waypoint], frame: impl Fn(BodyId) -> Pose) -> f64 {
    let mut length = 0.0;
    trace(path, frame, |piece, share| {
        length += share
            * match piece {
                Piece::Straight([(_, a), (_, b)]) => (b - a).norm(),
                Piece::Around(arc) => arc.length,
            };
    });
    length
}

/// Effect of a unit force along a path on the bodies: force (1) and moment about the world's origin (m), one entry per
/// end of a straight segment. `frame` returns the pose of a body frame.
pub fn path_pushes(path: &[Waypoint], frame: impl Fn(BodyId) -> Pose) -> Vec<(BodyId, Wrench)> {
    let mut pushes = Vec::new();
    trace(path, frame, |piece, share| {
        let Piece::Straight([a, b]) = piece else {
            return;
        };
        let Some(unit) = (b.1 - a.1).try_normalize(0.0) else {
            return;
        };
        for ((body, point), force) in [(a, -share * unit), (b, share * unit)] {
            pushes.extend(body.map(|body| (body, Wrench::new(force, point.cross(&force)))));
        }
    });
    pushes
}

/// Points of a path in the world, for drawing: one polyline (m) per section between pulleys.
pub fn path_lines(path: &[Waypoint], frame: impl Fn(BodyId) -> Pose) -> Vec<Vec<Vec3>> {
    let mut lines: Vec<Vec<Vec3>> = Vec::new();
    trace(path, frame, |piece, _| match piece {
        Piece::Straight([(_, a), (_, b)]) => match lines.last_mut() {
            Some(line) if line.last() == Some(&a) => line.push(b),
            _ => lines.push(vec![a, b]),
        },
        Piece::Around(arc) => {
            let line = lines.last_mut().expect("a piece leads to the arc");
            let steps = (arc.turn.abs() / 0.2).ceil().max(1.0);
            line.extend((1..=steps as usize).map(|i| arc.at(i as f64 / steps)));
        }
    });
    lines
}

/// The pose of a body frame where the pose of its centre of mass is `centre`.
fn body_frame(model: &Model, body: BodyId, centre: &Pose) -> Pose {
    let shift = centre.rotation * model.body(body).com;
    Pose::new(centre.position - shift, centre.rotation)
}

/// The length of a path at the poses of the bodies' centres of mass, m.
pub(crate) fn path_length_at(path: &[Waypoint], model: &Model, poses: &[Pose]) -> f64 {
    path_length(path, |b| body_frame(model, b, &poses[b.index()]))
}

/// Number of walls that a path touches from inside at the poses of the bodies' centres of mass. It changes where an end
/// of the cord passes such a wall, and the length has a kink there: it decreases while the end comes out, and increases
/// beyond.
pub(crate) fn inner_contacts_at(path: &[Waypoint], model: &Model, poses: &[Pose]) -> usize {
    let mut count = 0;
    let frame = |b: BodyId| body_frame(model, b, &poses[b.index()]);
    trace(path, frame, |piece, _| {
        count += usize::from(matches!(piece, Piece::Around(arc) if arc.inside));
    });
    count
}

/// A path at a state: its length, and how it changes with the twists of the bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathKinematics {
    /// Length, m.
    pub length: f64,
    /// J by body.
    pub jacobian: Vec<(usize, [f64; 6])>,
    /// J̇u, if an armature or a spring needs it, otherwise 0; m/s².
    pub bend: f64,
}

impl PathKinematics {
    /// Measure the path at the poses of the bodies' centres of mass.
    pub fn measure(&mut self, path: &[Waypoint], model: &Model, pose: impl Fn(usize) -> Pose) {
        (self.length, self.bend) = (0.0, 0.0);
        self.jacobian.clear();
        let frame = |b: BodyId| body_frame(model, b, &pose(b.index()));
        let (length, jacobian) = (&mut self.length, &mut self.jacobian);
        trace(path, frame, |piece, share| match piece {
            Piece::Around(arc) => *length += share * arc.length,
            Piece::Straight([a, b]) => {
                let along = b.1 - a.1;
                *length += share * along.norm();
                // Segments within a body do not change; between coinciding points there is no direction.
                let unit = along.try_normalize(0.0).filter(|_| a.0 != b.0);
                let Some(unit) = unit else { return };
                for ((body, point), force) in [(a, -share * unit), (b, share * unit)] {
                    let Some(body) = body else { continue };
                    let torque = (point - pose(body.index()).position).cross(&force);
                    add(jacobian, body.index(), &force, &torque);
                }
            }
        });
    }

    /// J u.
    pub fn rate(&self, twist: impl Fn(usize) -> Twist) -> f64 {
        let parts = self.jacobian.iter();
        parts.map(|(body, j)| rate(j, &twist(*body))).sum()
    }
}

fn add(jacobian: &mut Vec<(usize, [f64; 6])>, body: usize, force: &Vec3, torque: &Vec3) {
    let at = jacobian.iter().position(|(b, _)| *b == body);
    let at = at.unwrap_or_else(|| {
        jacobian.push((body, [0.0; 6]));
        jacobian.len() - 1
    });
    let row = force.iter().chain(torque.iter());
    for (j, x) in jacobian[at].1.iter_mut().zip(row) {
        *j += x;
    }
}

/// J̇u: rate of change of the path's rate at constant twists of the bodies, m/s². `spare` is overwritten.
pub(crate) fn bend(
    path: &[Waypoint],
    model: &Model,
    poses: &[Pose],
    twists: &[Twist],
    spare: &mut PathKinematics,
) -> f64 {
    let carried = path.iter().flat_map(Waypoint::carriers).flatten();
    let speed = |b: BodyId| {
        let twist = &twists[b.index()];
        twist.linear.norm().max(twist.angular.norm())
    };
    let fastest = carried.map(speed).fold(0.0, f64::max);
    if fastest == 0.0 {
        return 0.0;
    }
    let h = REACH / fastest;
    let mut rate_after = |time: f64| {
        let moved = |b: usize| {
            let (pose, twist) = (&poses[b], &twists[b]);
            let turn = exp(&(time * twist.angular));
            Pose::new(pose.position + time * twist.linear, turn * pose.rotation)
        };
        spare.measure(path, model, moved);
        spare.rate(|b| twists[b])
    };
    let steps = (1..).zip(WEIGHTS);
    let difference = |(k, weight): (i32, f64)| {
        let reach = f64::from(k) * h;
        weight * (rate_after(reach) - rate_after(-reach)) / h
    };
    steps.map(difference).sum()
}
