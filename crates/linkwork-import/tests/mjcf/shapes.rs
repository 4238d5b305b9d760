//! Shapes: forms, places, surfaces, filters.

use crate::{Folder, import, near, refused};
use linkwork::model::{Combine, Compliance, Geometry, Reference};
use linkwork::{Settings, Simulator};
use linkwork_import::{Fault, Options, Severity, load};

#[test]
fn fromto_places_a_capsule_between_two_points() {
    let made = import(
        "fromto",
        "<worldbody><geom type='capsule' size='.1' fromto='0 0 0 0 0 2'/></worldbody>",
    );
    let shape = &made.model.shapes()[0];
    let expected = Geometry::Capsule {
        radius: 0.1,
        half_length: 1.0,
    };
    assert_eq!(shape.geometry, expected);
    assert!(near(shape.local.position.as_slice(), &[0.0, 0.0, 1.0]));
}

#[test]
fn sizes_that_an_element_leaves_out_come_from_its_class() {
    let made = import(
        "size",
        "<default><geom type='box' size='.1 .2 .3'/></default>\
         <worldbody><geom size='.5'/></worldbody>",
    );
    let Geometry::Box { half_extents } = made.model.shapes()[0].geometry else {
        panic!("a box was asked for");
    };
    assert!(near(half_extents.as_slice(), &[0.5, 0.2, 0.3]));
}

#[test]
fn shells_weigh_as_their_surface() {
    // Masses from MuJoCo 4.0, density 1000 kg/m².
    for (form, mass) in [
        ("type='sphere' size='.1'", 125.66370614359172),
        ("type='box' size='.1 .2 .3'", 880.0),
        ("type='cylinder' size='.1 .2'", 314.1592653589793),
        ("type='capsule' size='.1 .2'", 376.99111843077515),
    ] {
        let made = import(
            "shell",
            &format!(
                "<worldbody><body><freejoint/><geom {form} shellinertia='true'/></body></worldbody>"
            ),
        );
        assert!(
            (made.counts.mass - mass).abs() < 1e-9 * mass,
            "{form}: {}",
            made.counts.mass
        );
    }
}

#[test]
fn the_larger_friction_counts_and_condim_says_what_acts() {
    let made = import(
        "friction",
        "<worldbody><geom size='.1' friction='.7 .1 .1'/><geom size='.1' condim='1'/>\
         <geom size='.1' condim='6'/><geom size='.1' condim='4' friction='.5'/></worldbody>",
    );
    let shapes = made.model.shapes();
    assert_eq!(shapes[0].material.friction, 0.7);
    assert_eq!(shapes[0].material.friction_combine, Combine::Max);
    assert_eq!(shapes[1].material.friction, 0.0);
    let friction = |i: usize| {
        let m = &shapes[i].material;
        [m.friction, m.torsional_friction, m.rolling_friction]
    };
    assert_eq!(friction(0), [0.7, 0.0, 0.0]);
    assert_eq!(friction(2), [1.0, 0.005, 1e-4]);
    assert_eq!(friction(3), [0.5, 0.005, 0.0]);
    assert!(made.notices.all().is_empty(), "{:?}", made.notices);
}

#[test]
fn contype_and_conaffinity_decide_who_touches() {
    let made = import(
        "filter",
        "<worldbody><geom size='.1' contype='1' conaffinity='0'/>\
         <body><freejoint/><geom size='.1' contype='0' conaffinity='1'/></body>\
         <body><freejoint/><geom size='.1' contype='0' conaffinity='2'/></body>\
         <body><freejoint/><geom size='.1' contype='0' conaffinity='0'/></body></worldbody>",
    );
    let groups: Vec<_> = made.model.shapes().iter().map(|s| s.group).collect();
    assert!(groups[0].meets(&groups[1]));
    assert!(!groups[0].meets(&groups[2]) && !groups[1].meets(&groups[2]));
    assert!((0..3).all(|i| !groups[i].meets(&groups[3])));
}

#[test]
fn pairs_touch_whatever_the_filters_say_and_excluded_bodies_do_not() {
    let made = import(
        "pairs",
        "<worldbody><geom name='a' size='.1' contype='0' conaffinity='0'/>\
         <body name='b'><freejoint/><geom name='g' size='.1' contype='0' conaffinity='0'/></body>\
         <body name='c'><freejoint/><geom size='.1'/></body></worldbody>\
         <contact><pair geom1='a' geom2='g'/><exclude body1='b' body2='c'/></contact>",
    );
    let model = &made.model;
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let touching: Vec<_> = simulator
        .detect_contacts()
        .iter()
        .map(|c| (c.key.shape_a.0, c.key.shape_b.0))
        .collect();
    assert_eq!(
        touching,
        [(0, 1)],
        "not the third, which is excluded or filtered"
    );
    assert_eq!(model.excluded().len(), 1);
}

