//! What a change has cost a motion: how much of what may be lost beside its source is lost, in one number.

use super::Footing;
use super::feet::{measure_feet_in, stance_kept_in};
use super::jump::{Jump, find_jumps, jump_moments};
use super::pop::{POP_FACTOR, POP_MARGIN};
use crate::math::quat;
use crate::motion::{Clip, FootTrack, Take, Trajectories};
use crate::rig::{JointId, ModelPose, Pose, Rig};
use glam::{Quat, Vec3, Vec3A};
use std::ops::Range;

/// How suddenly a knee may turn beside its source, in shares of its greatest acceleration there …
const KNEE: f32 = 1.45;
/// … and this much more besides, rad/s²: 100°/s², a tenth of a degree from frame to frame of a drawn clip.
const KNEE_MARGIN: f32 = 1.75;
/// Likewise the joint that turns most suddenly of all, rad/s²: 1 000°/s².
const JOINT_MARGIN: f32 = 17.5;
/// How much faster hips may rise and fall, in shares of their source's speed, and m/s besides.
const HIPS_FAST: (f32, f32) = (1.3, 0.3);
/// How much more suddenly, in shares of their source's acceleration, and m/s² besides.
const HIPS_SUDDEN: (f32, f32) = (1.5, 3.0);
/// How much rougher all places of joints may move (their mean third derivative), in shares of the source's, and m/s³ besides.
const ROUGH: (f32, f32) = (1.4, 10.0);
/// Soles may be so much deeper in the ground, metres of a person.
const DEEP: f32 = 0.012;
/// And legs above them.
const LEG_DEEP: f32 = 0.015;
/// Hips may be as low as this share of their height in the source, in the middle of the time.
const LOW: f32 = 0.93;
/// Feet may skate by this share of the source's speed, and m/s of a person besides.
const SKATE: (f32, f32) = (1.1, 0.02);
/// Held feet may stray so far, metres of a person.
const STRAY: f32 = 0.005;
/// So much of the time for which feet stand may be lost.
const STANDS: f32 = 0.1;
/// A body may be moved by this share of the length of its legs.
const MOVED: f32 = 0.2;
/// A jump of the source is left out with so much time around it, seconds.
const AROUND: f32 = 0.06;
/// A knee that is bent by more than this has a side, radians: 12°.
const SIDED: f32 = 12.0 * std::f32::consts::PI / 180.0;
/// A fault that has no measure, such as a knee on its wrong side, counts as much as twice of what may be lost.
const FAULT: f32 = 2.0;

/// A motion before or after it was changed.
pub(crate) struct Changed<'a> {
    /// As it goes over its ground.
    pub(crate) take: &'a Take,
    /// As it is played once it is handed out, in as many frames: its joints are looked at in this one.
    pub(crate) played: &'a Clip,
}

/// Of what is lost beside the worst so much counts.
const REST: f32 = 0.1;

