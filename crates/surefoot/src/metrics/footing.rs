//! What the feet of a take are measured against: how high a point is over its ground, and how fast it goes over it.

use crate::motion::{Stance, Take};
use crate::rig::{Rig, Scale};
use crate::world::{Ground, GroundHit};
use glam::{Vec3, Vec3A};

/// The ground that feet are measured against.
#[derive(Clone, Copy)]
pub enum Footing<'a> {
    /// Level ground at the take's own height. Stances farther from it than this stand on something that nobody drew, at
    /// their own height.
    Level {
        /// That distance, metres of a grown person ([`Scale`]).
        snap: f32,
    },
    /// A ground that is known, asked at the time of each frame.
    Known(&'a dyn Ground),
}

/// Stances nearer to level ground than this stand on it, metres of a grown person.
pub const SNAP: f32 = 0.1;

impl Default for Footing<'_> {
    fn default() -> Self {
        Self::Level { snap: SNAP }
    }
}

/// A take on its ground.
pub(super) struct OnGround<'a> {
    footing: Footing<'a>,
    level: f32,
    rate: f32,
    leg_length: f32,
}

/// From how far above a point the ground below it is looked for, leg lengths: what has sunk in is seen.
const ABOVE: f32 = 0.3;
/// How far down the ground is looked for, leg lengths.
const REACH: f32 = 10.0;
/// The same for what has nothing below it: it may be far under the ground.
const BURIED: f32 = 4.0;

impl<'a> OnGround<'a> {
    pub(super) fn new(rig: &Rig, take: &Take, footing: Footing<'a>) -> Self {
        Self { footing, level: take.ground, rate: take.clip.rate(), leg_length: rig.leg_length() }
    }

    fn hit(&self, ground: &dyn Ground, point: Vec3A, frame: usize) -> Option<GroundHit> {
        self.hit_from(ABOVE, ground, point, frame)
    }

    fn hit_from(&self, above: f32, ground: &dyn Ground, point: Vec3A, frame: usize) -> Option<GroundHit> {
        let above = Vec3::from(point) + above * self.leg_length * Vec3::Y;
        ground.below(above, REACH * self.leg_length, frame as f32 / self.rate)
    }

    /// How deep a point is under the ground in a frame, metres, 0 over it; however deep it is, where nothing is below it.
    pub(super) fn depth(&self, point: Vec3A, frame: usize) -> f32 {
        let height = self.height(point, frame).or_else(|| match self.footing {
            Footing::Level { .. } => None,
            Footing::Known(ground) => self.hit_from(BURIED, ground, point, frame).map(|hit| point.y - hit.point.y),
        });
        height.map_or(0.0, |height| (-height).max(0.0))
    }

    /// How high a point is over the ground in a frame, metres; `None` where there is no ground.
    pub(super) fn height(&self, point: Vec3A, frame: usize) -> Option<f32> {
        match self.footing {
            Footing::Level { .. } => Some(point.y - self.level),
            Footing::Known(ground) => self.hit(ground, point, frame).map(|hit| point.y - hit.point.y),
        }
    }

    /// The same for a foot that stands: on level ground, over what its stance is on.
    pub(super) fn height_in(&self, stance: &Stance, point: Vec3A, frame: usize) -> Option<f32> {
        match self.footing {
            Footing::Level { snap } => {
                let snap = Scale::of_leg(self.leg_length).length(snap);
                let own = stance.print.world_from_sole.translation.y;
                Some(point.y - if (own - self.level).abs() < snap { self.level } else { own })
            }
            Footing::Known(_) => self.height(point, frame),
        }
    }

    /// Where a point of a standing foot is on the surface it stands on: what rides along does not move.
    pub(super) fn on_surface(&self, stance: &Stance, point: Vec3A, frame: usize) -> Vec3A {
        match self.footing {
            Footing::Level { .. } => point,
            Footing::Known(ground) => {
                let surface = ground.world_from_surface(stance.print.surface, frame as f32 / self.rate);
                surface.inverse().transform_point(point)
            }
        }
    }

    /// How far a point moved over the ground below it into a frame, metres.
    pub(super) fn moved(&self, points: &[Vec3A], frame: usize) -> Vec3A {
        let (before, now) = (points[frame - 1], points[frame]);
        let Footing::Known(ground) = self.footing else { return now - before };
        let Some(hit) = self.hit(ground, now, frame) else { return now - before };
        let at = |frame: usize| ground.world_from_surface(hit.surface, frame as f32 / self.rate);
        now - (at(frame) * at(frame - 1).inverse()).transform_point(before)
    }
}
