//! Cameras and textures.

use super::{Folder, Severity, import};
use linkwork::model::{Aim, Geometry, Lens, Mapping, MarkLines, Pattern};

/// A PNG file of two by two pixels.
fn png() -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer
        .write_image_data(&[255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255])
        .unwrap();
    drop(writer);
    file
}

#[test]
fn cameras_are_where_they_are_in_the_file() {
    let model = import(
        "cameras",
        "<compiler angle='degree'/><worldbody><camera name='room' pos='1 2 3' fovy='60'/>\
         <camera name='flat' projection='orthographic' fovy='2.5'/>\
         <body name='a' pos='0 0 1'><joint/><geom size='.1' pos='.2 0 0'/>\
         <camera name='eye' pos='.3 0 0' resolution='200 100' sensorsize='.02 .01' focal='.01 .01'/>\
         <camera name='track' mode='trackcom' pos='0 -2 0'/>\
         <camera name='look' mode='targetbody' target='b'/></body>\
         <body name='b' pos='0 1 1'><joint/><geom size='.1'/></body></worldbody>",
    )
    .model;
    let cameras = model.cameras();
    let names: Vec<&str> = cameras.iter().map(|c| c.frame.name.as_str()).collect();
    assert_eq!(names, ["room", "flat", "eye", "track", "look"]);
    let state = model.initial_state();
    let at = |i: usize| cameras[i].frame.pose(&state).position;
    assert_eq!(at(0).as_slice(), [1.0, 2.0, 3.0]);
    assert!((at(2) - linkwork::math::Vec3::new(0.3, 0.0, 1.0)).norm() < 1e-15);
    let angle = |i: usize| match cameras[i].lens {
        Lens::Perspective { field_of_view } => field_of_view,
        Lens::Orthographic { .. } => panic!("it has perspective"),
    };
    assert!((angle(0) - 60f64.to_radians()).abs() < 1e-15);
    // Half the sensor's height is half its focal length away from the axis.
    assert!((angle(2) - 2.0 * 0.5f64.atan()).abs() < 1e-15);
    assert_eq!(cameras[1].lens, Lens::Orthographic { height: 2.5 });
    let target = model.body_named("b").unwrap();
    let aims = [cameras[2].aim, cameras[3].aim, cameras[4].aim];
    assert_eq!(aims, [Aim::Fixed, Aim::Follow, Aim::LookAt { target }]);
}

/// Repetitions count over the sides of a geom, or per metre where they are uniform.
#[test]
fn textures_repeat_over_sides_or_metres() {
    let model = import(
        "textures",
        "<asset><texture name='c' type='2d' builtin='checker' mark='edge' rgb1='.1 .2 .3' rgb2='.4 .5 .6' \
         markrgb='1 1 1' width='300' height='300'/><texture name='g' builtin='gradient'/>\
         <texture type='skybox' builtin='gradient' width='8' height='8'/>\
         <material name='uniform' texture='c' texuniform='true' texrepeat='5 4'/>\
         <material name='side' texture='c' texrepeat='5 4'/><material name='cube' texture='g' rgba='1 0 0 1'/></asset>\
         <worldbody><geom type='plane' size='0 0 .1' material='uniform'/><geom type='box' size='1 2 3' material='side'/>\
         <geom type='box' size='1 2 3' material='cube'/><geom size='1'/></worldbody>",
    )
    .model;
    let mapping = |i: usize| {
        model.shapes()[i]
            .texture
            .as_ref()
            .map(|t| t.mapping.clone())
    };
    let plane = |repeat| Some(Mapping::Plane { repeat });
    assert_eq!(mapping(0), plane([5.0, 4.0]));
    assert_eq!(mapping(1), plane([2.5, 1.0]));
    let half_extents = linkwork::math::Vec3::new(1.0, 2.0, 3.0);
    assert_eq!(mapping(2), Some(Mapping::Cube { half_extents }));
    assert_eq!(mapping(3), None);
    assert_eq!(model.shapes()[2].colour, Some([1.0, 0.0, 0.0, 1.0]));
    let Pattern::Checker { colours, mark } = &model.textures()[0].pattern else {
        panic!("a checker");
    };
    assert_eq!(*colours, [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]);
    assert_eq!(mark.map(|m| m.lines), Some(MarkLines::Edge));
    assert_eq!(model.textures().len(), 2, "the sky is on no shape");
}

#[test]
fn images_lie_on_meshes_by_their_texture_coordinates() {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nvt .5 .25\n\
               f 1/1 3/3 2/2\nf 1/1 2/2 4/4\nf 1/1 4/4 3/3\nf 2/2 3/3 4/4\n";
    let text = "<mujoco><compiler texturedir='pictures'/><asset><mesh name='m' file='m.obj'/>\
                <texture name='t' type='2d' file='t.png'/><texture name='lost' type='2d' file='lost.png'/>\
                <material name='a' texture='t'/><material name='b' texture='lost'/></asset><worldbody>\
                <geom type='mesh' mesh='m' material='a'/><geom type='mesh' mesh='m' material='b'/></worldbody></mujoco>";
    let folder = Folder::new("images", &[("m.obj", obj), ("model.xml", text)]);
    std::fs::create_dir_all(folder.0.join("pictures")).unwrap();
    std::fs::write(folder.0.join("pictures/t.png"), png()).unwrap();
    let imported = folder.load("model.xml").unwrap_or_else(|e| panic!("{e}"));
    let shapes = imported.model.shapes();
    let Some(Mapping::Corners { coordinates }) = shapes[0].texture.as_ref().map(|t| &t.mapping)
    else {
        panic!("it has texture coordinates");
    };
    let Geometry::TriangleMesh {
        vertices,
        triangles,
    } = &shapes[0].geometry
    else {
        panic!("a mesh of the world is exact");
    };
    // Every corner has the coordinates that the file gives its vertex.
    for (triangle, given) in triangles.iter().zip(coordinates.iter()) {
        for (i, uv) in triangle.iter().zip(given) {
            let v = vertices[*i as usize];
            let expected = if v.z > 0.5 {
                [0.5, 0.25]
            } else {
                [v.x as f32, v.y as f32]
            };
            assert_eq!(*uv, expected);
        }
    }
    let Pattern::Image { image } = &imported.model.textures()[0].pattern else {
        panic!("an image");
    };
    assert_eq!(image.file(), png());
    // A missing image does not affect the motion: it causes a notice.
    assert_eq!(shapes[1].texture, None);
    let told = imported.notices.all().iter();
    assert!(
        told.filter(|n| n.severity == Severity::Ignored)
            .any(|n| n.to_string().contains("lost.png"))
    );
}
