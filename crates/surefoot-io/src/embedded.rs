//! A small library that is always at hand: CMU motion capture at 60 Hz, compiled in as BVH text, a motion graph of it, a figure to
//! walk by it, and a scene to cross.
//!
//! The motion was obtained from mocap.cs.cmu.edu; the database was created with funding from NSF EIA-0196217.

use crate::scene::{self, Beside};
use crate::strides_file::{StridePart, StrideTakes, stride_takes as takes_of};
use crate::world::WorldImport;
use crate::{Import, ImportSettings, bvh, gltf, graph_file};
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::library::strides::{StrideClip, StrideCut, StrideKind, Strides};
use surefoot::motion::Take;
use surefoot::stages::StandsAt;
use surefoot::systems::Gather;
use surefoot::world::Scene;

/// One embedded clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// Subject and trial in the CMU database, such as `16_15`.
    pub name: &'static str,
    /// What it shows.
    pub shows: &'static str,
    /// The file: BVH text at 60 Hz in CMU units, its first row a T-pose.
    pub text: &'static [u8],
}

macro_rules! clips {
    ($($name:literal $shows:literal,)*) => {
        /// Every embedded clip. Those of subject 16 share one skeleton.
        pub const CLIPS: &[Embedded] = &[$(Embedded {
            name: $name,
            shows: $shows,
            text: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/cmu/", $name, ".bvh")),
        },)*];
    };
}

clips! {
    "16_11" "walk, veer left",
    "16_13" "walk, veer right",
    "16_15" "walk",
    "16_17" "walk, quarter turn left",
    "16_19" "walk, quarter turn right",
    "16_21" "fast walk",
    "16_23" "fast walk, veer left",
    "16_25" "fast walk, veer right",
    "16_27" "fast walk, quarter turn left",
    "16_29" "fast walk, quarter turn right",
    "16_31" "start walking",
    "16_33" "slow walk, stop",
    "16_36" "jog",
    "16_37" "jog, veer left",
    "16_39" "jog, veer right",
    "16_41" "jog, quarter turn left",
    "16_43" "jog, quarter turn right",
    "16_47" "walk",
    "16_58" "walk",
    "47_01" "walk, U-turn left, walk back, turn left",
    "69_17" "turn left on the spot, all the way round",
    "77_02" "stand",
    "127_26" "run, jump over something, run",
    "127_28" "run, jump over something lower, run",
}

/// The embedded clip of that name.
#[must_use]
pub fn find(name: &str) -> Option<Embedded> {
    CLIPS.iter().copied().find(|clip| clip.name == name)
}

impl Embedded {
    /// Reads it.
    ///
    /// # Panics
    /// Never: a test reads every embedded clip.
    #[must_use]
    pub fn import(&self) -> Import {
        bvh::read(self.text, self.name, &ImportSettings::default()).expect("embedded clips are tested")
    }
}

/// The file that [`graph`] reads, as [`build_graph`] makes it.
const GRAPH: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/cmu/walks.graph"));

/// Clips that [`graph`] is made of: walks, starts and stops of one person, and another's turn on the spot.
const NAVIGATES: [&str; 15] = [
    "16_11", "16_13", "16_15", "16_17", "16_19", "16_21", "16_23", "16_25", "16_27", "16_29", "16_31", "16_33",
    "16_47", "16_58", "69_17",
];

/// The motion graph that a character finds its way with if it has none of its own: embedded walks, starts, stops and turns on
/// the spot, and their mirror images. Compiled in ready-made, laid out for searching.
///
/// # Panics
/// Never: a test reads it.
#[must_use]
pub fn graph() -> MotionGraph {
    graph_file::read(GRAPH).expect("the embedded graph is tested")
}

/// The same graph, built from the clips, which takes some tenths of a second: how the one that is compiled in was made
/// (`--example embed_graph`).
///
/// # Panics
/// Never: a test builds it.
#[must_use]
pub fn build_graph() -> MotionGraph {
    let known = "embedded clips are tested";
    let gather = Gather::default();
    let imports: Vec<Import> = NAVIGATES.iter().map(|name| find(name).expect(known).import()).collect();
    let own: Vec<_> = imports.iter().filter(|import| import.skeleton.key() == imports[0].skeleton.key()).collect();
    let clips: Vec<_> = own.iter().flat_map(|import| &import.clips).collect();
    let rig = gather.rig(&imports[0].skeleton, None, &clips).expect(known);
    let mut takes: Vec<Take> = Vec::new();
    for import in &imports {
        let clip = &import.clips[0];
        let own = if import.skeleton.key() == rig.skeleton.key() {
            rig.clone()
        } else {
            gather.rig(&import.skeleton, None, &[clip]).expect(known)
        };
        let mut take = gather.run(&own, clip, &rig).expect(known).take;
        let mut mirrored = take.mirrored(&rig).expect(known);
        take.clip = take.clip.named(clip.name());
        mirrored.clip = mirrored.clip.named(format!("{} mirrored", clip.name()));
        takes.extend([take, mirrored]);
    }
    BuildGraph::default().run(&rig, &takes).expect(known)
}

