//! How the pelvis moves while feet are held: no more than it must, and smoothly.

use super::foot_path::{FootPath, HeldFoot};
use super::is_drawn;
use super::knee::Chain;
use crate::foot::{Settle, drop_to_reach};
use crate::ik::TwoBone;
use crate::math::{Rigid, bending_as, box_mean, quat, smoothstep, window};
use crate::motion::{Clip, Stance};
use glam::{Vec3, Vec3A};

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

/// How a body is moved, by frame.
pub(super) struct Moved {
    /// The pelvis, metres, world.
    pub(super) by: Vec<Vec3A>,
    /// And how it is turned about the middle between its hips: a rotation vector, world, radians. Nothing but for two legs.
    pub(super) turned: Vec<Vec3>,
}

impl Moved {
    /// How far that takes every hip, by leg and frame, metres, world.
    pub(super) fn hips(&self, hips: &[Vec<Vec3A>]) -> Vec<Vec<Vec3A>> {
        let moved = |hips: &[Vec3A], f: usize, middle: Vec3A| {
            let turned = quat::exp(self.turned[f]);
            let arm = hips[f] - middle;
            self.by[f] + (turned * arm - arm)
        };
        let middle = |f: usize| middle(hips, f);
        hips.iter().map(|own| (0..self.by.len()).map(|f| moved(own, f, middle(f))).collect()).collect()
    }
}

/// The middle between hips at a frame.
pub(super) fn middle(hips: &[Vec<Vec3A>], f: usize) -> Vec3A {
    hips.iter().map(|hips| hips[f]).sum::<Vec3A>() / hips.len().max(1) as f32
}

