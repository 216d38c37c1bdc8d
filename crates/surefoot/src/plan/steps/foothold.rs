//! Footholds: where a sole can stand near a place.

use crate::character::StandLeg;
use crate::foot::{PutDown, Sole, SolePlace};
use crate::math::{FloorPose, Rigid, floor};
use crate::world::{Ground, SurfaceId};
use glam::Vec2;

/// How a foothold is sought.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct FindFoothold {
    /// How far from where it should be, as a share of the leg's length.
    pub search: f32,
    /// Ground that is steeper under the sole is an edge, radians: the sole stays level over it.
    pub steepest: f32,
}

impl Default for FindFoothold {
    fn default() -> Self {
        Self { search: 0.2, steepest: 0.75 }
    }
}

/// How the ground is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    /// The height from which looks go down, metres.
    pub from: f32,
    /// How deep they go, metres.
    pub reach: f32,
    /// When, seconds.
    pub time: f32,
}

/// Rings of places that are looked at, as shares of the search.
const RINGS: [f32; 3] = [0.3, 0.6, 1.0];
/// Places on a ring.
const AROUND: usize = 8;

impl FindFoothold {
    /// The best foothold for a leg near `place`, on the ground as a look at it sees it. `strain` tells how badly the leg
    /// reaches a print, 0 if well. Takes the place itself if nothing speaks against it; `None` without ground.
    #[must_use]
    pub(crate) fn run(
        &self,
        ground: &dyn Ground,
        leg: &StandLeg,
        place: FloorPose,
        look: Look,
        strain: impl Fn(Rigid) -> f32,
    ) -> Option<SolePlace> {
        let cost = |hold: &SolePlace| {
            let moved = floor::of_point(hold.print.translation).distance(place.position) / leg.length;
            let steep = (hold.slope - 0.65).max(0.0);
            let strange = if hold.surface == SurfaceId::NONE { 0.3 } else { 0.0 };
            (moved + 1.5 * hold.gap / leg.length + steep + strange + 10.0 * strain(hold.print), moved)
        };
        let put = PutDown { steepest: self.steepest, ..PutDown::default() };
        let at = |place: FloorPose| {
            let look = |p: Vec2| ground.below(floor::at_height(p, look.from), look.reach, look.time);
            put.run(Sole { foot: &leg.foot, points: leg.sole, leg: leg.length }, place, &look)
        };
        let first = at(place);
        if let Some(hold) = first
            && cost(&hold).0 < 0.01
        {
            return first;
        }
        let mut best = first.map(|hold| (cost(&hold).0, hold));
        for ring in RINGS {
            for k in 0..AROUND {
                let angle = std::f32::consts::TAU * k as f32 / AROUND as f32;
                let aside = floor::direction(place.heading + angle) * (ring * self.search * leg.length);
                let moved = FloorPose { position: place.position + aside, ..place };
                let found = at(moved).map(|hold| (cost(&hold).0, hold));
                if let Some((cost, hold)) = found
                    && best.is_none_or(|(least, _)| cost < least - 1e-4)
                {
                    best = Some((cost, hold));
                }
            }
        }
        best.map(|(_, hold)| hold)
    }
}
