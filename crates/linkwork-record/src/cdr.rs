//! Common Data Representation, little-endian (XCDR1), as ROS 2 writes messages: a 4-byte encapsulation
//! header, then every number aligned to its own size, counted from behind the header. An empty
//! sequence is its length alone, without padding for elements it does not have.

/// Encapsulation header: CDR, little-endian, no options.
const HEADER: [u8; 4] = [0, 1, 0, 0];

/// Appends one message to a buffer.
pub(crate) struct Encoder<'a> {
    out: &'a mut Vec<u8>,
    /// Where alignment is counted from.
    origin: usize,
}

impl<'a> Encoder<'a> {
    /// Start a message behind what `out` holds.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        out.extend_from_slice(&HEADER);
        let origin = out.len();
        Self { out, origin }
    }

    #[inline]
    fn align(&mut self, size: usize) {
        let used = (self.out.len() - self.origin) % size;
        if used > 0 {
            self.out.extend_from_slice(&[0; 8][..size - used]);
        }
    }

    /// A byte.
    pub fn u8(&mut self, x: u8) {
        self.out.push(x);
    }

    /// A 32-bit count.
    pub fn u32(&mut self, x: u32) {
        self.align(4);
        self.out.extend_from_slice(&x.to_le_bytes());
    }

    /// A 32-bit integer with sign.
    pub fn i32(&mut self, x: i32) {
        self.u32(x.cast_unsigned());
    }

    /// A 64-bit count.
    pub fn u64(&mut self, x: u64) {
        self.align(8);
        self.out.extend_from_slice(&x.to_le_bytes());
    }

    /// A number, every bit of it.
    pub fn f64(&mut self, x: f64) {
        self.u64(x.to_bits());
    }

    /// A number in single precision.
    pub fn f32(&mut self, x: f32) {
        self.u32(x.to_bits());
    }

    /// Text, which CDR ends with a zero byte.
    pub fn string(&mut self, text: &str) {
        self.u32(text.len() as u32 + 1);
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(0);
    }

    /// The length of a sequence whose elements follow.
    pub fn length(&mut self, n: usize) {
        self.u32(n as u32);
    }

    /// A sequence of numbers, given in groups of K.
    pub fn numbers<const K: usize>(&mut self, groups: impl ExactSizeIterator<Item = [f64; K]>) {
        self.sequence(groups.map(|group| group.map(f64::to_le_bytes)));
    }

    /// A sequence of 32-bit counts.
    pub fn counts(&mut self, values: impl ExactSizeIterator<Item = u32>) {
        self.sequence(values.map(|x| [x.to_le_bytes()]));
    }

    /// A sequence of 64-bit counts.
    pub fn long_counts(&mut self, values: impl ExactSizeIterator<Item = u64>) {
        self.sequence(values.map(|x| [x.to_le_bytes()]));
    }

    /// A sequence of elements of N bytes, K at a time: memory is reserved once, so that the loop is little more than a
    /// copy.
    fn sequence<const K: usize, const N: usize>(
        &mut self,
        groups: impl ExactSizeIterator<Item = [[u8; N]; K]>,
    ) {
        let n = K * groups.len();
        self.length(n);
        if n == 0 {
            return;
        }
        self.align(N);
        let start = self.out.len();
        self.out.resize(start + N * n, 0);
        let (elements, _) = self.out[start..].as_chunks_mut::<N>();
        let (slots, _) = elements.as_chunks_mut::<K>();
        for (slot, group) in slots.iter_mut().zip(groups) {
            *slot = group;
        }
    }
}

/// Bytes that are not a valid message.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CdrError {
    /// The encapsulation is not little-endian CDR.
    #[error("the message is not in little-endian CDR")]
    Encapsulation,
    /// The message ends before its fields do.
    #[error("the message ends within a field, at byte {0}")]
    Short(usize),
}