/// How the body is steadied: where the whole of it jumps or trembles, standing feet and all, the jump is the capture's and is
/// taken back. What hips and held feet do alike counts; a foot that slides under a calm body and a body that moves over a
/// calm foot are left alone.
///
/// Alike are their accelerations, above all along the leg: one that is nearly straight makes degrees at the knee of each
/// millimetre by which the hip trembles and the foot does not. `turns` says whether the pelvis may turn, so that one hip is
/// steadied and the other left as it is.
pub(super) fn steady(
    clip: &Clip,
    turns: bool,
    hips: &[Vec<Vec3A>],
    tracks: &[&[Rigid]],
    standing: &[HeldFoot<'_>],
) -> Moved {
    let frames = clip.frames();
    if is_drawn(clip.rate()) {
        return Moved { by: vec![Vec3A::ZERO; frames], turned: vec![Vec3::ZERO; frames] };
    }
    let reach = ((0.08 * clip.rate()).round() as usize).max(1);
    let bend = |at: &dyn Fn(usize) -> Vec3A, f: usize| at(f - 1) - 2.0 * at(f) + at(f + 1);
    // What each standing leg asks of its hip.
    let mut asked: Vec<Vec<Option<Vec3A>>> = vec![vec![None; frames]; hips.len()];
    for (((hips, source), standing), asked) in hips.iter().zip(tracks).zip(standing).zip(&mut asked) {
        let unrest = unrest(hips, clip.rate(), reach);
        let moved = |f: usize| standing.ankles[f].map_or(Vec3A::ZERO, |held| held.translation - source[f].translation);
        for span in standing.spans().filter(|span| span.len() > 2) {
            for f in span.start + 1..span.end - 1 {
                let (foot, hip) = (bend(&moved, f), -bend(&|f| hips[f], f));
                let along = (hips[f] - source[f].translation).normalize_or_zero();
                let alike = common(foot, hip);
                let length = common(along * along.dot(foot), along * along.dot(hip));
                asked[f] = Some(unrest[f] * (alike + length - along * along.dot(alike)));
            }
        }
    }
    let mut middle = vec![Vec3A::ZERO; frames];
    let mut apart = vec![Vec3A::ZERO; frames];
    for f in 1..frames.saturating_sub(1) {
        let count = asked.iter().filter(|asked| asked[f].is_some()).count();
        if count == 0 {
            continue;
        }
        let mean = asked.iter().filter_map(|asked| asked[f]).sum::<Vec3A>() / count as f32;
        middle[f] = mean;
        if turns {
            // The hip of a leg that swings is steadied as far as it does the same.
            let of = |leg: usize| asked[leg][f].unwrap_or_else(|| common(mean, -bend(&|f| hips[leg][f], f)));
            (middle[f], apart[f]) = (0.5 * (of(0) + of(1)), 0.5 * (of(0) - of(1)));
        }
    }
    let slowest = (std::f64::consts::TAU * SLOWEST_TREMOR / f64::from(clip.rate())).powi(4);
    let (by, apart) = (bending_as(&middle, slowest), bending_as(&apart, slowest));
    let turn = |(f, apart): (usize, &Vec3A)| {
        if *apart == Vec3A::ZERO {
            return Vec3::ZERO;
        }
        let arm = 0.5 * (hips[0][f] - hips[1][f]);
        Vec3::from(arm.cross(*apart) / arm.length_squared().max(1e-6))
    };
    Moved { by, turned: apart.iter().enumerate().map(turn).collect() }
}

/// A leg that was bent is made no straighter than this share of its length: beyond, its knee turns by more than a degree for
/// each millimetre.
const BENT: f32 = 0.985;

/// A body that goes up and down or to and fro slower than this does not tremble, Hz.
const SLOWEST_TREMOR: f64 = 4.0;

/// How much of a path's fine motion is none that a body makes, by frame: 0 where it bends as bodies do, 1 where it jumps
/// or trembles, judged by the greatest acceleration nearby.
fn unrest(path: &[Vec3A], rate: f32, reach: usize) -> Vec<f32> {
    let frames = path.len();
    // Hips of people who walk and run come to 20 m/s² between frames; jumps of a centimetre in one to 100 and more.
    // What is less is too little to show at a knee, and what standing feet do not do as well is left alone anyway.
    let (calm, wild) = (6.0, 12.0);
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
/// knee. `shifts` is how hips are moved already, by leg and frame.
pub(super) fn lowered(
    legs: TwoBone,
    lower: f32,
    clip: &Clip,
    chains: &[Vec<Chain>],
    (paths, targets): (&[FootPath], &[Vec<Vec3A>]),
    shifts: &[Vec<Vec3A>],
) -> Vec<f32> {
    // Knees of clips that were drawn do not tremble.
    let bent = if is_drawn(clip.rate()) { legs.soft } else { BENT.min(legs.soft) };
    let need: Vec<f32> = (0..clip.frames())
        .map(|f| {
            let mut need: f32 = 0.0;
            for (((chain, targets), path), shift) in chains.iter().zip(targets).zip(paths).zip(shifts) {
                let Chain { hip, end, reach: length, .. } = chain[f];
                let target = targets[f];
                // A leg may be as straight as it was, but one that is held and has one knee not quite straight.
                let was = (end - hip).length();
                let soft = legs.soft * length;
                let reach = if !path.held[f] {
                    soft.max(was.min(0.999 * length))
                } else if chain[f].has_one_knee() {
                    was.clamp(bent * length, soft)
                } else {
                    soft
                };
                let drop = drop_to_reach(hip + shift[f], target, reach);
                // A free leg needs no more than its path was moved.
                let moved = target - end - shift[f];
                let most = if path.held[f] { f32::INFINITY } else { moved.length() };
                need = need.max(drop.min(most));
            }
            need.min(lower)
        })
        .collect();
    let frames = |seconds: f32| ((seconds * clip.rate()).round() as usize).max(1);
    if is_drawn(clip.rate()) {
        // Down within two fifths of a second, and up again; who flies is down for a moment only, and lower for no longer.
        let flies = (0..clip.frames()).any(|f| paths.iter().all(|path| !path.held[f]));
        let reach = frames(if flies { 0.12 } else { 0.2 });
        return Settle { hold: reach, ease: reach, means: 1 }.run(&need);
    }
    // Down within two fifths of a second, and up again, without a corner that a knee would show.
    let ease = frames(0.1);
    Settle { hold: 2 * ease, ease, means: 2 }.run(&need)
}
