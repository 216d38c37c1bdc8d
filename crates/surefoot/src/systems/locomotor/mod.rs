//! A live character: driven frame by frame over any ground, with feet that step, roll and stand properly.

mod aim;
mod blend;
mod body;
mod crowd;
mod detail;
mod fall;
mod fields;
mod flight;
mod fold;
mod foot;
mod going;
pub(crate) mod layers;
mod legs;
pub(crate) mod posed;
pub(crate) mod prepare;
pub(crate) mod record;
pub(crate) mod route;
pub(crate) mod state;
mod steered;
pub(crate) mod targets;
mod travel;

pub use crowd::{Actor, Crowd, DetailCounts};
pub use going::{GoTo, Going, GoingAround};
pub(crate) use layers::LayerState;
pub use layers::{JointMask, Layer, MOST_LAYERS};
pub use prepare::PrepareClips;
pub use route::FollowRoute;
pub(crate) use route::RouteState;
pub use state::{Action, ActionFeet, BodyPlace, Detail, FootEvent, FootEventKind, Intent, LocomotorState};
pub(crate) use state::{ActionState, LegState};
pub use steered::SteeredWalk;
pub(crate) use targets::TargetState;
pub use targets::{MOST_TARGETS, TargetLimb, Targets};

use crate::adapt::MotionField;
use crate::character::Character;
use crate::ik::{BendLeg, TwoBone};
use crate::library::locomotion::{BandSample, LocomotionClip, LocomotionClips, PoseMix};
use crate::math::{FloorPose, Rigid};
use crate::rig::{ModelPose, Pose};
use crate::world::Ground;
use glam::Vec3A;
use std::sync::Arc;

/// A character with the clips that it moves by, and how it moves; shared by all who look like it.
#[derive(Clone, Debug)]
pub struct Locomotor {
    character: Arc<Character>,
    clips: LocomotionClips,
    actions: Vec<LocomotionClip>,
    layers: Vec<Layer>,
    targets: Option<Targets>,
    field: MotionField,
    /// By leg, how near its end may come to its hip in the air, metres.
    nearest: Vec<f32>,
    /// How it moves.
    pub settings: LocomotorSettings,
}

/// How a live character moves. Lengths, times and speeds are those of a grown person, and are brought to its size.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct LocomotorSettings {
    /// How fast it gets going and stops at most, m/s².
    pub acceleration: f32,
    /// How long it takes to come to its speed from standing, and to stop, in rounds of its slowest walk: sooner the body leaves
    /// its feet behind, and goes down for them.
    pub first_step: f32,
    /// How fast it turns at most, rad/s.
    pub turn_rate: f32,
    /// How fast its turning changes, rad/s².
    pub turn_acceleration: f32,
    /// How much faster than its fastest clip it goes at most, as a share.
    pub most_speed: f32,
    /// How much quicker and slower than its clips it steps at most, as shares.
    pub cadence: [f32; 2],
    /// A step shorter than this share of the leg's length is not taken; one longer than the second is, by a leg that waits.
    pub parking: [f32; 2],
    /// The same of the turn of a foot, radians.
    pub parking_turn: [f32; 2],
    /// A leg that waits and should be farther away than this share of its length steps at once.
    pub unlock: f32,
    /// How much the body leans into what it speeds up and turns by, from 0 to 1.
    pub lean: f32,
    /// How much a body on four and more legs tilts with the ground ahead, from 0 to 1, and to a side.
    pub tilt: [f32; 2],
    /// How much a body on two legs leans into a slope, as a share of its angle.
    pub slope_lean: f32,
    /// How high a step up may be, as a share of the leg's length.
    pub step_up: f32,
    /// How long clips and actions take to fade into each other, seconds.
    pub fade: f32,
    /// How its legs bend.
    pub bend: BendLeg,
}

