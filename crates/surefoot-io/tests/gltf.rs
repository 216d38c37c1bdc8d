//! glTF in and out: real characters, and small files made for each way to be odd or wrong.

mod made;

use made::{Made, read, refusal};
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

#[test]
fn compression_that_is_required_is_refused_by_name() {
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "ACME_unheard_of"] {
        let mut made = Made::person();
        made.json["extensionsRequired"] = json!([name]);
        assert!(refusal(&made).contains(name), "{}", refusal(&made));
    }
    let mut made = Made::person();
    made.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "KHR_materials_unlit"]);
    assert!(read(&made).is_ok(), "what changes no body is let in");
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

fn export(import: &Import, settings: &WriteSettings) -> Vec<u8> {
    let clips: Vec<NewClip<'_>> = import.clips.iter().map(NewClip::of).collect();
    write_clips(import.document.as_ref().unwrap(), &import.skeleton, &clips, settings).unwrap()
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

/// The JSON of a GLB file and its binary chunk.
fn parts(glb: &[u8]) -> (Value, Vec<u8>) {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&glb[20..20 + length]).unwrap(), glb[20 + length + 8..].to_vec())
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
    let new = NewClip { clip: &clip, events: vec![(0.25, "left strike".into())], looped: true };
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

// --- what a file may do --------------------------------------------------------------------------------------

#[test]
fn a_small_person_is_read() {
    let import = read(&Made::person()).unwrap();
    assert_eq!(import.skeleton.names(), ["Hips", "LeftLeg", "LeftFoot", "RightLeg", "RightFoot"]);
    assert_eq!((import.clips.len(), import.clips[0].frames(), import.clips[0].rate()), (1, 7, 24.0));
    assert_eq!(import.clips[0].name(), "Swing");
    assert!(import.warnings.is_empty(), "{:?}", import.warnings);
    let turned = import.clips[0].frame(6)[1].rotation;
    assert!(quat::angle_between(turned, Quat::from_rotation_x(0.6)) < 1e-5, "{turned}");
    let skin = import.skin.unwrap();
    assert_eq!((skin.positions.len(), skin.triangles.as_slice()), (4, [[0, 1, 2], [2, 1, 3]].as_slice()));
}

#[test]
fn step_linear_and_cubic_keys_are_sampled() {
    let halfway = |interpolation: &str, values: &[[f32; 3]]| {
        let mut made = Made::person();
        made.animate(0, "translation", interpolation, &[0.0, 1.0], values);
        read(&made).unwrap().clips[1].frame(12)[0].translation.x
    };
    let (a, b) = ([0.0, 0.9, 0.0], [1.0, 0.9, 0.0]);
    assert_eq!(halfway("STEP", &[a, b]), 0.0);
    assert!((halfway("LINEAR", &[a, b]) - 0.5).abs() < 1e-6, "linear");
    let zero = [0.0; 3];
    let steep = [4.0, 0.0, 0.0];
    assert!((halfway("CUBICSPLINE", &[zero, a, zero, zero, b, zero]) - 0.5).abs() < 1e-6, "cubic, level ends");
    // h(½) = a/2 + b/2 + (out - in)/8.
    assert!((halfway("CUBICSPLINE", &[zero, a, steep, zero, b, zero]) - 1.0).abs() < 1e-6, "cubic, steep start");
    let mut made = Made::person();
    made.animate(0, "translation", "LINEER", &[0.0, 1.0], &[a, b]);
    assert!(refusal(&made).contains("LINEER"), "{}", refusal(&made));
}

#[test]
fn quaternions_that_change_sign_turn_the_near_way() {
    let q = Quat::from_rotation_x(0.2).to_array();
    let flipped = (-Quat::from_rotation_x(0.4)).to_array();
    for interpolation in ["LINEAR", "CUBICSPLINE"] {
        let mut made = Made::person();
        let zero = [0.0; 4];
        let values =
            if interpolation == "LINEAR" { vec![q, flipped] } else { vec![zero, q, zero, zero, flipped, zero] };
        made.animate(1, "rotation", interpolation, &[0.0, 1.0], &values);
        let import = read(&made).unwrap();
        let between = import.clips[1].frame(12)[1].rotation;
        assert!(quat::angle_between(between, Quat::from_rotation_x(0.3)) < 1e-3, "{interpolation}: {between}");
    }
}

