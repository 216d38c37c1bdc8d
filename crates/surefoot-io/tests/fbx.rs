//! FBX in: real files of several exporters, and small ones made for each way to be odd or wrong.
#![cfg(feature = "fbx")]

mod made_fbx;

use made_fbx::{Z_UP, near, person, place, vector};
use std::path::{Path, PathBuf};
use surefoot::glam::Vec3;
use surefoot::math::quat;
use surefoot_io::{Axis, ImportSettings, RestPose, Unit, Warning, fbx, load};

fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/fbx").join(name)
}

#[test]
fn a_capture_reads_as_blender_reads_it() {
    let import = load(&asset("m2m_cmu_91_48.fbx"), &ImportSettings::default()).unwrap();
    let clip = &import.clips[0];
    // The file starts with a T-pose, which is none of the 109 frames.
    assert_eq!((import.skeleton.len(), import.clips.len(), clip.frames(), clip.rate()), (43, 1, 109, 30.0));
    assert!(import.source.rest_row, "a T-pose");
    assert_eq!((import.source.format, import.source.rest), ("FBX", RestPose::Nodes));
    let [Warning::UnitAssumed { unit, .. }] = &import.warnings[..] else { panic!("{:?}", import.warnings) };
    assert_eq!(*unit, Unit::Other(1e-4), "by its own unit the body is 149 m tall");
    let leg = import.source.leg.unwrap();
    assert!((leg - 0.822).abs() < 1e-3, "{leg}");
    // World places from Blender 5.0.1's own importer (scripts/fbx_check.py), a hundredth of its metres, Z up to Y up.
    for (joint, frame, blender) in BLENDER {
        let apart = (place(&import, joint, *frame) - Vec3::from_array(*blender)).length();
        assert!(apart < 1e-5, "{joint} in frame {frame} is {apart} m from where Blender has it");
    }
}

const BLENDER: &[(&str, usize, [f32; 3])] = &[
    ("hip", 0, [0.517514, 0.847292, 1.272]),
    ("lFoot", 20, [0.434819, 0.081053, 1.366815]),
    ("rHand", 55, [0.643603, 1.262301, 0.585859]),
    ("head", 60, [0.502745, 1.666295, 0.8865]),
    ("rFoot", 62, [0.505204, 0.273302, 0.761751]),
    ("lThumb2", 108, [0.398551, 0.877196, 0.752758]),
];

#[test]
fn a_skin_follows_its_bones() {
    let import = load(&asset("ufbx_blender_293_half_skinned_7400_binary.fbx"), &ImportSettings::default()).unwrap();
    let skin = import.skin.as_ref().unwrap();
    assert_eq!(import.source.rest, RestPose::BindPose);
    assert!(import.warnings.contains(&Warning::NoClips), "{:?}", import.warnings);
    let (low, high) = skin
        .at_rest(&import.skeleton)
        .into_iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    assert!(low.y.abs() < 1e-5, "it stands on the ground: {low}");
    assert!(
        (high.x - low.x - 2.0).abs() < 1e-4 && (high.z - low.z - 2.0).abs() < 1e-4,
        "a plate of 2 m: {low} to {high}"
    );
    assert!(skin.weights.iter().all(|w| (w.iter().sum::<f32>() - 1.0).abs() < 1e-5), "weights");
}

#[test]
fn uneven_scale_is_refused_by_node() {
    let error = load(&asset("ufbx_maya_transform_animation_7500_ascii.fbx"), &ImportSettings::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("node \"pCube1\" is scaled unevenly: 1.05"), "{error}");
    let mut made = person();
    made.bones[1].3 = vector("Lcl Scaling", [1.0, 2.0, 1.0]);
    let error = made.read().unwrap_err().what;
    assert!(error.contains("node \"LeftLeg\" is scaled unevenly: 1 2 1"), "{error}");
    made.bones[1].3 = vector("Lcl Scaling", [0.0, 1.0, 1.0]);
    assert!(made.read().unwrap_err().what.contains("is flat: scale 0 1 1"), "flat");
}

