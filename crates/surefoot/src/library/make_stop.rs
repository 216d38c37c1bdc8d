//! Stops that are made: a walk that slows down in the middle of a step, puts its free feet down, stands, and walks on.

use super::graph::{BuildGraph, GraphError, MotionGraph};
use crate::ik::{BendLeg, LegChain};
use crate::math::{FloorPose, Rigid, floor, quat, smoothstep, wrap_angle};
use crate::motion::{Clip, FootTrack, Footprint, Span, Stance, StanceFrames, Take, stance};
use crate::rig::{LegId, ModelPose, Pose, Rig};
use glam::{Quat, Vec2, Vec3A};
use std::ops::Range;

/// How a stop is made from a walk that has none.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct MakeStop {
    /// Seconds of a person's walk in which it slows down, and in which it sets off again; either takes twice as long. Small bodies
    /// do it faster ([`Scale`](crate::rig::Scale)).
    pub slow: f32,
    /// Seconds that it stands.
    pub stand: f32,
    /// Seconds of walking that are kept before and after, least and most: blends need some.
    pub around: [f32; 2],
    /// The fastest walk that is stopped like that, leg lengths a second: who runs needs more than a step.
    pub fastest: f32,
    /// Stops that are added to a graph at most.
    pub most: usize,
    /// Stops of one take at most: who can stop in one step only turns aside to get into it.
    pub most_each: usize,
}

impl Default for MakeStop {
    fn default() -> Self {
        Self { slow: 0.45, stand: 0.8, around: [0.6, 1.5], fastest: 2.4, most: 8, most_each: 2 }
    }
}

/// A place in a take at which it can be stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    frame: usize,
    /// How far feet are from where they stand at rest, leg lengths, plus how much the body turns, and goes aside, radians: the
    /// less, the better.
    unlike: f32,
}

/// A share of the time of slowing down after which free feet are over their places, and that between which they come down.
const OVER: f32 = 0.7;
const DOWN: [f32; 2] = [0.45, 0.85];
/// How far the body goes to where it is over its feet at rest, of the way there.
const SETTLES: f32 = 0.7;
/// How far the body goes down to stand, leg lengths: a leg that carries alone is straight, which leaves none to turn on.
const SINKS: f32 = 0.02;
/// Bodies that walk straight ahead go this much beside where they look, radians.
const SWAYS: f32 = 0.2;
/// Places that are this much less like standing than the best one are not used, as [`Place::unlike`] is told.
const WORSE: f32 = 0.5;
/// The slowest that is a walk, leg lengths a second.
const SLOWEST: f32 = 0.4;

impl MakeStop {
    /// Adds stops to a graph that has none, and gives their takes' names; none where nothing in it can be stopped.
    ///
    /// # Errors
    /// As [`BuildGraph::add`](crate::library::graph::BuildGraph::add); takes of the graph itself give none.
    pub fn run(&self, graph: MotionGraph) -> Result<(MotionGraph, Vec<String>), GraphError> {
        if graph.stands() {
            return Ok((graph, Vec::new()));
        }
        let rig = &graph.rig;
        // What is walked on comes first: a stop in what is not would not be found.
        let is_kept = |take: usize, frame: usize| {
            let kept = graph.moves().takes[take].kept.as_ref();
            kept.is_some_and(|kept| kept.contains(&(frame as u32)))
        };
        let of_take = |(k, take)| self.places(rig, take).into_iter().map(move |place| (k, place));
        let mut places: Vec<(usize, Place)> = graph.takes.iter().enumerate().flat_map(of_take).collect();
        places.sort_by(|a, b| {
            let [a_kept, b_kept] = [a, b].map(|(take, place)| is_kept(*take, place.frame));
            b_kept.cmp(&a_kept).then(a.1.unlike.total_cmp(&b.1.unlike)).then(a.0.cmp(&b.0))
        });
        // Where some stop well, nobody needs those that do not.
        if let Some(best) = places.first().map(|(_, place)| place.unlike) {
            places.retain(|(_, place)| place.unlike < best + WORSE);
        }
        places.truncate(self.most);
        let mut stops: Vec<Take> = Vec::with_capacity(places.len());
        for (k, (take, place)) in places.iter().enumerate() {
            let walk = &graph.takes[*take];
            let mut stop = self.stop(rig, walk, place.frame);
            if places[..k].iter().any(|(other, _)| other == take) {
                let seconds = place.frame as f32 / walk.clip.rate();
                let name = format!("{} at {seconds:.1} s stopped", walk.clip.name());
                stop.clip = stop.clip.named(name);
            }
            stops.push(stop);
        }
        let names = stops.iter().map(|stop| stop.clip.name().to_owned()).collect();
        Ok((BuildGraph::add(graph, &stops, &|_, _| {})?, names))
    }

