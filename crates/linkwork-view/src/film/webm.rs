//! WebM: a film of one video track in the container Matroska (RFC 9559), with the parts that players need.
//!
//! An element is an identifier, the size of its content, and the content. The index (`Cues`) comes before the pictures,
//! so that a player can seek without reading the whole file. Its entries have a fixed size, so their number determines
//! the positions of the pictures.

/// Identifiers of elements.
mod id {
    pub const EBML: u32 = 0x1a45_dfa3;
    pub const EBML_VERSION: u32 = 0x4286;
    pub const EBML_READ_VERSION: u32 = 0x42f7;
    pub const EBML_MAX_ID_LENGTH: u32 = 0x42f2;
    pub const EBML_MAX_SIZE_LENGTH: u32 = 0x42f3;
    pub const DOC_TYPE: u32 = 0x4282;
    pub const DOC_TYPE_VERSION: u32 = 0x4287;
    pub const DOC_TYPE_READ_VERSION: u32 = 0x4285;
    pub const SEGMENT: u32 = 0x1853_8067;
    pub const INFO: u32 = 0x1549_a966;
    pub const TIMESTAMP_SCALE: u32 = 0x2a_d7b1;
    pub const DURATION: u32 = 0x4489;
    pub const MUXING_APP: u32 = 0x4d80;
    pub const WRITING_APP: u32 = 0x5741;
    pub const TRACKS: u32 = 0x1654_ae6b;
    pub const TRACK_ENTRY: u32 = 0xae;
    pub const TRACK_NUMBER: u32 = 0xd7;
    pub const TRACK_UID: u32 = 0x73c5;
    pub const TRACK_TYPE: u32 = 0x83;
    pub const CODEC_ID: u32 = 0x86;
    pub const VIDEO: u32 = 0xe0;
    pub const PIXEL_WIDTH: u32 = 0xb0;
    pub const PIXEL_HEIGHT: u32 = 0xba;
    pub const CUES: u32 = 0x1c53_bb6b;
    pub const CUE_POINT: u32 = 0xbb;
    pub const CUE_TIME: u32 = 0xb3;
    pub const CUE_TRACK_POSITIONS: u32 = 0xb7;
    pub const CUE_TRACK: u32 = 0xf7;
    pub const CUE_CLUSTER_POSITION: u32 = 0xf1;
    pub const CLUSTER: u32 = 0x1f43_b675;
    pub const TIMESTAMP: u32 = 0xe7;
    pub const SIMPLE_BLOCK: u32 = 0xa3;
}

/// The one track.
const TRACK: u8 = 1;
/// Times are in ms: ns per unit.
const SCALE_NS: u64 = 1_000_000;
/// Maximum time of a block from the start of its cluster, ms: 16 bits with sign.
const LONGEST_MS: u64 = i16::MAX as u64;

/// A compressed picture.
pub struct Chunk {
    /// It can be decoded without the ones before.
    pub key: bool,
    /// From the start of the film, ms.
    pub time_ms: u64,
    pub data: Vec<u8>,
}

/// Pictures from a key frame to the next.
struct Cluster {
    start_ms: u64,
    blocks: Vec<u8>,
}

/// A film in memory.
pub struct WebM {
    size: (u32, u32),
    clusters: Vec<Cluster>,
}

impl WebM {
    /// An empty film of VP9 pictures with this width and height.
    pub fn new(size: (u32, u32)) -> Self {
        Self {
            size,
            clusters: Vec::new(),
        }
    }

    /// Width and height, pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Append a picture.
    pub fn add(&mut self, chunk: Chunk) {
        let fits = |c: &Cluster| chunk.time_ms - c.start_ms <= LONGEST_MS;
        if chunk.key || !self.clusters.last().is_some_and(fits) {
            self.clusters.push(Cluster {
                start_ms: chunk.time_ms,
                blocks: Vec::new(),
            });
        }
        if let Some(cluster) = self.clusters.last_mut() {
            let after = (chunk.time_ms - cluster.start_ms) as i16;
            let mut block = vec![0x80 | TRACK];
            block.extend(after.to_be_bytes());
            block.push(if chunk.key { 0x80 } else { 0 });
            block.extend(chunk.data);
            put(&mut cluster.blocks, id::SIMPLE_BLOCK, &block);
        }
    }

    /// The file, of a film that lasts so long.
    pub fn bytes(&self, duration_ms: f64) -> Vec<u8> {
        let mut info = Vec::new();
        put_number(&mut info, id::TIMESTAMP_SCALE, SCALE_NS);
        put(&mut info, id::DURATION, &duration_ms.to_be_bytes());
        put(&mut info, id::MUXING_APP, b"linkwork");
        put(&mut info, id::WRITING_APP, b"linkwork");
        let mut front = Vec::new();
        put(&mut front, id::INFO, &info);
        put(&mut front, id::TRACKS, &self.track());

        let clusters: Vec<Vec<u8>> = self.clusters.iter().map(cluster).collect();
        // The positions of the clusters depend on the length of the index, not on its content.
        let unknown = vec![0; clusters.len()];
        let mut at = front.len() + self.cues(&unknown).len();
        let mut places = Vec::new();
        for cluster in &clusters {
            places.push(at as u64);
            at += cluster.len();
        }
        let mut segment = front;
        segment.extend(self.cues(&places));
        segment.extend(clusters.concat());

        let mut file = Vec::new();
        put(&mut file, id::EBML, &header());
        put(&mut file, id::SEGMENT, &segment);
        file
    }

