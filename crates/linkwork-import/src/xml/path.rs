//! The path of an element, in limited length for any file.

use roxmltree::Node;

/// Longest name of an element or value of its `name`, characters.
const MAX_WORD: usize = 60;
/// Maximum length of a path, bytes, except for the last element. Every element of a hostile file may have its own path.
const MAX_ABOVE: usize = 120;

/// The path of an element below `above`. Of a long one the beginning is left out.
pub(super) fn below(above: &str, node: Node) -> String {
    let mut path = String::new();
    if above.len() <= MAX_ABOVE {
        path.push_str(above);
    } else {
        let mut from = above.len() - MAX_ABOVE;
        while !above.is_char_boundary(from) {
            from += 1;
        }
        let step = above[from..].find('/').map_or(from, |i| from + i);
        path.push('…');
        path.push_str(&above[step..]);
    }
    if !above.is_empty() {
        path.push('/');
    }
    push_short(&mut path, node.tag_name().name());
    if let Some(name) = node.attribute("name") {
        path.push_str(" '");
        push_short(&mut path, name);
        path.push('\'');
    }
    path
}

fn push_short(path: &mut String, word: &str) {
    match word.char_indices().nth(MAX_WORD) {
        None => path.push_str(word),
        Some((end, _)) => {
            path.push_str(&word[..end]);
            path.push('…');
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::xml;
    use std::path::Path;

    #[test]
    fn a_path_stays_short_at_any_depth_and_with_any_name() {
        let long = "ü".repeat(5000);
        let text = format!("<a name='{long}'>{}<z/>", "<body name='one'>".repeat(200));
        let text = format!("{text}{}</a>", "</body>".repeat(200));
        let root = xml::parse(Path::new("x.xml"), text.as_bytes()).unwrap();
        assert!(root.place.element.len() < 140 && root.place.element.starts_with("a 'ü"));
        let mut last = &root;
        while let Some(below) = last.children.first() {
            last = below;
        }
        let path = &last.place.element;
        assert!(path.len() < 400 && path.starts_with('…'), "{path}");
        assert!(path.ends_with("/body 'one'/body 'one'/z"), "{path}");
    }
}
