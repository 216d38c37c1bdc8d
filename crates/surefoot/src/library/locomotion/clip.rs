//! One clip as a live character uses it: poses by phase, how it moves, and what each leg does in a round.

use super::BandSample;
use super::baked::Baked;
use super::key_times::KeyTimes;
use super::mix::bring_signs_together;
use super::notes::ClipNotes;
use crate::character::Character;
use crate::math::{FloorPose, Rigid, floor, quat, sinc};
use crate::motion::{Clip, Stance, Take};
use crate::rig::{LegId, Pose, Skeleton};
use glam::{Vec2, Vec3A};
use std::ops::Range;

/// How finely a leg's flight is stored.
pub(crate) const LOOKS: usize = 32;

/// What a leg does in one round, told from its stance on: at leg phase 0 it stands, and at 1 it stands again.
#[derive(Clone, Debug, PartialEq)]
pub struct LegCycle {
    /// The phase of the clip at which it stands: its foot is flat, and half way between where it lands and where it leaves.
    pub stance: f32,
    /// The leg phase at which its sole begins to leave the ground.
    pub lift: f32,
    /// The leg phase at which the last of it leaves.
    pub off: f32,
    /// The leg phase at which it touches again.
    pub strike: f32,
    /// The leg phase at which the whole sole is down again.
    pub land: f32,
    /// Where its sole is in the character's frame when it stands.
    pub place: FloorPose,
    /// How far it has come from print to print, from 0 to 1, at even times of its flight.
    progress: [f32; LOOKS + 1],
    /// How high the lower of heel and ball is over the ground at those times, metres.
    height: [f32; LOOKS + 1],
}

/// A clip that a live character blends with others.
#[derive(Clone, Debug, PartialEq)]
pub struct LocomotionClip {
    name: String,
    /// How long a round takes, seconds.
    pub seconds: f32,
    /// How it moves; standing still for an idle.
    pub motion: BandSample,
    /// By leg; empty for a clip that stands.
    pub legs: Vec<LegCycle>,
    /// Where each sole stands in the character's frame: its place at its stance, or on average in a clip that stands.
    pub places: Vec<FloorPose>,
    /// What is added to the common phase to get the clip's own, so that legs of all clips stand together.
    pub(super) offset: f32,
    pub(super) joints: usize,
    /// By frame, then by joint; the character's travel is taken out.
    pub(super) poses: Vec<Rigid>,
    /// Whether a joint comes back to its start with its rotation's other sign.
    turned: bool,
    /// By leg, then by frame: where its sole is in the character's frame.
    pub(super) soles: Vec<Vec<Rigid>>,
}

/// Why a clip cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LocomotionError {
    /// It does not meet its start.
    #[error("clip {0:?} does not go round")]
    NoCycle(String),
    /// A leg never stands, or never leaves the ground, in a clip that moves.
    #[error("clip {clip:?}: leg {leg} does not step once in a round")]
    NoStep {
        /// The clip.
        clip: String,
        /// The leg's place in the rig.
        leg: usize,
    },
    /// There is no clip that moves.
    #[error("no clip moves")]
    NoneMoves,
    /// It was made for another body.
    #[error("clip {0:?} was made for another skeleton")]
    Skeleton(String),
}

/// A sole begins to leave no sooner than this after its stance, rounds: that is when a leg decides whether to step.
const LEAST_LIFT: f32 = 0.01;
/// A foot that holds its place for less than this share of a round stands while it touches the ground.
const BRIEF: f32 = 0.1;
/// Clips of fewer poses a second were drawn, Hz.
const DRAWN: f32 = 60.0;
/// A foot that is higher than this share of the leg's length is in the air.
const FLIES: f32 = 0.1;
/// Slower than this share of a leg length a second a clip stands.
const STANDS: f32 = 0.05;

