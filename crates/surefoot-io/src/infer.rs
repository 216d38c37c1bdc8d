//! What a body tells about its file: which way is up and forward, and how long a unit is.

use crate::unit::{Axis, Unit};
use surefoot::glam::Vec3;
use surefoot::rig::Side;

/// A body in its file's own axes and units: joints, then the ends of last bones (with empty names).
pub(crate) struct Figure<'a> {
    pub(crate) names: Vec<&'a str>,
    pub(crate) parents: Vec<Option<usize>>,
    /// Positions at rest.
    pub(crate) rest: Vec<Vec3>,
    /// Positions in a few frames of the motion.
    pub(crate) moving: Vec<Vec<Vec3>>,
}

/// An axis and what it was told from.
pub(crate) type Told = Option<(Axis, String)>;

/// Legs of adults reach from 0.7 to 0.95 m, hip to ankle; this is the middle, by ratio.
const ADULT_LEG: f32 = 0.83;

impl Figure<'_> {
    /// Up is where the hips are, seen from the feet: at rest, or in the motion where the rest pose lies down.
    pub(crate) fn up(&self) -> Told {
        let feet = self.feet();
        if feet.is_empty() {
            return None;
        }
        let from_feet = |positions: &[Vec3]| {
            let mean: Vec3 = feet.iter().map(|f| positions[*f]).sum::<Vec3>() / feet.len() as f32;
            positions[0] - mean
        };
        let (at_rest, clear) = Axis::nearest(from_feet(&self.rest));
        let in_motion: Vec3 = self.moving.iter().map(|positions| from_feet(positions)).sum();
        let (moving, moving_clear) = Axis::nearest(in_motion);
        if clear > 0.8 && (moving == at_rest || moving_clear < 0.8) {
            return Some((at_rest, format!("the hips are {at_rest} of the feet at rest")));
        }
        // A body that lies on the ground in its motion still has its ground at zero; an exporter that tips the
        // whole body over has it there along another axis.
        let grounded = |axis: Axis| {
            let reach = from_feet(&self.rest).length().max(1e-6);
            let mut lowest: Vec<f32> = self.moving.iter().map(|p| lowest(p, axis).abs() / reach).collect();
            lowest.sort_by(f32::total_cmp);
            lowest.get(lowest.len() / 2).is_some_and(|off| *off < 0.3)
        };
        if moving_clear > 0.8 && (clear <= 0.8 || (grounded(moving) && !grounded(at_rest))) {
            return Some((moving, format!("the hips are {moving} of the feet in the motion")));
        }
        (clear > 0.6).then(|| (at_rest, format!("the hips are {at_rest} of the feet at rest")))
    }

    /// Forward is where the toes point, and where a body looks whose left and right are known.
    pub(crate) fn forward(&self, up: Axis) -> (Told, bool) {
        let level = |v: Vec3| v - up.vector() * v.dot(up.vector());
        let by_sides = self.left().map(|left| Axis::nearest(level(left).cross(up.vector())));
        let by_toes = self.toes().map(|toes| Axis::nearest(level(toes)));
        let clear = |told: Option<(Axis, f32)>| told.filter(|(_, share)| *share > 0.8).map(|(axis, _)| axis);
        match (clear(by_toes), clear(by_sides)) {
            (Some(toes), Some(sides)) => {
                let opposed = toes.index == sides.index && toes.negative != sides.negative;
                let reason = if opposed { "the toes point there" } else { "left and right tell it" };
                let axis = if opposed { toes } else { sides };
                (Some((axis, format!("{reason} at rest"))), opposed)
            }
            (Some(toes), None) => (Some((toes, "the toes point there at rest".into())), false),
            (None, Some(sides)) => (Some((sides, "left and right tell it at rest".into())), false),
            (None, None) => (None, false),
        }
    }

    /// Leg length, hip to ankle, in file units: the mean of two or more legs.
    pub(crate) fn leg(&self, up: Axis) -> Option<f32> {
        let ankles = self.ankles();
        if ankles.len() < 2 {
            return None;
        }
        let lengths: Vec<f32> =
            ankles.iter().map(|ankle| self.leg_to(*ankle, &ankles, up)).filter(|l| *l > 0.0).collect();
        (lengths.len() >= 2).then(|| lengths.iter().sum::<f32>() / lengths.len() as f32)
    }

    /// Greatest distance between two coordinates along one axis at rest, file units.
    pub(crate) fn size(&self) -> f32 {
        let fold = |f: fn(Vec3, Vec3) -> Vec3| self.rest.iter().copied().reduce(f).unwrap_or_default();
        (fold(Vec3::max) - fold(Vec3::min)).max_element()
    }

    /// From one ankle up to where it meets another leg: the steep bones, or the two longest if none is steep. A short
    /// bone at the top leads from the pelvis to the hip and is no part of the leg.
    fn leg_to(&self, ankle: usize, ankles: &[usize], up: Axis) -> f32 {
        let shared: Vec<usize> = ankles.iter().filter(|a| **a != ankle).flat_map(|a| self.ancestry(*a)).collect();
        let bones: Vec<Vec3> = self
            .ancestry(ankle)
            .take_while(|joint| !shared.contains(joint))
            .filter_map(|joint| Some(self.rest[joint] - self.rest[self.parents[joint]?]))
            .collect();
        let longest = bones.iter().map(|b| b.length()).fold(0.0, f32::max);
        let hip = bones.iter().rposition(|b| b.length() >= 0.45 * longest).map_or(0, |last| last + 1);
        let steep = bones[..hip].iter().filter(|b| b.dot(up.vector()).abs() > 0.7 * b.length());
        let length: f32 = steep.map(|b| b.length()).sum();
        if length > 0.0 {
            return length;
        }
        let mut lengths: Vec<f32> = bones.iter().map(|b| b.length()).collect();
        lengths.sort_by(|a, b| b.total_cmp(a));
        lengths.iter().take(2).sum()
    }

    fn ancestry(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(joint), |j| self.parents[*j])
    }

    fn named(&self, joint: usize, words: &[&str]) -> bool {
        let name = self.names[joint].to_lowercase();
        words.iter().any(|word| name.contains(word))
    }

    /// Joints of feet by name.
    fn feet(&self) -> Vec<usize> {
        (0..self.names.len()).filter(|j| self.named(*j, &["foot", "feet", "ankle", "toe", "hoof", "paw"])).collect()
    }

    /// The topmost foot joint of each leg; of the first sixteen legs, which is more than anything walks on.
    fn ankles(&self) -> Vec<usize> {
        let mut is_foot = vec![false; self.names.len()];
        self.feet().into_iter().for_each(|foot| is_foot[foot] = true);
        let topmost = |j: &usize| is_foot[*j] && !self.ancestry(*j).skip(1).any(|a| is_foot[a]);
        let mut ankles: Vec<usize> = (0..self.names.len()).filter(topmost).take(16).collect();
        // Toes alone: the joint they hang from is the ankle.
        for ankle in &mut ankles {
            if self.named(*ankle, &["toe"]) && !self.named(*ankle, &["foot", "ankle"]) {
                *ankle = self.parents[*ankle].unwrap_or(*ankle);
            }
        }
        ankles.dedup();
        ankles
    }

    /// From the mean of the right joints to the mean of the left ones at rest; two pairs at least.
    fn left(&self) -> Option<Vec3> {
        let mean = |side: Side| {
            let members: Vec<Vec3> = (0..self.names.len())
                .filter(|j| Side::of_name(self.names[*j]) == Some(side))
                .map(|j| self.rest[j])
                .collect();
            (members.len() >= 2).then(|| members.iter().copied().sum::<Vec3>() / members.len() as f32)
        };
        Some(mean(Side::Left)? - mean(Side::Right)?)
    }

    /// Sum of the directions from ankles to the farthest points of their feet at rest.
    fn toes(&self) -> Option<Vec3> {
        let mut sum = Vec3::ZERO;
        for ankle in self.ankles() {
            let reach = (0..self.rest.len())
                .filter(|j| *j != ankle && self.ancestry(*j).any(|a| a == ankle))
                .map(|j| self.rest[j] - self.rest[ankle])
                .max_by(|a, b| a.length().total_cmp(&b.length()));
            sum += reach.unwrap_or_default();
        }
        (sum.length() > 0.0).then_some(sum)
    }
}

