//! A leg of two bones, in closed form: the knee stays in the plane it was in.

use crate::math::quat;
use glam::{Quat, Vec3A};

/// How far a leg may stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct TwoBone {
    /// Share of the leg's length up to which a target is met exactly; beyond, the leg approaches its full length
    /// without reaching it. In (0, 1).
    pub soft: f32,
}

impl Default for TwoBone {
    fn default() -> Self {
        Self { soft: 0.992 }
    }
}

/// A leg as it is, all in one space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegPose {
    /// Hip, metres.
    pub hip: Vec3A,
    /// Knee, metres.
    pub knee: Vec3A,
    /// Ankle, metres.
    pub ankle: Vec3A,
    /// The knee's hinge axis, a unit vector towards the character's left; tells the plane where the leg is straight.
    pub hinge: Vec3A,
    /// Whether the knee is to change its side: it is stretched beyond straight, and should bend its own way.
    pub turn_over: bool,
}

/// How a leg must turn to reach its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bent {
    /// Turn of the thigh about the hip, in the space of the pose: new = turn · old.
    pub thigh: Quat,
    /// Turn of the lower leg, likewise.
    pub shin: Quat,
    /// Where the ankle comes to be, metres.
    pub ankle: Vec3A,
    /// How far that is from the target, metres; 0 where it could be reached.
    pub missed: f32,
}

impl TwoBone {
    /// The farthest that a leg of this length, now stretched to `now`, reaches exactly, metres. A leg that is
    /// straighter than the soft limit to begin with may stay so.
    #[must_use]
    pub fn exact_reach(&self, length: f32, now: f32) -> f32 {
        (self.soft * length).max(now.min(0.9999 * length))
    }

    /// Turns a leg so that its ankle comes to `target`. Lengths are those of the pose; the knee keeps its side, also
    /// of a straight leg, and never flips.
    #[must_use]
    pub fn solve(&self, leg: &LegPose, target: Vec3A) -> Bent {
        let (thigh, shin) = (leg.knee - leg.hip, leg.ankle - leg.knee);
        let (l1, l2) = (thigh.length(), shin.length());
        let length = l1 + l2;
        let now = leg.ankle - leg.hip;
        let still = Bent {
            thigh: Quat::IDENTITY,
            shin: Quat::IDENTITY,
            ankle: leg.ankle,
            missed: (target - leg.ankle).length(),
        };
        if l1 < 1e-6 || l2 < 1e-6 || !target.is_finite() {
            return still;
        }
        let u = now.try_normalize().unwrap_or(-Vec3A::Y);
        let wanted = target - leg.hip;
        let distance = wanted.length();
        let v = wanted.try_normalize().unwrap_or(u);
        let reach = self.reached(distance, length, now.length()).max((l1 - l2).abs() + 1e-4 * length);

        // The way the knee points, at right angles to the line from hip to ankle.
        let n = knee_direction(thigh, u, leg, length);
        let side = u.cross(n);

        // Law of cosines: the knee lies x along the line and y off it.
        let x = (l1 * l1 - l2 * l2 + reach * reach) / (2.0 * reach);
        let y = (l1 * l1 - x * x).max(0.0).sqrt();
        let knee = u * x + n * y;

        // Both bones turn within the plane of the leg, then with the line to the target.
        let turn = quat::arc(u, v, side);
        let ankle = leg.hip + v * reach;
        Bent {
            thigh: turn * quat::arc(thigh / l1, knee / l1, side),
            shin: turn * quat::arc(shin / l2, (u * reach - knee) / l2, side),
            ankle,
            missed: (target - ankle).length(),
        }
    }

    /// Distance from hip to ankle for a target at `distance`: exact up to the limit, then ever slower towards the
    /// full length, with a continuous slope, so that the knee never locks or pops.
    pub(super) fn reached(&self, distance: f32, length: f32, now: f32) -> f32 {
        let exact = self.exact_reach(length, now);
        let rest = length - exact;
        if distance <= exact || rest < 1e-5 * length {
            distance.min(0.9999 * length)
        } else {
            length - rest * crate::math::single::exp(-(distance - exact) / rest)
        }
    }
}

