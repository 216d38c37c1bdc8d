//! The command as a user runs it: exit codes, files, and what is printed where.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn surefoot(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_surefoot")).args(args).output().unwrap()
}

fn asset(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name).display().to_string()
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn assert_exit(output: &Output, code: i32, words: &[&str]) {
    let all = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{all}");
    for word in words {
        assert!(all.contains(word), "{word:?} is not in:\n{all}");
    }
    assert!(!all.contains("panicked"), "{all}");
}

#[test]
fn the_demo_writes_four_files_and_says_what_next() {
    let out = folder("demo");
    let path = out.join("d");
    let run = |extra: &[&str]| surefoot(&[&["demo", "--out", path.to_str().unwrap()], extra].concat());
    assert_exit(
        &run(&[]),
        0,
        &["47_01.glb", "47_01.bvh", "47_01.png", "47_01.html", "surefoot inspect", "feet slid by"],
    );
    let read = |name: &str| std::fs::read(path.join(name)).unwrap();
    assert!(read("47_01.glb").starts_with(b"glTF"), "a GLB file");
    assert!(read("47_01.bvh").starts_with(b"HIERARCHY"), "a BVH file");
    assert!(read("47_01.png").starts_with(b"\x89PNG"), "a PNG file");
    assert!(text(&read("47_01.html")).contains("surefoot-data"), "a page with data");
    // A second run replaces nothing unless told to, and the same input gives the same bytes.
    let first = read("47_01.glb");
    assert_exit(&run(&[]), 1, &["exists", "--force"]);
    assert_exit(&run(&["--force"]), 0, &[]);
    assert_eq!(first, read("47_01.glb"));
}

