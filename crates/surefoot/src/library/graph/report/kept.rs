//! The largest component as a report looks at it: nodes and hops with time, length and turn.

use super::Report;
use crate::library::graph::play::place;
use crate::library::graph::{EdgeId, MotionGraph, NodeId, Play};
use crate::math::{FloorPose, sinc, smoothstep, wrap_angle};
use crate::motion::Clip;
use glam::{DVec2, Vec2};

/// A take without its sway: means over about a stride.
pub(super) struct Course {
    /// Per frame: heading as it is, radians, not wrapped.
    pub(super) raw: Vec<f32>,
    /// Per frame: mean heading, radians, not wrapped.
    pub(super) heading: Vec<f32>,
    /// Per frame: place as it is, metres.
    pub(super) places: Vec<Vec2>,
    /// Per frame: speed of the mean place, m/s.
    pub(super) pace: Vec<f32>,
    /// Per frame: 0 where it stands, as walks of the graph know it, 1 where it does not.
    pub(super) moving: Vec<f32>,
    /// Per frame: how fast the mean heading turns, rad/s.
    pub(super) rate: Vec<f32>,
}

impl Course {
    fn new(clip: &Clip, stands: &[bool], half: usize) -> Self {
        let frames = clip.frames();
        let mut heading = 0.0;
        let mut unwrapped = |at: FloorPose| {
            heading += wrap_angle(at.heading - heading);
            heading
        };
        let poses: Vec<FloorPose> = (0..frames).map(|frame| place(clip, frame)).collect();
        let raw: Vec<f32> = poses.iter().map(|at| unwrapped(*at)).collect();
        let places: Vec<Vec2> = poses.iter().map(|at| at.position).collect();
        // Windows shrink towards the ends but stay even, so that steady walking and turning are not bent there.
        let within = |half: usize, frame: usize| half.min(frame).min(frames - 1 - frame);
        let reach = |frame: usize| within(half, frame);
        let mean_of = |values: &[DVec2], half: usize| {
            let mut sums = vec![DVec2::ZERO];
            values.iter().for_each(|value| sums.push(sums[sums.len() - 1] + *value));
            (0..frames)
                .map(|frame| {
                    let r = within(half, frame);
                    (sums[frame + r + 1] - sums[frame - r]) / (2 * r + 1) as f64
                })
                .collect::<Vec<DVec2>>()
        };
        let points: Vec<DVec2> = places.iter().map(|at| at.as_dvec2()).collect();
        let smooth = mean_of(&points, half);
        let turned = mean_of(&raw.iter().map(|heading| DVec2::new(f64::from(*heading), 0.0)).collect::<Vec<_>>(), half);
        let heading: Vec<f32> = turned.iter().map(|heading| heading.x as f32).collect();
        let hz = clip.rate();
        let sides = |frame: usize| (frame.saturating_sub(1), (frame + 1).min(frames - 1));
        let slope = |frame: usize, change: &dyn Fn(usize, usize) -> f32| {
            let (a, b) = sides(frame);
            if a == b { 0.0 } else { change(a, b) * hz / (b - a) as f32 }
        };
        let rate: Vec<f32> = (0..frames).map(|frame| slope(frame, &|a, b| heading[b] - heading[a])).collect();
        let pace = (0..frames).map(|frame| {
            // Means cut corners: those of a circle lie on one that is smaller by this.
            let cut = sinc((rate[frame] * reach(frame) as f32 / hz).clamp(-2.0, 2.0));
            slope(frame, &|a, b| (smooth[b] - smooth[a]).length() as f32) / cut
        });
        let pace = pace.collect();
        let moving = stands.iter().map(|stands| if *stands { 0.0 } else { 1.0 }).collect();
        Self { raw, heading, places, pace, moving, rate }
    }
}

/// Of a blend from moving to standing or back, the part that is less moving than this stands.
pub(super) const MOVES: f32 = 0.5;

/// An edge of the component.
#[derive(Clone, Debug)]
pub(super) struct Hop {
    pub(super) edge: EdgeId,
    /// Places in [`Kept::nodes`].
    pub(super) from: u32,
    pub(super) to: u32,
    /// At least 1.
    pub(super) frames: u32,
    /// Length of the way without sway, metres.
    pub(super) length: f32,
    /// Turn without sway, radians; what loops sum up to is exact.
    pub(super) turn: f32,
    /// Take and first frame, unless it is a blend.
    pub(super) take: Option<(u32, u32)>,
    /// Whether every frame of it stands, and whether every frame walks.
    pub(super) stands: bool,
    pub(super) walks: bool,
    /// Places on the way; the last is the end.
    pub(super) way: Vec<FloorPose>,
}