fn lowest(positions: &[Vec3], up: Axis) -> f32 {
    positions.iter().map(|p| p.dot(up.vector())).fold(f32::INFINITY, f32::min)
}

/// The unit in which a leg is as long as an adult's, with the reason; `Err` holds the likeliest and why it is unsure.
pub(crate) fn unit_of_leg(leg: f32) -> Result<(Unit, String), (Unit, String)> {
    let off = |unit: &Unit| (leg * unit.metres() / ADULT_LEG).ln().abs();
    let unit = Unit::NAMED.into_iter().filter(|u| *u != Unit::Foot).min_by(|a, b| off(a).total_cmp(&off(b)));
    let unit = unit.unwrap_or(Unit::Metre);
    let reason = format!("legs of {leg:.4} units are {:.2} m in {unit}", leg * unit.metres());
    if off(&unit) < 0.28 { Ok((unit, reason)) } else { Err((unit, format!("{reason}, which no adult has"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adult_legs_tell_every_unit() {
        for unit in [Unit::Metre, Unit::Decimetre, Unit::Centimetre, Unit::Millimetre, Unit::Inch, Unit::Cmu] {
            for leg in [0.70, 0.80, 0.90, 0.95] {
                assert_eq!(unit_of_leg(leg / unit.metres()).map(|u| u.0), Ok(unit), "{leg} m in {unit}");
            }
        }
        assert!(
            unit_of_leg(3.0).is_err() && unit_of_leg(1e6).is_err() && unit_of_leg(f32::MIN_POSITIVE).is_err(),
            "unsure"
        );
    }

    #[test]
    fn a_lying_body_does_not_turn_the_world() {
        // Rest: standing along y. Motion: lying along z far from the origin, on the ground y = 0.
        let names = vec!["Hips", "LeftFoot", "RightFoot"];
        let parents = vec![None, Some(0), Some(0)];
        let rest = vec![Vec3::Y, Vec3::new(0.1, 0.0, 0.0), Vec3::new(-0.1, 0.0, 0.0)];
        let lying = vec![Vec3::new(0.0, 0.1, 8.0), Vec3::new(0.1, 0.1, 7.0), Vec3::new(-0.1, 0.1, 7.0)];
        let mut figure = Figure { names, parents, rest, moving: vec![lying] };
        assert_eq!(figure.up().unwrap().0, Axis::Y);
        // Tipped over by its exporter: the ground is at z = 0.
        figure.moving = vec![vec![Vec3::new(3.0, 9.0, 1.0), Vec3::new(3.1, 9.0, 0.0), Vec3::new(2.9, 9.0, 0.0)]];
        assert_eq!(figure.up().unwrap().0, Axis::Z);
    }
}