#[test]
fn a_mirrored_bone_leaves_what_hangs_from_it_where_the_file_has_it() {
    let plain = person().read().unwrap();
    for scale in [[-1.0, 1.0, 1.0], [-1.0, 1.0, -1.0]] {
        let mut made = person();
        made.bones[1].3 = vector("Lcl Scaling", scale);
        let mirrored = made.read().unwrap();
        for joint in plain.skeleton.names() {
            let (a, b) = (place(&plain, joint, 0), place(&mirrored, joint, 0));
            assert!(a.distance(b) < 1e-4, "{joint}: {a} {b} with a scale of {scale:?}");
        }
    }
}

#[test]
fn a_take_that_changes_the_size_of_bones_is_left_out_by_node_and_constant_scale_is_not() {
    let mut made = person();
    for axis in ['X', 'Y', 'Z'] {
        made.curves.push((3, "Lcl Scaling", axis, vec![(0.0, 1.0), (1.0, 1.5)]));
    }
    let import = made.read().unwrap();
    let left_out = |warning: &Warning| match warning {
        Warning::ClipLeftOut { name, why } => name == "Walk" && why.contains("it scales node \"RightLeg\" from"),
        _ => false,
    };
    assert!(import.warnings.iter().any(left_out) && import.clips[0].frames() == 1, "{:?}", import.warnings);
    // A last joint spoils only itself.
    let mut last = person();
    for axis in ['X', 'Y', 'Z'] {
        last.curves.push((4, "Lcl Scaling", axis, vec![(0.0, 1.0), (1.0, 1.5)]));
    }
    let import = last.read().unwrap();
    assert!(import.warnings.iter().any(|w| matches!(w, Warning::ScaleIgnored { .. })), "{:?}", import.warnings);
    assert!(import.clips[0].frames() > 1 && import.clips[0].name() == "Walk", "{:?}", import.clips[0].name());
    for curve in made.curves.iter_mut().skip(2) {
        curve.3[1].1 = 1.0;
    }
    assert!(made.read().is_ok(), "constant");
}

#[test]
fn uniform_scale_goes_into_places() {
    let mut made = person();
    // Twice as large below the hips, by a scale there.
    made.bones[0].3 = vector("Lcl Scaling", [2.0, 2.0, 2.0]);
    let import = made.read().unwrap();
    let [hips, foot] = ["Hips", "RightFoot"].map(|joint| place(&import, joint, 0));
    near(foot - hips, Vec3::new(-0.2, -1.7, 0.0));
}

