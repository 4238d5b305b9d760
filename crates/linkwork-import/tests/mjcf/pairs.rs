//! Contact pairs, priorities and margins. MuJoCo 4.0.0's values are given in comments.

use crate::{Folder, import, refused, told};
use linkwork::model::{Compliance, PairMaterial, Reference, ShapeId};
use linkwork::{Control, Settings, Simulator};
use linkwork_import::export::to_mjcf;
use linkwork_import::{Imported, Options, Severity, load};

/// A floor, a ball with its centre 0.105 m above it, and contacts.
fn ball(name: &str, floor: &str, ball: &str, contact: &str) -> Imported {
    import(
        name,
        &format!(
            "<worldbody><geom name='f' type='plane' size='1 1 1' {floor}/><body pos='0 0 .105'>\
             <freejoint/><geom name='g' size='.1' {ball}/></body></worldbody>\
             <contact>{contact}</contact>"
        ),
    )
}

fn surface(made: &Imported) -> PairMaterial {
    made.model.surface(ShapeId(0), ShapeId(1))
}

#[test]
fn a_pair_has_its_own_surface_and_nothing_of_its_geoms() {
    let geoms = "margin='.02' friction='.8' priority='3' condim='1'";
    // MuJoCo: friction 1 1, condim 3, margin 0.
    let made = ball("pair-plain", geoms, geoms, "<pair geom1='f' geom2='g'/>");
    let s = surface(&made);
    assert_eq!([s.friction, s.clearance], [1.0, 0.0]);
    assert!(made.notices.all().is_empty(), "{:?}", made.notices);
    // MuJoCo: friction .2 .2, condim 3, margin .03 for any gap.
    let made = ball(
        "pair-own",
        geoms,
        geoms,
        "<pair geom1='g' geom2='f' friction='.2 .2' margin='.03' gap='.01'/>",
    );
    let s = surface(&made);
    assert_eq!([s.friction, s.clearance], [0.2, 0.03]);
    let made = ball(
        "pair-slip",
        "",
        "",
        "<pair geom1='f' geom2='g' condim='1'/>",
    );
    assert_eq!(surface(&made).friction, 0.0);
}

#[test]
fn condim_says_which_friction_of_a_pair_acts() {
    for (condim, wanted) in [
        (1, [0.0, 0.0, 0.0]),
        (3, [0.2, 0.0, 0.0]),
        (4, [0.2, 0.01, 0.0]),
        (6, [0.2, 0.01, 0.002]),
    ] {
        let pair =
            format!("<pair geom1='f' geom2='g' condim='{condim}' friction='.2 .2 .01 .002 .002'/>");
        let made = ball(&format!("pair-condim-{condim}"), "", "", &pair);
        let s = surface(&made);
        let found = [s.friction, s.torsional_friction, s.rolling_friction];
        assert_eq!(found, wanted, "condim {condim}");
        assert!(made.notices.all().is_empty(), "{:?}", made.notices);
    }
    // MuJoCo: the larger condim of the two, and of each friction the larger.
    let made = ball(
        "condim-mixed",
        "friction='.3 .004 .001' condim='6'",
        "friction='.8 .02' condim='4'",
        "",
    );
    let s = surface(&made);
    let found = [s.friction, s.torsional_friction, s.rolling_friction];
    assert_eq!(found, [0.8, 0.02, 0.001]);
}

#[test]
fn a_pair_takes_what_its_class_says() {
    let made = import(
        "pair-class",
        "<default><pair friction='.3 .3' margin='.01'/><default class='c'><pair friction='.4 .4'/>\
         </default></default><worldbody><geom name='f' type='plane' size='1 1 1'/><body><freejoint/>\
         <geom name='g' size='.1'/><geom name='h' size='.1'/></body></worldbody>\
         <contact><pair geom1='f' geom2='g'/><pair geom1='f' geom2='h' class='c'/></contact>",
    );
    let pairs = made.model.pairs().iter();
    let found: Vec<_> = pairs
        .map(|p| [p.surface.friction, p.surface.clearance])
        .collect();
    assert_eq!(found, [[0.3, 0.01], [0.4, 0.01]]);
}

