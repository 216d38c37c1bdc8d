//! Files that were just written are read back as the motion that they were made from.

use surefoot::motion::Clip;
use surefoot::rig::{ModelPose, Pose, Skeleton};
use surefoot_io::bvh::{self, BvhWriter};
use surefoot_io::exported::{Exported, WrittenAs};
use surefoot_io::gltf::{self, NewClip, WriteSettings};
use surefoot_io::{ImportSettings, Unit, glb, load};

fn asset(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)
}

/// The greatest distance between joints of two clips, metres.
fn apart(skeleton: &Skeleton, a: &Clip, b: &Clip) -> f32 {
    let mut most = 0.0_f32;
    let mut poses = [Pose::rest(skeleton), Pose::rest(skeleton)];
    let mut models = [ModelPose::new(skeleton), ModelPose::new(skeleton)];
    for f in 0..a.frames() {
        for ((pose, model), clip) in poses.iter_mut().zip(&mut models).zip([a, b]) {
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(skeleton, model);
        }
        for joint in skeleton.joints() {
            let place = |k: usize| [a, b][k].roots()[f].transform_point(models[k][joint].translation);
            most = most.max(place(0).distance(place(1)));
        }
    }
    most
}

#[test]
fn a_character_comes_back_from_its_own_file_whatever_its_unit_and_axes() {
    for (name, clip) in [("khronos_Fox.glb", 1), ("m2m_fox.glb", 0), ("quaternius_Rat.glb", 0)] {
        let import = load(&asset(&format!("characters/{name}")), &ImportSettings::default()).unwrap();
        let (skeleton, clip) = (&import.skeleton, &import.clips[clip]);
        let document = import.document.as_ref().unwrap();
        let bytes = gltf::write_clips(document, skeleton, &[NewClip::of(clip)], &WriteSettings::default()).unwrap();
        let exported = Exported::read(&bytes, skeleton, clip.clone(), WrittenAs::GlbIn(document)).unwrap();
        let shown = exported.shown_in(skeleton, clip, |frame| frame);
        let off = apart(skeleton, clip, &shown);
        assert!(off < 1e-4, "{name}: {off} m");
    }
}

#[test]
fn what_a_format_rounds_shows() {
    let import = load(&asset("cmu/16_15.bvh"), &ImportSettings::default()).unwrap();
    let (skeleton, clip) = (&import.skeleton, &import.clips[0]);
    let off = |decimals: usize, unit: Unit| {
        let text = bvh::write(skeleton, clip, &BvhWriter { unit, decimals, rest_row: false });
        let exported = Exported::read(text.as_bytes(), skeleton, clip.clone(), WrittenAs::Bvh(unit)).unwrap();
        apart(skeleton, clip, &exported.shown_in(skeleton, clip, |frame| frame))
    };
    assert!(off(6, Unit::Metre) < 1e-4 && off(6, Unit::Centimetre) < 1e-4);
    assert!(off(1, Unit::Metre) > 0.02, "decimetres");
    let bytes = glb::write(skeleton, std::slice::from_ref(clip));
    let exported = Exported::read(&bytes, skeleton, clip.clone(), WrittenAs::Glb).unwrap();
    assert!(apart(skeleton, clip, &exported.shown_in(skeleton, clip, |frame| frame)) < 1e-4);
}

#[test]
fn a_walk_that_was_written_on_the_spot_goes_again() {
    let import = load(&asset("cmu/16_15.bvh"), &ImportSettings::default()).unwrap();
    let (skeleton, clip) = (&import.skeleton, &import.clips[0]);
    let mut still = clip.clone();
    still.extract_root(skeleton);
    still.stay_in_place();
    assert!(apart(skeleton, clip, &still) > 1.0, "it does not go");
    let bytes = glb::write(skeleton, std::slice::from_ref(&still));
    let exported = Exported::read(&bytes, skeleton, still, WrittenAs::Glb).unwrap();
    assert!(apart(skeleton, clip, &exported.shown_in(skeleton, clip, |frame| frame)) < 1e-4);
}

#[test]
fn bytes_that_are_no_such_file_are_told() {
    let import = load(&asset("cmu/16_15.bvh"), &ImportSettings::default()).unwrap();
    let other = load(&asset("characters/m2m_fox.glb"), &ImportSettings::default()).unwrap();
    let clip = &import.clips[0];
    for bytes in [b"".as_slice(), b"glTF".as_slice(), b"HIERARCHY".as_slice()] {
        assert!(Exported::read(bytes, &import.skeleton, clip.clone(), WrittenAs::Glb).is_err());
        assert!(Exported::read(bytes, &import.skeleton, clip.clone(), WrittenAs::Bvh(Unit::Metre)).is_err());
    }
    let bytes = glb::write(&other.skeleton, &other.clips[..1]);
    let error = Exported::read(&bytes, &import.skeleton, clip.clone(), WrittenAs::Glb).unwrap_err();
    assert!(error.to_string().contains("no joint"), "{error}");
}
