//! How the pelvis moves while feet are held: no more than it must, and smoothly.

use super::foot_path::{FootPath, HeldFoot};
use super::knee::Chain;
use crate::foot::{Settle, drop_to_reach};
use crate::ik::TwoBone;
use crate::math::{Rigid, box_mean, smoothstep, window};
use crate::motion::{Clip, Stance};
use glam::Vec3A;

/// How the body rises so that its feet come to their prints, by frame, metres: the mean of the standing feet's needs,
/// smoothed. `there` are the stances whose feet are where they should be: they need nothing, whatever their prints say.
pub(super) fn rise(clip: &Clip, before: &[Stance], after: &[Stance], there: &[bool]) -> Vec<f32> {
    let mut sum = vec![0.0_f32; clip.frames()];
    let mut weight = vec![0.0_f32; clip.frames()];
    for ((before, after), there) in before.iter().zip(after).zip(there) {
        let height = |stance: &Stance| stance.print.world_from_sole.translation.y;
        let need = if *there { 0.0 } else { height(after) - height(before) };
        // Weight comes and goes over the first and last third of a stance.
        let frames = before.frames(clip).whole;
        let third = (frames.len() as f32 / 3.0).max(1.0);
        for f in frames.clone() {
            let (into, left) = ((f - frames.start) as f32 + 1.0, (frames.end - f) as f32);
            let w = smoothstep(into.min(left) / third);
            sum[f] += w * need;
            weight[f] += w;
        }
    }
    // Held over flights from both sides.
    let known: Vec<usize> = (0..clip.frames()).filter(|f| weight[*f] > 0.0).collect();
    if known.is_empty() {
        return vec![0.0; clip.frames()];
    }
    let mut next = 0;
    let raw: Vec<f32> = (0..clip.frames())
        .map(|f| {
            while next + 1 < known.len() && known[next + 1] <= f {
                next += 1;
            }
            let a = known[next];
            let b = known.get(next + 1).copied().unwrap_or(a);
            let at = |f: usize| sum[f] / weight[f];
            if f <= a || b <= a { at(a) } else { at(a) + (at(b) - at(a)) * (f - a) as f32 / (b - a) as f32 }
        })
        .collect();
    // Two means in a row: no corners.
    let reach = ((0.15 * clip.rate()).round() as usize).max(1);
    box_mean(&box_mean(&raw, reach), reach)
}

/// How the body is steadied, by frame, metres: where the whole of it jumps or trembles, standing feet and all, the jump
/// is the capture's and is taken back. What hips and held feet do alike counts; a foot that slides under a calm body and
/// a body that moves over a calm foot are left alone.
pub(super) fn steady(clip: &Clip, hips: &[Vec<Vec3A>], tracks: &[&[Rigid]], standing: &[HeldFoot<'_>]) -> Vec<Vec3A> {
    let reach = ((0.08 * clip.rate()).round() as usize).max(1);
    let mut sum = vec![Vec3A::ZERO; clip.frames()];
    let mut weight = vec![0.0_f32; clip.frames()];
    for ((hips, source), standing) in hips.iter().zip(tracks).zip(standing) {
        let smooth = box_mean(&box_mean(hips, reach), reach);
        let unrest = unrest(hips, clip.rate(), reach);
        for span in standing.spans() {
            let moved: Vec<Vec3A> = span
                .clone()
                .map(|f| standing.ankles[f].map_or(Vec3A::ZERO, |held| held.translation - source[f].translation))
                .collect();
            let calm = box_mean(&box_mean(&moved, reach), reach);
            for (i, f) in span.clone().enumerate() {
                let edge = (i + 1).min(span.len() - i) as f32;
                let open = span.start == 0 && 2 * i < span.len() || span.end == clip.frames() && 2 * i >= span.len();
                let w = if open { 1.0 } else { smoothstep(edge / (reach + 1) as f32) };
                sum[f] += w * unrest[f] * common(moved[i] - calm[i], smooth[f] - hips[f]);
                weight[f] += w;
            }
        }
    }
    sum.iter().zip(&weight).map(|(sum, weight)| *sum / weight.max(1.0)).collect()
}

/// How much of a path's fine motion is none that a body makes, by frame: 0 where it bends as bodies do, 1 where it jumps
/// or trembles, judged by the greatest acceleration nearby.
fn unrest(path: &[Vec3A], rate: f32, reach: usize) -> Vec<f32> {
    let frames = path.len();
    // Hips of people who walk and run come to 20 m/s² between frames; jumps of a centimetre in one to 100 and more.
    let (calm, wild) = (20.0, 40.0);
    let acceleration = |f: usize| {
        let (a, b) = (f.saturating_sub(1), (f + 1).min(frames - 1));
        (path[a] - 2.0 * path[f] + path[b]).length() * rate * rate
    };
    let all: Vec<f32> = (0..frames).map(acceleration).collect();
    let most = |f: usize| all[window(f, reach, frames)].iter().copied().fold(0.0, f32::max);
    let wildness: Vec<f32> = (0..frames).map(|f| smoothstep((most(f) - calm) / (wild - calm))).collect();
    box_mean(&wildness, reach)
}

/// What two offsets have in common, by axis: the smaller where they agree in sign, else nothing.
fn common(a: Vec3A, b: Vec3A) -> Vec3A {
    let agree = Vec3A::select((a * b).cmpgt(Vec3A::ZERO), Vec3A::ONE, Vec3A::ZERO);
    a.signum() * a.abs().min(b.abs()) * agree
}

/// How far the pelvis must go down, by frame, metres, so that every held foot is in reach of a knee that is not locked:
/// no more, at most `lower`, and smoothly. Near full stretch a millimetre of unrest in the hips becomes degrees in the
/// knee. `shift` is how the body is moved already.
pub(super) fn lowered(
    legs: TwoBone,
    lower: f32,
    clip: &Clip,
    chains: &[Vec<Chain>],
    (paths, targets): (&[FootPath], &[Vec<Vec3A>]),
    shift: &[Vec3A],
) -> Vec<f32> {
    let need: Vec<f32> = (0..clip.frames())
        .map(|f| {
            let mut need: f32 = 0.0;
            for ((chain, targets), path) in chains.iter().zip(targets).zip(paths) {
                let Chain { hip, end, reach: length, .. } = chain[f];
                let target = targets[f];
                // A free leg may be as straight as it was.
                let free = if path.held[f] { 0.0 } else { (end - hip).length() };
                let reach = (legs.soft * length).max(free.min(0.999 * length));
                let drop = drop_to_reach(hip + shift[f], target, reach);
                // A free leg needs no more than its path was moved.
                let moved = target - end - shift[f];
                let most = if path.held[f] { f32::INFINITY } else { moved.length() };
                need = need.max(drop.min(most));
            }
            need.min(lower)
        })
        .collect();
    // Down within a quarter of a second, and up again.
    let reach = ((0.12 * clip.rate()).round() as usize).max(1);
    Settle { hold: reach, ease: reach, means: 1 }.run(&need)
}
