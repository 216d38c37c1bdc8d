//! Where holding a foot would jerk its knee, the pelvis and the feet that swing give way.

use super::foot_path::FootPath;
use super::knee::Chain;
use crate::math::Banded;
use glam::Vec3A;

/// How much pelvis and feet give way so that knees turn no more suddenly than they did.
pub(super) struct SoftKnees {
    /// The pelvis rises by this much, by frame, metres.
    pub(super) pelvis: Vec<f32>,
    /// Ends of legs move by this much, by leg and frame, metres, world; not at all while they are held.
    pub(super) ends: Vec<Vec<Vec3A>>,
}

/// How far bodies and swinging feet give way for knees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum GivesWay {
    /// Not at all.
    #[default]
    No,
    /// As little as can be, and knees are mended on the whole.
    Softly,
    /// Farther, until each moment is mended that can be.
    Firmly,
}

/// A knee may turn as suddenly as in this share of its frames before; what is rarer may be a glitch.
const USUAL: f64 = 0.99;
/// A knee may turn `HURRY` times as fast as in this share of its frames before: holding a foot makes any leg hurry a little, and
/// a glitch lasts a few frames only.
const FASTEST: f64 = 0.995;
const HURRY: f64 = 1.2;
/// How much a knee that turns too fast is slowed down, where 1 is how much one that turns too suddenly is mended: it does so for
/// several frames, and each of them asks.
const SLOWS: f64 = 0.3;
/// Knees are looked at so often: what gives way for one frame may bare the next.
const ROUNDS: usize = 3;
/// Where knees are heeded firmly they are looked at so often, and what is too sudden each time counts so much more the next.
const FIRMLY: (usize, f64) = (8, 1.5);
/// How unwillingly the pelvis gives way: a metre of it counts as so many radians of a knee.
const PELVIS: f64 = 6.0;
/// The same for the end of a leg that swings.
const END: f64 = 3.0;
/// How much a knee that turns as it should is kept from turning otherwise, where 1 is how much one that does not is mended.
const AT_EASE: f64 = 0.1;
/// What gives way comes and goes as quickly as this, Hz.
const QUICKNESS: f64 = 3.0;
/// How firmly held feet stay.
const FIRM: f64 = 1e9;

impl SoftKnees {
    /// For legs whose ends go to `targets` and whose hips are shifted, both by leg and frame, metres, world; `rate` in Hz. Knees are looked at in frames that
    /// are `fresh`: near stances that were not held before, so that what is clean stays as it is. In frames that
    /// are `slow` they turn no faster than they did, too. `None` if no knee turns otherwise than it should, or if legs have more than one.
    pub(super) fn find(
        rate: f32,
        gives: GivesWay,
        chains: &[Vec<Chain>],
        (paths, targets): (&[FootPath], &[Vec<Vec3A>]),
        shifts: &[Vec<Vec3A>],
        (fresh, slow): (&[Vec<bool>], &[Vec<bool>]),
    ) -> Option<Self> {
        let legs = chains.len();
        let frames = targets.first()?.len();
        if gives == GivesWay::No || frames < 5 || !chains.iter().all(|chain| chain.iter().all(Chain::has_one_knee)) {
            return None;
        }
        let mut now = Self { pelvis: vec![0.0; frames], ends: vec![vec![Vec3A::ZERO; frames]; legs] };
        let (rounds, heavier) = if gives == GivesWay::Firmly { FIRMLY } else { (ROUNDS, 1.0) };
        let mut weights = vec![vec![1.0; frames]; legs];
        let mut best: Option<(f64, Self)> = None;
        for round in 0..=rounds {
            let knees: Vec<Vec<Bent>> = (0..legs)
                .map(|l| {
                    let at = |f: usize| {
                        let hip = chains[l][f].hip + shifts[l][f] + Vec3A::Y * now.pelvis[f];
                        Bent::new(&chains[l][f], targets[l][f] + now.ends[l][f] - hip)
                    };
                    (0..frames).map(at).collect()
                })
                .collect();
            let wanted: Vec<Wanted> =
                (0..legs).map(|l| Wanted::of(&chains[l], &knees[l], (&fresh[l], &slow[l]))).collect();
            let lacks = wanted.iter().map(Wanted::squares).sum::<f64>();
            // Near full stretch a knee turns otherwise than was reckoned: what came out best counts.
            if best.as_ref().is_none_or(|(least, _)| lacks < *least) {
                best = Some((lacks, Self { pelvis: now.pelvis.clone(), ends: now.ends.clone() }));
            }
            if lacks == 0.0 || round == rounds {
                break;
            }
            for (weights, wanted) in weights.iter_mut().zip(&wanted) {
                let lacks = wanted.sudden.iter().map(|sudden| *sudden != 0.0);
                weights.iter_mut().zip(lacks).filter(|(_, lacks)| *lacks).for_each(|(weight, _)| *weight *= heavier);
            }
            let solved = solve(rate, &knees, (&wanted, &weights), paths);
            let each = 1 + legs;
            for f in 0..frames {
                now.pelvis[f] += solved[f * each] as f32;
                for l in 0..legs {
                    now.ends[l][f] += knees[l][f].along * solved[f * each + 1 + l] as f32;
                }
            }
        }
        best.map(|(_, found)| found).filter(Self::gives)
    }
}

