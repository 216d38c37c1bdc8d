//! The command `surefoot path`, run as a program.

mod running;

use running::{assert_exit, asset, file, json, scenario, surefoot};

#[test]
fn planners_find_ways_of_nearly_the_same_length() {
    let world = scenario("8-labyrinth.scene.toml");
    let ask = |planner: &str| json(&surefoot(&["path", "--world", &world, "--planner", planner, "--json"]));
    let shortest = ask("exact")["length"].as_f64().unwrap();
    assert!(shortest > 50.0, "{shortest} m");
    for (planner, allowed) in [("navmesh", 1.001), ("prm", 1.1), ("rrt", 1.6)] {
        let way = ask(planner);
        let longer = way["length"].as_f64().unwrap() / shortest;
        assert!((0.999..allowed).contains(&longer), "{planner}: {longer} times the shortest");
        assert!(way["clearance"].as_f64().unwrap() > 0.29, "{planner}: {way}");
    }
}

#[test]
fn what_cannot_be_reached_is_told_with_what_can() {
    let world = scenario("8-labyrinth.scene.toml");
    for (goal, why) in [("900,2", "not on the floor"), ("nan,2", "two numbers"), ("1", "two numbers")] {
        let output = surefoot(&["path", "--world", &world, "--goal", goal]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(why), "{goal}: {said}");
    }
    let beyond = surefoot(&["path", "--world", &world, "--goal", "900,2", "--json"]);
    let value = json(&beyond);
    assert!(beyond.status.code() == Some(1) && value["found"] == false && value["why_not"].is_string(), "{value}");
}

#[test]
fn stairs_lead_from_floor_to_floor() {
    let way = json(&surefoot(&["path", "--world", &scenario("mesh-recast-dungeon.scene.toml"), "--json"]));
    let heights: Vec<f64> = way["points"].as_array().unwrap().iter().map(|point| point[1].as_f64().unwrap()).collect();
    let (low, high) = heights.iter().fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(*y), high.max(*y)));
    assert!(way["found"] == true && high - low > 9.0, "from {low} m to {high} m");
}

#[test]
fn what_moves_is_waited_for() {
    let world = scenario("moving-crossing.scene.toml");
    assert_exit(&surefoot(&["path", "--world", &world]), 0, &["arrives", "m/s"]);
    let way = json(&surefoot(&["path", "--world", &world, "--json"]));
    let times: Vec<f64> = way["times"].as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect();
    assert_eq!(times.len(), way["points"].as_array().unwrap().len(), "{way}");
    assert!(times.windows(2).all(|pair| pair[0] <= pair[1]) && times[times.len() - 1] > 20.0, "{times:?}");
    assert_exit(&surefoot(&["path", "--world", &world, "--planner", "navmesh"]), 2, &["only planner is prm"]);
    assert_exit(&surefoot(&["path", "--world", &world, "--speed", "0"]), 2, &["--speed"]);
    assert_exit(&surefoot(&["path", "--world", &scenario("moving-ferry.scene.toml")]), 0, &["waits", "arrives"]);
}

#[test]
fn seed_and_samples_are_options() {
    let world = scenario("3-gap.scene.toml");
    let ask = |more: &[&str]| surefoot(&[&["path", "--world", &world, "--json"], more].concat());
    let points = |more: &[&str]| json(&ask(more))["points"].clone();
    let prm = ["--planner", "prm"];
    assert_eq!(points(&[&prm[..], &["--seed", "5"]].concat()), points(&[&prm[..], &["--seed", "5"]].concat()));
    assert_ne!(points(&[&prm[..], &["--seed", "5"]].concat()), points(&[&prm[..], &["--seed", "6"]].concat()));
    // Few places miss the gap, and say so; where nobody tells how many, there are as many as it takes.
    let few = ask(&[&prm[..], &["--samples", "20"]].concat());
    assert!(few.status.code() == Some(1) && json(&few)["why_not"].as_str().unwrap().contains("20 samples"), "{few:?}");
    assert_exit(&ask(&prm), 0, &[]);
    assert_exit(&ask(&["--samples", "20"]), 2, &["only the planners prm and rrt"]);
    assert_exit(&ask(&[&prm[..], &["--samples", "0"]].concat()), 2, &[]);
}

