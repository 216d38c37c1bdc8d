//! What a walk leaves on the ground: where the body went, and the prints of its feet.

use surefoot::glam::Vec3;
use surefoot::math::floor;
use surefoot::motion::{Clip, Stance};
use surefoot::rig::{Rig, Side};
use surefoot::show::print_outline;

/// A walk as it is seen from above; metres, world space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WalkTrack {
    /// Where the body is, frame by frame: below the pelvis, at the height of the root.
    pub way: Vec<Vec3>,
    /// Frames a second.
    pub rate: f32,
    /// Where feet stood, in the order of their stances.
    pub prints: Vec<TrackPrint>,
}

/// A footprint.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackPrint {
    /// Corners of the sole's outline, not closed, metres, world space.
    pub outline: Vec<Vec3>,
    /// Which side's foot it is.
    pub side: Option<Side>,
    /// When the foot comes down, seconds.
    pub time: f32,
}

impl WalkTrack {
    /// The track of a clip with its stances.
    ///
    /// # Panics
    /// If the clip or the stances belong to another rig.
    #[must_use]
    pub fn of(rig: &Rig, clip: &Clip, stances: &[Stance]) -> Self {
        let below = |frame: usize| {
            let pelvis = clip.body(&rig.skeleton, frame).translation;
            floor::at_height(floor::of_point(pelvis), clip.roots()[frame].translation.y)
        };
        let print = |stance: &Stance| {
            let leg = &rig.legs[stance.leg().index()];
            let outline = print_outline(&leg.foot, stance.print.world_from_sole);
            TrackPrint { outline: outline.map(Vec3::from).to_vec(), side: leg.side, time: stance.strike() }
        };
        Self {
            way: (0..clip.frames()).map(below).collect(),
            rate: clip.rate(),
            prints: stances.iter().map(print).collect(),
        }
    }

    /// How long the walk lasts, seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.way.len().saturating_sub(1) as f32 / self.rate
    }
}
