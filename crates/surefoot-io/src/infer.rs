//! What a body tells about its file: which way is up and forward, where its pelvis is, and how long a unit is.

use crate::unit::{Axis, Unit};
use surefoot::glam::Vec3;
use surefoot::rig::Side;

/// A body in its file's own axes and units: joints, then the ends of last bones (with empty names).
pub(crate) struct Figure<'a> {
    names: Vec<&'a str>,
    parents: Vec<Option<usize>>,
    sides: Vec<Option<Side>>,
    feet: Vec<usize>,
    ankles: Vec<usize>,
    /// The joint the legs hang from.
    pelvis: usize,
    /// Positions at rest.
    rest: Vec<Vec3>,
    /// Positions in a few frames of the motion.
    moving: Vec<Vec<Vec3>>,
}

/// An axis and what it was told from.
pub(crate) type Told = Option<(Axis, String)>;

/// Joints that are compared with each other's mirror images; of a larger body the first.
const MOST_MIRRORED: usize = 512;

/// Legs of adults reach from 0.7 to 0.95 m, hip to ankle; this is the middle, by ratio.
const ADULT_LEG: f32 = 0.83;

/// A root that is nearer to the feet than this, in sizes of the body, is no pelvis.
const ROOT_BESIDE: f32 = 0.2;

impl<'a> Figure<'a> {
    pub(crate) fn new(
        names: Vec<&'a str>,
        parents: Vec<Option<usize>>,
        rest: Vec<Vec3>,
        moving: Vec<Vec<Vec3>>,
    ) -> Self {
        let sides = Side::of_names(&names);
        let mut figure = Self { names, parents, sides, feet: Vec::new(), ankles: Vec::new(), pelvis: 0, rest, moving };
        figure.feet = figure.find_feet();
        figure.ankles = figure.find_ankles();
        figure.pelvis = figure.find_pelvis();
        figure
    }

    /// The joint the legs hang from.
    pub(crate) fn pelvis(&self) -> usize {
        self.pelvis
    }

    /// Whether the rest pose looks like a body that stands: files whose OFFSETs are in each joint's own axes have
    /// one that does not. Only a body with legs can be judged.
    pub(crate) fn rest_is_no_body(&self) -> bool {
        if self.ankles.len() < 2 {
            return false;
        }
        let size = self.size().max(1e-6);
        let reach = self.feet_to_pelvis(&self.rest).length();
        let apart = self.left(&self.rest).is_none_or(|left| left.length() > 0.04 * size);
        // Both legs go the same way from the pelvis.
        let ways = self.ankles.iter().map(|ankle| (self.rest[*ankle] - self.rest[self.pelvis]).normalize_or_zero());
        let together = ways.sum::<Vec3>().length() / self.ankles.len() as f32;
        // And the head goes another way.
        let head = (0..self.names.len()).find(|j| self.sides[*j].is_none() && self.named(*j, &["head"]));
        let to_head = head.map(|head| (self.rest[head] - self.rest[self.pelvis]).normalize_or_zero());
        let down = self.feet_to_pelvis(&self.rest).normalize_or_zero();
        let folded = to_head.is_some_and(|up| up.dot(-down) > 0.8);
        reach < 0.2 * size || !apart || together < 0.8 || folded
    }

    /// Takes the first frame looked at for the rest pose.
    pub(crate) fn rest_from_motion(&mut self) {
        if let Some(first) = self.moving.first() {
            self.rest = first.clone();
        }
    }

    /// Up is where the pelvis is, seen from the feet: at rest, or in the motion where the rest pose lies down.
    pub(crate) fn up(&self) -> Told {
        if self.feet.is_empty() {
            return None;
        }
        let (at_rest, clear) = Axis::nearest(self.feet_to_body(&self.rest));
        let in_motion: Vec3 = self.moving.iter().map(|positions| self.feet_to_body(positions)).sum();
        let (moving, moving_clear) = Axis::nearest(in_motion);
        let told = |axis: Axis, place: &str| Some((axis, format!("the pelvis is {axis} of the feet {place}")));
        if clear > 0.8 && (moving == at_rest || moving_clear < 0.8) {
            return told(at_rest, "at rest");
        }
        // A body that lies on the ground in its motion still has its ground at zero; an exporter that tips the
        // whole body over has it there along another axis.
        let grounded = |axis: Axis| {
            let reach = self.feet_to_pelvis(&self.rest).length().max(1e-6);
            let mut lows: Vec<f32> = self.moving.iter().map(|p| lowest(p, axis).abs() / reach).collect();
            lows.sort_by(f32::total_cmp);
            lows.get(lows.len() / 2).is_some_and(|off| *off < 0.3)
        };
        if moving_clear > 0.8 && (clear <= 0.8 || (grounded(moving) && !grounded(at_rest))) {
            return told(moving, "in the motion");
        }
        if clear > 0.6 { told(at_rest, "at rest") } else { None }
    }