impl SoftKnees {
    /// Whether anything gives way.
    fn gives(&self) -> bool {
        self.pelvis.iter().any(|rise| *rise != 0.0) || self.ends.iter().flatten().any(|by| *by != Vec3A::ZERO)
    }
}

/// A knee in one frame.
#[derive(Clone, Copy)]
struct Bent {
    /// How far it is bent, radians.
    bend: f64,
    /// By how much more for each metre that its leg is longer, radians.
    per_metre: f64,
    /// From hip to end, a unit vector.
    along: Vec3A,
}

/// A knee that is straighter than this is treated as if it were bent by it, radians: at full stretch it turns without end.
const LEAST_BEND: f64 = 0.14;

impl Bent {
    fn new(chain: &Chain, leg: Vec3A) -> Self {
        let (thigh, shin) =
            (f64::from((chain.knee - chain.hip).length()), f64::from((chain.end - chain.knee).length()));
        let length = f64::from(leg.length()).clamp((thigh - shin).abs(), thigh + shin);
        let inner = (thigh * thigh + shin * shin - length * length) / (2.0 * thigh * shin).max(1e-9);
        let bend = std::f64::consts::PI - crate::math::double::acos(inner.clamp(-1.0, 1.0));
        let slope = crate::math::double::sin(bend.max(LEAST_BEND));
        Self { bend, per_metre: -length / (thigh * shin * slope).max(1e-9), along: leg.normalize_or_zero() }
    }
}

/// How much less a knee should turn, by frame, radians: what is more than it ever was.
struct Wanted {
    /// Less of its second difference at a frame.
    sudden: Vec<f64>,
    /// Less of its way from the frame before.
    fast: Vec<f64>,
}

impl Wanted {
    fn of(chain: &[Chain], knees: &[Bent], (fresh, slow): (&[bool], &[bool])) -> Self {
        let frames = knees.len();
        let bends: Vec<f64> = knees.iter().map(|knee| knee.bend).collect();
        let were: Vec<f64> = chain.iter().map(|chain| Bent::new(chain, chain.end - chain.hip).bend).collect();
        let seconds = |bends: &[f64]| -> Vec<f64> {
            let at = |f: usize| {
                if f == 0 || f + 1 == frames { 0.0 } else { bends[f - 1] - 2.0 * bends[f] + bends[f + 1] }
            };
            (0..frames).map(at).collect()
        };
        let firsts = |bends: &[f64]| -> Vec<f64> {
            (0..frames).map(|f| if f == 0 { 0.0 } else { bends[f] - bends[f - 1] }).collect()
        };
        let less = |now: Vec<f64>, was: Vec<f64>, usual: f64, times: f64, asked: &[bool]| -> Vec<f64> {
            let mut sorted: Vec<f64> = was.iter().map(|was| was.abs()).collect();
            sorted.sort_by(f64::total_cmp);
            let most = times * sorted[((frames - 1) as f64 * usual) as usize];
            let less = |(now, asked): (&f64, &bool)| if *asked { now.clamp(-most, most) - now } else { 0.0 };
            now.iter().zip(asked).map(less).collect()
        };
        Self {
            sudden: less(seconds(&bends), seconds(&were), USUAL, 1.0, fresh),
            fast: less(firsts(&bends), firsts(&were), FASTEST, HURRY, slow),
        }
    }