/// The largest component.
pub(super) struct Kept {
    pub(super) nodes: Vec<NodeId>,
    /// By the node they leave.
    pub(super) hops: Vec<Hop>,
    /// For each node, its first hop; one more at the end.
    pub(super) first: Vec<u32>,
    /// Of every take of the graph.
    pub(super) courses: Vec<Course>,
    /// Per node: speed without sway (m/s), whether it moves, and turn without sway (rad/s).
    pub(super) pace: Vec<f32>,
    pub(super) moving: Vec<f32>,
    pub(super) rate: Vec<f32>,
    /// From this speed on a frame walks, m/s.
    pub(super) walking: f32,
}

impl Kept {
    pub(super) fn new(settings: &Report, graph: &MotionGraph) -> Self {
        let topology = &graph.topology;
        let hz = graph.settings.rate;
        let half = ((0.5 * settings.window * hz).round() as usize).max(1);
        let stands = graph.moves().takes.iter().map(|take| &take.stands);
        let takes = graph.takes.iter().zip(stands);
        let courses: Vec<Course> = takes.map(|(take, stands)| Course::new(&take.clip, stands, half)).collect();
        let walking = settings.walking * graph.rig.leg_length();
        let all = 0..topology.nodes.len() as u32;
        let nodes: Vec<NodeId> = all.map(NodeId).filter(|node| topology.keeps(*node)).collect();
        let mut place_of = vec![u32::MAX; topology.nodes.len()];
        nodes.iter().enumerate().for_each(|(k, node)| place_of[node.index()] = k as u32);
        let of = |node: NodeId, values: &dyn Fn(&Course) -> &[f32]| {
            let point = topology.nodes[node.index()];
            values(&courses[point.take as usize])[point.frame as usize]
        };
        let mut hops = Vec::new();
        let mut ways = graph.ways(((settings.station * hz).round() as usize).max(1), |edge| topology.keeps_edge(edge));
        for (k, edge) in topology.edges.iter().enumerate().filter(|(_, edge)| topology.keeps_edge(edge)) {
            let way = std::mem::take(&mut ways[k]);
            let frames = graph.edge_frames(edge);
            // What sway hides at either end, so that turns add up to what is walked.
            let sway = |node| of(node, &|course| &course.heading) - of(node, &|course| &course.raw);
            let (ends, raw) = (sway(edge.to) - sway(edge.from), way.last().map_or(0.0, |at| at.heading));
            let [from, to] = [edge.from, edge.to].map(|node| topology.nodes[node.index()]);
            let along = |values: &dyn Fn(&Course) -> &[f32]| -> Vec<f32> {
                let [a, b] = [from, to].map(|point| values(&courses[point.take as usize]));
                let start = from.frame as usize;
                match edge.play {
                    Play::Take => a[start..=start + frames].to_vec(),
                    Play::Blend(_) => (0..=frames)
                        .map(|at| {
                            let share = smoothstep(at as f32 / frames.max(1) as f32);
                            let (first, second) = (a.get(start + at), (to.frame as usize + at).checked_sub(frames));
                            let second = second.and_then(|frame| b.get(frame));
                            let [first, second] =
                                [first.or(second), second.or(first)].map(|v| v.copied().unwrap_or(0.0));
                            first + share * (second - first)
                        })
                        .collect(),
                }
            };
            let paces = along(&|course| &course.pace);
            let length = paces.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]) / hz).sum();
            hops.push(Hop {
                edge: EdgeId(k as u32),
                from: place_of[edge.from.index()],
                to: place_of[edge.to.index()],
                frames: frames.max(1) as u32,
                length,
                turn: raw + ends,
                take: (edge.play == Play::Take).then_some((from.take, from.frame)),
                stands: along(&|course| &course.moving).iter().all(|moves| *moves < MOVES),
                walks: paces.iter().all(|pace| *pace >= walking),
                way,
            });
        }
        let first = (0..=nodes.len()).map(|n| hops.partition_point(|hop| (hop.from as usize) < n) as u32).collect();
        let pace = nodes.iter().map(|node| of(*node, &|course| &course.pace)).collect();
        let moving = nodes.iter().map(|node| of(*node, &|course| &course.moving)).collect();
        let rate = nodes.iter().map(|node| of(*node, &|course| &course.rate)).collect();
        Self { nodes, hops, first, courses, pace, moving, rate, walking }
    }

    /// Hops that leave a node.
    pub(super) fn leaving(&self, node: usize) -> &[Hop] {
        &self.hops[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Runs of frames of takes that are in the component, first and last: take, from, to.
    pub(super) fn runs(&self) -> Vec<(usize, usize, usize)> {
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for hop in &self.hops {
            let Some((take, frame)) = hop.take else { continue };
            let (take, from, to) = (take as usize, frame as usize, (frame + hop.frames) as usize);
            match runs.last_mut() {
                Some(run) if run.0 == take && run.2 == from => run.2 = to,
                _ => runs.push((take, from, to)),
            }
        }
        runs
    }

    /// Whether a node walks without turning more than `straight`, rad/s.
    pub(super) fn walks_straight(&self, node: usize, straight: f32) -> bool {
        self.pace[node] >= self.walking && self.rate[node].abs() < straight
    }
}
