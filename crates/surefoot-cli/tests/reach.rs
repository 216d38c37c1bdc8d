//! `surefoot reach` as a user runs it.

mod running;

use running::{assert_exit, asset, file, json};
use std::path::Path;
use std::process::Output;

fn surefoot(args: &[&str]) -> Output {
    running::surefoot(&[&["reach"], args].concat())
}

fn character(name: &str) -> String {
    asset(&format!("characters/{name}"))
}

#[test]
fn a_hand_comes_to_its_place_and_feet_stay() {
    let (glb, png) = (file("reach.glb"), file("reach.png"));
    let run = surefoot(&[
        "--effector",
        "LeftHand+=0.2,-0.3,0.4",
        "-o",
        glb.to_str().unwrap(),
        "--picture",
        png.to_str().unwrap(),
    ]);
    assert_exit(&run, 0, &["LeftHand: at", "feet         stay", "reach.glb", "reach.png"]);
    assert!(std::fs::read(&glb).unwrap().starts_with(b"glTF"), "a GLB file");
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"), "a PNG file");
    // A second run replaces nothing.
    assert_exit(&surefoot(&["--effector", "LeftHand=0,1,1", "-o", glb.to_str().unwrap()]), 1, &["--force"]);
}

#[test]
fn what_is_out_of_reach_is_told_and_feet_hold() {
    let run = surefoot(&["--effector", "LeftHand+=0,0,3", "--json"]);
    assert_exit(&run, 0, &[]);
    let value = json(&run);
    assert!(value["effectors"][0]["missed"].as_f64().unwrap() > 1.0, "{value}");
    for foot in value["feet"].as_array().unwrap() {
        assert!(foot["moved"].as_f64().unwrap() < 0.05, "{value}");
    }
    assert_eq!(value["feet"].as_array().unwrap().len(), 2);
}

#[test]
fn the_clip_is_reached_at_its_time_and_left_alone_elsewhere() {
    let out = file("knight.bvh");
    let knight = character("kaykit_Knight.glb");
    let args = ["--character", &knight, "--clip", "walking_a", "--at", "0.5", "--blend", "0.2"];
    let run = surefoot(&[&args[..], &["--effector", "hand.l+=0,0.1,0.2", "-o", out.to_str().unwrap()]].concat());
    assert_exit(&run, 0, &["hand.l: at", "feet         stay"]);
    let plain = file("knight-plain.bvh");
    let convert = running::surefoot(&["convert", &knight, plain.to_str().unwrap(), "--clip", "walking_a"]);
    assert_exit(&convert, 0, &[]);
    let rows = |path: &Path| -> Vec<String> {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1).map(str::to_owned).collect()
    };
    let (reached, plain) = (rows(&out), rows(&plain));
    assert_eq!(reached.len(), plain.len());
    assert_eq!(reached[0], plain[0], "the first frame is as it was");
    assert!(reached.iter().zip(&plain).any(|(a, b)| a != b), "others are not");
}

#[test]
fn mistakes_are_told_with_what_would_do() {
    for (args, words) in [
        (vec!["--effector", "LeftHnd=0,1,1"], vec!["LeftHnd", "LeftHand"]),
        (vec!["--effector", "Hand=0,1,1"], vec!["fits 4 joints", "RightHand"]),
        (vec!["--effector", "LeftHand=0,1"], vec!["three numbers"]),
        (vec!["--effector", "LeftHand"], vec!["NAME=x,y,z"]),
        (vec![], vec!["--effector"]),
        (vec!["--effector", "LeftHand=0,1,1", "--at", "99"], vec!["--at 99", "lasts"]),
        (vec!["--effector", "LeftHand=0,1,1", "-o", "x.fbx"], vec![".bvh or .glb"]),
        (vec!["--character", "nothing.bvh", "--effector", "LeftHand=0,1,1"], vec!["nothing.bvh"]),
    ] {
        assert_exit(&surefoot(&args), 2, &words);
    }
}

#[test]
fn what_is_worse_than_the_clip_is_told_as_it_is_in_the_file() {
    let out = file("reach-rounded.bvh");
    let reach = ["--effector", "LeftHand+=0.2,-0.3,0.5", "--force", "-o", out.to_str().unwrap()];
    let fine = surefoot(&reach);
    assert_exit(&fine, 0, &["reach-rounded.bvh"]);
    assert_eq!(running::text(&fine.stderr), "", "nothing to say");
    assert_exit(&surefoot(&[&reach[..], &["--decimals", "1"]].concat()), 0, &["warning", "strays by", "in the source"]);
}