#[test]
fn pre_rotations_turn_bones_before_their_keys() {
    let mut made = person();
    let active = "P: \"RotationActive\", \"bool\", \"\", \"\",1\n";
    made.bones[1].3 = format!("{active}P: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",0,0,90\n");
    let import = made.read().unwrap();
    let leg = import.skeleton.find("LeftLeg").unwrap().index();
    let clip = &import.clips[0];
    // 90 degrees about z, then what the key says about x: 10 degrees in frame 10.
    let turn = surefoot::glam::Quat::from_rotation_z(90_f32.to_radians())
        * surefoot::glam::Quat::from_rotation_x(10_f32.to_radians());
    let off = quat::angle_between(clip.frame(10)[leg].rotation, turn);
    assert!(off < 1e-4, "{off}");
    // The shin hangs along what was down.
    let [hip, foot] = ["LeftLeg", "LeftFoot"].map(|joint| place(&import, joint, 0));
    near(foot - hip, Vec3::new(0.8, 0.0, 0.0));
}

#[test]
fn units_and_axes_come_out_as_metres_y_up() {
    let made = person();
    let plain = made.read().unwrap();
    near(place(&plain, "Hips", 30), Vec3::new(0.0, 0.85, 0.3));
    assert_eq!((plain.source.unit.value, plain.source.up.value), (Unit::Centimetre, Axis::Y));
    // The same person in inches, Z up: x, -z, y.
    let mut other = made.clone();
    (other.unit, other.axes) = (2.54, Z_UP);
    for (_, _, place, _) in &mut other.bones {
        *place = [place[0] / 2.54, -place[2] / 2.54, place[1] / 2.54];
    }
    other.curves =
        vec![(0, "Lcl Translation", 'Y', (0..=30).map(|i| (f64::from(i) / 30.0, -f64::from(i) / 2.54)).collect())];
    let turned = other.read().unwrap();
    assert_eq!((turned.source.unit.value, turned.source.up.value), (Unit::Inch, Axis::Z));
    assert_eq!(turned.source.forward.value, "-y".parse().unwrap());
    for frame in [0, 15, 30] {
        near(place(&turned, "Hips", frame), place(&plain, "Hips", frame));
    }
    // What the caller states is about the file.
    let settings = ImportSettings { unit: Some(Unit::Metre), ..ImportSettings::default() };
    let large = fbx::read(made.text().as_bytes(), "made", &settings).unwrap();
    assert_eq!(large.source.unit.value, Unit::Metre);
    near(place(&large, "Hips", 0), Vec3::new(0.0, 85.0, 0.0));
}

#[test]
fn rates_come_from_the_file_where_keys_lie_on_its_frames() {
    let mut made = person();
    assert_eq!(made.read().unwrap().clips[0].rate(), 30.0);
    // Keys on every fifth frame are no reason to lose what is between.
    for curve in &mut made.curves {
        curve.3 = curve.3.iter().copied().step_by(5).collect();
    }
    let sparse = made.read().unwrap();
    assert_eq!((sparse.clips[0].rate(), sparse.clips[0].frames()), (30.0, 31));
    near(place(&sparse, "Hips", 7), Vec3::new(0.0, 0.85, 0.07));
    // A capture of 120 Hz in a file that says 30.
    for curve in &mut made.curves {
        curve.3 = (0..=120).map(|i| (f64::from(i) / 120.0, f64::from(i))).collect();
    }
    let fast = made.read().unwrap();
    assert_eq!((fast.clips[0].rate(), fast.clips[0].frames()), (120.0, 121));
    // 1000 frames a second is no rate.
    let mut vague = person();
    vague.time_mode = 12;
    assert_eq!(vague.read().unwrap().clips[0].rate(), 30.0);
}

#[test]
fn a_body_without_motion_or_motion_without_a_body_is_told() {
    let mut made = person();
    made.curves.clear();
    let still = made.read().unwrap();
    assert_eq!(still.clips[0].frames(), 1);
    assert!(still.warnings.contains(&Warning::NoClips), "{:?}", still.warnings);
    made.bones.clear();
    assert!(made.read().unwrap_err().what.contains("no skeleton"), "nothing in it");
}

#[test]
fn bombs_are_refused() {
    // A day between two keys.
    let mut made = person();
    for curve in &mut made.curves {
        curve.3 = vec![(0.0, 0.0), (86_400.0, 1.0)];
    }
    assert!(made.read().unwrap_err().what.contains("more than the file's size allows"), "a day");
    // A chain of bones that is no body.
    let mut deep = person();
    deep.curves.clear();
    deep.bones = (0..2000_usize).map(|i| ("b", i.checked_sub(1), [0.0, 1.0, 0.0], String::new())).collect();
    // Numbers of nodes and attributes must not meet.
    let error = fbx::read(
        deep.text().replace("NodeAttribute: ", "NodeAttribute: 9").as_bytes(),
        "made",
        &ImportSettings::default(),
    );
    let error = error.unwrap_err().what;
    assert!(error.contains("deeper than 512"), "{error}");
}

#[test]
fn broken_bytes_are_errors_not_panics() {
    let bytes = std::fs::read(asset("ufbx_blender_293_half_skinned_7400_binary.fbx")).unwrap();
    for end in (0..bytes.len()).step_by(97) {
        let _ = fbx::read(&bytes[..end], "cut", &ImportSettings::default());
    }
    let error = fbx::read(&bytes[..bytes.len() / 2], "cut", &ImportSettings::default()).unwrap_err();
    assert!(error.what.contains("FBX"), "{error}");
    for at in (0..bytes.len()).step_by(13) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let _ = fbx::read(&damaged, "damaged", &ImportSettings::default());
    }
    assert!(fbx::read(b"", "empty", &ImportSettings::default()).is_err(), "empty");
}