    /// Forward is where a body looks whose left and right are known, and where its toes point. The flag tells that
    /// the two contradict each other.
    pub(crate) fn forward(&self, up: Axis) -> (Told, bool) {
        let up = up.vector();
        let by_sides = self.level_left(up).map(|left| Axis::nearest(left.cross(up)));
        let by_toes = self.toes(up).map(Axis::nearest);
        match (by_toes, by_sides) {
            (Some((toes, share)), Some((sides, _))) if toes.index == sides.index && share > 0.8 => {
                let opposed = toes.negative != sides.negative;
                let reason = if opposed { "the toes point there" } else { "left and right tell it" };
                (Some((toes, format!("{reason} at rest"))), opposed)
            }
            (_, Some((sides, _))) => (Some((sides, "left and right tell it at rest".into())), false),
            (Some((toes, _)), None) => (Some((toes, "the toes point there at rest".into())), false),
            (None, None) => (self.symmetric(up).map(|axis| (axis, "its sides mirror each other".into())), false),
        }
    }

    /// The axis along which a body lies whose two sides mirror each other, where joints tell it clearly: of its two ways the
    /// positive one.
    fn symmetric(&self, up: Vec3) -> Option<Axis> {
        // Strictly first: the larger a body, the more lies near some mirror image.
        [0.005, 0.015, 0.04].into_iter().find_map(|near| {
            let level = [Axis::X, Axis::Y, Axis::Z].into_iter().filter(|axis| axis.vector().dot(up) == 0.0);
            let mut scored: Vec<(f32, Axis)> =
                level.map(|across| (self.mirrored_along(across, near * self.size()), across)).collect();
            scored.sort_by(|a, b| b.0.total_cmp(&a.0));
            match scored[..] {
                [(best, across), (other, _)] if best > 0.3 && best > other + 0.2 => {
                    let ahead = Axis::nearest(across.vector().cross(up)).0;
                    Some(Axis { negative: false, ..ahead })
                }
                _ => None,
            }
        })
    }

    /// The greatest share of joints that others mirror across an axis.
    pub(crate) fn symmetry(&self) -> f32 {
        let near = 0.02 * self.size();
        [Axis::X, Axis::Y, Axis::Z].into_iter().map(|across| self.mirrored_along(across, near)).fold(0.0, f32::max)
    }

    /// The share of joints off the middle that another mirrors across an axis, within a distance.
    fn mirrored_along(&self, across: Axis, near: f32) -> f32 {
        let joints: Vec<Vec3> = (0..self.parents.len()).map(|j| self.rest[j]).take(MOST_MIRRORED).collect();
        let mut along: Vec<f32> = joints.iter().map(|p| p[across.index]).collect();
        along.sort_by(f32::total_cmp);
        let Some(middle) = along.get(along.len() / 2).copied() else { return 0.0 };
        let (mut off, mut mirrored) = (0.0, 0.0);
        for place in joints.iter().filter(|place| (place[across.index] - middle).abs() > near) {
            let mut image = *place;
            image[across.index] = 2.0 * middle - image[across.index];
            off += 1.0;
            mirrored += if joints.iter().any(|other| other.distance(image) < near) { 1.0 } else { 0.0 };
        }
        if off >= 4.0 { mirrored / off } else { 0.0 }
    }

    /// The direction a body at rest faces, level, in the file's axes: at right angles to its left.
    pub(crate) fn facing(&self, up: Axis) -> Option<Vec3> {
        self.level_left(up.vector()).map(|left| left.cross(up.vector()).normalize_or_zero())
    }

    #[cfg(feature = "fbx")]
    /// Whether the frames of the motion that are looked at all face a direction, within an eighth of a turn.
    #[cfg(feature = "fbx")]
    pub(crate) fn all_moving_face(&self, up: Axis, way: Vec3) -> bool {
        let up = up.vector();
        let faces = |positions: &Vec<Vec3>| {
            let left = self.left(positions)?;
            Some((left - up * left.dot(up)).cross(up).normalize_or_zero().dot(way) > 0.7)
        };
        !self.moving.is_empty() && self.moving.iter().all(|positions| faces(positions) == Some(true))
    }

