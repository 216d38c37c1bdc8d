//! How well feet stand: drift, skate, float, penetration, fragmentation.

use crate::analyse::{FootTrack, Found};
use crate::math::{floor, single};
use crate::motion::{Clip, Stance, Trajectories, stance};
use crate::rig::{LegId, Rig, Skeleton};
use glam::Vec3A;
use std::ops::Range;

/// The middle, the 95th percentile and the worst of a figure, with where the worst is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// Middle value.
    pub median: f32,
    /// Value that 95 of 100 do not exceed.
    pub p95: f32,
    /// Greatest value.
    pub max: f32,
    /// Frame of the greatest value.
    pub worst: usize,
}

impl Spread {
    /// Of values with their frames; zero if there are none.
    #[must_use]
    pub fn of(mut values: Vec<(f32, usize)>) -> Self {
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some((max, worst)) = values.last().copied() else { return Self::default() };
        let at = |share: f32| values[((values.len() - 1) as f32 * share).round() as usize].0;
        Self { median: at(0.5), p95: at(0.95), max, worst }
    }
}

/// Figures of the feet of one clip on level ground. Lengths in metres, speeds in m/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootFigures {
    /// Per stance and foot point, over the time that point is down: greatest level distance from its mean place.
    pub drift: Spread,
    /// Mean over frames of v (2 - 2^(h/H)), H = 2.5 cm, of the lower point of every foot within H of the ground (Zhang
    /// 2018); a point below the ground counts as on it. Toes that swing low count too.
    pub skate: f32,
    /// Share of frames in which a foot, heel and ball under 5 cm, slides faster than 2.5 cm in a frame at 20 Hz
    /// (Karunratanakul 2023).
    pub skating_ratio: f32,
    /// How far the lowest foot point is over the ground during contact.
    pub float: Spread,
    /// How far it is under the ground.
    pub penetration: Spread,
    /// Closed stances seen.
    pub stances: usize,
    /// Share of frames, foot by foot, whose label fits what the foot does: one that stands is within 5 cm of its ground
    /// and slower than 0.6 m/s, or than a third of the hips' speed; one that flies is not within 1 cm and slower than
    /// 0.1 m/s. For legs of 0.83 m.
    pub agreement: f32,
    /// Least height of heel, ball and tip over the ground in the middle half of swings; below 0 a foot went through.
    pub clearance: f32,
    /// Most that a leg is stretched while it stands: hip to ankle over its length; 1 is straight.
    pub extension: f32,
    /// Mean size of the third derivative of joint positions, m/s³.
    pub jerk: f32,
}

/// Measures the feet of a clip. Stances on things (farther than `snap` metres from the ground) stand on their own
/// level.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub fn measure_feet(rig: &Rig, clip: &Clip, found: &Found, snap: f32) -> FootFigures {
    measure_feet_in(rig, clip, found, snap, 0..clip.frames())
}

/// Measures the feet of a part of a clip, such as one round of a cycle that is played several times: its frames, and the
/// stances that begin in it. Frames are still counted from the clip's start.
///
/// # Panics
/// If the clip was made for another skeleton, or has not all of the frames.
#[must_use]
pub fn measure_feet_in(rig: &Rig, clip: &Clip, found: &Found, snap: f32, frames: Range<usize>) -> FootFigures {
    assert!(frames.end <= clip.frames(), "frames up to {} of {}", frames.end, clip.frames());
    let tracks = FootTrack::of_all(rig, clip);
    let begins = |stance: &&Stance| frames.contains(&stance.frames.start);
    let part = Found { stances: found.stances.iter().filter(begins).cloned().collect(), ground: found.ground };
    let drift = slides(rig, clip, &part).iter().map(|slide| (slide.drift, slide.frame)).collect();
    let (mut float, mut penetration) = (Vec::new(), Vec::new());
    for stance in &part.stances {
        let track = &tracks[stance.leg.index()];
        let level = level_of(stance, found.ground, snap);
        for f in stance.held() {
            let height = track.heels[f].y.min(track.balls[f].y) - level;
            float.push((height.max(0.0), f));
            penetration.push(((-height).max(0.0), f));
        }
    }
    let (skate, skating_ratio) = skating(clip, &tracks, found.ground, &frames);
    let stances = part.stances.iter().filter(|s| !s.open).count();
    let trajectories = Trajectories::new(&rig.skeleton, clip);
    FootFigures {
        agreement: agreement(rig, clip, found, &tracks, snap, &frames),
        clearance: clearance(rig, found, &tracks, &frames),
        extension: extension(rig, &part, &trajectories),
        jerk: jerk(&rig.skeleton, clip, &trajectories, &frames),
        drift: Spread::of(drift),
        skate,
        skating_ratio,
        float: Spread::of(float),
        penetration: Spread::of(penetration),
        stances,
    }
}

