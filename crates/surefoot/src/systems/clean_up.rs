//! From a captured clip to one whose feet stand still.

use crate::adapt::{Clean, Cleaned};
use crate::analyse::{
    Analyse, Analysis, FindStances, Found, Level, Repair, RepairNote, Repaired, RigError, Tread, Treadmill,
    find_skinned_rig, stiffen, turned,
};
use crate::math::{Rigid, quat};
use crate::metrics::{FootFigures, Pop, measure_feet_in, stance_kept_in, worst_pop_in};
use crate::motion::Clip;
use crate::rig::{Rig, Skeleton, Skin};
use glam::{Quat, Vec3A};
use std::ops::Range;

/// How a clip is studied: repaired, its legs found, its stances and gait measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Study {
    /// How glitches are mended.
    pub repair: Repair,
    /// How stances are found.
    pub stances: FindStances,
    /// How stances are found in walks that were drawn on the spot.
    pub drawn: FindStances,
    /// When a tilted floor is made level.
    pub level: Level,
}

impl Default for Study {
    fn default() -> Self {
        Self {
            repair: Repair::default(),
            stances: FindStances::default(),
            drawn: FindStances::drawn(),
            level: Level::default(),
        }
    }
}

/// A clip that goes round and round, as it is studied: three times over.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    /// The middle round: frames of the clip after repair.
    pub frames: Range<usize>,
    /// Where one round takes the root, in the frame of its start.
    pub travel: Rigid,
    /// For a walk on the spot, how its feet say that it goes; the clip after repair goes so.
    pub tread: Option<Tread>,
}

/// A clip with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Studied {
    /// The body and its legs.
    pub rig: Rig,
    /// The clip after repair, and what was repaired.
    pub repaired: Repaired,
    /// Of a cycle, which part of that is one round.
    pub cycle: Option<Cycle>,
    /// Its stances and ground.
    pub found: Found,
    /// How it walks; of a cycle, one round of it.
    pub analysis: Analysis,
    /// How well its feet stand; of a cycle, in one round of it. Frames are of the clip after repair.
    pub figures: FootFigures,
}

impl Study {
    /// Studies a clip.
    ///
    /// # Errors
    /// If the skeleton has no legs to stand on.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    pub fn run(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Studied, RigError> {
        self.run_skinned(skeleton, None, clip)
    }

    /// Studies a clip of a character with a skin, which tells its soles.
    ///
    /// # Errors
    /// If the character has no legs to stand on.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    pub fn run_skinned(&self, skeleton: &Skeleton, skin: Option<&Skin>, clip: &Clip) -> Result<Studied, RigError> {
        let mut repaired = self.repair.run(skeleton, clip);
        let mut rig = find_skinned_rig(skeleton, skin, &[&repaired.clip])?;
        stiffen(&mut rig, &repaired.clip);
        let cycle = unroll(&rig, &mut repaired);
        let mut found = self.find_stances(cycle.as_ref()).run(&rig, &repaired.clip);
        if cycle.is_none() && self.level(skeleton, &mut repaired, &found) {
            // What is level is known better now, and so is how feet stand on it.
            rig = find_skinned_rig(skeleton, skin, &[&repaired.clip])?;
            stiffen(&mut rig, &repaired.clip);
            found = self.stances.run(&rig, &repaired.clip);
        }
        Ok(Studied::new(rig, repaired, cycle, found))
    }

    /// Studies a clip of a body whose legs are known.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn run_on(&self, rig: Rig, clip: &Clip) -> Studied {
        let mut repaired = self.repair.run(&rig.skeleton, clip);
        let cycle = unroll(&rig, &mut repaired);
        let mut found = self.find_stances(cycle.as_ref()).run(&rig, &repaired.clip);
        if cycle.is_none() && self.level(&rig.skeleton, &mut repaired, &found) {
            found = self.stances.run(&rig, &repaired.clip);
        }
        Studied::new(rig, repaired, cycle, found)
    }

    /// How the stances of a clip are found.
    pub(super) fn find_stances(&self, cycle: Option<&Cycle>) -> &FindStances {
        if cycle.is_some_and(|cycle| cycle.tread.is_some()) { &self.drawn } else { &self.stances }
    }

    /// Makes a tilted floor level; whether there was one.
    fn level(&self, skeleton: &Skeleton, repaired: &mut Repaired, found: &Found) -> bool {
        let Some((turn, about)) = self.level.run(found) else {
            return false;
        };
        repaired.clip = turned(skeleton, &repaired.clip, turn, about);
        repaired.notes.insert(0, RepairNote::Tilted { tilt: quat::angle_between(turn, Quat::IDENTITY) });
        true
    }
}

/// Slower than this a character on the spot stands: Froude number of its speed.
const STANDS: f32 = 0.004;

/// Plays a cycle three times over, so that its middle round knows what comes before and after; a walk on the spot goes as
/// its feet say.
fn unroll(rig: &Rig, repaired: &mut Repaired) -> Option<Cycle> {
    let mut round = repaired.clip.looped(&rig.skeleton)?;
    let leg = rig.leg_length();
    let travel = round.cycle()?.translation;
    let on_the_spot = crate::math::single::hypot(travel.x, travel.z) < 0.05 * leg;
    let tread = on_the_spot.then(|| Treadmill::default().run(rig, &round));
    let tread = tread.filter(|tread| tread.velocity.length_squared() > STANDS * 9.81 * leg);
    if let Some(tread) = &tread {
        round.go(&tread.course);
    }
    let travel = round.cycle()?;
    repaired.clip = round.unrolled(3);
    Some(Cycle { frames: round.frames()..2 * round.frames(), travel, tread })
}

