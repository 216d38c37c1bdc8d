//! Clips and characters cleaned up: import → repaired → rig → first stances → studied → stances → held → cleaned → figures.

use super::{Staged, project};
use surefoot::analyse::{find_skinned_rig, stiffen};
use surefoot::motion::Clip;
use surefoot::rig::{Skeleton, Skin};
use surefoot::systems::CleanUp;
use surefoot_io::{Import, ImportSettings, embedded, load};

/// Files that are loaded: one of each format that is read by Rust alone. FBX is not: ufbx is C and takes sines from the platform.
pub const FILES: [&str; 7] = [
    "bvh/02_01.bvh",
    "bvh/07_12.bvh",
    "bvh/104_01.bvh",
    "bvh/threejs_pirouette.bvh",
    "asfamc/11_01.amc",
    "characters/khronos_Fox.glb",
    "characters/RobotExpressive.glb",
];

/// Embedded clips.
const EMBEDDED: [&str; 2] = ["16_15", "47_01"];

/// So many clips of a character.
const CLIPS: usize = 3;

pub fn run() -> Vec<Staged> {
    let mut all = Vec::new();
    for name in EMBEDDED {
        all.push(one(name, &embedded::find(name).expect("embedded").import(), 0));
    }
    for file in FILES {
        all.extend(of_file(file));
    }
    all
}

/// The clips of a file.
pub fn of_file(file: &str) -> Vec<Staged> {
    let import = load(&project("assets").join(file), &ImportSettings::default()).unwrap_or_else(|e| panic!("{e}"));
    let name = file.rsplit('/').next().unwrap_or(file);
    let many = import.clips.len() > 1;
    let named = |k: usize| if many { format!("{name}#{k}") } else { name.into() };
    (0..import.clips.len().min(CLIPS)).map(|k| one(&named(k), &import, k)).collect()
}

/// What a file gives as it is read.
pub fn imported(name: &str, import: &Import) -> Staged {
    let mut staged = Staged::new(format!("import/{name}"));
    staged.stage("skeleton", |bits| bits.skeleton(&import.skeleton));
    staged.stage("skin", |bits| {
        let positions = import.skin.iter().flat_map(|skin| &skin.positions);
        positions.for_each(|p| bits.numbers(&p.to_array()));
    });
    staged.stage("clips", |bits| {
        for clip in &import.clips {
            bits.text(clip.name());
            bits.clip(clip);
        }
    });
    staged
}

fn one(name: &str, import: &Import, clip: usize) -> Staged {
    clean(name, &import.skeleton, import.skin.as_ref(), &import.clips[clip])
}

fn clean(name: &str, skeleton: &Skeleton, skin: Option<&Skin>, clip: &Clip) -> Staged {
    let settings = CleanUp::default();
    let mut staged = Staged::new(format!("clean/{name}"));
    staged.stage("import", |bits| {
        bits.skeleton(skeleton);
        bits.clip(clip);
    });
    let repaired = settings.study.repair.run(skeleton, clip).clip;
    staged.stage("repaired", |bits| bits.clip(&repaired));
    let found = find_skinned_rig(skeleton, skin, &[&repaired]);
    let (Ok(mut rig), Ok(studied)) = (found, settings.study.run_skinned(skeleton, skin, clip)) else {
        staged.stage("refused", |_| {});
        return staged;
    };
    stiffen(&mut rig, &repaired);
    staged.stage("rig", |bits| rig.legs.iter().for_each(|leg| bits.leg(leg)));
    if studied.cycle.is_none() {
        // They tell whether the floor is level.
        staged.stage("first-stances", |bits| bits.stances(&settings.study.stances.run(&rig, repaired).stances));
    }
    // Levelled, and three rounds of a cycle.
    staged.stage("studied", |bits| bits.clip(&studied.take.clip));
    staged.stage("studied-rig", |bits| studied.rig.legs.iter().for_each(|leg| bits.leg(leg)));
    staged.stage("stances", |bits| {
        bits.stances(&studied.take.stances);
        bits.number(studied.take.ground);
    });
    let once = settings.clean.run(&studied.rig, &studied.take);
    staged.stage("held", |bits| {
        bits.clip(&once.take.clip);
        bits.vectors(&once.pelvis);
        bits.numbers(&once.missed);
    });
    let done = settings.run_studied(studied);
    staged.stage("cleaned", |bits| bits.clip(&done.clip()));
    staged.stage("restood", |bits| bits.stances(&done.take.stances));
    staged.stage("figures", |bits| {
        bits.feet(&done.before.figures);
        bits.feet(&done.report.figures);
    });
    staged
}
