//! From a clip of one body to the same motion on another, whose feet stand still.

use super::{CleanUp, CleanedUp};
use crate::adapt::{Build, Lacking, Retarget, RetargetError};
use crate::analyse::{Cycle, Studied};
use crate::math::Rigid;
use crate::motion::Clip;

/// How motion is brought onto another body: cleaned on its own, carried over, and its feet held anew.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct OntoBody {
    /// How it is studied, and how feet are held.
    pub clean_up: CleanUp,
    /// How it is carried over.
    pub retarget: Retarget,
}

/// What bringing a motion onto another body took.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OntoReport {
    /// How much larger its lengths are than those of the motion.
    pub scale: f32,
    /// What only one of the two bodies has.
    pub lacking: Vec<Lacking>,
}

impl OntoBody {
    /// Cleans a clip of one body, carries it over to another and holds its feet there. Gives the motion cleaned on its own
    /// body, then the other's.
    ///
    /// # Errors
    /// If the bodies have not the same number of legs on each side.
    ///
    /// # Panics
    /// If the clip was not made for `from`.
    pub fn run(
        &self,
        from: &Build,
        clip: &Clip,
        to: &Build,
    ) -> Result<(CleanedUp, CleanedUp, OntoReport), RetargetError> {
        self.run_studied(from, self.clean_up.study.run_on(from.rig.clone(), clip), to)
    }

    /// The same with a clip that has been studied on its own body.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// # Panics
    /// If the clip was not studied on `from`.
    pub fn run_studied(
        &self,
        from: &Build,
        studied: Studied,
        to: &Build,
    ) -> Result<(CleanedUp, CleanedUp, OntoReport), RetargetError> {
        let source = self.clean_up.run_all_held(studied);
        let carried = self.retarget.run(from, &source.take, to)?;
        let larger = |rigid: Rigid| Rigid { translation: rigid.translation * carried.scale, ..rigid };
        let cycle = source.before.cycle.as_ref().map(|cycle| Cycle {
            frames: cycle.frames.clone(),
            travel: larger(cycle.travel),
            tread: source.tread.as_ref().map(|tread| tread.scaled(carried.scale)),
        });
        // What was repaired was so on the motion's own body.
        let on_body = Studied::new(to.rig.clone(), carried.take, Vec::new(), cycle);
        let done = self.clean_up.run_all_held(on_body);
        Ok((source, done, OntoReport { scale: carried.scale, lacking: carried.lacking }))
    }
}
