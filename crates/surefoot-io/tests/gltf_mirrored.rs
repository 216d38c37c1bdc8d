//! glTF bones of which one side is the mirror image of the other, by scales of -1, as modelling programs make them.

mod made;

use made::{Made, read};
use serde_json::json;
use surefoot::glam::{Quat, Vec3};
use surefoot::motion::Clip;
use surefoot::rig::{ModelPose, Pose};
use surefoot_io::Import;
use surefoot_io::gltf::{NewClip, WriteSettings, write_clips};

/// A person whose right leg turns at both of its joints, and holds the skin.
fn person(mirrored: [f32; 3]) -> Made {
    let mut made = Made::person();
    let held = made.accessor_of(&[4, 3, 0, 0].repeat(4), 5121, "VEC4", 4);
    made.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(held);
    let weights = made.floats(&[[0.7, 0.3, 0.0, 0.0]; 4]);
    made.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let [x, y, z] = mirrored;
    made.json["nodes"][3]["scale"] = json!(mirrored);
    made.json["nodes"][4]["translation"] = json!([0.02 * x, -0.85 * y, 0.05 * z]);
    let bind = |joint: [f32; 3]| {
        let [a, b, c] = joint;
        [x, 0., 0., 0., 0., y, 0., 0., 0., 0., z, 0., -a * x, -b * y, -c * z, 1.]
    };
    let plain = |a: f32, b: f32| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., -a, -b, 0., 1.];
    let binds = [plain(0., 0.9), plain(0.1, 0.9), plain(0.1, 0.05), bind([-0.1, 0.9, 0.0]), bind([-0.08, 0.05, 0.05])];
    let binds = made.floats(&binds);
    made.json["skins"][0]["inverseBindMatrices"] = json!(binds);
    let times = [0.0, 0.25, 0.5];
    let turns = [[0.1, 0.2, 0.3], [0.4, -0.3, 0.1], [-0.2, 0.5, -0.6]];
    let turns = turns.map(|[a, b, c]| Quat::from_euler(surefoot::glam::EulerRot::XYZ, a, b, c));
    made.animate(3, "rotation", "LINEAR", &times, &turns.map(|turn| turn.to_array()));
    // Below a mirror turns go the other way round.
    let sign = x * y * z;
    let inside = |q: Quat| [sign * x * q.x, sign * y * q.y, sign * z * q.z, q.w];
    made.animate(4, "rotation", "CUBICSPLINE", &times, &turns.map(|turn| [[0.0; 4], inside(turn), [0.0; 4]]).concat());
    let both = made.json["animations"].as_array_mut().unwrap();
    let mut other = both.pop().unwrap();
    let last = both.last_mut().unwrap();
    last["samplers"].as_array_mut().unwrap().push(other["samplers"][0].take());
    other["channels"][0]["sampler"] = json!(1);
    last["channels"].as_array_mut().unwrap().push(other["channels"][0].take());
    made
}

/// Places of joints and of the skin in every frame of a clip.
fn places(import: &Import, clip: &Clip) -> Vec<Vec3> {
    let mut pose = Pose::rest(&import.skeleton);
    let mut model = ModelPose::new(&import.skeleton);
    let skin = import.skin.as_ref().unwrap();
    let mut held = vec![Vec3::ZERO; skin.positions.len()];
    let mut places = Vec::new();
    for frame in 0..clip.frames() {
        pose.locals.copy_from_slice(clip.frame(frame));
        pose.to_model(&import.skeleton, &mut model);
        skin.deform(&model, &mut held);
        places.extend(model.joints.iter().map(|joint| Vec3::from(joint.translation)));
        places.extend(&held);
    }
    places
}

#[test]
fn mirrored_bones_and_their_skin_go_where_the_file_has_them() {
    let plain = read(&person([1.0; 3])).unwrap();
    for signs in [[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [-1.0; 3], [-1.0, -1.0, 1.0]] {
        let mirrored = read(&person(signs)).unwrap_or_else(|error| panic!("{signs:?}: {error}"));
        let found = mirrored.clips.last().unwrap();
        let (a, b) = (places(&plain, plain.clips.last().unwrap()), places(&mirrored, found));
        let off = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(a.len() == b.len() && off < 1e-5, "{signs:?}: {off} m apart");

        // And back into the file.
        let document = mirrored.document.as_ref().unwrap();
        let written =
            write_clips(document, &mirrored.skeleton, &[NewClip::of(found)], &WriteSettings::default()).unwrap();
        let again = made::read_with(&written, &surefoot_io::ImportSettings::default()).unwrap();
        let c = places(&again, &again.clips[0]);
        let off = b.iter().zip(&c).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(c.len() == b.len() && off < 1e-5, "{signs:?}: {off} m apart once written");
    }
}

#[test]
fn a_flat_or_uneven_bone_is_refused_by_node() {
    for (scale, word) in [([0.0, 1.0, 1.0], "is flat"), ([-1.0, 1.0, 2.0], "is scaled unevenly")] {
        let mut made = Made::person();
        made.json["nodes"][3]["scale"] = json!(scale);
        let error = read(&made).unwrap_err().what;
        assert!(error.contains(word) && error.contains("RightLeg"), "{error}");
    }
}