/// A foot point that strayed from its place while it should hold it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// The leg.
    pub leg: LegId,
    /// Whether it was the heel; else the ball.
    pub heel: bool,
    /// How far, metres.
    pub drift: f32,
    /// The frame in which it was farthest off.
    pub frame: usize,
}

/// Every slide of a clip's stances, the worst first.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub fn slides(rig: &Rig, clip: &Clip, found: &Found) -> Vec<Slide> {
    let tracks = FootTrack::of_all(rig, clip);
    let mut slides = Vec::new();
    for stance in found.stances.iter().filter(|stance| !stance.open) {
        let track = &tracks[stance.leg.index()];
        for (heel, points, span) in [(true, &track.heels, &stance.heel), (false, &track.balls, &stance.ball)] {
            let drift = drift_of(points, span);
            slides.extend(drift.map(|(drift, frame)| Slide { leg: stance.leg, heel, drift, frame }));
        }
    }
    slides.sort_by(|a, b| b.drift.total_cmp(&a.drift).then(a.frame.cmp(&b.frame)));
    slides
}

/// The height a stance is on: the ground, or its own if it stands on something.
fn level_of(stance: &Stance, ground: f32, snap: f32) -> f32 {
    let own = stance.print.world_from_sole.translation.y;
    if (own - ground).abs() < snap { ground } else { own }
}

fn drift_of(points: &[Vec3A], span: &Range<usize>) -> Option<(f32, usize)> {
    if span.is_empty() {
        return None;
    }
    let mean = span.clone().map(|f| floor::of_point(points[f])).sum::<glam::Vec2>() / span.len() as f32;
    span.clone().map(|f| ((floor::of_point(points[f]) - mean).length(), f)).max_by(|a, b| a.0.total_cmp(&b.0))
}

fn skating(clip: &Clip, tracks: &[FootTrack], ground: f32, frames: &Range<usize>) -> (f32, f32) {
    const H: f32 = 0.025;
    let (mut sum, mut sliding) = (0.0, 0);
    let steps = frames.start.max(1)..frames.end;
    for f in steps.clone() {
        let mut slides = false;
        for track in tracks {
            let v = |points: &[Vec3A]| floor::of_point(points[f] - points[f - 1]).length() * clip.rate();
            let (heel, ball) = (track.heels[f].y - ground, track.balls[f].y - ground);
            let (h, v_low) = if heel < ball { (heel, v(&track.heels)) } else { (ball, v(&track.balls)) };
            // Below the ground counts as on it.
            if h <= H {
                sum += v_low * (2.0 - single::exp2(h.max(0.0) / H));
            }
            // 2.5 cm in a frame at 20 Hz is half a metre a second.
            slides |= heel.max(ball) < 0.05 && v(&track.heels).min(v(&track.balls)) > 0.5;
        }
        sliding += usize::from(slides);
    }
    let steps = steps.len().max(1) as f32;
    (sum / steps, sliding as f32 / steps)
}

