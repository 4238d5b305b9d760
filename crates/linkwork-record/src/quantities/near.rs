//! Suggestions for mistyped names.

/// Names given at most.
const MOST: usize = 6;

/// The names nearest to `name`, the nearest first.
pub(super) fn nearest<'a>(name: &str, all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut ranked: Vec<(usize, &str)> = all.map(|n| (distance(name, n), n)).collect();
    ranked.sort_by_key(|(distance, _)| *distance);
    ranked
        .into_iter()
        .take(MOST)
        .map(|(_, name)| name)
        .collect()
}

/// Number of letters to insert, delete or replace to get from `a` to `b` (Levenshtein), ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.chars().enumerate() {
            let exchanged = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        let names = ["energy", "kinetic", "closure_error", "A.angle"];
        assert_eq!(nearest("enrgy", names.into_iter())[0], "energy");
        assert_eq!(nearest("a.angel", names.into_iter())[0], "A.angle");
    }
}
