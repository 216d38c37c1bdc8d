//! `surefoot creature` as a user runs it.

mod running;

use running::{assert_exit, asset, file, json};
use std::process::Output;

fn surefoot(args: &[&str]) -> Output {
    running::surefoot(&[&["creature"], args].concat())
}

fn character(name: &str) -> String {
    asset(&format!("characters/{name}"))
}

#[test]
fn a_fox_climbs_stairs_into_its_own_file() {
    let (glb, png, fox) = (file("creature.glb"), file("creature.png"), character("m2m_fox.glb"));
    let [out, picture] = [&glb, &png].map(|path| path.to_str().unwrap());
    let world = ["--character", &fox, "--world", "stairs:0.1,0.3", "--path", "0,0 0,3"];
    let run = surefoot(&[&world[..], &["-o", out, "--picture", picture]].concat());
    assert_exit(&run, 0, &["4 legs, 3.00 m", "the first frame of Idle", "drift", "creature.glb", "creature.png"]);
    assert!(std::fs::read(&glb).unwrap().starts_with(b"glTF"), "a GLB file");
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"), "a PNG file");
    let run = surefoot(&[&world[..], &["--walk", "Walk", "--json"]].concat());
    assert_exit(&run, 0, &[]);
    let value = json(&run);
    assert!(value["drift_mm"]["max"].as_f64().unwrap() < 1.0 && value["stances"].as_u64().unwrap() > 10, "{value}");
}

#[test]
fn legs_are_refused_with_a_way_out_and_taken_from_a_file() {
    // A whale: refused, and told how to go on.
    let whale = asset("strangers/m2m_fish-whale.glb");
    assert_exit(&surefoot(&["--character", &whale]), 1, &["no legs found", "--write-rig rig.toml", "--rig rig.toml"]);
    let rig = file("creature-rig.toml");
    let path = rig.to_str().unwrap();
    let written = running::surefoot(&["inspect", &whale, "--write-rig", path, "--force"]);
    assert_exit(&written, 0, &["no legs found"]);
    let text = std::fs::read_to_string(&rig).unwrap();
    assert!(text.contains("# hip = \"front_fin_1_l\""), "limbs to choose from: {text}");
    // With the marks off they are legs, if a person says so.
    let chosen: String = text
        .lines()
        .map(|line| if line.contains(" = ") || line.contains("[[") { line.trim_start_matches("# ") } else { "" })
        .fold(String::new(), |all, line| all + line + "\n");
    let (_, chosen) = chosen.split_once("version = 1").unwrap();
    std::fs::write(&rig, format!("version = 1{chosen}")).unwrap();
    assert_exit(&surefoot(&["--character", &whale, "--rig", path]), 0, &["2 legs"]);
    // What names no joint of it is told.
    std::fs::write(&rig, "version = 1\n[[leg]]\nhip = \"a\"\nknee = \"b\"\nankle = \"c\"\n").unwrap();
    assert_exit(&surefoot(&["--character", &whale, "--rig", path]), 2, &["no joint \"a\""]);
}

#[test]
fn a_walk_of_no_use_is_refused_and_written_only_if_wanted() {
    let (glb, fox) = (file("creature-wall.glb"), character("m2m_fox.glb"));
    // Steps of five metres: there is no ground that it could stand on.
    let into = ["--character", &fox, "--world", "stairs:5,0.1", "-o", glb.to_str().unwrap()];
    assert_exit(&surefoot(&into), 1, &["refused", "no ground", "--anyway"]);
    assert!(!glb.exists(), "nothing is written");
    let told = surefoot(&[&into[..], &["--anyway"]].concat());
    assert_exit(&told, 0, &["warning", "no ground", "creature-wall.glb"]);
    assert!(glb.exists());
}

#[test]
fn a_speed_that_legs_do_not_have_is_refused_with_one_that_they_have() {
    let knight = character("kaykit_Knight.glb");
    // Long enough to come to speed.
    let at = |speed: &str| surefoot(&["--character", &knight, "--path", "0,0 0,12", "--speed", speed]);
    let told = assert_exit(&at("30"), 1, &["--speed 30", "do not reach", "the greatest speed", "--anyway"]);
    let (_, speed) = told.split_once("the greatest speed that does is ").unwrap();
    let speed = speed.split_once(" m/s").unwrap().0;
    assert!(assert_exit(&at(speed), 0, &["2 legs", speed]).contains(speed));
    // A way that is too short to come to speed: told.
    let short = surefoot(&["--character", &knight, "--path", "0,0 0,0.3", "--speed", "2"]);
    assert_exit(&short, 0, &["warning: --speed 2", "too short"]);
}