    /// How much is left to mend: squares, added up.
    fn squares(&self) -> f64 {
        let of = |less: &[f64]| less.iter().map(|less| less * less).sum::<f64>();
        of(&self.sudden) + SLOWS * of(&self.fast)
    }
}

/// The pelvis' rise, then each leg's growth, by frame.
fn solve(rate: f32, knees: &[Vec<Bent>], (wanted, weights): (&[Wanted], &[Vec<f64>]), paths: &[FootPath]) -> Vec<f64> {
    let (legs, frames) = (knees.len(), knees[0].len());
    let each = 1 + legs;
    let mut system = Banded::new(frames * each, 3 * each);
    let second = [1.0, -2.0, 1.0];
    let pull = (std::f64::consts::TAU * QUICKNESS / f64::from(rate)).powi(4);
    let (body, foot) = (PELVIS.powi(2), END.powi(2));
    for f in 0..frames {
        for i in 0..each {
            let held = i > 0 && paths[i - 1].held[f];
            let stiff = if i == 0 { body } else { foot };
            system.ask(if held { FIRM } else { stiff * pull }, &[(f * each + i, 1.0)], 0.0);
            if f == 1 || f + 1 == frames {
                // At its ends a clip shows no more: nothing drifts there.
                system.ask(stiff, &[((f - 1) * each + i, -1.0), (f * each + i, 1.0)], 0.0);
            }
            if f > 0 && f + 1 < frames {
                let bends = [0, 1, 2].map(|k| ((f + k - 1) * each + i, second[k]));
                system.ask(stiff, &bends, 0.0);
            }
        }
        if f == 0 || f + 1 == frames {
            continue;
        }
        for l in 0..legs {
            let mut factors = [(0, 0.0); 6];
            for k in 0..3 {
                let knee = &knees[l][f + k - 1];
                let turns = second[k] * knee.per_metre;
                factors[2 * k] = ((f + k - 1) * each, -turns * f64::from(knee.along.y));
                factors[2 * k + 1] = ((f + k - 1) * each + 1 + l, turns);
            }
            let sudden = wanted[l].sudden[f];
            let weight = weights[l][f] * if sudden == 0.0 { AT_EASE } else { 1.0 };
            system.ask(weight, &factors, sudden);
            let fast = wanted[l].fast[f];
            if fast != 0.0 {
                // By the foot alone: the pelvis would turn the other knee as well.
                let end = |k: usize, sign: f64| ((f + k - 1) * each + 1 + l, sign * knees[l][f + k - 1].per_metre);
                system.ask(SLOWS, &[end(0, -1.0), end(1, 1.0)], fast);
            }
        }
    }
    system.solve()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f32 = 120.0;
    const FRAMES: usize = 240;

    /// A leg that bends and stretches evenly, its hip over its ankle.
    fn leg(f: usize) -> Chain {
        let bend = 0.8 + 0.1 * (std::f32::consts::TAU * f as f32 / FRAMES as f32).sin();
        let (half, bone) = (0.5 * bend, 0.45);
        let knee = Vec3A::new(0.0, -bone * half.cos(), bone * half.sin());
        let hip = Vec3A::new(0.0, 2.0 * bone * half.cos(), 0.0);
        Chain::new(hip, hip + knee, Vec3A::ZERO, 2.0 * bone)
    }

    fn greatest(chain: &[Chain], hips: &dyn Fn(usize) -> Vec3A, ends: &dyn Fn(usize) -> Vec3A) -> f64 {
        let bends: Vec<f64> = (0..FRAMES).map(|f| Bent::new(&chain[f], ends(f) - hips(f)).bend).collect();
        bends.windows(3).map(|b| (b[0] - 2.0 * b[1] + b[2]).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn a_knee_that_would_be_jerked_is_not_and_held_feet_stay() {
        let chain: Vec<Chain> = (0..FRAMES).map(leg).collect();
        // Held from the middle on, 12 mm lower, where it comes within a fifteenth of a second.
        let held: Vec<bool> = (0..FRAMES).map(|f| f >= FRAMES / 2).collect();
        let down = |f: usize| crate::math::smoothstep((f as f32 + 8.0 - (FRAMES / 2) as f32) / 8.0);
        let targets: Vec<Vec3A> = (0..FRAMES).map(|f| -0.012 * down(f) * Vec3A::Y).collect();
        let path = FootPath { ankles: vec![crate::math::Rigid::IDENTITY; FRAMES], held: held.clone() };
        let still = vec![vec![Vec3A::ZERO; FRAMES]];
        let found = SoftKnees::find(
            RATE,
            GivesWay::Softly,
            std::slice::from_ref(&chain),
            (&[path], std::slice::from_ref(&targets)),
            &still,
            (&[vec![true; FRAMES]], &[vec![true; FRAMES]]),
        )
        .unwrap();
        assert!((0..FRAMES).all(|f| !held[f] || found.ends[0][f].length() < 1e-6), "held feet stay");
        let before = greatest(&chain, &|f| chain[f].hip, &|f| targets[f]);
        let after =
            greatest(&chain, &|f| chain[f].hip + Vec3A::Y * found.pelvis[f], &|f| targets[f] + found.ends[0][f]);
        assert!(after < 0.5 * before, "{before} to {after} rad between frames");
        assert!(found.pelvis.iter().all(|rise| rise.abs() < 0.02), "the pelvis stays near");
    }

    #[test]
    fn a_knee_that_would_hurry_is_slowed_by_its_foot() {
        let chain: Vec<Chain> = (0..FRAMES).map(leg).collect();
        // Up by 60 mm within a quarter of a second, in the air.
        let up = |f: usize| crate::math::smoothstep((f as f32 - 100.0) / 30.0);
        let targets: Vec<Vec3A> = (0..FRAMES).map(|f| 0.06 * up(f) * Vec3A::Y).collect();
        let fastest = |ends: &dyn Fn(usize) -> Vec3A| {
            let bends: Vec<f64> = (0..FRAMES).map(|f| Bent::new(&chain[f], ends(f) - chain[f].hip).bend).collect();
            bends.windows(2).map(|b| (b[1] - b[0]).abs()).fold(0.0, f64::max)
        };
        let before = fastest(&|f| targets[f]);
        let find = |slow: bool| {
            let path = FootPath { ankles: vec![crate::math::Rigid::IDENTITY; FRAMES], held: vec![false; FRAMES] };
            let still = vec![vec![Vec3A::ZERO; FRAMES]];
            let asked = (&[vec![false; FRAMES]][..], &[vec![slow; FRAMES]][..]);
            SoftKnees::find(
                RATE,
                GivesWay::Softly,
                std::slice::from_ref(&chain),
                (&[path], std::slice::from_ref(&targets)),
                &still,
                asked,
            )
        };
        let found = find(true).unwrap();
        let after = fastest(&|f| targets[f] + found.ends[0][f]);
        assert!(after < 0.7 * before, "{before} to {after} rad a frame");
        assert!(find(false).is_none(), "nothing was asked");
    }

    #[test]
    fn nothing_gives_way_where_nothing_is_sudden() {
        let chain: Vec<Chain> = (0..FRAMES).map(leg).collect();
        let path = FootPath { ankles: vec![crate::math::Rigid::IDENTITY; FRAMES], held: vec![false; FRAMES] };
        let targets: Vec<Vec3A> = (0..FRAMES).map(|f| chain[f].hip + 0.99 * (chain[f].end - chain[f].hip)).collect();
        let still = vec![vec![Vec3A::ZERO; FRAMES]];
        let found = SoftKnees::find(
            RATE,
            GivesWay::Softly,
            &[chain],
            (&[path], &[targets]),
            &still,
            (&[vec![true; FRAMES]], &[vec![true; FRAMES]]),
        );
        let most = found.map_or(0.0, |found| found.pelvis.iter().map(|rise| rise.abs()).fold(0.0, f32::max));
        assert!(most < 1e-3, "{most} m");
    }
}