#[test]
fn what_of_a_pair_is_not_carried_is_told() {
    // MuJoCo: friction .2 along one tangent and 1 along the other.
    let made = ball(
        "pair-skew",
        "",
        "",
        "<pair geom1='f' geom2='g' friction='.2'/>",
    );
    assert_eq!(surface(&made).friction, 0.2);
    assert!(told(&made, Severity::Warning, "depends on the direction"));
    let made = ball(
        "pair-roll",
        "",
        "",
        "<pair geom1='f' geom2='g' condim='6' friction='.2 .2 .01 .002 .003'/>",
    );
    assert_eq!(surface(&made).rolling_friction, 0.002);
    assert!(told(&made, Severity::Warning, "rolling friction of a pair"));
    let made = ball(
        "pair-twice",
        "",
        "",
        "<pair geom1='f' geom2='g'/><pair geom1='g' geom2='f' friction='.1 .1'/>",
    );
    assert_eq!(surface(&made).friction, 1.0);
    assert!(told(&made, Severity::Warning, "paired before"));
}

#[test]
fn the_geom_with_the_greater_priority_decides_and_margins_add_up() {
    // MuJoCo: friction .8, condim 1, margin .03.
    let made = ball(
        "priority",
        "margin='.01' friction='.3'",
        "margin='.02' friction='.8' priority='1' condim='1'",
        "",
    );
    let s = surface(&made);
    assert_eq!(s.friction, 0.0);
    assert!((s.clearance - 0.03).abs() < 1e-15);
    let made = ball(
        "priority-low",
        "friction='.3'",
        "friction='.8' priority='-1'",
        "",
    );
    assert_eq!(surface(&made).friction, 0.3);
    let made = ball("priority-same", "friction='.3'", "friction='.8'", "");
    assert_eq!(surface(&made).friction, 0.8, "the larger");
}

#[test]
fn a_ball_comes_to_rest_at_the_margin_of_its_pair() {
    let pair = "<pair geom1='f' geom2='g' margin='.003'/>";
    let made = ball("pair-rest", "", "contype='0' conaffinity='0'", pair);
    let model = &made.model;
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let control = Control::new(model);
    for _ in 0..500 {
        simulator.step(&control).unwrap();
    }
    let height = simulator.state().poses[0].position.z - 0.1;
    assert!((height - 0.003).abs() < 1e-6, "{height}");
}

#[test]
fn pairs_and_surfaces_can_be_soft_and_survive_export() {
    let text = "<mujoco><worldbody><geom name='f' type='plane' size='1 1 1' margin='.01'/><body \
                pos='0 0 .2'><freejoint/><geom name='g' size='.1' solref='-50 -3' priority='2'/>\
                <geom name='h' size='.1' solref='-100 -1' priority='2'/></body></worldbody><contact>\
                <pair geom1='f' geom2='g' friction='.2 .2' solref='-300 -4' margin='.02'/></contact>\
                </mujoco>";
    let options = Options::with(|s| s.soft = true);
    let folder = Folder::new("pair-soft", &[("m.xml", text)]);
    let made = load(&folder.0.join("m.xml"), &options).unwrap();
    let reference = |made: &Imported, shape: u32| {
        let surface = made.model.surface(ShapeId(0), ShapeId(shape));
        match surface.compliance {
            Compliance::Soft(soft) => soft.impedance.reference,
            other => panic!("{other:?}"),
        }
    };
    let direct = |stiffness: f64, damping: f64| Reference::Direct { stiffness, damping };
    assert_eq!(reference(&made, 1), direct(300.0, 4.0));
    assert_eq!(reference(&made, 2), direct(100.0, 1.0));
    let exported = to_mjcf(&made.model).unwrap();
    let folder = Folder::new("pair-again", &[("m.xml", &exported.text)]);
    let again = load(&folder.0.join("m.xml"), &options).unwrap();
    let (a, b) = (&made.model, &again.model);
    assert_eq!(a.pairs(), b.pairs());
    let materials =
        |m: &linkwork::model::Model| m.shapes().iter().map(|s| s.material).collect::<Vec<_>>();
    assert_eq!(materials(a), materials(b));
}

#[test]
fn bad_numbers_are_refused() {
    let geom = |attribute: &str| {
        let text = format!("<worldbody><geom size='.1' {attribute}/></worldbody>");
        refused("pair-bad", &text).what
    };
    assert!(geom("margin='-1'").contains("-1"));
    assert!(geom("priority='9999999999'").contains("out of range"));
    let pair = refused(
        "pair-bad-two",
        "<worldbody><geom name='f' size='.1'/><body><freejoint/><geom name='g' size='.1'/></body>\
         </worldbody><contact><pair geom1='f' geom2='g' condim='5'/></contact>",
    );
    assert!(pair.what.contains("contact dimension"), "{}", pair.what);
}
