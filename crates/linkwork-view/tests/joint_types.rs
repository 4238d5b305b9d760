//! The page knows every joint type: a new one needs a glyph and the motions of its coordinates.

use linkwork::joints;

#[test]
fn every_joint_type_has_a_glyph_and_motions_in_the_page() {
    let glyphs = include_str!("../../../viewer/src/world/glyphs.ts");
    let motions = include_str!("../../../viewer/src/world/motions.ts");
    for kind in joints::all() {
        let name = kind.name();
        let entry = format!("\n  {name}: ");
        let special = format!("type === \"{name}\"");
        let drawn = glyphs.contains(&entry) || glyphs.contains(&special);
        assert!(drawn, "viewer/src/world/glyphs.ts has no glyph for {name}");
        // The motions of a chain depend on its links.
        let moves = motions.contains(&entry) || kind.links().is_some();
        assert!(
            moves,
            "viewer/src/world/motions.ts has no motions for {name}"
        );
    }
}