impl LocomotionClip {
    /// A cycle whose feet stand still, as clean-up gives it: `take` goes through it more than once, and `round` are the frames
    /// of one round of it, after which the root has gone `travel`.
    ///
    /// # Errors
    /// If a leg does not step once in a round, or it is of another skeleton.
    pub fn cycle(
        character: &Character,
        take: &Take,
        round: Range<usize>,
        travel: Rigid,
    ) -> Result<Self, LocomotionError> {
        Self::cycle_as_drawn(character, take, &take.clip, round, travel)
    }

    /// The same of a clip whose feet were held, with the clip as it was drawn, frame by frame: that tells when feet touch and leave.
    pub(crate) fn cycle_as_drawn(
        character: &Character,
        take: &Take,
        drawn: &Clip,
        round: Range<usize>,
        travel: Rigid,
    ) -> Result<Self, LocomotionError> {
        let clip = &take.clip;
        let name = clip.name().to_owned();
        if clip.skeleton() != character.rig.skeleton.key() {
            return Err(LocomotionError::Skeleton(name));
        }
        let seconds = round.len() as f32 / clip.rate();
        let even = steady(travel, seconds);
        if even.velocity.length() < STANDS * character.leg_length && even.turn_rate.abs() < 0.2 {
            return Ok(Self::standing(character, &clip.trimmed(round), take.ground));
        }
        let frame = |f: usize| steady_place(even, (f as f32 - round.start as f32) / clip.rate());
        let baked = Baked::new(character, clip, take.ground, round.clone(), frame);
        let baked = if clip.rate() < DRAWN { baked.smoothed(character, clip.rate()) } else { baked };
        let motion = baked.motion(even);
        let as_drawn = Baked::new(character, drawn, take.ground, round.clone(), frame);
        let as_drawn = if clip.rate() < DRAWN { as_drawn.smoothed(character, clip.rate()) } else { as_drawn };
        let mut legs = Vec::with_capacity(character.rig.legs.len());
        for (leg, _) in character.rig.legs() {
            let of_leg = take.stances.iter().filter(|stance| stance.leg() == leg);
            let start = round.start as f32 / clip.rate();
            let cycle = LegCycle::new(
                character,
                [&baked, &as_drawn],
                leg,
                of_leg,
                &Round { motion, seconds, start, drawn: clip.rate() < DRAWN },
            );
            legs.push(cycle.ok_or_else(|| LocomotionError::NoStep { clip: name.clone(), leg: leg.index() })?);
        }
        let places = legs.iter().map(|leg| leg.place).collect();
        let (joints, soles, poses) = (clip.joints(), baked.soles, baked.poses);
        let mut clip = Self { name, seconds, motion, legs, places, offset: 0.0, joints, poses, turned: false, soles };
        clip.hold_on_prints(character);
        Ok(clip)
    }

    /// Holds its feet where its legs say that they stand, and takes down how they fly then.
    fn hold_on_prints(&mut self, character: &Character) {
        self.hold_feet(character);
        self.turned = bring_signs_together(&mut self.poses, &character.stand.pose.locals);
        for leg in 0..self.legs.len() {
            let soles = &self.soles[leg];
            let at = |phase: f32| {
                let (first, second, share) = between(phase, soles.len());
                soles[first].lerp(soles[second], share)
            };
            let stance = self.legs[leg].stance + self.offset;
            self.legs[leg].look_at_flight(character, leg, stance, &at, self.motion, self.seconds);
        }
    }

    /// A clip in which nobody goes anywhere, on ground of this height, metres.
    #[must_use]
    pub fn standing(character: &Character, clip: &Clip, ground: f32) -> Self {
        let baked = Baked::new(character, clip, ground, 0..clip.frames(), |_| FloorPose::ORIGIN);
        let mean = |leg: usize| {
            let soles = &baked.soles[leg];
            let place = soles.iter().map(|sole| floor::of_point(sole.translation)).sum::<Vec2>() / soles.len() as f32;
            FloorPose::new(place, heading_of_sole(character, leg, soles[0]))
        };
        let places = (0..character.rig.legs.len()).map(mean).collect();
        let mut poses = baked.poses;
        let turned = bring_signs_together(&mut poses, &character.stand.pose.locals);
        Self {
            name: clip.name().to_owned(),
            seconds: clip.duration().max(1.0 / clip.rate()),
            motion: BandSample::default(),
            legs: Vec::new(),
            places,
            offset: 0.0,
            joints: clip.joints(),
            poses,
            turned,
            soles: baked.soles,
        }
    }

