//! From a captured clip to one whose feet stand still.

use crate::adapt::{Clean, Cleaned};
use crate::analyse::{
    Analyse, Analysis, FindStances, Found, Level, Repair, RepairNote, Repaired, RigError, find_rig, turned,
};
use crate::math::quat;
use crate::metrics::{FootFigures, Pop, measure_feet, worst_pop};
use crate::motion::Clip;
use crate::rig::{Rig, Skeleton};
use glam::Quat;

/// How a clip is studied: repaired, its legs found, its stances and gait measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Study {
    /// How glitches are mended.
    pub repair: Repair,
    /// How stances are found.
    pub stances: FindStances,
    /// When a tilted floor is made level.
    pub level: Level,
}

/// A clip with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Studied {
    /// The body and its legs.
    pub rig: Rig,
    /// The clip after repair, and what was repaired.
    pub repaired: Repaired,
    /// Its stances and ground.
    pub found: Found,
    /// How it walks.
    pub analysis: Analysis,
    /// How well its feet stand.
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
        let mut repaired = self.repair.run(skeleton, clip);
        let mut rig = find_rig(skeleton, &[&repaired.clip])?;
        let mut found = self.stances.run(&rig, &repaired.clip);
        if self.level(skeleton, &mut repaired, &found) {
            // What is level is known better now, and so is how feet stand on it.
            rig = find_rig(skeleton, &[&repaired.clip])?;
            found = self.stances.run(&rig, &repaired.clip);
        }
        Ok(Studied::new(rig, repaired, found))
    }

    /// Studies a clip of a body whose legs are known.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn run_on(&self, rig: Rig, clip: &Clip) -> Studied {
        let mut repaired = self.repair.run(&rig.skeleton, clip);
        let mut found = self.stances.run(&rig, &repaired.clip);
        if self.level(&rig.skeleton, &mut repaired, &found) {
            found = self.stances.run(&rig, &repaired.clip);
        }
        Studied::new(rig, repaired, found)
    }

    /// Makes a tilted floor level; whether there was one.
    fn level(&self, skeleton: &Skeleton, repaired: &mut Repaired, found: &Found) -> bool {
        let Some((turn, about)) = self.level.run(found).filter(|_| repaired.clip.cycle().is_none()) else {
            return false;
        };
        repaired.clip = turned(skeleton, &repaired.clip, turn, about);
        repaired.notes.insert(0, RepairNote::Tilted { tilt: quat::angle_between(turn, Quat::IDENTITY) });
        true
    }
}

impl Studied {
    fn new(rig: Rig, repaired: Repaired, found: Found) -> Self {
        let analysis = Analyse {}.run(&rig, &repaired.clip, &found);
        let figures = measure_feet(&rig, &repaired.clip, &found, Clean::default().snap);
        Self { rig, repaired, found, analysis, figures }
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
    /// How well its feet stand now.
    pub figures: FootFigures,
}

impl CleanedUp {
    /// The joint that has become fastest beyond what its own speed allows.
    #[must_use]
    pub fn worst_pop(&self) -> Pop {
        worst_pop(&self.before.rig.skeleton, &self.before.repaired.clip, &self.cleaned.clip)
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
        let mut cleaned = self.clean.run(rig, &before.repaired.clip, &before.found);
        let mut found = self.study.stances.run(rig, &cleaned.clip);
        // Feet that stand still show what else should: repeated until nothing is left to do, so that cleaning a clean
        // clip changes nothing.
        for _ in 0..ROUNDS {
            let mut mended = Vec::new();
            for joint in rig.legs.iter().flat_map(|leg| &leg.chain) {
                self.study.repair.mend_joint(&rig.skeleton, &mut cleaned.clip, *joint, 0, &mut mended);
            }
            if !mended.is_empty() {
                found = self.study.stances.run(rig, &cleaned.clip);
            }
            let mut next = self.clean.run(rig, &cleaned.clip, &found);
            if mended.is_empty() && next.moved == 0.0 {
                break;
            }
            next.pelvis.iter_mut().zip(&cleaned.pelvis).for_each(|(next, before)| *next += *before);
            cleaned = next;
            found = self.study.stances.run(rig, &cleaned.clip);
        }
        let figures = measure_feet(rig, &cleaned.clip, &found, self.clean.snap);
        CleanedUp { before, cleaned, found, figures }
    }
}

/// More often than this a clip is not gone over again.
const ROUNDS: usize = 8;