#[test]
fn inspect_tells_what_a_file_is() {
    let cmu = surefoot(&["inspect", &asset("bvh/02_01.bvh"), "--joints"]);
    assert_exit(&cmu, 0, &["31 joints", "343 frames", "120 Hz", "cmu", "+y", "legs 0.84 m", "LeftToeBase"]);
    let json = surefoot(&["inspect", &asset("bvh/makehuman_walk1.bvh"), "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let file = &value[0];
    assert_eq!((file["joint_count"].as_u64(), file["unit"]["value"].as_str()), (Some(75), Some("dm")));
    assert_eq!((file["up"]["value"].as_str(), file["forward"]["value"].as_str()), (Some("+z"), Some("-y")));
    let table = surefoot(&["inspect", &asset("cmu")]);
    assert_exit(&table, 0, &["18 files", "16_15.bvh"]);
}

#[test]
fn inspect_reads_skeletons_motions_and_worlds() {
    let walk = surefoot(&["inspect", &asset("asfamc/11_01.amc")]);
    assert_exit(&walk, 0, &["AMC, 31 joints, 120 frames at 120 Hz", "cmu", "legs 0.86 m", "--source-fps"]);
    assert_exit(&surefoot(&["inspect", &asset("asfamc/02_01.amc")]), 2, &["02.asf is not there", "--skeleton"]);
    let other = surefoot(&["inspect", &asset("asfamc/02_01.amc"), "--skeleton", &asset("asfamc/11.asf")]);
    assert_exit(&other, 0, &["60 frames"]);
    let world = asset("worlds/recast_nav_test.obj");
    assert_exit(
        &surefoot(&["inspect", &world]),
        0,
        &["OBJ, 1612 triangles", "91.38 × 21.88", "nav_test.mtl", "Generic"],
    );
    // Motions and worlds in one list; one broken world does not hide the rest.
    let broken = folder("worlds").join("broken.obj");
    std::fs::write(&broken, "v 0 0 0\nf 1 2 9\n").unwrap();
    let both = surefoot(&["inspect", &world, &asset("bvh/02_01.bvh"), broken.to_str().unwrap()]);
    assert_exit(&both, 2, &["1612 triangles", "31 joints", "broken.obj: line 2, column 7"]);
    let json = surefoot(&["inspect", &world, "--json", "--up", "z", "--unit", "cm"]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((value[0]["triangles"].as_u64(), value[0]["up"]["value"].as_str()), (Some(1612), Some("+z")));
    assert_eq!(value[0]["groups"].as_array().map(Vec::len), Some(30));
}

#[test]
fn unreadable_input_is_exit_2_with_the_place() {
    let folder = folder("unreadable");
    let broken = folder.join("broken.bvh");
    std::fs::write(&broken, "HIERARCHY\nROOT a\n{\n  OFFSET 0 zero 0\n").unwrap();
    let broken = broken.to_str().unwrap();
    assert_exit(
        &surefoot(&["inspect", broken]),
        2,
        &["broken.bvh: line 4, column 12", "\"zero\"", "OFFSET 0 zero 0", "^^^^"],
    );
    assert_exit(&surefoot(&["inspect", "no/such/file.bvh"]), 2, &["no/such/file.bvh: cannot read"]);
    assert_exit(&surefoot(&["inspect", folder.join("none").to_str().unwrap()]), 2, &["cannot read"]);
    // One bad file does not hide the good ones.
    let both = surefoot(&["inspect", broken, &asset("bvh/02_01.bvh")]);
    assert_exit(&both, 2, &["31 joints", "line 4"]);
    let out = folder.join("x.glb");
    assert_exit(&surefoot(&["convert", broken, out.to_str().unwrap()]), 2, &["line 4"]);
    assert!(!out.exists(), "nothing half-written");
}

#[test]
fn bad_usage_is_exit_2() {
    let walk = asset("bvh/bvhtoolbox_walk01.bvh");
    let out = folder("usage");
    let fbx = out.join("x.fbx");
    for (args, words) in [
        (vec!["convert", &walk, fbx.to_str().unwrap()], vec![".fbx", ".bvh or .glb"]),
        (vec!["convert", &walk], vec!["Usage"]),
        (vec!["inspect"], vec!["Usage"]),
        (vec!["inspect", &walk, "--unit", "furlong"], vec!["furlong", "cmu"]),
        (vec!["inspect", &walk, "--up", "w"], vec!["no axis"]),
        (vec!["inspect", &walk, "--up", "z", "--forward=-z"], vec!["one line"]),
        (vec!["convert", &walk, "x.bvh", "--fps", "0"], vec!["no frame rate"]),
        (vec!["convert", &walk, "x.bvh", "--from", "9"], vec!["lasts 4.167 s"]),
        (vec!["picture", &walk, "-o", "x.jpg"], vec![".png or .svg"]),
        (vec!["dance"], vec!["unrecognized"]),
    ] {
        assert_exit(&surefoot(&args), 2, &words);
    }
}

#[test]
fn help_teaches_with_an_example() {
    for command in ["demo", "inspect", "analyse", "measure", "clean", "convert", "picture"] {
        let help = surefoot(&[command, "--help"]);
        assert_exit(&help, 0, &["Examples:", &format!("surefoot {command}")]);
    }
    assert_exit(&surefoot(&["--help"]), 0, &["Exit codes", "surefoot demo"]);
}

#[test]
fn convert_resamples_trims_mirrors_and_never_overwrites() {
    let walk = asset("cmu/16_17.bvh");
    let out = folder("convert");
    let file = |name: &str| out.join(name).display().to_string();
    assert_exit(
        &surefoot(&["convert", &walk, &file("a.bvh"), "--fps", "30", "--from", "1", "--to", "2"]),
        0,
        &["31 frames at 30 Hz"],
    );
    assert_exit(&surefoot(&["convert", &walk, &file("a.bvh")]), 1, &["exists", "--force"]);
    assert_exit(&surefoot(&["convert", &walk, &file("a.bvh"), "--force", "--mirror"]), 0, &[]);
    let turn = |path: &str| {
        let json = surefoot(&["inspect", path, "--json"]).stdout;
        serde_json::from_slice::<serde_json::Value>(&json).unwrap()[0]["turn_deg"].as_f64().unwrap()
    };
    let (left, right) = (turn(&walk), turn(&file("a.bvh")));
    assert!(left > 80.0 && (left + right).abs() < 0.1, "{left}° to the left became {right}°");
    assert_exit(&surefoot(&["convert", &walk, &file("deep/down/b.glb"), "--root-motion", "root"]), 0, &["b.glb"]);
    assert_exit(&surefoot(&["convert", &walk, out.to_str().unwrap()]), 2, &[]);
}

#[test]
fn pictures_are_drawn_for_every_kind_of_body() {
    let out = folder("picture");
    for name in [
        "bvh/babylon_alien.bvh",
        "bvh/makehuman_tpose.bvh",
        "bvh/fairmotion_sinusoidal.bvh",
        "cmu/77_02.bvh",
        "bvh/geno_bind.bvh",
    ] {
        for ending in ["svg", "png"] {
            let file = out.join(Path::new(name).with_extension(ending).file_name().unwrap());
            assert_exit(&surefoot(&["picture", &asset(name), "-o", file.to_str().unwrap()]), 0, &[]);
            assert!(std::fs::metadata(&file).unwrap().len() > 3_000, "{} is almost empty", file.display());
        }
    }
}

#[test]
fn analyse_tells_how_a_clip_walks() {
    let walk = surefoot(&["analyse", &asset("cmu/16_17.bvh"), "--stances"]);
    assert_exit(&walk, 0, &["LeftFoot (0.84 m)", "7 steps", "held from", "repaired", "Froude"]);
    let json = surefoot(&["analyse", &asset("cmu/16_15.bvh"), "--json"]).stdout;
    let value: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let file = &value[0];
    assert!((file["hip_speed_median"].as_f64().unwrap() - 1.09).abs() < 0.06, "{file}");
    assert!(file["pelvis_yaw_net"].as_f64().unwrap().abs() < 9.0, "{file}");
    assert_eq!((file["stances"].as_array().unwrap().len(), file["fragmentation"].as_f64()), (8, Some(1.0)));
    // A body without legs is refused with the reason.
    assert_exit(&surefoot(&["analyse", &asset("bvh/babylon_alien.bvh")]), 1, &["no legs found"]);
}

#[test]
fn measure_gates_a_build_and_clean_gets_it_through() {
    let out = folder("clean");
    let (walk, clean) = (asset("cmu/16_15.bvh"), out.join("clean.bvh").display().to_string());
    let limits = ["--max-drift-mm", "1", "--max-float-mm", "5", "--max-penetration-mm", "5"];
    let measure = |file: &str| surefoot(&[&["measure", file], &limits[..]].concat());
    assert_exit(&measure(&walk), 1, &["over the limit", "drift", "allowed 1 mm"]);
    assert_exit(&surefoot(&["clean", &walk, "-o", &clean]), 0, &["before:", "after:", "stance time"]);
    assert_exit(&measure(&clean), 0, &["drift"]);
    assert_exit(&surefoot(&["clean", &walk, "-o", &clean]), 1, &["exists"]);
    let onto = out.join("onto.glb").display().to_string();
    assert_exit(
        &surefoot(&["clean", &walk, "-o", &onto, "--onto", &asset("cmu/47_01.bvh"), "--json"]),
        0,
        &["stance_kept"],
    );
    let other = asset("bvh/pybvh_test2.bvh");
    assert_exit(&surefoot(&["clean", &walk, "-o", &onto, "--onto", &other, "--force"]), 1, &["built differently"]);
}

#[test]
fn a_rig_can_be_written_corrected_and_used() {
    let folder = folder("rig");
    let (walk, rig) = (asset("cmu/16_15.bvh"), folder.join("rig.toml"));
    let path = rig.to_str().unwrap();
    assert_exit(&surefoot(&["inspect", &walk, "--write-rig", path]), 0, &["31 joints"]);
    assert_exit(&surefoot(&["inspect", &walk, "--write-rig", path]), 1, &["exists"]);
    assert_exit(&surefoot(&["analyse", &walk, "--rig", path]), 0, &["6 steps"]);
    let wrong = std::fs::read_to_string(&rig).unwrap().replace("LeftLeg", "LeftShin");
    std::fs::write(&rig, wrong).unwrap();
    assert_exit(&surefoot(&["analyse", &walk, "--rig", path]), 2, &["rig.toml", "LeftShin"]);
}