    /// Poses of a clip and nothing else.
    pub(super) fn bare(skeleton: &Skeleton, clip: &Clip) -> Self {
        let mut poses: Vec<Rigid> = (0..clip.frames()).flat_map(|f| clip.frame(f).iter().copied()).collect();
        let turned = bring_signs_together(&mut poses, skeleton.rest());
        Self {
            name: clip.name().to_owned(),
            seconds: clip.duration().max(1.0 / clip.rate()),
            motion: BandSample::default(),
            legs: Vec::new(),
            places: Vec::new(),
            offset: 0.0,
            joints: clip.joints(),
            poses,
            turned,
            soles: Vec::new(),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it goes anywhere.
    #[must_use]
    pub fn moves(&self) -> bool {
        !self.legs.is_empty()
    }

    /// Whether all feet are in the air at once at some time, as in a jump.
    #[must_use]
    pub fn flies(&self, character: &Character) -> bool {
        let high = |leg: usize, frame: usize| {
            let points = character.stand.legs[leg].sole;
            let low = points
                .map(|point| self.soles[leg][frame].transform_point(point).y)
                .into_iter()
                .fold(f32::INFINITY, f32::min);
            low > FLIES * character.leg_length
        };
        let legs = self.soles.len();
        (0..self.poses.len() / self.joints).any(|frame| (0..legs).all(|leg| high(leg, frame)))
    }

    /// How far a round goes in the character's frame, metres, and by how much it turns, radians, as if both were even.
    pub(crate) fn stride(&self) -> BandSample {
        BandSample { velocity: self.motion.velocity * self.seconds, turn_rate: self.motion.turn_rate * self.seconds }
    }

    /// The same clip played backwards, which goes the other way.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let frames = self.poses.len() / self.joints;
        let mut poses = Vec::with_capacity(self.poses.len());
        for f in 0..frames {
            let from = (frames - f) % frames * self.joints;
            poses.extend_from_slice(&self.poses[from..from + self.joints]);
        }
        let back = |leg: &LegCycle| LegCycle {
            stance: (1.0 - leg.stance).rem_euclid(1.0),
            lift: 1.0 - leg.land,
            off: 1.0 - leg.strike,
            strike: 1.0 - leg.off,
            land: 1.0 - leg.lift,
            place: leg.place,
            progress: std::array::from_fn(|k| 1.0 - leg.progress[LOOKS - k]),
            height: std::array::from_fn(|k| leg.height[LOOKS - k]),
        };
        Self {
            name: format!("{} backwards", self.name),
            motion: BandSample { velocity: -self.motion.velocity, turn_rate: -self.motion.turn_rate },
            legs: self.legs.iter().map(back).collect(),
            offset: (1.0 - self.offset).rem_euclid(1.0),
            poses,
            soles: self.soles.iter().map(|soles| (0..frames).map(|f| soles[(frames - f) % frames]).collect()).collect(),
            ..self.clone()
        }
    }

    /// The phase of the clip itself at a phase of the common round, from 0 to 1.
    #[must_use]
    pub fn clip_phase(&self, phase: f32) -> f32 {
        (phase + self.offset).rem_euclid(1.0)
    }

    /// How many joints its poses have.
    pub(crate) fn joints(&self) -> usize {
        self.joints
    }

    /// The same with each pose as a change of the first, joint by joint.
    pub(crate) fn beside_first(mut self, change: impl Fn(&Rigid, &Rigid) -> Rigid) -> Self {
        let first = self.poses[..self.joints].to_vec();
        for pose in self.poses.chunks_exact_mut(self.joints) {
            for (local, first) in pose.iter_mut().zip(&first) {
                *local = change(first, local);
            }
        }
        self
    }

    /// Its pose at a phase of the common round, in the character's own frame.
    ///
    /// # Panics
    /// If `pose` was made for another number of joints.
    pub fn pose_at(&self, phase: f32, pose: &mut Pose) {
        assert_eq!(pose.locals.len(), self.joints, "a pose for another number of joints");
        let ([a, b], x, _) = self.around(phase);
        pose.root = Rigid::IDENTITY;
        for ((local, a), b) in pose.locals.iter_mut().zip(a).zip(b) {
            *local = a.lerp(*b, x);
        }
    }

    /// Its two poses around a phase, the share of the second, and whether a rotation changes its sign between them.
    #[inline]
    pub(crate) fn around(&self, phase: f32) -> ([&[Rigid]; 2], f32, bool) {
        let frames = self.poses.len() / self.joints;
        let (first, second, share) = between(phase + self.offset, frames);
        let pose = |frame: usize| &self.poses[frame * self.joints..(frame + 1) * self.joints];
        ([pose(first), pose(second)], share, self.turned && second == 0)
    }

    /// Where the sole of a leg is at its own phase, 0 in its stance, in the character's frame. A clip that stands has it at one
    /// place.
    ///
    /// # Panics
    /// If there is no such leg.
    #[inline]
    #[must_use]
    pub fn sole(&self, leg: usize, leg_phase: f32) -> Rigid {
        let soles = &self.soles[leg];
        let Some(cycle) = self.legs.get(leg) else { return soles[0] };
        let (first, second, share) = between(cycle.stance + self.offset + leg_phase, soles.len());
        soles[first].lerp(soles[second], share)
    }
}

impl LocomotionClip {
    /// The axis along which the foot of a leg goes to and fro under the body (x, z), metres in the character's frame: the point of
    /// its way that is farthest from the middle, and the one farthest from that. `None` for a foot that goes nowhere.
    ///
    /// # Panics
    /// If there is no such leg.
    #[must_use]
    pub fn axis(&self, leg: usize) -> Option<[Vec2; 2]> {
        let points = || self.soles[leg].iter().map(|sole| floor::of_point(sole.translation));
        let middle = points().sum::<Vec2>() / self.soles[leg].len() as f32;
        let farthest =
            |from: Vec2| points().max_by(|a, b| a.distance_squared(from).total_cmp(&b.distance_squared(from)));
        let first = farthest(middle)?;
        let second = farthest(first)?;
        (self.moves() && first.distance(second) > 1e-3).then_some([first, second])
    }