/// Clips that [`strides`] are cut from: a group of walks and one of runs, from a quarter turn to the right to one to the left, and
/// two jumps of another person.
const STRIDES: [(&str, StrideKind); 12] = [
    ("16_19", StrideKind::Walk),
    ("16_13", StrideKind::Walk),
    ("16_15", StrideKind::Walk),
    ("16_11", StrideKind::Walk),
    ("16_17", StrideKind::Walk),
    ("16_43", StrideKind::Run),
    ("16_39", StrideKind::Run),
    ("16_36", StrideKind::Run),
    ("16_37", StrideKind::Run),
    ("16_41", StrideKind::Run),
    ("127_28", StrideKind::Special),
    ("127_26", StrideKind::Special),
];

/// What a jump adds to the cost of a plan, seconds: it is as fast as a run.
const JUMPS_COST: f32 = 1.5;

/// The walk that is made with short steps as well, and how short they are: a stair's tread each.
const SHORT: &str = "16_15";
const SHORT_STEPS: f32 = 0.55;

/// The clips that begin and end standing, and how long their steps are made: to set off and to arrive wherever it is.
const STANDS: [(&str, StandsAt, f32); 5] = [
    ("16_31", StandsAt::Start, 1.0),
    ("16_31", StandsAt::Start, 0.55),
    ("16_33", StandsAt::Stop, 1.0),
    ("16_33", StandsAt::Stop, 0.6),
    ("16_33", StandsAt::Stop, 1.25),
];

/// The clip that turns on the spot by quarters, and times of right stances between which a quarter lies, seconds.
const TURNS: (&str, [f32; 2]) = ("69_17", [2.5, 4.2]);
/// When it stands still on both feet before a quarter, seconds: at its beginning a foot turns on its heel.
const TURN_STANDS: f32 = 3.8;

/// Strides to go over planned footprints with if a character has none of its own: walks, runs and jumps of embedded clips, cut
/// from them in some tenths of a second.
///
/// # Panics
/// Never: a test cuts them.
#[must_use]
pub fn strides() -> Strides {
    stride_takes().cut().expect("embedded clips are tested")
}

/// The clips that [`strides`] are cut from, to be brought onto another body first.
///
/// # Panics
/// Never: a test cuts them.
#[must_use]
pub fn stride_takes() -> StrideTakes {
    let known = "embedded clips are tested";
    let part = |(name, kind): (&str, StrideKind)| {
        // Nobody jumps who need not.
        let penalty = if kind == StrideKind::Special { JUMPS_COST } else { 0.0 };
        let said = StrideClip { penalty, ..StrideClip::new(name, kind) };
        StridePart { said, import: find(name).expect(known).import(), clip: 0 }
    };
    let mut parts: Vec<StridePart> = STRIDES.iter().copied().map(part).collect();
    // For steps of stairs and narrow places.
    let short = part((SHORT, StrideKind::Walk));
    let said = StrideClip { name: format!("{SHORT} short"), ..short.said.with_steps(SHORT_STEPS) };
    parts.push(StridePart { said, ..short });
    for (name, end, steps) in STANDS {
        let part = part((name, StrideKind::Special));
        let mut said = StrideClip { penalty: 0.0, ..part.said }.standing_at(end);
        (said.name, said.steps) = (format!("{name} × {steps}"), steps);
        parts.push(StridePart { said, ..part });
    }
    let (name, [from, to]) = TURNS;
    for (what, cut) in
        [("start", StrideCut::Start), ("round", StrideCut::Seconds { from, to }), ("stop", StrideCut::Stop)]
    {
        let mut part = part((name, StrideKind::Special));
        if cut == StrideCut::Start {
            let clip = &mut part.import.clips[0];
            *clip = clip.trimmed((TURN_STANDS * clip.rate()) as usize..clip.frames());
        }
        let (entry_speed, exit_speed) = (Some(0.0), Some(0.0));
        let said = StrideClip { cut, penalty: 0.0, entry_speed, exit_speed, ..part.said }.both_ways();
        parts.push(StridePart { said: StrideClip { name: format!("{name} {what}"), ..said }, ..part });
    }
    takes_of(parts).expect(known)
}

/// The file that [`figure`] reads.
const FIGURE: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/figure/m2m_human-zombie.glb"));