#[test]
fn softness_is_left_out_with_one_notice_or_honoured_when_asked() {
    let text = "<mujoco><worldbody><geom size='.1' solref='.05 .8' solimp='.8 .9 .002'/>\
                <geom size='.1' solref='.1 1'/></worldbody></mujoco>";
    let folder = Folder::new("soft", &[("m.xml", text)]);
    let hard = folder.load("m.xml").unwrap();
    assert_eq!(
        hard.model.shapes()[0].material.compliance,
        Compliance::Rigid
    );
    let choices = hard
        .notices
        .all()
        .iter()
        .filter(|n| n.severity == Severity::Choice);
    assert_eq!(choices.count(), 1);
    let options = Options::with(|s| s.soft = true);
    let soft = load(&folder.0.join("m.xml"), &options).unwrap();
    let Compliance::Soft(softness) = soft.model.shapes()[0].material.compliance else {
        panic!("softness was asked for");
    };
    let i = softness.impedance;
    let reference = Reference::Time {
        time_constant: 0.05,
        damping_ratio: 0.8,
    };
    assert_eq!(i.reference, reference);
    assert_eq!([i.at_zero, i.at_width, i.width], [0.8, 0.9, 0.002]);
}

#[test]
fn meshes_inline_are_weighed_and_placed_by_their_own_origin() {
    // A tetrahedron of volume 1/6 whose centre is at a quarter of its edges.
    let made = import(
        "mesh",
        "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>\
         <worldbody><body pos='0 0 5'><freejoint/><geom type='mesh' mesh='m' pos='1 0 0' \
         density='6'/></body></worldbody>",
    );
    let solid = &made.model.bodies()[0];
    assert!(near(&[solid.mass], &[1.0]));
    assert!(near(solid.com.as_slice(), &[1.25, 0.25, 0.25]));
}

#[test]
fn a_height_field_has_its_first_row_farthest_along_y() {
    let made = import(
        "hfield",
        "<asset><hfield name='h' nrow='2' ncol='3' size='1 2 5 .1' elevation='1 2 3 4 5 6'/>\
         </asset><worldbody><geom type='hfield' hfield='h'/></worldbody>",
    );
    let Geometry::HeightField {
        nx,
        ny,
        heights,
        size,
    } = &made.model.shapes()[0].geometry
    else {
        panic!("a height field was asked for");
    };
    assert_eq!((*nx, *ny, *size), (3, 2, [2.0, 4.0]));
    // From least y to most along the first column, then the next; 0 to 5 m.
    assert!(near(heights, &[3.0, 0.0, 4.0, 1.0, 5.0, 2.0]));
}

#[test]
fn shapes_that_cannot_be_are_refused() {
    let geom = |g: &str| {
        format!("<worldbody><body><joint/><geom size='.1'/><geom {g}/></body></worldbody>")
    };
    for (name, form, fault) in [
        ("plane", "type='plane' size='1 1 1'", Fault::Unsupported),
        ("sdf", "type='sdf'", Fault::Unsupported),
        ("thin", "type='box' size='.1'", Fault::BadValue),
        ("negative", "size='-1'", Fault::BadValue),
        ("lost", "type='mesh' mesh='nothing'", Fault::Unresolved),
        ("condim", "size='.1' condim='2'", Fault::BadValue),
    ] {
        assert_eq!(refused(name, &geom(form)).fault, fault, "{name}");
    }
}

/// The geom's own colour, that of its class, that of its material, or none.
#[test]
fn colours_come_from_geoms_classes_and_materials() {
    let made = import(
        "colours",
        "<default><default class='red'><geom rgba='1 0 0 1'/><material rgba='0 0 1 .5'/></default></default>\
         <asset><material name='m' rgba='.1 .2 .3 1'/><material name='c' class='red'/></asset>\
         <worldbody><geom size='.1' rgba='0 1 0 1' material='m'/><geom size='.1' class='red'/>\
         <geom size='.1' material='m'/><geom size='.1' material='c'/><geom size='.1'/>\
         <geom size='.1' rgba=''/></worldbody>",
    );
    let shapes = made.model.shapes().iter();
    let colours: Vec<_> = shapes.map(|s| s.colour).collect();
    let expected = [
        Some([0.0, 1.0, 0.0, 1.0]),
        Some([1.0, 0.0, 0.0, 1.0]),
        Some([0.1, 0.2, 0.3, 1.0]),
        Some([0.0, 0.0, 1.0, 0.5]),
        None,
        // No values, no notice.
        None,
    ];
    assert_eq!(colours, expected);
}
