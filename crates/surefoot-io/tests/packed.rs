//! Files packed by EXT_meshopt_compression, as gltfpack writes them, read as what they were made of.

use std::path::PathBuf;
use surefoot::math::quat;
use surefoot::random::{Rng, Seed};
use surefoot_io::{Import, ImportSettings, gltf, load};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)
}

fn import(name: &str) -> Import {
    load(&file(name), &ImportSettings::default()).unwrap()
}

#[test]
fn packed_skin_and_clips_are_those_of_the_file_they_were_packed_from() {
    let (plain, packed) = (import("strangers/kn_character.glb"), import("packed/kn_character.glb"));
    let [plain_skin, packed_skin] = [&plain, &packed].map(|import| import.skin.as_ref().unwrap());
    assert_eq!(plain_skin.triangles.len(), packed_skin.triangles.len());
    // Vertices and triangles are in another order: the shape is the same, to the packer's 14 bits.
    let extent = |import: &Import| {
        let places = import.skin.as_ref().unwrap().at_rest(&import.skeleton);
        let first = places[0];
        places.iter().fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)))
    };
    let ((low, high), (packed_low, packed_high)) = (extent(&plain), extent(&packed));
    assert!((low - packed_low).length() + (high - packed_high).length() < 2e-3 * (high - low).length());
    let area = |import: &Import| {
        let (skin, places) = (import.skin.as_ref().unwrap(), import.skin.as_ref().unwrap().at_rest(&import.skeleton));
        let area = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| places[corner as usize]);
            (b - a).cross(c - a).length()
        };
        skin.triangles.iter().map(area).sum::<f32>()
    };
    assert!((area(&plain) / area(&packed) - 1.0).abs() < 5e-3, "{} {}", area(&plain), area(&packed));
    for clip in &packed.clips {
        let same = plain.clips.iter().find(|plain| plain.name() == clip.name()).unwrap();
        assert!((clip.duration() - same.duration()).abs() < 0.05, "{}", clip.name());
        let mut pose = surefoot::rig::Pose::rest(&packed.skeleton);
        let mut wanted = surefoot::rig::Pose::rest(&plain.skeleton);
        clip.sample(0.3, &mut pose);
        same.sample(0.3, &mut wanted);
        for joint in plain.skeleton.joints() {
            let other = packed.skeleton.find(plain.skeleton.name(joint)).unwrap();
            let (a, b) = (wanted.locals[joint.index()], pose.locals[other.index()]);
            assert!(quat::angle_between(a.rotation, b.rotation) < 0.02, "{}", plain.skeleton.name(joint));
            assert!((a.translation - b.translation).length() < 5e-3, "{}", plain.skeleton.name(joint));
        }
    }
}

#[test]
fn packed_bytes_that_are_changed_are_read_or_refused() {
    let bytes = std::fs::read(file("packed/kn_character.glb")).unwrap();
    let json = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut rng = Rng::new(Seed(16)).stream("packed");
    let nothing = |_: &str| Err(std::io::Error::other("nothing is beside it"));
    for _ in 0..600 {
        let mut changed = bytes.clone();
        for _ in 0..=rng.below(4) {
            let at = 20 + json + rng.below(changed.len() - 20 - json);
            changed[at] = rng.bits() as u8;
        }
        let _ = gltf::read(&changed, "changed", &nothing, &ImportSettings::default());
        // Counts and sizes in the text.
        let mut text = bytes.clone();
        let at = 20 + rng.below(json);
        if text[at].is_ascii_digit() {
            text[at] = b'0' + rng.below(10) as u8;
        }
        let _ = gltf::read(&text, "changed", &nothing, &ImportSettings::default());
    }
}
