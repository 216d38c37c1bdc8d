//! FBX: what turns, mirrors and scales a body besides its bones' own places, checked against places reckoned by hand.
#![cfg(feature = "fbx")]

mod made_fbx;

use made_fbx::{Made, near, person, place, vector};
use surefoot::glam::Vec3;
use surefoot::rig::ModelPose;
use surefoot_io::{Axis, Import, ImportSettings, Unit, Warning, fbx};

const JOINTS: [&str; 5] = ["Hips", "LeftLeg", "LeftFoot", "RightLeg", "RightFoot"];

fn integer(name: &str, value: i64) -> String {
    format!("P: \"{name}\", \"int\", \"Integer\", \"\",{value}\n")
}

/// A mesh of one triangle, 0 0 0, 10 0 0, 0 20 0, on a node with these properties that hangs from a bone.
fn triangle(made: &mut Made, bone: usize, properties: &str) {
    made.more.0.push_str(&format!(
        "Model: 600, \"Model::Plate\", \"Mesh\" {{\nProperties70:  {{\n{properties}}}\n}}
Geometry: 601, \"Geometry::Plate\", \"Mesh\" {{\nVertices: *9 {{\na: 0,0,0,10,0,0,0,20,0\n}}
PolygonVertexIndex: *3 {{\na: 0,1,-3\n}}\nGeometryVersion: 124\n}}\n"
    ));
    made.more.1.push_str(&format!("C: \"OO\",600,{}\nC: \"OO\",601,600\n", 100 + bone));
}

/// The triangle's corners in the rest pose, from a joint.
fn corners(import: &Import, joint: &str) -> [Vec3; 3] {
    let rest = ModelPose::new(&import.skeleton);
    let from = Vec3::from(rest[import.skeleton.find(joint).unwrap()].translation);
    let skin = import.skin.as_ref().unwrap();
    let places = skin.at_rest(&import.skeleton);
    assert_eq!(skin.triangles.len(), 1, "one triangle");
    skin.triangles[0].map(|corner| places[corner as usize] - from)
}

#[test]
fn left_handed_axes_are_mirrored_to_ours() {
    // X right, Y up, Z into the picture, as DirectX has it: what is z there is -z here. The person walks to the front,
    // which is -z, with the left leg at +x, and swings it: in numbers, x turns y to z.
    let mut made = person();
    made.axes = [(1, 1), (2, -1), (0, 1)];
    for (_, _, _, keys) in made.curves.iter_mut().take(1) {
        keys.iter_mut().for_each(|(_, z)| *z = -*z);
    }
    triangle(&mut made, 1, &vector("Lcl Translation", [0.0, 0.0, -30.0]));
    let import = made.read().unwrap();
    assert_eq!(import.warnings, [], "nothing odd about it");
    for frame in [0, 10, 30] {
        let angle = (frame as f32).to_radians();
        let hips = Vec3::new(0.0, 0.85, 0.01 * frame as f32);
        // (0, -80, 0) turned in the file's numbers is (0, -80 cos, -80 sin); z changes its sign.
        let shin = Vec3::new(0.0, -0.8 * angle.cos(), 0.8 * angle.sin());
        near(place(&import, "Hips", frame), hips);
        near(place(&import, "LeftLeg", frame), hips + Vec3::new(0.1, -0.05, 0.0));
        near(place(&import, "LeftFoot", frame), hips + Vec3::new(0.1, -0.05, 0.0) + shin);
        near(place(&import, "RightFoot", frame), hips + Vec3::new(-0.1, -0.85, 0.0));
    }
    // Mirrored, it is walked the other way round, so that its front stays its front.
    let [origin, up, right] = corners(&import, "LeftLeg");
    near(origin, Vec3::new(0.0, 0.0, 0.3));
    near(right, Vec3::new(0.1, 0.0, 0.3));
    near(up, Vec3::new(0.0, 0.2, 0.3));
}

