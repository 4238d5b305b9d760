//! An evenly spread selection of a few items from a stream of unknown length.

/// Keeps at most `most` of the items offered, every 2ᵏ-th. When it is full, every second one is dropped and the stride
/// is doubled, so that between `most`/2 and `most` remain for any length.
#[derive(Clone, Debug)]
pub(crate) struct Spread<T> {
    items: Vec<T>,
    most: usize,
    stride: u64,
    offered: u64,
}

impl<T> Spread<T> {
    /// Of at most `most` items, at least two.
    pub fn new(most: usize) -> Self {
        Self {
            items: Vec::new(),
            most: most.max(2),
            stride: 1,
            offered: 0,
        }
    }

    /// Offer an item, which is made only if it is kept.
    pub fn offer(&mut self, make: impl FnOnce() -> T) {
        if self.offered.is_multiple_of(self.stride) {
            if self.items.len() == self.most {
                let mut at = 0;
                self.items.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
                self.stride *= 2;
            }
            if self.offered.is_multiple_of(self.stride) {
                self.items.push(make());
            }
        }
        self.offered += 1;
    }

    /// What was kept, in the order offered.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}

/// `n` of the indices below `len`, evenly spread with both ends; all where there are fewer.
pub(crate) fn evenly(len: usize, n: usize) -> Vec<usize> {
    match n {
        _ if n >= len => (0..len).collect(),
        0 => Vec::new(),
        1 => vec![len / 2],
        _ => (0..n).map(|i| i * (len - 1) / (n - 1)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_evenly_spread_however_many_come() {
        for count in [0, 1, 7, 8, 9, 100, 1000] {
            let mut spread = Spread::new(8);
            (0..count).for_each(|i| spread.offer(|| i));
            let items = spread.into_items();
            assert!(items.len() <= 8 && items.len() >= count.min(4), "{count}");
            let gap = items.get(1).copied().unwrap_or(1);
            assert!(items.windows(2).all(|w| w[1] - w[0] == gap));
            assert!(items.last().is_none_or(|last| count - last <= gap));
        }
    }

    #[test]
    fn indices_are_spread_with_both_ends() {
        assert_eq!(evenly(10, 4), [0, 3, 6, 9]);
        assert_eq!(evenly(3, 4), [0, 1, 2]);
        assert_eq!(evenly(5, 1), [2]);
        assert_eq!(evenly(5, 0), [0; 0]);
    }
}