#[test]
fn normalised_and_sparse_numbers_are_read() {
    let mut made = Made::person();
    // A quarter turn about x in signed shorts.
    let value = (std::f32::consts::FRAC_1_SQRT_2 * 32767.0).round() as i16;
    let bytes: Vec<u8> = [value, 0, 0, value].iter().flat_map(|v| v.to_le_bytes()).collect();
    let output = made.accessor_of(&bytes, 5122, "VEC4", 1);
    made.json["accessors"][output]["normalized"] = json!(true);
    made.animate_with(1, "rotation", "LINEAR", &[0.0], output);
    // A sparse accessor without a base: zeros but for one row.
    let (index, row) = (made.view(&1_u16.to_le_bytes()), made.view(&2.0_f32.to_le_bytes().repeat(3)));
    made.json["accessors"].as_array_mut().unwrap().push(json!({
        "componentType": 5126, "type": "VEC3", "count": 2,
        "sparse": { "count": 1, "indices": { "bufferView": index, "componentType": 5123 }, "values": { "bufferView": row } },
    }));
    let output = made.json["accessors"].as_array().unwrap().len() - 1;
    made.animate_with(0, "translation", "LINEAR", &[0.0, 1.0], output);
    let import = read(&made).unwrap();
    let quarter = import.clips[1].frame(0)[1].rotation;
    assert!(quat::angle_between(quarter, Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)) < 1e-4, "{quarter}");
    assert_eq!(import.clips[1].frames(), 1, "one key is one frame");
    let clip = &import.clips[2];
    assert_eq!(clip.frame(0)[0].translation.to_array(), [0.0; 3]);
    assert_eq!(clip.frame(24)[0].translation.to_array(), [2.0; 3]);
}

#[test]
fn names_that_lack_or_repeat_are_made_good() {
    let mut made = Made::person();
    made.json["nodes"][2]["name"] = json!("LeftLeg");
    made.json["nodes"][4].as_object_mut().unwrap().remove("name");
    let import = read(&made).unwrap();
    assert_eq!(import.skeleton.names(), ["Hips", "LeftLeg", "LeftLeg (2)", "RightLeg", "node 4"]);
    assert!(
        import.warnings.contains(&Warning::MadeUnique { name: "LeftLeg".into(), count: 2 }),
        "{:?}",
        import.warnings
    );
    assert!(import.warnings.contains(&Warning::Unnamed { count: 1 }), "{:?}", import.warnings);
}

#[test]
fn matrices_and_scale_above_are_taken_in_and_undone() {
    let plain = read(&Made::person()).unwrap();
    // The same person, ten times too small, lying, under an armature that says so by a matrix.
    let mut made = Made::person();
    for node in 0..5 {
        for axis in 0..3 {
            let value = made.json["nodes"][node]["translation"][axis].as_f64().unwrap();
            made.json["nodes"][node]["translation"][axis] = json!(value / 10.0);
        }
    }
    // z up to y up, times ten.
    let quarter = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let lie = |v: &Value| quarter * Vec3::from_array(std::array::from_fn(|i| v[i].as_f64().unwrap() as f32));
    let hips = lie(&made.json["nodes"][0]["translation"]);
    made.json["nodes"][0]["translation"] = json!(hips.to_array());
    made.json["nodes"][0]["rotation"] = json!(quarter.to_array());
    let matrix = json!([10, 0, 0, 0, 0, 0, -10, 0, 0, 10, 0, 0, 0, 0, 0, 1]);
    made.json["nodes"].as_array_mut().unwrap().push(json!({ "name": "Z_UP", "matrix": matrix, "children": [0] }));
    let import = read(&made).unwrap();
    assert_eq!(import.skeleton.names(), plain.skeleton.names(), "the armature is no joint");
    for (a, b) in ModelPose::new(&import.skeleton).joints.iter().zip(&ModelPose::new(&plain.skeleton).joints) {
        let joints_off = (a.translation.x - b.translation.x).abs() + (a.translation.z - b.translation.z).abs();
        assert!(joints_off < 1e-5, "{a:?} {b:?}");
    }
    let node = import.document.as_ref().unwrap().joint(JointId(1));
    assert!((node.metres - 10.0).abs() < 1e-5, "{node:?}");
    let again = made::read_bytes(&export(&import, &WriteSettings::default())).unwrap();
    let off = again.clips[0].frame(3).iter().zip(import.clips[0].frame(3));
    assert!(off.map(|(a, b)| (a.translation - b.translation).length()).fold(0.0, f32::max) < 1e-5, "undone");
}