#[test]
fn left_handed_axes_with_z_up_are_mirrored_too() {
    // X right, Z up, Y to the front, as Unreal has it: x y z there is x z y here.
    let mut made = person();
    made.axes = [(2, 1), (1, 1), (0, 1)];
    for (_, _, [_, y, z], _) in &mut made.bones {
        (*y, *z) = (*z, *y);
    }
    made.curves[0].1 = "Lcl Translation";
    made.curves[0].2 = 'Y';
    let import = made.read().unwrap();
    assert_eq!((import.source.up.value, import.source.forward.value), (Axis::Z, Axis::Y));
    for frame in [0, 10, 30] {
        let angle = (frame as f32).to_radians();
        let hips = Vec3::new(0.0, 0.85, 0.01 * frame as f32);
        // The shin is (0, 0, -80) there; turned about x in numbers it is (0, 80 sin, -80 cos), and y is our z.
        let shin = Vec3::new(0.0, -0.8 * angle.cos(), 0.8 * angle.sin());
        near(place(&import, "LeftFoot", frame), hips + Vec3::new(0.1, -0.05, 0.0) + shin);
        near(place(&import, "RightFoot", frame), hips + Vec3::new(-0.1, -0.85, 0.0));
    }
}

#[test]
fn axes_are_told_and_stated_as_the_left_handed_file_has_them() {
    // x y z there is x y -z here. Who faces +x has the left side at +z there, -z here.
    let mut made = person();
    made.axes = [(1, 1), (2, -1), (0, 1)];
    for (_, _, [x, _, z], _) in &mut made.bones {
        (*x, *z) = (0.0, *x);
    }
    made.curves.truncate(1);
    made.curves[0].2 = 'X';
    let found = made.read().unwrap();
    assert_eq!((found.source.up.value, found.source.forward.value), (Axis::Y, Axis::X));
    for forward in ["x", "-x", "z", "-z"] {
        let settings = ImportSettings { forward: Some(forward.parse().unwrap()), ..ImportSettings::default() };
        let import = fbx::read(made.text().as_bytes(), "made", &settings).unwrap();
        assert_eq!(import.source.forward.value, forward.parse().unwrap(), "as stated");
        let [walked, left] = [place(&import, "Hips", 30), place(&import, "LeftLeg", 0) - place(&import, "Hips", 0)];
        // Forward is our z, and left our x, whatever the body says.
        let (way, side) = match forward {
            "x" => (Vec3::new(0.0, 0.85, 0.3), Vec3::new(0.1, -0.05, 0.0)),
            "-x" => (Vec3::new(0.0, 0.85, -0.3), Vec3::new(-0.1, -0.05, 0.0)),
            "z" => (Vec3::new(-0.3, 0.85, 0.0), Vec3::new(0.0, -0.05, 0.1)),
            _ => (Vec3::new(0.3, 0.85, 0.0), Vec3::new(0.0, -0.05, -0.1)),
        };
        near(walked, way);
        near(left, side);
    }
}

#[test]
fn geometric_transforms_move_meshes_and_no_joints() {
    let plain = person().read().unwrap();
    let mut made = person();
    let geometric = vector("GeometricTranslation", [1.0, 2.0, 3.0])
        + &vector("GeometricRotation", [0.0, 0.0, 90.0])
        + &vector("GeometricScaling", [2.0, 3.0, 1.0]);
    // On a bone they would move what is drawn for it; what hangs from it does not follow.
    made.bones[1].3 = geometric.clone();
    triangle(&mut made, 1, &(vector("Lcl Translation", [0.0, -10.0, 0.0]) + &geometric));
    let import = made.read().unwrap();
    for (joint, frame) in JOINTS.into_iter().flat_map(|joint| [(joint, 0), (joint, 20)]) {
        let down = place(&plain, "Hips", frame) - place(&import, "Hips", frame);
        near(place(&import, joint, frame) + down, place(&plain, joint, frame));
    }
    near(place(&import, "LeftFoot", 0) - place(&import, "LeftLeg", 0), Vec3::new(0.0, -0.8, 0.0));
    // Scale, turn, move, then the node's own place: 0 0 0 is 1 2 3; 10 0 0 is 20 0 0, 0 20 0, 1 22 3; 0 20 0 is 0 60 0,
    // -60 0 0, -59 2 3; all 10 lower.
    let [a, b, c] = corners(&import, "LeftLeg");
    near(a, Vec3::new(0.01, -0.08, 0.03));
    near(b, Vec3::new(0.01, 0.12, 0.03));
    near(c, Vec3::new(-0.59, -0.08, 0.03));
}

