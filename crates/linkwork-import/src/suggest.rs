//! The nearest known word to a misspelt one.

/// The candidate within a third of its letters of `word`, nearest first; `None` if none is near.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    known
        .into_iter()
        .map(|k| (distance(&lower, &k.to_lowercase()), k))
        .filter(|(d, k)| 3 * d <= k.len().max(3))
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}

/// `did you mean 'x'?`, or the whole list if no word is near.
pub fn remedy(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("choose one of {}", known.join(", ")),
    }
}

/// Levenshtein distance of two short words.
fn distance(a: &str, b: &str) -> usize {
    // Long words are not misspellings of names of a few letters.
    if a.len() > 64 || b.len() > 64 {
        return usize::MAX / 4;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let here = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = here.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_slip_and_not_a_stranger() {
        let known = ["hinge", "slide", "ball", "free"];
        assert_eq!(nearest("hing", known), Some("hinge"));
        assert_eq!(nearest("Slyde", known), Some("slide"));
        assert_eq!(nearest("revolute", known), None);
        assert!(remedy("revolute", &known).contains("slide"));
    }
}
