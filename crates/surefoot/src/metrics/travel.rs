//! How far and how fast a body goes, without the sway of its strides.

use crate::math::floor;
use crate::motion::Clip;
use crate::rig::Rig;
use glam::Vec2;

/// How far and how fast a body goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TravelFigures {
    /// Length of its way over the floor, metres.
    pub length: f32,
    /// That over the time of the whole clip, m/s.
    pub speed: f32,
    /// The speed at which it goes most of the time that it goes: the median, m/s; 0 if it stands.
    pub pace: f32,
    /// The greatest speed, m/s.
    pub top: f32,
}

/// Over how long the way is smoothed, seconds: about a stride of a person.
const STRIDE: f32 = 0.9;
/// Over how long velocities are taken, seconds: the sway of a stride is no change of direction.
pub(super) const WAY: f32 = 0.6;
/// Slower than this a body of a person's size stands, m/s.
pub(super) const STANDS: f32 = 0.3;

/// Measures how far and how fast the pelvis of a clip goes.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub fn measure_travel(rig: &Rig, clip: &Clip) -> TravelFigures {
    let skeleton = &rig.skeleton;
    assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
    let places: Vec<Vec2> =
        (0..clip.frames()).map(|frame| floor::of_point(clip.body(skeleton, frame).translation)).collect();
    let smoothed = |seconds: f32| hann(&places, ((seconds * clip.rate()).round() as usize).max(1));
    let length = smoothed(STRIDE).windows(2).map(|pair| f64::from(pair[0].distance(pair[1]))).sum::<f64>() as f32;
    let steps = smoothed(WAY);
    let mut speeds: Vec<f32> = steps.windows(2).map(|pair| pair[0].distance(pair[1]) * clip.rate()).collect();
    speeds.sort_by(f32::total_cmp);
    let going = &speeds[speeds.partition_point(|speed| *speed <= rig.scale().speed(STANDS))..];
    TravelFigures {
        length,
        speed: length / ((clip.frames() - 1).max(1) as f32 / clip.rate()),
        pace: going.get(going.len() / 2).copied().unwrap_or(0.0),
        top: speeds.last().copied().unwrap_or(0.0),
    }
}

/// Slower than this a body of a person's size does not come on, m/s.
const HALTS: f32 = 0.2;

/// How long a body stands between going and going on, seconds.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub(crate) fn stands_between(rig: &Rig, clip: &Clip) -> f32 {
    let skeleton = &rig.skeleton;
    let places: Vec<Vec2> =
        (0..clip.frames()).map(|frame| floor::of_point(clip.body(skeleton, frame).translation)).collect();
    let smoothed = hann(&places, ((WAY * clip.rate()).round() as usize).max(1));
    let slow = rig.scale().speed(HALTS);
    let goes: Vec<bool> = smoothed.windows(2).map(|pair| pair[0].distance(pair[1]) * clip.rate() > slow).collect();
    let (Some(first), Some(last)) = (goes.iter().position(|goes| *goes), goes.iter().rposition(|goes| *goes)) else {
        return 0.0;
    };
    goes[first..=last].iter().filter(|goes| !**goes).count() as f32 / clip.rate()
}

/// Means over `count` frames, the middle ones more (Hann's window); ends are repeated.
pub(super) fn hann(values: &[Vec2], count: usize) -> Vec<Vec2> {
    if count < 2 {
        return values.to_vec();
    }
    let weight =
        |k: usize| 0.5 - 0.5 * crate::math::single::cos(std::f32::consts::TAU * (k + 1) as f32 / (count + 1) as f32);
    let weights: Vec<f32> = (0..count).map(weight).collect();
    let all: f32 = weights.iter().sum();
    let last = values.len() - 1;
    let mean = |f: usize| {
        // Most are far from the ends.
        if let Some(near) = f.checked_sub(count / 2).and_then(|first| values.get(first..first + count)) {
            return near.iter().zip(&weights).map(|(value, w)| *value * *w).sum::<Vec2>() / all;
        }
        let value = |k: usize| values[(f + k).saturating_sub(count / 2).min(last)];
        weights.iter().enumerate().map(|(k, w)| value(k) * *w).sum::<Vec2>() / all
    };
    (0..values.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rigid;
    use crate::rig::ManyLegs;
    use glam::Vec3A;

    #[test]
    fn a_walk_with_a_stand_has_its_length_and_its_pace() {
        let rig = ManyLegs { pairs: 1, leg: 0.83 }.run();
        let locals = (0..420).flat_map(|_| rig.skeleton.rest().to_vec()).collect();
        let mut clip = Clip::new(&rig.skeleton, "walk", 60.0, locals).unwrap();
        for (f, root) in clip.roots_mut().iter_mut().enumerate() {
            // It stands for a second, goes at 1.2 m/s for four, swaying, and stands for two.
            let t = (f as f32 / 60.0 - 1.0).clamp(0.0, 4.0);
            let sway = 0.03 * (std::f32::consts::TAU * t / 1.0).sin();
            *root = Rigid::from_translation(Vec3A::new(sway, 0.0, 1.2 * t));
        }
        let travel = measure_travel(&rig, &clip);
        assert!((travel.length - 4.8).abs() < 0.03, "{travel:?}");
        assert!((travel.speed - travel.length / (419.0 / 60.0)).abs() < 1e-4, "{travel:?}");
        assert!((travel.pace - 1.2).abs() < 0.03 && travel.top < 1.3, "{travel:?}");
        assert_eq!(measure_travel(&rig, &clip.trimmed(0..1)).top, 0.0);
        assert_eq!(stands_between(&rig, &clip), 0.0, "before and after it goes it may stand");
        let goes = clip.roots().to_vec();
        for (f, root) in clip.roots_mut().iter_mut().enumerate() {
            // The same with two seconds of standing half way.
            *root = goes[if f < 180 { f } else { (f - 120).max(180) }];
        }
        let stands = stands_between(&rig, &clip);
        assert!((stands - 2.0).abs() < 0.3, "{stands} s");
    }
}
