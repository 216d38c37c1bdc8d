//! Strides: a clip cut at right stances, whose phase tells how far it is from one to the next.

use super::{StrideKind, StrideSlack, StrideStand};
use crate::math::{FloorPose, floor, smoothstep};
use crate::motion::{Clip, FootTrack};
use crate::rig::{LegId, Rig, Side};
use glam::Vec2;

/// A clip cut at right stances. Its phase is 0 in the middle of its first right stance, 1 in the middle of the next; left
/// stances have their middles half way, so that strides of one phase have their feet in the same places of their gait.
#[derive(Clone, Debug, PartialEq)]
pub struct Stride {
    /// What it is called.
    pub name: String,
    /// How it goes.
    pub kind: StrideKind,
    /// Whether it is blended in the group of its kind.
    pub grouped: bool,
    /// How much it turns, 1/m, left positive.
    pub curvature: f32,
    /// How long its path is, metres.
    pub length: f32,
    /// From its first right stance to its last, seconds.
    pub seconds: f32,
    /// Its last phase: 1 for walks and runs, which go round and round.
    pub rounds: f32,
    /// How fast it is at its first print, 0 walking, 1 running.
    pub entry_speed: f32,
    /// How fast it is at its last print.
    pub exit_speed: f32,
    /// What planning adds to its cost, seconds.
    pub penalty: f32,
    /// How far its last print may be put from where it is.
    pub slack: StrideSlack,
    /// Whether it begins or ends standing on both feet.
    pub stand: Option<StrideStand>,
    /// Whether it turns on the spot: it goes round, and hardly anywhere.
    pub turns_on_spot: bool,
    /// Its frames: a cycle for walks and runs; else with what was before and after it.
    pub(crate) clip: Clip,
    /// Where phases are in time, in order.
    pub(super) knots: Vec<PhaseKnot>,
    /// Where the root is, by frame, from that of phase 0; of a cycle one more, where the next round begins.
    pub(super) ways: Vec<FloorPose>,
    /// Where heel and ball of each foot are, by side and frame.
    pub(super) feet: [Vec<FootPoints>; 2],
    /// Its stances in order of their middles; of a cycle the right one and the left one.
    pub(crate) plants: Vec<Plant>,
}

/// When a phase is, seconds of the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PhaseKnot {
    pub(super) phase: f32,
    pub(super) time: f32,
}

/// A stance of a stride. All but its phase are told from its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plant {
    /// The foot.
    pub(crate) side: Side,
    /// Its middle.
    pub(crate) phase: f32,
    /// Its strike.
    pub(crate) strike: f32,
    /// When it is off.
    pub(crate) off: f32,
    /// While the heel holds.
    pub(crate) heel: Option<[f32; 2]>,
    /// While the ball holds.
    pub(crate) ball: Option<[f32; 2]>,
    /// The sole in the frame of the root of phase 0.
    pub(crate) sole: FloorPose,
    /// How much higher than the first print it is, metres.
    pub(crate) height: f32,
}

/// Two frames and the share of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Between {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) share: f32,
}

/// How root and feet move for a while, in the frame that the root has at its beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StrideStep {
    /// The root.
    pub(crate) root: FloorPose,
    /// How far heel and ball of the right foot and of the left one are moved.
    pub(crate) feet: [FootPoints; 2],
}

/// Heel and ball of a foot on the floor, metres, from the root.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FootPoints {
    pub(crate) heel: Vec2,
    pub(crate) ball: Vec2,
    /// How much of the point that it stands on, or would, is the ball's, else the heel's, 0 to 1.
    pub(crate) on_ball: f32,
}

impl FootPoints {
    fn towards(&self, other: &Self, share: f32) -> Self {
        Self {
            heel: self.heel.lerp(other.heel, share),
            ball: self.ball.lerp(other.ball, share),
            on_ball: self.on_ball + share * (other.on_ball - self.on_ball),
        }
    }

    /// The point between heel and ball.
    pub(crate) fn point(&self, on_ball: f32) -> Vec2 {
        self.heel.lerp(self.ball, on_ball)
    }

    /// Adds a share of another.
    pub(crate) fn add(&mut self, other: &Self, weight: f32) {
        self.heel += weight * other.heel;
        self.ball += weight * other.ball;
        self.on_ball += weight * other.on_ball;
    }
}

/// How far into its round a phase is, 0 to 1.
pub(crate) fn part_of_round(phase: f32) -> f32 {
    phase - phase.floor()
}

/// The place of a side in arrays of two.
pub(crate) fn index_of(side: Side) -> usize {
    match side {
        Side::Right => 0,
        Side::Left => 1,
    }
}

impl Stride {
    /// Whether it goes round and round.
    #[must_use]
    pub fn is_cycle(&self) -> bool {
        self.clip.cycle().is_some()
    }

    /// The time of a phase, seconds of the clip; a cycle's is in its first round.
    pub(crate) fn time_at(&self, phase: f32) -> f32 {
        let phase = if self.is_cycle() { part_of_round(phase) } else { phase };
        let (a, b) = self.around(|knot| knot.phase <= phase);
        a.time + (phase - a.phase) * (b.time - a.time) / (b.phase - a.phase)
    }

