//! What following a path took, and how good it is.

use super::{LegsScaled, PathToFollow, PathWalk, Played};
use crate::library::graph::MotionGraph;
use crate::math::{floor, quat, wrap_angle};
use crate::metrics::{FootFigures, Footing, Seams, measure_feet, measure_seams};
use crate::motion::{Clip, FootTrack, Take};
use crate::rig::{JointId, Rig, Skeleton};
use glam::{Vec2, Vec3A};
use std::time::Duration;

/// What following a path took, and how good it is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FollowReport {
    /// Length of the path, metres.
    pub path: f32,
    /// Squared distances from it, added up over frames of the graph, m².
    pub error: f64,
    /// No walk of the graph has less, m²; 0 where nothing is known.
    pub bound: f64,
    /// How far from the path it is, root mean square, metres.
    pub distance: f64,
    /// Moves that were looked at.
    pub moves: usize,
    /// Whether the search came to its own end.
    pub complete: bool,
    /// Blends from clip to clip.
    pub transitions: usize,
    /// The least and the greatest scale of legs.
    pub scales: [f32; 2],
    /// How well the speed on straights fits the law.
    pub speed: SpeedFit,
    /// How well feet stand before they are held, and after.
    pub before: FootFigures,
    /// And after.
    pub after: FootFigures,
    /// Greatest distance by which a held foot missed its place, metres.
    pub missed: f32,
    /// The joint that turns fastest beside the clips as they are played at the law's rate.
    pub joint: JointSpeed,
    /// How much faster and harder joints turn in blends than in the clips, after feet were held.
    pub seams: Seams,
    /// How long its stages took.
    pub times: FollowTimes,
}

/// How well the speed on straights fits a law: the speed there over that of the clips times what the law asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpeedFit {
    /// How much of the walk is straight, seconds.
    pub straight: f32,
    /// The mean speed there, m/s.
    pub speed: f32,
    /// The median ratio; 1 where there is no straight.
    pub median: f32,
    /// The ratio that is farthest from 1, of all but one frame in twenty.
    pub worst: f32,
}

/// A joint's top speed in a walk beside that of the clips played at the law's rate, rad/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointSpeed {
    /// The joint.
    pub joint: JointId,
    /// Its top speed as played.
    pub before: f32,
    /// Its top speed after feet were held.
    pub after: f32,
    /// When that is, seconds.
    pub time: f32,
}

/// How long the stages took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FollowTimes {
    /// Laying the graph out for legs of any length, once for a graph.
    pub ready: Duration,
    /// Finding the walk.
    pub found: Duration,
    /// Making its motion, and measuring it.
    pub played: Duration,
}

/// Where root and feet are in every frame of a walk: metres, world.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FollowTrace {
    /// Frames a second.
    pub rate: f32,
    /// The root, (x, z).
    pub roots: Vec<Vec2>,
    /// Heel and ball of each leg's foot, by leg and frame.
    pub feet: Vec<Vec<[Vec3A; 2]>>,
    /// How long legs are, by frame.
    pub scales: Vec<f32>,
}

impl FollowTrace {
    pub(super) fn of(rig: &Rig, take: &Take, scales: &[f32]) -> Self {
        let clip = &take.clip;
        let foot =
            |track: FootTrack| track.heels.into_iter().zip(track.balls).map(|(heel, ball)| [heel, ball]).collect();
        Self {
            rate: clip.rate(),
            roots: clip.roots().iter().map(|root| floor::of_point(root.translation)).collect(),
            feet: FootTrack::of_all(rig, clip).into_iter().map(foot).collect(),
            scales: scales.to_vec(),
        }
    }
}

/// A walk that turns slower than this is straight, rad/s: 12° a second.
const STRAIGHT: f32 = 0.21;
/// Over how long that and speeds are looked at, seconds of the clips: a stride and a half, so that no step counts for more.
const SEEN: f32 = 1.6;
/// Slower than this a body of a person's size stands, m/s.
const STANDS: f32 = 0.4;

