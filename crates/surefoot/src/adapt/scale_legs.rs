//! Legs made longer or shorter while a body walks: steps grow with them, what stands stays, and time runs as a law has it.

use crate::foot::{Anchor, LegAt, LegRests, LegWay, WayStep, calm_headings};
use crate::ik::{BendLeg, LegChain, LegGoal, TwoBone};
use crate::library::graph::{LegWays, MotionGraph};
use crate::math::{FloorPose, Rigid, floor, quat};
use crate::motion::{Clip, FootTrack, ScaleClock, Span, StanceFrames};
use crate::rig::{LegBones, ModelPose, Pose, Rig};
use glam::Vec3A;
use std::ops::Range;

/// How legs are scaled.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct ScaleLegs {
    /// What spine, head and arms grow with the legs, from 0, not at all, to 1, in proportion.
    pub body: f32,
    /// How long each leg is beside the plan's scale; 1 for legs that are not named.
    pub each: Vec<f32>,
}

/// A walk that is to be played on other legs.
#[derive(Clone, Copy)]
pub struct WalkOnLegs<'a> {
    /// The body.
    pub rig: &'a Rig,
    /// The motion; its root goes over the floor below the body.
    pub clip: &'a Clip,
    /// When each leg stands, and its heel and ball are known to be held, by leg and time: frames.
    pub standing: &'a [Vec<StanceFrames>],
    /// The graph that it is a walk of, whose clips tell how legs stand in the mean; itself, if `None`.
    pub graph: Option<&'a MotionGraph>,
    /// How long legs are over time, and how fast it is played.
    pub clock: &'a ScaleClock,
}

/// A walk with other legs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LegsScaled {
    /// The body with the legs that it starts with.
    pub rig: Rig,
    /// The motion at the rate of the one it was made from. Legs that grow move their joints apart.
    pub clip: Clip,
    /// When each leg stands, and its heel and ball are known to be held, by leg and time: frames.
    pub standing: Vec<Vec<StanceFrames>>,
    /// How long legs are, by frame.
    pub scales: Vec<f32>,
    /// The frame of the source that each frame shows, with its fraction.
    pub places: Vec<f32>,
    /// When each frame of the source is shown, seconds.
    pub times: Vec<f32>,
}

/// Why legs cannot be scaled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScaleLegsError {
    /// A setting is no scale.
    #[error("{what} is {value}; it must be {allowed}")]
    Setting {
        /// The setting.
        what: &'static str,
        /// Its value.
        value: f32,
        /// What it may be.
        allowed: &'static str,
    },
    /// The feet do not hang from the legs.
    #[error("the feet of this body do not hang from its legs: they can have another length, but not one that changes")]
    FeetApart,
}

/// Two heights that are nearer than this go over into each other, metres: which leg carries has no corner.
const SMOOTH: f32 = 0.01;
/// What feet clear the ground by they clear it by on shorter legs, too, up to this, metres of a person: feet keep their size. What is
/// above it is in proportion to the legs.
const CLEARS: f32 = 0.05;
/// A stride of a person, seconds, where nothing tells one.
const STRIDE: f32 = 1.1;
/// How legs bend that are raised: within their plane.
const IN_PLANE: BendLeg = BendLeg { stretch: TwoBone { soft: 0.992 }, hip_weight: 0.0, ankle_weight: 0.0 };

