//! Strides played as a score says: poses blended at one phase, the root led so that the foot that stands keeps its place.

use super::score::{Mix, Share};
use super::{GroupCurves, Mark, Score};
use crate::library::strides::{FootPoints, StrideStep, Strides};
use crate::math::{FloorPose, Rigid, floor, quat, smoothstep};
use crate::rig::{JointId, ModelPose, Side};
use glam::{Quat, Vec3A};

/// How strides are played.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct PlayStrides {
    /// Frames a second, Hz.
    pub rate: f32,
    /// Strides pass into each other within this time, seconds.
    pub fade: f32,
    /// Whether the root is led so that the point between the feet that moves least goes as in the clips; else changes of the root
    /// are added up, and standing feet slide.
    pub anchored: bool,
}

impl Default for PlayStrides {
    fn default() -> Self {
        Self { rate: 60.0, fade: 0.3, anchored: true }
    }
}

/// Which joints are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// Those that carry the feet: all that prints need.
    Feet,
    /// All.
    All,
}

/// Strides as they were played.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Played {
    /// The root on the floor by frame, headings unwrapped.
    pub(crate) roots: Vec<FloorPose>,
    /// The phase of the score by frame.
    pub(crate) phases: Vec<f32>,
    /// Poses, frame by frame; empty where only feet were played.
    pub(crate) locals: Vec<Rigid>,
    /// Where each foot touches or would touch, from the root, right and left, by frame, metres.
    pub(crate) contacts: Vec<[Vec3A; 2]>,
    /// How much of that point is the ball's, else the heel's, likewise, 0 to 1.
    pub(crate) balls: Vec<[f32; 2]>,
    /// Where prints came to be, by beat.
    pub(crate) prints: Vec<FloorPose>,
    /// When, seconds.
    pub(crate) times: Vec<f32>,
}

/// A foot in the frame of the root.
#[derive(Clone, Copy, Default)]
struct FootNow {
    heel: Vec3A,
    ball: Vec3A,
    /// How much of the point that it stands on is the ball's.
    on_ball: f32,
    sole: FloorPose,
}

impl FootNow {
    /// The point between heel and ball.
    fn point(&self, on_ball: f32) -> Vec3A {
        self.heel.lerp(self.ball, on_ball)
    }
}

/// Poses of strides, blended, and the feet of them.
struct Blend<'a> {
    strides: &'a Strides,
    locals: Vec<Rigid>,
    model: ModelPose,
    /// Joints from the root to the feet, in order.
    chain: Vec<JointId>,
}

/// The point between the feet that moves slower than this in the clips is held, m/s, and not at all when faster by the other.
const HELD: [f32; 2] = [0.5, 1.0];
/// Feet that move apart slower than this move alike, m/s.
const ALIKE: f32 = 0.05;
/// No plan is played for longer than this, seconds.
const LONGEST: f32 = 3600.0;

impl PlayStrides {
    /// Plays a score so that its first print is where the first mark is.
    pub(crate) fn run(
        &self,
        strides: &Strides,
        score: &Score,
        curves: Option<&GroupCurves>,
        first: &Mark,
        parts: Parts,
    ) -> Played {
        let [mut blend, mut at_beat] = [Blend::new(strides), Blend::new(strides)];
        let dt = 1.0 / self.rate;
        let most = (LONGEST * self.rate) as usize;
        // A little more than the strides take by themselves.
        let about = ((1.1 * score.seconds(strides) * self.rate) as usize + 16).min(most);
        let poses = if parts == Parts::All { about * strides.rig.skeleton.len() } else { 0 };
        let mut played = Played {
            roots: Vec::with_capacity(about),
            phases: Vec::with_capacity(about),
            locals: Vec::with_capacity(poses),
            contacts: Vec::with_capacity(about),
            balls: Vec::with_capacity(about),
            prints: Vec::with_capacity(score.beats.len()),
            times: Vec::with_capacity(score.beats.len()),
        };
        let mut phase = 0.0;
        let mut mix = score.mix(strides, curves, phase);
        let mut feet = blend.run(&mix, parts);
        let mut root = first.at.then(feet[0].sole.inverse());
        loop {
            played.roots.push(root);
            played.phases.push(phase);
            played.contacts.push(feet.map(|foot| foot.point(foot.on_ball)));
            played.balls.push(feet.map(|foot| foot.on_ball));
            if parts == Parts::All {
                played.locals.extend_from_slice(&blend.locals);
            }
            if phase >= score.end || played.roots.len() >= most {
                break;
            }
            let next_phase = advance(strides, score, curves, &mix, phase, dt);
            let next_mix = score.mix(strides, curves, next_phase);
            let step = mean_step(strides, [&mix, &next_mix], next_phase - phase);
            let next_feet = blend.run(&next_mix, parts);
            let next = self.next_root(root, &step, [&feet, &next_feet], dt);
            // Prints in between.
            while let Some(beat) = score.beats.get(played.prints.len()).filter(|beat| beat.phase <= next_phase) {
                let share = ((beat.phase - phase) / (next_phase - phase)).clamp(0.0, 1.0);
                let there = FloorPose {
                    position: root.position.lerp(next.position, share),
                    heading: root.heading + share * (next.heading - root.heading),
                };
                let then = score.mix(strides, curves, beat.phase);
                at_beat.pose(&then, Parts::Feet);
                played.prints.push(there.then(at_beat.foot(&then, beat.side).sole));
                played.times.push((played.roots.len() as f32 - 1.0 + share) * dt);
            }
            (phase, mix, feet, root) = (next_phase, next_mix, next_feet, next);
        }
        played
    }