#[test]
fn an_animated_node_with_a_matrix_is_written_without() {
    let mut made = Made::person();
    let node = made.json["nodes"][1].as_object_mut().unwrap();
    node.remove("translation");
    node.insert("matrix".into(), json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1, 0, 0, 1]));
    let import = read(&made).unwrap();
    let (json, _) = parts(&export(&import, &WriteSettings::default()));
    let node = &json["nodes"][1];
    assert!(node.get("matrix").is_none() && node.get("translation").is_some(), "{node}");
}

#[test]
fn scale_that_is_uneven_or_changes_is_refused_by_node() {
    let mut made = Made::person();
    made.json["nodes"][1]["scale"] = json!([1, 2, 1]);
    assert!(refusal(&made).contains("node 1 (\"LeftLeg\") is scaled unevenly"), "{}", refusal(&made));
    made.json["nodes"][1]["scale"] = json!([-1, 1, 1]);
    assert!(refusal(&made).contains("mirrored"), "{}", refusal(&made));
    made.json["nodes"][1]["scale"] = json!([0, 0, 0]);
    assert!(refusal(&made).contains("flat"), "{}", refusal(&made));
    let mut made = Made::person();
    made.json["nodes"][1].as_object_mut().unwrap().remove("translation");
    made.json["nodes"][1]["matrix"] = json!([1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    assert!(refusal(&made).contains("sheared"), "{}", refusal(&made));
    let mut made = Made::person();
    made.json["nodes"].as_array_mut().unwrap().push(json!({ "name": "Rig", "scale": [1, 1, 3], "children": [0] }));
    assert!(refusal(&made).contains("\"Rig\""), "{}", refusal(&made));
    // Keys: constant ones are fine, others are not.
    let mut made = Made::person();
    made.animate(1, "scale", "LINEAR", &[0.0, 1.0], &[[1.0, 1.0002, 1.0], [1.0, 1.0, 1.0]]);
    made.animate(2, "rotation", "LINEAR", &[0.0, 1.0], &[[0.0, 0.0, 0.0, 1.0]; 2]);
    assert!(read(&made).is_ok(), "rounding is no scale");
    made.animate(1, "scale", "LINEAR", &[0.0, 1.0], &[[1.0, 1.0, 1.0], [1.0, 1.2, 1.0]]);
    assert!(refusal(&made).contains("scales node 1 (\"LeftLeg\")"), "{}", refusal(&made));
    // A prop may have any scale.
    let mut made = Made::person();
    made.json["nodes"].as_array_mut().unwrap().push(json!({ "name": "Sword", "scale": [1, 5, 1], "mesh": 0 }));
    made.json["nodes"][1]["children"].as_array_mut().unwrap().push(json!(6));
    let import = read(&made).unwrap();
    assert_eq!(import.skin.unwrap().positions.len(), 8, "what hangs from a joint is part of the skin");
}

#[test]
fn several_skins_and_roots_make_one_skeleton() {
    let mut made = Made::person();
    let nodes = made.json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "name": "Cape", "translation": [0, 1.2, -0.2] }));
    made.json["skins"].as_array_mut().unwrap().push(json!({ "joints": [6] }));
    made.json["nodes"].as_array_mut().unwrap().push(json!({ "name": "CapeMesh", "mesh": 0, "skin": 1 }));
    let import = read(&made).unwrap();
    assert_eq!(import.skeleton.roots().count(), 2);
    assert_eq!(import.skin.unwrap().bones.len(), 6);
}

#[test]
fn what_moves_outside_is_left_alone() {
    let mut made = Made::person();
    made.json["nodes"].as_array_mut().unwrap().push(json!({ "name": "Camera" }));
    made.animate(6, "translation", "LINEAR", &[0.0, 1.0], &[[0.0; 3], [1.0; 3]]);
    let import = read(&made).unwrap();
    assert_eq!((import.skeleton.len(), import.clips.len()), (5, 1));
    let codes: Vec<&str> = import.warnings.iter().map(Warning::code).collect();
    assert_eq!(codes, ["left-alone", "still-animation"]);
}

