//! Small valid inputs for every target.

use linkwork::{Checkpoint, Run};
use linkwork_record::{RecordOptions, Recorder, Source, save_checkpoint};
use linkwork_scenes::scene;
use linkwork_solve::{Operator, Problem, SparseSym};
use std::path::Path;

/// A robot that a loops file closes.
pub const ROBOT: &str = r#"<robot name="r"><link name="base"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hip" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="1"/></joint>
<joint name="knee" type="continuous"><origin xyz="0 0 -0.3" rpy="0 0.1 0"/><parent link="a"/><child link="b"/><axis xyz="0 1 0"/><dynamics damping="0.1" friction="0.01"/></joint>
</robot>"#;

pub fn urdf(_: &Path) -> Vec<Vec<u8>> {
    let shapes = r#"<robot name="s"><link name="base"><collision><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry></collision></link>
<link name="a"><inertial><mass value="1"/><origin xyz="0 0 0.1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="package://p/part.stl" scale="1 1 1"/></geometry></visual>
<collision><geometry><cylinder radius="0.1" length="0.2"/></geometry></collision></link>
<joint name="j" type="prismatic"><parent link="base"/><child link="a"/><axis xyz="1 0 0"/><limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="j2" multiplier="2" offset="0.1"/></joint>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j2" type="floating"><parent link="base"/><child link="b"/></joint></robot>"#;
    vec![ROBOT.into(), shapes.into()]
}

pub fn yaml(_: &Path) -> Vec<Vec<u8>> {
    vec![
        b"motors: [hip]\njoints:\n  knee: universal-xy\n".to_vec(),
        b"# closes the loop\nclosures:\n  - name: ankle\n    type: point_on_plane\n    a: b\n    b: {link: base, xyz: [0.1, 0, -0.4], rpy: [0, 0, 0]}\n".to_vec(),
    ]
}

pub fn mjcf(_: &Path) -> Vec<Vec<u8>> {
    let tree = r#"<mujoco model="m"><compiler angle="degree" autolimits="true"/><option timestep="0.002" gravity="0 0 -9.8"><flag contact="enable"/></option>
<default><geom rgba="1 0 0 1" friction="0.8 0.1 0.1"/><default class="leg"><joint axis="0 1 0" damping="0.1" range="-30 30"/></default></default>
<asset><mesh name="tri" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><texture name="t" type="2d" builtin="checker" width="8" height="8"/></asset>
<worldbody><geom type="plane" size="1 1 0.1"/><light pos="0 0 3"/>
<body name="trunk" pos="0 0 1" euler="0 10 0"><freejoint/><geom type="box" size="0.2 0.1 0.05" mass="3"/><site name="s" pos="0 0 0.1"/>
<body name="thigh" pos="0 0.1 0"><joint name="hip" class="leg" armature="0.01"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03"/>
<body name="shank" pos="0 0 -0.3"><joint name="knee" class="leg" type="hinge" frictionloss="0.2" stiffness="3"/><geom type="mesh" mesh="tri"/></body></body></body></worldbody>
<equality><connect body1="shank" body2="trunk" anchor="0 0 -0.1" solref="0.01 1"/><joint joint1="hip" joint2="knee" polycoef="0 1 0 0 0"/></equality>
<tendon><fixed name="f"><joint joint="hip" coef="1"/><joint joint="knee" coef="-1"/></fixed></tendon>
<actuator><position name="p" joint="hip" kp="50" ctrlrange="-1 1"/><motor name="m" joint="knee" gear="10"/><general tendon="f" gainprm="1" biastype="affine" biasprm="0 -1 0"/></actuator>
<sensor><jointpos joint="hip"/><framepos objtype="site" objname="s"/></sensor>
<keyframe><key name="home" qpos="0 0 1 1 0 0 0 0.1 0.2"/></keyframe><contact><exclude body1="trunk" body2="shank"/></contact></mujoco>"#;
    let ball = r#"<mujoco><worldbody><body><joint type="slide" axis="1 0 0" pos="0 0 1"/><geom type="ellipsoid" size=".1 .2 .3" quat="1 0 1 0"/><body pos="1 0 0"><joint type="ball"/><geom type="sphere" size=".1"/></body></body></worldbody></mujoco>"#;
    let cord = r#"<mujoco><option magnetic="0 -.5 0"/><worldbody><geom name="drum" type="cylinder" size=".2 .1" euler="90 0 0" rgba="1 0 0 1"/><site name="top" pos="0 0 1"/>
<body name="a" pos="-.2 0 -1"><joint name="ja" type="slide" axis="0 0 1"/><geom name="ga" size=".05" mass="3"/><site name="sa" type="box" size=".1 .1 .1"/><body name="cup"><geom size=".02"/><site name="sc"/></body></body>
<body name="b" pos=".2 0 -1"><joint name="jb" type="slide" axis="0 0 1"/><geom size=".05" mass="2"/><site name="sb"/></body></worldbody>
<tendon><spatial name="cord" range="0 2.7" stiffness="5" armature=".1" frictionloss=".2"><site site="sa"/><geom geom="drum" sidesite="top"/><site site="sb"/><pulley divisor="2"/><site site="top"/><geom geom="ga"/><site site="sb"/></spatial></tendon>
<actuator><motor tendon="cord"/><adhesion body="cup" ctrlrange="0 1" gain="5"/></actuator>
<sensor><accelerometer site="sa" cutoff="9"/><force site="sc"/><torque site="sa"/><touch site="sa"/><magnetometer site="sb"/><tendonpos tendon="cord"/><framelinvel objtype="site" objname="sa" reftype="xbody" refname="b"/><subtreeangmom body="b"/></sensor></mujoco>"#;
    vec![tree.into(), ball.into(), cord.into()]
}

