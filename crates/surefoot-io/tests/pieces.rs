//! Bodies in pieces are put together: legs, arms and trunk that hang from nothing, as exporters leave them that drop controls.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use surefoot::analyse::find_skinned_rig;
use surefoot::glam::{Mat4, Quat, Vec3, Vec3A};
use surefoot::math::Rigid;
use surefoot::motion::Clip;
use surefoot::rig::{JointId, ModelPose, Pose};
use surefoot_io::gltf::{NewClip, WriteSettings, write_clips};
use surefoot_io::{Import, ImportSettings, load};

/// What is cut off: both legs and both arms.
const CUT: [&str; 4] = ["leg_joint_L_1", "leg_joint_R_1", "Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_R"];
/// What is left of the trunk begins here.
const TRUNK: &str = "Skeleton_torso_joint_1";

fn local(node: &Value) -> Mat4 {
    let numbers = |key: &str, or: &[f32]| -> Vec<f32> {
        let given = node[key].as_array().map(|all| all.iter().map(|v| v.as_f64().unwrap() as f32).collect());
        given.unwrap_or_else(|| or.to_vec())
    };
    if node["matrix"].is_array() {
        return Mat4::from_cols_slice(&numbers("matrix", &[]));
    }
    let (t, r, s) =
        (numbers("translation", &[0.0; 3]), numbers("rotation", &[0.0, 0.0, 0.0, 1.0]), numbers("scale", &[1.0; 3]));
    Mat4::from_scale_rotation_translation(Vec3::from_slice(&s), Quat::from_slice(&r), Vec3::from_slice(&t))
}

/// The character with legs and arms cut off its trunk, in the same places, and nothing that moves.
fn in_pieces(name: &str) -> PathBuf {
    let asset = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters/khronos_CesiumMan.glb");
    let bytes = std::fs::read(asset).unwrap();
    let end = 20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut json: Value = serde_json::from_slice(&bytes[20..end]).unwrap();
    json.as_object_mut().unwrap().remove("animations");
    let nodes = json["nodes"].as_array_mut().unwrap();
    let number = |nodes: &[Value], name: &str| nodes.iter().position(|node| node["name"] == name).unwrap();
    let above = |nodes: &[Value], node: usize| {
        let holds = |other: &Value| {
            other["children"].as_array().is_some_and(|all| all.iter().any(|child| *child == json!(node)))
        };
        nodes.iter().position(holds)
    };
    let trunk = number(nodes, TRUNK);
    let top = above(nodes, trunk).unwrap();
    for name in CUT {
        let node = number(nodes, name);
        let mut at = local(&nodes[node]);
        let mut from = above(nodes, node).unwrap();
        let parent = from;
        while from != top {
            at = local(&nodes[from]) * at;
            from = above(nodes, from).unwrap();
        }
        let children = nodes[parent]["children"].as_array_mut().unwrap();
        children.retain(|child| *child != json!(node));
        if children.is_empty() {
            nodes[parent].as_object_mut().unwrap().remove("children");
        }
        nodes[top]["children"].as_array_mut().unwrap().push(json!(node));
        let (scale, turn, place) = at.to_scale_rotation_translation();
        assert!((scale - Vec3::ONE).abs().max_element() < 1e-3, "{scale}");
        let own = nodes[node].as_object_mut().unwrap();
        ["matrix", "scale"].iter().for_each(|key| drop(own.remove(*key)));
        own.insert("translation".into(), json!(place.to_array()));
        own.insert("rotation".into(), json!(turn.to_array()));
    }
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = bytes[..12].to_vec();
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(&bytes[16..20]);
    out.extend(text);
    out.extend(&bytes[end..]);
    let all = out.len() as u32;
    out[8..12].copy_from_slice(&all.to_le_bytes());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, out).unwrap();
    path
}

fn read(path: &Path) -> Import {
    load(path, &ImportSettings::default()).unwrap()
}

/// Every joint's place in every frame, by its name, metres.
fn places(import: &Import, clip: &Clip) -> Vec<(String, Vec<Vec3A>)> {
    let skeleton = &import.skeleton;
    let at = |joint: JointId, frame: usize| {
        let mut pose = Pose::rest(skeleton);
        pose.locals.copy_from_slice(clip.frame(frame));
        let mut model = ModelPose::new(skeleton);
        pose.to_model(skeleton, &mut model);
        (clip.roots()[frame] * model[joint]).translation
    };
    let of = |joint: JointId| (skeleton.name(joint).to_owned(), (0..clip.frames()).map(|f| at(joint, f)).collect());
    let mut places: Vec<_> = skeleton.joints().map(of).collect();
    places.sort_by(|a: &(String, Vec<Vec3A>), b| a.0.cmp(&b.0));
    places
}

#[test]
fn what_hangs_from_nothing_hangs_from_the_trunk() {
    let import = read(&in_pieces("in_pieces.glb"));
    let skeleton = &import.skeleton;
    let trunk = skeleton.find(TRUNK).unwrap();
    for name in CUT {
        let cut = skeleton.find(name).unwrap();
        assert!(skeleton.subtree(trunk).contains(&cut.index()), "{name} hangs from {:?}", skeleton.parent(cut));
    }
    let clips: Vec<&Clip> = import.clips.iter().collect();
    let rig = find_skinned_rig(skeleton, import.skin.as_ref(), &clips).unwrap();
    assert_eq!((rig.legs.len(), rig.body()), (2, trunk));
    // Arms hang from what is nearest to them, which is the chest, and not from the hips.
    let arm = skeleton.parent(skeleton.find(CUT[2]).unwrap()).unwrap();
    assert!(skeleton.rest_of(arm).translation.y > skeleton.rest_of(rig.legs[0].hip()).translation.y + 0.2);
}

/// In the file they still hang from nothing: what is written there has them where they were moved.
#[test]
fn motion_goes_back_into_the_file_as_it_was() {
    let import = read(&in_pieces("in_pieces_too.glb"));
    let skeleton = &import.skeleton;
    let mut locals = Vec::new();
    for frame in 0..3 {
        let mut own = skeleton.rest().to_vec();
        let turn = |rotation: Quat| Rigid::from_rotation(rotation);
        let trunk = skeleton.find(TRUNK).unwrap().index();
        own[trunk] = own[trunk] * turn(Quat::from_rotation_x(0.2 * frame as f32));
        for (k, name) in CUT.iter().enumerate() {
            let joint = skeleton.find(name).unwrap().index();
            own[joint] = own[joint] * turn(Quat::from_rotation_z(0.1 * (k + frame) as f32));
        }
        locals.extend(own);
    }
    let mut clip = Clip::new(skeleton, "moved", 30.0, locals).unwrap();
    let gone = |frame: usize| Rigid::from_translation(Vec3A::new(0.0, 0.0, 0.3 * frame as f32));
    clip.roots_mut().iter_mut().enumerate().for_each(|(frame, root)| *root = gone(frame));
    let document = import.document.as_ref().unwrap();
    let glb = write_clips(document, skeleton, &[NewClip::of(&clip)], &WriteSettings::default()).unwrap();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("in_pieces_moved.glb");
    std::fs::write(&path, glb).unwrap();
    let again = read(&path);
    assert_eq!(again.clips[0].frames(), clip.frames());
    for (was, is) in places(&import, &clip).iter().zip(places(&again, &again.clips[0])) {
        assert_eq!(was.0, is.0);
        for (frame, (a, b)) in was.1.iter().zip(&is.1).enumerate() {
            assert!(a.distance(*b) < 1e-4, "{} in frame {frame}: {a} {b}", was.0);
        }
    }
}
