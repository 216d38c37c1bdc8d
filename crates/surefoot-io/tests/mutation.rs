//! Broken files by the thousand: whatever the bytes, a loader gives motion or an error, and never much memory.

mod made;

use std::path::Path;
use surefoot::random::{Rng, Seed};
use surefoot_io::gltf::{NewClip, WriteSettings, write_clips};
use surefoot_io::world::{self, WorldSettings};
use surefoot_io::{Import, ImportError, ImportSettings, asf, bvh};

/// Mutants per file and kind; there are a dozen files and six kinds.
const EACH: usize = 500;

fn seeds() -> Vec<(String, Vec<u8>)> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/bvh");
    let mut files: Vec<_> = std::fs::read_dir(assets).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let small = files.into_iter().filter(|path| std::fs::metadata(path).unwrap().len() < 70_000);
    small
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect()
}

/// Reads BVH.
fn try_read(what: &str, bytes: &[u8], settings: &ImportSettings) -> bool {
    check(what, bvh::read(bytes, "mutant", settings)).is_some()
}

/// Checks that what came out holds what it promises.
fn check(what: &str, result: Result<Import, ImportError>) -> Option<Import> {
    match result {
        Ok(import) => {
            for clip in &import.clips {
                assert!(clip.frames() > 0 && clip.rate() > 0.0, "{what}");
                for frame in 0..clip.frames() {
                    for local in clip.frame(frame) {
                        let unit = (local.rotation.length_squared() - 1.0).abs() < 1e-3;
                        assert!(local.is_finite() && unit, "{what}: {local:?}");
                    }
                }
            }
            Some(import)
        }
        Err(error) => {
            assert!(!error.what.is_empty() && error.to_string().len() < 1000, "{what}: {error}");
            None
        }
    }
}

fn tokens(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut tokens = Vec::new();
    let mut start = None;
    for (i, byte) in bytes.iter().enumerate() {
        match (byte.is_ascii_whitespace(), start) {
            (false, None) => start = Some(i),
            (true, Some(from)) => {
                tokens.push(from..i);
                start = None;
            }
            _ => {}
        }
    }
    tokens
}

/// What somebody might find in a broken file where something else should be.
const RUBBISH: [&[u8]; 20] = [
    b"nan",
    b"-inf",
    b"1e999",
    b"-1",
    b"0",
    b"999999999999",
    b"{",
    b"}",
    b"JOINT x {",
    b"CHANNELS 6",
    b"End Site",
    b"MOTION",
    b"Frames:",
    b"ROOT",
    b"1,5",
    b"1.#IND",
    b"\xff\xfe",
    b"\0",
    b"Xrotation",
    b"OFFSET 1e30 0 0",
];

/// One of six kinds of damage.
fn mutant(
    original: &[u8],
    tokens: &[std::ops::Range<usize>],
    kind: usize,
    rubbish: &[&[u8]],
    rng: &mut Rng,
) -> Vec<u8> {
    let mut bytes = original.to_vec();
    match kind {
        // Cut short.
        0 => bytes.truncate(rng.below(bytes.len() + 1)),
        // Bits turned over.
        1 => {
            for _ in 0..=rng.below(8) {
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(8);
            }
        }
        // Two words exchanged.
        2 => {
            let (a, b) = (&tokens[rng.below(tokens.len())], &tokens[rng.below(tokens.len())]);
            let (a, b) = if a.start < b.start { (a, b) } else { (b, a) };
            if a.end <= b.start {
                bytes = [
                    &original[..a.start],
                    &original[b.clone()],
                    &original[a.end..b.start],
                    &original[a.clone()],
                    &original[b.end..],
                ]
                .concat();
            }
        }
        // A word replaced by rubbish; early words more often, they hold the structure.
        3 => {
            let at = &tokens[rng.below(tokens.len()).min(rng.below(tokens.len()))];
            bytes.splice(at.clone(), rubbish[rng.below(rubbish.len())].iter().copied());
        }
        // A piece removed.
        4 => {
            let from = rng.below(bytes.len());
            let to = (from + rng.below(200)).min(bytes.len());
            bytes.drain(from..to);
        }
        // A piece repeated.
        _ => {
            let from = rng.below(bytes.len());
            let to = (from + rng.below(400)).min(bytes.len());
            let piece = bytes[from..to].to_vec();
            bytes.splice(from..from, piece);
        }
    }
    bytes
}