fn agreement(rig: &Rig, clip: &Clip, found: &Found, tracks: &[FootTrack], snap: f32, part: &Range<usize>) -> f32 {
    let scale = rig.leg_length() / 0.83;
    let frames = clip.frames();
    if frames < 2 {
        return 1.0;
    }
    // Over two frames, where there are two: one frame's noise is no speed.
    let around = |f: usize| (f.saturating_sub(1), (f + 1).min(frames - 1));
    let speed = |points: &dyn Fn(usize) -> Vec3A, f: usize| {
        let (a, b) = around(f);
        (points(b) - points(a)).length() * clip.rate() / (b - a) as f32
    };
    let mut fits = 0;
    for (id, _) in rig.legs() {
        let track = &tracks[id.index()];
        let mut level: Vec<Option<f32>> = vec![None; frames];
        for stance in stance::of_leg(&found.stances, id) {
            level[stance.frames.clone()].fill(Some(level_of(stance, found.ground, snap)));
        }
        for f in part.clone() {
            let points = [&track.heels, &track.balls, &track.tips];
            let slowest = points.map(|p| speed(&|g| p[g], f)).into_iter().fold(f32::INFINITY, f32::min);
            let hips = speed(&|g| clip.body(&rig.skeleton, g).translation, f);
            let lowest = points[..2].iter().map(|p| p[f].y).fold(f32::INFINITY, f32::min);
            let over = lowest - level[f].unwrap_or(found.ground);
            fits += usize::from(match level[f] {
                Some(_) => over < 0.05 * scale && slowest < (0.6 * scale.sqrt()).max(hips / 3.0),
                None => over > 0.01 * scale || slowest > 0.1 * scale.sqrt(),
            });
        }
    }
    fits as f32 / (part.len() * rig.legs.len()).max(1) as f32
}

/// Least height of a foot over the ground in the middle half of its swings; 0 if it has none.
fn clearance(rig: &Rig, found: &Found, tracks: &[FootTrack], frames: &Range<usize>) -> f32 {
    let mut least = f32::INFINITY;
    for (id, _) in rig.legs() {
        let own: Vec<&Stance> = stance::of_leg(&found.stances, id).collect();
        for pair in own.windows(2) {
            let (from, to) = (pair[0].frames.end, pair[1].frames.start);
            if !frames.contains(&from) {
                continue;
            }
            let quarter = to.saturating_sub(from) / 4;
            for f in from + quarter..to.saturating_sub(quarter) {
                let track = &tracks[id.index()];
                let low = track.heels[f].y.min(track.balls[f].y).min(track.tips[f].y);
                least = least.min(low - found.ground);
            }
        }
    }
    if least.is_finite() { least } else { 0.0 }
}

fn extension(rig: &Rig, found: &Found, trajectories: &Trajectories) -> f32 {
    let mut most: f32 = 0.0;
    for stance in &found.stances {
        let leg = &rig.legs[stance.leg.index()];
        for f in stance.held() {
            let at = |joint| trajectories.point(f, joint);
            let length: f32 = leg.chain.windows(2).map(|pair| (at(pair[1]) - at(pair[0])).length()).sum();
            most = most.max((at(leg.ankle()) - at(leg.hip())).length() / length.max(1e-6));
        }
    }
    most
}

fn jerk(skeleton: &Skeleton, clip: &Clip, trajectories: &Trajectories, frames: &Range<usize>) -> f32 {
    let cube = clip.rate().powi(3);
    let (mut sum, mut count) = (0.0_f64, 0_u32);
    for joint in skeleton.joints() {
        let path: Vec<Vec3A> = trajectories.path(joint).collect();
        for four in path[frames.clone()].windows(4) {
            let third = four[3] - 3.0 * four[2] + 3.0 * four[1] - four[0];
            sum += f64::from(third.length() * cube);
            count += 1;
        }
    }
    (sum / f64::from(count.max(1))) as f32
}

/// Share of the source's stance time that is still stance in the result.
#[must_use]
pub fn stance_kept(source: &[Stance], result: &[Stance]) -> f32 {
    stance_kept_in(source, result, 0..usize::MAX)
}

/// The same within some frames only.
#[must_use]
pub fn stance_kept_in(source: &[Stance], result: &[Stance], frames: Range<usize>) -> f32 {
    let within = |s: &Stance| s.frames.start.max(frames.start)..s.frames.end.min(frames.end);
    let total: usize = source.iter().map(|s| within(s).len()).sum();
    let end = result.iter().map(|s| s.frames.end).max().unwrap_or(0);
    let legs = result.iter().map(|s| s.leg.index() + 1).max().unwrap_or(0);
    let mut held = vec![vec![false; end]; legs];
    result.iter().for_each(|s| held[s.leg.index()][s.frames.clone()].fill(true));
    let stands = |leg: usize, f: usize| held.get(leg).and_then(|own| own.get(f)).is_some_and(|held| *held);
    let kept = source.iter().map(|s| within(s).filter(|f| stands(s.leg.index(), *f)).count()).sum::<usize>();
    if total == 0 { 1.0 } else { kept as f32 / total as f32 }
}