/// Reads one message. Any bytes lead to a value or an error, and nothing is allocated beyond the size of the bytes.
pub(crate) struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Decoder<'a> {
    /// A message with its encapsulation header.
    pub fn new(message: &'a [u8]) -> Result<Self, CdrError> {
        match message.split_first_chunk::<4>() {
            Some((&HEADER, bytes)) => Ok(Self { bytes, at: 0 }),
            _ => Err(CdrError::Encapsulation),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], CdrError> {
        let at = self.at.next_multiple_of(N);
        let rest = self.bytes.get(at..).ok_or(CdrError::Short(at))?;
        let value = rest.first_chunk::<N>().ok_or(CdrError::Short(at))?;
        self.at = at + N;
        Ok(*value)
    }

    /// Whether the end is reached.
    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// A byte.
    pub fn u8(&mut self) -> Result<u8, CdrError> {
        Ok(self.take::<1>()?[0])
    }

    /// A 32-bit count.
    pub fn u32(&mut self) -> Result<u32, CdrError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// A 64-bit count.
    pub fn u64(&mut self) -> Result<u64, CdrError> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    /// A number.
    pub fn f64(&mut self) -> Result<f64, CdrError> {
        Ok(f64::from_bits(self.u64()?))
    }

    /// A sequence of numbers.
    pub fn numbers(&mut self) -> Result<Vec<f64>, CdrError> {
        self.sequence(|bytes| f64::from_bits(u64::from_le_bytes(bytes)))
    }

    /// A sequence of 32-bit counts.
    pub fn counts(&mut self) -> Result<Vec<u32>, CdrError> {
        self.sequence(u32::from_le_bytes)
    }

    /// A sequence of 64-bit counts.
    pub fn long_counts(&mut self) -> Result<Vec<u64>, CdrError> {
        self.sequence(u64::from_le_bytes)
    }

    fn sequence<const N: usize, T>(
        &mut self,
        value: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, CdrError> {
        let n = self.u32()? as usize;
        if n == 0 {
            return Ok(Vec::new());
        }
        let at = self.at.next_multiple_of(N);
        let rest = self.bytes.get(at..).ok_or(CdrError::Short(at))?;
        let bytes = n.checked_mul(N).and_then(|size| rest.get(..size));
        let (elements, _) = bytes.ok_or(CdrError::Short(at))?.as_chunks::<N>();
        self.at = at + n * N;
        Ok(elements.iter().map(|e| value(*e)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes ROS 2 has for these values, written out by hand.
    #[test]
    fn numbers_are_aligned_from_behind_the_header() {
        let mut out = vec![9; 3];
        let mut e = Encoder::new(&mut out);
        e.u8(7);
        e.u32(1);
        e.numbers::<1>([].into_iter());
        e.numbers([[1.0]].into_iter());
        e.string("ab");
        let expected = [
            &[9, 9, 9, 0, 1, 0, 0][..],
            &[7, 0, 0, 0, 1, 0, 0, 0],
            &[0, 0, 0, 0, 1, 0, 0, 0],
            &1.0_f64.to_le_bytes(),
            &[3, 0, 0, 0, b'a', b'b', 0],
        ];
        assert_eq!(out, expected.concat());
        let mut d = Decoder::new(&out[3..]).unwrap();
        assert_eq!((d.u8(), d.u32()), (Ok(7), Ok(1)));
        assert_eq!((d.numbers(), d.numbers()), (Ok(vec![]), Ok(vec![1.0])));
        assert_eq!(d.u32(), Ok(3));
    }

    #[test]
    fn a_length_beyond_the_message_is_refused_before_it_is_believed() {
        let mut out = Vec::new();
        Encoder::new(&mut out).u32(u32::MAX);
        assert_eq!(
            Decoder::new(&out).unwrap().numbers(),
            Err(CdrError::Short(8))
        );
        assert_eq!(Decoder::new(&[0, 1]).err(), Some(CdrError::Encapsulation));
        assert_eq!(Decoder::new(&HEADER).unwrap().u8(), Err(CdrError::Short(0)));
    }
}
