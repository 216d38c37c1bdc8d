//! What a live character remembers from frame to frame: plain data, which can be copied, stored and put back.

use super::flight::KNOTS;
use super::{LayerState, MOST_LAYERS, MOST_TARGETS, TargetState};
use crate::library::locomotion::BandSample;
use crate::math::{FloorPose, Rigid};
use crate::rig::LegId;
use crate::world::SurfaceId;
use glam::{Vec2, Vec3, Vec3A};

/// What somebody wants of a live character in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Intent {
    /// Where it should go, m/s over the floor of the world (x, z), beside what it stands on.
    pub velocity: Vec2,
    /// Where it should face, radians, left positive; where it faces already if `None`.
    pub facing: Option<f32>,
    /// Where the game has put it, if the game moves it itself; `velocity` and `facing` are then not asked.
    pub body: Option<BodyPlace>,
    /// The manner of moving: its number among the styles.
    pub style: usize,
    /// A clip that is played over or instead of walking, such as a jump.
    pub action: Option<Action>,
    /// By layer, how much of it should be in the pose, from 0 to 1: it fades there.
    pub layers: [f32; MOST_LAYERS],
    /// By limb that looks or reaches, what for: metres, world.
    pub targets: [Option<Vec3>; MOST_TARGETS],
}

/// Where a game has put a character, as a capsule of its own stands.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyPlace {
    /// Its lowest point, metres, world. The body follows its feet in height, not this, but in the air.
    pub position: Vec3,
    /// The way it faces, radians, left positive.
    pub heading: f32,
}

/// A clip that is played over or instead of walking.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Action {
    /// Its number among the actions.
    pub action: usize,
    /// What feet do meanwhile.
    pub feet: ActionFeet,
}

/// What feet do during an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum ActionFeet {
    /// They stay where they stand, and step if the character goes on; the action moves the body over them.
    Stay,
    /// They go as in the clip, as in a jump, and are put down again afterwards.
    Free,
}

/// How much work is put into a character; where it goes is the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Detail {
    /// Whole soles are put on the ground.
    #[default]
    Full,
    /// Feet are put on the ground with one look each.
    CheapLegs,
    /// Legs move as in the clips.
    NoIk,
    /// The pose stands still.
    Frozen,
}

/// A leg from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LegState {
    /// Where it is in its round: 0 in its stance, 1 in the next.
    pub phase: f32,
    /// Whether its foot is in the air.
    pub flying: bool,
    /// Whether its foot has come down, but its stance is still ahead.
    pub landed: bool,
    /// Whether it waits in its stance for a step that is worth it.
    pub parked: bool,
    /// The print that it stands on or has left, the sole's frame in the world.
    pub from: Rigid,
    /// The surface of that print.
    pub from_surface: SurfaceId,
    /// The print that it goes to, or that it has come to.
    pub to: Rigid,
    /// The surface of that.
    pub to_surface: SurfaceId,
    /// The print that it should go to: `to` comes to it in time.
    pub(super) goal: Rigid,
    /// The surface of that.
    pub(super) goal_surface: SurfaceId,
    /// The place for which the goal was found.
    pub(super) asked: FloorPose,
    /// How far it is raised to pass over the ground between its prints at even times of its flight, metres, and how far it
    /// should be.
    pub(super) clearance: [[f32; KNOTS]; 2],
    /// By which share it goes on more slowly at first, or below 0 at last, to pass over an edge, and by which it should.
    pub(super) awaits: [f32; 2],
    /// Its last step, from print to print, metres.
    pub(super) step: Vec3A,
    /// What its path lacks to where it left the ground or came down, metres.
    pub(super) residual: Vec3A,
    /// How far its toes are turned up so as not to be in the ground, radians.
    pub(super) toes: f32,
    /// How long it has not reached its print, from 0 to 1.
    pub(super) strain: f32,
    /// How flat its foot lies while it is parked, from 0 to 1; of a given pose, how far it has flown.
    pub(super) flat: f32,
    /// How far the body goes down for where it will land, in a given pose, metres times the number of legs.
    pub(super) lowers: f32,
}