impl Default for LocomotorSettings {
    fn default() -> Self {
        Self {
            acceleration: 5.0,
            first_step: 0.8,
            turn_rate: 3.5,
            turn_acceleration: 15.0,
            most_speed: 1.3,
            cadence: [0.85, 1.4],
            parking: [0.04, 0.08],
            parking_turn: [0.1, 0.2],
            unlock: 0.25,
            lean: 0.3,
            tilt: [0.9, 0.25],
            slope_lean: 0.3,
            step_up: 0.6,
            fade: 0.25,
            // Standing legs are straight at times, and reach all the same.
            bend: BendLeg { stretch: TwoBone { soft: 0.992 }, ..BendLeg::default() },
        }
    }
}

/// One frame of a live character, and room to work; made once and used for every frame and every character of a kind.
#[derive(Clone, Debug)]
pub struct LocomotorFrame {
    /// The pose; its root is where the character is in the world.
    pub pose: Pose,
    /// The same in model space; left as it was where legs move as in the clips ([`Detail::NoIk`]), since nobody asks for it there.
    pub model: ModelPose,
    /// What feet did in this frame.
    pub events: Vec<FootEvent>,
    /// By leg, how far its foot is from where it should be, metres.
    pub missed: Vec<f32>,
    /// How the character has moved in this frame, in the frame it had before.
    pub root_motion: FloorPose,
    feet: Vec<foot::FootGoal>,
    blend: Blend,
    targets: Option<targets::TargetRoom>,
}

/// What of the clips is blended by weight beside their poses.
#[derive(Clone, Debug)]
struct Blend {
    /// By leg: the phase of its stance, its key times, where it stands.
    legs: Vec<blend::BlendedLeg>,
    /// How far a round goes in the character's frame, metres, and turns, radians.
    stride: BandSample,
    /// How long a round takes, seconds.
    seconds: f32,
    /// By clip: the weight of its steps, clips that stand left out.
    stepping: Vec<f32>,
}

/// One call of [`Locomotor::step`].
#[derive(Clone, Copy)]
struct Now<'a> {
    ground: &'a dyn Ground,
    time: f32,
    dt: f32,
    detail: Detail,
}

/// The longest time that a frame may take, seconds: longer ones are taken as so long.
const LONGEST: f32 = 0.25;
/// How soon weights come to what they should be, seconds.
const WEIGHS: f32 = 0.08;
/// Weights smaller than this are not sampled.
const LEAST_WEIGHT: f32 = 1e-3;

impl Locomotor {
    /// A character that moves by clips. `actions` are clips that can be played over or instead of walking.
    #[must_use]
    pub fn new(character: &Arc<Character>, clips: LocomotionClips, actions: Vec<LocomotionClip>) -> Self {
        Self {
            character: Arc::clone(character),
            nearest: fold::nearest_of(character, clips.clips()),
            clips,
            actions,
            layers: Vec::new(),
            targets: None,
            field: MotionField::default(),
            settings: LocomotorSettings::default(),
        }
    }

    /// Who moves.
    #[must_use]
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// What it moves by.
    #[must_use]
    pub fn clips(&self) -> &LocomotionClips {
        &self.clips
    }

    /// Clips that are played over or instead of walking.
    #[must_use]
    pub fn actions(&self) -> &[LocomotionClip] {
        &self.actions
    }

    /// Room for frames of this character.
    #[must_use]
    pub fn frame(&self) -> LocomotorFrame {
        let skeleton = &self.character.rig.skeleton;
        let legs = self.character.rig.legs.len();
        LocomotorFrame {
            pose: Pose::rest(skeleton),
            model: ModelPose::new(skeleton),
            events: Vec::with_capacity(4 * legs),
            missed: vec![0.0; legs],
            root_motion: FloorPose::ORIGIN,
            feet: vec![foot::FootGoal::default(); legs],
            blend: Blend {
                legs: vec![blend::BlendedLeg::default(); legs],
                stride: BandSample::default(),
                seconds: 1.0,
                stepping: vec![0.0; self.clips.clips().len()],
            },
            targets: self.targets.as_ref().map(|targets| targets.room(skeleton)),
        }
    }

