//! Files that an included file names.

use crate::Folder;

/// A tetrahedron as an ASCII STL.
const STL: &str = "solid t
facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet
facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet
facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet
facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet
endsolid t\n";

#[test]
fn a_mesh_of_an_included_file_is_found_from_that_file() {
    let main = "<mujoco><include file='sub/asset.xml'/><worldbody><body><freejoint/>\
                <geom type='mesh' mesh='a' mass='1'/></body></worldbody></mujoco>";
    let folder = Folder::new("included", &[("main.xml", main)]);
    for (name, text) in [
        (
            "sub/asset.xml",
            "<mujoco><asset><mesh name='a' file='../geo/a.stl'/></asset></mujoco>",
        ),
        ("geo/a.stl", STL),
    ] {
        let file = folder.0.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let made = folder.load("main.xml").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(made.model.shapes().len(), 1);
}