pub fn sdf(_: &Path) -> Vec<Vec<u8>> {
    let model = r#"<sdf version="1.7"><world name="w"><gravity>0 0 -9.8</gravity><model name="m"><pose>0 0 1 0 0.1 0</pose>
<link name="a"><inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry><surface><friction><ode><mu>0.5</mu></ode></friction></surface></collision></link>
<link name="b"><pose relative_to="a">0 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit><dynamics><damping>0.1</damping></dynamics></axis></joint>
<joint name="k" type="ball"><parent>world</parent><child>a</child></joint></model></world></sdf>"#;
    vec![model.into()]
}

pub fn toml(_: &Path) -> Vec<Vec<u8>> {
    vec![include_bytes!("../../../examples/fourbar_slider.linkwork.toml").to_vec()]
}

pub fn json(_: &Path) -> Vec<Vec<u8>> {
    let text = r#"{"linkwork": 1, "name": "swing", "timestep": 0.001, "gravity": [0, 0, -9.81],
"body": [{"name": "bar", "mass": 1.0, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, -0.5]}],
"joint": [{"name": "hinge", "type": "revolute", "follower": "bar", "anchor": [0, 0, 0], "axis": [0, 1, 0]}]}"#;
    let last = r#"{"linkwork": 1, "body": [{"name": "bar", "mass": 1.0, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, -0.5]}],
