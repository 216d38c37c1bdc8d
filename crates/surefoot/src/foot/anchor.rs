//! Where a body goes so that what stands does not slide: the point of its feet that moves least carries it.

use crate::math::{FloorPose, floor, smoothstep, wrap_angle};
use crate::motion::Clip;
use crate::rig::{ModelPose, Rig};
use glam::{DVec3, Vec2, Vec3A};

/// Difference of heel and ball heights over which a foot counts as rolling, in leg lengths: 1.5 cm for a person.
pub(crate) const ROLLS: f32 = 0.018;

/// The speed below which feet count as equally still, leg lengths a second: 5 cm/s for a person.
pub(crate) const STILL: f32 = 0.06;
/// The speed of a foot up to which its anchor holds fully, leg lengths a second: 0.5 m/s for a person.
const HOLDS: f32 = 0.6;
/// The speed from which on an anchor has let go, leg lengths a second: 1.5 m/s for a person.
const LETS_GO: f32 = 1.8;

/// How far an anchor that moves at a speed (leg lengths a second) holds, from 1 to 0.
pub(crate) fn hold_at(speed: f32) -> f32 {
    1.0 - smoothstep((speed - HOLDS) / (LETS_GO - HOLDS))
}

/// How far a foot has rolled from heel (0) to ball (1), by which of them is lower: heights in metres, the rig's leg length too.
pub(crate) fn roll_of(heel: f32, ball: f32, leg_length: f32) -> f32 {
    smoothstep((heel - ball) / (2.0 * ROLLS * leg_length) + 0.5)
}

/// Shares of the feet whose mean moves least; equal ones where all move alike. `still` is what counts as no movement, metres.
pub(crate) fn stillest<T>(feet: &[T], moves: impl Fn(&T) -> Vec2, still: f32, shares: &mut Vec<f32>) {
    // min |Σ a d|² + still²/2 Σ a² with a >= 0, Σ a = 1, by exact steps between two feet at a time.
    shares.clear();
    shares.resize(feet.len(), 1.0 / feet.len() as f32);
    for _ in 0..if feet.len() > 2 { 12 } else { 1 } {
        for i in 0..feet.len() {
            for j in i + 1..feet.len() {
                let others = feet.iter().zip(shares.iter()).enumerate().filter(|(k, _)| *k != i && *k != j);
                let rest = others.fold(Vec2::ZERO, |sum, (_, (foot, share))| sum + *share * moves(foot));
                let both = shares[i] + shares[j];
                let (di, dj) = (moves(&feet[i]), moves(&feet[j]));
                let apart = dj - di;
                let best = (both * 0.5 * still * still - (rest + both * di).dot(apart))
                    / (apart.length_squared() + still * still).max(1e-20);
                shares[j] = best.clamp(0.0, both);
                shares[i] = both - shares[j];
            }
        }
    }
}

/// One leg of a pose, in the character's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LegAt {
    pub(crate) hip: Vec3A,
    pub(crate) ankle: Vec3A,
    pub(crate) heel: Vec3A,
    pub(crate) ball: Vec3A,
}

impl LegAt {
    /// The legs of a clip, frame after frame and leg by leg.
    pub(crate) fn of_clip(rig: &Rig, clip: &Clip) -> Vec<Self> {
        let skeleton = &rig.skeleton;
        let mut model = ModelPose::new(skeleton);
        let joints = skeleton.chains_to(rig.legs.iter().flat_map(|leg| [leg.hip(), leg.ankle()]));
        let mut legs = Vec::with_capacity(clip.frames() * rig.legs.len());
        for frame in 0..clip.frames() {
            model.compose_some(skeleton, clip.frame(frame), &joints);
            legs.extend(rig.legs.iter().map(|leg| Self {
                hip: model[leg.hip()].translation,
                ankle: model[leg.ankle()].translation,
                heel: model[leg.ankle()].transform_point(leg.foot.heel),
                ball: model[leg.ankle()].transform_point(leg.foot.ball),
            }));
        }
        legs
    }

