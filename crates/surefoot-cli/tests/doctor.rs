//! `surefoot doctor` as a user runs it: exit codes, findings and what to do about them.

mod running;

use running::{assert_exit, asset, surefoot};
use serde_json::Value;
use std::path::Path;

#[test]
fn a_good_file_is_fine() {
    let all = assert_exit(&surefoot(&["doctor", &asset("bvh/02_01.bvh"), "--quiet"]), 0, &[]);
    assert!(!all.contains("decide"), "{all}");
    assert_exit(&surefoot(&["doctor", &asset("worlds/threejs_collision-world.glb")]), 0, &["fine"]);
}

#[test]
fn what_was_assumed_needs_a_decision() {
    let alien = asset("bvh/babylon_alien.bvh");
    assert_exit(&surefoot(&["doctor", &alien]), 1, &["decide", "--unit", "--up", "no legs", "→"]);
    // A capture that plays twice too fast.
    let fast = surefoot(&["doctor", &asset("bvh/02_01.bvh"), "--source-fps", "240"]);
    assert_exit(&fast, 1, &["steps a second", "--source-fps"]);
    // A run of 60 Hz in a file that says 120, each flight of which is too short to tell.
    let run = asset("bvh/npybvh_example_lf.bvh");
    assert_exit(&surefoot(&["doctor", &run]), 1, &["free fall", "--source-fps"]);
    assert_exit(&surefoot(&["doctor", &run, "--source-fps", "60"]), 0, &[]);
}

#[test]
fn timing_that_an_animator_chose_is_not_doubted() {
    // Horses, spiders and robots step as often as they were drawn to; a knight falls dead faster than a stone.
    for name in ["kaykit_Knight", "RobotExpressive", "m2m_horse", "m2m_spider", "m2m_bird", "quaternius_Rat"] {
        let output = surefoot(&["doctor", &asset(&format!("characters/{name}.glb")), "--json"]);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let codes: Vec<&Value> = value[0]["findings"].as_array().unwrap().iter().map(|f| &f["code"]).collect();
        assert!(!codes.iter().any(|code| *code == "timing"), "{name}: {codes:?}");
    }
}

#[test]
fn legs_can_be_told_by_a_rig_file() {
    let rig = Path::new(env!("CARGO_TARGET_TMPDIR")).join("doctor-rig.toml");
    let (rig, walk) = (rig.to_str().unwrap(), asset("bvh/02_01.bvh"));
    assert_exit(&surefoot(&["inspect", &walk, "--write-rig", rig, "--force"]), 0, &[]);
    assert_exit(&surefoot(&["doctor", &walk, "--rig", rig, "--quiet"]), 0, &[]);
    assert_exit(&surefoot(&["doctor", &walk, "--rig", rig, "--table"]), 0, &["02_01.bvh"]);
    // Feet that are hands never stand.
    let hands = std::fs::read_to_string(rig).unwrap();
    let hands = hands.replace("LeftUpLeg", "LeftArm").replace("LeftLeg", "LeftForeArm").replace("LeftFoot", "LeftHand");
    std::fs::write(rig, hands).unwrap();
    let told = surefoot(&["doctor", &walk, "--rig", rig]);
    assert_ne!(told.stdout, surefoot(&["doctor", &walk]).stdout, "the file's legs are used");
    std::fs::write(rig, "legs = 3").unwrap();
    assert_exit(&surefoot(&["doctor", &walk, "--rig", rig]), 2, &["doctor-rig.toml"]);
    assert_exit(&surefoot(&["doctor", &walk, "--rig", "nowhere.toml"]), 2, &["nowhere.toml", "cannot read"]);
}

#[test]
fn a_file_that_ends_early_can_be_used_with_leave() {
    let whole = std::fs::read(asset("bvh/02_01.bvh")).unwrap();
    let cut = Path::new(env!("CARGO_TARGET_TMPDIR")).join("doctor-cut.bvh");
    // In the middle of a number, after its sign.
    let end = whole.len() / 2 + whole[whole.len() / 2..].iter().position(|b| *b == b'-').unwrap() + 1;
    std::fs::write(&cut, &whole[..end]).unwrap();
    let cut = cut.to_str().unwrap();
    assert_exit(&surefoot(&["doctor", cut]), 1, &["cut short", "--partial"]);
    let with_leave = assert_exit(&surefoot(&["doctor", cut, "--partial"]), 0, &["not whole"]);
    assert!(!with_leave.contains("decide"), "{with_leave}");
}

#[test]
fn what_cannot_be_read_has_a_reason_and_a_remedy() {
    let files =
        ["worlds/ecctrl_testMap_draco.glb", "fbx/ufbx_maya_transform_animation_7500_ascii.fbx", "asfamc/02_01.amc"];
    let files = files.map(asset);
    let args: Vec<&str> = std::iter::once("doctor").chain(files.iter().map(String::as_str)).collect();
    assert_exit(
        &surefoot(&args),
        2,
        &["KHR_draco_mesh_compression", "without compression", "pCube1", "Apply > Scale", "02.asf", "--skeleton"],
    );
    assert_exit(&surefoot(&["doctor", "nowhere.bvh"]), 2, &["nowhere.bvh", "broken"]);
}

#[test]
fn programs_get_json() {
    let output = surefoot(&["doctor", &asset("bvh/babylon_alien.bvh"), &asset("bvh/02_01.bvh"), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value[0]["worst"], "decide");
    for finding in value[0]["findings"].as_array().unwrap() {
        for key in ["severity", "code", "where", "what", "remedy"] {
            assert!(finding[key].as_str().is_some_and(|text| !text.is_empty()), "{key} in {finding}");
        }
    }
}

#[test]
fn a_folder_becomes_a_table() {
    let all = assert_exit(&surefoot(&["doctor", &asset("fbx"), &asset("worlds"), "--table"]), 0, &[]);
    for row in [
        "| `m2m_cmu_91_48.fbx` | FBX | loads | 43 | 1 | 109 + rest | 30 |",
        "| `ecctrl_testMap_draco.glb` | .glb | refused: the file requires the extension KHR_draco_mesh_compression",
        "| `threejs_collision-world.glb` | glTF world | loads | | | | | m | | 1754 |",
    ] {
        assert!(all.contains(row), "{row} is not in:\n{all}");
    }
}
