//! Paths out of the asset root. The files there could be read and would then appear in the output.

use crate::case::{Case, Entry};
use linkwork_import::Fault::{self, *};

fn urdf(uri: &str, fault: Fault) -> Case {
    let text = format!(
        "<robot name='r'>\n<link name='a'><collision><geometry><mesh filename='{uri}'/></geometry>\
         </collision></link></robot>"
    );
    Case::new(&format!("a mesh at {uri}"), "r.urdf", text, fault).at_line(2)
}

fn mjcf(inside: &str) -> Case {
    let text = format!("<mujoco>\n{inside}</mujoco>");
    Case::new(inside, "m.xml", text, Escape).at_line(2)
}

fn sdf(uri: &str, fault: Fault) -> Case {
    let include = format!("<include><uri>{uri}</uri></include>");
    let text = format!("<sdf version='1.9'><model name='m'>\n{include}</model></sdf>");
    Case::new(&format!("includes {uri}"), "m.sdf", text, fault).at_line(2)
}

fn gltf(uri: &str, fault: Fault) -> Case {
    let text = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"buffers\":[{{\"byteLength\":4,\"uri\":\"{uri}\"}}],\
         \"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"mesh\":0}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":12}}]}}"
    );
    let mut case = urdf("m.gltf", fault).with("m.gltf", text).names("m.gltf");
    case.name = format!("a glTF buffer at {uri}");
    case.line = None;
    case
}

pub fn cases() -> Vec<Case> {
    let mesh = |file: &str| {
        format!(
            "<asset><mesh name='m' file='{file}'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"
        )
    };
    let entity = "<!DOCTYPE a [<!ENTITY x SYSTEM '../outside/c.bin'>]>\n<mujoco model='&x;'/>";
    let external = "<!DOCTYPE robot SYSTEM 'file://SCRATCH/outside/c.dae'>\n<robot name='r'/>";
    let mut cases = vec![
        urdf("../outside/c.stl", Escape),
        urdf("a/../../outside/c.stl", Escape),
        urdf("..\\outside\\c.stl", Escape),
        urdf("SCRATCH/outside/c.obj", Escape),
        urdf("file://SCRATCH/outside/c.dae", Escape),
        urdf("file://../outside/c.stl", Escape),
        urdf("package://../outside/c.stl", Escape),
        urdf("package://root/../outside/c.stl", Escape),
        urdf("package:///../outside/c.stl", Escape),
        urdf("model://root/../../outside/c.stl", Escape),
        urdf("package://other/../../outside/c.stl", Unreadable),
        mjcf("<include file='../outside/c.xml'/>"),
        mjcf("<include file='SCRATCH/outside/c.xml'/>"),
        mjcf(&mesh("../outside/c.stl")),
        mjcf(&mesh("SCRATCH/outside/c.obj")),
        mjcf(&format!(
            "<compiler meshdir='../outside'/>{}",
            mesh("c.stl")
        )),
        mjcf("<asset><model name='a' file='../outside/c.xml'/></asset>"),
        mjcf(
            "<asset><hfield name='h' file='../outside/c.bin' size='1 1 1 1'/></asset><worldbody><geom type='hfield' hfield='h'/></worldbody>",
        ),
        sdf("../outside/c.sdf", Escape),
        sdf("file://SCRATCH/outside/c.sdf", Escape),
        sdf("model://../outside/c.sdf", Escape),
        gltf("../outside/c.bin", Escape),
        gltf("%2e%2e/outside/c.bin", Escape),
        gltf("SCRATCH/outside/c.bin", Escape),
        gltf("file://SCRATCH/outside/c.bin", Unsupported),
        Case::new("an external entity", "m.xml", entity, Unsupported),
        Case::new("an external document type", "r.urdf", external, Unsupported),
    ];
    if cfg!(unix) {
        let link = Entry::Link;
        cases.extend([
            urdf("l.stl", Escape).with_entry("l.stl", link("../outside/c.stl")),
            urdf("d/c.stl", Escape).with_entry("d", link("../outside")),
            urdf("package://d/c.stl", Escape).with_entry("d", link("../outside")),
            mjcf("<include file='l.xml'/>").with_entry("l.xml", link("../outside/c.xml")),
            sdf("l.sdf", Escape).with_entry("l.sdf", link("../outside/c.sdf")),
            gltf("l.bin", Escape).with_entry("l.bin", link("../outside/c.bin")),
            urdf("l.stl", Unreadable).with_entry("l.stl", link("l.stl")),
        ]);
    }
    cases
}
