//! Files that are cut off or have wrong bits: an error or what is right, never a panic, never a wrong step.

mod support;

use linkwork_record::{Compression, RecordError, RecordOptions, Recording, StepRecord};
use support::{Random, Recorded, Scratch, record, same};

/// Some steps in a few small chunks.
fn small(name: &str, compression: Compression, steps: u64) -> (Scratch, Vec<u8>, Recorded) {
    let file = Scratch::new(name);
    let options = RecordOptions::with(|s| {
        s.compression = compression;
        s.chunk_bytes = 500 * steps as usize;
    });
    let recorded = record(&file.0, "nunchuk", &[], (700, steps), options);
    let bytes = std::fs::read(&file.0).unwrap();
    (file, bytes, recorded)
}

/// Every step that is read is one of the originals, by its number.
fn check_steps(recording: &Recording, originals: &[StepRecord], what: &str) {
    for i in 0..recording.len() {
        let number = recording.step_number(i).unwrap() as usize;
        let step = recording.step(i).unwrap();
        assert!(same(&step, &originals[number]), "{what}: step {i} is wrong");
    }
}

#[test]
fn a_file_cut_off_at_any_byte_yields_a_prefix_or_a_clear_error() {
    for (compression, steps) in [(Compression::None, 20), (Compression::Zstd, 5)] {
        let name = format!("cut-{compression:?}.lwrec");
        let (file, bytes, recorded) = small(&name, compression, steps);
        let (mut refused, mut lengths) = (0, Vec::new());
        // Ever shorter, as that is quickly done to a file.
        for cut in (0..bytes.len()).rev() {
            let shorter = std::fs::File::options().write(true).open(&file.0);
            shorter.unwrap().set_len(cut as u64).unwrap();
            match Recording::open(&file.0) {
                Ok(recording) => {
                    assert!(!recording.complete(), "cut at {cut}");
                    assert_eq!(refused, 0, "the head is whole, cut at {cut}");
                    assert!(recording.warning().is_some());
                    assert!(recording.lost_bytes() <= cut as u64);
                    let numbers = (0..recording.len()).map(|i| recording.step_number(i).unwrap());
                    assert!(
                        numbers.eq(0..recording.len() as u64),
                        "a prefix, cut at {cut}"
                    );
                    // Every number of steps is looked at once.
                    if lengths.last() != Some(&recording.len()) {
                        check_steps(&recording, &recorded.steps, &format!("cut at {cut}"));
                    }
                    lengths.push(recording.len());
                }
                Err(RecordError::Head { part, .. }) => {
                    assert!(!part.is_empty());
                    refused += 1;
                }
                Err(other) => panic!("cut at {cut}: {other}"),
            }
        }
        assert!(lengths.is_sorted_by(|a, b| a >= b) && lengths[0] as u64 == steps + 1);
        let different = lengths.chunk_by(|a, b| a == b).count();
        assert!(different > 3, "several chunks: {different}");
        println!(
            "{} cuts: {refused} in the head, {} open",
            bytes.len(),
            lengths.len()
        );
    }
}

#[test]
fn wrong_bits_never_give_a_wrong_step() {
    for (compression, seed) in [
        (Compression::None, 1),
        (Compression::Lz4, 2),
        (Compression::Zstd, 3),
    ] {
        let (file, bytes, recorded) =
            small(&format!("bits-{compression:?}.lwrec"), compression, 20);
        let mut random = Random(seed);
        let (mut refused, mut partial, mut whole) = (0, 0, 0);
        for _ in 0..2000 {
            let mut damaged = bytes.clone();
            let at = random.below(bytes.len() as u64) as usize;
            damaged[at] ^= 1 << random.below(8);
            std::fs::write(&file.0, &damaged).unwrap();
            match Recording::open(&file.0) {
                Ok(recording) => {
                    check_steps(&recording, &recorded.steps, &format!("byte {at}"));
                    match recording.len() {
                        21 => whole += 1,
                        _ => {
                            assert!(!recording.complete(), "a loss is told, byte {at}");
                            assert!(recording.lost_bytes() > 0);
                            partial += 1;
                        }
                    }
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
        println!(
            "{compression:?}: {refused} refused, {partial} with a loss, {whole} with all steps"
        );
        assert!(partial > 500 && refused > 100 && whole > 50);
    }
}

#[test]
fn a_damaged_length_costs_one_chunk() {
    let (file, mut bytes, recorded) = small("length.lwrec", Compression::None, 20);
    std::fs::write(&file.0, &bytes).unwrap();
    let chunks = Recording::open(&file.0).unwrap().chunks();
    // Chunks begin with their opcode and length; the first holds the channels, the second steps.
    let is_chunk = |w: &[u8]| w[0] == 6 && w[4..9] == [0; 5] && w[37..41] == [0; 4];
    let starts: Vec<_> = (0..bytes.len() - 60)
        .filter(|&i| is_chunk(&bytes[i..]))
        .collect();
    assert!(starts.len() >= chunks, "{} of {chunks}", starts.len());
    bytes[starts[1] + 3] ^= 0x10;
    std::fs::write(&file.0, &bytes).unwrap();
    let recording = Recording::open(&file.0).unwrap();
    assert_eq!(recording.chunks(), chunks - 1, "{:?}", recording.losses());
    assert!(!recording.is_empty() && recording.step_number(0).unwrap() > 0);
    check_steps(&recording, &recorded.steps, "damaged length");
    let warning = recording.warning().unwrap();
    assert!(warning.contains("damaged"), "{warning}");
}

#[test]
fn noise_is_no_recording() {
    let (file, bytes, _) = small("noise.lwrec", Compression::None, 20);
    let mut random = Random(4);
    for round in 0..300 {
        // From a random place on, nothing but noise, of up to the length of the file.
        let keep = random.below(bytes.len() as u64) as usize;
        let mut noise = bytes[..keep].to_vec();
        let n = random.below(bytes.len() as u64);
        noise.extend((0..n).map(|_| random.next() as u8));
        std::fs::write(&file.0, &noise).unwrap();
        if let Ok(recording) = Recording::open(&file.0) {
            assert!(!recording.complete(), "round {round}");
            assert!((0..recording.len()).all(|i| recording.step(i).is_ok()));
        }
    }
}

/// A record that claims half a gigabyte, in a file with a hole of that size, is passed over and not read.
#[test]
#[cfg(target_os = "linux")]
fn a_record_above_the_limit_is_not_read_into_memory() {
    let (file, bytes, recorded) = small("huge.lwrec", Compression::None, 10);
    // Behind the magic: an attachment of 3 GB. Then the recording as it was.
    let hole = 3_u64 << 30;
    let mut head = bytes[..8].to_vec();
    head.push(9);
    head.extend(hole.to_le_bytes());
    std::fs::write(&file.0, &head).unwrap();
    let out = std::fs::File::options().write(true).open(&file.0).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&out, &bytes[8..], head.len() as u64 + hole).unwrap();
    let recording = Recording::open(&file.0);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find(|l| l.starts_with("VmHWM")).unwrap();
    let peak: u64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(peak < 1 << 20, "{peak} kB");
    // The head lies behind the hole, where only chunks are looked for.
    match recording {
        Ok(recording) => check_steps(&recording, &recorded.steps, "behind the hole"),
        Err(error) => assert!(matches!(error, RecordError::Head { .. }), "{error}"),
    }
}