#[test]
fn a_bound_mesh_is_bound_after_its_geometric_transform() {
    let mut made = person();
    triangle(&mut made, 0, &vector("GeometricTranslation", [0.0, 0.0, 5.0]));
    // Bound to the left leg, which stood 10 -5 0 from the hips and the mesh.
    let matrix = |x: f64, y: f64, z: f64| format!("*16 {{\na: 1,0,0,0,0,1,0,0,0,0,1,0,{x},{y},{z},1\n}}\n");
    made.more.0.push_str(&format!(
        "Deformer: 602, \"Deformer::Skin\", \"Skin\" {{\nVersion: 101\n}}
Deformer: 603, \"SubDeformer::LeftLeg\", \"Cluster\" {{\nVersion: 100\nIndexes: *3 {{\na: 0,1,2\n}}\nWeights: *3 {{\na: 1,1,1\n}}
Transform: {}TransformLink: {}}}\n",
        matrix(-10.0, 5.0, 0.0),
        matrix(10.0, 80.0, 0.0)
    ));
    made.more.1.push_str("C: \"OO\",602,601\nC: \"OO\",603,602\nC: \"OO\",101,603\n");
    let import = made.read().unwrap();
    let [a, b, c] = corners(&import, "LeftLeg");
    near(a, Vec3::new(-0.1, 0.05, 0.05));
    near(b, Vec3::new(0.0, 0.05, 0.05));
    near(c, Vec3::new(-0.1, 0.25, 0.05));
    // In frame 30 the leg is turned by 30 degrees about x, and the mesh with it.
    let mut model = ModelPose::new(&import.skeleton);
    let mut pose = surefoot::rig::Pose::rest(&import.skeleton);
    pose.locals.copy_from_slice(import.clips[0].frame(30));
    pose.to_model(&import.skeleton, &mut model);
    let skin = import.skin.as_ref().unwrap();
    let mut places = vec![Vec3::ZERO; skin.positions.len()];
    skin.deform(&model, &mut places);
    let (sin, cos) = 30_f32.to_radians().sin_cos();
    let turned = Vec3::new(-0.1, 0.05 * cos - 0.05 * sin, 0.05 * sin + 0.05 * cos);
    near(places[skin.triangles[0][0] as usize], place(&import, "LeftLeg", 30) + turned);
}

/// Hips scaled, with every bone inheriting in this way: 0 part by part, 1 as matrices do, 2 not at all (Maya's segment
/// scale compensate).
fn scaled_hips(scale: [f64; 3], inherit: [i64; 5]) -> Made {
    let mut made = person();
    for (bone, inherit) in made.bones.iter_mut().zip(inherit) {
        bone.3 = integer("InheritType", inherit);
    }
    made.bones[0].3 += &vector("Lcl Scaling", scale);
    made
}