/// How much of what a motion may lose beside its source is lost, by what is worst: up to 1 nothing is seen, beyond it is, and then the
/// rest counts a little, too.
///
/// Looked at are how fast and how suddenly joints turn, knees above all; jumps, and knees that are on another side than they were; how hips rise
/// and fall; how deep feet are, how far held ones stray, and how much of their standing is left.
///
/// # Panics
/// If a take was made for another skeleton, or they differ in their number of frames.
#[must_use]
pub(crate) fn harm(rig: &Rig, before: &Changed<'_>, after: &Changed<'_>, moved: &[Vec3A], frames: Range<usize>) -> f32 {
    let scale = rig.scale();
    let jumps = |clip: &Clip| {
        let jumps = find_jumps(&rig.skeleton, clip);
        let within: Vec<Jump> = jumps.iter().copied().filter(|jump| frames.contains(&jump.frame)).collect();
        (jump_moments(clip, &jumps), jump_moments(clip, &within).len())
    };
    let (jumped, jumps_before) = jumps(before.played);
    let steady = steady_frames(before.played, &jumped, frames.clone());
    let [was, now] = [before, after].map(|motion| Moves::of(rig, motion, &steady, frames.clone()));
    let (mut worst, mut sum) = (0.0_f32, 0.0);
    let mut look = |now: f32, may: f32| {
        let share = now / may.max(1e-9);
        worst = worst.max(share);
        sum += (share - 1.0).max(0.0);
    };
    for (was, now) in was.joints.iter().zip(&now.joints) {
        look(now.fastest, POP_FACTOR * was.fastest + POP_MARGIN);
    }
    for leg in &rig.legs {
        let knee = knee_of(rig, &leg.chain).index();
        look(now.joints[knee].most_sudden, KNEE * was.joints[knee].most_sudden + KNEE_MARGIN);
    }
    let all = |moves: &Moves| moves.joints.iter().map(|joint| joint.most_sudden).fold(0.0, f32::max);
    look(all(&now), KNEE * all(&was) + JOINT_MARGIN);
    look(now.hips_fast, HIPS_FAST.0 * was.hips_fast + scale.speed(HIPS_FAST.1));
    look(now.hips_sudden, HIPS_SUDDEN.0 * was.hips_sudden + HIPS_SUDDEN.1);
    look(now.rough, ROUGH.0 * was.rough + ROUGH.1);
    look(now.deep, was.deep + scale.length(DEEP));
    look(now.leg_deep, was.leg_deep + scale.length(LEG_DEEP));
    look(LOW * was.hips_high, now.hips_high);
    look(1.0 - stance_kept_in(before.take, after.take, frames.clone()), STANDS);
    let [were, feet] =
        [before, after].map(|motion| measure_feet_in(rig, motion.take, Footing::default(), frames.clone()));
    look(feet.drift.p95, scale.length(STRAY));
    look(feet.skate, SKATE.0 * were.skate + scale.speed(SKATE.1));
    let far = moved.get(frames.clone()).unwrap_or(moved).iter().map(|by| by.length()).fold(0.0, f32::max);
    look(far, MOVED * rig.leg_length());
    if jumps(after.played).1 > jumps_before || turned_knees(rig, before.played, after.played, frames) {
        look(FAULT, 1.0);
    }
    worst + REST * (sum - (worst - 1.0).max(0.0))
}

/// The joint of a leg that is nearest to its middle.
fn knee_of(rig: &Rig, chain: &[JointId]) -> JointId {
    let rest = ModelPose::new(&rig.skeleton);
    let bone = |pair: &[JointId]| (rest[pair[1]].translation - rest[pair[0]].translation).length();
    let all: f32 = chain.windows(2).map(bone).sum();
    let mut gone = 0.0;
    let off = |(joint, way): (JointId, f32)| (joint, (way - 0.5 * all).abs());
    let within = chain.windows(2).map(|pair| {
        gone += bone(pair);
        (pair[1], gone)
    });
    let between = within.take(chain.len().saturating_sub(2)).map(off);
    between.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(chain[0], |(joint, _)| joint)
}

/// How a joint turns.
struct Turns {
    /// At most, rad/s.
    fastest: f32,
    /// Its greatest acceleration, rad/s².
    most_sudden: f32,
}

/// How a body moves in some frames.
struct Moves {
    /// By joint.
    joints: Vec<Turns>,
    /// Vertical speed of the hips at most, m/s.
    hips_fast: f32,
    /// Their vertical acceleration at most, m/s².
    hips_sudden: f32,
    /// Mean third derivative of the places of joints, m/s³.
    rough: f32,
    /// Height of the hips in the middle of the time, metres over the ground.
    hips_high: f32,
    /// How deep a sole is in the ground at most, metres.
    deep: f32,
    /// And a joint of a leg.
    leg_deep: f32,
}

