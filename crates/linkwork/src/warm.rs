//! Impulses of the last step, matched to the rows of the next by source.

use crate::collision::ContactPoint;
use crate::math::{Vec3, tangent_basis};
use crate::rows::{RowSource, Rows, from_world, to_world};
use linkwork_solve::ImpulseSet;

/// Remembered impulses, in the order of their sources.
#[derive(Clone, Debug, Default)]
pub(crate) struct WarmStart {
    entries: Vec<(RowSource, [f64; 6])>,
}

impl WarmStart {
    /// Forget everything.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// What is remembered.
    pub fn entries(&self) -> &[(RowSource, [f64; 6])] {
        &self.entries
    }

    /// Remember these impulses, sorted by source.
    pub fn set<'a>(&mut self, entries: impl IntoIterator<Item = &'a (RowSource, [f64; 6])>) {
        self.entries.clear();
        self.entries.extend(entries);
    }

    /// Fills `lambda` for the rows from the stored impulses; 0 where nothing matches.
    ///
    /// Both lists are sorted by source, so one pass over the two finds all matches. Contact impulses and moments are
    /// stored as world vectors, because the tangent directions rotate with the normal.
    pub fn guess(&self, rows: &Rows, contacts: &[ContactPoint], lambda: &mut Vec<f64>) {
        lambda.clear();
        lambda.resize(rows.problem.rows(), 0.0);
        let mut old = self.entries.iter().peekable();
        let first_contact = rows.sources.len() - contacts.len();
        for (k, source) in rows.sources.iter().enumerate() {
            // Most rows are those of the last step.
            let same = old.next_if(|(s, _)| s == source).or_else(|| {
                while old.next_if(|(s, _)| s < source).is_some() {}
                old.next_if(|(s, _)| s == source)
            });
            let Some((_, value)) = same else {
                continue;
            };
            let out = &mut lambda[rows.problem.sets.range(k)];
            match source {
                RowSource::Contact(_) => {
                    let contact = &contacts[k - first_contact];
                    let impulse = Vec3::new(value[0], value[1], value[2]);
                    if resists_turning(rows, k) {
                        let moment = Vec3::new(value[3], value[4], value[5]);
                        from_world(rows.bodies().1, k, contact, &[impulse, moment], out);
                    } else {
                        to_frame(&impulse, &contact.normal, out);
                    }
                }
                // Too few for a call of memcpy.
                _ => out.iter_mut().zip(value).for_each(|(o, v)| *o = *v),
            }
        }
    }

    /// Remember `lambda`.
    pub fn store(&mut self, rows: &Rows, contacts: &[ContactPoint], lambda: &[f64]) {
        self.entries.clear();
        let first_contact = rows.sources.len() - contacts.len();
        for (k, &source) in rows.sources.iter().enumerate() {
            let l = &lambda[rows.problem.sets.range(k)];
            let mut value = [0.0; 6];
            match source {
                RowSource::Contact(_) => {
                    let contact = &contacts[k - first_contact];
                    if resists_turning(rows, k) {
                        let [impulse, moment] = to_world(rows.bodies().1, k, contact, l);
                        value[..3].copy_from_slice(impulse.as_slice());
                        value[3..].copy_from_slice(moment.as_slice());
                    } else {
                        let impulse = from_frame(l, &contact.normal);
                        value[..3].copy_from_slice(impulse.as_slice());
                    }
                }
                _ => value.iter_mut().zip(l).for_each(|(v, l)| *v = *l),
            }
            self.entries.push((source, value));
        }
    }
}

fn resists_turning(rows: &Rows, k: usize) -> bool {
    matches!(rows.problem.sets.set(k), ImpulseSet::CoulombMoment { .. })
}

/// Impulse (N s) and moment about the contact point (N m s) on body B, world frame, of the rows of block `k`.
pub(crate) fn on_b(rows: &Rows, k: usize, contact: &ContactPoint, lambda: &[f64]) -> [Vec3; 2] {
    if resists_turning(rows, k) {
        return to_world(rows.bodies().1, k, contact, lambda);
    }
    [from_frame(lambda, &contact.normal), Vec3::zeros()]
}

/// World impulse of contact rows (t₁, t₂, n), or of a normal row alone.
fn from_frame(lambda: &[f64], n: &Vec3) -> Vec3 {
    match lambda {
        [l] => *l * n,
        [l1, l2, ln] => {
            let (t1, t2) = tangent_basis(n);
            *l1 * t1 + *l2 * t2 + *ln * n
        }
        _ => Vec3::zeros(),
    }
}

fn to_frame(impulse: &Vec3, n: &Vec3, out: &mut [f64]) {
    if let [l1, l2, _] = out {
        let (t1, t2) = tangent_basis(n);
        *l1 = impulse.dot(&t1);
        *l2 = impulse.dot(&t2);
    }
    if let Some(l) = out.last_mut() {
        *l = impulse.dot(n);
    }
}