    /// The point of the sole that is `roll` of the way from heel to ball.
    fn contact(&self, roll: f32) -> Vec2 {
        floor::of_point(self.heel.lerp(self.ball, roll))
    }
}

/// The places that feet of longer legs move about as they grow, by leg, in a frame that turns with the body: (x, z), metres.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LegRests(Vec<Vec2>);

/// Feet come apart by this share of what legs grow by: hips do not become wider.
const APART: f32 = 0.5;

impl LegRests {
    /// Below the hips in the mean of poses, frame after frame and leg by leg; but nearer to the middle where legs lean inwards, as
    /// people's do, whose feet would cross on longer legs.
    pub(crate) fn new(poses: &[Vec<LegAt>], legs: usize) -> Self {
        let rest = |leg: usize| {
            let all = poses.iter().flat_map(|poses| poses.iter().skip(leg).step_by(legs.max(1)));
            let (hip, ankle, frames) = all.fold((DVec3::ZERO, DVec3::ZERO, 0), |(hip, ankle, n), leg| {
                (hip + leg.hip.as_dvec3(), ankle + leg.ankle.as_dvec3(), n + 1)
            });
            let [hip, ankle] = [hip, ankle].map(|sum| (sum / f64::from(frames.max(1))).as_vec3a());
            let apart = (1.0 - APART) * ankle.x;
            Vec2::new(if apart.abs() < hip.x.abs() { apart } else { hip.x }, hip.z)
        };
        Self((0..legs).map(rest).collect())
    }

    /// How far the foot of a leg `scale` times as long comes from where it is, over the floor in the character's frame, metres;
    /// `calm` is how far the body is turned from that frame without the sway of its strides, radians.
    pub(crate) fn grown(&self, leg: usize, at: &LegAt, scale: f32, calm: f32) -> Vec2 {
        (scale - 1.0) * (floor::of_point(at.ankle) - floor::turned(self.0[leg], calm))
    }
}

/// A pose of a body that goes over the floor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyAt<'a> {
    pub(crate) root: FloorPose,
    /// The heading without the sway of strides, radians: a pelvis turns in every step, and does not grow with the legs.
    pub(crate) calm: f32,
    pub(crate) legs: &'a [LegAt],
}

impl BodyAt<'_> {
    /// How far the calm heading is turned from the root's, radians.
    pub(crate) fn turned(&self) -> f32 {
        wrap_angle(self.calm - self.root.heading)
    }
}

/// Finds how bodies with longer or shorter legs go from frame to frame.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    /// Metres.
    leg_length: f32,
    /// Seconds between frames.
    dt: f32,
    rests: LegRests,
    /// Room to work, by leg.
    moves: Vec<Vec2>,
    shares: Vec<f32>,
}

impl Anchor {
    pub(crate) fn new(leg_length: f32, dt: f32, rests: LegRests) -> Self {
        Self { leg_length, dt, rests, moves: Vec::new(), shares: Vec::new() }
    }

