//! The command as a user runs it: exit codes, files, and what is printed where.

mod running;

use running::{assert_exit, asset, folder, surefoot, text};
use std::path::Path;

/// The JSON of a GLB file.
fn glb(path: &Path) -> serde_json::Value {
    let bytes = std::fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

#[test]
fn a_folder_stands_for_every_kind_of_character_below_it() {
    let folder = folder("every-kind");
    std::fs::copy(asset("characters/khronos_CesiumMan.glb"), folder.join("avatar.vrm")).unwrap();
    assert_exit(&surefoot(&["inspect", folder.to_str().unwrap()]), 0, &["avatar.vrm"]);
}

#[test]
fn the_demo_walks_through_a_labyrinth_and_says_what_next() {
    let out = folder("demo");
    let path = out.join("d");
    let run = |extra: &[&str]| surefoot(&[&["demo", "--out", path.to_str().unwrap()], extra].concat());
    assert_exit(&run(&[]), 0, &["labyrinth.html", " 0 collisions", "surefoot navigate", "surefoot inspect"]);
    let read = |name: &str| std::fs::read(path.join(name)).unwrap();
    assert!(read("labyrinth.glb").starts_with(b"glTF"), "a GLB file");
    assert!(read("labyrinth.bvh").starts_with(b"HIERARCHY"), "a BVH file");
    assert!(read("jumps.glb").starts_with(b"glTF"), "a GLB file");
    assert!(text(&read("jumps.html")).contains(r#"<a href="labyrinth.html">"#), "pages lead to each other");
    assert!(text(&read("labyrinth.html")).contains(r#"<a href="jumps.html">"#), "pages lead to each other");
    for picture in ["labyrinth-map.png", "labyrinth-steps.png", "jumps-map.png"] {
        assert!(read(picture).starts_with(b"\x89PNG"), "{picture} is a PNG file");
    }
    let page = text(&read("labyrinth.html"));
    for data in ["surefoot-data", r#""walls":[{"corners""#, r#""prints":[{"outline""#, "mocap.cs.cmu.edu"] {
        assert!(page.contains(data), "{data} is on the page");
    }
    // A second run replaces nothing unless told to, and the same input gives the same bytes.
    let first = read("labyrinth.glb");
    assert_exit(&run(&[]), 1, &["exists", "--force"]);
    assert_exit(&run(&["--force"]), 0, &[]);
    assert_eq!(first, read("labyrinth.glb"));
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
    assert_exit(&table, 0, &["24 files", "16_15.bvh"]);
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
        (vec!["inspect", &walk, "--up", "w"], vec!["not an axis"]),
        (vec!["inspect", &walk, "--up", "z", "--forward=-z"], vec!["one line"]),
        (vec!["convert", &walk, "x.bvh", "--fps", "0"], vec!["--fps", "a frame rate is"]),
        (vec!["convert", &walk, "x.bvh", "--from", "9"], vec!["lasts 4.167 s"]),
        (vec!["picture", &walk, "-o", "x.jpg"], vec![".png or .svg"]),
        (vec!["dance"], vec!["unrecognized"]),
    ] {
        assert_exit(&surefoot(&args), 2, &words);
    }
}

#[test]
fn help_teaches_with_an_example() {
    for command in ["demo", "inspect", "analyse", "measure", "clean", "convert", "picture", "page", "path", "navigate"]
    {
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
    let other = asset("characters/m2m_fox.glb");
    assert_exit(&surefoot(&["clean", &walk, "-o", &onto, "--onto", &other, "--force"]), 1, &["this one has 4"]);
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

#[test]
fn what_was_understood_of_a_body_is_drawn() {
    let folder = folder("rig_picture");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (horse, walk) = (asset("characters/m2m_horse.glb"), asset("cmu/16_15.bvh"));
    let inspect = |more: &[&str]| surefoot(&[&["inspect"], more].concat());
    let (svg, png, rig) = (file("horse.svg"), file("walk.png"), file("rig.toml"));
    assert_exit(&inspect(&[&horse, "--picture", &svg]), 0, &["56 joints", "horse.svg"]);
    let drawn = std::fs::read_to_string(&svg).unwrap();
    for word in ["4 legs, 100 % sure", "hip front_scapula_l", "toe back_leg_leaf_r", "forward (+Z)", "ground", " m<"] {
        assert!(drawn.contains(word), "{word} is in the picture");
    }
    assert_exit(&inspect(&[&walk, "--picture", &png]), 0, &["walk.png"]);
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"), "a PNG file");

    // Legs that a person named go before what was found.
    assert_exit(&inspect(&[&walk, "--write-rig", &rig]), 0, &[]);
    assert_exit(
        &inspect(&[&walk, "--rig", &rig, "--picture", &file("told.svg")]),
        0,
        &["LeftFoot, RightFoot, as the rig file names them"],
    );
    assert!(std::fs::read_to_string(file("told.svg")).unwrap().contains("2 legs, as the rig file names them"));

    // One body, one picture, nothing overwritten.
    assert_exit(&inspect(&[&horse, "--picture", &svg]), 1, &["exists", "--force"]);
    assert_exit(&inspect(&[&horse, "--picture", &svg, "--force"]), 0, &[]);
    assert_exit(&inspect(&[&horse, "--picture", &file("horse.gif")]), 2, &[".png or .svg"]);
    assert_exit(&inspect(&[&horse, &walk, "--picture", &file("both.png")]), 2, &["--picture takes one file", "2"]);
    let world = asset("worlds/recast_nav_test.obj");
    assert_exit(&inspect(&[&world, "--picture", &file("world.png")]), 2, &["a body with joints"]);
}

#[test]
fn clips_of_a_character_are_chosen_by_name_part_or_number() {
    let knight = asset("characters/kaykit_Knight.glb");
    let inspect = |clip: &str| surefoot(&["inspect", &knight, "--clip", clip]);
    assert_exit(&inspect("Walking_A"), 0, &["clip Walking_A: 33 frames", "76, of which --clip", "73 Walking_A 1.07 s"]);
    assert_exit(&inspect("king_back"), 0, &["clip Walking_Backwards"]);
    assert_exit(&inspect("73"), 0, &["clip Walking_A"]);
    assert_exit(&inspect("walking"), 2, &["fits 4 clips", "Walking_A", "Walking_Backwards"]);
    assert_exit(&inspect("moonwalk"), 2, &["no clip is called \"moonwalk\"", "1: 1H_Melee_Attack_Chop"]);
    assert_exit(&surefoot(&["inspect", &knight]), 0, &["clip 1H_Melee_Attack_Chop", "skin"]);
    let json = surefoot(&["inspect", &knight, "--clip", "walking_b", "--json"]).stdout;
    let value: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!((value[0]["clip"].as_str(), value[0]["clips"].as_array().map(Vec::len)), (Some("Walking_B"), Some(76)));
    for command in ["analyse", "measure"] {
        assert_exit(&surefoot(&[command, &knight, "--clip", "walking_a"]), 0, &["clip Walking_A"]);
        assert_exit(&surefoot(&[command, &knight]), 0, &["the first of 76"]);
        assert_exit(&surefoot(&[command, &knight, "--clip", "walking"]), 2, &["fits 4 clips"]);
    }
    // A folder is looked through for characters too.
    assert_exit(&surefoot(&["inspect", &asset("characters")]), 0, &["m2m_spider.glb", "Fox.gltf", "11 files"]);
}

#[test]
fn a_character_keeps_its_mesh() {
    let out = folder("character");
    let fox = asset("characters/m2m_fox.glb");
    let source = glb(Path::new(&fox));
    let convert = |name: &str, extra: &[&str]| {
        let path = out.join(name);
        let run = surefoot(&[&["convert", &fox, path.to_str().unwrap(), "--clip", "walk"], extra].concat());
        assert_exit(&run, 0, &["clip Walk", name]);
        path
    };
    let names = |json: &serde_json::Value| -> Vec<String> {
        json["animations"].as_array().unwrap().iter().map(|a| a["name"].as_str().unwrap().to_owned()).collect()
    };
    let one = glb(&convert("one.glb", &[]));
    assert_eq!(names(&one), ["Walk"]);
    assert_eq!((&one["meshes"][0]["name"], &one["nodes"]), (&source["meshes"][0]["name"], &source["nodes"]));
    assert_eq!(one["materials"], source["materials"]);
    assert_eq!(one["animations"][0]["extras"]["loop"], true, "it ends as it starts");
    let kept = glb(&convert("kept.glb", &["--keep-clips"]));
    assert_eq!((names(&kept)[0].as_str(), names(&kept).len()), ("Walk", names(&source).len()));
    assert_eq!(glb(&convert("bones.glb", &["--bones"]))["meshes"][0]["name"], "Bones");
    for root_motion in ["root", "hips", "none"] {
        convert(&format!("{root_motion}.glb"), &["--root-motion", root_motion]);
    }
    assert!(std::fs::read(convert("fox.bvh", &[])).unwrap().starts_with(b"HIERARCHY"), "a BVH file");
    // Its clip ends in the pose it began with, on the spot: it goes as its feet say, or says that it does not.
    let travel = |name: &str| {
        let file = surefoot_io::load(&out.join(name), &surefoot_io::ImportSettings::default()).unwrap();
        let (clip, skeleton) = (&file.clips[0], &file.skeleton);
        let body = |frame: usize| clip.body(skeleton, frame).translation;
        body(clip.frames() - 1).distance(body(0)) / skeleton.height()
    };
    assert!(travel("root.glb") > 0.5 && travel("one.glb") < 0.05, "{} {}", travel("root.glb"), travel("one.glb"));
    let stays = surefoot(&["convert", &fox, out.join("stays.glb").to_str().unwrap(), "--clip", "walk"]);
    assert_exit(&stays, 0, &["on the spot", "--root-motion root lets it go"]);
    let bvh = out.join("fox2.bvh");
    let kept = surefoot(&["convert", &fox, bvh.to_str().unwrap(), "--keep-clips"]);
    assert_exit(&kept, 2, &["--keep-clips"]);
}

#[test]
fn a_character_is_cleaned_with_events_and_a_page() {
    let out = folder("clean-character");
    let (man, clean, page) = (asset("characters/khronos_CesiumMan.glb"), out.join("man.glb"), out.join("man.html"));
    let run = surefoot(&["clean", &man, "-o", clean.to_str().unwrap(), "--page", page.to_str().unwrap()]);
    assert_exit(&run, 0, &["before:", "after:", "in the character's own file"]);
    let json = glb(&clean);
    assert_eq!(json["meshes"][0]["name"], "Cesium_Man");
    assert!(json["animations"][0]["extras"]["loop"].is_boolean(), "{}", json["animations"][0]["extras"]);
    let html = text(&std::fs::read(&page).unwrap());
    assert!(html.contains("surefoot-data") && html.contains("placing"), "a page with the character");
    // Motion of a body with stances tells strikes and lifts, by the names of the ankles.
    let walk = out.join("walk.glb");
    assert_exit(&surefoot(&["clean", &asset("cmu/16_15.bvh"), "-o", walk.to_str().unwrap()]), 0, &["foot strikes"]);
    let events = glb(&walk)["animations"][0]["extras"]["events"].clone();
    let named = |name: &str| events.as_array().unwrap().iter().filter(|e| e["name"] == name).count();
    assert!(named("LeftFoot strike") > 2 && named("RightFoot lift") > 2, "{events}");
}

#[test]
fn what_has_no_legs_is_refused_but_still_shown() {
    let out = folder("no-legs");
    // A body of two joints in a row, as a glTF file without any mesh.
    let snake = out.join("snake.gltf");
    let json = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"skins":[{"joints":[0,1,2]}],
        "nodes":[{"name":"tail","children":[1]},{"name":"middle","translation":[0,0.1,0.5],"children":[2]},
        {"name":"head","translation":[0,0.1,0.5]}]}"#;
    std::fs::write(&snake, json).unwrap();
    let (snake, clean) = (snake.to_str().unwrap(), out.join("clean.glb"));
    let run = surefoot(&["clean", snake, "-o", clean.to_str().unwrap()]);
    assert_exit(&run, 1, &["refused", "snake.gltf", "leg"]);
    assert!(!clean.exists(), "nothing is written");
    let page = out.join("snake.html");
    assert_exit(&surefoot(&["page", snake, "-o", page.to_str().unwrap()]), 0, &["snake.html"]);
    assert_exit(&surefoot(&["page", snake, "-o", "snake.htmx"]), 2, &[".html"]);
}

#[test]
fn a_page_with_other_clips_knows_each_by_its_own_figures() {
    let (page, fox) = (folder("other-clips").join("fox.html"), asset("characters/m2m_fox.glb"));
    let run = ["page", &fox, "--clip", "walk", "--keep-clips", "-o", page.to_str().unwrap()];
    assert_exit(&surefoot(&run), 0, &["fox.html"]);
    let html = std::fs::read_to_string(&page).unwrap();
    let (_, data) = html.split_once("id=\"surefoot-data\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let clips = data["clips"].as_array().unwrap();
    // Each other animation once, by its number in the file that is played; the walk has gone to the front.
    let mut numbers: Vec<u64> = clips.iter().map(|clip| clip["index"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=clips.len() as u64).collect::<Vec<_>>());
    assert!(clips.len() > 3 && clips.iter().all(|clip| clip["title"] != "Walk"));
    let sheets = clips.iter().map(|clip| clip["charts"][0]["svg"].as_str().unwrap());
    let sheets: std::collections::BTreeSet<&str> = sheets.chain(data["charts"][0]["svg"].as_str()).collect();
    assert_eq!(sheets.len(), clips.len() + 1, "a sheet each");
    assert!(clips.iter().all(|clip| clip["stances"].as_array().unwrap().len() == 4), "for each foot");
}

#[test]
fn pictures_and_pages_are_made_of_every_character() {
    let out = folder("characters");
    for (name, clip) in [
        ("kaykit_Knight", "walking_a"),
        ("m2m_fox", "walk"),
        ("m2m_horse", "walk"),
        ("m2m_spider", "walk"),
        ("m2m_bird", "walk"),
        ("m2m_kaiju", "walk"),
    ] {
        let file = asset(&format!("characters/{name}.glb"));
        for (command, ending, most) in [("picture", "svg", 1_000_000), ("page", "html", 8_000_000)] {
            let path = out.join(format!("{name}.{ending}"));
            let run = surefoot(&[command, &file, "--clip", clip, "-o", path.to_str().unwrap()]);
            assert_exit(&run, 0, &["clip W"]);
            let size = std::fs::metadata(&path).unwrap().len();
            assert!((10_000..most).contains(&size), "{name}.{ending}: {size} bytes");
        }
    }
}

#[test]
fn a_rest_row_is_kept_so_that_the_result_is_measured_as_told() {
    let out = running::file("sprint.bvh");
    let (from, to) = (asset("cmu/16_36.bvh"), out.to_str().unwrap());
    let clean =
        |more: &[&str]| running::json(&surefoot(&[&["clean", &from, "-o", to, "--force", "--json"], more].concat()));
    let rows = || std::fs::read_to_string(&out).unwrap().lines().count();
    let told = clean(&[])["after"].clone();
    let measured = running::json(&surefoot(&["measure", to, "--json"]))[0].clone();
    for figure in ["drift", "float", "penetration"] {
        let of = |report: &serde_json::Value| report[figure]["max_mm"].as_f64().unwrap();
        assert!((of(&told) - of(&measured)).abs() < 0.02, "{figure}: {told} {measured}");
    }
    let with = rows();
    clean(&["--write-rest-row=no"]);
    assert_eq!(rows() + 1, with, "one row less without it");
}
