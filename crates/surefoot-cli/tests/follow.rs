//! The command `surefoot follow`, run as a program.

mod running;

use running::{json, scenario, surefoot};
use std::path::PathBuf;

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    running::folder(&format!("follow/{name}"))
}

#[test]
fn a_walk_on_changing_legs_is_written_with_figures_that_hold_and_plays_again() {
    let folder = folder("walk");
    let file = |name: &str| folder.join(name).display().to_string();
    let path = "0,0 0,3 2,5";
    let plan = "0:1 2:0.6 5:1.5";
    let [glb, png, html, walk, steps, trace] =
        ["a.glb", "a.png", "a.html", "walk.json", "steps.json", "trace.json"].map(file);
    let kept = ["--walk-out", &walk, "--footsteps-out", &steps, "--trace-out", &trace];
    let args = ["follow", "--path", path, "--scale", plan, "-o", &glb, "--picture", &png, "--page", &html, "--json"];
    let output = surefoot(&[args.as_slice(), &kept].concat());
    assert!(output.status.success(), "{output:?}");
    let value = json(&output);
    let number = |key: &str| value[key].as_f64().unwrap_or_else(|| panic!("{key} of {value}"));
    assert!(number("distance_mm") < 150.0 && (number("path_m") - 5.828).abs() < 0.01, "{value}");
    assert!(value["drift_mm"]["max"].as_f64().unwrap() < 1.0, "{value}");
    assert!(value["scales"][0].as_f64().unwrap() < 0.65 && value["steps"].as_array().unwrap().len() > 6, "{value}");
    assert!(std::fs::read(&glb).unwrap().starts_with(b"glTF"));
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    assert!(std::fs::read_to_string(&html).unwrap().contains(r#""kind":"planned""#), "the path is on the page");
    for (name, key) in [(&steps, "footsteps"), (&trace, "trace")] {
        let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(name).unwrap()).unwrap();
        assert!(!kept[key].is_null(), "{name}");
    }
    // The walk that was kept is the same walk.
    let again = file("again.glb");
    let output = surefoot(&["follow", "--walk", &walk, "--path", path, "--scale", plan, "-o", &again]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(std::fs::read(&glb).unwrap(), std::fs::read(&again).unwrap());
    // On another graph it is none.
    let broken = file("broken.json");
    std::fs::write(&broken, std::fs::read_to_string(&walk).unwrap().replacen("\"edges\":[", "\"edges\":[4000000,", 1))
        .unwrap();
    let output = surefoot(&["follow", "--walk", &broken, "--path", path, "-o", &file("b.glb")]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    std::fs::write(&broken, "{").unwrap();
    let output = surefoot(&["follow", "--walk", &broken, "--path", path, "-o", &file("b.glb")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn what_is_no_path_no_plan_or_no_graph_is_refused_before_any_work() {
    let folder = folder("refused");
    let out = folder.join("x.glb").display().to_string();
    for (args, code, said) in [
        (vec!["--path", "0,0"], 2, "points"),
        (vec!["--path", "0,0 a,1"], 2, "not a point"),
        (vec!["--path", "0,0 0,6 nan,1"], 2, "not a point"),
        (vec!["--path", "0,0 0,5000"], 2, "longest"),
        (vec!["--path", "0,0 0,6", "--scale", "0"], 2, "scale of 0"),
        (vec!["--path", "0,0 0,6", "--scale", "5:1 3:2"], 2, "times must grow"),
        (vec!["--path", "0,0 0,6", "--motion-graph-threshold", "0.05"], 2, "give clips"),
        (vec!["--path", "0,0 0,0.1"], 1, "too short"),
    ] {
        let output = surefoot(&[["follow", "-o", &out].as_slice(), &args].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
        assert!(error.contains(said), "{args:?}: {error}");
    }
}

#[test]
fn clips_become_a_graph_and_the_published_search_can_be_asked_for() {
    let folder = folder("clips");
    let file = |name: &str| folder.join(name).display().to_string();
    let clip = running::asset("cmu/47_01.bvh");
    let graph = file("own.graph");
    let args = ["follow", &clip, "--mirror", "--anim_pairs", "47_01:47_01,47_01:47_01 mirrored"];
    let more = ["--motion_graph_threshold", "0.06", "--path", "0,0 0,4", "-o", &file("a.glb"), "--graph-out", &graph];
    let output = surefoot(&[args.as_slice(), &more].concat());
    assert!(output.status.success(), "{output:?}");
    let bends = scenario("bends.path");
    let args = ["follow", "--graph", &graph, "--path", &bends, "--iteration_length", "1.5", "-o", &file("b.bvh")];
    let output =
        surefoot(&[args.as_slice(), &["--iteration-threshold", "20", "--scale_planning", "2", "--json"]].concat());
    assert!(output.status.success(), "{output:?}");
    assert!(json(&output)["error_m2"].as_f64().unwrap() > 0.0);
}