#[test]
fn meshes_and_maps_are_worlds_by_themselves() {
    for world in ["maze-32-32-4.map", "room-32-32-4.map", "recast_dungeon.obj", "threejs_collision-world.glb"] {
        let world = asset(&format!("worlds/{world}"));
        let way = json(&surefoot(&["path", "--world", &world, "--json"]));
        assert!(way["found"] == true && way["length"].as_f64().unwrap() > 10.0, "{world}: {way}");
    }
}

/// A world far from the origin keeps its own coordinates, however many digits they have.
#[test]
fn places_are_the_file_s_own() {
    let file = file("far-field.obj");
    let corners = [[0, 0], [20, 0], [20, 20], [0, 20]];
    let corner = |[x, z]: [i32; 2]| format!("v {} 7.5 {}\n", 5_000_000 + x, -3_000_000 + z);
    std::fs::write(&file, corners.map(corner).concat() + "f 4 3 2 1\n").unwrap();
    let world = file.to_str().unwrap();
    let ends = ["--start", "5000004.25,7.5,-2999996.5", "--goal", "5000016,7.5,-2999984"];
    let way = json(&surefoot(&[&["path", "--world", world, "--json"], &ends[..]].concat()));
    let at = |i: usize, k: usize| way["points"][i][k].as_f64().unwrap();
    let last = way["points"].as_array().unwrap().len() - 1;
    for (i, place) in [(0, [5_000_004.25, 7.5, -2_999_996.5]), (last, [5_000_016.0, 7.5, -2_999_984.0])] {
        assert!((0..3).all(|k| (at(i, k) - place[k]).abs() < 0.1), "point {i}: {}", way["points"][i]);
    }
    assert!((way["length"].as_f64().unwrap() - 17.15).abs() < 0.1, "{}", way["length"]);
}

/// A floor in centimetres with z up is a floor of metres once that is said, and its numbers stay the file's.
#[test]
fn meshes_may_be_in_any_unit_with_any_axis_up() {
    let file = file("z-up-field.obj");
    let corners = [[0, 0], [2000, 0], [2000, 1000], [0, 1000]];
    std::fs::write(&file, corners.map(|[x, y]| format!("v {x} {y} 50\n")).concat() + "f 1 2 3 4\n").unwrap();
    let world = file.to_str().unwrap();
    let said = ["--world-unit", "cm", "--world-up", "z"];
    let ends = ["--start", "200,500,50", "--goal", "1800,500,50", "--json"];
    let way = json(&surefoot(&[&["path", "--world", world], &said[..], &ends[..]].concat()));
    assert!((way["length"].as_f64().unwrap() - 16.0).abs() < 0.1, "{way}");
    let points = way["points"].as_array().unwrap();
    for (point, x) in [(&points[0], 200.0), (&points[points.len() - 1], 1800.0)] {
        let at = |k: usize| point[k].as_f64().unwrap();
        // Heights are those of voxels, to 10 cm.
        assert!((at(0) - x).abs() < 5.0 && (at(1) - 500.0).abs() < 5.0 && (at(2) - 50.0).abs() < 15.0, "{point}");
    }
    // Taken as it is, the floor is a wall that nobody can stand on.
    assert_exit(&surefoot(&["path", "--world", world]), 2, &["can stand", "--world-up"]);
    let told =
        assert_exit(&surefoot(&[&["path", "--world", world], &said[..]].concat()), 0, &["stated", "own numbers"]);
    assert!(told.contains("up: +z"), "{told}");
    // What is no mesh says its unit itself.
    let scene = scenario("1-empty.scene.toml");
    assert_exit(&surefoot(&["path", "--world", &scene, "--world-up", "z"]), 2, &["--world-up", "mesh by itself"]);
}