impl Moves {
    fn of(rig: &Rig, Changed { take, played: clip }: &Changed<'_>, steady: &[usize], frames: Range<usize>) -> Self {
        let skeleton = &rig.skeleton;
        let rate = clip.rate();
        let end = frames.end.min(clip.frames());
        let most = |of: &dyn Fn(usize) -> f32| steady.iter().map(|f| of(*f)).fold(0.0, f32::max);
        let joint = |joint: JointId| {
            let at = |f: usize| clip.frame(f)[joint.index()].rotation;
            let turn = |f: usize| quat::log((at(f) * at(f - 1).conjugate()).normalize()) * rate;
            let sudden = |f: usize| (turn(f) - turn(f - 1)).length() * rate;
            Turns { fastest: most(&|f| turn(f).length()), most_sudden: most(&sudden) }
        };
        let at = Trajectories::new(skeleton, clip);
        let hips = rig.body();
        let rise = |f: usize| (at.point(f, hips).y - at.point(f - 1, hips).y) * rate;
        let third = |joint: JointId| {
            let at = |f: usize| at.point(f, joint);
            let third = |f: &usize| (at(*f) - 3.0 * at(f - 1) + 3.0 * at(f - 2) - at(f - 3)).length();
            steady.iter().map(third).sum::<f32>() * rate.powi(3)
        };
        let count = (steady.len() * skeleton.len()).max(1) as f32;
        let depth = |track: &FootTrack, f: usize| take.ground - track.height(f);
        let tracks = FootTrack::of_all(rig, &take.clip);
        let legs = rig.legs.iter().flat_map(|leg| &leg.chain);
        let leg_depths = legs.flat_map(|joint| (frames.start..end).map(|f| take.ground - at.point(f, *joint).y));
        let mut heights: Vec<f32> = (frames.start..end).map(|f| at.point(f, hips).y - take.ground).collect();
        heights.sort_by(f32::total_cmp);
        let depths = tracks.iter().flat_map(|track| (frames.start..end).map(|f| depth(track, f)));
        Self {
            joints: skeleton.joints().map(joint).collect(),
            hips_fast: most(&|f| rise(f).abs()),
            hips_sudden: most(&|f| (rise(f) - rise(f - 1)).abs() * rate),
            rough: skeleton.joints().map(third).sum::<f32>() / count,
            hips_high: heights.get(heights.len() / 2).copied().unwrap_or(0.0),
            deep: depths.fold(0.0, f32::max),
            leg_deep: leg_depths.fold(0.0, f32::max),
        }
    }
}

/// Frames whose steps are looked at: those that are not near a jump of the source, which says nothing of how fast a joint may be. All of them,
/// if few are left.
fn steady_frames(clip: &Clip, jumped: &[f32], frames: Range<usize>) -> Vec<usize> {
    let all = || frames.start.max(3)..frames.end.min(clip.frames());
    let near =
        |f: usize| jumped.iter().any(|time| (f as f32 / clip.rate() - time).abs() <= AROUND.max(3.0 / clip.rate()));
    let steady: Vec<usize> = all().filter(|f| !near(*f)).collect();
    if 2 * steady.len() < all().len() { all().collect() } else { steady }
}

