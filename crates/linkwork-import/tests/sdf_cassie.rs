//! Cassie in SDF: native loops, gearboxes, rotors.

mod common;

use common::models;
use linkwork::assemble::{AssembleSettings, Targets, assemble};
use linkwork::mobility::mobility;
use linkwork_import::{Imported, Options, load};

#[test]
fn cassie_loads_with_its_loops_and_gearboxes() {
    let Some(models) = models() else { return };
    // Links, joints of the tree, closures, gearboxes, sum of joint freedoms without the floating base
    // (gearboxes count 5), mass, mobility, rank and rows of closures and gearboxes.
    let cases = [
        ("cassie.sdf", 35, 34, 6, 10, 98, 16, (28, 36)),
        ("cassie_v2.sdf", 23, 22, 4, 0, 34, 18, (10, 12)),
    ];
    for (file, links, tree, closures, gearboxes, freedoms, mobile, (rank, rows)) in cases {
        let options = Options {
            assets: Some(models.clone()),
            ..Options::default()
        };
        let path = models.join("cassie_description/robots").join(file);
        let read = load(&path, &options).unwrap_or_else(|e| panic!("{e}"));
        let m = &read.mechanism;
        let found = (read.counts.links, read.counts.joints, read.counts.closures);
        assert_eq!(found, (links, tree, closures), "{file}");
        assert_eq!(m.model.couplings().len(), gearboxes, "{file}");
        let coordinates: usize = m.model.joints().iter().map(|j| j.axes.len()).sum();
        assert_eq!(coordinates + 5 * gearboxes, freedoms, "{file}");
        assert_eq!(
            read.counts.degrees_of_freedom,
            6 + tree_freedom(&read),
            "{file}"
        );
        let guess = m.model.initial_state();
        let settings = AssembleSettings::default();
        let closed = assemble(&m.model, &guess, &Targets::none(), &settings).unwrap();
        assert!(closed.residual <= 1e-9, "{file}: {:e}", closed.residual);
        let report = mobility(&m.model, &closed.state);
        let carried: usize = m
            .tree
            .iter()
            .map(|j| m.model.joint(*j).kind.locked().len())
            .sum();
        assert_eq!(
            (report.rank - carried, report.rows - carried),
            (rank, rows),
            "{file}"
        );
        assert_eq!(report.degrees_of_freedom, mobile, "{file}");
    }
}

fn tree_freedom(read: &Imported) -> usize {
    let m = &read.mechanism;
    m.tree.iter().map(|j| m.model.joint(*j).axes.len()).sum()
}