    /// A character that stands at a place, its feet on the ground there.
    #[must_use]
    pub fn start(&self, place: FloorPose, ground: &dyn Ground, time: f32) -> LocomotorState {
        let leg = LegState {
            phase: 0.0,
            flying: false,
            landed: false,
            parked: true,
            from: Rigid::IDENTITY,
            from_surface: crate::world::SurfaceId(0),
            to: Rigid::IDENTITY,
            to_surface: crate::world::SurfaceId(0),
            goal: Rigid::IDENTITY,
            goal_surface: crate::world::SurfaceId(0),
            asked: FloorPose::ORIGIN,
            clearance: [[0.0; flight::KNOTS]; 2],
            awaits: [0.0; 2],
            step: Vec3A::ZERO,
            residual: Vec3A::ZERO,
            toes: 0.0,
            strain: 0.0,
            flat: 1.0,
            lowers: 0.0,
        };
        let mut styles = vec![0.0; self.clips.styles().len()];
        styles[0] = 1.0;
        let mut state = LocomotorState {
            place,
            height: 0.0,
            velocity: glam::Vec2::ZERO,
            turn_rate: 0.0,
            phase: 0.0,
            legs: vec![leg; self.character.rig.legs.len()],
            weights: vec![0.0; self.clips.clips().len()],
            wanted: vec![0.0; self.clips.clips().len()],
            styles,
            action: None,
            layers: [LayerState::default(); MOST_LAYERS],
            targets: [TargetState::default(); MOST_TARGETS],
            surface: crate::world::SurfaceId(0),
            cadence: 0.0,
            weighed: BandSample::default(),
            time: Some(time),
            idle: 0.0,
            acceleration: glam::Vec2::ZERO,
            wished: 0.0,
            turn_change: 0.0,
            bends_by: 0.0,
            rise: [0.0; 2],
            fresh: true,
            slope: glam::Vec2::ZERO,
            hold: 1.0,
            base: 0.0,
            falls: 0.0,
        };
        self.clips.weights(BandSample::default(), &state.styles, &mut state.weights);
        state.wanted.clone_from(&state.weights);
        let now = Now { ground, time, dt: 0.0, detail: Detail::Full };
        // From high above: nothing is known of the ground yet.
        let high = 1e3 * self.character.leg_length;
        let from = glam::Vec3::new(place.position.x, high, place.position.y);
        state.height = ground.below(from, 2.0 * high, time).map_or(0.0, |hit| hit.point.y);
        self.replant(&mut state, now);
        state
    }

    /// Goes on by `dt` seconds to `time`: where the character is, what it has in mind and where its feet are is in `state`,
    /// its pose and what its feet did in `frame`. Allocates nothing. Numbers that are none are taken as no wish; a frame of no
    /// time changes nothing.
    ///
    /// # Panics
    /// If state or frame were made for another locomotor.
    pub fn step(
        &self,
        state: &mut LocomotorState,
        intent: &Intent,
        ground: &dyn Ground,
        time: f32,
        dt: f32,
        frame: &mut LocomotorFrame,
    ) {
        self.step_with(state, intent, ground, [time, dt], Detail::Full, frame);
    }

    /// The same with less work: `clock` is the time and the time step, seconds.
    ///
    /// # Panics
    /// As [`step`](Self::step).
    pub fn step_with(
        &self,
        state: &mut LocomotorState,
        intent: &Intent,
        ground: &dyn Ground,
        clock: [f32; 2],
        detail: Detail,
        frame: &mut LocomotorFrame,
    ) {
        let [time, dt] = clock;
        let dt = if dt > 0.0 { dt.min(LONGEST) } else { 0.0 };
        let time = if time.is_finite() { time } else { state.time.unwrap_or(0.0) + dt };
        let now = Now { ground, time, dt, detail };
        frame.events.clear();
        let jumped = self.travel(state, intent, now, frame);
        self.weigh(state, intent, dt);
        self.act(state, intent, now);
        self.advance_layers(state, intent, dt);
        self.advance_targets(state, intent, dt);
        self.blend(state, frame);
        self.advance_phase(state, dt, &frame.blend);
        let posed = detail != Detail::Frozen;
        if posed {
            self.pose(state, frame);
        }
        if jumped {
            self.replant(state, now);
        }
        let before = state.hold;
        let held = self.hold(state, now);
        if held && before <= 0.0 {
            self.take_up_steps(state, now, frame);
        }
        if held {
            self.move_legs(state, now, frame);
        }
        if posed {
            if held {
                self.correct(state, frame);
            }
            let seeks = detail == Detail::Full && state.targets.iter().any(|target| target.weight > 0.0);
            if held || seeks {
                frame.pose.to_model(&self.character.rig.skeleton, &mut frame.model);
            }
            self.carry(state, now, frame, held);
            if held {
                self.bend_legs(state, now, frame);
            }
            if seeks {
                self.follow_targets(state, frame);
            }
        } else {
            // It goes on where it stands still.
            self.carry(state, now, frame, false);
        }
        state.time = Some(time);
    }