    /// How the root moves over the floor from one pose to the next, metres, in the space of the roots. Its legs are `before` and
    /// `after` times as long as the poses have them, each; headings stay.
    ///
    /// The point that stands still in the clip moves no more with other legs (`r' = r + f(k, b) + s - f(k+1, b')`); where nothing
    /// stands the root goes `before` times as far.
    pub(crate) fn step(&mut self, from: BodyAt<'_>, to: BodyAt<'_>, before: &[f32], after: &[f32]) -> Vec2 {
        let travel = to.root.position - from.root.position;
        if from.legs.is_empty() {
            return travel * before.first().copied().unwrap_or(1.0);
        }
        let Self { leg_length, dt, rests, moves, shares } = self;
        let turned = |root: FloorPose, v: Vec2| floor::turned(v, root.heading);
        let roll = |leg: &LegAt| roll_of(leg.heel.y, leg.ball.y, *leg_length);
        moves.clear();
        moves.extend(from.legs.iter().zip(to.legs).map(|(a, b)| {
            let roll = roll(a);
            travel + turned(to.root, b.contact(roll)) - turned(from.root, a.contact(roll))
        }));
        stillest(moves, |moved| *moved, STILL * *leg_length * *dt, shares);
        let slip = moves.iter().zip(&*shares).fold(Vec2::ZERO, |sum, (moved, share)| sum + *share * *moved);
        let hold = hold_at(slip.length() / (*dt * *leg_length));
        let mean = before.iter().sum::<f32>() / before.len().max(1) as f32;
        let mut anchored = slip;
        for (leg, share) in shares.iter().enumerate() {
            let (a, b) = (&from.legs[leg], &to.legs[leg]);
            let roll = roll(a);
            let old = a.contact(roll) + rests.grown(leg, a, before[leg], from.turned());
            let new = b.contact(roll) + rests.grown(leg, b, after[leg], to.turned());
            let (old, new) = (turned(from.root, old), turned(to.root, new));
            anchored += *share * (old - new);
        }
        (mean * travel).lerp(anchored, hold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leg that stands with its foot under the origin of the world, its hip at x to the side of a root.
    fn leg(root: FloorPose, foot: Vec3A) -> LegAt {
        let own = |p: Vec3A| {
            let at = root.inverse().transform_point(floor::of_point(p));
            Vec3A::new(at.x, p.y, at.y)
        };
        let hip = Vec3A::new(0.1, 0.9, 0.0);
        LegAt {
            hip,
            ankle: own(foot + 0.08 * Vec3A::Y),
            heel: own(foot - 0.08 * Vec3A::Z),
            ball: own(foot + 0.12 * Vec3A::Z),
        }
    }

    #[test]
    fn a_standing_foot_stays_where_it_is_whatever_the_scale() {
        let roots = [FloorPose::new(Vec2::new(0.0, 0.0), 0.1), FloorPose::new(Vec2::new(0.02, 0.05), 0.2)];
        let foot = Vec3A::new(0.13, 0.0, 0.2);
        let rests = LegRests(vec![Vec2::new(0.05, 0.02)]);
        for (before, after) in [(1.0, 1.0), (0.5, 0.5), (2.0, 2.0), (1.0, 1.1), (1.6, 1.5)] {
            let legs = roots.map(|root| [leg(root, foot)]);
            let body = |k: usize| BodyAt { root: roots[k], calm: 0.17, legs: &legs[k] };
            let step = Anchor::new(0.83, 1.0 / 30.0, rests.clone()).step(body(0), body(1), &[before], &[after]);
            let at = |k: usize, scale: f32, place: Vec2| {
                let leg = &legs[k][0];
                let foot = leg.contact(0.5) + rests.grown(0, leg, scale, body(k).turned());
                place + floor::turned(foot, roots[k].heading)
            };
            let slid = at(1, after, roots[0].position + step) - at(0, before, roots[0].position);
            assert!(slid.length() < 1e-6, "{slid} from {before} to {after}");
        }
    }

    #[test]
    fn at_its_own_length_every_body_goes_as_it_went_and_without_legs_as_far_as_its_scale() {
        let roots = [FloorPose::ORIGIN, FloorPose::new(Vec2::new(0.01, 0.09), 0.3)];
        let legs = [[leg(roots[0], Vec3A::ZERO)], [leg(roots[1], Vec3A::new(0.0, 0.1, 0.07))]];
        let body = |k: usize| BodyAt { root: roots[k], calm: 0.17, legs: &legs[k] };
        let mut anchor = Anchor::new(0.83, 1.0 / 30.0, LegRests(vec![Vec2::new(0.02, 0.01)]));
        let step = anchor.step(body(0), body(1), &[1.0], &[1.0]);
        assert!((step - roots[1].position).length() < 1e-6, "{step}");
        let bare = |k: usize| BodyAt { root: roots[k], calm: 0.0, legs: &[] };
        assert_eq!(anchor.step(bare(0), bare(1), &[2.0], &[2.0]), 2.0 * roots[1].position);
    }
}