/// The middle round of a cycle; all frames of another clip.
fn round(cycle: Option<&Cycle>, clip: &Clip) -> Range<usize> {
    cycle.map_or(0..clip.frames(), |cycle| cycle.frames.clone())
}

impl Studied {
    fn new(rig: Rig, repaired: Repaired, cycle: Option<Cycle>, found: Found) -> Self {
        let part = round(cycle.as_ref(), &repaired.clip);
        let analysis = Analyse { authored: cycle.is_some() }.run_in(&rig, &repaired.clip, &found, part.clone());
        let figures = measure_feet_in(&rig, &repaired.clip, &found, Clean::default().snap, part);
        Self { rig, repaired, cycle, found, analysis, figures }
    }

    /// The frames that figures are of: one round of a cycle, else all.
    #[must_use]
    pub fn frames(&self) -> Range<usize> {
        round(self.cycle.as_ref(), &self.repaired.clip)
    }

    /// The time of a frame of the clip after repair, seconds; of a cycle, within its round.
    #[must_use]
    pub fn seconds(&self, frame: usize) -> f32 {
        let frame = self.cycle.as_ref().map_or(frame, |cycle| frame % cycle.frames.len());
        frame as f32 / self.repaired.clip.rate()
    }
}

/// How a clip is cleaned up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CleanUp {
    /// How it is studied first, and measured afterwards.
    pub study: Study,
    /// How its feet are held.
    pub clean: Clean,
}

/// A clip before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct CleanedUp {
    /// The clip as it came, repaired and studied.
    pub before: Studied,
    /// The clip as it is now.
    pub cleaned: Cleaned,
    /// Its stances, found afresh.
    pub found: Found,
    /// How well its feet stand now; of a cycle, in one round.
    pub figures: FootFigures,
}

impl CleanedUp {
    /// The cleaned clip as it came: one round of a cycle, on the spot if it was.
    #[must_use]
    pub fn clip(&self) -> Clip {
        let Some(cycle) = &self.before.cycle else { return self.cleaned.clip.clone() };
        let mut clip = self.cleaned.clip.trimmed(cycle.frames.clone()).with_cycle(Some(cycle.travel));
        // The middle round starts where the first one ended.
        let back = self.cleaned.clip.roots()[0] * clip.roots()[0].inverse();
        clip.roots_mut().iter_mut().for_each(|root| *root = back * *root);
        if cycle.tread.is_some() {
            clip.stay_in_place();
        }
        clip
    }

    /// The joint that has become fastest beyond what its own speed allows.
    #[must_use]
    pub fn worst_pop(&self) -> Pop {
        let (before, after) = (&self.before.repaired.clip, &self.cleaned.clip);
        worst_pop_in(&self.before.rig.skeleton, before, after, self.before.frames())
    }

    /// Share of the stance time that is still stance.
    #[must_use]
    pub fn stance_kept(&self) -> f32 {
        stance_kept_in(&self.before.found.stances, &self.found.stances, self.before.frames())
    }

    /// How the pelvis was moved, by frame, metres, world; of a cycle, in one round.
    #[must_use]
    pub fn pelvis(&self) -> &[Vec3A] {
        &self.cleaned.pelvis[self.before.frames()]
    }

    /// Greatest distance by which a held foot missed its place, metres, and the frame.
    #[must_use]
    pub fn missed(&self) -> (f32, usize) {
        let missed = self.before.frames().map(|f| (self.cleaned.missed[f], f));
        missed.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 0))
    }
}

impl CleanUp {
    /// Repairs a clip, finds its stances, holds them, and measures the result.
    ///
    /// # Errors
    /// If the skeleton has no legs to stand on.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    pub fn run(&self, skeleton: &Skeleton, clip: &Clip) -> Result<CleanedUp, RigError> {
        Ok(self.run_studied(self.study.run(skeleton, clip)?))
    }

    /// Holds the stances of a clip that has been studied, and measures the result.
    #[must_use]
    pub fn run_studied(&self, before: Studied) -> CleanedUp {
        let rig = &before.rig;
        let stances = self.study.find_stances(before.cycle.as_ref());
        let mut cleaned = self.clean.run(rig, &before.repaired.clip, &before.found);
        let mut found = stances.run(rig, &cleaned.clip);
        // Feet that stand still show what else should: repeated until nothing is left to do, so that cleaning a clean
        // clip changes nothing.
        for _ in 0..ROUNDS {
            let mut mended = Vec::new();
            for joint in rig.legs.iter().flat_map(|leg| &leg.chain) {
                self.study.repair.mend_joint(&rig.skeleton, &mut cleaned.clip, *joint, 0, &mut mended);
            }
            if !mended.is_empty() {
                found = stances.run(rig, &cleaned.clip);
            }
            let mut next = self.clean.run(rig, &cleaned.clip, &found);
            if mended.is_empty() && next.moved == 0.0 {
                break;
            }
            next.pelvis.iter_mut().zip(&cleaned.pelvis).for_each(|(next, before)| *next += *before);
            cleaned = next;
            found = stances.run(rig, &cleaned.clip);
        }
        let figures = measure_feet_in(rig, &cleaned.clip, &found, self.clean.snap, before.frames());
        CleanedUp { before, cleaned, found, figures }
    }
}

/// More often than this a clip is not gone over again.
const ROUNDS: usize = 8;
