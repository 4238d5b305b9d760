//! The fields of MCAP records. Lengths are checked before use, because the library's own parser panics on some
//! truncated records.

use std::collections::BTreeMap;

/// Reads fields one after the other; `None` where they end too early.
pub(super) struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (value, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*value)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    pub fn bytes(&mut self, n: u64) -> Option<&'a [u8]> {
        let (value, rest) = self.0.split_at_checked(usize::try_from(n).ok()?)?;
        self.0 = rest;
        Some(value)
    }

    pub fn text(&mut self) -> Option<&'a str> {
        let n = self.u32()?;
        std::str::from_utf8(self.bytes(u64::from(n))?).ok()
    }
}

/// Profile of the header record.
pub(super) fn profile(body: &[u8]) -> Option<&str> {
    Fields(body).text()
}

/// Name and entries of a metadata record.
pub(super) fn metadata(body: &[u8]) -> Option<(&str, BTreeMap<String, String>)> {
    let mut fields = Fields(body);
    let name = fields.text()?;
    let n = fields.u32()?;
    let mut entries = Fields(fields.bytes(u64::from(n))?);
    let mut map = BTreeMap::new();
    while !entries.0.is_empty() {
        map.insert(entries.text()?.to_owned(), entries.text()?.to_owned());
    }
    fields.0.is_empty().then_some((name, map))
}

/// Name and data of an attachment; its checksum is not checked here.
pub(super) fn attachment(body: &[u8]) -> Option<(&str, &[u8])> {
    let mut fields = Fields(body);
    let _log_time = fields.u64()?;
    let _create_time = fields.u64()?;
    let name = fields.text()?;
    let _media_type = fields.text()?;
    let n = fields.u64()?;
    let data = fields.bytes(n)?;
    let _crc = fields.u32()?;
    fields.0.is_empty().then_some((name, data))
}

/// Number and topic of a channel.
pub(super) fn channel(body: &[u8]) -> Option<(u16, &str)> {
    let mut fields = Fields(body);
    let id = fields.u16()?;
    let _schema = fields.u16()?;
    Some((id, fields.text()?))
}

/// Whether a message index has the length it states.
pub(super) fn is_message_index(body: &[u8]) -> bool {
    let mut fields = Fields(body);
    let _channel = fields.u16();
    fields.u32().is_some_and(|n| n as usize == fields.0.len())
}

/// The head of a chunk record.
pub(super) struct ChunkHead<'a> {
    pub uncompressed: u64,
    pub crc: u32,
    pub compression: &'a str,
    /// Size of the head itself.
    pub size: u64,
    pub compressed: u64,
}

/// The head of a chunk record that is consistent with the record's length. `body` may contain only the head.
pub(super) fn chunk_head(body: &[u8], length: u64) -> Option<ChunkHead<'_>> {
    let mut fields = Fields(body);
    let _times = (fields.u64()?, fields.u64()?);
    let (uncompressed, crc) = (fields.u64()?, fields.u32()?);
    let compression = fields.text()?;
    let compressed = fields.u64()?;
    let size = 40 + compression.len() as u64;
    let whole = size.checked_add(compressed)? == length;
    let known = ["", "lz4", "zstd"].contains(&compression);
    (whole && known).then_some(ChunkHead {
        uncompressed,
        crc,
        compression,
        size,
        compressed,
    })
}

/// Enough bytes for the head of any chunk record that passes [`chunk_head`].
pub(super) const CHUNK_HEAD: usize = 44;
