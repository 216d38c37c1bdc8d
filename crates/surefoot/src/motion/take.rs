//! Takes: clips with where their feet stand, and where they came from. What analysis makes of a clip and every system returns.

use super::{Clip, Span, Stance};
use crate::math::Rigid;
use crate::rig::{LegId, Rig};
use glam::Vec3A;

/// A motion with where its feet stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// The motion.
    pub clip: Clip,
    /// By leg, then by time.
    pub stances: Vec<Stance>,
    /// Height of the ground on which most of the standing is done, metres; prints know their own.
    pub ground: f32,
    /// What it was made from, in order of time; spans that overlap are blended. Empty if nothing is known.
    pub sources: Vec<SourceSpan>,
}

/// A part of a take that came from somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SourceSpan {
    /// When in the take, seconds.
    pub time: Span,
    /// The number of the take in the list that it was made from.
    pub take: usize,
    /// When in that one it begins, seconds.
    pub from: f32,
}

/// A rate that is lower by more than this is clearly lower.
const LOWER: f32 = 1.2;

impl From<Clip> for Take {
    /// A clip of which nothing else is known.
    fn from(clip: Clip) -> Self {
        Self { clip, stances: Vec::new(), ground: 0.0, sources: Vec::new() }
    }
}

impl Take {
    /// The same take lowered to y = 0, its travel put on the root.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn levelled(mut self, rig: &Rig) -> Self {
        let ground = std::mem::take(&mut self.ground);
        self.clip.roots_mut().iter_mut().for_each(|root| root.translation.y -= ground);
        self.clip.extract_root(&rig.skeleton);
        for stance in &mut self.stances {
            stance.set_height(stance.print.world_from_sole.translation.y - ground);
        }
        self
    }

    /// The same take at another rate, Hz. What a lower rate cannot show is taken out first: noise would be mistaken for motion.
    ///
    /// # Panics
    /// As [`Clip::resampled`].
    #[must_use]
    pub fn resampled(&self, rate: f32) -> Self {
        let clip = match self.clip.rate() > LOWER * rate {
            true => self.clip.softened(rate),
            false => self.clip.resampled(rate),
        };
        let mut stances = self.stances.clone();
        // Its stances go with its frames.
        stances.iter_mut().for_each(|stance| stance.set_frames(&stance.frames(&clip), rate));
        Self { clip, stances, ground: self.ground, sources: self.sources.clone() }
    }

    /// The take as seen in a mirror (x → -x): left and right legs exchange what they do. `None` for a body without symmetry.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn mirrored(&self, rig: &Rig) -> Option<Self> {
        let mirror = rig.mirror.as_ref()?;
        let partner = |leg: LegId| {
            let ankle = mirror.partner(rig.legs[leg.index()].ankle());
            rig.legs().find(|(_, other)| other.ankle() == ankle).map_or(leg, |(other, _)| other)
        };
        let flipped = |point: Vec3A| Vec3A::new(-point.x, point.y, point.z);
        let mut stances: Vec<Stance> = self.stances.clone();
        for stance in &mut stances {
            stance.print.leg = partner(stance.leg());
            stance.print.world_from_sole = Rigid::mirrored(stance.print.world_from_sole);
            stance.heel_at = flipped(stance.heel_at);
            stance.ball_at = flipped(stance.ball_at);
        }
        stances.sort_by(|a, b| (a.leg().cmp(&b.leg())).then(a.strike().total_cmp(&b.strike())));
        let clip = self.clip.mirrored(&rig.skeleton, mirror);
        Some(Self { clip, stances, ground: self.ground, sources: self.sources.clone() })
    }
}
