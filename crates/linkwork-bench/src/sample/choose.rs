//! How many samples of each kind.

/// Shares of at most `most` among kinds with the available `counts`: equal, except for kinds that have fewer, whose
/// remainder goes to the others.
pub(super) fn shares(counts: &[usize], most: usize) -> Vec<usize> {
    let mut shares = vec![0; counts.len()];
    let mut left = most.min(counts.iter().sum());
    while left > 0 {
        for (share, &count) in shares.iter_mut().zip(counts) {
            if *share < count && left > 0 {
                *share += 1;
                left -= 1;
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn rare_kinds_are_taken_whole_and_the_others_share_the_rest() {
        assert_eq!(shares(&[100, 2, 100], 12), [5, 2, 5]);
        assert_eq!(shares(&[3, 2], 12), [3, 2]);
        assert_eq!(shares(&[9, 9], 3), [2, 1]);
        assert_eq!(shares(&[], 3), [0; 0]);
    }
}