#[test]
fn what_moves_above_the_joints_is_a_joint() {
    let mut made = Made::person();
    made.json["nodes"].as_array_mut().unwrap().push(json!({ "name": "Mover", "children": [0] }));
    made.animate(6, "translation", "LINEAR", &[0.0, 1.0], &[[0.0; 3], [1.0, 0.0, 0.0]]);
    let import = read(&made).unwrap();
    assert_eq!((import.skeleton.len(), import.skeleton.names()[0].as_str()), (6, "Mover"));
    assert!((import.clips[1].frame(24)[0].translation.x - 1.0).abs() < 1e-6, "it moves");
}

#[test]
fn nodes_that_make_no_body_stand_as_they_were_bound() {
    let plain = read(&Made::person()).unwrap();
    let mut made = Made::person();
    for node in 0..5 {
        made.json["nodes"][node]["translation"] = json!([0, 0, 0]);
    }
    let import = read(&made).unwrap();
    assert_eq!(import.source.rest, RestPose::BindPose);
    for (a, b) in import.skeleton.rest().iter().zip(plain.skeleton.rest()).skip(1) {
        assert!((a.translation - b.translation).length() < 1e-5, "{a:?} {b:?}");
    }
}

#[test]
fn rates_come_from_the_keys_or_from_the_caller() {
    let made = Made::person();
    let stated = ImportSettings { rate: Some(60.0), ..ImportSettings::default() };
    let import = made::read_with(&made.bytes(), &stated).unwrap();
    assert_eq!((import.clips[0].rate(), import.clips[0].frames()), (60.0, 16), "a quarter of a second, both ends");
    let mut odd = Made::person();
    odd.json["animations"] = json!([]);
    odd.animate(0, "translation", "LINEAR", &[0.0, 0.07, 0.2], &[[0.0; 3]; 3]);
    let import = read(&odd).unwrap();
    assert_eq!((import.clips[0].rate(), import.clips[0].frames()), (30.0, 7));
    assert!(import.warnings.contains(&Warning::RateAssumed { rate: 30.0 }), "{:?}", import.warnings);
}

#[test]
fn strips_fans_and_second_joint_sets_are_read() {
    let mut made = Made::person();
    made.json["meshes"][0]["primitives"][0]["mode"] = json!(5);
    made.json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices");
    assert_eq!(read(&made).unwrap().skin.unwrap().triangles, [[0, 1, 2], [2, 1, 3]]);
    made.json["meshes"][0]["primitives"][0]["mode"] = json!(6);
    assert_eq!(read(&made).unwrap().skin.unwrap().triangles, [[0, 1, 2], [0, 2, 3]]);
    made.json["meshes"][0]["primitives"][0]["mode"] = json!(1);
    assert!(read(&made).unwrap().skin.is_none(), "lines are no skin");

    let mut made = Made::person();
    let joints = made.accessor_of(&[1, 2, 3, 4].repeat(4), 5121, "VEC4", 4);
    let weights: Vec<u8> = [0.0_f32, 0.5, 0.0, 0.1].repeat(4).iter().flat_map(|w| w.to_le_bytes()).collect();
    let weights = made.accessor_of(&weights, 5126, "VEC4", 4);
    made.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_1"] = json!(joints);
    made.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_1"] = json!(weights);
    let skin = read(&made).unwrap().skin.unwrap();
    let mut held: Vec<(u16, f32)> = skin.joints[0].into_iter().zip(skin.weights[0]).filter(|(_, w)| *w > 0.0).collect();
    held.sort_by_key(|(joint, _)| *joint);
    assert_eq!(held.iter().map(|(joint, _)| *joint).collect::<Vec<_>>(), [0, 2, 4]);
    assert!((held[1].1 - 0.5 / 1.6).abs() < 1e-6, "{held:?}");
}

#[test]
fn a_file_without_a_skin_is_what_moves() {
    let mut made = Made::person();
    made.json.as_object_mut().unwrap().remove("skins");
    made.json["nodes"][5] = json!({ "name": "nothing" });
    let import = read(&made).unwrap();
    assert_eq!((import.skeleton.names().len(), import.skin), (1, None));
    made.json["animations"] = json!([]);
    assert!(refusal(&made).contains("no skeleton"), "{}", refusal(&made));
}

