//! `surefoot creature` as a user runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn surefoot(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_surefoot")).arg("creature").args(args).output().unwrap()
}

fn character(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters").join(name).display().to_string()
}

fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

#[track_caller]
fn assert_exit(output: &Output, code: i32, words: &[&str]) {
    let all = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{all}");
    for word in words {
        assert!(all.contains(word), "{word:?} is not in:\n{all}");
    }
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
    let value: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert!(value["drift_mm"]["max"].as_f64().unwrap() < 1.0 && value["stances"].as_u64().unwrap() > 10, "{value}");
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
    assert_exit(&surefoot(&["--character", &fox, "--world", "sea"]), 2, &["neither a scene"]);
    assert_exit(&surefoot(&["--character", &fox, "--path", "0,0"]), 2, &["two places or more"]);
    assert_exit(&surefoot(&["--character", &fox, "--walk", "Idle"]), 1, &["does not show a cycle"]);
    assert_exit(&surefoot(&["--character", &fox, "--idle", "Nap"]), 2, &["no clip is called"]);
}
