//! From a captured clip to one whose feet stand still, on its own body or another.

mod onto;
mod ways;

pub use onto::{OntoBody, OntoReport};

use crate::adapt::{Clean, Cleaned, Pass, evenest, is_drawn};
use crate::analyse::{RigError, Studied, Study, Tread, UnderRepair, spread_jumps};
use crate::metrics::{
    CheckMotion, Checked, CheckedSource, Fault, FootFigures, Footing, Pop, measure_feet_in, stance_kept_in,
    stands_exactly, worst_pop_in,
};
use crate::motion::{Clip, Take};
use crate::rig::{JointId, LegSkin, Skeleton};
use glam::Vec3A;
use ways::Way;

/// How a clip is cleaned up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct CleanUp {
    /// How it is studied first, and measured afterwards.
    pub study: Study,
    /// How its feet are held.
    pub clean: Clean,
}

/// A clip before and after.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CleanedUp {
    /// The clip as it came, repaired and studied.
    pub before: Studied,
    /// The clip as it is now, its stances found afresh; a cycle three times over, as it was studied.
    pub take: Take,
    /// Of a walk on the spot, how it goes over the ground now: as evenly as its legs can follow.
    pub tread: Option<Tread>,
    /// What it took.
    pub report: CleanReport,
}

/// What cleaning a clip took, and how well its feet stand.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CleanReport {
    /// How well its feet stand now; of a cycle, in one round.
    pub figures: FootFigures,
    /// How the pelvis was moved, by frame of the take, metres, world.
    pub pelvis: Vec<Vec3A>,
    /// Greatest distance by which a held foot missed its place, by frame of the take, metres.
    pub missed: Vec<f32>,
    /// How many stances, of a cycle in one round, are as they were drawn: holding them would cost the motion more than it gives.
    pub let_go: usize,
}

impl CleanedUp {
    /// The cleaned clip as it came: one round of a cycle, on the spot if it was.
    #[must_use]
    pub fn clip(&self) -> Clip {
        let Some(cycle) = &self.before.cycle else { return self.take.clip.clone() };
        let mut clip = self.take.clip.trimmed(cycle.frames.clone()).with_cycle(Some(cycle.travel));
        // The middle round starts where the first one ended.
        let back = self.take.clip.roots()[0] * clip.roots()[0].inverse();
        clip.roots_mut().iter_mut().for_each(|root| *root = back * *root);
        let Some(tread) = &self.tread else { return clip };
        clip.stay_in_place();
        // What its feet keep to now: who measures it again need not guess.
        clip.with_course(Some(tread.course.clone()))
    }

    /// The joint that has become fastest beyond what its own speed allows.
    #[must_use]
    pub fn worst_pop(&self) -> Pop {
        let (before, after) = (&self.before.take.clip, &self.take.clip);
        worst_pop_in(&self.before.rig.skeleton, before, after, self.before.frames())
    }

    /// What of it is worse than it came, with times of one round of a cycle; `skin` is that of its legs, if it has one.
    #[must_use]
    pub fn check(&self, check: &CheckMotion, skin: Option<&LegSkin>) -> Vec<Fault> {
        // The rounds before and after the one that is handed over are cut off at their ends.
        let part = self.before.frames();
        let (rig, footing) = (&self.before.rig, Footing::default());
        let of = |take| Checked { rig, skin, take, planned: false, footing, part: Some(&part) };
        let source = CheckedSource { motions: &[of(&self.before.take)], moved: &self.report.pelvis };
        let mut faults = check.run(of(&self.take), &source);
        for fault in &mut faults {
            fault.time = self.before.seconds((fault.time * self.take.clip.rate()).round() as usize);
        }
        faults
    }

    /// The same with other frames, such as those that an export gives back, and measured anew.
    ///
    /// # Panics
    /// If they are not as many, or of another skeleton.
    #[must_use]
    pub fn with_clip(mut self, clip: Clip) -> Self {
        assert_eq!(clip.frames(), self.take.clip.frames(), "as many frames");
        self.take.clip = clip;
        let part = self.before.frames();
        self.report.figures = measure_feet_in(&self.before.rig, &self.take, Footing::default(), part);
        self
    }

    /// Share of the stance time that is still stance.
    #[must_use]
    pub fn stance_kept(&self) -> f32 {
        stance_kept_in(&self.before.take, &self.take, self.before.frames())
    }

    /// How the pelvis was moved, by frame, metres, world; of a cycle, in one round.
    #[must_use]
    pub fn pelvis(&self) -> &[Vec3A] {
        &self.report.pelvis[self.before.frames()]
    }