/// Whether a knee bends to a side to which it did not, against the one to which it mostly did.
fn turned_knees(rig: &Rig, before: &Clip, after: &Clip, frames: Range<usize>) -> bool {
    let skeleton = &rig.skeleton;
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
    // The axis about which each knee bends, in the space of its thigh, and whether it is bent enough to have one.
    let mut axes = |clip: &Clip| -> Vec<Vec<Vec3>> {
        let mut axes = vec![Vec::with_capacity(frames.len()); rig.legs.len()];
        for f in frames.start..frames.end.min(clip.frames()) {
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(skeleton, &mut model);
            for (leg, axes) in rig.legs.iter().zip(&mut axes) {
                let thigh: Quat = model[leg.chain[0]].rotation;
                let [hip, knee] = [0, 1].map(|k: usize| model[leg.chain[k.min(leg.chain.len() - 1)]].translation);
                let end: Vec3A =
                    leg.chain.get(2).map_or_else(|| leg.shin_end(&model), |joint| model[*joint].translation);
                let axis = (knee - hip).normalize_or_zero().cross((end - knee).normalize_or_zero());
                let sided = axis.length() > crate::math::single::sin(SIDED);
                axes.push(if sided { thigh.conjugate() * Vec3::from(axis.normalize()) } else { Vec3::ZERO });
            }
        }
        axes
    };
    let (was, now) = (axes(before), axes(after));
    let other = |axis: &Vec3, usual: Vec3| axis.dot(usual) < -0.2;
    was.iter().zip(&now).any(|(was, now)| {
        let usual = was.iter().sum::<Vec3>().normalize_or_zero();
        was.iter().zip(now).any(|(was, now)| other(now, usual) && !other(was, usual))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::ManyLegs;

    const FRAMES: usize = 40;

    /// Two legs whose left knee turns by an angle, radians by frame, at 30 Hz.
    fn bending(angle: impl Fn(usize) -> f32) -> (Rig, Take) {
        let rig = ManyLegs { pairs: 1, leg: 0.83 }.run();
        let knee = knee_of(&rig, &rig.legs[0].chain);
        let mut locals = Vec::new();
        for f in 0..FRAMES {
            let mut pose = rig.skeleton.rest().to_vec();
            let turn = Quat::from_axis_angle(Vec3::from(rig.legs[0].hinges[0]), angle(f));
            pose[knee.index()].rotation = (turn * pose[knee.index()].rotation).normalize();
            locals.extend(pose);
        }
        let clip = Clip::new(&rig.skeleton, "bends", 30.0, locals).unwrap();
        let take = Take { clip, stances: Vec::new(), ground: -1.0, sources: Vec::new() };
        (rig, take)
    }

    fn cost(before: &Take, after: &Take, rig: &Rig, moved: f32) -> f32 {
        let [was, now] = [before, after].map(|take| Changed { take, played: &take.clip });
        harm(rig, &was, &now, &[Vec3A::Y * moved; FRAMES], 0..FRAMES)
    }

    #[test]
    fn what_is_as_it_was_costs_nothing_and_a_knee_that_jerks_does() {
        let swing = |f: usize| 0.5 * (0.4 * f as f32).sin();
        let (rig, before) = bending(swing);
        assert!(cost(&before, &before, &rig, 0.0) <= 1.0);
        // Each turns back and forth in one frame: the more, the worse.
        let jerk = |by: f32| bending(move |f| swing(f) + if f == 20 { by } else { 0.0 }).1;
        let costs = [0.01, 0.1, 0.2].map(|by| cost(&before, &jerk(by), &rig, 0.0));
        assert!(costs[0] <= 1.0 && costs[1] > 1.0 && costs[2] > 1.5 * costs[1], "{costs:?}");
        // The same jerk in both is the source's own.
        assert!(cost(&jerk(0.2), &jerk(0.2), &rig, 0.0) <= 1.0);
    }

    #[test]
    fn a_body_that_is_moved_far_and_a_knee_on_its_other_side_cost() {
        let (rig, before) = bending(|_| 0.0);
        let leg = rig.leg_length();
        assert!((cost(&before, &before, &rig, 2.0 * MOVED * leg) - 2.0).abs() < 1e-3);
        // The knee of this leg is bent at rest; turned by twice as much it is bent the other way.
        let turned = [-1.0, 1.0].map(|way| {
            let other = bending(move |f| way * 1.6 * crate::math::smoothstep(f as f32 / FRAMES as f32)).1;
            turned_knees(&rig, &before.clip, &other.clip, 0..FRAMES)
        });
        assert!(turned[0] != turned[1], "one way it only bends, the other way it turns over: {turned:?}");
        assert!(!turned_knees(&rig, &before.clip, &before.clip, 0..FRAMES));
    }
}