#[test]
fn bones_that_take_back_their_parents_scale_keep_their_size() {
    // Twice as large hips. A child's place is in the parent's space and so twice as far; what the child holds is not.
    for inherit in [[0, 2, 2, 2, 2], [1, 2, 1, 2, 1], [1, 2, 0, 2, 0], [2; 5]] {
        let import = scaled_hips([2.0; 3], inherit).read().unwrap();
        assert_eq!(import.skeleton.names(), JOINTS, "{inherit:?}");
        for frame in [0, 30] {
            let (sin, cos) = (frame as f32).to_radians().sin_cos();
            let hips = place(&import, "Hips", frame);
            near(place(&import, "LeftLeg", frame) - hips, Vec3::new(0.2, -0.1, 0.0));
            near(place(&import, "LeftFoot", frame) - hips, Vec3::new(0.2, -0.1 - 0.8 * cos, -0.8 * sin));
            near(place(&import, "RightFoot", frame) - hips, Vec3::new(-0.2, -0.9, 0.0));
        }
    }
    // Those that do not take it back are twice as long, beside one that does.
    for whole in [0, 1] {
        let import = scaled_hips([2.0; 3], [1, 2, 2, whole, whole]).read().unwrap();
        assert_eq!(import.skeleton.len(), 5, "inherit {whole}");
        let hips = place(&import, "Hips", 0);
        near(place(&import, "LeftFoot", 0) - hips, Vec3::new(0.2, -0.9, 0.0));
        near(place(&import, "RightFoot", 0) - hips, Vec3::new(-0.2, -1.7, 0.0));
    }
}

#[test]
fn a_tiny_scale_is_inherited_or_not_like_any_other() {
    let made = scaled_hips([0.005; 3], [1, 0, 0, 2, 2]);
    let settings = ImportSettings { unit: Some(Unit::Centimetre), ..ImportSettings::default() };
    let import = fbx::read(made.text().as_bytes(), "made", &settings).unwrap();
    assert_eq!(import.skeleton.names(), JOINTS);
    let hips = place(&import, "Hips", 0);
    near(place(&import, "LeftFoot", 0) - hips, 0.005 * Vec3::new(0.1, -0.85, 0.0));
    near(place(&import, "RightFoot", 0) - hips, 0.005 * Vec3::new(-0.1, -0.05, 0.0) + Vec3::new(0.0, -0.8, 0.0));
}

#[test]
fn uneven_scale_that_no_bone_below_takes_over_is_let_in() {
    let import = scaled_hips([1.0, 2.0, 3.0], [1, 2, 1, 2, 1]).read().unwrap();
    assert_eq!(import.skeleton.names(), JOINTS);
    let hips = place(&import, "Hips", 0);
    near(place(&import, "LeftLeg", 0) - hips, Vec3::new(0.1, -0.1, 0.0));
    near(place(&import, "LeftFoot", 0) - hips, Vec3::new(0.1, -0.9, 0.0));
    // One that does take it over would be sheared.
    let error = scaled_hips([1.0, 2.0, 3.0], [1, 2, 1, 1, 1]).read().unwrap_err().what;
    assert!(error.contains("node \"Hips\" is scaled unevenly: 1 2 3"), "{error}");
}

#[test]
fn a_take_with_scale_that_changes_is_left_out_where_bones_take_it_back_too() {
    let mut made = scaled_hips([1.0; 3], [1, 2, 1, 2, 1]);
    for axis in ['X', 'Y', 'Z'] {
        made.curves.push((0, "Lcl Scaling", axis, vec![(0.0, 1.0), (1.0, 1.5)]));
    }
    let warnings = made.read().unwrap().warnings;
    let left_out = |warning: &Warning| match warning {
        Warning::ClipLeftOut { name, why } => name == "Walk" && why.contains("it scales node \"Hips\" from"),
        _ => false,
    };
    assert!(warnings.iter().any(left_out), "{warnings:?}");
}

#[test]
fn meshes_on_scaled_bones_are_scaled_with_them() {
    // The bone that is scaled draws its mesh in its own scale, whoever takes it back below.
    let mut made = scaled_hips([1.0, 2.0, 3.0], [1, 2, 1, 2, 1]);
    triangle(&mut made, 0, &(vector("Lcl Translation", [0.0, 5.0, 5.0]) + &integer("InheritType", 1)));
    let import = made.read().unwrap();
    assert!(!import.warnings.iter().any(|warning| matches!(warning, Warning::Unnamed { .. })), "{:?}", import.warnings);
    let [a, b, c] = corners(&import, "Hips");
    near(a, Vec3::new(0.0, 0.1, 0.15));
    near(b, Vec3::new(0.1, 0.1, 0.15));
    near(c, Vec3::new(0.0, 0.5, 0.15));
}
