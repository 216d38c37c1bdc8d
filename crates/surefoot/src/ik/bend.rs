//! A chain of bones with one parameter: all inner joints bend and stretch together.

use super::TwoBone;
use glam::{Quat, Vec3A};

/// The most bones of a leg.
pub(super) const MOST: usize = 12;
/// No joint folds farther than this, radians.
const FOLDED: f32 = 3.05;
/// Newton's steps on the way to a bend: so many at most, none longer than this in the bend's logarithm.
const NEWTON_STEPS: usize = 6;
const NEWTON_STEP: f32 = 1.0;
/// After a step as short as this the end is within a few ten-millionths of the leg of where the slope says: it is not looked at.
const LAST_STEP: f32 = 1e-3;
/// A joint that is straighter than this counts as bent by so much, radians: else it could never bend.
const STRAIGHT: f32 = 0.01;

/// Bones from hip to end, and how each inner joint bends.
///
/// The bend s > 0 takes an inner joint's angle θ to `s θ F / (s θ + F - θ)`, F being fully folded: s = 1 is the pose as it
/// is, towards 0 all joints straighten together, each in proportion to its own bend, and towards infinity all fold.
#[derive(Clone, Copy)]
pub(super) struct Bones {
    /// Number of bones.
    pub(super) count: usize,
    /// Each bone, metres.
    pub(super) bones: [Vec3A; MOST],
    /// Its direction, a unit vector; zero for a bone without length.
    along: [Vec3A; MOST],
    /// The axis about which the joint before each bone bends, a unit vector; zero for a joint that does not, as the hip.
    axes: [Vec3A; MOST],
    /// How far it is bent, radians; below 0 it is bent against its axis.
    angles: [f32; MOST],
}

/// How far a chain of bones is bent.
#[derive(Clone, Copy)]
pub(super) struct Bend {
    /// The bend s.
    pub(super) bend: f32,
    /// From hip to end at this bend, metres, with the first bone as it is.
    pub(super) end: Vec3A,
}

impl Bones {
    pub(super) fn new() -> Self {
        Self {
            count: 0,
            bones: [Vec3A::ZERO; MOST],
            along: [Vec3A::ZERO; MOST],
            axes: [Vec3A::ZERO; MOST],
            angles: [0.0; MOST],
        }
    }

    /// The next bone; `hinge` is the axis of the joint it starts from, which tells the way where the joint is straight.
    pub(super) fn push(&mut self, bone: Vec3A, hinge: Vec3A) {
        let i = self.count;
        self.bones[i] = bone;
        self.along[i] = bone.normalize_or_zero();
        if i > 0 {
            (self.axes[i], self.angles[i]) = bent(self.along[i - 1], self.along[i], hinge);
        }
        self.count += 1;
    }

    /// How far the joint before a bone turns at a bend, radians.
    fn turn(&self, i: usize, bend: f32) -> f32 {
        let angle = self.angles[i].abs();
        let turned = bend * angle * FOLDED / (bend * angle + FOLDED - angle) - angle;
        if self.angles[i] < 0.0 { -turned } else { turned }
    }

    /// The turn of the joint before a bone at a bend, in the space of the pose as it is.
    pub(super) fn rotation(&self, i: usize, bend: f32) -> Quat {
        let (sin, cos) = crate::math::single::sin_cos(0.5 * self.turn(i, bend));
        let v = self.axes[i] * sin;
        Quat::from_xyzw(v.x, v.y, v.z, cos)
    }

