//! Times as people write them.

/// A time (s) without the last digits of a sum of steps, for texts and tables: 10 significant digits.
pub fn plain_time(time: f64) -> f64 {
    let text = format!("{time:.9e}");
    text.parse().unwrap_or(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_steps_become_multiples() {
        let mut time = 0.0;
        for step in 1..100_000_u32 {
            time += 1e-3;
            let exact: f64 = format!("{}.{:03}", step / 1000, step % 1000)
                .parse()
                .unwrap();
            assert_eq!(plain_time(time), exact);
        }
        assert_eq!(plain_time(0.0), 0.0);
        assert_eq!(plain_time(0.010000000000000002), 0.01);
        assert!(plain_time(f64::NAN).is_nan());
    }
}