    /// The phase of a time, beyond its ends as next to them; of a cycle with its rounds.
    pub(super) fn phase_at(&self, time: f32) -> f32 {
        let rounds = if self.is_cycle() { (time / self.seconds).floor() } else { 0.0 };
        let time = time - rounds * self.seconds;
        let (a, b) = self.around(|knot| knot.time <= time);
        rounds + a.phase + (time - a.time) * (b.phase - a.phase) / (b.time - a.time)
    }

    /// How long a round would take at the pace of a phase, seconds.
    pub(crate) fn pace_at(&self, phase: f32) -> f32 {
        let phase = if self.is_cycle() { part_of_round(phase) } else { phase };
        let (a, b) = self.around(|knot| knot.phase <= phase);
        (b.time - a.time) / (b.phase - a.phase)
    }

    /// The knots before and after a place, where those before it are `before`; at the ends the nearest two.
    fn around(&self, before: impl Fn(&PhaseKnot) -> bool) -> (PhaseKnot, PhaseKnot) {
        let at = self.knots.iter().rposition(before).unwrap_or(0).min(self.knots.len() - 2);
        (self.knots[at], self.knots[at + 1])
    }

    /// The frames about a phase.
    pub(crate) fn frames_at(&self, phase: f32) -> Between {
        let at = self.time_at(phase) * self.clip.rate();
        let count = self.clip.frames();
        let first = (at.max(0.0) as usize).min(count - 1);
        let second = if first + 1 < count {
            first + 1
        } else if self.is_cycle() {
            0
        } else {
            first
        };
        Between { first, second, share: (at - first as f32).clamp(0.0, 1.0) }
    }

    /// Where the root is at a phase, from where it is at phase 0; whole rounds of a cycle are left out.
    pub(crate) fn way_at(&self, phase: f32) -> FloorPose {
        self.way(self.frames_at(phase))
    }

    fn way(&self, Between { first, share, .. }: Between) -> FloorPose {
        let (a, b) = (self.ways[first], self.ways[(first + 1).min(self.ways.len() - 1)]);
        FloorPose::new(a.position.lerp(b.position, share), a.heading + share * (b.heading - a.heading))
    }

    /// How much of the point that a foot stands on, or would, is the ball's at a phase, 0 to 1.
    pub(crate) fn on_ball(&self, side: Side, phase: f32) -> f32 {
        let Between { first, second, share } = self.frames_at(phase);
        let own = &self.feet[index_of(side)];
        own[first].on_ball + share * (own[second].on_ball - own[first].on_ball)
    }

    /// How root and feet move from one phase to a later one less than a round away.
    pub(crate) fn step(&self, from: f32, to: f32) -> StrideStep {
        let (a, b) = (self.frames_at(from), self.frames_at(to));
        let wraps = self.is_cycle() && part_of_round(to) < part_of_round(from);
        let next = self.way(b);
        let next = if wraps { self.ways[self.ways.len() - 1].then(next) } else { next };
        let root = self.way(a).inverse().then(next);
        let moved = |side: Side| {
            let own = &self.feet[index_of(side)];
            let at = |between: Between| own[between.first].towards(&own[between.second], between.share);
            let (from, to) = (at(a), at(b));
            FootPoints {
                heel: root.transform_point(to.heel) - from.heel,
                ball: root.transform_point(to.ball) - from.ball,
                on_ball: 0.5 * (from.on_ball + to.on_ball),
            }
        };
        StrideStep { root, feet: [moved(Side::Right), moved(Side::Left)] }
    }

    /// The plant of a side nearest to a phase; `None` if there is none within a third of a round.
    pub(crate) fn plant_near(&self, side: Side, phase: f32) -> Option<&Plant> {
        let far = |plant: &Plant| {
            let off = phase - plant.phase;
            if self.is_cycle() { (off - off.round()).abs() } else { off.abs() }
        };
        let own = self.plants.iter().filter(|plant| plant.side == side);
        own.min_by(|a, b| far(a).total_cmp(&far(b))).filter(|plant| far(plant) < 1.0 / 3.0)
    }
}

/// The difference in height at which the point that a foot stands on passes from heel to ball, metres of a person.
const PASSES: f32 = 0.015;

/// Where heel and ball of each foot are from the root, by leg and frame.
pub(super) fn feet(rig: &Rig, clip: &Clip, legs: [LegId; 2]) -> [Vec<FootPoints>; 2] {
    let tracks = FootTrack::of_all(rig, clip);
    let passes = 2.0 * rig.scale().length(PASSES);
    legs.map(|leg| {
        let track = &tracks[leg.index()];
        let at = |f: usize| {
            let (heel, ball) = (track.heels[f], track.balls[f]);
            let root_from_world = clip.roots()[f].inverse();
            let [on_heel, on_ball] = [heel, ball].map(|point| floor::of_point(root_from_world.transform_point(point)));
            FootPoints { heel: on_heel, ball: on_ball, on_ball: smoothstep((heel.y - ball.y) / passes + 0.5) }
        };
        (0..clip.frames()).map(at).collect()
    })
}