    /// Where the root is after a step.
    fn next_root(
        &self,
        root: FloorPose,
        step: &StrideStep,
        [feet, next_feet]: [&[FootNow; 2]; 2],
        dt: f32,
    ) -> FloorPose {
        let free = root.then(step.root);
        if !self.anchored {
            return free;
        }
        // The point between the feet that moves least: 1 is the right foot.
        let [right, left] = step.feet.map(|foot| foot.point(foot.on_ball));
        let e = ALIKE * dt;
        let apart = (right - left).length_squared() + e * e;
        let a = ((left.length_squared() - right.dot(left) + 0.5 * e * e) / apart).clamp(0.0, 1.0);
        let least = left.lerp(right, a);
        // The same points of the feet before and after: what a foot stands on passes from heel to ball without a move.
        let point = |feet: &[FootNow; 2]| {
            let [right, left] = [0, 1].map(|side| floor::of_point(feet[side].point(step.feet[side].on_ball)));
            left.lerp(right, a)
        };
        let held = root.transform_point(point(feet) + least) - floor::turned(point(next_feet), free.heading);
        let sure = 1.0 - smoothstep((least.length() / dt - HELD[0]) / HELD[1]);
        FloorPose { position: free.position.lerp(held, sure), heading: free.heading }
    }
}

/// The phase `dt` seconds later.
fn advance(strides: &Strides, score: &Score, curves: Option<&GroupCurves>, mix: &Mix, phase: f32, dt: f32) -> f32 {
    let (mut phase, mut left, mut pace) = (phase, dt, mix.pace(strides) * score.slower(phase));
    // The pace of a stride changes at its stances.
    for _ in 0..8 {
        let stance = (2.0 * phase + 1e-4).floor().mul_add(0.5, 0.5);
        let until = (stance - phase) * pace;
        if until >= left || pace <= 0.0 {
            break;
        }
        left -= until;
        phase = stance;
        pace = score.mix(strides, curves, phase + 1e-4).pace(strides) * score.slower(phase);
    }
    phase + left / pace.max(1e-3)
}

/// How root and feet of the clips move from one mix to the next, `by` phases on: by the mean of both weights.
fn mean_step(strides: &Strides, [now, next]: [&Mix; 2], by: f32) -> StrideStep {
    let mut mean = StrideStep { root: FloorPose::ORIGIN, feet: [FootPoints::default(); 2] };
    let mut add = |share: &Share, from: f32, weight: f32| {
        let StrideStep { root, feet } = strides.strides[share.stride].step(from, from + by);
        mean.root.position += weight * root.position;
        mean.root.heading += weight * root.heading;
        mean.feet.iter_mut().zip(&feet).for_each(|(mean, foot)| mean.add(foot, weight));
    };
    let same = |a: &Share, b: &Share| {
        let off = b.phase - a.phase - by;
        a.stride == b.stride && (off - off.round()).abs() < 1e-3
    };
    for share in now.shares() {
        let after = next.shares().iter().find(|other| same(share, other)).map_or(0.0, |other| other.weight);
        add(share, share.phase, 0.5 * (share.weight + after));
    }
    for share in next.shares().iter().filter(|share| !now.shares().iter().any(|other| same(other, share))) {
        add(share, share.phase - by, 0.5 * share.weight);
    }
    mean
}

impl<'a> Blend<'a> {
    fn new(strides: &'a Strides) -> Self {
        let rig = &strides.rig;
        Self {
            strides,
            locals: rig.skeleton.rest().to_vec(),
            model: ModelPose::new(&rig.skeleton),
            chain: rig.skeleton.chains_to(rig.legs.iter().map(crate::rig::Leg::ankle)),
        }
    }

    /// Blends a mix, and gives its feet, right and left.
    fn run(&mut self, mix: &Mix, parts: Parts) -> [FootNow; 2] {
        self.pose(mix, parts);
        [Side::Right, Side::Left].map(|side| self.foot(mix, side))
    }

