//! What is written is measured as it was told: cleaned clips, read again from the bytes of a file.

use std::path::{Path, PathBuf};
use surefoot::analyse::Study;
use surefoot::glam::Vec3;
use surefoot::metrics::FootFigures;
use surefoot::motion::Clip;
use surefoot::rig::{Skeleton, Skin};
use surefoot::systems::{CleanUp, Creature, stride_of};
use surefoot::world::LevelGround;
use surefoot_io::gltf::{self, Document, NewClip, WriteSettings};
use surefoot_io::{ImportSettings, glb, load, load_character};

fn assets(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|own| own == ending));
    files.sort();
    files
}

/// Told and measured differ by no more than single precision in a file and a sample rate cost.
/// A foot that was left as it was drawn slides, and from where is guessed anew.
#[track_caller]
fn assert_same(what: &str, left: usize, told: &FootFigures, measured: &FootFigures) {
    let share = if left > 0 { 0.1 } else { 0.02 };
    assert_eq!(told.stances, measured.stances, "{what}: stances told and measured");
    let figures = |of: &FootFigures| [of.drift.max, of.drift.p95, of.float.p95, of.penetration.max];
    for (told, measured) in figures(told).into_iter().zip(figures(measured)) {
        assert!(
            (told - measured).abs() < 2e-5 + share * told,
            "{what}: {told} was told, {measured} is measured (metres)"
        );
    }
}

/// Cleans a clip, writes it as GLB, and measures what is in the file; then cleans that.
fn again(what: &str, skeleton: &Skeleton, skin: Option<&Skin>, document: Option<&Document>, clip: &Clip) {
    let studied = Study::default().run_skinned(skeleton, skin, clip).unwrap();
    let done = CleanUp::default().run_studied(studied);
    let cleaned = done.clip();
    let new = [NewClip::of(&cleaned)];
    let bytes = match document {
        Some(document) => gltf::write_clips(document, skeleton, &new, &WriteSettings::default()).unwrap(),
        None => glb::write_clips(skeleton, None, &new),
    };
    let nothing = |_: &str| Err(std::io::Error::other("all is in the file"));
    let read = gltf::read(&bytes, what, &nothing, &ImportSettings::default()).unwrap();
    assert_eq!(read.skin.is_some(), skin.is_some(), "{what}: drawn bones are no skin");
    let studied = Study::default().run_skinned(&read.skeleton, read.skin.as_ref(), &read.clips[0]).unwrap();
    let left = done.report.let_go;
    assert_same(what, left, &done.report.figures, &studied.figures);
    let twice = CleanUp::default().run_studied(studied);
    assert_same(&format!("{what} again"), left, &done.report.figures, &twice.report.figures);
    let moved = twice.pelvis().iter().map(|moved| moved.length()).fold(0.0, f32::max);
    assert!(moved < 5e-4, "{what}: cleaned again, the pelvis moves by {moved} m");
}

#[test]
fn cleaned_captures_are_measured_as_they_were_told() {
    for file in assets("cmu", "bvh") {
        let import = load(&file, &ImportSettings::default()).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        again(&name, &import.skeleton, None, None, &import.clips[0]);
    }
}

#[test]
fn cleaned_drawn_walks_are_measured_as_they_were_told() {
    let mut count = 0;
    for file in assets("characters", "glb") {
        let import = load(&file, &ImportSettings::default()).unwrap();
        for clip in &import.clips {
            let name = clip.name().to_lowercase();
            if ["walk", "run", "trot", "sneak", "idle"].iter().any(|word| name.contains(word)) {
                let what = format!("{}: {}", file.file_name().unwrap().to_string_lossy(), clip.name());
                again(&what, &import.skeleton, import.skin.as_ref(), import.document.as_ref(), clip);
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count}");
}

/// What a creature does is left as it is when it is cleaned: its feet were put where they stand, with their skin on the ground.
#[test]
fn walks_whose_feet_were_put_are_left_alone() {
    for (file, walk) in
        [("kaykit_Knight", None), ("m2m_horse", None), ("quaternius_Rat", None), ("RobotExpressive", Some("Walking"))]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../assets/characters/{file}.glb"));
        let loaded = load_character(&path).unwrap();
        let (character, ground) = (&loaded.character, LevelGround::default());
        let mut creature = Creature::default();
        let clip = walk.and_then(|name| loaded.clips.iter().find(|clip| clip.name() == name));
        creature.steps.stride = clip.and_then(|clip| stride_of(character, clip));
        let far = 4.0 * character.stand.hip;
        let path = surefoot::plan::Path::new(vec![Vec3::ZERO, far * Vec3::Z]);
        let motion = creature.plan(character, &path, None, &ground);
        let take = creature.take(&motion, "walk", &ground).take;
        let studied = Study::default().run_on(character.rig.clone(), &take.clip);
        assert!(studied.figures.drift.max < 1e-4, "{file}: {:?} is measured", studied.figures.drift);
        let before = studied.take.clip.clone();
        let done = CleanUp::default().run_studied(studied);
        assert_eq!(done.take.clip, before, "{file}: cleaned, though nothing was to be done");
    }
}
