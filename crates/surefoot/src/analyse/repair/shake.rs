//! Shaking: a joint that goes to and fro faster than a body can, because a marker's noise moved it, calmed to the middle of its way.

use super::Turns;
use crate::math::{quat, single, smoothstep};
use glam::{Quat, Vec3, Vec4};
use std::ops::Range;

/// A joint that turns back this often within so many seconds shakes: to and fro ten times a second, where fingers tap seven times.
const TURNS_BACK: usize = 4;
const WITHIN: f32 = 0.2;
/// Two quick turns farther apart than this are no shaking, seconds: those of the fastest fingers are.
const PAUSE: f32 = 0.07;
/// The middle of a way is taken over this time either side, seconds (standard deviation): a shake of 10 Hz leaves a hundredth.
const SOFT: f32 = 0.05;

/// Spans of frames in which a joint that turns faster than `least` (rad/s) turns back again and again.
pub(super) fn shakes(turns: &Turns, rate: f32, least: f32) -> Vec<Range<usize>> {
    let count = turns.track.len();
    let frames = |seconds: f32| ((seconds * rate).round() as usize).max(1);
    let (pause, within) = (frames(PAUSE), frames(WITHIN));
    // Where it turns back, and where the turn before that began.
    let mut back: Vec<Range<usize>> = Vec::new();
    let mut last: Option<(usize, Vec3)> = None;
    for frame in (1..count).filter(|f| turns.steps[*f] * rate > least) {
        let turn = quat::log(turns.track[frame - 1].conjugate() * turns.track[frame]);
        if let Some((before, other)) = last
            && frame - before <= pause
            && turn.dot(other) < 0.0
        {
            back.push(before..frame);
        }
        last = Some((frame, turn));
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for several in back.windows(TURNS_BACK) {
        let span = several[0].start..several[TURNS_BACK - 1].end;
        if span.len() > within {
            continue;
        }
        match found.last_mut() {
            Some(last) if span.start <= last.end + pause => last.end = span.end,
            _ => found.push(span),
        }
    }
    found
}

/// Where a joint is in the middle of its way in some frames: fully in the span, less and less for a while before and after it.
pub(super) fn calmed(track: &[Quat], rate: f32, span: &Range<usize>) -> (Range<usize>, Vec<Quat>) {
    let fade = ((2.0 * SOFT * rate).round() as usize).max(1);
    let frames = span.start.saturating_sub(fade)..(span.end + fade).min(track.len());
    let reach = ((3.0 * SOFT * rate).round() as usize).max(1);
    let calm = |frame: usize| {
        let near = frame.saturating_sub(reach)..(frame + reach + 1).min(track.len());
        let weigh = |f: usize| {
            // A Gaussian, as a power of two.
            let away = (f as f32 - frame as f32) / (SOFT * rate);
            Vec4::from(quat::nearest_sign(track[frame], track[f])) * single::exp2(-0.72 * away * away)
        };
        let middle = Quat::from_vec4(near.map(weigh).sum::<Vec4>()).normalize();
        let outside = (span.start.max(frame) - frame).max((frame + 1).max(span.end) - span.end);
        let share = smoothstep(1.0 - outside as f32 / (fade + 1) as f32);
        quat::nlerp(track[frame], middle, share)
    };
    (frames.clone(), frames.map(calm).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::JointId;
    use std::f32::consts::TAU;

    const LEAST: f32 = 5.24;

    /// A joint that swings slowly, and to and fro by `wide` radians at so many Hz on top of that in some frames.
    fn track(rate: f32, hertz: f32, wide: f32, shaken: &Range<usize>) -> [Vec<Quat>; 2] {
        let way = |f: usize| 0.4 * (TAU * 0.8 * f as f32 / rate).sin();
        let shake = |f: usize| wide * (TAU * hertz * (f - shaken.start) as f32 / rate).sin();
        let off = |f: usize| if shaken.contains(&f) { shake(f) } else { 0.0 };
        [0.0, 1.0].map(|share| (0..120).map(|f| Quat::from_rotation_y(way(f) + share * off(f))).collect())
    }

    fn turns(track: &[Quat]) -> Turns {
        let step = |f: usize| if f == 0 { 0.0 } else { quat::angle_between(track[f - 1], track[f]) };
        Turns { joint: JointId(0), steps: (0..track.len()).map(step).collect(), track: track.to_vec() }
    }

    #[test]
    fn what_shakes_is_calmed_to_the_middle_of_its_way_and_nothing_else() {
        for (rate, hertz) in [(60.0, 11.0), (60.0, 20.0), (120.0, 13.0)] {
            let shaken = 50..50 + (0.35 * rate) as usize;
            let [even, shakes_so] = track(rate, hertz, 0.2, &shaken);
            let found = shakes(&turns(&shakes_so), rate, LEAST);
            assert_eq!(found.len(), 1, "{rate} {hertz}: {found:?}");
            assert!(found[0].start + 6 > shaken.start && found[0].end < shaken.end + 2, "{rate} {hertz}: {found:?}");
            let (frames, calm) = calmed(&shakes_so, rate, &found[0]);
            let off = |(f, calm): (usize, &Quat)| quat::angle_between(even[f], *calm);
            let before = frames.clone().map(|f| quat::angle_between(even[f], shakes_so[f])).fold(0.0, f32::max);
            let after = frames.clone().zip(&calm).map(off).fold(0.0, f32::max);
            assert!(before > 0.17 && after < 0.5 * before, "{rate} {hertz}: {before} and {after} rad off");
            // It comes and goes smoothly.
            let mut whole = shakes_so.clone();
            whole[frames].copy_from_slice(&calm);
            assert!(shakes(&turns(&whole), rate, LEAST).is_empty(), "{rate} {hertz}: it is calm");
        }
    }

    #[test]
    fn what_a_body_can_do_is_left_alone() {
        // Tapping, a spike, a quick turn there and back.
        for (hertz, wide, shaken) in [(6.5, 0.6, 20..90), (15.0, 0.5, 50..54), (30.0, 0.5, 50..52), (0.5, 2.0, 10..100)]
        {
            let [_, moves] = track(60.0, hertz, wide, &shaken);
            let found = shakes(&turns(&moves), 60.0, LEAST);
            assert!(found.is_empty(), "{hertz} Hz: {found:?}");
        }
        for frames in 0..4 {
            let short = vec![Quat::IDENTITY; frames];
            assert!(shakes(&turns(&short), 60.0, LEAST).is_empty(), "{frames} frames");
        }
        let (frames, calm) = calmed(&[Quat::IDENTITY; 3], 60.0, &(0..3));
        assert_eq!((frames, calm), (0..3, vec![Quat::IDENTITY; 3]));
    }
}