impl FollowReport {
    pub(super) fn new(
        graph: &MotionGraph,
        played: &Played,
        scaled: &LegsScaled,
        (free, held): (&Take, &Take),
        (walk, wanted): (&PathWalk, &PathToFollow<'_>),
    ) -> Self {
        let (rig, clip) = (&scaled.rig, &held.clip);
        let blend = graph.settings.blend;
        let seams: Vec<_> = (played.seams.iter())
            .map(|seam| {
                let time = seam.frame as f32 / played.clip.rate();
                let frames = [time, time + blend].map(|t| scaled.shown_at(t, played.clip.rate()) * clip.rate());
                (frames[0] as usize).min(clip.frames() - 1)..(frames[1].ceil() as usize).min(clip.frames())
            })
            .collect();
        let scales = scaled.scales.iter().fold([f32::MAX, 0.0_f32], |[a, b], scale| [a.min(*scale), b.max(*scale)]);
        Self {
            path: wanted.path.length(),
            error: walk.error,
            bound: walk.bound,
            distance: walk.distance(),
            moves: walk.moves,
            complete: walk.complete,
            transitions: played.seams.len(),
            scales,
            speed: SpeedFit::new(graph, &played.clip, scaled, clip, wanted),
            before: measure_feet(rig, free, Footing::default()),
            after: measure_feet(rig, held, Footing::default()),
            missed: 0.0,
            joint: fastest(&rig.skeleton, &free.clip, clip),
            seams: measure_seams(&rig.skeleton, &[&free.clip], clip, &seams),
            times: FollowTimes::default(),
        }
    }
}

impl SpeedFit {
    fn new(graph: &MotionGraph, source: &Clip, scaled: &LegsScaled, clip: &Clip, wanted: &PathToFollow<'_>) -> Self {
        let leg = graph.rig.leg_length();
        let place =
            |clip: &Clip, skeleton: &Skeleton, frame: usize| floor::of_point(clip.body(skeleton, frame).translation);
        let from: Vec<Vec2> = (0..source.frames()).map(|frame| place(source, &graph.rig.skeleton, frame)).collect();
        let facing: Vec<f32> =
            (0..source.frames()).map(|frame| quat::heading(source.roots()[frame].rotation).unwrap_or(0.0)).collect();
        let shown: Vec<Vec2> = (0..clip.frames()).map(|frame| place(clip, &scaled.rig.skeleton, frame)).collect();
        let at = |places: &[Vec2], place: f32| {
            let first = (place as usize).min(places.len() - 1);
            places[first].lerp(places[(first + 1).min(places.len() - 1)], place - first as f32)
        };
        let span = ((SEEN * source.rate()).round() as usize).max(1);
        let still = graph.rig.scale().speed(STANDS);
        let (mut ratios, mut way, mut seconds) = (Vec::new(), 0.0, 0.0);
        for first in 0..source.frames().saturating_sub(span) {
            let last = first + span;
            let turns = |k: usize| wrap_angle(facing[k] - facing[first]).abs();
            let (was, time) = (from[last].distance(from[first]), span as f32 / source.rate());
            // A pelvis sways by some degrees in every step.
            let straight = (first..=last).all(|k| turns(k) < STRAIGHT * time + SWAYS);
            let [a, b] = [first, last].map(|k| scaled.times[k]);
            let ends = [a, b].map(|t| at(&shown, (t * clip.rate()).min((shown.len() - 1) as f32)));
            if !straight || was < still * time {
                continue;
            }
            let asked: f32 = (first..last)
                .map(|k| {
                    wanted.law.speed_factor(leg, wanted.plan.at(scaled.times[k]))
                        * (scaled.times[k + 1] - scaled.times[k])
                })
                .sum::<f32>()
                / (b - a);
            let is = ends[1].distance(ends[0]);
            ratios.push((is / (b - a)) / (was / time * asked));
            way += is;
            seconds += b - a;
        }
        ratios.sort_by(f32::total_cmp);
        let median = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0);
        ratios.sort_by(|a, b| (a - 1.0).abs().total_cmp(&(b - 1.0).abs()));
        let worst = ratios.get((0.95 * ratios.len() as f32) as usize).copied().unwrap_or(1.0);
        let straight = ratios.len() as f32 / source.rate();
        Self { straight, speed: if seconds > 0.0 { way / seconds } else { 0.0 }, median, worst }
    }
}

/// A joint that turns slower than this hardly turns, rad/s: 60° a second.
const TURNS: f32 = 1.05;

/// What a pelvis turns by in every step, radians: 10°.
const SWAYS: f32 = 0.17;

/// The joint whose top speed has grown most beside its own; those that hardly turn do not count.
fn fastest(skeleton: &Skeleton, before: &Clip, after: &Clip) -> JointSpeed {
    let top = |clip: &Clip, joint: JointId| {
        let at = |f: usize| clip.frame(f)[joint.index()].rotation;
        let speeds = (1..clip.frames()).map(|f| (quat::angle_between(at(f - 1), at(f)) * clip.rate(), f));
        speeds.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 0))
    };
    let speed = |joint: JointId| {
        let (speed, frame) = top(after, joint);
        JointSpeed { joint, before: top(before, joint).0, after: speed, time: frame as f32 / after.rate() }
    };
    let grown = |speed: &JointSpeed| speed.after / speed.before.max(TURNS);
    skeleton.joints().map(speed).max_by(|a, b| grown(a).total_cmp(&grown(b))).unwrap_or_default()
}
