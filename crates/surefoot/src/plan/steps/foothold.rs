//! Footholds: where a sole can stand near a place.

use crate::character::{LIMB, StandLeg};
use crate::foot::{PutDown, Sole, SolePlace};
use crate::math::{FloorPose, Rigid, floor};
use crate::world::{Ground, GroundHit, SurfaceId};
use glam::{Quat, Vec2, Vec3A};

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
const RINGS: [f32; 5] = [0.15, 0.3, 0.5, 0.75, 1.0];
/// What a sole costs that lies over nothing, in leg lengths that it is moved for it: the whole of it, or its ball alone.
const OVERHANG: f32 = 0.6;
const WITHOUT_BALL: f32 = 0.3;
/// The gap that counts under a sole that is level over an edge, in leg lengths: how deep it goes down there does not matter.
const MOST_GAP: f32 = 0.03;
/// What a sole costs that its outline holds over the ground, in leg lengths that it is moved for each of them: it is seen to float.
const HELD_UP: f32 = 5.0;
/// What a leg costs that leans into a riser, ahead or behind, at all heights.
const CRAMPED: f32 = 0.3;
/// Legs lean ahead and behind while they stand by this much, aside over up.
const LEANS: f32 = 0.45;
/// Half of how thick a leg is, as a share of its length.
const THICK: f32 = 0.04;
/// The heights at which legs must have room to lean, as shares of their length.
const AT_HEIGHTS: [f32; 3] = [0.07, 0.15, 0.25];
/// Places on a ring.
const AROUND: usize = 8;

impl FindFoothold {
    /// The best foothold for a leg near `place`, on the ground as a look at it sees it, under a body that is turned so (world
    /// from model). `strain` tells how badly the leg
    /// reaches a print, 0 if well. Takes the place itself if nothing speaks against it; `None` without ground.
    #[must_use]
    pub(crate) fn run(
        &self,
        ground: &dyn Ground,
        leg: &StandLeg,
        place: FloorPose,
        (look, body): (Look, Quat),
        strain: impl Fn(Rigid) -> f32,
    ) -> Option<SolePlace> {
        let look = |p: Vec2| ground.below(floor::at_height(p, look.from), look.reach, look.time);
        // What speaks against a foothold, but for how far it is from the place.
        let bad = |hold: &SolePlace| {
            let steep = (hold.slope - 0.65).max(0.0);
            let strange = if hold.surface == SurfaceId::NONE { 0.3 } else { 0.0 };
            let gap = if leg.foot.is_point() {
                1.5 * hold.gap / leg.length
            } else {
                let ball = if hold.ball_overhangs { WITHOUT_BALL } else { 0.0 };
                let gap = hold.gap.min(MOST_GAP * leg.length);
                (1.5 * gap).max(HELD_UP * hold.held_up) / leg.length + OVERHANG * hold.overhang + ball
            };
            gap + steep + strange + 10.0 * strain(hold.print) + CRAMPED * cramped(leg, hold, body, &look)
        };
        let put = PutDown { steepest: self.steepest, ..PutDown::default() };
        let at = |place: FloorPose| {
            let sole =
                Sole { foot: &leg.foot, points: leg.sole, leg: leg.length, outline: &leg.outline, under: &leg.under };
            put.run(sole, place, &look)
        };
        let first = at(place);
        let mut best = first.map(|hold| (bad(&hold), hold));
        if best.is_some_and(|(bad, _)| bad < 0.01) {
            return first;
        }
        for ring in RINGS {
            for k in 0..AROUND {
                let angle = std::f32::consts::TAU * k as f32 / AROUND as f32;
                let aside = floor::direction(place.heading + angle) * (ring * self.search * leg.length);
                let moved = FloorPose { position: place.position + aside, ..place };
                let off = ring * self.search;
                // Nothing that is farther can be better.
                if best.is_some_and(|(least, _)| least <= off) {
                    continue;
                }
                let found = at(moved).map(|hold| (off + bad(&hold), hold));
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

/// The share of heights at which a leg that stands on a foothold leans into the ground ahead or behind.
fn cramped(leg: &StandLeg, hold: &SolePlace, body: Quat, look: &dyn Fn(Vec2) -> Option<GroundHit>) -> f32 {
    if !leg.hangs() {
        // A leg that is spread goes over what lies between its foot and its body.
        let within = |(k, place): (usize, &Vec3A), way: f32| {
            let at = hold.print.translation + body * (*place + Vec3A::Z * (way * LEANS * place.y));
            let thick = THICK * leg.length * (k + 1) as f32 / LIMB as f32;
            look(floor::of_point(at)).is_some_and(|hit| hit.point.y + thick > at.y)
        };
        let count = |way: f32| leg.limb.iter().enumerate().filter(|place| within(*place, way)).count() as f32;
        return (count(1.0) + count(-1.0)) / LIMB as f32;
    }
    if leg.foot.is_point() {
        return 0.0;
    }
    let ahead = hold.print.rotation * Vec3A::Z;
    let within = |height: f32, way: f32| {
        let aside = (LEANS * height + THICK) * leg.length;
        let at = hold.print.translation + ahead * (way * aside);
        // What a slope does leaves room where a riser does not.
        look(floor::of_point(at)).is_some_and(|hit| hit.point.y > at.y + height * leg.length)
    };
    let count =
        AT_HEIGHTS.iter().flat_map(|height| [within(*height, 1.0), within(*height, -1.0)]).filter(|it| *it).count();
    count as f32 / AT_HEIGHTS.len() as f32
}