    /// Greatest distance by which a held foot missed its place, metres, and the frame.
    #[must_use]
    pub fn missed(&self) -> (f32, usize) {
        let missed = self.before.frames().map(|f| (self.report.missed[f], f));
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
        let drawn = is_drawn(before.take.clip.rate());
        self.run_by(before, |before| {
            if drawn { ways::least_harmful(before, |way| self.hold(before, way)) } else { self.hold_evenly(before) }
        })
    }

    /// The same of a motion that comes from another body or goes to one: every stance is held, whatever it costs.
    pub(super) fn run_all_held(&self, before: Studied) -> CleanedUp {
        self.run_by(before, |before| self.hold_evenly(before))
    }

    /// Holds the stances of a clip, unless they are held, and measures the result.
    fn run_by(&self, before: Studied, hold: impl FnOnce(&Studied) -> Held) -> CleanedUp {
        let rig = &before.rig;
        if stands_exactly(rig, &before.take) {
            // Someone put every foot where it is: nothing is left to do.
            let frames = before.take.clip.frames();
            let (pelvis, missed) = (vec![Vec3A::ZERO; frames], vec![0.0; frames]);
            let report = CleanReport { figures: before.figures, pelvis, missed, let_go: 0 };
            let tread = before.cycle.as_ref().and_then(|cycle| cycle.tread.clone());
            return CleanedUp { take: before.take.clone(), report, tread, before };
        }
        let Held { take, pelvis, missed, let_go, tread } = hold(&before);
        let figures = measure_feet_in(rig, &take, Footing::Level { snap: self.clean.snap }, before.frames());
        CleanedUp { before, take, report: CleanReport { figures, pelvis, missed, let_go }, tread }
    }

    /// Holds all stances of a clip that has been studied, on the spot as evenly as is good for its joints.
    fn hold_evenly(&self, before: &Studied) -> Held {
        evenest(before, |share| {
            let held = self.hold(before, &Way { share, ..Way::default() });
            let [raw, now] = [&before.take.clip, &held.take.clip];
            (worst_pop_in(&before.rig.skeleton, raw, now, before.frames()).over(), held)
        })
    }

    /// Holds the stances of a clip that has been studied, in one of the ways in which it may be done.
    fn hold(&self, before: &Studied, way: &Way) -> Held {
        let rig = &before.rig;
        let find = self.study.find_stances(before.cycle.as_ref());
        let (lower, ease) = (way.lowered * self.clean.lower, way.ease * self.clean.ease);
        let clean = Clean { drawn: way.gives, lower, ease, ..self.clean };
        let (mut even, tread) = clean.led(before, way.share);
        let left = way.held(&mut even.stances, &even.clip);
        let Cleaned { take, mut pelvis, mut missed, .. } = clean.run_leaving(rig, &even, &left, Pass::First);
        let mut clip = take.clip;
        // What a capture's own tremor hid shows once feet stand still.
        let hips = rig.legs.iter().flat_map(|leg| rig.skeleton.ancestry(leg.hip()));
        let kept: Vec<JointId> =
            hips.chain(rig.legs.iter().flat_map(|leg| leg.chain.iter().copied().chain(leg.toe))).collect();
        spread_jumps(&rig.skeleton, &mut clip, &kept);
        let mut take = find.run(rig, clip);
        // Feet that stand still show what else should: repeated until nothing is left to do, so that cleaning a clean
        // clip changes nothing.
        for _ in 0..ROUNDS {
            let mut mended = Vec::new();
            let mut on = UnderRepair { skeleton: &rig.skeleton, clip: &mut take.clip, offset: 0, notes: &mut mended };
            for joint in rig.legs.iter().flat_map(|leg| &leg.chain) {
                self.study.repair.mend_joint(&mut on, *joint);
            }
            if !mended.is_empty() {
                take = find.run(rig, take.clip);
            }
            let mut held = take.clone();
            let left = way.held(&mut held.stances, &held.clip);
            let next = clean.run_leaving(rig, &held, &left, Pass::Again);
            if mended.is_empty() && next.moved == 0.0 {
                break;
            }
            pelvis.iter_mut().zip(&next.pelvis).for_each(|(sum, moved)| *sum += *moved);
            missed = next.missed;
            take = find.run(rig, next.take.clip);
        }
        Held { take, pelvis, missed, let_go: way.let_go.len(), tread }
    }
}

/// A clip whose stances are held, before it is measured.
struct Held {
    take: Take,
    pelvis: Vec<Vec3A>,
    missed: Vec<f32>,
    let_go: usize,
    tread: Option<Tread>,
}

/// More often than this a clip is not gone over again.
const ROUNDS: usize = 8;
