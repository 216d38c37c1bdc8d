//! Which way knees bend that are, for a while, stretched beyond straight.

use crate::ik::LegChain;
use crate::motion::Clip;
use crate::rig::{ModelPose, Rig};
use glam::{Quat, Vec3A};

/// A leg in one frame, world, metres.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub(super) hip: Vec3A,
    pub(super) knee: Vec3A,
    /// The end that is brought to its place.
    pub(super) end: Vec3A,
    /// The sum of its bones: how far its end comes from the hip.
    pub(super) reach: f32,
    /// The knee's hinge, a unit vector.
    hinge: Vec3A,
}

impl Chain {
    #[cfg(test)]
    pub(super) fn new(hip: Vec3A, knee: Vec3A, end: Vec3A, reach: f32) -> Self {
        Self { hip, knee, end, reach, hinge: Vec3A::X }
    }

    /// From hip to knee to end; what bends between knee and end stays as it is.
    fn length(&self) -> f32 {
        (self.knee - self.hip).length() + (self.end - self.knee).length()
    }

    /// Whether nothing but the knee bends between hip and end.
    pub(super) fn has_one_knee(&self) -> bool {
        self.length() > 0.99 * self.reach
    }

    /// From the line between hip and end to the knee, in leg lengths.
    fn off(&self) -> Vec3A {
        let line = (self.end - self.hip).normalize_or_zero();
        ((self.knee - self.hip) - line * (self.knee - self.hip).dot(line)) / self.length().max(1e-6)
    }

    /// The way that the knee's hinge has it, a unit vector.
    fn forward(&self) -> Vec3A {
        (self.end - self.hip).cross(self.hinge).normalize_or_zero()
    }

    /// How far the knee is off that line with the end `distance` metres from the hip, in leg lengths.
    fn bend_at(&self, distance: f32) -> f32 {
        let (l1, l2) = ((self.knee - self.hip).length(), (self.end - self.knee).length());
        let along = (l1 * l1 - l2 * l2 + distance * distance) / (2.0 * distance.max(1e-6));
        (l1 * l1 - along * along).max(0.0).sqrt() / (l1 + l2).max(1e-6)
    }
}

/// Every leg of a clip by frame.
pub(super) fn chains(rig: &Rig, limbs: &[LegChain], clip: &Clip) -> Vec<Vec<Chain>> {
    let skeleton = &rig.skeleton;
    let mut chains = vec![Vec::with_capacity(clip.frames()); rig.legs.len()];
    let mut model = ModelPose::new(skeleton);
    let legs = skeleton.chains_to(limbs.iter().flat_map(LegChain::moving));
    for f in 0..clip.frames() {
        let root = clip.roots()[f];
        model.compose_some(skeleton, clip.frame(f), &legs);
        for (limb, chain) in limbs.iter().zip(&mut chains) {
            let above = skeleton.parent(limb.joints[1]).map_or(Quat::IDENTITY, |parent| model[parent].rotation);
            chain.push(Chain {
                hip: root.transform_point(model[limb.joints[0]].translation),
                knee: root.transform_point(model[limb.joints[1]].translation),
                end: root.transform_point(limb.end(&model)),
                reach: limb.length(&model),
                hinge: root.transform_vector(above * limb.hinges[0]),
            });
        }
    }
    chains
}

/// Frames in which a knee that is stretched beyond straight is to bend its own way.
///
/// A knee that passes through straight is on its other side in no time, so long as the leg is straight then. Where the
/// leg is made shorter it is not, and would jump from one side to the other: then it is kept on its own side all the
/// while, unless that would take it farther than the jump.
pub(super) fn turned_over(chains: &[Chain], distances: &[f32]) -> Vec<bool> {
    let offs: Vec<Vec3A> = chains.iter().map(Chain::off).collect();
    // A knee changes sides where it passes the line, not where it goes round it.
    let mut other = vec![false; chains.len()];
    for f in 1..chains.len() {
        other[f] = other[f - 1] ^ (offs[f].dot(offs[f - 1]) < 0.0);
    }
    let forward = |f: usize| if other[f] { -1.0 } else { 1.0 } * offs[f].dot(chains[f].forward());
    if (0..chains.len()).map(forward).sum::<f32>() < 0.0 {
        other.iter_mut().for_each(|other| *other = !*other);
    }
    let bent = |f: usize| chains[f].bend_at(distances[f]);
    let mut over = vec![false; chains.len()];
    let mut start = 0;
    while let Some(first) = (start..chains.len()).find(|f| other[*f]) {
        let end = (first..chains.len()).find(|f| !other[*f]).unwrap_or(chains.len());
        // A leg that is bent its own way is not stretched, whichever way its knee came there.
        let stretched = (first..end).map(|f| offs[f].dot(chains[f].forward())).sum::<f32>() < 0.0;
        let moved = (first..end).map(|f| bent(f) + offs[f].length()).fold(0.0, f32::max);
        let jump = |a: usize, b: usize| bent(a) + bent(b);
        let before = if first > 0 { jump(first - 1, first) } else { 0.0 };
        let after = if end < chains.len() { jump(end - 1, end) } else { 0.0 };
        // A hair's breadth beyond straight decides nothing.
        over[first..end].fill(stretched && before.max(after) > moved.max(0.02));
        start = end;
    }
    over
}
