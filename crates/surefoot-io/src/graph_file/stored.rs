//! What a graph file holds: a graph, and from version 2 on its moves. These types are the format: changing one makes a new version.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use surefoot::glam::{Quat, Vec3A};
use surefoot::library::graph::{BuildGraph, Chosen, MotionGraph};
use surefoot::math::FloorPose;
use surefoot::motion;
use surefoot::rig::{self, JointId, Side};
use surefoot::stages::Rule;

pub(super) type Vector = [f32; 3];
pub(super) type Turn = [f32; 4];

#[derive(Serialize, Deserialize)]
pub(super) struct Graph {
    pub(super) joints: Vec<Joint>,
    pub(super) tips: Vec<Tip>,
    pub(super) pelvis: u16,
    pub(super) legs: Vec<Leg>,
    pub(super) settings: Settings,
    pub(super) threshold: f32,
    pub(super) ceiling: f32,
    pub(super) given: bool,
    pub(super) takes: Vec<Take>,
    pub(super) transitions: Vec<Transition>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) parent: Option<u16>,
    pub(super) rest: Rigid,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Rigid {
    pub(super) rotation: Turn,
    pub(super) translation: Vector,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Tip {
    pub(super) joint: u16,
    pub(super) offset: Vector,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Leg {
    /// Whether it is the left one.
    pub(super) left: Option<bool>,
    pub(super) chain: Vec<u16>,
    pub(super) hinges: Vec<Vector>,
    pub(super) toe: Option<u16>,
    pub(super) shin: Option<Vector>,
    pub(super) heel: Vector,
    pub(super) ball: Vector,
    pub(super) up: Vector,
    pub(super) tip: Option<Vector>,
    pub(super) length: f32,
    pub(super) width: f32,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) rate: f32,
    pub(super) window: u32,
    pub(super) blend: f32,
    pub(super) apart: f32,
    pub(super) rule: u8,
    pub(super) threshold: Option<f32>,
    pub(super) keep: f32,
    pub(super) weights: Option<Vec<f32>>,
    pub(super) anim_pairs: Option<Vec<(u32, u32)>>,
    pub(super) skip: bool,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Take {
    pub(super) name: String,
    pub(super) rate: f32,
    pub(super) cycle: Option<Rigid>,
    /// One for each frame.
    pub(super) roots: Vec<Rigid>,
    /// Of every joint, frame after frame.
    pub(super) rotations: Vec<Turn>,
    /// Joints whose translation is not that at rest in every frame.
    pub(super) moved: Vec<u16>,
    /// Of these joints, frame after frame.
    pub(super) translations: Vec<Vector>,
    pub(super) stances: Vec<Stance>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Stance {
    pub(super) leg: u8,
    pub(super) frames: (u32, u32),
    pub(super) heel: (u32, u32),
    pub(super) ball: (u32, u32),
    pub(super) world_from_sole: Rigid,
    pub(super) heel_at: Vector,
    pub(super) ball_at: Vector,
    pub(super) open: bool,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Transition {
    /// Take and frame.
    pub(super) from: (u32, u32),
    pub(super) to: (u32, u32),
    pub(super) distance: f32,
}

/// What searches need and is slow to derive.
#[derive(Serialize, Deserialize)]
pub(super) struct Moves {
    /// Of every transition within the largest component, in order: where it is in each frame after its start, from there. Place
    /// (x, z), metres, and heading, radians.
    pub(super) ways: Vec<Vector>,
}

/// Rules by their numbers in the file.
pub(super) const RULES: [Rule; 2] = [Rule::Regions, Rule::Minima];

impl Graph {
    pub(super) fn of(graph: &MotionGraph) -> Self {
        // Taken apart by name: what is added to a graph must be stored, or said to be derived.
        let MotionGraph { rig, settings, chosen, takes, transitions, .. } = graph;
        let rig::Rig { skeleton, legs, mirror: _ } = rig;
        let Chosen { threshold, ceiling, given } = *chosen;
        let joint = |joint: JointId| Joint {
            name: skeleton.name(joint).into(),
            parent: skeleton.parent(joint).map(|parent| parent.0),
            rest: skeleton.rest()[joint.index()].into(),
        };
        let tip = |tip: &surefoot::stages::Tip| Tip { joint: tip.joint.0, offset: tip.offset.to_array() };
        Self {
            joints: skeleton.joints().map(joint).collect(),
            tips: skeleton.tips().iter().map(tip).collect(),
            pelvis: skeleton.pelvis().0,
            legs: legs.iter().map(Leg::of).collect(),
            settings: Settings::of(settings),
            threshold,
            ceiling,
            given,
            takes: takes.iter().map(|take| Take::of(skeleton, take)).collect(),
            transitions: transitions.iter().map(Transition::of).collect(),
        }
    }
}

impl Moves {
    pub(super) fn of(graph: &MotionGraph) -> Self {
        let pose = |FloorPose { position, heading }: &FloorPose| [position.x, position.y, *heading];
        Self { ways: graph.blend_ways().iter().map(pose).collect() }
    }
}

impl Leg {
    fn of(leg: &rig::Leg) -> Self {
        let rig::Leg { side, chain, hinges, toe, shin, foot } = leg;
        let rig::Foot { heel, ball, up, tip, length, width } = *foot;
        Self {
            left: side.map(|side| side == Side::Left),
            chain: chain.iter().map(|joint| joint.0).collect(),
            hinges: hinges.iter().map(Vec3A::to_array).collect(),
            toe: toe.map(|joint| joint.0),
            shin: shin.map(|end| end.to_array()),
            heel: heel.to_array(),
            ball: ball.to_array(),
            up: up.to_array(),
            tip: tip.map(|tip| tip.to_array()),
            length,
            width,
        }
    }
}

impl Settings {
    fn of(settings: &BuildGraph) -> Self {
        let BuildGraph { rate, window, blend, apart, rule, threshold, keep, weights, anim_pairs, skip } = settings;
        let pairs = |pairs: &Vec<(usize, usize)>| pairs.iter().map(|(a, b)| (*a as u32, *b as u32)).collect();
        Self {
            rate: *rate,
            window: *window as u32,
            blend: *blend,
            apart: *apart,
            rule: RULES.iter().position(|known| known == rule).expect("every rule has a number") as u8,
            threshold: *threshold,
            keep: *keep,
            weights: weights.clone(),
            anim_pairs: anim_pairs.as_ref().map(pairs),
            skip: *skip,
        }
    }
}

impl Take {
    fn of(skeleton: &rig::Skeleton, take: &motion::Take) -> Self {
        // Takes of a graph stand on level ground at height 0, and are what others come from.
        let motion::Take { clip, stances, ground: _, sources: _ } = take;
        let bits = |v: Vec3A| v.to_array().map(f32::to_bits);
        let frames = || (0..clip.frames()).map(|frame| clip.frame(frame));
        let moves = |joint: &JointId| {
            let rest = bits(skeleton.rest()[joint.index()].translation);
            frames().any(|frame| bits(frame[joint.index()].translation) != rest)
        };
        let moved: Vec<JointId> = skeleton.joints().filter(moves).collect();
        Self {
            name: clip.name().into(),
            rate: clip.rate(),
            cycle: clip.cycle().map(Into::into),
            roots: clip.roots().iter().map(|root| (*root).into()).collect(),
            rotations: frames().flatten().map(|local| local.rotation.to_array()).collect(),
            translations: frames()
                .flat_map(|frame| moved.iter().map(|joint| frame[joint.index()].translation.to_array()))
                .collect(),
            moved: moved.iter().map(|joint| joint.0).collect(),
            stances: stances.iter().map(|stance| Stance::of(stance, clip)).collect(),
        }
    }
}

impl Stance {
    fn of(stance: &motion::Stance, clip: &motion::Clip) -> Self {
        let motion::Stance { print, time: _, heel: _, ball: _, heel_at, ball_at, open } = stance;
        // Level ground does not move, and nobody pinned anything to it.
        let motion::Footprint { leg, world_from_sole, surface: _, pinned: _ } = print;
        let motion::StanceFrames { whole, heel, ball } = &stance.frames(clip);
        let span = |range: &Range<usize>| (range.start as u32, range.end as u32);
        Self {
            leg: leg.0,
            frames: span(whole),
            heel: span(heel),
            ball: span(ball),
            world_from_sole: (*world_from_sole).into(),
            heel_at: heel_at.to_array(),
            ball_at: ball_at.to_array(),
            open: *open,
        }
    }
}

impl Transition {
    fn of(transition: &surefoot::stages::Transition) -> Self {
        let surefoot::stages::Transition { from, to, distance } = *transition;
        Self { from: (from.take, from.frame), to: (to.take, to.frame), distance }
    }
}

impl From<surefoot::math::Rigid> for Rigid {
    fn from(rigid: surefoot::math::Rigid) -> Self {
        Self { rotation: rigid.rotation.to_array(), translation: rigid.translation.to_array() }
    }
}

impl From<Rigid> for surefoot::math::Rigid {
    fn from(rigid: Rigid) -> Self {
        Self { rotation: Quat::from_array(rigid.rotation), translation: Vec3A::from_array(rigid.translation) }
    }
}