    /// From hip to end at a bend, with the first bone as it is.
    fn end(&self, bend: f32) -> Vec3A {
        let mut v = self.bones[self.count - 1];
        for i in (1..self.count).rev() {
            // Rodrigues' formula.
            let (sin, cos) = crate::math::single::sin_cos(self.turn(i, bend));
            let axis = self.axes[i];
            v = self.bones[i - 1] + v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos));
        }
        v
    }

    /// How near the end comes to the hip at any bend beyond the pose as it is, metres.
    pub(super) fn nearest(&self) -> f32 {
        let far = |k: usize| self.end(crate::math::single::exp(0.1 * k as f32)).length();
        (0..=60).map(far).fold(f32::INFINITY, f32::min)
    }

    /// The same, and how the end moves as the bend's logarithm grows, metres.
    fn end_and_way(&self, bend: f32) -> [Vec3A; 2] {
        let (mut v, mut way) = (self.bones[self.count - 1], Vec3A::ZERO);
        for i in (1..self.count).rev() {
            let (sin, cos) = crate::math::single::sin_cos(self.turn(i, bend));
            let axis = self.axes[i];
            let turned = |v: Vec3A| v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos));
            v = turned(v);
            way = turned(way) + axis.cross(v) * self.turns_on(i, bend);
            v += self.bones[i - 1];
        }
        [v, way]
    }

    /// The same for the pose as it is.
    fn end_and_way_now(&self) -> [Vec3A; 2] {
        let (mut v, mut way) = (self.bones[self.count - 1], Vec3A::ZERO);
        for i in (1..self.count).rev() {
            way += self.axes[i].cross(v) * self.turns_on(i, 1.0);
            v += self.bones[i - 1];
        }
        [v, way]
    }

    /// How fast the joint before a bone turns as the bend's logarithm grows, radians.
    fn turns_on(&self, i: usize, bend: f32) -> f32 {
        let angle = self.angles[i].abs();
        let (open, part) = (FOLDED - angle, bend * angle);
        let turns = part * FOLDED * open / ((part + open) * (part + open));
        if self.angles[i] < 0.0 { -turns } else { turns }
    }

    /// The bend at which the end is as far from the hip as a target `distance` away asks, softly near full stretch; the
    /// nearest that there is for one that is out of reach.
    pub(super) fn bend_for(&self, distance: f32, legs: TwoBone) -> Bend {
        let length = self.end(0.0).length();
        let [end, way] = self.end_and_way_now();
        let now = end.length();
        let wanted = legs.reached(distance, length, now);
        let enough = 1e-6 * length;
        let here = now - wanted;
        if here.abs() <= enough {
            return Bend { bend: 1.0, end };
        }
        self.nearby(wanted, enough, [end, way]).unwrap_or_else(|| {
            let bend = self.anywhere(wanted, enough, here);
            Bend { bend, end: self.end(bend) }
        })
    }

    /// The bend by Newton's steps from the pose as it is, where bending more brings the end nearer, as it should: `None` where
    /// they do not lead there.
    fn nearby(&self, wanted: f32, enough: f32, [mut end, mut way]: [Vec3A; 2]) -> Option<Bend> {
        let (mut t, mut bend) = (0.0, 1.0);
        for _ in 0..NEWTON_STEPS {
            let far = end.length();
            if (far - wanted).abs() <= enough {
                return Some(Bend { bend, end });
            }
            let slope = end.dot(way) / far.max(1e-12);
            let step = (wanted - far) / slope;
            if slope >= 0.0 || step.is_nan() || step.abs() >= NEWTON_STEP {
                return None;
            }
            t += step;
            bend = crate::math::single::exp(t);
            if step.abs() < LAST_STEP {
                return Some(Bend { bend, end: end + way * step });
            }
            [end, way] = self.end_and_way(bend);
        }
        None
    }

    /// The bend wherever it is; `here` is how much farther than wanted the end is in the pose as it is.
    fn anywhere(&self, wanted: f32, enough: f32, here: f32) -> f32 {
        let over = |t: f32| self.end(crate::math::single::exp(t)).length() - wanted;
        // From the pose as it is outwards, in ever longer steps of the logarithm, until the distance lies between: the way
        // that it should lead, else the other way, for a leg that is curled up may come out by bending more.
        let toward = if here > 0.0 { 0.4 } else { -0.4 };
        let mut best = (0.0, here);
        let mut found = None;
        for first in [toward, -toward] {
            let (mut a, mut step): ((f32, f32), f32) = ((0.0, here), first);
            while found.is_none() && a.0.abs() < 12.0 {
                let b = (a.0 + step, over(a.0 + step));
                if (b.1 > 0.0) != (a.1 > 0.0) {
                    found = Some((a, b));
                } else if b.1.abs() < best.1.abs() {
                    best = b;
                }
                a = b;
                step *= 1.6;
            }
        }
        let Some((mut a, mut b)) = found else { return crate::math::single::exp(best.0) };
        // False position, with the weight of an end that stays halved (Illinois).
        best = if a.1.abs() < b.1.abs() { a } else { b };
        let mut stayed = 0;
        for _ in 0..30 {
            let t = (a.0 * b.1 - b.0 * a.1) / (b.1 - a.1);
            let found = (t, over(t));
            if found.1.abs() < best.1.abs() {
                best = found;
            }
            if found.1.abs() <= enough || !t.is_finite() {
                break;
            }
            if (found.1 > 0.0) == (b.1 > 0.0) {
                b = found;
                a.1 *= if stayed == 1 { 0.5 } else { 1.0 };
                stayed = 1;
            } else {
                a = found;
                b.1 *= if stayed == 2 { 0.5 } else { 1.0 };
                stayed = 2;
            }
        }
        crate::math::single::exp(best.0)
    }
}

