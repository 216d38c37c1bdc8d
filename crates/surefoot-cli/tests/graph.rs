//! `surefoot graph` as a user runs it.

mod running;

use running::{assert_exit, asset, folder, scenario, surefoot, text};
use std::process::Command;
use surefoot_io::graph_file;

#[test]
fn build_info_check_add_and_remove_fit_together() {
    let folder = folder("graph");
    let path = |name: &str| folder.join(name).display().to_string();
    let all = path("all.graph");
    let build = surefoot(&["graph", "build", "embedded", "--mirror", "-o", &all]);
    assert_exit(&build, 0, &["clips        38", "chosen", "median distance", "16_11 mirrored", "lead-in", "tail"]);
    assert!(build.stderr.is_empty(), "no progress bar where there is no terminal: {}", text(&build.stderr));
    assert_exit(&surefoot(&["graph", "build", "embedded", "-o", &all]), 1, &["exists", "--force"]);
    assert_exit(&surefoot(&["graph", "check", &all]), 0, &["fine", "38 clips", "measured anew"]);

    let info = surefoot(&["graph", "info", &all, "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    assert_eq!(value["clips"].as_array().unwrap().len(), 38);
    for key in ["nodes", "edges", "frames", "transitions"] {
        assert!(value[key].as_u64().unwrap() > 1000, "{key}: {}", value[key]);
    }
    assert!(value["threshold"]["metres"].as_f64().unwrap() > 0.01, "{}", value["threshold"]);
    assert!(value["component"]["share"].as_f64().unwrap() > 0.5, "{}", value["component"]);
    let words = surefoot(&["graph", "info", &all]);
    // What build prints is what info prints, but for the size, the time and the notes.
    let told: Vec<String> = text(&words.stdout).lines().skip(1).map(str::to_owned).collect();
    assert!(told.iter().all(|line| text(&build.stdout).contains(line)), "{told:#?}");

    // A build of some and adding the others is a build of all, through the files.
    let threshold = value["threshold"]["metres"].as_f64().unwrap().to_string();
    let (few, whole) = (path("few.graph"), path("whole.graph"));
    let walks = ["cmu/16_11.bvh", "cmu/16_15.bvh", "cmu/16_58.bvh"].map(asset);
    let rig = path("rig.toml");
    // Legs are found from all clips at hand; here they must be the same.
    assert_exit(&surefoot(&["inspect", &walks[0], "--write-rig", &rig]), 0, &[]);
    let given = ["--threshold", &threshold, "--rig", &rig, "--mirror", "--no-stop"];
    let run = |args: &[&str]| assert_exit(&surefoot(&[args, &given].concat()), 0, &["as given"]);
    run(&["graph", "build", &walks[0], &walks[1], "-o", &few]);
    run(&["graph", "build", &walks[0], &walks[1], &walks[2], "-o", &whole]);
    let added = surefoot(&["graph", "add", &few, &walks[2], "--mirror"]);
    assert_exit(&added, 0, &["clips        6", "16_58 mirrored"]);
    let read = |path: &str| graph_file::load(path.as_ref()).unwrap();
    assert_eq!(read(&few).transitions, read(&whole).transitions);
    assert_eq!(read(&few).topology, read(&whole).topology);
    assert_exit(&surefoot(&["graph", "add", &few, &walks[2]]), 1, &["\"16_58\" is in the graph already"]);

    let removed = surefoot(&["graph", "remove", &few, "16_58", "16_58 mirrored"]);
    assert_exit(&removed, 0, &["clips        4"]);
    assert_exit(&surefoot(&["graph", "remove", &few, "16_58"]), 1, &["no clip is called", "16_11 mirrored"]);
    assert_eq!(read(&few).takes.len(), 4, "as before");
    let last = surefoot(&["graph", "remove", &few, "16_11", "16_15", "16_11 mirrored", "16_15 mirrored"]);
    assert_exit(&last, 1, &["the last clip"]);
}

#[test]
fn walks_that_never_stand_get_stops_and_libraries_are_told_which_clips_walk() {
    let folder = folder("graph-stops");
    let path = |name: &str| folder.join(name).display().to_string();
    let walk = asset("cmu/16_15.bvh");
    let build = surefoot(&["graph", "build", &walk, "--mirror", "-o", &path("walk.graph")]);
    assert_exit(&build, 0, &["16_15 stopped", "stops were made of walking", "--no-stop"]);
    let navigate =
        ["navigate", "--world", &scenario("1-empty.scene.toml"), "--graph", &path("walk.graph"), "-o", &path("w.glb")];
    assert_exit(&surefoot(&navigate), 0, &["arrival      0.0 mm"]);
    let without = surefoot(&["graph", "build", &walk, "--mirror", "--no-stop", "-o", &path("bare.graph")]);
    assert_exit(&without, 0, &["clips        2"]);
    assert!(!text(&without.stdout).contains("stopped"), "{}", text(&without.stdout));
    let knight = asset("characters/kaykit_Knight.glb");
    let library = surefoot(&["graph", "build", &knight, "-o", &path("all.graph")]);
    // Walks that go on where they face: no attacks, which lunge, no strafing, no runs beside walks.
    assert_exit(&library, 0, &["goes nowhere", "--clip \"Walking_A,Walking_B,Walking_C\""]);
    let three =
        ["graph", "build", &knight, "--clip", "Walking_A,Walking_B,Walking_C", "--mirror", "-o", &path("k.graph")];
    assert_exit(&surefoot(&three), 0, &["stops were made of walking"]);
    let across =
        ["navigate", "--world", &scenario("1-empty.scene.toml"), "--graph", &path("k.graph"), "-o", &path("k.glb")];
    assert_exit(&surefoot(&across), 0, &["arrival      0.0 mm"]);
}

#[test]
fn one_thread_and_two_write_the_same_file() {
    let folder = folder("graph-threads");
    let build = |threads: &str| {
        let path = folder.join(threads);
        let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
        command.env("RAYON_NUM_THREADS", threads).args(["graph", "build", "embedded", "-o"]).arg(&path);
        assert_exit(&command.output().unwrap(), 0, &[]);
        std::fs::read(path).unwrap()
    };
    assert!(build("1") == build("2"), "the same bytes");
}

#[test]
fn what_cannot_be_used_is_refused_by_name() {
    let folder = folder("graph-refused");
    let path = |name: &str| folder.join(name).display().to_string();
    let graph = path("g.graph");
    let walk = asset("cmu/16_15.bvh");
    // Bodies of other lengths and other builds are carried over; one with other legs is refused, and nothing is written.
    let tall = asset("cmu/47_01.bvh");
    assert_exit(&surefoot(&["graph", "build", &walk, &tall, "-o", &graph]), 0, &["from other bodies: 16_15"]);
    let strange = [&walk, &asset("bvh/makehuman_walk1.bvh")];
    let both = surefoot(&["graph", "build", strange[0], strange[1], "-o", &path("both.graph")]);
    assert_exit(&both, 0, &["from other bodies: "]);
    let before = std::fs::read(&graph).unwrap();
    let fox = surefoot(&["graph", "add", &graph, &asset("characters/m2m_fox.glb"), "--clip", "Walk"]);
    assert_exit(&fox, 1, &["m2m_fox.glb", "a body with 4 legs and this one has 2"]);
    let twice = surefoot(&["graph", "build", &walk, &walk, "-o", &path("twice.graph")]);
    assert_exit(&twice, 1, &["two clips are called \"16_15\""]);
    let wrong = surefoot(&["graph", "build", &walk, "-o", &path("x.graph"), "--pairs", "16_15:16_99"]);
    assert_exit(&wrong, 2, &["16_15:16_99", "there are 16_15"]);
    assert_exit(&surefoot(&["graph", "build", &walk, "-o", &path("x.graph"), "--threshold", "near"]), 2, &["auto"]);
    assert_exit(
        &surefoot(&["graph", "build", &walk, "-o", &path("x.graph"), "--blend", "0"]),
        2,
        &["--blend", "a blend"],
    );
    assert!(!folder.join("x.graph").exists() && std::fs::read(&graph).unwrap() == before, "nothing is written");

    // Files that are cut, changed, too new or something else.
    let damaged = path("damaged.graph");
    let check = |bytes: &[u8], words: &[&str]| {
        std::fs::write(&damaged, bytes).unwrap();
        assert_exit(&surefoot(&["graph", "check", &damaged]), 1, words);
        assert_exit(&surefoot(&["graph", "info", &damaged]), 2, words);
        assert_exit(&surefoot(&["graph", "add", &damaged, &asset("cmu/16_11.bvh")]), 2, words);
        assert_eq!(std::fs::read(&damaged).unwrap(), bytes, "left as it was");
    };
    check(&before[..before.len() / 2], &["damaged.graph", "cut short", &before.len().to_string()]);
    let mut changed = before.clone();
    changed[9000] ^= 1;
    check(&changed, &["altered", "checksum"]);
    changed = before.clone();
    changed[8] = 9;
    check(&changed, &["version 9", "newer", "reads up to 2"]);
    check(b"HIERARCHY", &["not a motion graph"]);
    assert_exit(&surefoot(&["graph", "check", &path("missing.graph")]), 2, &["cannot read"]);

    // A distance that is not true passes the checksum, but not the check.
    let mut graph = graph_file::read(&before).unwrap();
    graph.transitions[0].distance *= 0.5;
    std::fs::write(&damaged, graph_file::write(&graph)).unwrap();
    assert_exit(&surefoot(&["graph", "check", &damaged]), 1, &["transition 0 from", "is said to have a distance"]);
    let json = surefoot(&["graph", "check", &damaged, "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((value["fine"].as_bool(), value["wrong"].as_array().unwrap().len()), (Some(false), 1));

    // Neither do moves that are not the graph's own: the first of three numbers for each place of its blends, at the end.
    let at = before.len() - 12 * graph.blend_poses();
    let mut moved = before.clone();
    moved[at..at + 4].copy_from_slice(&9.0_f32.to_le_bytes());
    std::fs::write(&damaged, graph_file::resealed(moved).unwrap()).unwrap();
    let words = ["from 16_15 at", "does not go where the moves in the file say"];
    assert_exit(&surefoot(&["graph", "check", &damaged]), 1, &words);
}

#[test]
fn clips_without_motion_are_passed_over_and_all_others_of_a_file_taken() {
    let folder = folder("graph-character");
    let path = folder.join("fox.graph").display().to_string();
    let fox = asset("characters/khronos_Fox.glb");
    assert_exit(
        &surefoot(&["graph", "build", &fox, "-o", &path]),
        0,
        &["khronos_Fox/Walk", "khronos_Fox/Run", "cycles"],
    );
    let one = surefoot(&["graph", "build", &fox, "--clip", "walk", "-o", &path, "--force", "--fps", "24", "--no-stop"]);
    assert_exit(&one, 0, &["clips        1,", "at 24 Hz"]);
    let robot = asset("characters/kaykit_Knight.glb");
    let robot = surefoot(&["graph", "build", &robot, "-o", &path, "--force", "--json"]);
    assert_exit(&robot, 0, &["passed over: kaykit_Knight/", "T-Pose: nothing moves in it"]);
}

/// Whatever the moment, the file is the old one or the new one.
#[test]
fn an_interrupted_command_leaves_the_file_whole() {
    let folder = folder("graph-interrupted");
    let path = folder.join("g.graph");
    let walk = asset("cmu/16_15.bvh");
    assert_exit(&surefoot(&["graph", "build", &walk, "--no-stop", "-o", path.to_str().unwrap()]), 0, &[]);
    let old = std::fs::read(&path).unwrap();
    for wait in [0, 5, 10, 20, 40, 80, 160, 320] {
        std::fs::write(&path, &old).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_surefoot"))
            .args(["graph", "add", path.to_str().unwrap(), &asset("cmu/16_11.bvh"), &asset("cmu/47_01.bvh")])
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        let _ = child.kill();
        let _ = child.wait();
        let now = std::fs::read(&path).unwrap();
        let graph = graph_file::read(&now).unwrap_or_else(|error| panic!("after {wait} ms: {error}"));
        assert!(now == old || graph.takes.len() == 3, "after {wait} ms: {} clips", graph.takes.len());
    }
}

#[test]
fn a_walk_is_looked_at_as_its_file_has_it() {
    let walk = folder("graph-walk-looked-at").join("walk.glb");
    let dino = asset("strangers/q_dino_Parasaurolophus.glb");
    let args = ["graph", "walk", "embedded", "--character", &dino, "--seconds", "10", "-o", walk.to_str().unwrap()];
    let run = surefoot(&args);
    assert_exit(&run, 0, &["foot drift"]);
    assert!(text(&run.stderr).contains("warning: joints jump within one frame"), "{}", text(&run.stderr));
}
