//! VRM files name the bones of a person: their legs are taken as named.

use serde_json::{Value, json};
use std::path::Path;
use surefoot::analyse::find_skinned_rig;
use surefoot_io::{ImportSettings, gltf};

/// The Knight with names that tell nothing, and a map of a VRM version; `chain` gives the nodes of a side's leg.
fn named(version: u32, chain: impl Fn(&Value, &str) -> [usize; 4]) -> (Vec<u8>, [usize; 4]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters/kaykit_Knight.glb");
    let bytes = std::fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut document: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let bones = ["UpperLeg", "LowerLeg", "Foot", "Toes"];
    let sides = [("left", chain(&document, "l")), ("right", chain(&document, "r"))];
    let entries = sides
        .iter()
        .flat_map(|(side, nodes)| bones.iter().zip(nodes).map(move |(bone, node)| (format!("{side}{bone}"), *node)));
    document["extensions"] = if version == 0 {
        let list: Vec<Value> = entries.map(|(bone, node)| json!({ "bone": bone, "node": node })).collect();
        json!({ "VRM": { "humanoid": { "humanBones": list } } })
    } else {
        let map: serde_json::Map<String, Value> = entries.map(|(bone, node)| (bone, json!({ "node": node }))).collect();
        json!({ "VRMC_vrm": { "humanoid": { "humanBones": map } } })
    };
    for (i, node) in document["nodes"].as_array_mut().unwrap().iter_mut().enumerate() {
        node["name"] = json!(format!("n{i}"));
    }
    let mut text = serde_json::to_vec(&document).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &bytes[20 + length..];
    let whole = (20 + text.len() + rest.len()) as u32;
    let head = [&b"glTF"[..], &2_u32.to_le_bytes(), &whole.to_le_bytes(), &(text.len() as u32).to_le_bytes(), b"JSON"];
    ([&head.concat()[..], &text, rest].concat(), sides[0].1)
}

fn node(document: &Value, name: &str) -> usize {
    document["nodes"].as_array().unwrap().iter().position(|node| node["name"] == name).unwrap()
}

#[test]
fn legs_are_those_that_a_vrm_file_names() {
    let legs = |document: &Value, side: &str| {
        ["upperleg", "lowerleg", "foot", "toes"].map(|bone| node(document, &format!("{bone}.{side}")))
    };
    // Nobody would find these by themselves: a map is believed.
    let arms = |document: &Value, side: &str| {
        ["upperarm", "lowerarm", "wrist", "hand"].map(|bone| node(document, &format!("{bone}.{side}")))
    };
    for version in [0, 1] {
        for (bytes, left) in [named(version, legs), named(version, arms)] {
            let nothing = |_: &str| Err(std::io::Error::other("nothing is beside it"));
            let import = gltf::read(&bytes, "person", &nothing, &ImportSettings::default()).unwrap();
            let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &[&import.clips[0]]).unwrap();
            assert_eq!(rig.legs.len(), 2);
            let leg = &rig.legs[0];
            let found: Vec<&str> = leg.chain.iter().chain(&leg.toe).map(|j| rig.skeleton.name(*j)).collect();
            assert_eq!(found, left.map(|node| format!("n{node}")), "version {version}");
        }
    }
}
