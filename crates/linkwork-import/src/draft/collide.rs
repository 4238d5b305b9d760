//! MuJoCo-like filters and exclusions with the world, converted to groups of the core.
//!
//! The core lets two shapes collide when the groups of each meet the mask of the other. Shapes with the same behaviour
//! towards all others form a class. Each class has its own group, and as mask the groups of the classes with which it
//! collides. This expresses any symmetric relation of up to 32 classes.

use super::lump::Lumped;
use super::{Draft, Filter};
use linkwork::model::CollisionGroup;
use std::collections::{BTreeMap, BTreeSet};

/// What decides with whom a shape touches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    filter: Filter,
    /// It is a world shape.
    world: bool,
    /// Its body is excluded from touching the world.
    not_world: bool,
}

/// The group of every shape; the error is the number of classes when it exceeds 32.
pub(super) fn groups(draft: &Draft, lumped: &[Lumped]) -> Result<Vec<CollisionGroup>, usize> {
    let root = |link: Option<super::LinkId>| link.and_then(|l| lumped[l.0].root);
    let off_world: BTreeSet<_> = draft
        .excluded
        .iter()
        .filter_map(|&(a, b)| match (root(a), root(b)) {
            (Some(body), None) | (None, Some(body)) => Some(body),
            _ => None,
        })
        .collect();
    let class_of = |i: usize| {
        let shape = &draft.shapes[i];
        let body = root(shape.link);
        Class {
            filter: shape.filter,
            world: body.is_none(),
            not_world: body.is_some_and(|b| off_world.contains(&b)),
        }
    };
    let classes: Vec<Class> = (0..draft.shapes.len()).map(class_of).collect();
    let touching = |c: &Class| c.filter != Filter::VISUAL;
    let mut numbers: BTreeMap<Class, u32> = BTreeMap::new();
    for class in classes.iter().filter(|c| touching(c)) {
        let next = numbers.len() as u32;
        numbers.entry(*class).or_insert(next);
    }
    if numbers.len() > 32 {
        return Err(numbers.len());
    }
    let meets = |a: &Class, b: &Class| {
        let kept_apart = a.world && b.not_world || b.world && a.not_world || a.world && b.world;
        let meet = a.filter.contype & b.filter.conaffinity != 0
            || b.filter.contype & a.filter.conaffinity != 0;
        meet && !kept_apart
    };
    let masks: BTreeMap<Class, u32> = numbers
        .keys()
        .map(|a| {
            let mask = numbers.iter().filter(|(b, _)| meets(a, b));
            (*a, mask.fold(0, |m, (_, n)| m | 1 << n))
        })
        .collect();
    let none = CollisionGroup { member: 0, mask: 0 };
    Ok(classes
        .iter()
        .map(|class| match numbers.get(class) {
            None => none,
            Some(n) => CollisionGroup {
                member: 1 << n,
                mask: masks[class],
            },
        })
        .collect())
}