    /// The walk of a take with a stop in it, cut to what is around it; `None` if it has no step in which it can stop.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn of_take(&self, rig: &Rig, take: &Take) -> Option<Take> {
        Some(self.stop(rig, take, self.places(rig, take).first()?.frame))
    }

    /// Where a take walks straight ahead and its feet are most as they are at rest; the best first.
    fn places(&self, rig: &Rig, take: &Take) -> Vec<Place> {
        let clip = &take.clip;
        let (rate, leg) = (clip.rate(), rig.leg_length());
        let slow = rig.scale().time(self.slow);
        let [slow, around, near] = [slow, self.around[0], 0.25].map(|seconds| frames(seconds, rate));
        let margin = slow + around.max(near);
        let tracks = FootTrack::of_all(rig, clip);
        let at_rest = soles_at_rest(rig);
        let unlike = |frame: usize| {
            let [before, here, after] = [frame - near, frame, frame + near].map(|f| clip.body(&rig.skeleton, f));
            let [before, here, after] = [FloorPose::below(before)?, FloorPose::below(here)?, FloorPose::below(after)?];
            let speed = before.position.distance(after.position) * rate / (2 * near) as f32;
            if !(SLOWEST * leg..=self.fastest * leg).contains(&speed) {
                return None;
            }
            let stands = |id: LegId| stance::of_leg(&take.stances, id).any(|s| s.frames(clip).flat().contains(&frame));
            if !rig.legs().any(|(id, _)| stands(id)) {
                return None;
            }
            let mut off = 0.0;
            for (id, _) in rig.legs() {
                let track = &tracks[id.index()];
                let sole = 0.5 * (track.heels[frame] + track.balls[frame]);
                let place = floor::turned(floor::of_point(sole) - here.position, -here.heading);
                let high = if stands(id) { 0.0 } else { track.height(frame) - take.ground };
                off += place.distance(at_rest[id.index()]) + high.max(0.0);
            }
            // All that is played slowly shows how it turns: a body that comes round as it stops has gone aside before.
            let mut turned = wrap_angle(after.heading - before.heading).abs();
            let mut askew = 0.0_f32;
            for f in frame - slow..=frame + slow {
                let [before, there, after] = [f - near, f, f + near].map(|f| clip.body(&rig.skeleton, f));
                let there = FloorPose::below(there)?;
                let way = floor::of_point(after.translation) - floor::of_point(before.translation);
                turned = turned.max(wrap_angle(there.heading - here.heading).abs());
                askew = askew.max(wrap_angle(floor::heading_of(way) - there.heading).abs());
            }
            Some(off / (leg * rig.legs.len() as f32) + turned + (askew - SWAYS).max(0.0))
        };
        let inner = margin..clip.frames().saturating_sub(margin);
        let mut all: Vec<Place> = inner.filter_map(|frame| Some(Place { frame, unlike: unlike(frame)? })).collect();
        let mut places: Vec<Place> = Vec::new();
        while places.len() < self.most_each {
            let least = all.iter().min_by(|a, b| a.unlike.total_cmp(&b.unlike).then(a.frame.cmp(&b.frame)));
            let Some(best) = least.copied() else { break };
            all.retain(|place| place.frame.abs_diff(best.frame) > 2 * slow);
            places.push(best);
        }
        places
    }

    fn stop(&self, rig: &Rig, take: &Take, frame: usize) -> Take {
        let clip = &take.clip;
        let slow = rig.scale().time(self.slow);
        let [slow, stand, around] = [slow, self.stand, self.around[1]].map(|seconds| frames(seconds, clip.rate()));
        let from = (frame - slow).saturating_sub(around);
        let until = (frame + slow + around).min(clip.frames() - 1);
        let time = StopTime { from, slows: frame - slow, slow: 2 * slow, stand, until };
        Stop::new(rig, take, frame, time).run()
    }
}

/// When what of a walk is played, in frames.
#[derive(Clone, Copy, Debug)]
struct StopTime {
    /// Of the walk: where it begins, where it begins to slow down, where it ends.
    from: usize,
    slows: usize,
    until: usize,
    /// That slowing down takes, twice as many as it plays, and that it stands.
    slow: usize,
    stand: usize,
}

