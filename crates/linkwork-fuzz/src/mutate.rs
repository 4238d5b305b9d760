//! Damage: what editors, broken disks and hostile people do to a file. Everything follows from the seed of the generator.

/// Marsaglia's xorshift64*.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// From any seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Uniform in 0..n; 0 if n is 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 {
            return 0;
        }
        (self.next() >> 11) as usize % n
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Words that mean something in some format, and numbers at the edges.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "1e308",
    "-1e-320",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "99999999999999999999",
    "4294967295",
    "2147483648",
    "65536",
    "true",
    "null",
    "\"",
    "'",
    "<",
    "</",
    "/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&amp;",
    "&#0;",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "- ",
    ": ",
    "\n",
    "\t",
    "\0",
    "#",
    "../../../etc/passwd",
    "file:///dev/zero",
    "/dev/stdin",
    "é",
    "\u{202e}",
];

/// A damaged copy of `seed`, at most `longest` bytes; `other` is what pieces are taken from.
pub fn damage(seed: &[u8], other: &[u8], longest: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + random.below(6) {
        once(&mut bytes, other, random);
        bytes.truncate(longest);
    }
    bytes
}

fn once(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let end = (at + 1 + random.below(16)).min(bytes.len());
    match random.below(11) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
        2 => bytes.insert(at, random.below(256) as u8),
        3 => drop(bytes.drain(at..end)),
        4 => insert(bytes, at, random.pick(WORDS).as_bytes()),
        5 => replace_number(bytes, at, random),
        // A piece of the same input once more.
        6 => {
            let piece = bytes[at..(at + random.below(256)).min(bytes.len())].to_vec();
            let to = random.below(bytes.len() + 1);
            insert(bytes, to, &piece);
        }
        // A piece of another.
        7 => {
            let from = random.below(other.len());
            let piece = &other[from..(from + random.below(128)).min(other.len())];
            insert(bytes, at, piece);
        }
        // Little-endian counts and offsets at the edges.
        8 if at + 4 <= bytes.len() => {
            let edge = [
                0u32,
                1,
                0x7fff_ffff,
                0x8000_0000,
                u32::MAX,
                0x0100_0000,
                1 << 16,
            ];
            bytes[at..at + 4].copy_from_slice(&random.pick(&edge).to_le_bytes());
        }
        9 if random.below(4) == 0 => bytes.truncate(at),
        _ => replace_word(bytes, at, random),
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// Another number in place of the one after `at`.
fn replace_number(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let digit = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+');
    let Some(start) = bytes[at..].iter().position(digit).map(|i| at + i) else {
        return;
    };
    let len = bytes[start..].iter().take_while(|b| digit(b)).count();
    let number = random.pick(&WORDS[..12]);
    bytes.splice(start..start + len, number.bytes());
}

/// A word of the input in place of the one after `at`.
fn replace_word(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let word = |from: usize, bytes: &[u8]| {
        let start = from + bytes[from..].iter().position(u8::is_ascii_alphabetic)?;
        let len = bytes[start..]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric());
        Some(start..start + len.count())
    };
    let from = random.below(bytes.len() + 1);
    if let (Some(to), Some(source)) = (word(at, bytes), word(from, bytes)) {
        let source = bytes[source].to_vec();
        bytes.splice(to, source);
    }
}