#[test]
fn broken_files_give_motion_or_an_error() {
    let mut rng = Rng::new(Seed(20_261_115)).stream("mutation");
    let settings = [ImportSettings::default(), ImportSettings { partial: true, ..ImportSettings::default() }];
    let (mut read, mut refused) = (0, 0);
    let seeds = seeds();
    assert!(seeds.len() >= 8, "{} seeds", seeds.len());
    for (name, original) in &seeds {
        let tokens = tokens(original);
        for round in 0..EACH {
            for kind in 0..6 {
                let bytes = mutant(original, &tokens, kind, &RUBBISH, &mut rng);
                let what = format!("{name}, kind {kind}, round {round}");
                if try_read(&what, &bytes, &settings[round % 2]) { read += 1 } else { refused += 1 }
            }
        }
    }
    // Both ends must be reached, else the mutants are too tame or too wild to test anything.
    assert!(read > 500 && refused > 2000, "{read} read, {refused} refused");
}

/// What somebody might find in a broken skeleton, motion or world.
const OTHER_RUBBISH: [&[u8]; 22] = [
    b"nan",
    b"-inf",
    b"1e999",
    b"-1",
    b"0",
    b"999999999999",
    b":root",
    b":bonedata",
    b":hierarchy",
    b"begin",
    b"end",
    b"rx rx",
    b"root",
    b"1",
    b"f 1 2 3",
    b"v",
    b"-3/1/1",
    b"\\\n",
    b"1,5",
    b"\xff\xfe",
    b"\0",
    b"(((",
];

#[test]
fn broken_skeletons_motions_and_worlds_give_something_usable_or_an_error() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let read = |name: &str| std::fs::read(assets.join(name)).unwrap();
    let (asf_text, mut amc, mut obj) =
        (read("asfamc/11.asf"), read("asfamc/11_01.amc"), read("worlds/recast_nav_test.obj"));
    let (person, _) = asf::parse(&asf_text).unwrap();
    // A few frames; and points and faces without the normals.
    amc.truncate(amc.windows(5).position(|w| w == b"\r\n6\r\n").unwrap() + 2);
    obj = obj
        .split(|b| *b == b'\n')
        .filter(|l| !l.starts_with(b"vn") && !l.starts_with(b"vt"))
        .collect::<Vec<_>>()
        .join(&b'\n');
    let mut rng = Rng::new(Seed(20_261_116)).stream("mutation");
    let mut counts = [[0, 0]; 3];
    for (format, original) in [asf_text.clone(), amc, obj].iter().enumerate() {
        let tokens = tokens(original);
        for round in 0..EACH {
            for kind in 0..6 {
                let bytes = mutant(original, &tokens, kind, &OTHER_RUBBISH, &mut rng);
                let what = format!("format {format}, kind {kind}, round {round}");
                let settings = ImportSettings { partial: round % 2 == 1, ..ImportSettings::default() };
                let read = match format {
                    0 => check(&what, asf::read_skeleton(&bytes, "mutant", &settings)).is_some(),
                    1 => check(&what, asf::read_motion(&bytes, &person, "mutant", &settings)).is_some(),
                    _ => match world::read_obj(&bytes, &WorldSettings::default()) {
                        Ok(world) => {
                            assert!(world.mesh.bounds().is_some() && world.offset.is_finite(), "{what}");
                            true
                        }
                        Err(error) => {
                            assert!(!error.what.is_empty() && error.to_string().len() < 1000, "{what}: {error}");
                            false
                        }
                    },
                };
                counts[format][usize::from(read)] += 1;
            }
        }
    }
    assert!(counts.iter().flatten().all(|count| *count > 100), "refused, read: {counts:?}");
}