    /// Leg length, hip to ankle, in file units: the mean of two or more legs.
    pub(crate) fn leg(&self, up: Axis) -> Option<f32> {
        let lengths = self.ankles.iter().map(|ankle| self.leg_to(*ankle, up)).filter(|l| *l > 0.0);
        let lengths: Vec<f32> = lengths.collect();
        (lengths.len() >= 2).then(|| lengths.iter().sum::<f32>() / lengths.len() as f32)
    }

    /// Greatest extent along one axis at rest, file units.
    pub(crate) fn size(&self) -> f32 {
        let fold = |f: fn(Vec3, Vec3) -> Vec3| self.rest.iter().copied().reduce(f).unwrap_or_default();
        (fold(Vec3::max) - fold(Vec3::min)).max_element()
    }

    /// Extent along an axis at rest, file units.
    pub(crate) fn extent(&self, axis: Axis) -> f32 {
        let along = self.rest.iter().map(|p| p[axis.index]);
        let (low, high) = along.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        (high - low).max(0.0)
    }

    /// The unit that a body with legs of this length has, with the reason; `Err` holds the likeliest and why it is
    /// unsure.
    pub(crate) fn unit(&self, leg: f32) -> Result<(Unit, String), (Unit, String)> {
        let in_unit = |unit: Unit| format!("legs of {leg:.4} units are {:.2} m in {unit}", leg * unit.metres());
        // The common units first.
        if self.is_beast() {
            let fits = |unit: &Unit| (0.08..1.6).contains(&(leg * unit.metres()));
            let unit = [Unit::Centimetre, Unit::Metre, Unit::Inch, Unit::Millimetre].into_iter().find(fits);
            let unit = unit.unwrap_or(Unit::Metre);
            return Err((unit, format!("{}, and only people's legs tell a unit", in_unit(unit))));
        }
        let off = |unit: &Unit| surefoot::math::single::ln(leg * unit.metres() / ADULT_LEG).abs();
        let all = Unit::NAMED.into_iter().filter(|u| *u != Unit::Foot);
        let unit = all.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(Unit::Metre);
        if off(&unit) > 0.28 {
            return Err((unit, format!("{}, which no adult has", in_unit(unit))));
        }
        match unit {
            // Two units lie so near to centimetres that a child or a dwarf in those looks the same.
            Unit::Cmu if self.has("LHipJoint") && self.has("LowerBack") => {
                Ok((unit, format!("{}, and the joints are named as CMU's are", in_unit(unit))))
            }
            Unit::Cmu | Unit::Inch => {
                let small = leg * Unit::Centimetre.metres();
                Err((unit, format!("{}; in cm they would be {small:.2} m", in_unit(unit))))
            }
            _ => Ok((unit, in_unit(unit))),
        }
    }

    /// What walks on more than two feet, or on paws: it has no usual size.
    pub(crate) fn is_beast(&self) -> bool {
        self.ankles.len() > 2 || (0..self.names.len()).any(|j| self.named(j, &["paw", "hoof"]))
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    /// From the feet to the pelvis; to the middle of all joints where the pelvis is a root beside them, as that of a rig whose feet
    /// hang from its root on the ground is.
    fn feet_to_body(&self, positions: &[Vec3]) -> Vec3 {
        let near = self.feet_to_pelvis(&self.rest).length() < ROOT_BESIDE * self.size();
        if !near || self.parents[self.pelvis].is_some() {
            return self.feet_to_pelvis(positions);
        }
        let mean = |joints: &mut dyn Iterator<Item = Vec3>| {
            let (sum, count) = joints.fold((Vec3::ZERO, 0.0), |(sum, n), p| (sum + p, n + 1.0));
            sum / f32::max(count, 1.0)
        };
        mean(&mut positions.iter().copied()) - mean(&mut self.feet.iter().map(|foot| positions[*foot]))
    }

    fn feet_to_pelvis(&self, positions: &[Vec3]) -> Vec3 {
        let mean = self.feet.iter().map(|f| positions[*f]).sum::<Vec3>() / self.feet.len().max(1) as f32;
        positions[self.pelvis] - mean
    }

    /// From one ankle up to the pelvis, without what leads from there to the hip: a short bone, or a level one that
    /// is not as long as a thigh.
    fn leg_to(&self, ankle: usize, up: Axis) -> f32 {
        let path = self.ancestry(ankle).take_while(|joint| *joint != self.pelvis);
        let bones: Vec<Vec3> =
            path.filter_map(|joint| Some(self.rest[joint] - self.rest[self.parents[joint]?])).collect();
        let longest = bones.iter().map(|b| b.length()).fold(0.0, f32::max);
        let steep = |b: &Vec3| b.dot(up.vector()).abs() > 0.7 * b.length();
        let of_leg = |b: &Vec3| b.length() >= if steep(b) { 0.45 } else { 0.7 } * longest;
        let hip = bones.iter().rposition(of_leg).map_or(0, |last| last + 1);
        bones[..hip].iter().map(|b| b.length()).sum()
    }

    fn ancestry(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(joint), |j| self.parents[*j])
    }

