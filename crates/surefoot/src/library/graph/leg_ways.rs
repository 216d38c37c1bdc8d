//! Where takes and blends lead with longer or shorter legs, laid out for searching.
//!
//! Steps are linear in the scales of legs ([`WayStep`]), so that they are worked out once for all of them.

use super::blend::{BlendJoints, Blended, Blender};
use super::build::{each, each_with};
use super::{MotionGraph, Play};
use crate::foot::{Anchor, LegAt, LegRests, LegWay, WayStep, calm_headings};
use crate::math::{FloorPose, floor, smoothstep, wrap_angle};

/// Where a graph leads with legs of any length.
#[derive(Clone, Debug)]
pub struct LegWays {
    /// By take and frame.
    takes: Vec<Vec<WayStep>>,
    /// By blend of the moves: `blend` steps each, after its start.
    blends: Vec<WayStep>,
    blend: usize,
}

/// A stride of a person, seconds, where a graph tells none.
const STRIDE: f32 = 1.1;

impl LegWays {
    /// Lays out a graph.
    #[must_use]
    pub fn new(graph: &MotionGraph) -> Self {
        let moves = graph.moves();
        let rate = graph.settings.rate;
        let dt = 1.0 / rate;
        let leg_length = graph.rig.leg_length();
        let reach = ((0.5 * stride(graph) * rate).round() as usize).max(1);
        let places: Vec<usize> = (0..graph.takes.len()).collect();
        let poses = each(&places, |take| LegAt::of_clip(&graph.rig, &graph.takes[*take].clip));
        let count = graph.rig.legs.len();
        let rests = LegRests::new(&poses, count);
        let calm = each(&places, |take| {
            let clip = &graph.takes[*take].clip;
            let roots: Vec<FloorPose> = (0..clip.frames()).map(|frame| graph.place(*take, frame)).collect();
            calm_headings(&roots, reach)
        });
        let takes = each(&places, |take| {
            let (clip, legs, calm) = (&graph.takes[*take].clip, &poses[*take], &calm[*take]);
            let roots: Vec<FloorPose> = (0..clip.frames()).map(|frame| graph.place(*take, frame)).collect();
            let way = LegWay { roots: &roots, calm, legs, count };
            let mut steps = way.steps(&mut Anchor::new(leg_length, dt, rests.clone()));
            WayStep::look_at_strides(&mut steps, calm, reach);
            steps
        });
        let joints = BlendJoints::of_legs(&graph.rig);
        let bench =
            || (Blender::new(&graph.rig, &joints), Blended::default(), Anchor::new(leg_length, dt, rests.clone()));
        let blends = each_with(&moves.blends, bench, |(blender, blended, anchor), blend| {
            let edge = &graph.topology.edges[blend.edge.index()];
            let Play::Blend(transition) = edge.play else { return Vec::new() };
            let sides = graph.sides(&graph.transitions[transition as usize]);
            blender.run(&sides, [&[]; 2], blended);
            let start = moves.takes[blend.from.take as usize].at[blend.from.frame as usize].pose();
            let roots: Vec<FloorPose> = blended.roots.iter().map(|root| start.then(*root)).collect();
            let last = (roots.len() - 1) as f32;
            let ends = [(blend.from.take, sides.starts[0]), (blend.to.take, sides.starts[1])];
            let calm: Vec<f32> = (roots.iter().enumerate())
                .map(|(k, root)| {
                    let off = ends.map(|(take, start)| {
                        let heading = graph.place(take as usize, start + k).heading;
                        wrap_angle(calm[take as usize][start + k] - heading)
                    });
                    root.heading + off[0] + smoothstep(k as f32 / last) * (off[1] - off[0])
                })
                .collect();
            let mut steps = LegWay { roots: &roots, calm: &calm, legs: &blended.legs, count }.steps(anchor);
            // Sways go over into each other as poses do.
            for (k, (step, root)) in steps.iter_mut().zip(&roots).enumerate() {
                let share = smoothstep(k as f32 / last);
                let sway = ends.map(|(take, start)| {
                    let known = &takes[take as usize][start + k];
                    let back = -graph.place(take as usize, start + k).heading;
                    [known.sway, known.swung_sway].map(|sway| floor::turned(sway, back))
                });
                let mixed = |which: usize| floor::turned(sway[0][which].lerp(sway[1][which], share), root.heading);
                (step.sway, step.swung_sway) = (mixed(0), mixed(1));
                let gain = ends.map(|(take, start)| takes[take as usize][start + k].gain);
                step.gain = gain[0] + share * (gain[1] - gain[0]);
            }
            steps.remove(0);
            steps
        });
        Self { takes, blends: blends.concat(), blend: moves.blend as usize }
    }

    /// The places that feet of longer legs move about, by leg.
    pub(crate) fn rests(graph: &MotionGraph) -> LegRests {
        let poses: Vec<Vec<LegAt>> = graph.takes.iter().map(|take| LegAt::of_clip(&graph.rig, &take.clip)).collect();
        LegRests::new(&poses, graph.rig.legs.len())
    }

    /// The steps of a take, by frame.
    pub(crate) fn take(&self, take: u32) -> &[WayStep] {
        &self.takes[take as usize]
    }

    /// The steps of a blend of the moves, after its start.
    pub(crate) fn blend(&self, via: u32) -> &[WayStep] {
        &self.blends[via as usize * self.blend..(via as usize + 1) * self.blend]
    }
}

/// Two steps, seconds.
fn stride(graph: &MotionGraph) -> f32 {
    let (mut frames, mut steps) = (0, 0);
    for take in &graph.moves().takes {
        if let Some(kept) = take.kept.as_ref().filter(|_| !take.on_spot) {
            frames += kept.end - 1 - kept.start;
            steps += take.steps(kept.start, kept.end - 1);
        }
    }
    let legs = graph.rig.legs.len().max(1) as f32;
    if steps > 0 { legs * frames as f32 / (steps as f32 * graph.settings.rate) } else { STRIDE }.clamp(0.1, 4.0)
}
