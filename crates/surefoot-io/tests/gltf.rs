//! glTF in and out: real characters, and their round trips.

mod made;

use made::{Made, export, parts, read};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use surefoot::glam::{Mat4, Quat, Vec3};
use surefoot::math::{Rigid, quat};
use surefoot::rig::{JointId, ModelPose, Pose};
use surefoot_io::gltf::{NewClip, RootMotion, WriteSettings, write_clips};
use surefoot_io::{Axis, Import, ImportSettings, RestPose, Unit, Warning, load};

fn characters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters")
}

/// What is known of a character: joints, clips, frames per second, unit, some clips with the time of their last key.
struct Known(&'static str, usize, usize, f32, Unit, &'static [(&'static str, f32)]);

const KNOWN: &[Known] = &[
    Known("RobotExpressive.glb", 43, 14, 24.0, Unit::Metre, &[("Idle", 3.333), ("Walking", 0.958), ("Jump", 0.708)]),
    Known(
        "kaykit_Knight.glb",
        41,
        76,
        30.0,
        Unit::Metre,
        &[("Idle", 1.067), ("Walking_C", 1.6), ("Running_A", 0.8), ("Jump_Full_Long", 2.333), ("T-Pose", 0.0)],
    ),
    Known("khronos_CesiumMan.glb", 19, 1, 24.0, Unit::Metre, &[("khronos_CesiumMan", 2.0)]),
    Known("khronos_Fox.glb", 24, 3, 24.0, Unit::Centimetre, &[("Survey", 3.417), ("Walk", 0.708), ("Run", 1.158)]),
    Known("khronos_Fox_separate/Fox.gltf", 24, 3, 24.0, Unit::Centimetre, &[("Walk", 0.708)]),
    Known("m2m_bird.glb", 55, 5, 24.0, Unit::Metre, &[("Idle", 1.25), ("Walk", 0.5)]),
    Known("m2m_fox.glb", 49, 14, 30.0, Unit::Metre, &[("Walk", 1.0), ("Run", 0.467), ("Sneak", 1.3)]),
    Known("m2m_horse.glb", 56, 14, 30.0, Unit::Metre, &[("Walk", 0.967), ("Trot", 0.7), ("Turn_Left", 4.667)]),
    Known("m2m_kaiju.glb", 58, 10, 30.0, Unit::Metre, &[("Walk", 3.1), ("Walk RM", 3.367)]),
    Known("m2m_spider.glb", 56, 10, 24.0, Unit::Metre, &[("Idle", 3.25), ("Walk", 1.0)]),
    Known("quaternius_Rat.glb", 31, 6, 24.0, Unit::Metre, &[("RatArmature|Rat_Walk", 1.333)]),
];

fn load_character(name: &str) -> Import {
    load(&characters().join(name), &ImportSettings::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_character_loads_as_what_it_is() {
    for Known(name, joints, clips, rate, unit, ends) in KNOWN {
        let import = load_character(name);
        assert_eq!((import.skeleton.len(), import.clips.len()), (*joints, *clips), "{name}");
        assert_eq!(import.source.unit.value, *unit, "{name}: {}", import.source.unit.reason);
        assert_eq!((import.source.up.value, import.source.forward.value), (Axis::Y, Axis::Z), "{name}");
        assert_eq!(import.source.rest, RestPose::Nodes, "{name}");
        let document = import.document.as_ref().unwrap();
        for (clip, end) in *ends {
            let at = import.clips.iter().position(|c| c.name() == *clip).unwrap_or_else(|| panic!("{name}: {clip}"));
            assert_eq!(import.clips[at].rate(), *rate, "{name}");
            let found = document.clips()[at].start + import.clips[at].duration();
            // A last key between two frames is shown by the next frame.
            assert!(found > end - 1e-3 && found < end + 0.4 / rate, "{name}: {clip} ends at {found}, not {end}");
        }
        for clip in &import.clips {
            assert_eq!(clip.skeleton(), import.skeleton.key(), "{name}");
            for frame in 1..clip.frames() {
                let near = clip.frame(frame).iter().zip(clip.frame(frame - 1));
                assert!(near.into_iter().all(|(a, b)| a.rotation.dot(b.rotation) >= 0.0), "{name}: {}", clip.name());
            }
        }
    }
}

#[test]
fn bodies_have_their_size_and_stand_on_the_ground() {
    // Height of the skin at rest, metres.
    for (name, height) in [
        ("RobotExpressive.glb", 4.46),
        ("khronos_CesiumMan.glb", 1.51),
        ("khronos_Fox.glb", 0.79),
        ("quaternius_Rat.glb", 2.24),
        ("m2m_horse.glb", 2.03),
    ] {
        let import = load_character(name);
        let skin = import.skin.as_ref().unwrap();
        let places = skin.at_rest(&import.skeleton);
        let low = places.iter().copied().reduce(Vec3::min).unwrap();
        let high = places.iter().copied().reduce(Vec3::max).unwrap();
        assert!(low.y.abs() < 1e-4 && (high.y - height).abs() < 0.01, "{name}: {low} {high}");
        assert!(low.x < -0.1 * height && high.x > 0.1 * height, "{name} stands over the origin: {low} {high}");
        assert_eq!((skin.joints.len(), skin.weights.len()), (skin.positions.len(), skin.positions.len()), "{name}");
        for weights in &skin.weights {
            let sum: f32 = weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-5 && weights.iter().all(|w| *w >= 0.0), "{name}: {weights:?}");
        }
        let count = skin.positions.len() as u32;
        assert!(skin.triangles.as_flattened().iter().all(|corner| *corner < count), "{name}");
    }
    let fox = load_character("khronos_Fox.glb");
    assert!(fox.warnings.iter().any(|w| matches!(w, Warning::UnitAssumed { .. })), "{:?}", fox.warnings);
}

#[test]
fn a_root_that_moves_moves_the_body() {
    let import = load_character("m2m_kaiju.glb");
    let walk = import.clips.iter().find(|clip| clip.name() == "Walk RM").unwrap();
    let travel = walk.frame(walk.frames() - 1)[0].translation - walk.frame(0)[0].translation;
    assert!((travel.z - 1.504).abs() < 2e-3, "{travel}");
    assert_eq!(import.skeleton.name(import.skeleton.pelvis()), "Hips");
}

// --- round trips ---------------------------------------------------------------------------------------------

/// A file as the `gltf` crate reads it.
struct Peer {
    file: gltf::Gltf,
    buffers: Vec<Vec<u8>>,
}

impl Peer {
    fn new(bytes: &[u8], folder: &Path) -> Self {
        let file = gltf::Gltf::from_slice(bytes).unwrap();
        let buffers = file.buffers().map(|buffer| match buffer.source() {
            gltf::buffer::Source::Bin => file.blob.clone().unwrap(),
            gltf::buffer::Source::Uri(uri) => std::fs::read(folder.join(uri)).unwrap(),
        });
        let buffers = buffers.collect();
        Self { file, buffers }
    }

    /// The largest share by which bones are scaled unevenly, at rest or in an animation.
    fn uneven(&self) -> f32 {
        use gltf::animation::util::ReadOutputs;
        let joints: Vec<usize> = self.file.skins().flat_map(|skin| skin.joints().map(|j| j.index())).collect();
        let nodes = self.file.nodes().filter(|node| joints.contains(&node.index()));
        let mut scales: Vec<[f32; 3]> = nodes.map(|node| node.transform().decomposed().2).collect();
        for channel in self.file.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>()) {
            let reader = channel.reader(|buffer| Some(&self.buffers[buffer.index()]));
            if let Some(ReadOutputs::Scales(values)) = reader.read_outputs() {
                scales.extend(values);
            }
        }
        let uneven = |s: [f32; 3]| Vec3::from(s).max_element() / Vec3::from(s).min_element() - 1.0;
        scales.into_iter().map(uneven).fold(0.0, f32::max)
    }

    /// `scene_from_node` of all nodes at a time of an animation, seconds.
    fn pose(&self, animation: &gltf::Animation<'_>, time: f32) -> Vec<Mat4> {
        use gltf::animation::util::ReadOutputs;
        let mut locals: Vec<(Vec3, Quat, Vec3)> = self
            .file
            .nodes()
            .map(|node| {
                let (t, r, s) = node.transform().decomposed();
                (Vec3::from(t), Quat::from_array(r).normalize(), Vec3::from(s))
            })
            .collect();
        for channel in animation.channels() {
            let reader = channel.reader(|buffer| Some(&self.buffers[buffer.index()]));
            let times: Vec<f32> = reader.read_inputs().unwrap().collect();
            let after = times.partition_point(|t| *t <= time + 1e-4);
            let (a, b) = (after.saturating_sub(1), after.min(times.len() - 1));
            let step = channel.sampler().interpolation() == gltf::animation::Interpolation::Step;
            let x = if step || a == b { 0.0 } else { ((time - times[a]) / (times[b] - times[a])).clamp(0.0, 1.0) };
            let x = if x < 2e-3 { 0.0 } else { x };
            let local = &mut locals[channel.target().node().index()];
            match reader.read_outputs().unwrap() {
                ReadOutputs::Translations(values) => {
                    let values: Vec<Vec3> = values.map(Vec3::from).collect();
                    local.0 = values[a].lerp(values[b], x);
                }
                ReadOutputs::Rotations(values) => {
                    let values: Vec<Quat> = values.into_f32().map(Quat::from_array).collect();
                    local.1 = values[a].slerp(values[b], x).normalize();
                }
                ReadOutputs::Scales(values) => {
                    let values: Vec<Vec3> = values.map(Vec3::from).collect();
                    local.2 = values[a].lerp(values[b], x);
                }
                ReadOutputs::MorphTargetWeights(_) => {}
            }
        }
        let mut parents = vec![None; locals.len()];
        for node in self.file.nodes() {
            node.children().for_each(|child| parents[child.index()] = Some(node.index()));
        }
        let local = |node: usize| {
            let (t, r, s) = locals[node];
            Mat4::from_scale_rotation_translation(s, r, t)
        };
        let above = |node: usize| std::iter::successors(Some(node), |n| parents[*n]);
        (0..locals.len()).map(|node| above(node).fold(Mat4::IDENTITY, |below, n| local(n) * below)).collect()
    }
}

#[test]
fn what_was_read_is_written_as_it_was() {
    for Known(name, ..) in KNOWN {
        let import = load_character(name);
        let glb = export(&import, &WriteSettings::default());
        let path = characters().join(name);
        let source = Peer::new(&std::fs::read(&path).unwrap(), path.parent().unwrap());
        let written = Peer::new(&glb, Path::new("no other file is needed"));
        let unit = import.source.unit.value.metres();
        let document = import.document.as_ref().unwrap();
        // Some exporters leave a little uneven scale in bones, which no rigid pose can hold.
        let uneven = source.uneven();
        let size = ModelPose::new(&import.skeleton).joints.iter().map(|j| j.translation.length()).fold(1.0, f32::max);
        let mut worst = 0.0_f32;
        for (index, (clip, from)) in import.clips.iter().zip(document.clips()).enumerate() {
            let before = source.file.animations().nth(from.animation).unwrap();
            let after = written.file.animations().nth(index).unwrap();
            assert_eq!(after.name(), Some(clip.name()), "{name}");
            for look in 0..3 {
                let frame = look * (clip.frames() - 1) / 2;
                let time = frame as f32 / clip.rate();
                let (a, b) = (source.pose(&before, from.start + time), written.pose(&after, time));
                for joint in import.skeleton.joints() {
                    let node = document.joint(joint).node;
                    let off = (a[node].w_axis - b[node].w_axis).length() * unit;
                    worst = worst.max(off);
                    let label = import.skeleton.name(joint);
                    assert!(
                        off < 1e-5_f32.max(uneven * size),
                        "{name}: {label} is {off} m off in frame {frame} of {}",
                        clip.name()
                    );
                    for (x, y) in [(a[node].x_axis, b[node].x_axis), (a[node].y_axis, b[node].y_axis)] {
                        let angle = (x.normalize() - y.normalize()).length();
                        assert!(angle < 2e-4, "{name}: {label} is turned by {angle} in {}", clip.name());
                    }
                }
            }
        }
        println!("{name}: {worst} m at worst, scale uneven by {uneven}");
    }
}

#[test]
fn what_was_written_reads_back_the_same() {
    for Known(name, ..) in KNOWN {
        let import = load_character(name);
        let glb = export(&import, &WriteSettings::default());
        let again = made::read_bytes(&glb).unwrap();
        assert_eq!(again.skeleton.key(), import.skeleton.key(), "{name}: the same body");
        assert_eq!(again.clips.len(), import.clips.len(), "{name}");
        assert!(again.skin == import.skin, "{name}: the same skin");
        let (mut a, mut b) = (ModelPose::new(&import.skeleton), ModelPose::new(&import.skeleton));
        let mut pose = Pose::rest(&import.skeleton);
        for (before, after) in import.clips.iter().zip(&again.clips) {
            assert_eq!((before.name(), before.frames()), (after.name(), after.frames()), "{name}");
            for frame in 0..before.frames() {
                pose.locals.copy_from_slice(before.frame(frame));
                pose.to_model(&import.skeleton, &mut a);
                pose.locals.copy_from_slice(after.frame(frame));
                pose.to_model(&import.skeleton, &mut b);
                for (x, y) in a.joints.iter().zip(&b.joints) {
                    let (off, turn) =
                        ((x.translation - y.translation).length(), quat::angle_between(x.rotation, y.rotation));
                    assert!(off < 1e-5 && turn < 1e-4, "{name}, {}, frame {frame}: {off} m, {turn}", before.name());
                }
            }
        }
    }
}

/// Everything of meshes, skins and images as bytes, and all of the JSON that holds no indices of accessors.
fn kept(json: &Value, buffers: &[Vec<u8>]) -> (Vec<Vec<u8>>, Vec<Value>) {
    let number = |value: &Value, key: &str| value[key].as_u64().unwrap_or(0) as usize;
    let view = |index: usize| {
        let view = &json["bufferViews"][index];
        let start = number(view, "byteOffset");
        buffers[number(view, "buffer")][start..start + number(view, "byteLength")].to_vec()
    };
    let accessor = |index: &Value| {
        let accessor = &json["accessors"][index.as_u64().unwrap() as usize];
        let mut about = accessor.clone();
        about.as_object_mut().unwrap().remove("bufferView");
        (view(number(accessor, "bufferView")), about)
    };
    let empty = Vec::new();
    let list = |key: &str| json[key].as_array().unwrap_or(&empty);
    let mut bytes = Vec::new();
    let mut values = Vec::new();
    let mut take = |index: &Value| {
        let (content, about) = accessor(index);
        bytes.push(content);
        values.push(about);
    };
    for mesh in list("meshes") {
        for primitive in mesh["primitives"].as_array().unwrap() {
            primitive["attributes"].as_object().unwrap().values().for_each(&mut take);
            primitive.get("indices").into_iter().for_each(&mut take);
            for target in primitive["targets"].as_array().unwrap_or(&empty) {
                target.as_object().unwrap().values().for_each(&mut take);
            }
        }
    }
    list("skins").iter().for_each(|skin| take(&skin["inverseBindMatrices"]));
    for image in list("images") {
        if image.get("bufferView").is_some() {
            bytes.push(view(number(image, "bufferView")));
        }
    }
    for key in ["asset", "scene", "scenes", "nodes", "materials", "textures", "samplers", "extensionsUsed", "cameras"] {
        values.push(json[key].clone());
    }
    (bytes, values)
}

#[test]
fn meshes_skins_materials_and_images_stay_byte_for_byte() {
    for Known(name, ..) in KNOWN.iter().filter(|known| known.0.ends_with(".glb")) {
        let import = load_character(name);
        // One has weights that glTF forbids; see below.
        if import.warnings.iter().any(|warning| warning.code() == "weights-mended") {
            assert_eq!(*name, "RobotExpressive.glb");
            continue;
        }
        let source = std::fs::read(characters().join(name)).unwrap();
        let (json, bin) = parts(&source);
        let before = kept(&json, &[bin]);
        for keep_clips in [false, true] {
            let settings = WriteSettings { keep_clips, ..WriteSettings::default() };
            let clips = [NewClip::of(&import.clips[0])];
            let glb = write_clips(import.document.as_ref().unwrap(), &import.skeleton, &clips, &settings).unwrap();
            let (json, bin) = parts(&glb);
            assert_eq!(kept(&json, &[bin]), before, "{name}");
            let animations = json["animations"].as_array().unwrap();
            assert_eq!(animations.len(), if keep_clips { import.clips.len() } else { 1 }, "{name}");
            assert_eq!(animations[0]["name"], import.clips[0].name(), "{name}");
            if keep_clips {
                let again = made::read_bytes(&glb).unwrap();
                let walk = import.clips.len() - 1;
                let mut all: Vec<&str> = again.clips.iter().map(|clip| clip.name()).collect();
                all.sort_unstable();
                let mut own: Vec<&str> = import.clips.iter().map(|clip| clip.name()).collect();
                own.sort_unstable();
                assert_eq!(all, own, "{name}");
                let kept = again.clips.iter().find(|clip| clip.name() == import.clips[walk].name()).unwrap();
                let off = kept.frame(0).iter().zip(import.clips[walk].frame(0));
                let off = off.map(|(a, b)| (a.translation - b.translation).length()).fold(0.0, f32::max);
                assert!(off < 1e-5, "{name}: {off}");
            } else if import.clips.len() > 2 {
                assert!(
                    glb.len() < source.len(),
                    "{name}: bytes of old clips are gone: {} {}",
                    glb.len(),
                    source.len()
                );
            }
        }
    }
}

#[test]
fn weights_that_do_not_sum_up_to_one_are_mended_and_nothing_else() {
    let import = load_character("RobotExpressive.glb");
    let mended = import.warnings.iter().find_map(|warning| match warning {
        Warning::WeightsMended { vertices, .. } => Some(*vertices),
        _ => None,
    });
    // As many as Khronos' validator counts errors.
    assert_eq!(mended, Some(752));
    let source = std::fs::read(characters().join("RobotExpressive.glb")).unwrap();
    let exported = export(&import, &WriteSettings::default());
    let ((old, old_bin), (new, new_bin)) = (parts(&source), parts(&exported));
    // All rows of an accessor of floats, or its bytes.
    let content = |json: &Value, bin: &[u8], index: &Value| {
        let accessor = &json["accessors"][index.as_u64().unwrap() as usize];
        let number = |value: &Value, key: &str| value[key].as_u64().unwrap_or(0) as usize;
        let view = &json["bufferViews"][number(accessor, "bufferView")];
        assert!(view.get("byteStride").is_none());
        let rows = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let size = match accessor["componentType"].as_u64().unwrap() {
            5121 => 1,
            5123 => 2,
            _ => 4,
        };
        let start = number(view, "byteOffset") + number(accessor, "byteOffset");
        bin[start..start + number(accessor, "count") * rows * size].to_vec()
    };
    let floats = |bytes: &[u8]| -> Vec<[f32; 4]> {
        let all: Vec<f32> = bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
        all.chunks(4).map(|row| row.try_into().unwrap()).collect()
    };
    let mut changed = 0;
    for (mesh, (old_mesh, new_mesh)) in
        old["meshes"].as_array().unwrap().iter().zip(new["meshes"].as_array().unwrap()).enumerate()
    {
        let primitives = |mesh: &Value| mesh["primitives"].as_array().unwrap().clone();
        for (before, after) in primitives(old_mesh).iter().zip(&primitives(new_mesh)) {
            for (name, index) in before["attributes"].as_object().unwrap() {
                let a = content(&old, &old_bin, index);
                let b = content(&new, &new_bin, &after["attributes"][name]);
                if !name.starts_with("WEIGHTS") {
                    assert_eq!(a, b, "mesh {mesh}, {name}");
                    continue;
                }
                for (a, b) in floats(&a).into_iter().zip(floats(&b)) {
                    let sum: f32 = a.iter().sum();
                    if (sum - 1.0).abs() < 1e-6 {
                        assert_eq!(a, b, "right ones keep their bytes");
                    } else {
                        changed += 1;
                        let off = a.iter().zip(&b).map(|(a, b)| (a / sum - b).abs()).fold(0.0, f32::max);
                        assert!(off < 1e-6 && (b.iter().sum::<f32>() - 1.0).abs() < 3e-7, "{a:?} became {b:?}");
                    }
                }
            }
        }
    }
    assert_eq!(changed, 752);
    // The skin that is read is the same: it was normalised before.
    let again = made::read_bytes(&exported).unwrap();
    assert!(!again.warnings.iter().any(|warning| warning.code() == "weights-mended"));
    let (a, b) = (import.skin.unwrap(), again.skin.unwrap());
    let off = a.weights.as_flattened().iter().zip(b.weights.as_flattened()).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f32::max) < 1e-6);
}

#[test]
fn a_file_with_others_beside_it_is_written_as_one() {
    let import = load_character("khronos_Fox_separate/Fox.gltf");
    let (json, bin) = parts(&export(&import, &WriteSettings::default()));
    assert!(json["buffers"].as_array().unwrap().len() == 1 && json["buffers"][0].get("uri").is_none(), "one buffer");
    assert_eq!((json["images"][0].get("uri"), &json["images"][0]["mimeType"]), (None, &json!("image/png")));
    let image = kept(&json, &[bin]).0.pop().unwrap();
    assert_eq!(image, std::fs::read(characters().join("khronos_Fox_separate/Texture.png")).unwrap());
}

#[test]
fn bytes_that_an_unknown_extension_may_need_stay_where_they_are() {
    let mut made = Made::person();
    made.json["nodes"][2]["extensions"] = json!({ "ACME_secret": { "accessor": 5, "bufferView": 3 } });
    let import = read(&made).unwrap();
    let (json, bin) = parts(&export(&import, &WriteSettings::default()));
    assert_eq!(bin[..made.bin.len()], made.bin, "the old bytes first");
    let accessors = made.json["accessors"].as_array().unwrap();
    assert_eq!(json["accessors"].as_array().unwrap()[..accessors.len()], accessors[..], "indices mean what they did");
    assert_eq!(json["nodes"][2]["extensions"], made.json["nodes"][2]["extensions"]);
    // Without it, the old keys are dropped.
    made.json["nodes"][2].as_object_mut().unwrap().remove("extensions");
    let (less, _) = parts(&export(&read(&made).unwrap(), &WriteSettings::default()));
    assert_eq!(less["accessors"].as_array().unwrap().len() + 2, json["accessors"].as_array().unwrap().len());
}

#[test]
fn the_root_or_the_hips_carry_the_travel() {
    let import = load_character("m2m_kaiju.glb");
    let document = import.document.as_ref().unwrap();
    let walk = import.clips.iter().find(|clip| clip.name() == "Walk RM").unwrap();
    let (root, hips) = (JointId(0), import.skeleton.pelvis());
    let place = |glb: &[u8], joint: JointId, frame: usize| {
        let again = made::read_bytes(glb).unwrap();
        let chain = again.skeleton.ancestry(joint);
        chain.fold(Rigid::IDENTITY, |below, j| again.clips[0].frame(frame)[j.index()] * below)
    };
    let last = walk.frames() - 1;
    for (root_motion, root_travel) in [(RootMotion::Kept, 1.504), (RootMotion::Root, 1.5), (RootMotion::Hips, 0.0)] {
        let settings = WriteSettings { root_motion, ..WriteSettings::default() };
        let glb = write_clips(document, &import.skeleton, &[NewClip::of(walk)], &settings).unwrap();
        let travel = place(&glb, root, last).translation - place(&glb, root, 0).translation;
        assert!((travel.z - root_travel).abs() < 0.1, "{root_motion:?}: {travel}");
        // Wherever it goes, the body moves as before.
        for joint in [hips, JointId(import.skeleton.len() as u16 - 1)] {
            for frame in [0, last / 2, last] {
                let chain = import.skeleton.ancestry(joint);
                let before = chain.fold(Rigid::IDENTITY, |below, j| walk.frame(frame)[j.index()] * below);
                let off = (before.translation - place(&glb, joint, frame).translation).length();
                assert!(off < 1e-5, "{root_motion:?}: {off} m");
            }
        }
    }
}

#[test]
fn a_clips_root_events_and_loop_are_written() {
    let import = read(&Made::person()).unwrap();
    let mut clip = import.clips[0].clone();
    let step = Rigid::from_translation(surefoot::glam::Vec3A::new(0.0, 0.0, 0.5));
    clip = clip.with_cycle(Some(step));
    let new =
        NewClip { clip: &clip, events: vec![(0.25, "left strike".into())], looped: true, rig: None, standing: None };
    let glb = write_clips(import.document.as_ref().unwrap(), &import.skeleton, &[new], &WriteSettings::default());
    let glb = glb.unwrap();
    let (json, _) = parts(&glb);
    let extras = &json["animations"][0]["extras"];
    assert_eq!(*extras, json!({ "loop": true, "events": [{ "time": 0.25, "name": "left strike" }], "mood": "calm" }));
    assert_eq!(json["extras"], json!({ "kept": [1, 2.5, null] }), "what is not understood stays");
    let again = made::read_bytes(&glb).unwrap();
    assert_eq!(again.clips[0].frames(), clip.frames() + 1, "closed by its first frame");
    let travel = again.clips[0].frame(clip.frames())[0].translation - again.clips[0].frame(0)[0].translation;
    assert!((travel.z - 0.5).abs() < 1e-5, "{travel}");
}
