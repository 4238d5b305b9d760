//! How to record.

/// Compression of the chunks of a recording. Mantissas of a simulation compress badly, and the compression shares the
/// processor with the simulation: see `docs/guide/recording.md` for numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// None.
    #[default]
    None,
    /// LZ4: to about three quarters.
    Lz4,
    /// Zstandard: to about one half.
    Zstd,
}

impl Compression {
    pub(crate) fn of_mcap(self) -> Option<mcap::Compression> {
        match self {
            Compression::None => None,
            Compression::Lz4 => Some(mcap::Compression::Lz4),
            Compression::Zstd => Some(mcap::Compression::Zstd),
        }
    }

    /// The fastest level: mantissas hardly compress better with more effort.
    pub(crate) fn level(self) -> u32 {
        u32::from(self == Compression::Zstd)
    }
}

/// How to record.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct RecordOptions {
    /// Record one step of so many, at least 1.
    pub every: u32,
    /// Compression of the chunks.
    pub compression: Compression,
    /// Size of a chunk before compression, bytes. A crash loses at most the incomplete chunk.
    pub chunk_bytes: usize,
    /// Wall time after which a chunk is written even if it is small, s.
    pub chunk_seconds: f64,
    /// Also write `/tf` and `/scene`, so that Foxglove's 3D panel shows the bodies.
    pub foxglove: bool,
    /// Steps that the run had taken before, if it was resumed.
    pub first_step: u64,
}

impl Default for RecordOptions {
    fn default() -> Self {
        Self {
            every: 1,
            compression: Compression::default(),
            chunk_bytes: 1 << 20,
            chunk_seconds: 0.5,
            foxglove: false,
            first_step: 0,
        }
    }
}

impl RecordOptions {
    /// The default ones with changes: `RecordOptions::with(|s| s.every = 10)`.
    pub fn with(change: impl FnOnce(&mut Self)) -> Self {
        let mut settings = Self::default();
        change(&mut settings);
        settings
    }
}
