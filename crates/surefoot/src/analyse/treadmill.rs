//! Walks on the spot: how fast, and which way, the feet say the ground goes by.

use crate::math::{floor, smoothstep};
use crate::motion::{Clip, Trajectories};
use crate::rig::{JointId, Leg, ModelPose, Pose, Rig, Skeleton};
use glam::{Vec2, Vec3A};

/// How the ground's speed is told from feet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Treadmill {
    /// A foot goes with the ground while it is in this lowest share of its rise and fall.
    pub low: f32,
}

impl Default for Treadmill {
    fn default() -> Self {
        Self { low: 0.15 }
    }
}

/// What feet say about the ground under a cycle.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tread {
    /// The character's mean velocity over the ground while feet are low, m/s: x to its left, y the way it faces.
    pub velocity: Vec2,
    /// The same frame by frame, as the feet that are low have it, smoothed; drawn walks stop and go.
    pub course: Vec<Vec2>,
    /// What every foot by itself says of the velocity, by leg, m/s; empty where somebody has said it.
    pub feet: Vec<Vec2>,
    /// Whether the course is as it should be: somebody has said it, or it goes as evenly as legs can follow.
    pub even: bool,
}

/// A body is led past its feet by no more than this share of the leg's length so that it goes evenly. Feet that were drawn on the spot
/// stop and go by 4 to 13 % of it in a step: bodies that went as they do would be half as fast at one moment as at the next.
const LEADS: f32 = 0.08;

/// Two feet of a walk on the spot that go at different speeds while they are down: one of them slides, whatever the walk's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnevenFeet {
    /// The leg, by its place in the rig, whose foot is slowest, and its speed the way the walk goes, m/s.
    pub slowest: (usize, f32),
    /// The same of the fastest.
    pub fastest: (usize, f32),
}

/// Feet whose speeds differ by more than this share of the walk's are told of: a fifth of a stride is seen as sliding.
const UNEVEN: f32 = 0.2;

/// Feet of a walk go back under it while they are low, each at this share of its speed at least: those of the slowest that was drawn go
/// at a fifth of it. Who stabs or kicks on the spot has a foot that stays.
const GOES_BACK: f32 = 0.125;

impl Tread {
    /// Whether all feet walk; who has said how it goes need not ask them.
    pub(super) fn is_of_a_walk(&self) -> bool {
        let speed = self.velocity.length();
        let Some(way) = self.velocity.try_normalize() else { return false };
        self.feet.iter().all(|foot| foot.dot(way) >= GOES_BACK * speed)
    }

    /// As somebody has said; `course` is by frame.
    pub(super) fn of(course: &[Vec2]) -> Self {
        let velocity = course.iter().sum::<Vec2>() / course.len().max(1) as f32;
        Self { velocity, course: course.to_vec(), feet: Vec::new(), even: true }
    }

    /// The same of a body that goes more evenly, by a share (from 0 to 1) of what legs of this length can follow, and by how much it is
    /// ahead of where its feet say that it is, frame by frame, metres, about as often ahead as behind.
    pub(crate) fn evened(&self, leg: f32, rate: f32, share: f32) -> (Self, Vec<Vec2>) {
        let mean = self.course.iter().sum::<Vec2>() / self.course.len().max(1) as f32;
        // How far the feet's own course is ahead of an even one.
        let gone = |sum: &mut Vec2, v: &Vec2| {
            let now = *sum;
            *sum += (*v - mean) / rate;
            Some(now)
        };
        let ahead: Vec<Vec2> = self.course.iter().scan(Vec2::ZERO, gone).collect();
        let low = ahead.iter().copied().reduce(Vec2::min).unwrap_or_default();
        let high = ahead.iter().copied().reduce(Vec2::max).unwrap_or_default();
        let most = ahead.iter().map(|at| at.distance(0.5 * (low + high))).fold(0.0, f32::max);
        if self.even || most < 1e-5 * leg {
            return (Self { even: true, ..self.clone() }, vec![Vec2::ZERO; ahead.len()]);
        }
        let share = share * (LEADS * leg / most).min(1.0);
        let course = self.course.iter().map(|v| v.lerp(mean, share)).collect();
        let led = ahead.iter().map(|at| share * (0.5 * (low + high) - *at)).collect();
        (Self { course, even: true, ..self.clone() }, led)
    }

    /// The same of a body that is larger by so much.
    pub(crate) fn scaled(&self, by: f32) -> Self {
        let larger = |all: &[Vec2]| all.iter().map(|v| *v * by).collect();
        Self { velocity: self.velocity * by, course: larger(&self.course), feet: larger(&self.feet), even: self.even }
    }

    /// The feet that differ most in how fast they say the ground goes by; `None` where all agree.
    #[must_use]
    pub fn uneven_feet(&self) -> Option<UnevenFeet> {
        let speed = self.velocity.length();
        let way = self.velocity.try_normalize()?;
        let speeds = || self.feet.iter().map(|foot| foot.dot(way)).enumerate();
        let slowest = speeds().min_by(|a, b| a.1.total_cmp(&b.1))?;
        let fastest = speeds().max_by(|a, b| a.1.total_cmp(&b.1))?;
        (fastest.1 - slowest.1 > UNEVEN * speed).then_some(UnevenFeet { slowest, fastest })
    }
}