#[test]
fn a_body_that_nothing_moves_is_a_clip_of_one_frame() {
    let mut made = Made::person();
    made.json["animations"] = json!([]);
    let import = read(&made).unwrap();
    assert_eq!((import.clips.len(), import.clips[0].frames(), import.skeleton.len()), (1, 1, 5));
    assert_eq!(import.warnings, [Warning::NoClips]);
    let again = made::read_bytes(&export(&import, &WriteSettings::default())).unwrap();
    assert_eq!(again.clips[0].frame(0).len(), 5);
}

#[test]
fn our_own_files_read_back() {
    let import = read(&Made::person()).unwrap();
    let own = surefoot_io::glb::write(&import.skeleton, &import.clips);
    let again = made::read_bytes(&own).unwrap();
    assert_eq!(again.skeleton.names(), import.skeleton.names());
    assert_eq!((again.clips[0].frames(), again.clips[0].rate()), (7, 24.0));
}

// --- what is refused -----------------------------------------------------------------------------------------

#[test]
fn broken_trees_are_refused_by_node() {
    let mut made = Made::person();
    made.json["nodes"][2]["children"] = json!([1]);
    assert!(refusal(&made).contains("two nodes"), "{}", refusal(&made));
    let mut made = Made::person();
    made.json["nodes"][2]["children"] = json!([0]);
    assert!(refusal(&made).contains("hangs from itself"), "{}", refusal(&made));
    let mut made = Made::person();
    made.json["nodes"][2]["children"] = json!([77]);
    assert!(refusal(&made).contains("child 77"), "{}", refusal(&made));
    let mut made = Made::person();
    made.json["skins"][0]["joints"][0] = json!(77);
    assert!(refusal(&made).contains("node 77"), "{}", refusal(&made));
    let mut deep = Made::person();
    let nodes = deep.json["nodes"].as_array_mut().unwrap();
    nodes.extend((0..100_000).map(|i| json!({ "children": [i + 7] })));
    nodes.push(json!({}));
    assert!(refusal(&deep).contains("deeper than"), "{}", refusal(&deep));
    let mut made = Made::person();
    made.json["nodes"][1]["rotation"] = json!([0, 0, 0, 0]);
    assert!(refusal(&made).contains("node 1 (\"LeftLeg\")"), "{}", refusal(&made));
    made.json["nodes"][1]["rotation"] = json!([0, 0, 0, 1e300]);
    assert!(refusal(&made).contains("node 1 (\"LeftLeg\")"), "{}", refusal(&made));
}

#[test]
fn broken_accessors_are_refused_by_index() {
    type Breakage = fn(&mut Value);
    let times = Made::person().json["animations"][0]["samplers"][0]["input"].as_u64().unwrap() as usize;
    let cases: [(&str, Breakage); 8] = [
        ("reach past buffer view", |a| a["count"] = json!(1000)),
        ("more than the file's size allows", |a| a["count"] = json!(u64::MAX)),
        ("more than the file's size allows", |a| {
            a.as_object_mut().unwrap().remove("bufferView");
            a["count"] = json!(1_u64 << 40);
        }),
        ("reach past buffer view", |a| a["byteOffset"] = json!(u64::MAX)),
        ("buffer view 4000000000", |a| a["bufferView"] = json!(4_000_000_000_u64)),
        ("component type 7", |a| a["componentType"] = json!(7)),
        ("SCALAR is needed", |a| a["type"] = json!("VEC2")),
        ("invalid value", |a| a["count"] = json!(-1)),
    ];
    for (expected, breakage) in cases {
        let mut made = Made::person();
        breakage(&mut made.json["accessors"][times]);
        let refusal = refusal(&made);
        assert!(refusal.contains(expected) && refusal.contains(&format!("accessor {times}")), "{expected}: {refusal}");
    }
    for (key, value) in [("byteOffset", u64::MAX), ("byteLength", u64::MAX), ("byteLength", 1 << 40), ("byteStride", 1)]
    {
        let mut made = Made::person();
        let view = made.json["accessors"][times]["bufferView"].as_u64().unwrap() as usize;
        made.json["bufferViews"][view][key] = json!(value);
        assert!(refusal(&made).contains(&format!("buffer view {view}")), "{key}: {}", refusal(&made));
    }
    let mut made = Made::person();
    made.json["buffers"] = json!([{ "byteLength": 1_u64 << 50 }]);
    assert!(refusal(&made).contains("buffer 0"), "{}", refusal(&made));
}

