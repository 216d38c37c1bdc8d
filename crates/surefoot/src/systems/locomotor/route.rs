//! Going somewhere live: a wish for every frame that follows a path and comes to stand at its end.

use super::{Intent, LocomotorState};
use crate::math::{floor, wrap_angle};
use crate::plan::Path;
use glam::Vec2;

/// How a live character follows a path.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct FollowRoute {
    /// How fast it goes, m/s.
    pub speed: f32,
    /// How far ahead it looks along the path, as seconds of its way.
    pub look: f32,
    /// How hard it slows down for the end and for corners, m/s².
    pub braking: f32,
    /// The way that it faces at the end, radians; as it comes if `None`.
    pub facing: Option<f32>,
    /// It has arrived nearer to the end than this, metres.
    pub near: f32,
}

impl Default for FollowRoute {
    fn default() -> Self {
        Self { speed: 1.4, look: 0.4, braking: 2.0, facing: None, near: 0.01 }
    }
}

/// How far along a path a character is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RouteState {
    /// Metres from its start.
    pub along: f32,
    /// Whether it has come to its end and stands.
    pub arrived: bool,
}

/// It goes no more askew than this, radians.
const ASKEW: f32 = 0.3;
/// However sharp a corner, it goes on at this share of its speed: long bodies turn as they go.
const SLOWEST: f32 = 0.4;
/// A way that leads this far off where it faces is gone at half the speed, radians.
const SHARP: f32 = 0.6;

impl FollowRoute {
    /// The wish of a character that follows a path, in a frame of `dt` seconds; where it is on it is kept in `route`.
    #[must_use]
    pub fn run(&self, path: &Path, route: &mut RouteState, state: &LocomotorState, dt: f32) -> Intent {
        let here = floor::at_height(state.place.position, state.height);
        // A path may cross itself: only what lies near ahead is looked at.
        let reach = route.along + 2.0 * self.speed * (self.look + dt) + 0.2;
        let found = path.nearest_after(here, route.along).s;
        route.along = if found <= reach { found } else { route.along };
        let left = (path.length() - route.along).max(0.0);
        let end = path.end();
        let to_end = Vec2::new(end.x, end.z) - state.place.position;
        let ahead = self.speed * self.look;
        let slow = (2.0 * self.braking * (left + 0.02)).sqrt().min(self.speed);
        if left < 1.5 * ahead && to_end.length() < 2.0 * ahead {
            let facing = self.facing.filter(|_| left < ahead);
            let far = to_end.length();
            let turned = facing.map_or(0.0, |facing| wrap_angle(facing - state.place.heading).abs());
            if far < self.near && turned < 0.02 {
                route.arrived = true;
                return Intent { facing, ..Intent::default() };
            }
            let slow = (2.0 * self.braking * far).sqrt().min(self.speed).min(4.0 * far);
            let heading = (far > 0.1).then(|| floor::heading_of(to_end));
            return Intent {
                velocity: to_end.normalize_or_zero() * slow,
                facing: facing.or(heading),
                ..Intent::default()
            };
        }
        let target = path.at(route.along + ahead);
        let way = Vec2::new(target.x, target.z) - state.place.position;
        let heading = floor::heading_of(way);
        let off = wrap_angle(heading - state.place.heading);
        // It turns into its way rather than going sideways, and takes a sharp corner slowly.
        let corner = 1.0 / (1.0 + (off / SHARP).powi(2));
        let goes = floor::direction(state.place.heading + off.clamp(-ASKEW, ASKEW));
        let velocity = goes * (slow * corner).max(SLOWEST * self.speed);
        Intent { velocity, facing: Some(heading), ..Intent::default() }
    }
}
