//! The initial state: closed joints, overlaps, limits.

use crate::table::{heading, line, number, with_unit};
use linkwork::joints::{MAX_ROWS, Row, Unit};
use linkwork::math::Twist;
use linkwork::model::{Model, ShapeId};
use linkwork::{Simulator, State};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// How well the initial state fits the model.
#[derive(Default, Serialize)]
pub struct Start {
    /// Largest translational joint residual, m.
    pub closure_m: f64,
    /// Largest rotational joint or coupling residual, rad.
    pub closure_rad: f64,
    /// The joint or coupling with the largest residual of either kind.
    pub closure_worst: Option<String>,
    /// Largest rate of a joint's locked rows, m/s or rad/s.
    pub closure_rate: f64,
    /// The joint with the largest rate.
    pub closure_rate_worst: Option<String>,
    /// Contact points within the margin.
    pub contacts: usize,
    /// Deepest overlap, m.
    pub penetration_m: f64,
    /// Shapes that overlap by more than a µm, the deepest first.
    pub penetrations: Vec<Penetration>,
    /// Joint coordinates outside their limits.
    pub limits_violated: Vec<LimitViolated>,
}

/// Two shapes that overlap.
#[derive(Serialize)]
pub struct Penetration {
    /// The two shapes.
    pub shapes: [String; 2],
    /// Deepest overlap of a contact point, m.
    pub depth_m: f64,
}

/// Overlaps up to this are what contacts leave, m.
const TOUCHING: f64 = 1e-6;

/// A joint coordinate that starts outside its limits.
#[derive(Serialize)]
pub struct LimitViolated {
    /// The joint.
    pub joint: String,
    /// Its coordinate.
    pub coordinate: &'static str,
    /// By how much, m or rad.
    pub by: f64,
}

impl Start {
    /// Of the simulator's present state.
    pub fn of(simulator: &mut Simulator) -> Self {
        let model = simulator.model().clone();
        let mut start = Self::default();
        let state = simulator.state();
        start.joints(&model, state);
        start.couplings(&model, state);
        start.limits(&model, state);
        let contacts = simulator.detect_contacts();
        start.contacts = contacts.len();
        let mut deepest: BTreeMap<[ShapeId; 2], f64> = BTreeMap::new();
        for contact in contacts {
            start.penetration_m = start.penetration_m.max(-contact.gap);
            let pair = [contact.key.shape_a, contact.key.shape_b];
            let depth = deepest.entry(pair).or_insert(0.0);
            *depth = depth.max(-contact.gap);
        }
        deepest.retain(|_, depth| *depth > TOUCHING);
        let named = deepest.into_iter().map(|(pair, depth_m)| Penetration {
            shapes: pair.map(|s| model.shapes()[s.index()].name.clone()),
            depth_m,
        });
        start.penetrations = named.collect();
        start
            .penetrations
            .sort_by(|a, b| b.depth_m.total_cmp(&a.depth_m));
        start
    }

    fn joints(&mut self, model: &Model, state: &State) {
        for joint in model.joints() {
            let place = state.placement(joint);
            let labels = joint.kind.locked();
            let mut rows = [Row::ZERO; MAX_ROWS];
            let rows = &mut rows[..labels.len()];
            let turns = &state.coordinates[joint.first_coordinate..];
            joint.kind.constrain(&place.relative, turns, rows);
            for (row, (_, unit)) in rows.iter().zip(labels) {
                self.residual(row.value, *unit, &joint.name);
                let (base, follower) = place.jacobian(row);
                let twist = |i: usize| &state.twists[i];
                let rate = joint.base.map_or(0.0, |b| dot(&base, twist(b.index())))
                    + dot(&follower, twist(joint.follower.index()));
                if rate.abs() > self.closure_rate {
                    self.closure_rate = rate.abs();
                    self.closure_rate_worst = Some(joint.name.clone());
                }
            }
        }
    }

    fn couplings(&mut self, model: &Model, state: &State) {
        for coupling in model.couplings() {
            let residual = coupling
                .residual(|term| state.joint_coordinates(model, term.joint)[term.coordinate]);
            self.residual(residual, Unit::Angle, &coupling.name);
        }
    }

    fn residual(&mut self, value: f64, unit: Unit, name: &str) {
        let size = value.abs();
        if size > self.closure_m.max(self.closure_rad) {
            self.closure_worst = Some(name.to_owned());
        }
        let worst = match unit {
            Unit::Length => &mut self.closure_m,
            Unit::Angle => &mut self.closure_rad,
        };
        *worst = worst.max(size);
    }

    fn limits(&mut self, model: &Model, state: &State) {
        for joint in model.joints() {
            let labels = joint.kind.coordinates();
            let turn = joint.turn(&state.coordinates[joint.first_coordinate..]);
            let beyond = turn.zip(joint.turn_limits).map(|(turn, l)| turn - l.max);
            if let Some(by) = beyond.filter(|by| *by > 0.0) {
                self.limits_violated.push(LimitViolated {
                    joint: joint.name.clone(),
                    coordinate: "whole turn",
                    by,
                });
            }
            for (c, (axis, (coordinate, _))) in joint.axes.iter().zip(labels).enumerate() {
                let Some(limits) = axis.limits else { continue };
                let q = state.coordinates[joint.first_coordinate + c];
                let by = (limits.min - q).max(q - limits.max);
                if by > 0.0 {
                    self.limits_violated.push(LimitViolated {
                        joint: joint.name.clone(),
                        coordinate,
                        by,
                    });
                }
            }
        }
    }

    /// Write it.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        heading(out, "Initial state")?;
        let (m, rad) = (
            with_unit(self.closure_m, "m"),
            with_unit(self.closure_rad, "rad"),
        );
        line(out, "joints open by", &format!("{m}, {rad}"))?;
        let rate = with_unit(self.closure_rate, "m/s or rad/s");
        line(out, "joints opening at", &rate)?;
        let overlap = with_unit(self.penetration_m, "m");
        let contacts = self.contacts;
        let text = format!("{contacts}, deepest overlap {overlap}");
        line(out, "contact points", &text)?;
        for v in &self.limits_violated {
            let text = format!("{} {} by {}", v.joint, v.coordinate, number(v.by));
            line(out, "outside limits", &text)?;
        }
        Ok(())
    }
}

fn dot(j: &[f64; 6], twist: &Twist) -> f64 {
    let u = twist.linear.iter().chain(twist.angular.iter());
    j.iter().zip(u).map(|(j, u)| j * u).sum()
}
