//! From clips of any body to takes of one body, as graphs are built from.

use crate::adapt::retarget::same_build::copied;
use crate::adapt::{Build, Retarget, RetargetError};
use crate::analyse::{Repair, RepairNote, RigError, Studied, Study, find_skinned_rig};
use crate::math::quat;
use crate::motion::{Clip, Take};
use crate::rig::{Rig, Skeleton, SkeletonKey, Skin};

/// How clips are gathered onto one body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Gather {
    /// How each is studied, on its own body.
    pub study: Study,
}

impl Default for Gather {
    fn default() -> Self {
        // What is played over and over shows smaller glitches: a shoulder that is 10° off for 30 ms moves a hand by 4 cm.
        // Fingers that a marker's noise shakes show wherever they are blended into others.
        let least_shake = Some(300.0_f32.to_radians());
        let repair = Repair { least_turn: 9.0_f32.to_radians(), least_shake, ..Repair::default() };
        Self { study: Study { repair, ..Study::default() } }
    }
}

/// A clip as a take, and what was done to it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Gathered {
    /// The take, on the wanted body.
    pub take: Take,
    /// What was repaired; frames are those of the clip as it came.
    pub notes: Vec<RepairNote>,
    /// What may be wrong with its timing, in words.
    pub doubts: Vec<String>,
    /// How far its feet slid while they stood, 95th percentile, metres, as it came.
    pub drift: f32,
    /// How many rounds of a cycle the take holds, one after the other: transitions need what comes before and after.
    /// 1 for a clip that plays once.
    pub rounds: usize,
    /// For a clip of another body, its leg length in those of the wanted one; `None` if it was made for it.
    pub carried: Option<f32>,
}

/// Why a clip is no take of a body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GatherError {
    /// One pose only.
    #[error("nothing moves in it")]
    Still,
    /// Its own body has no legs.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// Its body does not walk on as many legs.
    #[error(transparent)]
    Retarget(#[from] RetargetError),
}

impl Gather {
    /// The body that most of the time of some clips was recorded on, the first of equals: so least is carried over, and a graph
    /// carries itself as most of its clips do. `None` without clips.
    #[must_use]
    pub fn body(clips: &[&Clip]) -> Option<SkeletonKey> {
        let time = |key: SkeletonKey| -> f32 {
            clips.iter().filter(|clip| clip.skeleton() == key).map(|clip| clip.duration()).sum()
        };
        let keys = clips.iter().map(|clip| clip.skeleton());
        // Of equals the last would be taken: they are looked at from the last to the first.
        keys.rev().max_by(|a, b| time(*a).total_cmp(&time(*b)))
    }

    /// The legs of a body as all its clips show them, each repaired first.
    ///
    /// # Errors
    /// If fewer than two legs are found.
    ///
    /// # Panics
    /// If a clip was made for another skeleton.
    pub fn rig(&self, skeleton: &Skeleton, skin: Option<&Skin>, clips: &[&Clip]) -> Result<Rig, RigError> {
        let repaired: Vec<Clip> = clips.iter().map(|clip| self.study.repair.run(skeleton, clip).clip).collect();
        find_skinned_rig(skeleton, skin, &repaired.iter().collect::<Vec<_>>())
    }

    /// Repairs a clip on its own body, carries it over to `onto` where that is another, and finds its stances there. Turns are
    /// copied between bodies that differ in lengths only; others are as they rest when motion is retargeted to them.
    ///
    /// # Errors
    /// If nothing moves in the clip, or the bodies have not the same number of legs on each side.
    ///
    /// # Panics
    /// If the clip was not made for `own`.
    pub fn run(&self, own: &Rig, clip: &Clip, onto: &Rig) -> Result<Gathered, GatherError> {
        let builds = || [own, onto].map(|rig| Build::new(rig.clone(), None));
        self.run_built([own, onto], clip, builds)
    }

    /// The same with bodies whose builds are known: skins tell how they were modelled.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// # Panics
    /// If the clip was not made for `own`.
    pub fn run_onto(&self, own: &Build, clip: &Clip, onto: &Build) -> Result<Gathered, GatherError> {
        self.run_built([&own.rig, &onto.rig], clip, || [own.clone(), onto.clone()])
    }

    fn run_built(
        &self,
        [own, onto]: [&Rig; 2],
        clip: &Clip,
        builds: impl FnOnce() -> [Build; 2],
    ) -> Result<Gathered, GatherError> {
        moves(clip)?;
        let studied = self.study.run_on(own.clone(), clip);
        let find = self.study.find_stances(studied.cycle.as_ref());
        let Studied { mut take, notes, cycle, analysis, figures, .. } = studied;
        let other = own.skeleton.key() != onto.skeleton.key();
        if other {
            take = match copied(own, &take.clip, onto) {
                // It was mended on its own body; feet come to stand elsewhere on this one.
                Some(clip) => find.run(onto, clip),
                None => {
                    let [from, to] = builds();
                    Retarget::default().run(&from, &take, &to)?.take
                }
            };
        }
        let rounds = cycle.map_or(1, |cycle| take.clip.frames() / cycle.frames.len().max(1));
        let carried = other.then(|| own.leg_length() / onto.leg_length());
        let (doubts, drift) = (analysis.doubts, figures.drift.p95);
        Ok(Gathered { take: take.levelled(onto), notes, doubts, drift, rounds, carried })
    }
}

/// Poses that differ by less than this are the same, radians and metres: a T-pose with the noise of its file.
const SAME: f32 = 1e-4;

/// Refuses clips of one pose.
fn moves(clip: &Clip) -> Result<(), GatherError> {
    let same = |frame: usize| {
        let pairs = clip.frame(frame).iter().chain([&clip.roots()[frame]]);
        pairs.zip(clip.frame(0).iter().chain([&clip.roots()[0]])).all(|(a, b)| {
            (a.translation - b.translation).length() < SAME && quat::angle_between(a.rotation, b.rotation) < SAME
        })
    };
    if (1..clip.frames()).all(same) { Err(GatherError::Still) } else { Ok(()) }
}
