//! Out and in again: positions to 0.1 mm, rotations to 0.01°, for BVH by our reader and for GLB by another's.

use gltf::animation::util::ReadOutputs;
use std::path::Path;
use surefoot::glam::{Quat, Vec3A};
use surefoot::math::{Rigid, quat};
use surefoot::motion::Clip;
use surefoot::rig::{ModelPose, Pose, Skeleton};
use surefoot_io::bvh::{self, BvhWriter};
use surefoot_io::{Import, ImportSettings, Unit, embedded, glb, load};

const POSITION: f32 = 1e-4;
const ROTATION: f32 = 0.01;

fn subjects() -> Vec<(String, Import)> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/bvh");
    let mut files: Vec<_> = std::fs::read_dir(assets).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let files = files.into_iter().map(|path| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), load(&path, &ImportSettings::default()).unwrap())
    });
    let embedded = ["16_17", "47_01"].map(|name| (name.to_owned(), embedded::find(name).unwrap().import()));
    files.chain(embedded).collect()
}

/// Where every joint is in a frame, with the root motion.
fn world(skeleton: &Skeleton, clip: &Clip, frame: usize) -> Vec<Rigid> {
    let mut model = ModelPose::new(skeleton);
    Pose { root: clip.roots()[frame], locals: clip.frame(frame).to_vec() }.to_model(skeleton, &mut model);
    model.joints.iter().map(|joint| clip.roots()[frame] * *joint).collect()
}

fn assert_near(name: &str, frame: usize, skeleton: &Skeleton, a: &[Rigid], b: &[Rigid]) {
    for (joint, (a, b)) in skeleton.joints().zip(a.iter().zip(b)) {
        let joint = skeleton.name(joint);
        let moved = (a.translation - b.translation).length();
        let turned = quat::angle_between(a.rotation, b.rotation).to_degrees();
        assert!(moved < POSITION, "{name}: {joint} moved {moved} m in frame {frame}");
        assert!(turned < ROTATION, "{name}: {joint} turned {turned}° in frame {frame}");
    }
}

fn through_bvh(skeleton: &Skeleton, clip: &Clip, writer: &BvhWriter) -> Import {
    let text = bvh::write(skeleton, clip, writer);
    let settings = ImportSettings {
        unit: Some(writer.unit),
        up: Some("y".parse().unwrap()),
        forward: Some("z".parse().unwrap()),
        cut_dead_rows: false,
        rest_row: if writer.rest_row { surefoot_io::RestRow::Yes } else { surefoot_io::RestRow::No },
        ..ImportSettings::default()
    };
    bvh::read(text.as_bytes(), clip.name(), &settings).unwrap_or_else(|e| panic!("{}: {e}", clip.name()))
}

#[test]
fn bvh_keeps_every_joint() {
    for (name, Import { skeleton, clips, .. }) in subjects() {
        for (unit, decimals) in [(Unit::Metre, 6), (Unit::Centimetre, 5)] {
            let writer = BvhWriter { unit, decimals, rest_row: false };
            let back = through_bvh(&skeleton, &clips[0], &writer);
            assert_eq!(back.clips[0].frames(), clips[0].frames(), "{name}");
            assert_eq!(back.clips[0].rate(), clips[0].rate(), "{name}");
            for frame in 0..clips[0].frames() {
                let (a, b) = (world(&skeleton, &clips[0], frame), world(&back.skeleton, &back.clips[0], frame));
                assert_near(&name, frame, &skeleton, &a, &b);
            }
        }
    }
}

#[test]
fn bvh_is_found_out_again_without_being_told() {
    // Bodies with legs: unit, axes, rest row and rate come back from the text alone.
    for (name, Import { skeleton, clips, source, .. }) in subjects() {
        if source.leg.is_none() || clips[0].frames() < 20 {
            continue;
        }
        let writer = BvhWriter { rest_row: true, ..BvhWriter::default() };
        let text = bvh::write(&skeleton, &clips[0], &writer);
        let back = bvh::read(text.as_bytes(), &name, &ImportSettings::default()).unwrap();
        assert_eq!(back.source.unit.value, Unit::Metre, "{name}: {}", back.source.unit.reason);
        assert_eq!(back.source.up.value.to_string() + &back.source.forward.value.to_string(), "+y+z", "{name}");
        assert_eq!(back.clips[0].rate(), clips[0].rate(), "{name}");
        if source.rest_row {
            assert!(back.source.rest_row, "{name}: the rest row was written and is found");
            for (a, b) in skeleton.rest().iter().zip(back.skeleton.rest()) {
                let moved = (a.translation - b.translation).length();
                assert!(
                    moved < POSITION && quat::angle_between(a.rotation, b.rotation) < 1e-4,
                    "{name}: rest {a:?} {b:?}"
                );
            }
        }
    }
}

#[test]
fn root_motion_survives_bvh_and_glb() {
    let Import { skeleton, clips, .. } = embedded::find("47_01").unwrap().import();
    let mut moved = clips[0].clone();
    moved.extract_root(&skeleton);
    let back = through_bvh(&skeleton, &moved, &BvhWriter::default());
    let tracks = glb_tracks(&glb::write(&skeleton, &[moved]));
    for frame in [0, 100, 400, 659] {
        let expected = world(&skeleton, &clips[0], frame);
        assert_near("BVH", frame, &skeleton, &expected, &world(&back.skeleton, &back.clips[0], frame));
        assert_near("GLB", frame, &skeleton, &expected, &tracks.world(&skeleton, frame));
    }
}

