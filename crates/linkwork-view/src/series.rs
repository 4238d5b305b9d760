//! Long curves reduced to fewer points without visible change.

/// At most `most` (≥ 2) points of a curve, with the extremes of every part of it.
pub fn thin(t: &[f64], y: &[f64], most: usize) -> (Vec<f64>, Vec<f64>) {
    if t.len() <= most {
        return (t.to_vec(), y.to_vec());
    }
    let parts = most / 2;
    let mut points = Vec::with_capacity(most);
    for part in 0..parts {
        let range = part * t.len() / parts..(part + 1) * t.len() / parts;
        points.extend(extremes(y, range));
    }
    let pick = |from: &[f64]| points.iter().map(|&i| from[i]).collect();
    (pick(t), pick(y))
}

/// Indices of minimum and maximum, in order; a part with NaN only has one.
fn extremes(y: &[f64], range: std::ops::Range<usize>) -> impl Iterator<Item = usize> {
    let (mut least, mut greatest) = (range.start, range.start);
    for i in range {
        // A NaN at the start is replaced by the first number.
        let first_number = y[least].is_nan() && !y[i].is_nan();
        if y[i] < y[least] || first_number {
            least = i;
        }
        if y[i] > y[greatest] || first_number {
            greatest = i;
        }
    }
    let (first, second) = (least.min(greatest), least.max(greatest));
    std::iter::once(first).chain((second != first).then_some(second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_curves_stay_as_they_are() {
        let (t, y) = thin(&[0.0, 1.0, 2.0], &[1.0, f64::NAN, 3.0], 3);
        assert_eq!(t, [0.0, 1.0, 2.0]);
        assert!(y[0] == 1.0 && y[1].is_nan() && y[2] == 3.0);
    }

    #[test]
    fn long_curves_keep_their_peaks_and_order() {
        let n = 100_003;
        let t: Vec<f64> = (0..n).map(f64::from).collect();
        let mut y: Vec<f64> = t.iter().map(|t| (0.01 * t).sin()).collect();
        (y[77_777], y[12_345], y[0]) = (50.0, -60.0, f64::NAN);
        let (thin_t, thin_y) = thin(&t, &y, 8000);
        assert!(thin_t.len() <= 8000 && thin_t.len() > 4000);
        assert!(thin_t.is_sorted_by(|a, b| a < b));
        let at = |time: f64| thin_y[thin_t.iter().position(|t| *t == time).unwrap()];
        assert_eq!((at(77_777.0), at(12_345.0)), (50.0, -60.0));
        let kept = thin_t.iter().zip(&thin_y);
        assert!(kept.into_iter().all(|(t, thin)| *thin == y[*t as usize]));
    }

    #[test]
    fn a_part_without_numbers_is_a_gap() {
        let t: Vec<f64> = (0..1000).map(f64::from).collect();
        let y: Vec<f64> = t
            .iter()
            .map(|&t| if t < 500.0 { f64::NAN } else { t })
            .collect();
        let (thin_t, thin_y) = thin(&t, &y, 100);
        assert!(thin_y[0].is_nan() && thin_t[0] == 0.0);
        assert_eq!(thin_y.iter().filter(|y| y.is_nan()).count(), 25);
        assert_eq!(thin_y.last(), Some(&999.0));
    }
}