    /// Weights of clips for how the character moves.
    fn weigh(&self, state: &mut LocomotorState, intent: &Intent, dt: f32) {
        let fade = dt / self.settings.fade.max(1e-3);
        let wanted = intent.style.min(state.styles.len() - 1);
        let mut changed = false;
        for (i, share) in state.styles.iter_mut().enumerate() {
            let target = if i == wanted { 1.0 } else { 0.0 };
            changed |= *share != target;
            *share += (target - *share).clamp(-fade, fade);
        }
        if changed {
            let sum: f32 = state.styles.iter().sum();
            state.styles.iter_mut().for_each(|share| *share /= sum.max(1e-6));
        }
        let velocity = crate::math::floor::turned(state.velocity, -state.place.heading);
        let motion = BandSample { velocity, turn_rate: state.turn_rate };
        let near = (motion.velocity - state.weighed.velocity).length_squared() < 1e-6
            && (motion.turn_rate - state.weighed.turn_rate).abs() < 1e-3;
        if changed || !near {
            self.clips.weights(motion, &state.styles, &mut state.wanted);
            state.weighed = motion;
        }
        // They come to it in time, so that no pose changes within a frame.
        let soon = 1.0 - crate::math::single::exp(-dt / WEIGHS);
        for (weight, wanted) in state.weights.iter_mut().zip(&state.wanted) {
            let off = wanted - *weight;
            *weight = if off.abs() < 1e-5 { *wanted } else { *weight + off * soon };
        }
    }

    /// Begins, goes on with and ends actions.
    fn act(&self, state: &mut LocomotorState, intent: &Intent, now: Now<'_>) {
        let wanted = intent.action.filter(|action| action.action < self.actions.len());
        let fade = now.dt / self.settings.fade.max(1e-3);
        match (&mut state.action, wanted) {
            (Some(playing), Some(wanted)) if playing.action == wanted => {
                playing.time += now.dt;
                playing.weight = (playing.weight + fade).min(1.0);
            }
            (Some(playing), _) => {
                playing.time += now.dt;
                playing.weight -= fade;
                if playing.weight <= 0.0 {
                    state.action = None;
                }
            }
            (None, Some(action)) => state.action = Some(ActionState { action, time: 0.0, weight: fade.min(1.0) }),
            (None, None) => {}
        }
    }

    /// The blended pose in the character's own frame.
    fn pose(&self, state: &LocomotorState, frame: &mut LocomotorFrame) {
        let acting = state.action.map_or(0.0, |playing| crate::math::smoothstep(playing.weight));
        let mut mix = PoseMix::new();
        let clips = self.clips.clips();
        for (clip, weight) in clips.iter().zip(&state.weights) {
            let weight = weight * (1.0 - acting);
            if weight > LEAST_WEIGHT {
                let phase = if clip.moves() { state.phase } else { state.idle / clip.seconds };
                mix.add(clip, phase, weight);
            }
        }
        if let Some(playing) = state.action.filter(|_| acting > LEAST_WEIGHT) {
            let clip = &self.actions[playing.action.action];
            // An action ends in its last frame rather than going round.
            mix.add(clip, (playing.time / clip.seconds).min(0.9999), acting);
        }
        mix.run(&mut frame.pose.locals);
        self.bend_spine(state, &mut frame.pose);
        self.put_layers(state, &mut frame.pose);
    }
}