/// What happened to a foot in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FootEvent {
    /// The leg.
    pub leg: LegId,
    /// What it did.
    pub kind: FootEventKind,
    /// The print: the sole's frame in the world.
    pub print: Rigid,
}

/// What a foot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum FootEventKind {
    /// It touches the ground.
    Strike,
    /// It leaves the ground.
    Off,
}

/// An action that is being played.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ActionState {
    /// Which.
    pub action: Action,
    /// For how long, seconds.
    pub time: f32,
    /// How much of it is in the pose, from 0 to 1.
    pub weight: f32,
}

/// Everything that a live character remembers.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocomotorState {
    /// Where it is on the floor of the world.
    pub place: FloorPose,
    /// The height of the ground under it, metres, world; of its lowest point in the air.
    pub height: f32,
    /// Its velocity over what it stands on, m/s, world (x, z).
    pub velocity: Vec2,
    /// Its turning rate, rad/s, left positive.
    pub turn_rate: f32,
    /// Where the walk is in its round, from 0 to 1.
    pub phase: f32,
    /// By leg.
    pub legs: Vec<LegState>,
    /// By clip, how much of it is in the pose.
    pub weights: Vec<f32>,
    /// By clip, how much of it should be.
    pub(super) wanted: Vec<f32>,
    /// By style, its share.
    pub styles: Vec<f32>,
    /// The action that is played, if any.
    pub action: Option<ActionState>,
    /// By layer.
    pub layers: [LayerState; MOST_LAYERS],
    /// By limb that looks or reaches.
    pub targets: [TargetState; MOST_TARGETS],
    /// What it stands on.
    pub surface: SurfaceId,
    /// How many rounds a second its walk goes.
    pub(super) cadence: f32,
    /// The motion that its weights are for.
    pub(super) weighed: BandSample,
    /// The time of its last frame, seconds; `None` before the first.
    pub(super) time: Option<f32>,
    /// For how long it has been standing about, seconds: the time of clips that stand.
    pub(super) idle: f32,
    /// Its acceleration, smoothed, m/s², world (x, z).
    pub(super) acceleration: Vec2,
    /// How fast it should go, m/s.
    pub(super) wished: f32,
    /// How its turning rate changes, smoothed, rad/s².
    pub(super) turn_change: f32,
    /// Its turning rate as its spine and neck follow it, smoothed, rad/s.
    pub(super) bends_by: f32,
    /// How far the body is from where its clips have it, metres, and how fast that changes, m/s.
    pub(super) rise: [f32; 2],
    /// Whether all feet were just put down: the body comes to its height at once.
    pub(super) fresh: bool,
    /// How steep the ground is under its feet, to its left and ahead, smoothed: rise over run.
    pub(super) slope: Vec2,
    /// How much feet are held to the ground, from 0 to 1.
    pub(super) hold: f32,
    /// The height of the ground under its feet on average, metres.
    pub(super) base: f32,
    /// How fast it falls, m/s; 0 on the ground.
    pub(super) falls: f32,
}

impl LocomotorState {
    /// Becomes what another state is, in the room that it has: for a snapshot in every frame. Allocates nothing where both are of
    /// one locomotor.
    pub fn copy_from(&mut self, other: &Self) {
        let [mut weights, mut wanted, mut styles] =
            [&mut self.weights, &mut self.wanted, &mut self.styles].map(std::mem::take);
        let mut legs = std::mem::take(&mut self.legs);
        legs.clone_from(&other.legs);
        weights.clone_from(&other.weights);
        wanted.clone_from(&other.wanted);
        styles.clone_from(&other.styles);
        *self = Self { legs, weights, wanted, styles, ..*other };
    }
}