#[test]
fn glb_keeps_every_joint() {
    for (name, Import { skeleton, clips, .. }) in subjects() {
        let tracks = glb_tracks(&glb::write(&skeleton, &clips));
        assert_eq!(tracks.times.len(), clips[0].frames(), "{name}");
        for (frame, time) in tracks.times.iter().enumerate() {
            assert!((time - frame as f32 / clips[0].rate()).abs() < 1e-5, "{name}: frame {frame} at {time} s");
            let expected = world(&skeleton, &clips[0], frame);
            assert_near(&name, frame, &skeleton, &expected, &tracks.world(&skeleton, frame));
        }
    }
}

#[test]
fn bones_are_where_the_joints_are() {
    let Import { skeleton, clips, .. } = embedded::find("16_15").unwrap().import();
    let bytes = glb::write(&skeleton, &clips);
    let file = gltf::Gltf::from_slice(&bytes).unwrap();
    let buffer = file.blob.clone().unwrap();
    let skin = file.skins().next().unwrap();
    let reader = skin.reader(|_| Some(&buffer));
    let inverse_bind: Vec<_> = reader.read_inverse_bind_matrices().unwrap().collect();
    assert_eq!((skin.joints().count(), inverse_bind.len()), (31, 31));
    let rest = ModelPose::new(&skeleton);
    for (joint, matrix) in rest.joints.iter().zip(inverse_bind) {
        let identity = surefoot::glam::Mat4::from_cols_array_2d(&matrix)
            * surefoot::glam::Mat4::from_rotation_translation(joint.rotation, joint.translation.into());
        assert!(identity.abs_diff_eq(surefoot::glam::Mat4::IDENTITY, 1e-5), "{identity}");
    }
    let mesh = file.meshes().next().unwrap().primitives().next().unwrap();
    let reader = mesh.reader(|_| Some(&buffer));
    let (low, high) =
        reader.read_positions().unwrap().fold((f32::MAX, f32::MIN), |(a, b), p| (a.min(p[1]), b.max(p[1])));
    assert!(low.abs() < 0.05 && (1.4..1.9).contains(&high), "a person from {low} to {high} m");
    assert!(reader.read_weights(0).unwrap().into_f32().all(|w| w == [1.0, 0.0, 0.0, 0.0]), "whole weights");
}

/// An animation read by the `gltf` crate: node transforms at every key.
struct Tracks {
    times: Vec<f32>,
    /// Per node: rest, then keys.
    rest: Vec<Rigid>,
    parents: Vec<Option<usize>>,
    names: Vec<String>,
    rotations: Vec<Option<Vec<Quat>>>,
    translations: Vec<Option<Vec<Vec3A>>>,
}

impl Tracks {
    /// World transforms of the joints in a frame, in the skeleton's order.
    fn world(&self, skeleton: &Skeleton, frame: usize) -> Vec<Rigid> {
        let local = |node: usize| Rigid {
            rotation: self.rotations[node].as_ref().map_or(self.rest[node].rotation, |keys| keys[frame]),
            translation: self.translations[node].as_ref().map_or(self.rest[node].translation, |keys| keys[frame]),
        };
        let placed = |node: usize| {
            std::iter::successors(Some(node), |n| self.parents[*n]).fold(Rigid::IDENTITY, |sum, n| local(n) * sum)
        };
        // Node 0 stands above the joints, which follow in order.
        assert_eq!(self.names[0], "Character", "the first node carries the root motion");
        (0..skeleton.len()).map(|joint| placed(joint + 1)).collect()
    }
}

fn glb_tracks(bytes: &[u8]) -> Tracks {
    let file = gltf::Gltf::from_slice(bytes).unwrap();
    let buffer = file.blob.clone().unwrap();
    let count = file.nodes().count();
    let mut tracks = Tracks {
        times: Vec::new(),
        rest: Vec::new(),
        parents: vec![None; count],
        names: Vec::new(),
        rotations: vec![None; count],
        translations: vec![None; count],
    };
    for node in file.nodes() {
        let (translation, rotation, scale) = node.transform().decomposed();
        assert_eq!(scale, [1.0; 3], "no scale is written");
        tracks.rest.push(Rigid { rotation: Quat::from_array(rotation), translation: Vec3A::from_array(translation) });
        tracks.names.push(node.name().unwrap_or_default().to_owned());
        for child in node.children() {
            tracks.parents[child.index()] = Some(node.index());
        }
    }
    for channel in file.animations().next().unwrap().channels() {
        let reader = channel.reader(|_| Some(&buffer));
        tracks.times = reader.read_inputs().unwrap().collect();
        let node = channel.target().node().index();
        match reader.read_outputs().unwrap() {
            ReadOutputs::Rotations(keys) => {
                tracks.rotations[node] = Some(keys.into_f32().map(Quat::from_array).collect());
            }
            ReadOutputs::Translations(keys) => tracks.translations[node] = Some(keys.map(Vec3A::from_array).collect()),
            _ => panic!("only rotations and translations are written"),
        }
    }
    tracks
}