/// The axis and angle by which a joint is bent between two bones' directions: its own where it is clearly bent, the hinge's where it is
/// straight or stretched a little beyond.
fn bent(before: Vec3A, after: Vec3A, hinge: Vec3A) -> (Vec3A, f32) {
    if hinge == Vec3A::ZERO || before == Vec3A::ZERO || after == Vec3A::ZERO {
        return (Vec3A::ZERO, 0.0);
    }
    let hinge = (hinge - before * before.dot(hinge)).try_normalize();
    let hinge = hinge.unwrap_or_else(|| before.any_orthonormal_vector());
    let cross = before.cross(after);
    let sine = cross.length();
    let own = if sine > 0.0 { cross / sine } else { Vec3A::ZERO };
    let angle = crate::math::single::atan2(sine, before.dot(after));
    // Folded back on itself a joint is bent all the way, whatever the little that tells its axis says.
    let folded = before.dot(after) < -0.9;
    let against = own.dot(hinge) < 0.0 && !folded;
    let own = if against { -own } else { own };
    // Both ways pass into each other with the bend, from 1° to 3°; a joint that is bent across or against its hinge follows
    // its own axis only from about 20°.
    let certain = ((sine - 0.02) / 0.04).clamp(0.0, 1.0);
    let far = ((sine - 0.25) / 0.1).clamp(0.0, 1.0);
    let trust = certain * (own.dot(hinge) / 0.5).clamp(0.0, 1.0).max(far);
    let axis = (own * trust + hinge * (1.0 - trust)).normalize_or(hinge);
    let angle = if folded { angle } else { angle * own.dot(axis).max(0.0) };
    let angle = angle.clamp(STRAIGHT, FOLDED - 0.05);
    // Against its hinge it is straight at first, and passes to being bent so without a jump.
    (axis, if against { STRAIGHT - far * (angle + STRAIGHT) } else { angle })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fetlock that goes from bent one way to bent the other is bent more without a jump anywhere.
    #[test]
    fn a_joint_passes_its_hinge_without_a_jump() {
        let turned = |angle: f32| {
            let mut bones = Bones::new();
            bones.push(Vec3A::NEG_Y, Vec3A::X);
            bones.push(Quat::from_rotation_x(angle) * Vec3A::NEG_Y, Vec3A::X);
            bones.rotation(1, 1.6) * Quat::from_rotation_x(angle) * Vec3A::NEG_Y
        };
        let mut before = turned(-1.0);
        for i in 1..=2000 {
            let angle = -1.0 + 1e-3 * i as f32;
            let now = turned(angle);
            assert!((now - before).length() < 0.01, "{} at {angle} rad", (now - before).length());
            before = now;
        }
        // To either side it bends on, and a knee that is stretched a little beyond straight does not.
        let along = |angle: f32| turned(angle).z;
        assert!(along(0.5) < -0.6 && along(-0.5) > 0.6 && along(-0.1).abs() < 0.11, "{} {}", along(0.5), along(-0.5));
    }
}