/// The unit vector from the line hip–ankle to the knee; from the hinge where the leg is straight.
fn knee_direction(thigh: Vec3A, u: Vec3A, leg: &LegPose, length: f32) -> Vec3A {
    let off = thigh - u * thigh.dot(u);
    let off = if leg.turn_over { -off } else { off };
    // A leg that hangs down with its hinge to the left has its knee in front.
    let by_hinge = u.cross(leg.hinge).try_normalize().unwrap_or_else(|| u.any_orthonormal_vector());
    let share = off.length() / length;
    // A knee that is stretched a little beyond straight still bends its own way; only one that is clearly bent the other
    // way stays there.
    if off.dot(by_hinge) < 0.0 {
        return if share > 0.03 { off / off.length() } else { by_hinge };
    }
    // Between 1 % and 2 % of the leg's length the two pass into each other.
    let trust = ((share - 0.01) / 0.01).clamp(0.0, 1.0);
    let mixed = off.normalize_or_zero() * trust + by_hinge * (1.0 - trust);
    mixed.try_normalize().unwrap_or(by_hinge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Rng, Seed};

    fn pose(knee: Vec3A, ankle: Vec3A) -> LegPose {
        LegPose { hip: Vec3A::new(0.1, 1.0, 0.0), knee, ankle, hinge: Vec3A::X, turn_over: false }
    }

    fn bent() -> LegPose {
        pose(Vec3A::new(0.1, 0.6, 0.1), Vec3A::new(0.1, 0.2, 0.0))
    }

    /// Forward kinematics of a solution.
    fn play(leg: &LegPose, turn: &Bent) -> (Vec3A, Vec3A) {
        let knee = leg.hip + turn.thigh * (leg.knee - leg.hip);
        (knee, knee + turn.shin * (leg.ankle - leg.knee))
    }

    #[test]
    fn where_it_says_it_is_it_is() {
        let mut rng = Rng::new(Seed(5)).stream("two bone");
        for i in 0..20_000 {
            let mut point =
                |size: f32| Vec3A::new(rng.range(-size, size), rng.range(-size, size), rng.range(-size, size));
            let leg = LegPose {
                hip: point(1.0),
                knee: point(1.0),
                ankle: point(1.0),
                hinge: point(1.0).normalize_or(Vec3A::X),
                turn_over: i % 2 == 1,
            };
            let target = point(2.0);
            let solution = TwoBone::default().solve(&leg, target);
            let (_, ankle) = play(&leg, &solution);
            assert!(ankle.is_finite() && (ankle - solution.ankle).length() < 2e-4, "{leg:?} {target} {solution:?}");
            assert!(((target - ankle).length() - solution.missed).abs() < 3e-4, "truthful: {solution:?}");
        }
    }

    #[test]
    fn reachable_targets_are_reached_and_the_pose_itself_changes_nothing() {
        let leg = bent();
        let same = TwoBone::default().solve(&leg, leg.ankle);
        assert!(same.thigh.angle_between(Quat::IDENTITY) < 1e-3 && same.missed < 1e-6, "{same:?}");
        for target in [Vec3A::new(0.3, 0.4, 0.2), Vec3A::new(0.1, 0.7, -0.3), Vec3A::new(0.0, 0.25, 0.1)] {
            let solution = TwoBone::default().solve(&leg, target);
            assert!((play(&leg, &solution).1 - target).length() < 1e-4, "{target}");
        }
    }

    #[test]
    fn the_knee_never_flips_and_foot_paths_through_full_stretch_are_smooth() {
        // The ankle goes from deep inside to far out of reach; the knee stays in front all the way.
        let leg = bent();
        let mut last: Option<(Vec3A, Vec3A)> = None;
        for i in 0..=1000 {
            let target = leg.hip - Vec3A::Y * (0.1 + 1.4 * i as f32 / 1000.0);
            let (knee, ankle) = play(&leg, &TwoBone::default().solve(&leg, target));
            assert!(knee.z > -1e-5, "the knee is behind at {target}: {knee}");
            if let Some((_, before)) = last {
                assert!((ankle - before).length() < 1.5e-3, "a jump at {target}");
            }
            last = Some((knee, ankle));
        }
    }

    #[test]
    fn a_straight_leg_bends_by_its_hinge() {
        let straight = pose(Vec3A::new(0.1, 0.6, 0.0), Vec3A::new(0.1, 0.2, 0.0));
        let (knee, ankle) = play(&straight, &TwoBone::default().solve(&straight, Vec3A::new(0.1, 0.5, 0.0)));
        assert!(knee.z > 0.1 && (ankle - Vec3A::new(0.1, 0.5, 0.0)).length() < 1e-4, "{knee} {ankle}");
    }

    #[test]
    fn a_knee_keeps_its_side_and_a_stretched_one_its_own_way() {
        for i in -40..=40 {
            let z = 0.001 * i as f32;
            let leg = pose(Vec3A::new(0.1, 0.6, z), Vec3A::new(0.1, 0.2, 0.0));
            let (knee, ankle) = play(&leg, &TwoBone::default().solve(&leg, leg.ankle));
            assert!((ankle - leg.ankle).length() < 1e-3, "a knee at {z}: the ankle stays");
            // Within half a percent of a straight leg the hinge decides, and the last hair of reach is not used. A knee
            // that is stretched beyond straight by up to 3 % of the leg comes to the front.
            let wanted = if z > -0.0245 { z.abs() } else { z };
            let off = (knee - leg.knee.with_z(wanted)).length();
            assert!(off < if z.abs() < 0.004 { 6e-3 } else { 1e-3 }, "a knee at {z} came to {knee}");
        }
    }

    #[test]
    fn degenerate_legs_do_not_break() {
        let leg = bent();
        let odd = [
            LegPose { knee: leg.hip, ..leg },
            LegPose { ankle: leg.knee, ..leg },
            LegPose { ankle: leg.hip, ..leg },
            LegPose { knee: leg.hip, ankle: leg.hip, ..leg },
        ];
        for leg in odd {
            for target in [leg.hip, leg.ankle, Vec3A::ZERO, Vec3A::splat(1e9), Vec3A::NAN, Vec3A::INFINITY] {
                let solution = TwoBone::default().solve(&leg, target);
                assert!(
                    solution.thigh.is_finite() && solution.shin.is_finite() && solution.ankle.is_finite(),
                    "{leg:?} {target}"
                );
            }
        }
    }
}
