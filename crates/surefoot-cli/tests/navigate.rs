//! The command `surefoot navigate`, run as a program.

mod running;

use running::{json, scenario, surefoot};
use std::path::{Path, PathBuf};

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    running::folder(&format!("navigate/{name}"))
}

/// A yard of 8 × 6 m with a wall across it that leaves a gap, and a closed corner.
fn yard(folder: &Path) -> String {
    let text = r#"
version = 1
name = "Yard"
[start]
at = [1, 1]
facing_deg = 0
[goal]
at = [7, 1]
facing_deg = 180
[floor]
size = [8, 6]
[[obstacle]]
name = "wall"
at = [4, 2]
size = [0.2, 4]
[[obstacle]]
at = [6.5, 4.5]
size = [3, 0.1]
[[obstacle]]
at = [5, 5.25]
size = [0.1, 1.5]
"#;
    let path = folder.join("yard.scene.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn a_walk_is_written_with_figures_that_hold_and_is_the_same_again() {
    let folder = folder("walk");
    let world = yard(&folder);
    let file = |name: &str| folder.join(name).display().to_string();
    let go = |name: &str| {
        let names = ["glb", "png", "html"].map(|ending| file(&format!("{name}.{ending}")));
        let [glb, png, html] = names.each_ref().map(String::as_str);
        let args = ["navigate", "--world", &world, "-o", glb, "--picture", png, "--page", html, "--json"];
        (surefoot(&args), names.clone().map(|name| std::fs::read(name).unwrap_or_default()))
    };
    let (output, [glb, png, html]) = go("a");
    assert!(output.status.success(), "{output:?}");
    assert!(glb.starts_with(b"glTF") && png.starts_with(b"\x89PNG"), "a GLB file and a PNG file");
    let page = String::from_utf8(html.clone()).unwrap();
    assert!(page.contains(r#""walls":[{"corners""#) && page.contains(r#""kind":"planned""#), "walls and path");

    let value = json(&output);
    let number = |key: &str| value[key].as_f64().unwrap_or_else(|| panic!("{key} of {value}"));
    assert!(value["found"] == true && number("collisions") == 0.0, "{value}");
    assert!(number("missed_mm") < 10.0 && number("askew_deg") < 1.0, "{value}");
    assert!((1.0..1.6).contains(&number("quality")), "{value}");
    assert!((number("length_m") / number("shortest_m") - number("quality")).abs() < 1e-3, "{value}");
    assert!((number("seconds") * number("rate_hz") + 1.0 - number("frames")).abs() < 1e-3, "{value}");
    let arrival = &value["arrival"];
    let of_arrival = |key: &str| arrival[key].as_f64().unwrap();
    assert!(of_arrival("most_a_step_mm") <= 40.1 && of_arrival("most_a_step_deg") <= 4.01, "{arrival}");
    let drift = value["drift_mm"]["p95"].as_f64().unwrap();
    assert!(drift < 1.0, "{drift} mm");
    for key in ["load_graph", "lay_out_moves", "path", "walk"] {
        assert!(value["ms"][key].as_f64().unwrap() >= 0.0, "{key}");
    }
    assert_eq!(value["files"].as_array().unwrap().len(), 3);

    // Byte for byte, the page included.
    assert!(go("b").1 == [glb, png, html], "another walk");
    // Nothing is replaced without leave.
    let (again, _) = go("a");
    assert!(again.status.code() == Some(1) && String::from_utf8_lossy(&again.stderr).contains("--force"));
}

#[test]
fn ends_and_headings_can_be_given_and_the_rest_is_as_the_path_goes() {
    let folder = folder("ends");
    let (world, out) = (yard(&folder), folder.join("w.bvh").display().to_string());
    let args = ["navigate", "--world", &world, "--start", "1,2", "--goal", "3,5,-90", "-o", &out, "--json"];
    let value = json(&surefoot(&args));
    // From 1,2 to 3,5 nothing is in the way: atan2(2, 3).
    let facing = value["start"]["facing_deg"].as_f64().unwrap();
    assert!((facing - 33.69).abs() < 0.1, "{facing}°");
    assert!((value["path_m"].as_f64().unwrap() - 13.0_f64.sqrt()).abs() < 1e-3, "{value}");
    assert!(value["askew_deg"].as_f64().unwrap() < 1.0 && value["missed_mm"].as_f64().unwrap() < 10.0, "{value}");

    // The file itself ends where the figures say.
    let inspected = surefoot(&["inspect", &out, "--json"]);
    let file = &json(&inspected)[0];
    assert_eq!(file["joint_count"].as_u64(), Some(31), "{file}");
}

#[test]
fn what_cannot_be_reached_is_refused_with_why() {
    let folder = folder("refused");
    let (world, out) = (yard(&folder), folder.join("w.glb").display().to_string());
    for (goal, code, why) in [
        ("4,2", 1, "\"wall\" is within 0.3 m"),
        ("20,2", 1, "not on the floor"),
        ("6.5,5.25", 1, "obstacles lie all round"),
        ("7", 2, "two numbers"),
        ("nan,2", 2, "finite"),
    ] {
        let output = surefoot(&["navigate", "--world", &world, "--goal", goal, "-o", &out, "--json"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(code) && said.contains(why), "{goal}: {said}");
        if code == 1 {
            let value = json(&output);
            assert!(value["found"] == false && value["why_not"].as_str().unwrap().contains(why), "{value}");
            // The same words as the path's.
            let path = surefoot(&["path", "--world", &world, "--goal", goal, "--json"]);
            assert_eq!(json(&path)["why_not"], value["why_not"], "{goal}");
        }
        assert!(!Path::new(&out).exists(), "nothing is written");
    }
    let ferry = scenario("moving-ferry.scene.toml");
    let output = surefoot(&["navigate", "--world", &ferry, "-o", &out]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("platforms"), "{output:?}");
    let none = surefoot(&["navigate", "--world", &world, "--graph", &world, "-o", &out]);
    assert_eq!(none.status.code(), Some(2), "{none:?}");
}

#[test]
fn walks_are_looked_at_before_they_are_written_and_a_pace_that_is_not_there_is_told() {
    let out = running::file("navigate-looked-at.glb");
    for scene in ["1-empty", "6-rooms", "moving-crossing", "mesh-recast-nav-test"] {
        let world = scenario(&format!("{scene}.scene.toml"));
        let run = surefoot(&["navigate", "--world", &world, "--force", "-o", out.to_str().unwrap()]);
        running::assert_exit(&run, 0, &["navigate-looked-at.glb"]);
        assert_eq!(running::text(&run.stderr), "", "{scene}: nothing to say");
    }
    let world = scenario("1-empty.scene.toml");
    let walk = ["navigate", "--world", &world, "--force", "-o", out.to_str().unwrap()];
    running::assert_exit(&surefoot(&[&walk[..], &["--pace", "6"]].concat()), 0, &["--pace 6", "goes at"]);
    let bvh = running::file("navigate-rounded.bvh");
    let rough = ["navigate", "--world", &world, "--force", "--decimals", "1", "-o", bvh.to_str().unwrap()];
    running::assert_exit(&surefoot(&rough), 1, &["refused", "--anyway"]);
    assert!(!bvh.exists(), "nothing is written");
}
