//! The way: whether a walk kept clear of everything, how long it was, and where it ended.

use crate::math::{FloorPose, floor, quat, wrap_angle};
use crate::motion::{Clip, Take};
use crate::rig::Rig;
use glam::Vec2;

/// Where a walk went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct WayFigures {
    /// Frames in which the body had no room.
    pub collisions: usize,
    /// Length walked, without the sway of strides, metres.
    pub length: f32,
    /// Length walked over the shortest there is; 1 if there is no way to walk.
    pub quality: f32,
    /// How far the last frame is from where the walk should end, metres.
    pub missed: f32,
    /// How far it faces from where it should, radians; 0 if any way will do.
    pub askew: f32,
}

/// What a walk is held against.
pub struct Wanted<'a> {
    /// Whether the body has room with its middle at a place (x, z), metres, in a frame.
    pub is_free: &'a dyn Fn(Vec2, usize) -> bool,
    /// The length of the shortest way, metres.
    pub shortest: f32,
    /// Where the walk should end, (x, z), metres.
    pub place: Vec2,
    /// And face, radians.
    pub heading: Option<f32>,
}

/// Measures where the pelvis of a walk went.
///
/// # Panics
/// If the take was made for another skeleton or has no frame.
#[must_use]
pub fn measure_way(rig: &Rig, take: &Take, wanted: &Wanted<'_>) -> WayFigures {
    let clip = &take.clip;
    let bodies: Vec<_> = (0..clip.frames()).map(|frame| clip.body(&rig.skeleton, frame)).collect();
    let places: Vec<Vec2> = bodies.iter().map(|body| floor::of_point(body.translation)).collect();
    let collisions = places.iter().enumerate().filter(|(frame, p)| !(wanted.is_free)(**p, *frame)).count();
    let length = smoothed_length(&places, stride(take).unwrap_or(1));
    let last = places.len() - 1;
    let quality = if wanted.shortest > 1e-3 { length / wanted.shortest } else { 1.0 };
    let faces = quat::heading(bodies[last].rotation).unwrap_or(0.0);
    WayFigures {
        collisions,
        length,
        quality,
        missed: places[last].distance(wanted.place),
        askew: wanted.heading.map_or(0.0, |heading| wrap_angle(heading - faces).abs()),
    }
}

/// How far a walk's end is from a pose: metres and radians.
#[must_use]
pub fn arrival(rig: &Rig, clip: &Clip, end: FloorPose) -> (f32, f32) {
    let body = clip.body(&rig.skeleton, clip.frames() - 1);
    let faces = quat::heading(body.rotation).unwrap_or(0.0);
    (floor::of_point(body.translation).distance(end.position), wrap_angle(end.heading - faces).abs())
}

/// Frames from a strike of a leg to its next, in the median; `None` where no leg strikes twice.
fn stride(take: &Take) -> Option<usize> {
    let strikes: Vec<_> = take.stances.iter().map(|s| (s.leg(), s.frames(&take.clip).whole.start)).collect();
    let pairs = strikes.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let mut spans: Vec<usize> = pairs.map(|pair| pair[1].1.saturating_sub(pair[0].1)).collect();
    spans.sort_unstable();
    spans.get(spans.len() / 2).copied()
}

/// The length of a way whose points are means over `window` frames, fewer towards its ends.
fn smoothed_length(places: &[Vec2], window: usize) -> f32 {
    let half = window / 2;
    let mean = |frame: usize| {
        let reach = half.min(frame).min(places.len() - 1 - frame);
        let span = &places[frame - reach..=frame + reach];
        span.iter().fold(Vec2::ZERO, |sum, p| sum + *p) / span.len() as f32
    };
    let means: Vec<Vec2> = (0..places.len()).map(mean).collect();
    means.windows(2).map(|pair| f64::from(pair[0].distance(pair[1]))).sum::<f64>() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sway_is_no_way() {
        let swaying: Vec<Vec2> = (0..300)
            .map(|k| Vec2::new((k as f32 * std::f32::consts::TAU / 30.0).sin() * 0.1, k as f32 * 0.04))
            .collect();
        let straight = 299.0 * 0.04;
        assert!(smoothed_length(&swaying, 1) > 1.02 * straight);
        assert!((smoothed_length(&swaying, 30) / straight - 1.0).abs() < 0.015);
    }
}