    fn named(&self, joint: usize, words: &[&str]) -> bool {
        let name = self.names[joint].to_lowercase();
        words.iter().any(|word| name.contains(word))
    }

    /// Joints of feet by name.
    fn find_feet(&self) -> Vec<usize> {
        (0..self.names.len()).filter(|j| self.named(*j, &["foot", "feet", "ankle", "toe", "hoof", "paw"])).collect()
    }

    /// The topmost foot joint of each leg; of the first sixteen legs, which is more than anything walks on.
    fn find_ankles(&self) -> Vec<usize> {
        let mut is_foot = vec![false; self.names.len()];
        self.feet.iter().for_each(|foot| is_foot[*foot] = true);
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

    /// Where the ways up from the last two ankles meet (hind legs come last or alone); else by name; else the root.
    fn find_pelvis(&self) -> usize {
        if let [.., a, b] = self.ankles[..] {
            let above: Vec<usize> = self.ancestry(a).collect();
            if let Some(meet) = self.ancestry(b).find(|joint| above.contains(joint)) {
                return meet;
            }
        }
        (0..self.names.len()).find(|j| self.named(*j, &["pelvis", "hips"])).unwrap_or(0)
    }

    /// From the mean of the right joints to the mean of the left ones; two on each side at least.
    fn left(&self, positions: &[Vec3]) -> Option<Vec3> {
        let mean = |side: Side| {
            let own = (0..self.names.len()).filter(|j| self.sides[*j] == Some(side));
            let members: Vec<Vec3> = own.map(|j| positions[j]).collect();
            (members.len() >= 2).then(|| members.iter().copied().sum::<Vec3>() / members.len() as f32)
        };
        Some(mean(Side::Left)? - mean(Side::Right)?)
    }

    /// The level part of the way to the left at rest, where it is more than noise.
    fn level_left(&self, up: Vec3) -> Option<Vec3> {
        let left = self.left(&self.rest)?;
        let level = left - up * left.dot(up);
        (level.length() > 0.02 * self.size()).then_some(level)
    }

    /// The level part of the directions from ankles to the farthest points of their feet at rest, where the feet
    /// are not upright.
    fn toes(&self, up: Vec3) -> Option<Vec3> {
        let mut sum = Vec3::ZERO;
        for ankle in &self.ankles {
            let below = (0..self.rest.len()).filter(|j| j != ankle && self.ancestry(*j).any(|a| a == *ankle));
            let reach =
                below.map(|j| self.rest[j] - self.rest[*ankle]).max_by(|a, b| a.length().total_cmp(&b.length()));
            sum += reach.unwrap_or_default();
        }
        let level = sum - up * sum.dot(up);
        (level.length() > 0.3 * sum.length() && sum.length() > 0.0).then_some(level)
    }
}

/// The lowest coordinate along an axis.
pub(crate) fn lowest(positions: &[Vec3], up: Axis) -> f32 {
    positions.iter().map(|p| p.dot(up.vector())).fold(f32::INFINITY, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hips and two straight legs of this length, standing along y.
    fn person(leg: f32, names: [&'static str; 7]) -> Figure<'static> {
        let parents = vec![None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5)];
        let side = |x: f32| [0.0, 0.5, 1.0].map(|down| Vec3::new(x * leg, leg * (1.0 - down), 0.0));
        let rest: Vec<Vec3> = std::iter::once(Vec3::Y * leg).chain(side(0.1)).chain(side(-0.1)).collect();
        Figure::new(names.to_vec(), parents, rest.clone(), vec![rest])
    }

    const PLAIN: [&str; 7] = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"];

    #[test]
    fn adult_legs_tell_units_and_doubtful_ones_are_told() {
        for (unit, sure) in [
            (Unit::Metre, true),
            (Unit::Decimetre, true),
            (Unit::Centimetre, true),
            (Unit::Millimetre, true),
            (Unit::Inch, false),
            (Unit::Cmu, false),
        ] {
            for leg in [0.70, 0.80, 0.90, 0.95] {
                let figure = person(leg / unit.metres(), PLAIN);
                let length = figure.leg(Axis::Y).unwrap();
                assert!((length * unit.metres() - leg).abs() < 1e-3, "{length}");
                let told = figure.unit(length);
                assert_eq!(told.is_ok(), sure, "{leg} m in {unit}");
                let (Ok((found, _)) | Err((found, _))) = told;
                assert_eq!(found, unit, "{leg} m in {unit}");
            }
        }
        let figure = person(1.0, PLAIN);
        assert!(
            figure.unit(3.0).is_err() && figure.unit(1e6).is_err() && figure.unit(f32::MIN_POSITIVE).is_err(),
            "unsure"
        );
    }

    #[test]
    fn paws_have_no_usual_size() {
        let dog = person(35.0, ["Hips", "LeftUpLeg", "LeftLeg", "LeftPaw", "RightUpLeg", "RightLeg", "RightPaw"]);
        let (unit, _) = dog.unit(dog.leg(Axis::Y).unwrap()).unwrap_err();
        assert_eq!(unit, Unit::Centimetre);
    }

    #[test]
    fn a_root_on_the_ground_is_no_pelvis() {
        let mut figure = person(0.9, PLAIN);
        // A root below everything, as some game skeletons have.
        figure.parents = figure.parents.iter().map(|p| Some(p.map_or(0, |p| p + 1))).collect();
        let mut parents = vec![None];
        parents.append(&mut figure.parents);
        let mut rest = vec![Vec3::ZERO];
        rest.append(&mut figure.rest);
        let names = std::iter::once("Root").chain(PLAIN).collect();
        let figure = Figure::new(names, parents, rest.clone(), vec![rest]);
        assert_eq!(figure.pelvis(), 1);
        assert_eq!(figure.up().unwrap().0, Axis::Y);
        assert_eq!(figure.forward(Axis::Y).0.unwrap().0, Axis::Z);
    }

    #[test]
    fn feet_that_hang_from_a_root_on_the_ground_do_not_turn_the_world() {
        let mut figure = person(0.9, PLAIN);
        let mut parents = vec![None];
        parents.extend(figure.parents.iter().map(|p| Some(p.map_or(0, |p| p + 1))));
        let mut rest = vec![Vec3::ZERO];
        rest.append(&mut figure.rest);
        let mut names = vec!["Root"];
        names.extend(PLAIN);
        // Controls over the root, as animators have them: the ways up from these meet on the ground.
        for (name, x) in [("LeftFootControl", 0.1), ("RightFootControl", -0.1)] {
            parents.push(Some(0));
            rest.push(Vec3::new(x, 0.05, 0.0));
            names.push(name);
        }
        let figure = Figure::new(names, parents, rest.clone(), vec![rest]);
        assert_eq!((figure.pelvis(), figure.up().unwrap().0), (0, Axis::Y));
    }

    #[test]
    fn a_bent_thigh_is_part_of_the_leg_and_a_hip_bone_is_not() {
        let mut figure = person(80.0, PLAIN);
        // Knees well forward: the thigh is not steep.
        for knee in [2, 5] {
            figure.rest[knee] = figure.rest[knee - 1] + 40.0 * Vec3::new(0.0, -0.66, 0.75);
            figure.rest[knee + 1] = figure.rest[knee] - 40.0 * Vec3::Y;
        }
        assert!((figure.leg(Axis::Y).unwrap() - 80.0).abs() < 0.1, "{:?}", figure.leg(Axis::Y));
    }

    #[test]
    fn a_pose_that_is_no_body_is_noticed() {
        let mut figure = person(0.9, PLAIN);
        assert!(!figure.rest_is_no_body(), "a body");
        // Every bone along x, as joint-local offsets have it.
        for j in 1..7 {
            let parent = figure.parents[j].unwrap();
            figure.rest[j] = figure.rest[parent] + Vec3::X * 0.4;
        }
        assert!(figure.rest_is_no_body(), "left and right in one place");
    }

    #[test]
    fn a_lying_body_does_not_turn_the_world() {
        let mut figure = person(1.0, PLAIN);
        // Lying along z far from the origin, on the ground y = 0.
        let lie = |p: &Vec3| Vec3::new(p.x, 0.1, p.y + 7.0);
        figure.moving = vec![figure.rest.iter().map(lie).collect()];
        assert_eq!(figure.up().unwrap().0, Axis::Y);
        // Tipped over by its exporter: the ground is at z = 0.
        let tip = |p: &Vec3| Vec3::new(p.x + 3.0, 9.0, p.y);
        figure.moving = vec![figure.rest.iter().map(tip).collect()];
        assert_eq!(figure.up().unwrap().0, Axis::Z);
    }
}