    /// The same with key times and a velocity that a person knows better. Phases are those of the clip; flights are looked at anew.
    #[must_use]
    pub fn noted(mut self, character: &Character, notes: &ClipNotes) -> Self {
        if !self.moves() {
            return self;
        }
        if let Some(velocity) = notes.velocity {
            self.motion.velocity = velocity;
        }
        for leg in 0..self.legs.len() {
            let own = notes.legs.get(leg).copied().unwrap_or_default();
            let old = &self.legs[leg];
            let whole = |phase: f32| phase + self.offset;
            let stance = own.stance.unwrap_or(whole(old.stance)).rem_euclid(1.0);
            // A phase of the clip as one of the leg, near what it was.
            let beside = |noted: Option<f32>, old_at: f32| match noted {
                Some(phase) => {
                    let at = (phase - stance).rem_euclid(1.0);
                    if (at - old_at).abs() > 0.5 { at + (old_at - at).round() } else { at }
                }
                None => old_at + wrapped(whole(old.stance) - stance),
            };
            let (lift, off) = (beside(own.lift, old.lift), beside(own.off, old.off));
            let (strike, land) = (beside(own.strike, old.strike), beside(own.land, old.land));
            let soles = &self.soles[leg];
            let [off, strike] = [off, strike].map(|phase| at_frame(stance + phase, soles.len()) - stance);
            let off = off.clamp(0.01, 0.97);
            let strike = strike.clamp(off + 0.02, 1.0);
            let at = |phase: f32| {
                let (first, second, share) = between(phase, soles.len());
                soles[first].lerp(soles[second], share)
            };
            let sole = at(stance);
            let cycle = LegCycle {
                stance: (stance - self.offset).rem_euclid(1.0),
                lift: lift.min(off),
                off,
                strike,
                land: land.clamp(strike, 1.0),
                place: FloorPose::new(floor::of_point(sole.translation), heading_of_sole(character, leg, sole)),
                progress: [0.0; LOOKS + 1],
                height: [0.0; LOOKS + 1],
            };
            self.places[leg] = cycle.place;
            self.legs[leg] = cycle;
        }
        self.hold_on_prints(character);
        self
    }
}

/// The phase of the frame that is nearest to a phase: feet leave and land at frames, between which they would be on no print.
fn at_frame(phase: f32, frames: usize) -> f32 {
    (phase * frames as f32).round() / frames as f32
}

/// A difference of phases, from -0.5 to 0.5.
fn wrapped(phase: f32) -> f32 {
    phase - phase.round()
}

/// The frames around a phase, and the share of the second.
#[inline]
pub(super) fn between(phase: f32, frames: usize) -> (usize, usize, f32) {
    let at = (phase - phase.floor()) * frames as f32;
    let first = (at as usize).min(frames - 1);
    let second = if first + 1 == frames { 0 } else { first + 1 };
    (first, second, at - first as f32)
}

impl LegCycle {
    /// How far its foot has come from print to print at a share of its flight, from 0 to 1.
    #[must_use]
    pub fn progress(&self, flown: f32) -> f32 {
        looked_up(&self.progress, flown)
    }

