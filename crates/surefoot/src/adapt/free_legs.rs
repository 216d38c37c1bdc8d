//! Legs that swing: one that is led far falls short of its way until it lands, one that was drawn straight goes with its body.

use super::foot_path::FootPath;
use super::knee::Chain;
use crate::math::{single, smoothstep, window};
use crate::motion::FootTrack;
use glam::Vec3A;

/// Legs that swing are stretched no farther than this share of their reach, but as far as they were: their knees are bent by 27°.
const FREE: f32 = 0.972;
/// And as far as this if they were straighter.
const STRAIGHT: f32 = 0.995;
/// What is beyond comes to this share more at most, without a corner.
const BEYOND: f32 = 0.003;
/// So long before a foot lands and after it lifts its leg may be as straight as it is then, seconds.
const NEAR: f32 = 0.12;

/// Brings ends of a leg that swings nearer to its hip where the leg would be straighter than it was and than is easy: near full
/// stretch a knee turns by degrees for a millimetre of its foot. `shift` is how the hip is moved, by frame, metres; `rate` in Hz.
pub(super) fn keep_bent(rate: f32, chain: &[Chain], path: &mut FootPath, targets: &mut [Vec3A], shift: &[Vec3A]) {
    let frames = targets.len();
    let stretch = |f: usize, target: Vec3A| (target - chain[f].hip - shift[f]).length() / chain[f].reach.max(1e-3);
    let mut f = 0;
    while f < frames {
        if path.held[f] {
            f += 1;
            continue;
        }
        let end = (f..frames).find(|g| path.held[*g]).unwrap_or(frames);
        let before = f.checked_sub(1).map_or(0.0, |last| stretch(last, targets[last]));
        let after = targets.get(end).map_or(0.0, |target| stretch(end, *target));
        let near = |frames: usize| 1.0 - smoothstep(frames as f32 / (NEAR * rate));
        for g in f..end {
            let was = (chain[g].end - chain[g].hip).length() / chain[g].reach.max(1e-3);
            let mut most = FREE.max(was.min(STRAIGHT));
            most += near(g + 1 - f) * (before - most).max(0.0);
            most += near(end - g) * (after - most).max(0.0);
            let now = stretch(g, targets[g]);
            let over = now - most;
            if over > 0.0 {
                let kept = (most + BEYOND * (1.0 - single::exp(-over / BEYOND))) / now;
                let by = (targets[g] - chain[g].hip - shift[g]) * (kept - 1.0);
                targets[g] += by;
                path.ankles[g].translation += by;
            }
        }
        f = end;
    }
}

/// A leg that is bent by more than at this share of its reach turns its knee little for its hip's way …
const BENT: f32 = 0.88;
/// … and one that is straighter than this by degrees for a millimetre.
const NEARLY_STRAIGHT: f32 = 0.97;
/// So long after it lifts and before it lands a foot goes all the way with its body, seconds.
const GOES_WITH: f32 = 0.07;

/// Keeps a leg that swings nearly straight as long as it was drawn, however its hip is moved: its foot goes with it. `shift` is how
/// the hip is moved and `source` the foot as it was, by frame; a foot comes no nearer than `low` to the ground at a height. Metres,
/// world; `rate` in Hz.
pub(super) fn keep_length(
    rate: f32,
    (chain, shift): (&Vec<Chain>, &Vec<Vec3A>),
    source: &FootTrack,
    path: &mut FootPath,
    ends: &mut [Vec3A],
    (ground, low): (f32, f32),
) {
    let (frames, reach) = (ends.len(), ((GOES_WITH * rate).round() as usize).max(1));
    for f in 0..frames {
        let Chain { hip, end, reach: length, .. } = chain[f];
        let (was, now) = ((end - hip).length(), ends[f] - hip - shift[f]);
        let straight = smoothstep((was / length.max(1e-6) - BENT) / (NEARLY_STRAIGHT - BENT));
        if path.held[f] || straight == 0.0 || now.length_squared() < 1e-12 {
            continue;
        }
        let away = window(f, reach, frames).filter(|g| path.held[*g]).map(|g| g.abs_diff(f)).min();
        let free = away.map_or(1.0, |away| smoothstep(away as f32 / (reach + 1) as f32));
        let mut by = now.normalize() * (was - now.length()) * straight * free;
        let lowest = source.heels[f].y.min(source.balls[f].y).min(source.tips[f].y);
        let over = lowest + path.ankles[f].translation.y - source.ankles[f].translation.y - ground - low;
        if by.y < 0.0 {
            by *= (over.max(0.0) / -by.y).min(1.0);
        }
        path.ankles[f].translation += by;
        ends[f] += by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rigid;

    #[test]
    fn a_foot_that_is_led_far_falls_short_until_it_lands_and_others_stay() {
        let chain = vec![Chain::new(Vec3A::Y, Vec3A::new(0.0, 0.5, 0.1), Vec3A::new(0.0, 0.1, 0.2), 1.0); 60];
        let shift = vec![Vec3A::ZERO; 60];
        let run = |far: f32| {
            // It is led out to `far` and stands from frame 40 on, nearer.
            let at = |f: usize| Vec3A::Y - Vec3A::Y * if f < 40 { 0.6 + (far - 0.6) * f as f32 / 39.0 } else { 0.97 };
            let mut targets: Vec<Vec3A> = (0..60).map(at).collect();
            let ankles = targets.iter().map(|t| Rigid::from_translation(*t)).collect();
            let mut path = FootPath { ankles, held: (0..60).map(|f| f >= 40).collect() };
            keep_bent(60.0, &chain, &mut path, &mut targets, &shift);
            assert!(path.ankles.iter().zip(&targets).all(|(a, t)| a.translation == *t));
            targets.iter().map(|t| 1.0 - t.y).collect::<Vec<f32>>()
        };
        let far = run(1.05);
        assert!(far.iter().all(|d| *d < 0.981), "{far:?}");
        assert!(far[40..].iter().all(|d| *d == 1.0 - (1.0 - 0.97)), "what stands stays");
        assert!(far.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.02), "{far:?}");
        let near = run(0.96);
        assert!((near[39] - 0.96).abs() < 1e-6, "{near:?}");
    }

    #[test]
    fn a_straight_leg_that_swings_goes_with_its_body_and_a_bent_one_does_not() {
        let frames = 20;
        let low = vec![-0.05 * Vec3A::Y; frames];
        // The hip is lowered by 5 cm over a leg that reaches so far down, its foot in the air and held from frame 10 on.
        let run = |long: f32| {
            let end = Vec3A::Y * (1.5 - long);
            let chain = vec![Chain::new(1.5 * Vec3A::Y, Vec3A::new(0.0, 1.0, 0.1), end, 1.0); frames];
            let ankles = vec![Rigid::from_translation(end); frames];
            let mut path = FootPath { ankles: ankles.clone(), held: (0..frames).map(|f| f >= 10).collect() };
            let mut ends = vec![end; frames];
            let source =
                FootTrack { ankles, heels: vec![end; frames], balls: vec![end; frames], tips: vec![end; frames] };
            keep_length(30.0, (&chain, &low), &source, &mut path, &mut ends, (0.0, 0.02));
            assert!(path.ankles.iter().zip(&ends).all(|(ankle, end)| ankle.translation == *end));
            assert!(ends[10..].iter().all(|at| *at == end), "held feet stay");
            (end - ends[0]).y
        };
        assert!((run(0.99) - 0.05).abs() < 1e-5);
        assert_eq!(run(0.8), 0.0);
    }
}
