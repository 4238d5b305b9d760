//! Minimisation of a failing mechanism: everything that can be removed while the fault remains is removed.

use super::recipe::Recipe;
use super::trial::{Conditions, Fault, run};
use linkwork::math::Twist;
use linkwork::model::Spring;

/// Most runs that one mechanism may cost.
const MAX_RUNS: usize = 300;

/// The smallest mechanism found that shows `fault`, and the number of runs it took.
pub fn minimise(recipe: &Recipe, conditions: &Conditions, fault: Fault) -> (Recipe, usize) {
    let mut best = recipe.clone();
    let mut runs = 0;
    loop {
        let mut smaller = None;
        for candidate in reductions(&best) {
            if runs == MAX_RUNS {
                return (best, runs);
            }
            runs += 1;
            if run(&candidate, conditions).has(fault) {
                smaller = Some(candidate);
                break;
            }
        }
        match smaller {
            Some(found) => best = found,
            None => return (best, runs),
        }
    }
}

/// Everything that has one thing less, what takes most away first.
fn reductions(recipe: &Recipe) -> Vec<Recipe> {
    let mut all = Vec::new();
    for part in (0..recipe.parts.len()).rev() {
        all.push(without_part(recipe, part));
    }
    let mut change = |edit: &dyn Fn(&mut Recipe)| {
        let mut smaller = recipe.clone();
        edit(&mut smaller);
        all.push(smaller);
    };
    for link in (0..recipe.links.len()).rev() {
        change(&|r| {
            r.links.remove(link);
        });
    }
    if recipe.floor.is_some() {
        change(&|r| r.floor = None);
    }
    if recipe.touching {
        change(&|r| r.touching = false);
    }
    if recipe.surface != [0.0; 2] {
        change(&|r| r.surface = [0.0; 2]);
    }
    if recipe.gravity != 0.0 {
        change(&|r| r.gravity = 0.0);
    }
    if recipe.parts.iter().any(|p| p.twist != Twist::zero()) {
        change(&|r| r.parts.iter_mut().for_each(|p| p.twist = Twist::zero()));
    }
    if recipe.parts.iter().any(|p| p.mass != 1.0) {
        change(&|r| r.parts.iter_mut().for_each(|p| p.mass = 1.0));
    }
    for (i, link) in recipe.links.iter().enumerate() {
        for (k, axis) in link.axes.iter().enumerate() {
            if axis.limits.is_some() {
                change(&|r| r.links[i].axes[k].limits = None);
            }
            if axis.drive.is_some() {
                change(&|r| r.links[i].axes[k].drive = None);
            }
            if axis.spring != Spring::default() {
                change(&|r| r.links[i].axes[k].spring = Spring::default());
            }
            if axis.friction != 0.0 {
                change(&|r| r.links[i].axes[k].friction = 0.0);
            }
            if axis.armature != 0.0 {
                change(&|r| r.links[i].axes[k].armature = 0.0);
            }
        }
    }
    all
}

/// Without a part and the joints on it.
fn without_part(recipe: &Recipe, part: usize) -> Recipe {
    let mut smaller = recipe.clone();
    smaller.parts.remove(part);
    let on = |p: usize| p == part;
    smaller
        .links
        .retain(|l| !on(l.follower) && !l.base.is_some_and(on));
    let renumber = |p: usize| if p > part { p - 1 } else { p };
    for link in &mut smaller.links {
        link.follower = renumber(link.follower);
        link.base = link.base.map(renumber);
    }
    smaller
}
