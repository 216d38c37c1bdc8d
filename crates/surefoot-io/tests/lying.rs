//! Characters that lie down in their file, as Z-up ones do that nobody turned, are stood up.

use serde_json::{Value, json};
use std::path::Path;
use surefoot::analyse::find_skinned_rig;
use surefoot::motion::Clip;
use surefoot_io::{Axis, ImportSettings, load};

/// A GLB file with all of its scene under a node that is turned a quarter about X.
fn laid_down(bytes: &[u8], onto_its_back: bool) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let scene = json["scene"].as_u64().unwrap_or(0) as usize;
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turn = [if onto_its_back { -half } else { half }, 0.0, 0.0, half];
    let nodes = json["scenes"][scene]["nodes"].take();
    let count = json["nodes"].as_array().unwrap().len();
    json["nodes"].as_array_mut().unwrap().push(json!({ "rotation": turn, "children": nodes }));
    json["scenes"][scene]["nodes"] = json!([count]);
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &bytes[20 + length..];
    let whole = (20 + text.len() + rest.len()) as u32;
    let head = [&b"glTF"[..], &2_u32.to_le_bytes(), &whole.to_le_bytes(), &(text.len() as u32).to_le_bytes(), b"JSON"];
    [&head.concat()[..], &text, rest].concat()
}

#[test]
fn characters_that_lie_down_are_stood_up_and_others_left_alone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters");
    let laid = Path::new(env!("CARGO_TARGET_TMPDIR")).join("laid.glb");
    let ankles = |path: &Path| {
        let import = load(path, &ImportSettings::default()).unwrap();
        let clips: Vec<&Clip> = import.clips.iter().collect();
        let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips).unwrap();
        let mut names: Vec<String> = rig.legs.iter().map(|leg| rig.skeleton.name(leg.ankle()).to_owned()).collect();
        names.sort();
        (import.source.up.value, names)
    };
    let stand = ["m2m_fox.glb", "kaykit_Knight.glb", "khronos_CesiumMan.glb", "RobotExpressive.glb", "m2m_spider.glb"];
    for name in stand {
        let (up, stood) = ankles(&folder.join(name));
        assert_eq!(up, Axis::Y, "{name} stands as it is");
        for onto_its_back in [false, true] {
            std::fs::write(&laid, laid_down(&std::fs::read(folder.join(name)).unwrap(), onto_its_back)).unwrap();
            let (up, found) = ankles(&laid);
            assert_eq!(up, Axis { negative: onto_its_back, ..Axis::Z }, "{name}");
            assert_eq!(found, stood, "{name}");
        }
    }
    for name in ["m2m_bird.glb", "m2m_horse.glb", "quaternius_Rat.glb", "m2m_kaiju.glb"] {
        assert_eq!(ankles(&folder.join(name)).0, Axis::Y, "{name}");
    }
}