"joint": [{"name": "hinge", "type": "revolute", "follower": "bar", "anchor": [0, 0, 0], "axis": [0, 1, 0]}],
"shape": [{"name": "ball", "body": "bar", "type": "sphere", "radius": 0.1, "colour": [1, 0, 0, 1]}],
"frame": [{"name": "tip", "body": "bar", "position": [0, 0, 0.1]}],
"tendon": [{"name": "cord", "path": [{"position": [1, 0, 0]}, {"type": "sphere", "radius": 0.1, "side": {"position": [0, 0, 1]}}, {"body": "bar"},
{"type": "pulley", "divisor": 2}, {"position": [1, 0, 1]}, {"type": "cylinder", "body": "bar", "radius": 0.2}, {"position": [-1, 0, 0]}], "spring": {"stiffness": 3, "rest": 1}}],
"actuator": [{"name": "cup", "shapes": ["ball"]}],
"sensor": [{"name": "f", "type": "force", "frame": "tip", "parts": [{"body": "bar"}, {"mass": 1, "inertia": [1, 1, 1]}]},
{"name": "t", "type": "touch", "frame": "tip", "shapes": ["ball"], "volume": {"type": "sphere", "radius": 0.3}}, {"name": "a", "type": "acceleration", "frame": "tip", "local": true, "cutoff": 3}]}"#;
    vec![text.into(), last.into()]
}

pub fn stl(_: &Path) -> Vec<Vec<u8>> {
    let text = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
    let mut binary = vec![0u8; 80];
    binary.extend(4u32.to_le_bytes());
    for face in TETRAHEDRON {
        floats(&mut binary, &[0.0; 3]);
        for corner in face {
            floats(&mut binary, &CORNERS[corner as usize]);
        }
        binary.extend([0, 0]);
    }
    vec![text.into(), binary]
}

const CORNERS: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];
const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn floats(out: &mut Vec<u8>, values: &[f32]) {
    for v in values {
        out.extend(v.to_le_bytes());
    }
}

pub fn obj(_: &Path) -> Vec<Vec<u8>> {
    let text = "o t\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt 0 0\nf 1 3 2\nf 1/1/1 2/1/1 4/1/1\nf -4 -1 -2\nf 2 3 4\ng h\nl 1 2\n";
    vec![text.into()]
}

pub fn ply(_: &Path) -> Vec<Vec<u8>> {
    let head = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\ncomment c\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
        )
    };
    let text = head("ascii") + "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    let mut binary = head("binary_little_endian").into_bytes();
    floats(&mut binary, CORNERS.as_flattened());
    for face in TETRAHEDRON {
        binary.push(3);
        binary.extend(face.iter().flat_map(|i| i.to_le_bytes()));
    }
    vec![text.into(), binary]
}

pub fn dae(_: &Path) -> Vec<Vec<u8>> {
    let text = r##"<COLLADA version="1.4.1"><asset><unit meter="0.01"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"##;
    vec![text.into()]
}

fn gltf_text(uri: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"translation":[0,0,1],"scale":[1,1,1]}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":4}}]}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},{{"bufferView":1,"componentType":5125,"count":12,"type":"SCALAR"}}],"bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":48}}],"buffers":[{{{uri}"byteLength":96}}]}}"#
    )
}

fn gltf_data() -> Vec<u8> {
    let mut data = Vec::new();
    floats(&mut data, CORNERS.as_flattened());
    data.extend(
        TETRAHEDRON
            .as_flattened()
            .iter()
            .flat_map(|i| i.to_le_bytes()),
    );
    data
}

