//! A file that we write tells the rig that it was made with, and whoever reads it again takes the same legs, unit and axes.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use surefoot::analyse::{Study, find_skinned_rig};
use surefoot::glam::Vec3;
use surefoot::motion::Take;
use surefoot::rig::{Leg, Rig};
use surefoot::systems::Creature;
use surefoot::world::LevelGround;
use surefoot_io::gltf::{self, NewClip, WriteSettings};
use surefoot_io::{Import, ImportSettings, Unit, Warning, glb, load, load_character};

fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)
}

fn rig_of(import: &Import) -> Rig {
    find_skinned_rig(&import.skeleton, import.skin.as_ref(), &import.clips.iter().collect::<Vec<_>>()).unwrap()
}

/// The first clip of a body in a file that tells a rig.
fn written(import: &Import, rig: &Rig) -> Vec<u8> {
    let new = [NewClip { rig: Some(rig), ..NewClip::of(&import.clips[0]) }];
    match &import.document {
        Some(document) => gltf::write_clips(document, &import.skeleton, &new, &WriteSettings::default()).unwrap(),
        None => glb::write_clips(&import.skeleton, import.skin.as_ref(), &new),
    }
}

fn read_as(bytes: &[u8], settings: &ImportSettings) -> Import {
    let nothing = |_: &str| Err(std::io::Error::other("all is in the file"));
    gltf::read(bytes, "back", &nothing, settings).unwrap()
}

fn read(bytes: &[u8]) -> Import {
    read_as(bytes, &ImportSettings::default())
}

/// A GLB file with its JSON changed.
fn changed(bytes: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = 20 + length(12);
    let mut json: Value = serde_json::from_slice(&bytes[20..end]).unwrap();
    change(&mut json);
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = bytes[..12].to_vec();
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(&bytes[16..20]);
    out.extend(text);
    out.extend(&bytes[end..]);
    let all = out.len() as u32;
    out[8..12].copy_from_slice(&all.to_le_bytes());
    out
}

/// To the last bit that a number in a text keeps.
#[track_caller]
fn assert_same(what: &str, a: &[Leg], b: &[Leg]) {
    assert_eq!(a.len(), b.len(), "{what}: legs");
    for (a, b) in a.iter().zip(b) {
        assert_eq!(a, b, "{what}");
    }
}

#[test]
fn every_character_keeps_its_legs() {
    let files = ["characters/kaykit_Knight.glb", "characters/khronos_Fox.glb", "characters/m2m_spider.glb"];
    let more =
        ["characters/quaternius_Rat.glb", "characters/m2m_bird.glb", "cmu/16_15.bvh", "figure/m2m_human-zombie.glb"];
    for file in files.into_iter().chain(more) {
        let import = load(&asset(file), &ImportSettings::default()).unwrap();
        let rig = rig_of(&import);
        let back = read(&written(&import, &rig));
        assert_same(file, back.skeleton.known_legs(), &rig.legs);
        assert_same(file, &rig_of(&back).legs, &rig.legs);
        assert!(!back.warnings.iter().any(|warning| matches!(warning, Warning::RigUnfit { .. })), "{file}");
        assert!(
            (back.source.unit.value.metres() / import.source.unit.value.metres() - 1.0).abs() < 1e-6
                || import.document.is_none()
        );
        // Written once more without a rig, it still tells it.
        let twice = read(&written_as_it_is(&back));
        assert_same(&format!("{file} twice"), twice.skeleton.known_legs(), &rig.legs);
    }
}

fn written_as_it_is(import: &Import) -> Vec<u8> {
    let new = [NewClip::of(&import.clips[0])];
    gltf::write_clips(import.document.as_ref().unwrap(), &import.skeleton, &new, &WriteSettings::default()).unwrap()
}

#[test]
fn legs_that_nobody_would_find_are_told() {
    let import = load(&asset("characters/kaykit_Knight.glb"), &ImportSettings::default()).unwrap();
    let mut rig = rig_of(&import);
    // A person knows better where the left ball is, and that knees turn a little outwards.
    rig.legs[0].foot.ball.z += 0.013;
    rig.legs[0].foot.width *= 0.5;
    let back = read(&written(&import, &rig));
    assert_same("told", &rig_of(&back).legs, &rig.legs);
    assert_ne!(rig_of(&import).legs[0], rig.legs[0], "it is not what is found");
}

#[test]
fn what_a_person_states_goes_before() {
    let import = load(&asset("characters/khronos_Fox.glb"), &ImportSettings::default()).unwrap();
    let bytes = written(&import, &rig_of(&import));
    let settings = ImportSettings { unit: Some(Unit::Metre), ..ImportSettings::default() };
    let back = read_as(&bytes, &settings);
    // A hundred times as large it is none of the rig's.
    assert_eq!(back.source.unit.value, Unit::Metre);
    assert!(back.skeleton.known_legs().is_empty(), "legs of another size are not believed");
    assert!(back.warnings.iter().any(|warning| matches!(warning, Warning::RigUnfit { .. })), "{:?}", back.warnings);
}

