//! glTF files made for each way to be odd or wrong.

mod made;

use made::{Made, export, parts, read, refusal};
use serde_json::{Value, json};
use std::path::Path;
use surefoot::glam::{Quat, Vec3};
use surefoot::math::quat;
use surefoot::rig::{JointId, ModelPose};
use surefoot_io::gltf::WriteSettings;
use surefoot_io::{ImportSettings, RestPose, Warning};

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
fn scale_that_is_uneven_is_refused_by_node_and_clips_that_change_it_are_left_out() {
    let mut made = Made::person();
    made.json["nodes"][1]["scale"] = json!([1, 2, 1]);
    assert!(refusal(&made).contains("node 1 (\"LeftLeg\") is scaled unevenly"), "{}", refusal(&made));
    made.json["nodes"][1]["scale"] = json!([-1, 1, 2]);
    assert!(refusal(&made).contains("scaled unevenly: -1 1 2"), "{}", refusal(&made));
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
    let warnings = read(&made).unwrap().warnings;
    let left_out = |warning: &Warning| match warning {
        Warning::ClipLeftOut { name, why } => name == "Made" && why.contains("scales node 1 (\"LeftLeg\")"),
        _ => false,
    };
    assert!(warnings.iter().any(left_out), "{warnings:?}");
    // A last joint spoils only itself, at rest and in keys.
    let mut made = Made::person();
    made.json["nodes"][2]["scale"] = json!([1, 2, 1]);
    made.animate(2, "scale", "LINEAR", &[0.0, 1.0], &[[1.0, 2.0, 1.0], [1.0, 0.1, 1.0]]);
    let import = read(&made).unwrap();
    let ignored = import.warnings.iter().filter(|w| matches!(w, Warning::ScaleIgnored { .. })).count();
    assert!(ignored >= 1, "{:?}", import.warnings);
    assert_eq!(import.clips.len(), read(&Made::person()).unwrap().clips.len());
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
fn nodes_in_the_middle_of_a_step_are_understood_as_they_were_bound() {
    let plain = read(&Made::person()).unwrap();
    assert_eq!(plain.source.rest, RestPose::Nodes);
    let mut made = Made::person();
    for (node, angle) in [(1, 0.5), (3, -0.5)] {
        made.json["nodes"][node]["rotation"] = json!(Quat::from_rotation_x(angle).to_array());
    }
    let import = read(&made).unwrap();
    assert_eq!(import.source.rest, RestPose::BindPose);
    for (a, b) in import.skeleton.rest().iter().zip(plain.skeleton.rest()).skip(1) {
        assert!((a.translation - b.translation).length() < 1e-5, "{a:?} {b:?}");
    }
}

#[test]
fn nodes_that_lie_while_clips_stand_are_understood_as_they_were_bound() {
    let mut made = Made::person();
    let lying = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    made.json["nodes"][0]["rotation"] = json!(lying.to_array());
    assert_eq!(read(&made).unwrap().source.rest, RestPose::Nodes, "its clip lies, too");
    made.json["animations"] = json!([]);
    made.animate(0, "rotation", "LINEAR", &[0.0, 1.0], &[[0.0, 0.0, 0.0, 1.0]; 2]);
    assert_eq!(read(&made).unwrap().source.rest, RestPose::BindPose);
}

#[test]
fn a_file_of_nothing_but_bones_is_a_skeleton() {
    let mut made = Made::person();
    for key in ["meshes", "skins", "animations"] {
        made.json.as_object_mut().unwrap().remove(key);
    }
    let body = made.json["nodes"].as_array_mut().unwrap();
    body.pop();
    body.push(json!({ "name": "Chest", "translation": [0, 0.3, 0], "children": [6] }));
    body.push(json!({ "name": "Head", "translation": [0, 0.4, 0] }));
    body[0]["children"] = json!([1, 3, 5]);
    made.json["scenes"] = json!([{ "nodes": [0] }]);
    let import = read(&made).unwrap();
    assert_eq!((import.skeleton.len(), import.skin.is_none()), (7, true));
    // A few empty nodes are none.
    made.json["nodes"] = json!([{ "name": "Empty", "children": [1] }, { "name": "Other" }]);
    assert!(read(&made).unwrap_err().what.contains("no skeleton"));
}

#[test]
fn a_body_of_millimetres_was_made_metres_twice() {
    let mut made = Made::person();
    made.json["nodes"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "name": "World", "scale": [0.01, 0.01, 0.01], "children": [0] }));
    made.json["scenes"] = json!([{ "nodes": [5, 6] }]);
    let import = read(&made).unwrap();
    assert_eq!(import.source.unit.value.metres(), 100.0, "{}", import.source.unit.reason);
    let told = import.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    assert!(told.contains("1 unit is 100 m") && told.contains("metres twice"), "{told}");
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
fn compression_that_is_required_is_refused_by_name() {
    for name in ["ACME_mesh_compression", "ACME_unheard_of"] {
        let mut made = Made::person();
        made.json["extensionsRequired"] = json!([name]);
        assert!(refusal(&made).contains(name), "{}", refusal(&made));
    }
    // A skeleton and its motion can do without compressed meshes.
    let mut made = Made::person();
    made.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    for mesh in made.json["meshes"].as_array_mut().unwrap() {
        for part in mesh["primitives"].as_array_mut().unwrap() {
            part["extensions"] = json!({ "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": {} } });
        }
    }
    let import = read(&made).unwrap();
    assert!(import.skin.is_none() && import.skeleton.find("LeftLeg").is_some());
    assert!(import.warnings.iter().any(|w| matches!(w, Warning::MeshesLeftOut { .. })), "{:?}", import.warnings);
    let mut made = Made::person();
    made.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "KHR_materials_unlit"]);
    assert!(read(&made).is_ok(), "what changes no body is let in");
}

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
        ("reach beyond buffer view", |a| a["count"] = json!(1000)),
        ("more than the file's size allows", |a| a["count"] = json!(u64::MAX)),
        ("more than the file's size allows", |a| {
            a.as_object_mut().unwrap().remove("bufferView");
            a["count"] = json!(1_u64 << 40);
        }),
        ("reach beyond buffer view", |a| a["byteOffset"] = json!(u64::MAX)),
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
    let glb =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters/khronos_Fox.glb")).unwrap();
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
