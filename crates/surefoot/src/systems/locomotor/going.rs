//! Going to a place live, around what moves: along a path that may be another in every frame.

use super::{FollowRoute, Intent, LocomotorState, RouteState};
use crate::math::{floor, single};
use crate::plan::Path;
use crate::world::{GrownMap, Mover};
use glam::Vec2;

/// How a live character goes to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct GoTo {
    /// How it follows its path, arrives and faces.
    pub follow: FollowRoute,
    /// The room that it takes, a radius, metres.
    pub radius: f32,
    /// The room that it keeps from what moves beside that, metres.
    pub margin: f32,
    /// How far ahead it looks at what moves, seconds.
    pub foresight: f32,
    /// How long it takes to come to another velocity, seconds.
    pub responds: f32,
    /// Farther from its path than this it should be led by another, metres.
    pub strays: f32,
}

impl Default for GoTo {
    fn default() -> Self {
        Self { follow: FollowRoute::default(), radius: 0.3, margin: 0.15, foresight: 3.5, responds: 0.6, strays: 1.0 }
    }
}

/// A character on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Going {
    path: Path,
    /// How far along it is.
    pub route: RouteState,
    /// Whether it was pushed so far off its path that another should be found: [`Going::lead`].
    pub strayed: bool,
    /// How it gave way in the last frame, radians to the left of its way.
    gives_way: f32,
    /// The side on which it gave way last, until nothing is near any more: left positive.
    side: f32,
    /// For how long it has been slower than it should be, seconds.
    waited: f32,
}

/// What is around a character that goes somewhere.
#[derive(Clone, Copy, Default)]
pub struct GoingAround<'a> {
    /// What moves, as it will move.
    pub movers: &'a [Mover],
    /// The floor that is free, so that nobody is pushed into a wall; anywhere if `None`.
    pub floor: Option<&'a GrownMap>,
}

/// Ways to the side that are looked at, radians off the wish.
const ASIDE: [f32; 11] = [0.0, 0.25, -0.25, 0.5, -0.5, 0.85, -0.85, 1.3, -1.3, 2.2, -2.2];
/// Speeds that are looked at, as shares of the wish; the last stands and waits.
const SLOWER: [f32; 3] = [1.0, 0.55, 0.0];
/// Moments ahead at which it is looked where things are.
const LOOKS: usize = 10;
/// Cost of going at a share less of its speed, beside a radian to the side.
const WAITS: f32 = 1.1;
/// Cost of going another way than in the last frame, for a radian: so that it does not waver.
const WAVERS: f32 = 0.15;
/// Cost of passing on another side than that begun.
const CHANGES_SIDE: f32 = 1.5;
/// How far ahead on its path it is led where it gives way, as a share of how far it looks ahead.
const LEADS: f32 = 0.7;
/// Cost of coming too near at once; less for what is farther ahead.
const HIT: f32 = 8.0;
/// The longest wait that counts, seconds.
const LONGEST_WAIT: f32 = 4.0;
/// How far off the way it goes before it turns to where it goes, radians.
const TURNS: f32 = 0.35;

impl Going {
    /// On its way along a path.
    #[must_use]
    pub fn along(path: Path) -> Self {
        Self { path, route: RouteState::default(), strayed: false, gives_way: 0.0, side: 0.0, waited: 0.0 }
    }

    /// The path that it follows.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Goes on along another path, which may begin anywhere near it.
    pub fn lead(&mut self, path: Path) {
        (self.path, self.route, self.strayed) = (path, RouteState::default(), false);
    }

    /// Whether it has come to its end and stands.
    #[must_use]
    pub fn arrived(&self) -> bool {
        self.route.arrived
    }
}