#[test]
fn broken_keys_are_refused_by_animation() {
    let still = [[0.0, 0.9, 0.0]; 3];
    for (times, expected) in [
        ([0.0, 0.5, 0.5], "does not come after"),
        ([0.0, 0.5, 0.2], "does not come after"),
        ([0.0, f32::NAN, 1.0], "row 1 is not finite"),
        ([0.0, 1.0, f32::INFINITY], "row 2 is not finite"),
        ([0.0, 1.0, 1e9], "more than the file's size allows"),
    ] {
        let mut made = Made::person();
        made.animate(0, "translation", "LINEAR", &times, &still);
        assert!(refusal(&made).contains(expected), "{times:?}: {}", refusal(&made));
    }
    let mut made = Made::person();
    made.animate(0, "translation", "LINEAR", &[0.0, 1.0], &still);
    assert!(refusal(&made).contains("3 values for 2 keys"), "{}", refusal(&made));
    assert!(refusal(&made).contains("animation 1 (\"Made\")"), "{}", refusal(&made));
    let mut made = Made::person();
    made.animate(1, "rotation", "LINEAR", &[0.0, 1.0], &[[0.0; 4]; 2]);
    assert!(refusal(&made).contains("key 0 is zero"), "{}", refusal(&made));
    let mut made = Made::person();
    made.animate(0, "translation", "LINEAR", &[0.0], &[[3e38, 3e38, f32::NAN]]);
    assert!(refusal(&made).contains("not finite"), "{}", refusal(&made));
    let mut made = Made::person();
    made.json["animations"][0]["channels"][0]["sampler"] = json!(9);
    assert!(refusal(&made).contains("sampler 9"), "{}", refusal(&made));
    made.json["animations"][0]["channels"][0] = json!({ "sampler": 0, "target": { "node": 99, "path": "rotation" } });
    assert!(refusal(&made).contains("node 99"), "{}", refusal(&made));
}

#[test]
fn uris_that_lead_elsewhere_are_never_followed() {
    for uri in ["../a.bin", "/etc/passwd", "http://host/a.bin", "%2e%2e/a", "C:\\a", "file:///a", "..\\a"] {
        for part in ["buffers", "images"] {
            let mut made = Made::person();
            let bytes = made.bytes();
            let mut json: Value = serde_json::from_slice(&bytes).unwrap();
            if part == "images" {
                json["images"] = json!([{ "uri": uri }]);
            } else {
                json["buffers"][0]["uri"] = json!(uri);
            }
            made.json = json;
            let text = serde_json::to_vec(&made.json).unwrap();
            let never = |path: &str| -> std::io::Result<Vec<u8>> { panic!("{path} was followed") };
            let error = surefoot_io::gltf::read(&text, "", &never, &ImportSettings::default()).unwrap_err();
            assert!(error.what.contains("refused"), "{uri}: {error}");
        }
    }
    let mut made = Made::person();
    made.json["images"] = json!([{ "uri": "lost.png" }]);
    let import = read(&made).unwrap();
    assert_eq!(import.warnings.iter().map(Warning::code).collect::<Vec<_>>(), ["image-missing"]);
}

#[test]
fn broken_containers_and_text_are_refused_with_their_place() {
    let glb = std::fs::read(characters().join("khronos_Fox.glb")).unwrap();
    for cut in [4, 11, 12, 19, 25, 5000, glb.len() - 1] {
        assert!(made::read_bytes(&glb[..cut]).is_err(), "cut to {cut} bytes");
    }
    let mut old = glb.clone();
    old[4] = 1;
    assert!(made::read_bytes(&old).unwrap_err().what.contains("version 1"), "GLB 1");
    let error = made::read_bytes(b"{\n  \"asset\": { \"version\": \"2.0\" },\n  \"nodes\": [ { ] }").unwrap_err();
    assert_eq!(error.place.as_ref().map(|place| place.line), Some(3), "{error}");
    let deep = format!("{{\"a\":{}", "[".repeat(1_000_000));
    assert!(made::read_bytes(deep.as_bytes()).is_err(), "a depth bomb");
    for text in ["{}", "{\"asset\":{\"version\":\"1.0\"}}", "{\"asset\":{\"version\":\"2.0\"},\"nodes\":3}"] {
        assert!(made::read_bytes(text.as_bytes()).is_err(), "{text}");
    }
}