#[test]
fn a_body_moves_as_in_its_walk_or_as_it_is_told_to() {
    let fox = character("m2m_fox.glb");
    let walk = |options: &[&str]| {
        let bvh = file("creature-style.bvh");
        let into = ["--character", &fox, "--path", "0,0 0,3", "--force", "-o", bvh.to_str().unwrap()];
        let told = assert_exit(&surefoot(&[&into[..], options].concat()), 0, &["creature-style.bvh"]);
        (told.contains("moving as in the clip Walk"), std::fs::read_to_string(bvh).unwrap())
    };
    let (said, drawn) = walk(&[]);
    assert!(said && walk(&[]).1 == drawn, "the same again");
    let others = [["--style", "still"], ["--style", "usual"], ["--style", "sneaking"]].map(|style| walk(&style));
    assert!(others.iter().all(|(said, motion)| !said && *motion != drawn), "a style goes before the clip");
    assert!(others[0].1 != others[1].1 && others[1].1 != others[2].1);
    assert_ne!(walk(&["--seed", "2"]).1, drawn, "no two step alike");
    assert_exit(&surefoot(&["--character", &fox, "--style", "drunk"]), 2, &["--style", "sneaking"]);
}

#[test]
fn results_are_looked_at_as_they_are_in_the_file() {
    let (bvh, fox) = (file("creature-rounded.bvh"), character("m2m_fox.glb"));
    let walk = ["--character", &fox, "--path", "0,0 0,3", "--force", "-o", bvh.to_str().unwrap()];
    let fine = surefoot(&walk);
    assert_exit(&fine, 0, &["creature-rounded.bvh"]);
    assert_eq!(running::text(&fine.stderr), "", "nothing to say");
    // Whole degrees and decimetres: feet slide in the file, though they do not in memory.
    let rounded = surefoot(&[&walk[..], &["--decimals", "1"]].concat());
    assert_exit(&rounded, 1, &["do not reach", "of their footholds"]);
}

#[test]
fn a_page_shows_the_ground() {
    let page = file("creature.html");
    let out = page.to_str().unwrap();
    for (character, path) in [("legs:6", "0,0 0,2"), (&character("m2m_fox.glb"), "0,0 0,3")] {
        let world = ["--character", character, "--world", "stairs:0.1,0.3", "--path", path, "--page", out, "--force"];
        assert_exit(&surefoot(&world), 0, &["creature.html"]);
        let html = std::fs::read_to_string(&page).unwrap();
        let (_, data) = html.split_once("id=\"surefoot-data\">").unwrap();
        let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        let scene = &data["scene"];
        let packed = |name: &str| scene["ground"][name].as_str().unwrap().len();
        assert!(packed("points") > 1000 && packed("quads") > 1000, "a mesh");
        let heights = |list: &serde_json::Value| list.as_array().unwrap().iter().any(|p| p[1].as_f64().unwrap() > 0.09);
        assert!(heights(&scene["lines"][0]["points"]), "the way goes up");
        assert!(scene["prints"].as_array().unwrap().iter().any(|print| heights(&print["outline"])), "and the feet do");
        assert_eq!(data["placing"]["ground"], 0.0);
        assert!(html.len() < 3_000_000, "{}", html.len());
    }
    assert_exit(&surefoot(&["--character", "legs:6", "--page", "walk.htmx"]), 2, &["ends in .html"]);
}

#[test]
fn corrections_are_read_and_wrong_ones_told() {
    let (fox, field) = (character("m2m_fox.glb"), file("field.toml"));
    let text = "version = 1\ncutoff = 1e7\nneutral = 1.0\n[[database]]\nname = \"a\"\naxes = 1\nslots = 1\n[[segment]]\n\
                name = \"s\"\ndatabase = \"a\"\nslots = [\"no such joint\"]\n[[segment.axis]]\nstate = \"slope\"\nrange = 0.5\n";
    std::fs::write(&field, text).unwrap();
    let run = surefoot(&["--character", &fox, "--field", field.to_str().unwrap()]);
    assert_exit(&run, 2, &["field.toml", "joint \"no such joint\""]);
}

#[test]
fn what_cannot_be_is_told() {
    let fox = character("m2m_fox.glb");
    assert_exit(&surefoot(&["--character", &fox, "--world", "slope"]), 2, &["slope:DEG"]);
    assert_exit(&surefoot(&["--character", &fox, "--world", "sea"]), 2, &["no ground", ".scene.toml"]);
    assert_exit(&surefoot(&["--character", &fox, "--path", "0,0"]), 2, &["two places or more"]);
    assert_exit(&surefoot(&["--character", &fox, "--walk", "Idle"]), 1, &["does not show a cycle"]);
    assert_exit(&surefoot(&["--character", &fox, "--idle", "Nap"]), 2, &["no clip is called"]);
}
