//! How well feet stand: drift, skate, float, penetration, fragmentation.

use crate::analyse::{FootTrack, Found};
use crate::math::floor;
use crate::motion::{Clip, Stance};
use crate::rig::Rig;
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
}

/// Measures the feet of a clip. Stances on things (farther than `snap` metres from the ground) stand on their own
/// level.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub fn measure_feet(rig: &Rig, clip: &Clip, found: &Found, snap: f32) -> FootFigures {
    let tracks = FootTrack::of_all(rig, clip);
    let (mut drift, mut float, mut penetration) = (Vec::new(), Vec::new(), Vec::new());
    for stance in &found.stances {
        let track = &tracks[stance.leg.index()];
        if !stance.open {
            drift.extend(drift_of(&track.heels, &stance.heel));
            drift.extend(drift_of(&track.balls, &stance.ball));
        }
        let level = level_of(stance, found.ground, snap);
        for f in stance.held() {
            let height = track.heels[f].y.min(track.balls[f].y) - level;
            float.push((height.max(0.0), f));
            penetration.push(((-height).max(0.0), f));
        }
    }
    let (skate, skating_ratio) = skating(clip, &tracks, found.ground);
    let stances = found.stances.iter().filter(|s| !s.open).count();
    FootFigures {
        drift: Spread::of(drift),
        skate,
        skating_ratio,
        float: Spread::of(float),
        penetration: Spread::of(penetration),
        stances,
    }
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

fn skating(clip: &Clip, tracks: &[FootTrack], ground: f32) -> (f32, f32) {
    const H: f32 = 0.025;
    let (mut sum, mut sliding) = (0.0, 0);
    for f in 1..clip.frames() {
        let mut slides = false;
        for track in tracks {
            let v = |points: &[Vec3A]| floor::of_point(points[f] - points[f - 1]).length() * clip.rate();
            let (heel, ball) = (track.heels[f].y - ground, track.balls[f].y - ground);
            let (h, v_low) = if heel < ball { (heel, v(&track.heels)) } else { (ball, v(&track.balls)) };
            // Below the ground counts as on it.
            if h <= H {
                sum += v_low * (2.0 - (h.max(0.0) / H).exp2());
            }
            // 2.5 cm in a frame at 20 Hz is half a metre a second.
            slides |= heel.max(ball) < 0.05 && v(&track.heels).min(v(&track.balls)) > 0.5;
        }
        sliding += usize::from(slides);
    }
    let frames = (clip.frames() - 1).max(1) as f32;
    (sum / frames, sliding as f32 / frames)
}

/// Share of the source's stance time that is still stance in the result.
#[must_use]
pub fn stance_kept(source: &[Stance], result: &[Stance]) -> f32 {
    let total: usize = source.iter().map(|s| s.frames.len()).sum();
    let kept: usize = source
        .iter()
        .map(|s| {
            let held = |f: usize| result.iter().any(|r| r.leg == s.leg && r.frames.contains(&f));
            s.frames.clone().filter(|f| held(*f)).count()
        })
        .sum();
    if total == 0 { 1.0 } else { kept as f32 / total as f32 }
}