#[test]
fn rubbish_is_refused() {
    let mut rng = Rng::new(Seed(1)).stream("rubbish");
    for length in [0, 1, 10, 1000, 100_000] {
        for _ in 0..20 {
            let bytes: Vec<u8> = (0..length).map(|_| rng.bits() as u8).collect();
            assert!(!try_read("rubbish", &bytes, &ImportSettings::default()), "rubbish was read");
        }
    }
}

/// Numbers that break sums and products of offsets and counts, or are no places in any list.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "3",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
    "1e30",
    "0.5",
    "null",
    "[]",
];

/// A glTF mutant: read, and what was read is written and deformed.
fn try_gltf(what: &str, bytes: &[u8]) -> bool {
    let Some(import) = check(what, made::read_bytes(bytes)) else { return false };
    if let Some(skin) = &import.skin {
        std::hint::black_box(skin.at_rest(&import.skeleton));
    }
    let clips: Vec<NewClip<'_>> = import.clips.iter().take(1).map(NewClip::of).collect();
    let settings = WriteSettings { keep_clips: true, ..WriteSettings::default() };
    let document = import.document.as_ref().unwrap();
    let written = write_clips(document, &import.skeleton, &clips, &settings);
    // Animations that are kept are as odd as they were; only a panic would be wrong.
    let _ = written.map(|glb| made::read_bytes(&glb));
    true
}

#[test]
fn gltf_mutants_are_read_or_refused() {
    let mut rng = Rng::new(Seed(2)).stream("gltf mutation");
    let (mut read, mut refused) = (0, 0);
    let mut count = |result: bool| if result { read += 1 } else { refused += 1 };
    // Text: every number by every bad one.
    let text = made::Made::person().bytes();
    let mut at = 0;
    while at < text.len() {
        let digits = text[at..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.' || **b == b'-').count();
        if digits > 0 && at > 0 && matches!(text[at - 1], b':' | b',' | b'[') {
            for number in NUMBERS {
                let mutant = [&text[..at], number.as_bytes(), &text[at + digits..]].concat();
                count(try_gltf(&format!("byte {at} as {number}"), &mutant));
            }
        }
        at += digits.max(1);
    }
    // Real files: cut, bits turned, pieces removed and repeated, in the JSON more than in the buffers.
    for name in ["khronos_Fox.glb", "khronos_CesiumMan.glb", "m2m_bird.glb"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters").join(name);
        let original = std::fs::read(path).unwrap();
        let json = 20 + u32::from_le_bytes(original[12..16].try_into().unwrap()) as usize;
        for round in 0..120 {
            let mut bytes = original.clone();
            let place = |rng: &mut Rng| if round % 3 == 0 { rng.below(original.len()) } else { rng.below(json) };
            match round % 4 {
                0 => bytes.truncate(rng.below(bytes.len() + 1)),
                1 => {
                    for _ in 0..=rng.below(8) {
                        bytes[place(&mut rng)] ^= 1 << rng.below(8);
                    }
                }
                2 => {
                    let from = place(&mut rng);
                    bytes[from..].rotate_left(1 + rng.below(7));
                }
                _ => {
                    // A digit of the JSON by another: indices, counts and offsets that are a little wrong.
                    for _ in 0..=rng.below(4) {
                        let from = 20 + rng.below(json - 20);
                        if let Some(digit) = (from..json).find(|i| bytes[*i].is_ascii_digit()) {
                            bytes[digit] = b'0' + rng.below(10) as u8;
                        }
                    }
                }
            }
            count(try_gltf(&format!("{name}, round {round}"), &bytes));
        }
    }
    assert!(read > 300 && refused > 800, "{read} read, {refused} refused");
}