    fn pose(&mut self, mix: &Mix, parts: Parts) {
        let mut sources: [(&[Rigid], f32); 2 * super::score::MOST] = [(&[], 0.0); 2 * super::score::MOST];
        let mut count = 0;
        // The heaviest first: signs go by it.
        let heaviest =
            mix.shares().iter().enumerate().max_by(|a, b| a.1.weight.total_cmp(&b.1.weight)).map_or(0, |(k, _)| k);
        let shares = mix.shares();
        for k in 0..shares.len() {
            let share = &shares[if k == 0 {
                heaviest
            } else if k <= heaviest {
                k - 1
            } else {
                k
            }];
            let stride = &self.strides.strides[share.stride];
            let at = stride.frames_at(share.phase);
            for (frame, part) in [(at.first, 1.0 - at.share), (at.second, at.share)] {
                if part > 0.0 {
                    sources[count] = (stride.clip.frame(frame), share.weight * part);
                    count += 1;
                }
            }
        }
        let sources = &sources[..count];
        if sources.is_empty() {
            return;
        }
        let mean = |joint: usize| {
            let lead = sources[0].0[joint].rotation;
            let mut rotation = glam::Vec4::ZERO;
            let mut translation = Vec3A::ZERO;
            for (frame, weight) in sources {
                let local = frame[joint];
                let near = if lead.dot(local.rotation) < 0.0 { -*weight } else { *weight };
                rotation += glam::Vec4::from(local.rotation) * near;
                translation += local.translation * *weight;
            }
            let length = rotation.length();
            let rotation = if length < 0.5 { lead } else { Quat::from_vec4(rotation / length) };
            Rigid { rotation, translation }
        };
        match parts {
            Parts::All => (0..self.locals.len()).for_each(|joint| self.locals[joint] = mean(joint)),
            Parts::Feet => self.chain.iter().for_each(|joint| self.locals[joint.index()] = mean(joint.index())),
        }
        self.model.compose_some(&self.strides.rig.skeleton, &self.locals, &self.chain);
    }

    fn foot(&self, mix: &Mix, side: Side) -> FootNow {
        let leg = &self.strides.rig.legs[self.strides.leg(side).index()];
        let ankle = self.model[leg.ankle()];
        let sole = ankle * leg.foot.ankle_from_sole();
        let heading = quat::heading(sole.rotation).unwrap_or(0.0);
        let on_ball = |share: &Share| share.weight * self.strides.strides[share.stride].on_ball(side, share.phase);
        FootNow {
            heel: ankle.transform_point(leg.foot.heel),
            ball: ankle.transform_point(leg.foot.ball),
            on_ball: mix.shares().iter().map(on_ball).sum(),
            sole: FloorPose::new(floor::of_point(sole.translation), heading),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    /// Even steps of 0.7 m straight on: the foot that stands keeps its place, and by the formula that the thesis prints the root goes
    /// twice as far.
    #[test]
    fn the_foot_that_stands_stays_and_the_printed_root_runs_away() {
        const STEP: f32 = 0.7;
        const FRAMES: usize = 40;
        let (play, dt) = (PlayStrides::default(), 1.0 / 60.0);
        let by = STEP / FRAMES as f32;
        let at = |z: f32| FootNow { heel: Vec3A::Z * z, ball: Vec3A::Z * z, ..FootNow::default() };
        // The foot that stands goes back under the body, the other forward.
        let feet = |frame: usize, right_stands: bool| {
            let stands = STEP * (0.5 - frame as f32 / FRAMES as f32);
            if right_stands { [at(stands), at(-stands)] } else { [at(-stands), at(stands)] }
        };
        let (mut root, mut printed, mut slid) = (FloorPose::ORIGIN, Vec2::ZERO, 0.0_f32);
        let mut alpha = 1.0;
        for step in 0..4 {
            let right = step % 2 == 0;
            let stood = root.position.y + 0.5 * STEP;
            for frame in 0..FRAMES {
                let [now, next] = [feet(frame, right), feet(frame + 1, right)];
                let moved = |stands: bool| {
                    let by = Vec3A::Z * if stands { 0.0 } else { 2.0 * by };
                    FootPoints { heel: floor::of_point(by), ball: floor::of_point(by), on_ball: 0.0 }
                };
                let forward = FloorPose::new(Vec2::new(0.0, by), 0.0);
                let clip = StrideStep { root: forward, feet: [moved(right), moved(!right)] };
                root = play.next_root(root, &clip, [&now, &next], dt);
                let stands = &next[usize::from(!right)];
                slid = slid.max((root.position.y + stands.heel.z - stood).abs());
                // r' = r + (p_R - p_L)(α' - α).
                let onward = if right { 1.0 } else { 0.0 };
                printed += forward.position + floor::of_point(now[0].heel - now[1].heel) * (onward - alpha);
                alpha = onward;
            }
        }
        let wanted = 4.0 * STEP;
        assert!(slid < 2e-3 && (root.position.y - wanted).abs() < 5e-3, "{slid} m, {root:?}");
        assert!(printed.y > 1.6 * wanted, "as printed it comes to {} m instead of {wanted}", printed.y);
    }
}
