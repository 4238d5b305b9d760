//! Texts made to exhaust memory, stack or time. Those that the parser could take are bad at their end.

use crate::case::Case;
use linkwork_import::Fault::*;
use linkwork_import::MAX_TEXT_BYTES;

fn xml(name: &str, text: String) -> Case {
    Case::new(name, "m.xml", text, TooLarge)
}

/// A document of about the longest text that is read, made of `piece`, whose end is unknown.
fn full(name: &str, head: &str, piece: &str, count: usize) -> Case {
    let count = count.min((MAX_TEXT_BYTES as usize - 200 - head.len()) / piece.len());
    let body = piece.repeat(count);
    let text = format!("<mujoco>{head}{body}<unknown/></mujoco>");
    Case::new(name, "m.xml", text, UnknownElement).says(&["unknown"])
}

pub fn cases() -> Vec<Case> {
    let attributes: String = (0..1_000_000).map(|i| format!(" a{i}='1'")).collect();
    let bomb: String = (1..10)
        .map(|i| {
            let last = format!("&l{};", i - 1).repeat(10);
            format!("<!ENTITY l{i} '{last}'>")
        })
        .collect();
    let bomb = format!("<!DOCTYPE m [<!ENTITY l0 'lol'>{bomb}]><mujoco model='&l9;'/>");
    let word = "n".repeat(15_000_000);
    let replicate = |count: &str, inside: &str| {
        format!(
            "<mujoco><worldbody><replicate count='{count}' offset='1 0 0'>{inside}</replicate></worldbody></mujoco>"
        )
    };
    let nested = "<replicate count='100' offset='1 0 0'>".repeat(10);
    let nested = format!("{nested}<geom size='.1'/>{}", "</replicate>".repeat(10));
    let body = "<body><joint/><geom size='.1'/></body>";
    let toml = |piece: &str| {
        let body = piece.repeat((MAX_TEXT_BYTES as usize - 100) / piece.len());
        format!("linkwork = 1\nname = [{body}]\n")
    };
    let numbers = "1 ".repeat(15_000_000);
    vec![
        xml("a million attributes", format!("<mujoco{attributes}/>")),
        xml("elements nested 1e5 deep", "<mujoco>".repeat(100_000)),
        xml(
            "half a million defaults nested",
            "<default>".repeat(500_000),
        ),
        Case::new("a billion laughs", "m.xml", &bomb, Unsupported).says(&["DOCTYPE"]),
        Case::new("a billion laughs", "r.urdf", &bomb, Unsupported),
        Case::new("a billion laughs", "m.sdf", &bomb, Unsupported),
        xml(
            "ten million elements",
            format!("<mujoco>{}</mujoco>", "<a/>".repeat(8_000_000)),
        ),
        xml(
            "ten million comments",
            format!("<mujoco>{}</mujoco>", "<!---->".repeat(4_000_000)),
        ),
        xml(
            "a million attributes of many elements",
            format!(
                "<mujoco>{}</mujoco>",
                "<a b='' c='' d='' e=''/>".repeat(300_000)
            ),
        ),
        full("as many elements as are taken", "", "<size/>", 240_000),
        full(
            "as many attributes as are taken",
            "",
            "<option timestep='1'/>",
            240_000,
        ),
        full(
            "long names at the root",
            &format!(
                "<custom><text name='{}' data='x'/></custom>",
                "n".repeat(10_000_000)
            ),
            "<size/>",
            240_000,
        ),
        Case::new(
            "a long name around many",
            "m.xml",
            format!(
                "<mujoco><worldbody><body name='{word}'>{}<bad/></body></worldbody></mujoco>",
                "<geom size='1'/>".repeat(240_000)
            ),
            UnknownElement,
        ),
        Case::new(
            "a long value",
            "m.xml",
            format!("<mujoco><worldbody><body pos='{word}'/></worldbody></mujoco>"),
            BadValue,
        ),
        Case::new(
            "millions of numbers",
            "m.xml",
            format!("<mujoco><worldbody><body pos='{numbers}'/></worldbody></mujoco>"),
            TooLarge,
        ),
        Case::new(
            "a long element",
            "m.xml",
            format!("<mujoco><{word}/></mujoco>"),
            UnknownElement,
        ),
        Case::new(
            "a long attribute",
            "m.xml",
            format!("<mujoco {word}='1'/>"),
            UnknownAttribute,
        ),
        Case::new("a long root", "m.xml", format!("<{word}/>"), UnknownElement),
        Case::new(
            "a long link",
            "r.urdf",
            format!(
                "<robot name='r'><link name='{word}'/><joint name='j' type='fixed'><parent link='x'/><child link='{word}'/></joint></robot>"
            ),
            Unresolved,
        ),
        xml(
            "a billion copies",
            replicate("1000000000", "<geom size='.1'/>"),
        ),
        xml("copies of copies of copies", replicate("100", &nested)),
        xml("a billion bodies", replicate("1000000000", body)),
        Case::new(
            "millions of values",
            "m.linkwork.toml",
            toml("1,"),
            TooLarge,
        ),
        Case::new(
            "millions of lists",
            "m.linkwork.toml",
            toml("[],"),
            TooLarge,
        ),
        Case::new(
            "millions of values",
            "m.linkwork.json",
            format!("{{\"linkwork\": [{}1]}}", "1,".repeat(15_000_000)),
            TooLarge,
        ),
        Case::new(
            "a million lists",
            "m.linkwork.json",
            format!(
                "{{\"linkwork\": 1, \"nmae\": [{}[]]}}",
                "[],".repeat(1_000_000)
            ),
            UnknownAttribute,
        ),
        Case::new(
            "a million lists",
            "m.linkwork.toml",
            format!("linkwork = 1\nnmae = [{}]\n", "[],".repeat(1_000_000)),
            UnknownAttribute,
        ),
        Case::new(
            "a million numbers",
            "m.linkwork.toml",
            format!("linkwork = 1\nnmae = [{}]\n", "1.5,".repeat(1_000_000)),
            UnknownAttribute,
        ),
        Case::new(
            "a long key",
            "m.linkwork.toml",
            format!("linkwork = 1\n{word} = 1\n"),
            UnknownAttribute,
        ),
        Case::new(
            "millions of lines",
            "r.urdf",
            "<robot name='r'><link name='a'/></robot>",
            TooLarge,
        )
        .with("r.loops.yaml", "motors: [a]\n".repeat(2_000_000))
        .names("r.loops.yaml"),
    ]
}
