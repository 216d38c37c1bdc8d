//! Takes: clips with where their feet stand.

use super::{Clip, Stance};
use crate::math::Rigid;
use crate::rig::{LegId, Rig};
use glam::Vec3A;

/// A clip on level ground at y = 0 whose travel is on its root, with the stances in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// The motion.
    pub clip: Clip,
    /// By leg, then by time.
    pub stances: Vec<Stance>,
}

impl Take {
    /// A clip whose feet stand at height `ground` (metres) in these stances: lowered to y = 0, its travel put on the root.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn new(rig: &Rig, mut clip: Clip, mut stances: Vec<Stance>, ground: f32) -> Self {
        clip.roots_mut().iter_mut().for_each(|root| root.translation.y -= ground);
        clip.extract_root(&rig.skeleton);
        for stance in &mut stances {
            stance.set_height(stance.print.world_from_sole.translation.y - ground);
        }
        Self { clip, stances }
    }

    /// The same take at another rate, Hz.
    ///
    /// # Panics
    /// As [`Clip::resampled`].
    #[must_use]
    pub fn resampled(&self, rate: f32) -> Self {
        let ratio = f64::from(rate) / f64::from(self.clip.rate());
        let clip = self.clip.resampled(rate);
        // Frames that lie within a span of the source; a span between two frames goes to the nearer one.
        let span = |range: &std::ops::Range<usize>| {
            if range.is_empty() {
                return 0..0;
            }
            let (first, last) = (range.start as f64 * ratio, (range.end - 1) as f64 * ratio);
            let (start, end) = ((first - 1e-6).ceil(), (last + 1e-6).floor() + 1.0);
            let start = if start < end { start } else { (0.5 * (first + last)).round() };
            let end = end.max(start + 1.0).min(clip.frames() as f64);
            (start.min(end - 1.0) as usize)..(end as usize)
        };
        let stances = self
            .stances
            .iter()
            .map(|stance| Stance {
                frames: span(&stance.frames),
                heel: span(&stance.heel),
                ball: span(&stance.ball),
                ..stance.clone()
            })
            .collect();
        Self { clip, stances }
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
            stance.leg = partner(stance.leg);
            stance.print.leg = stance.leg;
            stance.print.world_from_sole = Rigid::mirrored(stance.print.world_from_sole);
            stance.heel_at = flipped(stance.heel_at);
            stance.ball_at = flipped(stance.ball_at);
        }
        stances.sort_by_key(|stance| (stance.leg, stance.frames.start));
        Some(Self { clip: self.clip.mirrored(&rig.skeleton, mirror), stances })
    }
}