    /// How high its foot is at a share of its flight, metres.
    #[must_use]
    pub fn height(&self, flown: f32) -> f32 {
        looked_up(&self.height, flown)
    }

    fn new<'a>(
        character: &Character,
        [baked, as_drawn]: [&Baked; 2],
        leg: LegId,
        stances: impl Iterator<Item = &'a Stance>,
        round: &Round,
    ) -> Option<Self> {
        let i = leg.index();
        let Round { motion, seconds, start, .. } = *round;
        // The longest of those whose middle is in the round.
        let middle = |stance: &Stance| 0.5 * (stance.strike() + stance.off());
        let inside = stances.filter(|s| (start..start + seconds).contains(&middle(s)) && !s.open);
        let longest = inside.max_by(|a, b| a.time.seconds().total_cmp(&b.time.seconds()))?;
        let phase = |time: f32| (time - start) / seconds;
        // While heel or ball holds its place: a foot on the tips of its toes goes with the body.
        let held = longest.held().filter(|held| held.seconds() > BRIEF * seconds).unwrap_or(longest.time);
        let (strike, off) = (phase(held.start), phase(held.end));
        if off - strike > 0.97 || off - strike < 0.01 {
            return None;
        }
        let [land, lift] = [phase(longest.land()).clamp(strike, off), phase(longest.lift()).clamp(strike, off)];
        let found = KeyTimes { strike, land, lift, off };
        let KeyTimes { strike, land, lift, off } = found.refined(character, as_drawn, i, round);
        let [strike, off] = [strike, off].map(|phase| at_frame(phase, baked.frames));
        let stance = baked.stance_phase(character, i, strike, off, motion, seconds);
        let sole = baked.sole(i, stance);
        let place = FloorPose::new(floor::of_point(sole.translation), heading_of_sole(character, i, sole));
        Some(Self {
            stance: stance.rem_euclid(1.0),
            lift: (lift - stance).max(LEAST_LIFT).min(off - stance),
            off: off - stance,
            strike: 1.0 + strike - stance,
            land: (1.0 + land - stance).min(1.0),
            place,
            progress: [0.0; LOOKS + 1],
            height: [0.0; LOOKS + 1],
        })
    }