#[test]
fn a_rig_that_does_not_fit_is_passed_over_with_a_word() {
    let import = load(&asset("characters/kaykit_Knight.glb"), &ImportSettings::default()).unwrap();
    let rig = rig_of(&import);
    let bytes = written(&import, &rig);
    let plain = rig_of(&read(&changed(&bytes, |json| json["extras"] = json!({})))).legs;
    let place = |path: &str| format!("/extras/surefoot/rig{path}");
    let cases = [
        ("/version", json!(7), "version 7"),
        ("/unit", json!(1e30), "unit or axes"),
        ("/up", json!("q"), "is not an axis"),
        ("/forward", json!("+y"), "unit or axes"),
        ("/legs", json!([]), "0 legs"),
        ("/legs", json!("two"), "invalid type"),
        ("/legs/0/joints/0", json!("Elbow"), "no joint \"Elbow\""),
        ("/legs/0/joints", json!(["hips"]), "number of joints"),
        ("/legs/0/joints", bytes_joints(&rig, [2, 1, 0]), "hang from each other"),
        ("/legs/0/toe", json!(import.skeleton.name(rig.legs[1].ankle())), "hang from each other"),
        ("/legs/0/side", json!("up"), "neither left nor right"),
        ("/legs/0/heel/1", json!(1e9), "not usable"),
        ("/legs/0/up", json!([0.0, 0.0, 0.0]), "not usable"),
        ("/legs/0/hinges/0/0", json!(40.0), "not usable"),
        ("/legs/0/width", json!(-1.0), "not usable"),
        ("/legs/0/long", json!(2.0), "long and was"),
        ("/legs/0/ball/1", json!(5.0), "skin"),
        ("/legs/0/surprise", json!(1), "unknown field"),
    ];
    for (path, value, wanted) in cases {
        let bad = changed(&bytes, |json| match path {
            "/legs/0/surprise" => json["extras"]["surefoot"]["rig"]["legs"][0]["surprise"] = value,
            _ => *json.pointer_mut(&place(path)).expect(path) = value,
        });
        let back = read(&bad);
        assert!(back.skeleton.known_legs().is_empty(), "{path}");
        let said: Vec<String> = back.warnings.iter().map(ToString::to_string).collect();
        assert!(said.iter().any(|line| line.contains("ignored the rig") && line.contains(wanted)), "{path}: {said:?}");
        assert_same(path, &rig_of(&back).legs, &plain);
    }
}

fn bytes_joints(rig: &Rig, order: [usize; 3]) -> Value {
    json!(order.map(|i| rig.skeleton.name(rig.legs[0].chain[i])))
}

#[test]
fn mutated_rigs_give_legs_that_fit_or_a_word() {
    let import = load(&asset("characters/khronos_Fox.glb"), &ImportSettings::default()).unwrap();
    let bytes = written(&import, &rig_of(&import));
    let mut rng = surefoot::random::Rng::new(surefoot::random::Seed(11)).stream("told rigs");
    for _ in 0..300 {
        let bad = changed(&bytes, |json| {
            let rig = &mut json["extras"]["surefoot"]["rig"];
            let mut text = serde_json::to_string(rig).unwrap().into_bytes();
            for _ in 0..=rng.below(3) {
                let at = rng.below(text.len());
                text[at] = b" 0123456789.-eE\"[]{},:abz"[rng.below(25)];
            }
            if let Ok(value) = serde_json::from_slice(&text) {
                *rig = value;
            }
        });
        let back = read(&bad);
        for leg in back.skeleton.known_legs() {
            assert!(leg.foot.heel.is_finite() && leg.foot.up.is_finite() && leg.hinges.iter().all(|h| h.is_finite()));
        }
        let _ = rig_of(&back);
    }
}

#[test]
fn a_walk_tells_when_its_feet_stand() {
    let loaded = load_character(asset("characters/m2m_fox.glb")).unwrap();
    let path = surefoot::plan::Path::new(vec![Vec3::ZERO, Vec3::new(0.0, 0.0, 2.0)]);
    let creature = Creature::default();
    let ground = LevelGround::default();
    let done = creature.take(&creature.plan(&loaded.character, &path, None, &ground), "walk", &ground);
    let rig = &loaded.character.rig;
    let new = [NewClip::of_walk(&done.take.clip, rig, &done.take.stances)];
    let document = loaded.document.as_ref().unwrap();
    let bytes = gltf::write_clips(document, loaded.skeleton(), &new, &WriteSettings::default()).unwrap();
    let back = read(&bytes);
    let studied = |import: &Import| {
        Study::default().run_skinned(&import.skeleton, import.skin.as_ref(), &import.clips[0]).unwrap()
    };
    let frames = |take: &Take| {
        let mut all: Vec<_> = take.stances.iter().map(|stance| (stance.leg(), stance.frames(&take.clip))).collect();
        all.retain(|(_, times)| !times.whole.is_empty());
        all.sort_by_key(|(leg, times)| (leg.0, times.whole.start));
        all
    };
    assert_eq!(frames(&studied(&back).take), frames(&done.take));
    assert!(studied(&back).figures.drift.max < 1e-3, "{:?}", studied(&back).figures.drift);
    // What was changed since is not believed: a foot that is told to stand all the time walks.
    let leg = |walks: Value| json!([walks, [], [], []]);
    let count = done.take.clip.frames();
    for (standing, believed) in [
        (leg(json!([[0, count, 0, count, 0, count]])), false),
        (leg(json!([[0, 4, 0, 4, 0, 4]])), true),
        (leg(json!([[0, count + 1, 0, 4, 0, 4]])), false),
        (leg(json!([[4, 0, 0, 4, 0, 4]])), false),
        (leg(json!([[0, 4, 0, 40, 0, 4]])), false),
        (leg(json!([[0, 4, 0, 4, 0, -4]])), false),
        (json!([[[0, 4, 0, 4, 0, 4]]]), false),
        (json!(7), false),
    ] {
        let other =
            read(&changed(&bytes, |json| json["animations"][0]["extras"]["surefoot"]["standing"] = standing.clone()));
        assert_eq!(studied(&other).take.stances.len() == 1, believed, "{standing}");
    }
}
