//! `surefoot retarget`, and walks on a character of one's own, as a user runs them.

mod running;

use running::{assert_exit, asset, file, folder, json, scenario, surefoot, text};

fn knight() -> String {
    asset("characters/kaykit_Knight.glb")
}

#[test]
fn a_capture_on_a_character_stands_as_it_is_said_to() {
    let (out, page, map) = (file("on-knight.glb"), file("on-knight.html"), file("on-knight.toml"));
    let walk = asset("cmu/16_15.bvh");
    let args = ["retarget", &walk, "--to", &knight(), "-o", out.to_str().unwrap()];
    let more = ["--page", page.to_str().unwrap(), "--write-map", map.to_str().unwrap()];
    let run = surefoot(&[&args[..], &more].concat());
    assert_exit(&run, 0, &["lengths times 0.4", "on the new one:", "in the character's own file", "foot strikes"]);
    assert!(std::fs::read(&page).unwrap().starts_with(b"<!"), "a page");
    let value = json(&surefoot(&["measure", out.to_str().unwrap(), "--json"]));
    let drift = value[0]["drift"]["p95_mm"].as_f64().unwrap();
    assert!(drift < 1.0, "{drift} mm as the file is read again");

    // The map that it wrote gives the same again; one that is wrong is refused with the joint.
    let again = file("on-knight-again.glb");
    let args = ["retarget", &walk, "--to", &knight(), "-o", again.to_str().unwrap(), "--map", map.to_str().unwrap()];
    assert_exit(&surefoot(&args), 0, &[]);
    assert_eq!(std::fs::read(&out).unwrap(), std::fs::read(&again).unwrap(), "bit for bit");
    let wrong = std::fs::read_to_string(&map).unwrap().replace("lowerarm.l", "lowerarm.x");
    std::fs::write(&map, wrong).unwrap();
    let run = surefoot(&[&args[..], &["--force"]].concat());
    assert_exit(&run, 2, &["on-knight.toml", "lowerarm.x"]);
}

#[test]
fn what_does_not_fit_is_refused_with_the_reason() {
    let out = file("no.glb");
    let fox = asset("characters/m2m_fox.glb");
    let run = surefoot(&["retarget", &asset("cmu/16_15.bvh"), "--to", &fox, "-o", out.to_str().unwrap()]);
    assert_exit(&run, 1, &["2 legs and this one has 4"]);
    let run = surefoot(&["retarget", &knight(), "--to", &knight(), "-o", &knight(), "--force"]);
    assert_exit(&run, 1, &["is also an input"]);
    let args = ["retarget", &knight(), "--all-clips", "--to", &knight(), "-o", "x.bvh", "--travel", "nan"];
    assert_exit(&surefoot(&args), 2, &["--travel"]);
    assert!(!out.exists());
}

#[test]
fn a_folder_is_brought_over_file_by_file() {
    let (from, to) = (folder("captures"), folder("on-robot"));
    for name in ["16_15", "16_17"] {
        std::fs::copy(asset(&format!("cmu/{name}.bvh")), from.join(format!("{name}.bvh"))).unwrap();
    }
    std::fs::write(from.join("broken.bvh"), "HIERARCHY\n").unwrap();
    let robot = asset("characters/RobotExpressive.glb");
    let run = surefoot(&["retarget", from.to_str().unwrap(), "--to", &robot, "-o", to.to_str().unwrap()]);
    assert_exit(&run, 1, &["broken.bvh", "1 of 3 motions could not be transferred"]);
    assert!(to.join("16_15.glb").exists() && to.join("16_17.glb").exists(), "the others are there");
    assert!(text(&run.stdout).contains("16_15.glb") && text(&run.stdout).contains("16_17.glb"));
}

#[test]
fn a_character_of_ones_own_walks_through_rooms() {
    let (out, page) = (file("rooms.glb"), file("rooms.html"));
    let args = ["navigate", "--world", &scenario("6-rooms.scene.toml"), "--character", &knight(), "--json"];
    let run = surefoot(&[&args[..], &["-o", out.to_str().unwrap(), "--page", page.to_str().unwrap()]].concat());
    assert_exit(&run, 0, &[]);
    // Stances that are found anew begin a little before feet of this size are held.
    let value = json(&surefoot(&["measure", out.to_str().unwrap(), "--json"]));
    assert!(value[0]["drift"]["p95_mm"].as_f64().unwrap() < 10.0, "{value}");
    let inspected = json(&surefoot(&["inspect", out.to_str().unwrap(), "--json"]));
    assert!(inspected[0]["skin"].is_object(), "with its mesh");
    let walk = file("wander.glb");
    let args = ["graph", "walk", "embedded", "--seconds", "5", "--character", &knight(), "-o", walk.to_str().unwrap()];
    assert_exit(&surefoot(&args), 0, &["foot drift"]);
}