pub fn gltf(folder: &Path) -> Vec<Vec<u8>> {
    std::fs::write(folder.join("part.bin"), gltf_data()).expect("a scratch folder");
    vec![gltf_text(r#""uri":"part.bin","#).into_bytes()]
}

pub fn glb(_: &Path) -> Vec<Vec<u8>> {
    let mut text = gltf_text("").into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let data = gltf_data();
    let mut out = b"glTF".to_vec();
    let words = |out: &mut Vec<u8>, values: &[usize]| {
        out.extend(values.iter().flat_map(|v| (*v as u32).to_le_bytes()));
    };
    words(&mut out, &[2, 28 + text.len() + data.len(), text.len()]);
    out.extend(b"JSON");
    out.extend(&text);
    words(&mut out, &[data.len()]);
    out.extend(b"BIN\0");
    out.extend(&data);
    vec![out]
}

pub fn msh(_: &Path) -> Vec<Vec<u8>> {
    let mut out: Vec<u8> = [4u32, 0, 0, 4]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    out.extend(gltf_data());
    vec![out]
}

/// Two contacts and an equation of which only D is known.
fn contacts() -> Problem {
    let mut problem = Problem::for_bodies(1e-3);
    let triplets: Vec<_> = (0..6).map(|i| (i, i, 1.0 + 0.1 * i as f64)).collect();
    let (matrix, _) = SparseSym::from_triplets(6, &triplets);
    let v_free = vec![0.1, 0.0, -1.0, 0.0, 0.3, -0.2];
    problem.operator = Operator::Delassus { matrix, v_free };
    for mu in [0.5, 1.0] {
        problem
            .sets
            .push(linkwork_solve::ImpulseSet::Coulomb { mu });
    }
    problem.v_bias = vec![0.0; 6];
    problem.compliance = vec![0.0; 6];
    problem
}

pub fn fclib(folder: &Path) -> Vec<Vec<u8>> {
    let file = folder.join("seed.hdf5");
    linkwork_solve::fclib::write_local(&file, &contacts(), "seed").expect("a problem of contacts");
    vec![std::fs::read(file).expect("just written")]
}

pub fn problem(folder: &Path) -> Vec<Vec<u8>> {
    let file = folder.join("seed.json");
    let mut run = Run::of(scene("nunchuk", &[]).expect("a scene")).expect("a scene that runs");
    run.step().expect("a step");
    let of_bodies = run.simulator().problem().clone();
    let text = |problem: &Problem| {
        problem.save(&file).expect("a scratch folder");
        std::fs::read(&file).expect("just written")
    };
    vec![text(&contacts()), text(&of_bodies)]
}

/// A short run, its scene, and its end.
fn short_run() -> (Run, Source, Checkpoint) {
    let mut run =
        Run::of(scene("fourbar_fixed", &[]).expect("a scene")).expect("a scene that runs");
    for _ in 0..3 {
        run.step().expect("a step");
    }
    let source = Source {
        scene: "fourbar_fixed".to_owned(),
        parameters: Default::default(),
        pilot: None,
    };
    let checkpoint = run.checkpoint();
    (run, source, checkpoint)
}

pub fn recording(folder: &Path) -> Vec<Vec<u8>> {
    let file = folder.join("seed.lwrec");
    let (mut run, source, checkpoint) = short_run();
    let (model, settings) = (
        run.simulator().model().clone(),
        run.simulator().settings().clone(),
    );
    let mut recorder =
        Recorder::create(&file, RecordOptions::default(), &model, &settings, &source)
            .expect("a scratch folder");
    for step in 1..=3 {
        let report = run.step().expect("a step");
        recorder
            .step(&run.moment(step, Some(&report)))
            .expect("a record");
    }
    recorder.checkpoint(3, &checkpoint).expect("a checkpoint");
    recorder.finish().expect("a recording");
    vec![std::fs::read(file).expect("just written")]
}

pub fn checkpoint(folder: &Path) -> Vec<Vec<u8>> {
    let file = folder.join("seed.lwck");
    let (run, source, checkpoint) = short_run();
    save_checkpoint(&file, run.simulator().model(), &source, 3, &checkpoint)
        .expect("a scratch folder");
    vec![std::fs::read(file).expect("just written")]
}

pub fn viewer(_: &Path) -> Vec<Vec<u8>> {
    [
        r#"{"type":"frame","index":3}"#,
        r#"{"type":"series","name":"energy"}"#,
        r#"{"type":"step","count":10}"#,
        r#"{"type":"target","coordinate":0,"value":0.5}"#,
        r#"{"type":"grab","body":1,"local":[0,0,0.1],"target":[1,2,3]}"#,
        r#"{"type":"tolerance","value":1e-6}"#,
    ]
    .iter()
    .map(|s| s.as_bytes().to_vec())
    .collect()
}