impl StopTime {
    fn frames(&self) -> usize {
        self.until - self.from + self.slow + self.stand + 1
    }

    /// How far it has slowed down in a frame: 0 at its own pace, 1 where it stands; and whether that is over.
    fn slowed(&self, frame: usize) -> (f32, bool) {
        let (since, stands) = ((frame + self.from) as f32 - self.slows as f32, (self.slow + self.stand) as f32);
        let slow = self.slow as f32;
        let after = since > slow + 0.5 * self.stand as f32;
        let share = if after { 1.0 - (since - stands) / slow } else { since / slow };
        (share.clamp(0.0, 1.0), after)
    }

    /// The frame of the walk that is played in a frame. A foot that is `free` comes and leaves ahead of the others.
    fn played(&self, frame: usize, free: bool) -> f32 {
        let (share, after) = self.slowed(frame);
        if share == 0.0 {
            return if after { frame + self.from - self.slow - self.stand } else { frame + self.from } as f32;
        }
        let early = if free { share * (1.0 + (1.0 / OVER - 1.0) * smoothstep(share / OVER)) } else { share };
        let u = early.min(1.0);
        // The pace falls from 1 to 0 as a smoothstep does.
        let gone = self.slow as f32 * (u - u * u * u + 0.5 * u * u * u * u);
        let stands = self.slows as f32 + 0.5 * self.slow as f32;
        if after { stands + (stands - self.slows as f32 - gone) } else { self.slows as f32 + gone }
    }

    /// Frames in which frames of the walk are played.
    fn found(&self, walk: &Range<usize>, free: bool) -> Range<usize> {
        let at = |frame: usize| {
            (0..self.frames()).find(|f| self.played(*f, free) > frame as f32 - 1e-3).unwrap_or(self.frames())
        };
        let start = at(walk.start);
        start..at(walk.end).max(start)
    }
}

/// A stop in the making.
struct Stop<'a> {
    rig: &'a Rig,
    take: &'a Take,
    time: StopTime,
    /// Where feet are put down that are in the air: their ankle and their print, world, by leg.
    free: Vec<Option<[Rigid; 2]>>,
    /// The ankle where it stands, world, by leg.
    ankles: Vec<Rigid>,
    /// What the body goes by to be over its feet, world, metres.
    settles: Vec3A,
}

impl<'a> Stop<'a> {
    fn new(rig: &'a Rig, take: &'a Take, frame: usize, time: StopTime) -> Self {
        let clip = &take.clip;
        let tracks = FootTrack::of_all(rig, clip);
        let ankles: Vec<Rigid> = tracks.iter().map(|track| track.ankles[frame]).collect();
        let free = rig.legs().map(|(id, leg)| {
            if stance::of_leg(&take.stances, id).any(|stance| stance.frames(clip).whole.contains(&frame)) {
                return None;
            }
            let ankle_from_sole = leg.foot.ankle_from_sole();
            let sole = ankles[id.index()] * ankle_from_sole;
            let flat = FloorPose::below(sole)?;
            let print = Rigid { translation: floor::at_height(flat.position, take.ground).into(), ..flat.to_rigid() };
            Some([print * ankle_from_sole.inverse(), print])
        });
        let free: Vec<Option<[Rigid; 2]>> = free.collect();
        let body = FloorPose::below(clip.body(&rig.skeleton, frame)).unwrap_or_default();
        let soles = rig.legs().map(|(id, leg)| {
            let ankle = free[id.index()].map_or(ankles[id.index()], |[ankle, _]| ankle);
            floor::of_point(0.5 * (ankle.transform_point(leg.foot.heel) + ankle.transform_point(leg.foot.ball)))
        });
        let count = rig.legs.len().max(1) as f32;
        let middle = soles.fold(Vec2::ZERO, |sum, sole| sum + sole) / count;
        let rest = soles_at_rest(rig).into_iter().fold(Vec2::ZERO, |sum, sole| sum + sole) / count;
        let over = middle - floor::turned(rest, body.heading);
        let settles = floor::at_height(SETTLES * (over - body.position), -SINKS * rig.leg_length()).into();
        Self { rig, take, time, free, ankles, settles }
    }