/// A figure with a skin to walk by embedded motion: a person of Mesh2Motion (CC0), without clips of its own.
///
/// # Panics
/// Never: a test reads it.
#[must_use]
pub fn figure() -> Import {
    let beside = |_: &str| Err(std::io::Error::from(std::io::ErrorKind::NotFound));
    gltf::read(FIGURE, "figure", &beside, &ImportSettings::default()).expect("the embedded figure is tested")
}

/// The text of the scene that [`labyrinth`] reads.
const LABYRINTH: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/garden-labyrinth.scene.toml"));

/// The text of the scene that [`jumps`] reads.
const JUMPS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/jumps.scene.toml"));

/// Nothing: embedded scenes are whole.
struct Nothing;

impl Beside for Nothing {
    fn map(&self, file: &str) -> Result<Vec<u8>, String> {
        Err(format!("{file} is not embedded"))
    }

    fn mesh(&self, file: &str) -> Result<WorldImport, String> {
        Err(format!("{file} is not embedded"))
    }
}

/// A small scene to cross that is always at hand: a garden labyrinth of 11.9 × 9 m with a way of 31 m through it.
///
/// # Panics
/// Never: a test reads it.
#[must_use]
pub fn labyrinth() -> Scene {
    scene::read(LABYRINTH, &Nothing).expect("the embedded scene is tested")
}

/// Platforms with gaps between them, to be walked, run and jumped by planned footsteps (Granberg 2017).
///
/// # Panics
/// Never: a test reads it.
#[must_use]
pub fn jumps() -> Scene {
    scene::read(JUMPS, &Nothing).expect("the embedded scene is tested")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Unit};

    #[test]
    fn the_labyrinth_is_a_floor_of_the_size_that_is_told() {
        let [low, high] = labyrinth().floor.expect("a floor").bounds();
        assert_eq!((high - low).to_array(), [11.9, 9.0]);
    }

    #[test]
    fn the_figure_has_a_skin_and_two_legs() {
        let figure = figure();
        let rig = surefoot::analyse::find_skinned_rig(&figure.skeleton, figure.skin.as_ref(), &[]).unwrap();
        assert_eq!((rig.legs.len(), figure.skin.is_some(), figure.document.is_some()), (2, true, true));
    }

    /// Where the last digits of sines are those of the machine that the file was made on. Others differ in them: there the next
    /// test has to do.
    #[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu", not(feature = "libm")))]
    #[test]
    fn the_graph_is_what_its_clips_give_to_the_byte() {
        let same = graph_file::write(&build_graph()) == GRAPH;
        assert!(
            same,
            "the clips or how graphs are built have changed: cargo run --release -p surefoot-io --example embed_graph"
        );
    }

    #[test]
    fn the_graph_is_what_its_clips_give() {
        let (shipped, built) = (graph(), build_graph());
        assert_eq!((shipped.misfits(500), shipped.astray(500)), (vec![], vec![]));
        assert_eq!(shipped.takes.len(), built.takes.len());
        for (a, b) in shipped.takes.iter().zip(&built.takes) {
            assert_eq!((a.clip.name(), a.clip.frames()), (b.clip.name(), b.clip.frames()));
            let roots = a.clip.roots().iter().zip(b.clip.roots());
            let locals = (0..a.clip.frames()).flat_map(|frame| a.clip.frame(frame).iter().zip(b.clip.frame(frame)));
            for (a, b) in roots.chain(locals) {
                assert!(a.translation.distance(b.translation) < 1e-3, "{a:?} {b:?}");
                assert!(a.rotation.dot(b.rotation).abs() > 1.0 - 1e-5, "{a:?} {b:?}");
            }
        }
        let (a, b) = (shipped.transitions.len(), built.transitions.len());
        assert!(a.abs_diff(b) < a / 50, "{a} and {b} transitions");
        assert!((shipped.pace() - built.pace()).abs() < 0.01 && shipped.stands() && built.stands());
    }

    #[test]
    fn every_clip_reads_without_a_warning() {
        for clip in CLIPS {
            let import = clip.import();
            assert_eq!(import.warnings, [], "{}", clip.name);
            assert_eq!((import.skeleton.len(), import.clips[0].rate()), (31, 60.0), "{}", clip.name);
            assert!(import.source.rest_row && import.clips[0].name() == clip.name, "{}", clip.name);
            let (unit, up, forward) = (import.source.unit.value, import.source.up.value, import.source.forward.value);
            assert_eq!((unit, up, forward), (Unit::Cmu, Axis::Y, Axis::Z), "{}", clip.name);
        }
    }

    #[test]
    fn one_subject_is_one_skeleton() {
        let first = find("16_11").unwrap().import().skeleton;
        for clip in CLIPS.iter().filter(|clip| clip.name.starts_with("16_")) {
            assert_eq!(clip.import().skeleton.key(), first.key(), "{}", clip.name);
        }
    }
}