    /// Takes down how its foot flies: how far and how high it is at even times of its flight. `sole` tells where it is at a phase of
    /// the clip, of which `stance` is the leg's own.
    fn look_at_flight(
        &mut self,
        character: &Character,
        leg: usize,
        stance: f32,
        sole: &dyn Fn(f32) -> Rigid,
        motion: BandSample,
        seconds: f32,
    ) {
        let low = |phase: f32| {
            let points = character.stand.legs[leg].sole;
            points.map(|point| sole(phase).transform_point(point).y).into_iter().fold(f32::INFINITY, f32::min)
        };
        let floor_at = |phase: f32| {
            let ahead = steady_place(motion, (phase - stance) * seconds);
            ahead.transform_point(floor::of_point(sole(phase).translation))
        };
        let from = self.place.position;
        let along = floor_at(stance + 1.0) - from;
        let far = along.length();
        let point = |k: usize| {
            let flown = k as f32 / LOOKS as f32;
            (flown, stance + self.off + flown * (self.strike - self.off))
        };
        let mut progress = [0.0; LOOKS + 1];
        for (k, value) in progress.iter_mut().enumerate() {
            let (flown, at) = point(k);
            *value = if far < 0.01 * character.leg_length {
                crate::math::smoothstep(flown)
            } else {
                (floor_at(at) - from).dot(along) / (far * far)
            };
            self.height[k] = low(at).max(0.0);
        }
        // From 0 where it leaves to 1 where it lands, and never back.
        let (first, last) = (progress[0], progress[LOOKS]);
        let mut most = 0.0_f32;
        for (k, value) in progress.iter().enumerate() {
            let even = k as f32 / LOOKS as f32;
            let share = if last - first > 0.2 { (value - first) / (last - first) } else { even };
            most = most.max(share.clamp(0.0, 1.0));
            self.progress[k] = most;
        }
        self.progress[LOOKS] = 1.0;
    }
}

/// One round of a clip.
pub(super) struct Round {
    /// How it moves.
    pub(super) motion: BandSample,
    /// How long it takes, and when it begins in its take, seconds.
    pub(super) seconds: f32,
    pub(super) start: f32,
    /// Whether it was drawn rather than captured: feet slide while they stand.
    pub(super) drawn: bool,
}

fn looked_up(table: &[f32; LOOKS + 1], flown: f32) -> f32 {
    let at = flown.clamp(0.0, 1.0) * LOOKS as f32;
    let first = (at as usize).min(LOOKS - 1);
    table[first] + (at - first as f32) * (table[first + 1] - table[first])
}

/// The even motion that leads this far in this many seconds.
fn steady(travel: Rigid, seconds: f32) -> BandSample {
    let turn = quat::heading(travel.rotation).unwrap_or(0.0);
    let straight = floor::turned(floor::of_point(travel.translation), -0.5 * turn) / sinc(0.5 * turn).max(0.1);
    BandSample { velocity: straight / seconds, turn_rate: turn / seconds }
}

/// Where an even motion leads in some seconds, from the origin.
pub(crate) fn steady_place(motion: BandSample, seconds: f32) -> FloorPose {
    let turn = motion.turn_rate * seconds;
    let far = motion.velocity * (seconds * sinc(0.5 * turn));
    FloorPose::new(floor::turned(far, 0.5 * turn), turn)
}

/// The heading of a sole in a pose, as far as it differs from how it stands; 0 for feet that are points.
fn heading_of_sole(character: &Character, leg: usize, sole: Rigid) -> f32 {
    if character.rig.legs[leg].foot.is_point() {
        return 0.0;
    }
    let ahead = sole.rotation * Vec3A::Z;
    floor::heading_of(floor::of_point(ahead))
}