    fn run(&self) -> Take {
        let (rig, clip, time) = (self.rig, &self.take.clip, self.time);
        let skeleton = &rig.skeleton;
        let limbs: Vec<LegChain> = rig.legs.iter().map(LegChain::of_rig).collect();
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        let mut locals: Vec<Rigid> = Vec::with_capacity(time.frames() * skeleton.len());
        let mut roots: Vec<Rigid> = Vec::with_capacity(time.frames());
        for frame in 0..time.frames() {
            let (share, _) = time.slowed(frame);
            let mut ankles: Vec<Rigid> = Vec::with_capacity(limbs.len());
            for (leg, free) in rig.legs.iter().zip(&self.free) {
                clip.sample(time.played(frame, free.is_some()) / clip.rate(), &mut pose);
                pose.to_model(skeleton, &mut model);
                ankles.push(pose.root * model[leg.ankle()]);
            }
            clip.sample(time.played(frame, false) / clip.rate(), &mut pose);
            pose.root.translation += smoothstep(share) * self.settles;
            pose.to_model(skeleton, &mut model);
            if share > 0.0 {
                for (k, limb) in limbs.iter().enumerate() {
                    let ankle = pose.root.inverse() * self.put_down(k, ankles[k], share);
                    let _ = BendLeg::default().run(skeleton, limb, &mut pose, &mut model, ankle);
                }
            }
            locals.extend_from_slice(&pose.locals);
            roots.push(pose.root);
        }
        let name = format!("{} stopped", clip.name());
        let mut made = Clip::new(skeleton, name, clip.rate(), locals).expect("a rigid walk's frames");
        made.roots_mut().copy_from_slice(&roots);
        Take { stances: self.stances(), clip: made, ground: self.take.ground, sources: Vec::new() }
    }

    /// An ankle on its way down to where it stands.
    fn put_down(&self, leg: usize, ankle: Rigid, share: f32) -> Rigid {
        let Some([down, _]) = self.free[leg] else { return ankle };
        let w = smoothstep((share - DOWN[0]) / (DOWN[1] - DOWN[0]));
        let turn = quat::nearest_sign(Quat::IDENTITY, down.rotation * self.ankles[leg].rotation.conjugate());
        Rigid {
            rotation: (Quat::IDENTITY.slerp(turn, w) * ankle.rotation).normalize(),
            translation: ankle.translation + w * (down.translation - self.ankles[leg].translation),
        }
    }

    /// The walk's stances as they are played, and those of feet that are put down.
    fn stances(&self) -> Vec<Stance> {
        let (clip, time, total) = (&self.take.clip, self.time, self.time.frames());
        let rate = clip.rate();
        let mut all = Vec::with_capacity(self.take.stances.len() + self.free.len());
        for ((id, leg), free) in self.rig.legs().zip(&self.free) {
            let first = all.len();
            for own in stance::of_leg(&self.take.stances, id) {
                let old = own.frames(clip);
                let [whole, heel, ball] =
                    [&old.whole, &old.heel, &old.ball].map(|part| time.found(part, free.is_some()));
                if whole.is_empty() {
                    continue;
                }
                let mut moved = *own;
                moved.set_frames(&StanceFrames { whole: whole.clone(), heel, ball }, rate);
                moved.open = whole.start == 0 || whole.end == total;
                all.push(moved);
            }
            if let Some([ankle, print]) = free {
                let down: Vec<usize> = (0..total).filter(|frame| time.slowed(*frame).0 >= DOWN[1]).collect();
                let (Some(start), Some(last)) = (down.first(), down.last()) else { continue };
                let Some(span) = Span::of_frames(&(*start..last + 1), rate) else { continue };
                let [heel_at, ball_at] = [leg.foot.heel, leg.foot.ball].map(|point| ankle.transform_point(point));
                let print = Footprint::new(id, *print);
                all.push(Stance {
                    print,
                    time: span,
                    heel: Some(span),
                    ball: Some(span),
                    heel_at,
                    ball_at,
                    open: false,
                });
                all[first..].sort_by(|a, b| a.strike().total_cmp(&b.strike()));
            }
        }
        all
    }
}

/// Seconds in frames, at least one.
fn frames(seconds: f32, rate: f32) -> usize {
    ((seconds * rate).round() as usize).max(1)
}

/// Where soles are at rest seen from the body, by leg, (x, z), metres.
fn soles_at_rest(rig: &Rig) -> Vec<Vec2> {
    let model = ModelPose::new(&rig.skeleton);
    let body = FloorPose::below(model[rig.skeleton.pelvis()]).unwrap_or_default();
    let sole = |leg: &crate::rig::Leg| {
        let ankle = model[leg.ankle()];
        let middle = 0.5 * (ankle.transform_point(leg.foot.heel) + ankle.transform_point(leg.foot.ball));
        floor::of_point(middle) - body.position
    };
    rig.legs.iter().map(sole).collect()
}