    fn track(&self) -> Vec<u8> {
        let mut video = Vec::new();
        put_number(&mut video, id::PIXEL_WIDTH, u64::from(self.size.0));
        put_number(&mut video, id::PIXEL_HEIGHT, u64::from(self.size.1));
        let mut entry = Vec::new();
        put_number(&mut entry, id::TRACK_NUMBER, u64::from(TRACK));
        put_number(&mut entry, id::TRACK_UID, u64::from(TRACK));
        // 1 is video.
        put_number(&mut entry, id::TRACK_TYPE, 1);
        put(&mut entry, id::CODEC_ID, b"V_VP9");
        put(&mut entry, id::VIDEO, &video);
        let mut track = Vec::new();
        put(&mut track, id::TRACK_ENTRY, &entry);
        track
    }

    /// The index, with the position of each cluster from the start of the segment's content.
    fn cues(&self, places: &[u64]) -> Vec<u8> {
        let mut all = Vec::new();
        for (cluster, &place) in self.clusters.iter().zip(places) {
            let mut positions = Vec::new();
            put_number(&mut positions, id::CUE_TRACK, u64::from(TRACK));
            put_number(&mut positions, id::CUE_CLUSTER_POSITION, place);
            let mut point = Vec::new();
            put_number(&mut point, id::CUE_TIME, cluster.start_ms);
            put(&mut point, id::CUE_TRACK_POSITIONS, &positions);
            put(&mut all, id::CUE_POINT, &point);
        }
        let mut cues = Vec::new();
        put(&mut cues, id::CUES, &all);
        cues
    }
}

fn header() -> Vec<u8> {
    let mut header = Vec::new();
    put_number(&mut header, id::EBML_VERSION, 1);
    put_number(&mut header, id::EBML_READ_VERSION, 1);
    put_number(&mut header, id::EBML_MAX_ID_LENGTH, 4);
    put_number(&mut header, id::EBML_MAX_SIZE_LENGTH, 8);
    put(&mut header, id::DOC_TYPE, b"webm");
    put_number(&mut header, id::DOC_TYPE_VERSION, 4);
    put_number(&mut header, id::DOC_TYPE_READ_VERSION, 2);
    header
}

fn cluster(cluster: &Cluster) -> Vec<u8> {
    let mut content = Vec::new();
    put_number(&mut content, id::TIMESTAMP, cluster.start_ms);
    content.extend(&cluster.blocks);
    let mut out = Vec::new();
    put(&mut out, id::CLUSTER, &content);
    out
}

/// Append an element. Its size is written in eight bytes: 0x01 and 56 bits.
fn put(out: &mut Vec<u8>, id: u32, content: &[u8]) {
    let bytes = id.to_be_bytes();
    let skip = bytes.iter().take_while(|&&b| b == 0).count();
    out.extend(&bytes[skip..]);
    let size = (1 << 56) | content.len() as u64;
    out.extend(size.to_be_bytes());
    out.extend(content);
}

/// Append an element with a whole number, always in eight bytes.
fn put_number(out: &mut Vec<u8>, id: u32, value: u64) {
    put(out, id, &value.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elements of a content: identifier, where the content starts, content.
    fn elements(content: &[u8]) -> Vec<(u32, usize, &[u8])> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < content.len() {
            let length = content[at].leading_zeros() as usize + 1;
            let id = content[at..at + length].iter();
            let id = id.fold(0, |id, &b| (id << 8) | u32::from(b));
            at += length;
            let size = u64::from_be_bytes(content[at..at + 8].try_into().unwrap()) & !(1 << 56);
            at += 8;
            found.push((id, at, &content[at..at + size as usize]));
            at += size as usize;
        }
        found
    }

    fn part(content: &[u8], wanted: u32) -> &[u8] {
        let found = elements(content).into_iter().find(|e| e.0 == wanted);
        found.expect("the element is there").2
    }

    fn number(content: &[u8]) -> u64 {
        u64::from_be_bytes(content.try_into().unwrap())
    }

    #[test]
    fn the_index_leads_to_the_clusters() {
        let mut film = WebM::new((640, 360));
        for i in 0..10_u64 {
            film.add(Chunk {
                key: i % 4 == 0,
                time_ms: 40 * i,
                data: vec![i as u8; 100],
            });
        }
        let file = film.bytes(400.0);
        assert_eq!(part(part(&file, id::EBML), id::DOC_TYPE), b"webm");
        let segment = part(&file, id::SEGMENT);
        let duration = part(part(segment, id::INFO), id::DURATION);
        assert_eq!(f64::from_be_bytes(duration.try_into().unwrap()), 400.0);

        let cues = elements(part(segment, id::CUES));
        assert_eq!(cues.len(), 3);
        for (i, (_, _, cue)) in cues.into_iter().enumerate() {
            let place = part(part(cue, id::CUE_TRACK_POSITIONS), id::CUE_CLUSTER_POSITION);
            let there = elements(&segment[number(place) as usize..])[0];
            assert_eq!(there.0, id::CLUSTER);
            let start = number(part(there.2, id::TIMESTAMP));
            assert_eq!(start, 160 * i as u64);
            assert_eq!(number(part(cue, id::CUE_TIME)), start);
            // Track, time within the cluster, key flag, data.
            let block = part(there.2, id::SIMPLE_BLOCK);
            assert_eq!(block[..4], [0x81, 0, 0, 0x80]);
            assert_eq!(block[4..], [4 * i as u8; 100]);
        }
    }

    #[test]
    fn a_long_stretch_without_key_frames_is_cut() {
        let mut film = WebM::new((64, 64));
        for time_ms in [0, 30_000, 60_000, 90_000] {
            film.add(Chunk {
                key: time_ms == 0,
                time_ms,
                data: vec![1],
            });
        }
        let starts: Vec<u64> = film.clusters.iter().map(|c| c.start_ms).collect();
        assert_eq!(starts, [0, 60_000]);
    }
}
