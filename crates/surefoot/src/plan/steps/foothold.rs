//! Footholds: where a sole can stand near a place.

use crate::character::StandLeg;
use crate::math::{FloorPose, Rigid, floor, single};
use crate::world::{Ground, GroundHit, SurfaceId};
use glam::{Mat3, Quat, Vec2, Vec3, Vec3A};

/// How a foothold is sought.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// A place for a sole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foothold {
    /// The sole's frame in the world: no point of it is under the ground.
    pub print: Rigid,
    /// How far heel or ball is over the ground, metres; more than 0 at edges.
    pub gap: f32,
    /// How steep the ground is there, radians.
    pub slope: f32,
    /// What it stands on.
    pub surface: SurfaceId,
}

/// How the ground is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The height from which looks go down, metres.
    pub from: f32,
    /// How deep they go, metres.
    pub reach: f32,
    /// When, seconds.
    pub time: f32,
}

/// Rings of places that are looked at, as shares of the search.
const RINGS: [f32; 3] = [0.3, 0.6, 1.0];
/// A sole that would be tilted more than this against the ground in its middle lies across an edge: rise over run.
const EDGE: f32 = 0.3;
/// Places on a ring.
const AROUND: usize = 8;

impl FindFoothold {
    /// The best foothold for a leg near `place`, on the ground as a look at it sees it. `strain` tells how badly the leg
    /// reaches a print, 0 if well. Takes the place itself if nothing speaks against it; `None` without ground.
    #[must_use]
    pub fn run(
        &self,
        ground: &dyn Ground,
        leg: &StandLeg,
        place: FloorPose,
        look: Look,
        strain: impl Fn(Rigid) -> f32,
    ) -> Option<Foothold> {
        let cost = |hold: &Foothold| {
            let moved = floor::of_point(hold.print.translation).distance(place.position) / leg.length;
            let steep = (hold.slope - 0.65).max(0.0);
            let strange = if hold.surface == SurfaceId::NONE { 0.3 } else { 0.0 };
            (moved + 1.5 * hold.gap / leg.length + steep + strange + 10.0 * strain(hold.print), moved)
        };
        let first = self.at(ground, leg, place, look);
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
                let found = self.at(ground, leg, moved, look).map(|hold| (cost(&hold).0, hold));
                if let Some((cost, hold)) = found
                    && best.is_none_or(|(least, _)| cost < least - 1e-4)
                {
                    best = Some((cost, hold));
                }
            }
        }
        best.map(|(_, hold)| hold)
    }

    /// The sole put down at a place, as the ground there turns it.
    fn at(&self, ground: &dyn Ground, leg: &StandLeg, place: FloorPose, look: Look) -> Option<Foothold> {
        let look = |p: Vec2| ground.below(floor::at_height(p, look.from), look.reach, look.time);
        let middle = look(place.position)?;
        let slope = single::acos(middle.normal.y.clamp(-1.0, 1.0));
        let yaw = place.to_rigid();
        if leg.foot.is_point() {
            let print = Rigid { translation: middle.point.into(), ..yaw };
            // Near an edge the ground is not where its plane goes on.
            let edge = |aside: Vec2| {
                let at = aside * (0.02 * leg.length);
                let plane =
                    middle.point.y - at.dot(Vec2::new(middle.normal.x, middle.normal.z)) / middle.normal.y.max(0.1);
                look(place.position + at).map_or(0.1 * leg.length, |hit| (hit.point.y - plane).abs())
            };
            let gap = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].map(edge).into_iter().fold(0.0, f32::max);
            // A point stands on one side of an edge or on the other, and nowhere near it.
            let gap = if gap < 3e-3 * leg.length { 0.0 } else { gap + 0.06 * leg.length };
            return Some(Foothold { print, gap, slope, surface: middle.surface });
        }
        // Pitch from under heel and ball, roll from under both sides; neither over an edge.
        let most = single::tan(self.steepest);
        let tilt = |a: Vec2, b: Vec2, along: Vec3A| {
            // As the ground itself has it in the middle; a sole that would lie otherwise lies across an edge.
            let own = -Vec3::from(along).dot(middle.normal) / middle.normal.y.max(0.1);
            let own = if own.abs() <= most { own } else { 0.0 };
            let [a, b] = [a, b].map(|p| look(place.transform_point(p)).map(|hit: GroundHit| hit.point));
            let (Some(a), Some(b)) = (a, b) else { return own };
            let run = floor::of_point((b - a).into()).length();
            let tilt = (b.y - a.y) / run.max(1e-4);
            if tilt.abs() <= most && (tilt - own).abs() < EDGE { tilt } else { own }
        };
        let [back, front] = leg.sole.map(floor::of_point);
        let side = Vec2::new(0.5 * leg.foot.width.max(0.2 * leg.foot.length), 0.0);
        let pitch = tilt(back, front, yaw.rotation * Vec3A::Z);
        let roll = tilt(-side, side, yaw.rotation * Vec3A::X);
        let ahead = Vec3::from(yaw.rotation * Vec3A::Z) + Vec3::Y * pitch;
        let left = Vec3::from(yaw.rotation * Vec3A::X) + Vec3::Y * roll;
        let up = ahead.cross(left).normalize();
        let ahead = ahead.normalize();
        let rotation = Quat::from_mat3(&Mat3::from_cols(up.cross(ahead), up, ahead)).normalize();

        // As low as the sole allows, with a little room around it.
        let flat = Rigid { rotation, translation: floor::at_height(place.position, 0.0).into() };
        let (mut y, mut least) = (f32::NEG_INFINITY, f32::INFINITY);
        let [heel, ball] = leg.sole;
        let (wide, long) = (Vec3A::X * (0.4 * leg.foot.width), Vec3A::Z * (0.02 * leg.length));
        let corners = [heel - long - wide, heel - long + wide, ball + long - wide, ball + long + wide];
        for point in corners.into_iter().chain([heel, ball, 0.5 * (heel + ball)]) {
            let point = flat.transform_point(point);
            // Beyond an edge there may be nothing to stand on.
            let Some(hit) = look(floor::of_point(point)) else {
                least = least.min(middle.point.y - 0.1 * leg.length);
                continue;
            };
            y = y.max(hit.point.y - point.y);
            least = least.min(hit.point.y - point.y);
        }
        let print = Rigid { rotation, translation: floor::at_height(place.position, y).into() };
        Some(Foothold { print, gap: y - least, slope: slope.min(1.2), surface: middle.surface })
    }
}
