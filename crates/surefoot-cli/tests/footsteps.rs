//! The command `surefoot footsteps`, run as a program.

mod running;

use running::{assert_exit, asset, folder, json, scenario, surefoot};
use std::path::Path;
use surefoot::glam::Vec3;
use surefoot::world::Ground;

/// Two platforms, one 6 m long and one 4 m long, with so much air between them, metres.
fn two_platforms(folder: &Path, gap: f32) -> String {
    let far = 3.0 + gap;
    let end = far + 4.0;
    let goal = far + 2.0;
    let text = format!(
        "version = 1
name = \"Gap\"
[start]
at = [0, 0]
facing_deg = 0
[goal]
at = [0, {goal}]
[[platform]]
corners = [[-1.5, -3], [-1.5, 3], [1.5, 3], [1.5, -3]]
[[platform]]
corners = [[-1.5, {far}], [-1.5, {end}], [1.5, {end}], [1.5, {far}]]
"
    );
    let path = folder.join(format!("gap-{gap}.scene.toml"));
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn every_print_is_on_its_ground_and_the_motion_steps_on_it() {
    let folder = folder("footsteps");
    for (name, jumps) in [("jumps", true), ("stairs", false)] {
        let world = scenario(&format!("{name}.scene.toml"));
        let glb = folder.join(format!("{name}.glb")).display().to_string();
        let args = ["footsteps", "--world", &world, "-o", &glb, "--json"];
        let output = surefoot(&args);
        assert!(output.status.success(), "{name}: {output:?}");
        let bytes = std::fs::read(&glb).unwrap();
        assert!(bytes.starts_with(b"glTF"), "{name}: a GLB file");

        let value = json(&output);
        let scene = surefoot_io::scene::load(world.as_ref()).unwrap();
        let ground = scene.world();
        let prints = value["footprints"].as_array().unwrap();
        assert_eq!(prints.len() as u64, value["prints"].as_u64().unwrap(), "{name}");
        for print in prints {
            let of = |key: &str| print[key].as_f64().unwrap_or_else(|| panic!("{name}: {key} of {print}")) as f32;
            let place = Vec3::new(of("x_m"), of("y_m"), of("z_m"));
            let under = ground.below(place + 0.1 * Vec3::Y, 0.2, 0.0);
            assert!(under.is_some_and(|under| (under.point.y - place.y).abs() < 1e-3), "{name}: in the air: {print}");
        }
        let number = |value: &serde_json::Value, key: &str| value[key].as_f64().unwrap();
        for pair in prints.windows(2) {
            assert!(number(&pair[0], "seconds") < number(&pair[1], "seconds"), "{name}: {pair:?}");
        }
        assert_eq!(number(&value["strides"], "special") > 0.0, jumps, "{name}: {}", value["strides"]);
        assert!(number(&value, "drift_p95_mm") < 1.0 && number(&value, "feet_missed_mm") < 1.0, "{name}: {value}");
        let arrival = &value["arrival"];
        assert!(number(arrival, "off_mm") < 10.0 && number(arrival, "turned_deg") < 1.0, "{name}: {arrival}");
        assert!(number(arrival, "print_off_mm") < 1.0 && value["collisions"] == 0, "{name}: {arrival}");

        // Nothing is replaced without leave, and the same input gives the same bytes.
        assert_exit(&surefoot(&args), 1, &["exists", "--force"]);
        assert_exit(&surefoot(&[&args[..], &["--force"]].concat()), 0, &[]);
        assert!(std::fs::read(&glb).unwrap() == bytes, "{name}: another motion");
    }
}

/// Journeys over platforms are planned print by print, one stair at a time; a graph can be asked for.
#[test]
fn journeys_over_meshes_go_by_footsteps() {
    let folder = folder("footstep-journeys");
    let glb = folder.join("x.glb").display().to_string();
    let stairs = scenario("stairs.scene.toml");
    let walk = |extra: &[&str]| {
        surefoot(&[&["navigate", "--world", &stairs, "-o", &glb, "--json", "--force"], extra].concat())
    };
    let value = json(&walk(&[]));
    let number = |value: &serde_json::Value, key: &str| value[key].as_f64().unwrap();
    assert!(value["found"] == true && value["moves_tried"].is_null() && value["stands"] == true, "{value}");
    assert!(number(&value, "missed_mm") < 10.0 && number(&value, "askew_deg") < 1.0, "{value}");
    assert!(number(&value["ground"], "highest_step_mm") < 160.0, "one at a time: {}", value["ground"]);
    assert!(number(&value["ground"]["feet_sunk_mm"], "max") < 5.0, "{}", value["ground"]);
    assert_exit(&walk(&["--by", "footsteps", "--pace", "1.2"]), 2, &["--pace", "motion graphs"]);
    let floor = scenario("1-empty.scene.toml");
    let forced = ["navigate", "--world", &floor, "-o", &glb, "--by", "footsteps", "--force"];
    assert_exit(&surefoot(&forced), 1, &["mesh or platforms"]);
}

/// A character of one's own walks in its own file.
#[test]
fn a_character_steps_in_its_own_file() {
    let folder = folder("footstep-character");
    let world = two_platforms(&folder, 0.0);
    let glb = folder.join("own.glb").display().to_string();
    let figure = asset("figure/m2m_human-zombie.glb");
    let value = json(&surefoot(&["footsteps", "--world", &world, "--character", &figure, "-o", &glb, "--json"]));
    assert!(value["found"] == true && value["drift_p95_mm"].as_f64().unwrap() < 1.0, "{value}");
    let bytes = std::fs::read(&glb).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let document: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    assert!(document["skins"].as_array().is_some_and(|skins| !skins.is_empty()), "its own mesh");
}

#[test]
fn stages_are_written_with_the_ground() {
    let folder = folder("footstep-stages");
    let world = two_platforms(&folder, 0.0);
    let name = |name: &str| folder.join(name).display().to_string();
    let (bvh, stages) = (name("walk.bvh"), name("stages"));
    let run = || surefoot(&["footsteps", "--world", &world, "-o", &bvh, "--stages", &stages, "--force"]);
    assert_exit(&run(), 0, &["1-planned.csv", "8-body.png", "ground.obj"]);
    let read = |name: &str| std::fs::read_to_string(folder.join("stages").join(name)).unwrap();
    assert!(read("ground.obj").lines().any(|line| line.starts_with("f ")), "triangles");
    assert!(read("6-prints.csv").starts_with("what,time_s,side,"), "a table with a head");
}

#[test]
fn a_gap_too_wide_is_refused_with_its_width_and_its_edges() {
    let folder = folder("footstep-gaps");
    let out = folder.join("x.glb");
    let refused = |world: &str, extra: &[&str]| {
        let args = [&["footsteps", "--world", world, "-o", out.to_str().unwrap(), "--json"], extra].concat();
        let output = surefoot(&args);
        let all = assert_exit(&output, 1, &["refused: a gap of "]);
        assert!(!out.exists(), "nothing is written of what is refused");
        let value = json(&output);
        assert!(value["found"] == false, "{value}");
        assert!(all.contains(value["why_not"].as_str().unwrap()), "the same words for people and programs");
        // a gap of W m from (X, Z) to (X, Z) …
        let mut numbers =
            all.split("a gap of ").nth(1).unwrap().split(|c: char| !(c.is_ascii_digit() || "-.".contains(c)));
        let mut next = || numbers.find_map(|word| word.parse::<f32>().ok()).unwrap();
        [(); 5].map(|()| next())
    };
    for gap in [3.0_f32, 4.5] {
        let [width, _, from, _, to] = refused(&two_platforms(&folder, gap), &[]);
        assert!((width - gap).abs() < 0.1, "{width} m instead of {gap}");
        assert!((from - 3.0).abs() < 0.05 && (to - 3.0 - gap).abs() < 0.05, "edges at {from} and {to} m");
    }
    // Who does not run does not jump that far.
    let [width, from, _, to, _] = refused(&scenario("jumps.scene.toml"), &["--walk"]);
    assert!((width - 0.9).abs() < 0.1 && (from - 13.5).abs() < 0.05 && (to - 14.4).abs() < 0.05, "{from} to {to}");
}

#[test]
fn what_cannot_be_is_said_and_nothing_is_written() {
    let folder = folder("footstep-options");
    let jumps = scenario("jumps.scene.toml");
    let floor = scenario("1-empty.scene.toml");
    let out = folder.join("x.glb");
    let glb = out.to_str().unwrap();
    let fbx = folder.join("x.fbx").display().to_string();
    let beside = folder.join("x.jpg").display().to_string();
    for (args, code, words) in [
        (vec!["--world", &jumps, "-o", &fbx], 2, vec![".fbx"]),
        (vec!["--world", &jumps], 2, vec!["--output"]),
        (vec!["-o", glb], 2, vec!["--world"]),
        (vec!["--world", "no/such.scene.toml", "-o", glb], 2, vec!["no/such.scene.toml"]),
        (vec!["--world", &jumps, "-o", glb, "--picture", &beside], 2, vec![".png or .svg"]),
        (vec!["--world", &jumps, "-o", glb, "--start", "0,0,nan"], 2, vec!["finite"]),
        (vec!["--world", &jumps, "-o", glb, "--start", "1e30,0"], 2, vec!["finite"]),
        (vec!["--world", &jumps, "-o", glb, "--goal", "0"], 2, vec!["two numbers"]),
        (vec!["--world", &jumps, "-o", glb, "--search", "fast"], 2, vec!["strides, graph"]),
        (vec!["--world", &floor, "-o", glb], 1, vec!["mesh or platforms", "surefoot navigate"]),
        (vec!["--world", &jumps, "-o", glb, "--start", "-99,0,0"], 1, vec!["the start (-99.00, 0.00, 0.00)"]),
        (vec!["--world", &jumps, "-o", glb, "--goal", "14,9"], 1, vec!["the goal (14.00, 0.00, 9.00)", "in the air"]),
    ] {
        assert_exit(&surefoot(&[vec!["footsteps"], args].concat()), code, &words);
    }
    assert!(std::fs::read_dir(&folder).unwrap().next().is_none(), "nothing is written");
}