impl ScaleLegs {
    /// Plays a walk over a level floor at height 0 on legs of other lengths.
    ///
    /// # Errors
    /// If a setting is no scale, or the legs of this body cannot change their length over time.
    ///
    /// # Panics
    /// If the clip was made for another skeleton, or there are not as many lists as legs.
    pub fn run(&self, walk: &WalkOnLegs<'_>) -> Result<LegsScaled, ScaleLegsError> {
        let WalkOnLegs { rig, clip, standing, clock, .. } = *walk;
        assert_eq!(clip.skeleton(), rig.skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        assert_eq!(standing.len(), rig.legs.len(), "a list of spans for each leg");
        self.check()?;
        let legs = LegAt::of_clip(rig, clip);
        let rests = match walk.graph {
            Some(graph) => LegWays::rests(graph),
            None => LegRests::new(std::slice::from_ref(&legs), rig.legs.len()),
        };
        let roots: Vec<FloorPose> = (0..clip.frames()).map(|frame| place(clip, frame)).collect();
        let reach = half_stride(standing, clip.rate());
        let calm = calm_headings(&roots, reach);
        let way = LegWay { roots: &roots, calm: &calm, legs: &legs, count: rig.legs.len() };
        let mut anchor = Anchor::new(rig.leg_length(), 1.0 / clip.rate(), rests.clone());
        let mut steps = way.steps(&mut anchor);
        WayStep::look_at_strides(&mut steps, &calm, reach);
        let gains: Vec<f32> = steps.iter().map(|step| step.gain).collect();
        let times = clock.times(&gains, 1.0 / clip.rate());
        let scales: Vec<f32> = times.iter().map(|time| clock.at(*time).scale).collect();
        if !rig.legs_can_grow() && scales.iter().any(|scale| *scale != scales[0]) {
            return Err(ScaleLegsError::FeetApart);
        }
        let tall = rig.with_legs_scaled(&self.of_legs(rig, scales[0]), self.upper(scales[0]));
        let scaled = self.scaled((rig, &tall), clip, (&way, &rests, anchor), &scales);
        let scaled = cleared((rig, clip), (&tall, scaled), &scales);
        let places = places(&times, clip.rate());
        let clip = shown(&tall, &scaled, &places);
        let standing = standing.iter().map(|spans| retimed(spans, &times, clip.rate(), clip.frames())).collect();
        let scales = places.iter().map(|place| mixed(&scales, *place)).collect();
        Ok(LegsScaled { rig: tall, clip, standing, scales, places, times })
    }

    fn check(&self) -> Result<(), ScaleLegsError> {
        if !(0.0..=1.0).contains(&self.body) {
            let what = "what the body grows with its legs";
            return Err(ScaleLegsError::Setting { what, value: self.body, allowed: "from 0 to 1" });
        }
        match self.each.iter().find(|scale| !(0.1..=10.0).contains(*scale)) {
            Some(scale) => {
                let what = "the scale of a leg";
                Err(ScaleLegsError::Setting { what, value: *scale, allowed: "from 0.1 to 10" })
            }
            None => Ok(()),
        }
    }

    /// The scale of each leg where the plan has one for all.
    fn of_legs(&self, rig: &Rig, scale: f32) -> Vec<f32> {
        (0..rig.legs.len()).map(|leg| scale * self.each.get(leg).copied().unwrap_or(1.0)).collect()
    }

    fn upper(&self, scale: f32) -> f32 {
        1.0 + self.body * (scale - 1.0)
    }

    /// Where a walk goes and what its poses are with other legs, frame by frame as they were.
    fn scaled(
        &self,
        (rig, tall): (&Rig, &Rig),
        clip: &Clip,
        (way, rests, mut anchor): (&LegWay<'_>, &LegRests, Anchor),
        scales: &[f32],
    ) -> Clip {
        let (skeleton, count) = (&rig.skeleton, rig.legs.len());
        let bones = LegBones::of(rig);
        let chains: Vec<LegChain> = tall.legs.iter().map(LegChain::of_rig).collect();
        let carriers = rig.carriers();
        let mut at = way.roots[0].position;
        let (mut roots, mut locals) = (Vec::with_capacity(clip.frames()), Vec::new());
        let (mut pose, mut model) = (Pose::rest(&tall.skeleton), ModelPose::new(&tall.skeleton));
        let (own, mut before) = (vec![1.0; count], self.of_legs(rig, scales[0]));
        for (frame, scale) in scales.iter().enumerate() {
            let now = self.of_legs(rig, *scale);
            if frame > 0 {
                at += anchor.step(way.body(frame - 1), way.body(frame), &before, &now);
            }
            let mut root = clip.roots()[frame];
            (root.translation.x, root.translation.z) = (at.x, at.y);
            pose.locals.copy_from_slice(clip.frame(frame));
            // The lowest ankle stays as high as it was.
            let body = way.body(frame);
            let up = carried(body.legs, &now) - carried(body.legs, &own);
            for joint in &carriers {
                let above = skeleton.ancestry(*joint).skip(1);
                let above = above.fold(Rigid::IDENTITY, |below, j| pose.locals[j.index()] * below);
                pose.locals[joint.index()].translation += (root * above).inverse().transform_vector(up * Vec3A::Y);
            }
            bones.scale(&mut pose.locals, &now, self.upper(*scale));
            if now != own {
                pose.to_model(&tall.skeleton, &mut model);
                for (leg, chain) in chains.iter().enumerate() {
                    let grown = rests.grown(leg, &body.legs[leg], now[leg], body.turned());
                    let mut ankle = model[chain.ankle];
                    ankle.translation.x = body.legs[leg].ankle.x + grown.x;
                    ankle.translation.z = body.legs[leg].ankle.z + grown.y;
                    IN_PLANE.run(&tall.skeleton, chain, &mut pose, &mut model, LegGoal::from(ankle));
                }
            }
            roots.push(root);
            locals.extend_from_slice(&pose.locals);
            before = now;
        }
        let scaled = Clip::new(&tall.skeleton, clip.name(), clip.rate(), locals);
        let mut scaled = scaled.expect("frames of a clip are rigid");
        scaled.roots_mut().copy_from_slice(&roots);
        scaled
    }
}

/// Half of what it takes from strike to strike of one foot, in the mean: frames.
fn half_stride(standing: &[Vec<StanceFrames>], rate: f32) -> usize {
    let strides =
        standing.iter().flat_map(|spans| spans.windows(2).map(|pair| pair[1].whole.start - pair[0].whole.start));
    let (sum, count) = strides.fold((0, 0), |(sum, count), frames| (sum + frames, count + 1));
    let stride = if count > 0 { sum as f32 / count as f32 } else { STRIDE * rate };
    ((0.5 * stride.clamp(0.1 * rate, 4.0 * rate)).round() as usize).max(1)
}

/// Where a clip's root is over the floor.
fn place(clip: &Clip, frame: usize) -> FloorPose {
    let root = clip.roots()[frame];
    FloorPose { position: floor::of_point(root.translation), heading: quat::heading(root.rotation).unwrap_or(0.0) }
}

/// How far below its root's zero the lowest ankle would be, with legs so many times as long, metres.
fn carried(legs: &[LegAt], scales: &[f32]) -> f32 {
    let low = |leg: &LegAt, scale: f32| scale * (leg.hip.y - leg.ankle.y) - leg.hip.y;
    let all = legs.iter().zip(scales).map(|(leg, scale)| low(leg, *scale));
    all.reduce(|p, q| 0.5 * (p + q + ((p - q).powi(2) + SMOOTH * SMOOTH).sqrt())).unwrap_or(0.0)
}

/// Raises feet of shorter legs that would not clear the ground as they did: a foot that rolls off over its toes would push them into it,
/// for it turns as it did and its ankle comes less high.
fn cleared((rig, source): (&Rig, &Clip), (tall, mut clip): (&Rig, Clip), scales: &[f32]) -> Clip {
    let (was, is) = (FootTrack::of_all(rig, source), FootTrack::of_all(tall, &clip));
    let lowest = |track: &FootTrack, frame: usize| track.height(frame).min(track.tips[frame].y);
    let kept = rig.scale().length(CLEARS);
    let raised: Vec<Vec<f32>> = (was.iter().zip(&is))
        .map(|(was, is)| {
            let wanted = |was: f32, scale: f32| was.min(kept) + scale.min(1.0) * (was - kept).max(0.0);
            let lacks = |f: usize| (wanted(lowest(was, f), scales[f]) - lowest(is, f)).max(0.0);
            (0..clip.frames()).map(lacks).collect()
        })
        .collect();
    let chains: Vec<LegChain> = tall.legs.iter().map(LegChain::of_rig).collect();
    let (mut pose, mut model) = (Pose::rest(&tall.skeleton), ModelPose::new(&tall.skeleton));
    for frame in (0..clip.frames()).filter(|frame| raised.iter().any(|leg| leg[*frame] > 0.0)) {
        pose.locals.copy_from_slice(clip.frame(frame));
        pose.to_model(&tall.skeleton, &mut model);
        let up = clip.roots()[frame].inverse().transform_vector(Vec3A::Y);
        for (chain, raised) in chains.iter().zip(&raised) {
            let mut ankle = model[chain.ankle];
            ankle.translation += raised[frame] * up;
            IN_PLANE.run(&tall.skeleton, chain, &mut pose, &mut model, LegGoal::from(ankle));
        }
        clip.frame_mut(frame).copy_from_slice(&pose.locals);
    }
    clip
}

/// The places in a clip that are shown at a steady rate, given when each of its frames is.
fn places(times: &[f32], rate: f32) -> Vec<f32> {
    let last = times.len() - 1;
    let count = (f64::from(times[last]) * f64::from(rate) + 1e-3).floor() as usize + 1;
    let mut first = 0;
    let place = |frame: usize| {
        let time = frame as f32 / rate;
        while first + 1 < last && times[first + 1] <= time {
            first += 1;
        }
        let Some(next) = times.get(first + 1) else { return first as f32 };
        let share = (time - times[first]) / (next - times[first]).max(f32::MIN_POSITIVE);
        // A rate that nothing changes shows the frames themselves.
        let share = if share < 1e-3 {
            0.0
        } else if share > 1.0 - 1e-3 {
            1.0
        } else {
            share
        };
        first as f32 + share
    };
    (0..count).map(place).collect()
}

/// A list at a place between two of its members.
fn mixed(values: &[f32], place: f32) -> f32 {
    let first = place as usize;
    let next = values[(first + 1).min(values.len() - 1)];
    values[first] + (place - first as f32) * (next - values[first])
}

/// A clip as it is at places between its frames.
fn shown(rig: &Rig, clip: &Clip, places: &[f32]) -> Clip {
    let (mut roots, mut locals) = (Vec::with_capacity(places.len()), Vec::new());
    for place in places {
        let (first, share) = (*place as usize, place.fract());
        if share == 0.0 {
            roots.push(clip.roots()[first]);
            locals.extend_from_slice(clip.frame(first));
            continue;
        }
        roots.push(clip.roots()[first].lerp(clip.roots()[first + 1], share));
        locals.extend(clip.frame(first).iter().zip(clip.frame(first + 1)).map(|(a, b)| a.lerp(*b, share)));
    }
    let shown = Clip::new(&rig.skeleton, clip.name(), clip.rate(), locals);
    let mut shown = shown.expect("between frames of a clip all is rigid");
    shown.roots_mut().copy_from_slice(&roots);
    shown
}

/// Spans of frames at the times at which these are shown; those of one leg stay apart and none is lost.
fn retimed(stances: &[StanceFrames], times: &[f32], rate: f32, frames: usize) -> Vec<StanceFrames> {
    let dt = times.get(1).map_or(1.0 / rate, |time| time - times[0]);
    let time = |frame: usize| times.get(frame).copied().unwrap_or(times[times.len() - 1] + dt);
    let shown = |span: &Range<usize>| Span { start: time(span.start), end: time(span.end) }.frames(rate, frames);
    let mut out: Vec<StanceFrames> = Vec::with_capacity(stances.len());
    for stance in stances {
        let whole = shown(&stance.whole);
        let start = out.last().map_or(0, |last| last.whole.end + 1).max(whole.start);
        if start < whole.end {
            let within = |span: &Range<usize>| {
                let span = if span.is_empty() { start..start } else { shown(span) };
                span.start.clamp(start, whole.end)..span.end.clamp(start, whole.end)
            };
            out.push(StanceFrames { heel: within(&stance.heel), ball: within(&stance.ball), whole: start..whole.end });
        }
    }
    out
}

impl LegsScaled {
    /// When a time of the source is shown, both seconds.
    #[must_use]
    pub fn shown_at(&self, time: f32, rate: f32) -> f32 {
        let place = (time * rate).clamp(0.0, (self.times.len() - 1) as f32);
        mixed(&self.times, place)
    }
}
