//! Travel: where edges take the character.

use super::MotionGraph;
use super::blend::{BlendJoints, Blended, Blender, moments};
use super::build::{each, each_with};
use super::play::place;
use super::topology::{Edge, Play};
use crate::math::{FloorPose, wrap_angle};

impl MotionGraph {
    /// Where the character is in a frame of a take, in the take's own space.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn place(&self, take: usize, frame: usize) -> FloorPose {
        place(&self.takes[take].clip, frame)
    }

    /// Whether every leg stands in a frame of a take.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn all_stand(&self, take: usize, frame: usize) -> bool {
        (0..self.rig.legs.len()).all(|leg| self.contacts[take].stands(leg, frame))
    }

    /// Whether a leg comes down in a frame of a take.
    ///
    /// # Panics
    /// If there is no such frame, or no frame before it.
    #[must_use]
    pub fn strikes(&self, take: usize, leg: usize, frame: usize) -> bool {
        let contacts = &self.contacts[take];
        contacts.stands(leg, frame) && contacts.stance(leg, frame) != contacts.stance(leg, frame - 1)
    }

    /// For each edge of the topology, where it takes a character that starts at the origin, facing +Z. Headings are not
    /// wrapped: a turn on the spot all the way round is 2π.
    #[must_use]
    pub fn travels(&self) -> Vec<FloorPose> {
        // Only their ends are asked for.
        self.ways(usize::MAX, |_| true).into_iter().map(|way| way.last().copied().unwrap_or_default()).collect()
    }

    /// For each edge, where it takes a character in frames `every`, 2 `every` … after its start, and at its end; nothing for
    /// those that are not wanted.
    pub(crate) fn ways(&self, every: usize, wanted: impl Fn(&Edge) -> bool + Sync + Send) -> Vec<Vec<FloorPose>> {
        let joints = BlendJoints::of_feet(&self.rig);
        let known = each(&self.takes, |take| moments(&self.rig, &joints, &take.clip));
        let bench = || (Blender::new(&self.rig, &joints), Blended::default());
        each_with(&self.topology.edges, bench, |(blender, blended), edge| {
            if !wanted(edge) {
                return Vec::new();
            }
            let [from, to] = [edge.from, edge.to].map(|node| self.topology.nodes[node.index()]);
            let count = self.edge_frames(edge);
            // Frames after the start that are told; the end is.
            let told = |k: &usize| (*k).is_multiple_of(every) || *k == count;
            match edge.play {
                Play::Take => {
                    let clip = &self.takes[from.take as usize].clip;
                    let back = place(clip, from.frame as usize).inverse();
                    let mut heading = 0.0;
                    let step = |k: usize| {
                        let at = back.then(place(clip, from.frame as usize + k));
                        heading += wrap_angle(at.heading - heading);
                        (k, FloorPose { heading, ..at })
                    };
                    debug_assert_eq!(from.frame as usize + count, to.frame as usize, "a take's edge ends in its take");
                    (1..=count).map(step).filter(|(k, _)| told(k)).map(|(_, at)| at).collect()
                }
                Play::Blend(transition) => {
                    let sides = self.sides(&self.transitions[transition as usize]);
                    let known = [from.take, to.take].map(|take| known[take as usize].as_slice());
                    blender.run(&sides, known, blended);
                    (1..=count).filter(told).map(|k| blended.roots[k]).collect()
                }
            }
        })
    }
}
