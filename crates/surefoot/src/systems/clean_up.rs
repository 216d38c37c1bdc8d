//! From a captured clip to one whose feet stand still.

use crate::adapt::{Clean, Cleaned};
use crate::analyse::{Analyse, Analysis, FindStances, Found, Repair, Repaired, RigError, find_rig};
use crate::metrics::{FootFigures, measure_feet};
use crate::motion::Clip;
use crate::rig::{Rig, Skeleton};

/// How a clip is studied: repaired, its legs found, its stances and gait measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Study {
    /// How glitches are mended.
    pub repair: Repair,
    /// How stances are found.
    pub stances: FindStances,
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
        let repaired = self.repair.run(skeleton, clip);
        let rig = find_rig(skeleton, &[&repaired.clip])?;
        Ok(self.look(rig, repaired))
    }

    /// Studies a clip of a body whose legs are known.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn run_on(&self, rig: Rig, clip: &Clip) -> Studied {
        let repaired = self.repair.run(&rig.skeleton, clip);
        self.look(rig, repaired)
    }

    fn look(&self, rig: Rig, repaired: Repaired) -> Studied {
        let found = self.stances.run(&rig, &repaired.clip);
        let analysis = Analyse {}.run(&rig, &repaired.clip, &found);
        let figures = measure_feet(&rig, &repaired.clip, &found, Clean::default().snap);
        Studied { rig, repaired, found, analysis, figures }
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
        let cleaned = self.clean.run(&before.rig, &before.repaired.clip, &before.found);
        let found = self.study.stances.run(&before.rig, &cleaned.clip);
        let figures = measure_feet(&before.rig, &cleaned.clip, &found, self.clean.snap);
        CleanedUp { before, cleaned, found, figures }
    }
}