impl GoTo {
    /// The wish of a character on its way, in a frame of `dt` seconds at `time`. Allocates nothing.
    #[must_use]
    pub fn run(
        &self,
        going: &mut Going,
        around: GoingAround<'_>,
        state: &LocomotorState,
        time: f32,
        dt: f32,
    ) -> Intent {
        let wish = self.follow.run(&going.path, &mut going.route, state, dt);
        let here = floor::at_height(state.place.position, state.height);
        let off = going.path.at(going.route.along) - here;
        going.strayed = Vec2::new(off.x, off.z).length() > self.strays;
        let near = |mover: &&Mover| {
            let reach = self.follow.speed * self.foresight + self.radius + self.margin;
            let comes = mover.track.velocity(time).length() * self.foresight;
            mover.distance(state.place.position, time) < reach + comes
        };
        if !around.movers.iter().any(|mover| near(&mover)) {
            (going.gives_way, going.side, going.waited) = (0.0, 0.0, 0.0);
            return wish;
        }
        if going.gives_way == 0.0 && self.meets(state, wish.velocity, around, time) == 0.0 {
            going.waited = (going.waited - dt).max(0.0);
            return wish;
        }
        // On its way it wants to go on; at its end it wants to stand there, and may be pushed away.
        let look = self.follow.speed * self.follow.look;
        let on_way = going.path.length() - going.route.along > 1.5 * look;
        // Where it is led farther on: a way beside the path does not turn back to it at once.
        let target = going.path.at(going.route.along + look.max(LEADS * self.foresight * self.follow.speed)) - here;
        let target = Vec2::new(target.x, target.z);
        let (speed, ahead) = if on_way && target.length() > 1e-3 {
            (self.follow.speed, floor::heading_of(target))
        } else {
            let wished = wish.velocity.length();
            (wished, if wished > 1e-3 { floor::heading_of(wish.velocity) } else { state.place.heading })
        };
        let mut best = (f32::INFINITY, 0.0_f32, 0.0_f32);
        for slower in SLOWER {
            for aside in ASIDE {
                let pace = speed.max(0.6 * self.follow.speed);
                let stays = !on_way && aside == 0.0;
                let goes = if stays { speed * slower } else { pace * slower };
                if goes == 0.0 && aside != 0.0 {
                    continue;
                }
                let velocity = goes * floor::direction(ahead + aside);
                let less = if stays { 0.0 } else { 1.0 - slower };
                let cost = aside.abs()
                    + WAITS * (1.0 + going.waited) * less
                    + WAVERS * (aside - going.gives_way).abs()
                    + if aside * going.side < 0.0 { CHANGES_SIDE } else { 0.0 };
                if cost >= best.0 {
                    continue;
                }
                let cost = cost + self.meets(state, velocity, around, time);
                if cost < best.0 {
                    best = (cost, aside, goes);
                }
            }
        }
        let (_, aside, goes) = best;
        going.gives_way = aside;
        if aside != 0.0 {
            going.side = aside;
        }
        // Who waits for something that stays goes round it in the end.
        let waits = goes < 0.9 * speed;
        going.waited = if waits { (going.waited + dt).min(LONGEST_WAIT) } else { (going.waited - dt).max(0.0) };
        if aside == 0.0 && (goes - speed).abs() < 1e-6 {
            // The way is free again.
            return wish;
        }
        let velocity = goes * floor::direction(ahead + aside);
        let turned = aside.abs() > TURNS && goes > 0.2 * self.follow.speed;
        let facing = if turned { Some(floor::heading_of(velocity)) } else { wish.facing };
        Intent { velocity, facing, ..wish }
    }

    /// What it costs to go like this: how soon it comes too near to what moves, or to a wall.
    fn meets(&self, state: &LocomotorState, velocity: Vec2, around: GoingAround<'_>, time: f32) -> f32 {
        let mut worst = 0.0_f32;
        for look in 1..=LOOKS {
            // Sooner moments are looked at more closely.
            let share = look as f32 / LOOKS as f32;
            let after = self.foresight * share * share;
            // It takes a moment to come to a velocity.
            let lag = self.responds * (1.0 - single::exp(-after / self.responds.max(1e-3)));
            let place = state.place.position + after * velocity + lag * (state.velocity - velocity);
            let soon = 1.0 - 0.7 * share;
            for mover in around.movers {
                let lacking =
                    1.0 - (mover.distance(place, time + after) - self.radius).max(0.0) / self.margin.max(1e-3);
                if lacking > 0.0 {
                    worst = worst.max(HIT * soon * (0.3 + 0.7 * lacking));
                }
            }
            if around.floor.is_some_and(|map| share < 0.7 && !map.is_free(place)) {
                worst = worst.max(HIT * soon);
            }
        }
        worst
    }
}
