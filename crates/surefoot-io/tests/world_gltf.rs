//! Worlds from glTF: real files, and small ones made for each way to be odd or wrong.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use surefoot::glam::Vec3;
use surefoot_io::world::{WorldImport, WorldSettings, is_world, load, read_gltf};
use surefoot_io::{Axis, ImportError, Unit, Warning};

fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)
}

/// A floor of 1 × 1 m that faces up, as JSON with its numbers in a data URI.
fn floor() -> Value {
    // 0 0 0, 0 0 1, 1 0 0, 1 0 1 as f32; then corners 0 1 2, 2 1 3 as bytes.
    let numbers: Vec<u8> = [0.0_f32, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .chain([0, 1, 2, 2, 1, 3])
        .collect();
    json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": numbers.len(), "uri": format!("data:application/octet-stream;base64,{}", base64(&numbers)) }],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 6 },
        ],
        "accessors": [
            { "bufferView": 0, "count": 4, "componentType": 5126, "type": "VEC3" },
            { "bufferView": 1, "count": 6, "componentType": 5121, "type": "SCALAR" },
        ],
        "meshes": [{ "name": "plate", "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "nodes": [{ "name": "ground", "mesh": 0 }],
        "scenes": [{ "nodes": [0] }],
    })
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = three.iter().enumerate().fold(0_u32, |word, (i, byte)| word | u32::from(*byte) << (16 - 8 * i));
        (0..=three.len()).for_each(|i| text.push(char::from(LETTERS[(word >> (18 - 6 * i) & 63) as usize])));
    }
    text
}

fn read(json: &Value) -> Result<WorldImport, ImportError> {
    let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    read_gltf(json.to_string().as_bytes(), &nothing, &WorldSettings::default())
}

#[test]
fn real_worlds_load_whole() {
    let world = load(&asset("worlds/threejs_collision-world.glb"), &WorldSettings::default()).unwrap();
    assert_eq!((world.format, world.mesh.triangles().len()), ("glTF", 1754));
    assert_eq!((world.unit.value, world.up.value), (Unit::Metre, Axis::Y));
    let [low, high] = world.mesh.bounds().unwrap();
    assert!((high - low - Vec3::new(34.0, 9.0, 34.0)).abs().max_element() < 0.6, "{low} to {high}");
    assert!(world.warnings.is_empty(), "{:?}", world.warnings);

    let platform = load(&asset("worlds/kenney_platform.glb"), &WorldSettings::default()).unwrap();
    assert_eq!(platform.warnings, [Warning::FlatFaces { count: 1, line: None }]);
    let top = platform.mesh.bounds().unwrap()[1].y;
    assert!((0.5..0.56).contains(&top), "{top}");
}

#[test]
fn compression_is_refused_by_name() {
    let error = load(&asset("worlds/ecctrl_testMap_draco.glb"), &WorldSettings::default()).unwrap_err().to_string();
    assert!(error.contains("KHR_draco_mesh_compression"), "{error}");
}

#[test]
fn a_scene_without_characters_is_a_world() {
    for name in ["worlds/threejs_collision-world.glb", "worlds/ecctrl_testMap_draco.glb", "worlds/recast_nav_test.obj"]
    {
        assert!(is_world(&asset(name)), "{name}");
    }
    for name in ["characters/khronos_Fox.glb", "characters/khronos_Fox_separate/Fox.gltf", "bvh/02_01.bvh", "none.glb"]
    {
        assert!(!is_world(&asset(name)), "{name}");
    }
}

#[test]
fn nodes_put_their_meshes_into_the_world() {
    let mut json = floor();
    json["nodes"] = json!([
        { "name": "all", "children": [1, 2], "translation": [0, 2, 0], "scale": [2, 1, 1] },
        { "name": "left", "mesh": 0, "translation": [1, 0, 0] },
        { "mesh": 0, "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1] },
        { "name": "elsewhere", "mesh": 0 },
    ]);
    let world = read(&json).unwrap();
    let groups: Vec<(&str, usize)> =
        world.mesh.groups().iter().map(|group| (group.name.as_str(), group.triangles.len())).collect();
    assert_eq!(groups, [("left", 2), ("plate", 2)], "the node's name or the mesh's; the last node is in no scene");
    let corners: Vec<Vec3> = (0..2).flat_map(|triangle| world.mesh.corners(triangle)).collect();
    assert!(corners.contains(&Vec3::new(2.0, 2.0, 0.0)) && corners.contains(&Vec3::new(4.0, 2.0, 1.0)), "{corners:?}");
    // The second stands upright at z = 5.
    let [_, high] = world.mesh.bounds().unwrap();
    assert_eq!(high, Vec3::new(4.0, 3.0, 6.0));
}

#[test]
fn mirrored_meshes_are_not_inside_out() {
    let mut json = floor();
    json["nodes"][0]["scale"] = json!([1, 1, -1]);
    let world = read(&json).unwrap();
    for triangle in 0..2 {
        assert!(world.mesh.normal(triangle).y > 0.0, "{}", world.mesh.normal(triangle));
    }
}

#[test]
fn worlds_that_lie_are_refused() {
    let refusal = |change: &dyn Fn(&mut Value)| {
        let mut json = floor();
        change(&mut json);
        read(&json).unwrap_err().what
    };
    assert!(refusal(&|json| json["nodes"][0]["mesh"] = json!(7)).contains("no such mesh"), "mesh");
    assert!(refusal(&|json| json["scene"] = json!(3)).contains("scene 3"), "scene");
    assert!(refusal(&|json| json["scenes"][0]["nodes"] = json!([9])).contains("node 9"), "node");
    assert!(refusal(&|json| json["accessors"][1]["count"] = json!(60)).contains("reach beyond"), "bytes");
    assert!(refusal(&|json| json["meshes"][0]["primitives"][0]["mode"] = json!(1)).contains("no world"), "lines");
    assert!(refusal(&|json| json["nodes"] = json!([{ "name": "empty" }])).contains("no world"), "empty");
    // A thousand million triangles from two.
    let many = |json: &mut Value| {
        json["accessors"][1]["count"] = json!(3_000_000);
        json["accessors"][1].as_object_mut().unwrap().remove("bufferView");
    };
    assert!(refusal(&many).contains("more than the file's size allows"), "bomb");
    let shown: Vec<Value> = (0..200_000).map(|_| json!({ "mesh": 0 })).collect();
    let roots: Vec<usize> = (0..shown.len()).collect();
    let mut json = floor();
    (json["nodes"], json["scenes"]) = (json!(shown), json!([{ "nodes": roots }]));
    assert_eq!(read(&json).unwrap().mesh.triangles().len(), 400_000, "many small plates are a world");
}
