//! `surefoot drive` as a user runs it.

mod running;

use running::{assert_exit, asset, file, json};
use std::process::Output;

fn surefoot(args: &[&str]) -> Output {
    running::surefoot(&[&["drive"], args].concat())
}

fn fox() -> String {
    asset("characters/m2m_fox.glb")
}

#[test]
fn a_fox_climbs_stairs_into_its_own_file_with_picture_page_and_ground() {
    let files = ["drive.glb", "drive.png", "drive.html", "drive.obj"].map(file);
    let [glb, png, html, obj] = files.each_ref().map(|path| path.to_str().unwrap());
    let world = ["--character", &fox(), "--world", "stairs:0.1,0.3", "--route", "0,0 0,3"];
    let wanted = ["-o", glb, "--picture", png, "--page", html, "--ground-out", obj];
    let said = ["arrived", "drift", "drive.glb", "drive.png", "drive.html", "drive.obj"];
    assert_exit(&surefoot(&[&world[..], &wanted].concat()), 0, &said);
    assert!(std::fs::read(glb).unwrap().starts_with(b"glTF"), "a GLB file");
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"), "a PNG file");

    let html = std::fs::read_to_string(html).unwrap();
    let (_, data) = html.split_once("id=\"surefoot-data\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let scene = &data["scene"];
    assert!(scene["ground"]["points"].as_str().unwrap().len() > 1000, "a mesh");
    let top = |list: &serde_json::Value| {
        list.as_array().unwrap().iter().map(|p| p[1].as_f64().unwrap()).fold(f64::NEG_INFINITY, f64::max)
    };
    // The seventh step begins at 2.8 m; hips are behind the middle of a body.
    let [path, way] = [0, 1].map(|line| top(&scene["lines"][line]["points"]));
    assert!((path - 0.7).abs() < 1e-3 && way > 0.45, "path and way go up: {path} {way}");
    let prints = scene["prints"].as_array().unwrap();
    assert!(prints.len() > 10 && prints.iter().any(|print| top(&print["outline"]) > 0.69), "and the feet do");

    let obj = std::fs::read_to_string(obj).unwrap();
    let numbers = |line: &str| -> Vec<f64> { line.split(' ').skip(1).map(|number| number.parse().unwrap()).collect() };
    let points: Vec<Vec<f64>> = obj.lines().filter(|line| line.starts_with("v ")).map(numbers).collect();
    let steps = |y: f64| (y / 0.1 - (y / 0.1).round()).abs() < 1e-3;
    assert!(points.iter().all(|p| steps(p[1]) && p[1] > -1e-6), "treads and risers, and nothing else");
    let spread = |axis: usize| {
        let all = || points.iter().map(|p| p[axis]);
        [all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max)]
    };
    assert!(spread(2)[0] < -0.2 && spread(2)[1] > 3.2 && spread(0)[1] > 0.5, "all along the route and around it");
    let faces = obj.lines().filter(|line| line.starts_with("f ")).map(numbers);
    assert!(faces.flatten().all(|corner| (1.0..=points.len() as f64).contains(&corner)));

    // Files that are there are not replaced unasked, and names say what they are.
    assert_exit(&surefoot(&[&world[..], &["--ground-out", files[3].to_str().unwrap()]].concat()), 1, &["--force"]);
    assert_exit(&surefoot(&[&world[..], &["--ground-out", "stairs.stl"]].concat()), 2, &[".obj"]);
    assert_exit(&surefoot(&[&world[..], &["--picture", "stairs.gif"]].concat()), 2, &[".png"]);
}

#[test]
fn a_rat_that_stands_with_its_feet_far_back_sets_out_without_sinking() {
    assert_exit(&surefoot(&["--character", &asset("characters/quaternius_Rat.glb")]), 0, &["arrived"]);
}

#[test]
fn six_legs_stand_still_on_rubble() {
    let run = surefoot(&["--character", "legs:6", "--world", "rubble:0.05,0.3", "--json"]);
    assert_exit(&run, 0, &[]);
    let value = json(&run);
    assert_eq!(value["arrived"], true, "{value}");
    let figures = &value["figures"];
    assert!(figures["drift"]["max"].as_f64().unwrap() < 1e-3, "{figures}");
    assert!(figures["stances"].as_u64().unwrap() > 30, "{figures}");
}

#[test]
fn ground_that_is_a_mesh_is_written_as_it_is() {
    let (tile, copy) = (file("drive-tile.obj"), file("drive-tile-copy.obj"));
    std::fs::write(&tile, "v -3 0 -3\nv -3 0 9\nv 3 0 9\nv 3 0 -3\nf 1 2 3\nf 1 3 4\n").unwrap();
    let [world, out] = [&tile, &copy].map(|path| path.to_str().unwrap());
    let run = surefoot(&["--character", "legs:4", "--world", world, "--route", "0,0 0,2", "--ground-out", out]);
    assert_exit(&run, 0, &["drive-tile-copy.obj"]);
    let text = std::fs::read_to_string(copy).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("f ")).count(), 2, "{text}");
    assert!(text.contains("v 3 0 9"), "{text}");
}

#[test]
fn what_cannot_be_is_told() {
    let whale = asset("strangers/m2m_fish-whale.glb");
    assert_exit(&surefoot(&["--character", &whale]), 1, &["no legs found", "--write-rig rig.toml"]);
    let fox = fox();
    assert_exit(&surefoot(&["--character", &fox, "--clips", "Waltz"]), 2, &["--clips", "\"Waltz\"", "Walk", "Idle"]);
    assert_exit(&surefoot(&["--character", &fox, "--route", "0,0"]), 2, &["two places or more"]);
    assert_exit(&surefoot(&["--character", &fox, "--route", "0,0 0,9e6"]), 2, &["--route", "too far"]);
    assert_exit(&surefoot(&["--character", &fox, "--idle", "Nap"]), 2, &["--idle", "no clip is called"]);
    assert_exit(&surefoot(&["--character", "legs:5"]), 2, &["an even number"]);
}
