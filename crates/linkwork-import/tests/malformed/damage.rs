//! Small valid files, damaged at random: read or refused, but neither a panic nor a hang.

use crate::case::{Case, Entry, Scratch};
use crate::meshes::text_stl;
use crate::work::within;
use linkwork_import::Fault::Syntax;
use linkwork_import::{Options, load};

/// Damaged copies of each file.
const COPIES: usize = 1000;

/// A linear congruential generator, so that every run damages alike.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Words that are wrong in many places.
const WORDS: [&str; 16] = [
    "nan",
    "-1",
    "0",
    "1e308",
    "-1e308",
    "1e-320",
    "inf",
    "''",
    "<",
    "/>",
    "[",
    "}",
    "\n",
    "\u{fffd}",
    "99999999999999999999",
    "world",
];

const MJCF: &str = "<mujoco><compiler angle='radian'/><default><default class='d'><geom size='.1'/></default>
</default><asset><mesh name='m' file='t.stl'/></asset><worldbody><replicate count='2' offset='1 0 0'>
<body name='b' pos='0 0 1'><joint name='j' axis='0 1 0' range='-1 1' armature='.1'/><geom class='d' mass='1'/>
<site name='s' pos='.1 0 0'/><body name='c' euler='0 1 0'><joint name='k' type='slide'/><inertial pos='0 0 0'
mass='1' diaginertia='1 1 1'/><geom type='mesh' mesh='m' contype='1'/></body></body></replicate>
<body name='e'><freejoint/><geom type='capsule' fromto='0 0 0 1 0 0' size='.1'/></body></worldbody>
<equality><connect body1='e' body2='b0' anchor='0 0 0'/><joint joint1='j0' polycoef='0 1 0 0 0'/></equality>
<tendon><fixed name='t'><joint joint='j0' coef='2'/></fixed></tendon>
<actuator><motor joint='j0' gear='2'/><position joint='k0' kp='3' dampratio='1'/></actuator>
<sensor><jointpos joint='j0'/></sensor><keyframe><key name='h' qvel='0 0 0 0 0 0 0 0 0 0'/></keyframe></mujoco>";

const URDF: &str = "<robot name='r'><link name='a'/><link name='b'><inertial><origin xyz='0 0 1' rpy='1 0 0'/>
<mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry>
<box size='1 1 1'/></geometry></collision><visual><geometry><mesh filename='t.stl' scale='1 1 2'/></geometry>
</visual></link><link name='c'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0'
iyz='0'/></inertial></link><joint name='j' type='revolute'><origin xyz='0 0 1'/><parent link='a'/>
<child link='b'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>
<joint name='k' type='continuous'><parent link='b'/><child link='c'/><mimic joint='j' multiplier='2'/></joint></robot>";

const YAML: &str = "closures:\n  - {type: spherical, a: {link: a, xyz: [0, 0, 1]}, b: c}\n\
    joints: {}\nmotors: [j]\nfloating: false\n";

const SDF: &str = "<sdf version='1.9'><model name='m'><frame name='f'><pose>0 0 1 0 0 0</pose></frame>
<link name='a'><pose relative_to='f'>0 0 0 0 0 1</pose><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy>
<izz>1</izz></inertia></inertial><collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry>
</collision></link><link name='b'><inertial><mass>1</mass></inertial></link><joint name='j' type='revolute'>
<parent>a</parent><child>b</child><axis><xyz expressed_in='a'>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper>
</limit></axis></joint><joint name='s' type='screw'><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz></axis>
<screw_thread_pitch>2</screw_thread_pitch></joint></model></sdf>";

const JSON: &str = r#"{"linkwork": 1, "timestep": 0.001, "gravity": [0, 0, -9.81], "body": [{"name": "b",
"mass": 1.0, "inertia": [1, 1, 1], "position": [0, 0, 1], "rotation": {"axis": [0, 1, 0], "angle": 1.0}}],
"joint": [{"name": "j", "type": "revolute", "follower": "b", "anchor": [0, 0, 0], "axis": [0, 1, 0]}],
"shape": [{"body": "b", "type": "sphere", "radius": 0.5}, {"type": "mesh", "file": "t.stl"}],
"actuator": [{"name": "m", "joint": "j"}]}"#;

fn damaged(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        let to = (at + random.below(12)).min(bytes.len());
        match random.below(16) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] = random.below(256) as u8,
            2 => drop(bytes.drain(at..to)),
            3 => {
                let from = random.below(bytes.len());
                let part = bytes[from..(from + 40).min(bytes.len())].to_vec();
                drop(bytes.splice(at..to, part));
            }
            _ => {
                // In place of a number or a word, where it hurts.
                let letter = |b: &u8| b.is_ascii_alphanumeric() || b"-._".contains(b);
                let from = at - bytes[..at].iter().rev().take_while(|b| letter(b)).count();
                let end = at + bytes[at..].iter().take_while(|b| letter(b)).count();
                let word = WORDS[random.below(WORDS.len())];
                drop(bytes.splice(from..end, word.bytes()));
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

#[test]
fn damaged_files_are_read_or_refused() {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/fourbar_slider.linkwork.toml"
    );
    let toml = std::fs::read_to_string(example).expect("the example");
    // The file that is loaded, and the one that is damaged.
    let files = [
        ("m.xml", "m.xml", MJCF),
        ("r.urdf", "r.urdf", URDF),
        ("r.urdf", "r.loops.yaml", YAML),
        ("m.sdf", "m.sdf", SDF),
        ("m.linkwork.toml", "m.linkwork.toml", &toml),
        ("m.linkwork.json", "m.linkwork.json", JSON),
    ];
    let mut random = Random(1);
    for (name, target, good) in files {
        let mut case = Case::new("damage", name, good, Syntax).with("t.stl", text_stl());
        if name == "r.urdf" {
            let (robot, loops) = (Entry::Bytes(URDF.into()), Entry::Bytes(YAML.into()));
            case = case
                .with_entry("r.urdf", robot)
                .with_entry("r.loops.yaml", loops);
        }
        let scratch = Scratch::with(&case);
        let file = scratch.file(name);
        let whole = load(&file, &Options::default());
        assert!(
            whole.is_ok(),
            "{name}: {}",
            whole.err().map_or(String::new(), |e| e.to_string())
        );
        let mut refused = 0;
        for copy in 0..COPIES {
            let bytes = damaged(good.as_bytes(), &mut random);
            std::fs::write(scratch.file(target), &bytes).expect("a file");
            let what = format!("copy {copy} of {target}");
            let result = within(1.0, &what, || load(&file, &Options::default()));
            let text = || String::from_utf8_lossy(&bytes).into_owned();
            if let Err(e) = result {
                refused += 1;
                assert!(
                    !e.what.is_empty() && !e.remedy.is_empty(),
                    "{e}\n{}",
                    text()
                );
            }
        }
        println!("{target}: {refused} of {COPIES} damaged copies are refused");
        // Damage must have a visible effect at least sometimes.
        assert!(refused > COPIES / 3, "{target}: {refused}");
    }
}