/// Short cycles are looked at this finely, Hz.
const FINE: f32 = 100.0;

impl Treadmill {
    /// Measures the ground under a clip: the mean velocity of every foot while it is low, and the mean of these. Weighed by how
    /// long each is low, feet slide no less, and the speeds that authors know are missed.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn run(&self, rig: &Rig, clip: &Clip) -> Tread {
        // Over the seam of a cycle feet move on.
        let fine = clip.unrolled(3).resampled(FINE);
        let count = ((clip.duration() * FINE).round() as usize).clamp(1, fine.frames());
        let start = if clip.cycle().is_some() { count.min(fine.frames() - count) } else { 0 };
        let last = fine.frames() - 1;
        let trajectories = Trajectories::new(&rig.skeleton, &fine);
        let mut feet: Vec<Vec<(Vec2, f32)>> = Vec::with_capacity(rig.legs.len());
        for leg in &rig.legs {
            // The foremost joint of the foot: a point of the sole dips and rises as a drawn foot rolls.
            let points: Vec<Vec3A> = trajectories.path(foremost(rig, leg)).collect();
            let heights = points[start..start + count].iter().map(|p| p.y);
            let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
            let foot = (start..start + count).map(|f| {
                let (a, b) = (f.saturating_sub(1), (f + 1).min(last));
                let velocity = floor::of_point(points[b] - points[a]) * FINE / (b - a).max(1) as f32;
                (velocity, (points[f].y - low) / (self.low * (high - low)).max(1e-6))
            });
            feet.push(foot.collect());
        }
        let mean = |foot: &Vec<(Vec2, f32)>| {
            let low = foot.iter().filter(|(_, over)| *over <= 1.0);
            let (sum, count) = low.fold((Vec2::ZERO, 0.0), |(sum, n), (velocity, _)| (sum - *velocity, n + 1.0));
            sum / f32::max(count, 1.0)
        };
        let means: Vec<Vec2> = feet.iter().map(mean).collect();
        let velocity = means.iter().sum::<Vec2>() / means.len().max(1) as f32;
        // Moment by moment as the feet that are low have it; in flight, and where a low foot swings ahead, as on average.
        let square = velocity.length_squared().max(1e-9);
        let at = |f: usize| {
            let (mut sum, mut weights) = (0.05 * velocity, 0.05);
            for (foot, over) in feet.iter().map(|foot| foot[f]) {
                let with = smoothstep(-2.0 * foot.dot(velocity) / square);
                let weight = smoothstep(2.0 - over) * with;
                sum -= weight * foot;
                weights += weight;
            }
            sum / weights
        };
        let course: Vec<Vec2> = (0..count).map(at).collect();
        let course = smoothed(&course, (0.05 * FINE) as usize);
        let at = |f: usize| course[((f as f32 * FINE / clip.rate()).round() as usize) % count];
        Tread { velocity, course: (0..clip.frames()).map(at).collect(), feet: means, even: false }
    }
}

impl Treadmill {
    /// The points of a rig's feet that are looked at: the foremost joint of each.
    #[must_use]
    pub fn points(rig: &Rig) -> Vec<(JointId, Vec3A)> {
        rig.legs.iter().map(|leg| (foremost(rig, leg), Vec3A::ZERO)).collect()
    }

    /// The mean velocity over the ground that feet have while they are low, by foot and then over feet, in a clip as its file
    /// has it: in 48 even steps from time 0 to the last key, those counted that begin and end low, the cycle not closed.
    /// m/s, x to the left, y forward.
    ///
    /// This is what a table of clips may say. `lead` is the time before the first key, seconds, in which a file's pose
    /// stands still; that counts here, and the step from the last frame to the first does not. [`Treadmill::run`] is about
    /// the cycle itself. `points` are fixed to joints, metres in their space.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn as_drawn(&self, skeleton: &Skeleton, clip: &Clip, points: &[(JointId, Vec3A)], lead: f32) -> Vec2 {
        assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let seconds = lead + (clip.frames() - 1) as f32 / clip.rate();
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        let mut paths = vec![Vec::with_capacity(DRAWN + 1); points.len()];
        for i in 0..=DRAWN {
            clip.sample((seconds * i as f32 / DRAWN as f32 - lead).max(0.0), &mut pose);
            pose.to_model(skeleton, &mut model);
            for ((joint, point), path) in points.iter().zip(&mut paths) {
                path.push(model[*joint].transform_point(*point));
            }
        }
        let rate = DRAWN as f32 / seconds.max(1e-6);
        let mean = |path: &Vec<Vec3A>| {
            let heights = path.iter().map(|p| p.y);
            let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
            let limit = low + self.low * (high - low);
            let steps = path.windows(2).filter(|step| step[0].y.max(step[1].y) <= limit);
            let (sum, count) =
                steps.fold((Vec2::ZERO, 0.0), |(sum, n), step| (sum + floor::of_point(step[1] - step[0]), n + 1.0));
            sum * rate / f32::max(count, 1.0)
        };
        -paths.iter().map(mean).sum::<Vec2>() / points.len().max(1) as f32
    }
}

/// A clip as it was drawn is looked at in this many steps.
const DRAWN: usize = 48;

/// The mean over `reach` values either side, round and round.
fn smoothed(values: &[Vec2], reach: usize) -> Vec<Vec2> {
    let count = values.len();
    let mean = |f: usize| {
        let near = (0..=2 * reach).map(|k| values[(f + k + (reach + 1) * count - reach) % count]);
        near.sum::<Vec2>() / (2 * reach + 1) as f32
    };
    (0..count).map(mean).collect()
}

/// The joint of a foot that is farthest in front at rest; the ends that exporters give last bones may be anywhere.
fn foremost(rig: &Rig, leg: &Leg) -> JointId {
    let rest = ModelPose::new(&rig.skeleton);
    let below = rig.skeleton.subtree(leg.ankle()).map(|joint| JointId(joint as u16));
    let below = below.filter(|joint| !rig.skeleton.is_added_end(*joint));
    below.max_by(|a, b| rest[*a].translation.z.total_cmp(&rest[*b].translation.z)).unwrap_or(leg.ankle())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_go_evenly_as_far_as_legs_can_follow() {
        // Two steps a round that stop and go, at 30 Hz.
        let tread = |by: f32| Tread {
            velocity: Vec2::Y,
            course: (0..30)
                .map(|f| Vec2::new(0.0, 1.0 + by * (f as f32 / 15.0 * std::f32::consts::TAU).sin()))
                .collect(),
            feet: Vec::new(),
            even: false,
        };
        let swings = |tread: &Tread| {
            let speeds = || tread.course.iter().map(|v| v.y);
            speeds().fold(0.0, f32::max) - speeds().fold(f32::INFINITY, f32::min)
        };
        for (by, leg) in [(0.5, 0.9), (0.8, 0.9), (0.9, 0.3), (0.0, 1.0)] {
            let uneven = tread(by);
            let (even, led) = uneven.evened(leg, 30.0, 1.0);
            assert!(led.iter().all(|by| by.length() <= (LEADS + 1e-4) * leg), "legs can follow");
            let full = by / (2.0 * std::f32::consts::TAU) < LEADS * leg;
            assert!(swings(&even) < if full { 1e-3 } else { 0.9 * swings(&uneven) }, "{by}, {leg}: {}", swings(&even));
            // Where the course leads is where feet say that it leads, but for what the body is led by.
            let mut off = Vec2::ZERO;
            for f in 0..30 {
                let moved = led[f] - led[0];
                assert!((off - moved).length() < 1e-4, "frame {f}: {off} of {moved}");
                off += (even.course[f] - uneven.course[f]) / 30.0;
            }
            // What is as even as it should be stays.
            let (again, none) = even.evened(leg, 30.0, 1.0);
            assert!(again == even && none.iter().all(|by| *by == Vec2::ZERO));
        }
    }

    #[test]
    fn who_has_a_foot_that_stays_does_not_walk() {
        let tread = |speeds: [f32; 2]| {
            let feet = speeds.map(|speed| Vec2::new(0.01, speed)).to_vec();
            let velocity = feet.iter().sum::<Vec2>() / 2.0;
            Tread { velocity, course: Vec::new(), feet, even: false }
        };
        assert!(tread([1.0, 1.2]).is_of_a_walk());
        assert!(tread([0.4, 1.6]).is_of_a_walk(), "it limps");
        // A stab of the Knight, and one of its shots.
        assert!(!tread([-0.38, 2.94]).is_of_a_walk());
        assert!(!tread([-0.01, 0.3]).is_of_a_walk());
        assert!(Tread::of(&[Vec2::Y]).is_of_a_walk(), "somebody has said so");
    }

    #[test]
    fn feet_that_differ_are_told_and_those_that_agree_are_not() {
        let tread = |speeds: [f32; 4]| Tread {
            velocity: Vec2::new(0.0, 1.0),
            course: Vec::new(),
            feet: speeds.map(|speed| Vec2::new(0.1, speed)).to_vec(),
            even: false,
        };
        assert_eq!(tread([0.95, 1.0, 1.05, 1.0]).uneven_feet(), None);
        let uneven = tread([0.8, 1.2, 0.9, 1.1]).uneven_feet();
        assert_eq!(uneven, Some(UnevenFeet { slowest: (0, 0.8), fastest: (1, 1.2) }));
        // Nothing was measured where somebody has said how it goes, and nothing stands that does not go.
        assert_eq!(Tread::of(&[Vec2::Y]).uneven_feet(), None);
        assert_eq!(Tread { velocity: Vec2::ZERO, ..tread([0.0, 1.0, 0.0, 1.0]) }.uneven_feet(), None);
    }
}
